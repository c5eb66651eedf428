// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The promise of the resolve stage: every name that a function loads is one of
// its locals, and every object that a constant, a member or an entry names is
// declared in the module.
//
// Test: test/compiler/resolve/verify_resolved*.mlir.

#include "compiler/resolve/Passes.h"

#include "dialects/net/ir/NetModuleOps.h"
#include "dialects/net/ir/NetPythonOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringSet.h"

namespace plumb {
#define GEN_PASS_DEF_VERIFYRESOLVEDPASS
#include "compiler/resolve/Passes.h.inc"

namespace {

using namespace mlir;

/// A load may only name what the function assigns somewhere.
LogicalResult verifyLoads(net::PythonFuncOp function) {
  llvm::StringSet<> locals;
  for (auto name : function.getParams().getAsValueRange<StringAttr>())
    locals.insert(name);
  for (auto name : {function.getStarArgs(), function.getStarKwargs()})
    if (name)
      locals.insert(*name);
  function.walk([&](Operation *op) {
    if (auto store = dyn_cast<net::PythonStoreOp>(op))
      locals.insert(store.getName());
    if (auto loop = dyn_cast<net::PythonForOp>(op))
      locals.insert(loop.getTarget());
  });
  bool isValid = true;
  function.walk([&](net::PythonLoadOp load) {
    if (locals.contains(load.getName()))
      return;
    isValid = false;
    load.emitOpError("loads the unresolved name '") << load.getName() << "'";
  });
  return success(isValid);
}

/// Every symbol inside the op's attributes is declared.
LogicalResult verifySymbols(Operation *op, const SymbolTable &symbols) {
  bool isValid = true;
  op->getAttrDictionary().walk([&](FlatSymbolRefAttr symbol) {
    if (!isValid || symbols.lookup(symbol.getValue()))
      return;
    isValid = false;
    op->emitOpError("refers to @") << symbol.getValue() << ", which nothing declares";
  });
  return success(isValid);
}

struct VerifyResolved : impl::VerifyResolvedPassBase<VerifyResolved> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    bool isValid = true;
    for (Operation &op : getOperation().getOps()) {
      if (auto function = dyn_cast<net::PythonFuncOp>(op)) {
        isValid &= succeeded(verifyLoads(function));
        // Its `names` have served; the body says what it uses.
        for (Operation &inner : function.getBody().front())
          inner.walk([&](Operation *nested) { isValid &= succeeded(verifySymbols(nested, symbols)); });
        continue;
      }
      if (isa<net::CellOp, net::NamespaceOp, net::EntryOp>(op))
        isValid &= succeeded(verifySymbols(&op, symbols));
    }
    if (!isValid)
      signalPassFailure();
  }
};

} // namespace
} // namespace plumb
