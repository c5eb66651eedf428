// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Binds the names that Python functions load.
//
//   names {ops = @ops, network = @network}
//   %0 = net.python.load "network"         =>   %0 = net.python.constant @network
//   %1 = net.python.load "x"                    %1 = net.python.load "x"
//
// A name is local, as in Python, if the function has it as a parameter or
// stores it anywhere; loads of locals stay. Every other name must be among those
// that the front end found for the function (globals, closure, builtins) and
// becomes that object. A name that is neither is the user's slip: the error
// stands at its line and says which known name is near.
//
// Tests: test/compiler/resolve/resolve_names*.mlir.

#include "compiler/resolve/Passes.h"
#include "compiler/resolve/Suggestions.h"

#include "dialects/net/ir/NetModuleOps.h"
#include "dialects/net/ir/NetPythonOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/SetVector.h"

namespace plumb {
#define GEN_PASS_DEF_RESOLVENAMESPASS
#include "compiler/resolve/Passes.h.inc"

namespace {

using namespace mlir;

/// The names that are local to `function`.
llvm::SetVector<StringAttr> getLocals(net::PythonFuncOp function) {
  llvm::SetVector<StringAttr> locals;
  for (auto name : function.getParams().getAsRange<StringAttr>())
    locals.insert(name);
  if (StringAttr name = function.getStarArgsAttr())
    locals.insert(name);
  if (StringAttr name = function.getStarKwargsAttr())
    locals.insert(name);
  function.walk([&](Operation *op) {
    if (auto store = dyn_cast<net::PythonStoreOp>(op))
      locals.insert(store.getNameAttr());
    if (auto loop = dyn_cast<net::PythonForOp>(op))
      locals.insert(loop.getTargetAttr());
  });
  return locals;
}

LogicalResult reportUnknown(net::PythonLoadOp load, net::PythonFuncOp function,
                            const llvm::SetVector<StringAttr> &locals) {
  SmallVector<StringRef> known;
  for (StringAttr name : locals)
    known.push_back(name.getValue());
  for (NamedAttribute name : function.getNames())
    known.push_back(name.getName());
  auto diagnostic = emitError(load.getLoc()) << "the name '" << load.getName() << "' is not defined";
  StringRef similar = findSimilar(load.getName(), known);
  if (!similar.empty())
    diagnostic << "; did you mean '" << similar << "'?";
  return diagnostic.attachNote(function.getLoc()) << "in '" << function.getSymName() << "'";
}

LogicalResult resolveFunction(net::PythonFuncOp function) {
  llvm::SetVector<StringAttr> locals = getLocals(function);
  bool isValid = true;
  function.walk([&](net::PythonLoadOp load) {
    if (locals.contains(load.getNameAttr()))
      return;
    Attribute object = function.getNames().get(load.getNameAttr());
    if (!object) {
      isValid = false;
      (void)reportUnknown(load, function, locals);
      return;
    }
    OpBuilder builder(load);
    auto constant = net::PythonConstantOp::create(builder, load.getLoc(), object);
    load.replaceAllUsesWith(constant.getResult());
    load.erase();
  });
  return success(isValid);
}

struct ResolveNames : impl::ResolveNamesPassBase<ResolveNames> {
  void runOnOperation() override {
    bool isValid = true;
    for (auto function : getOperation().getOps<net::PythonFuncOp>())
      isValid &= succeeded(resolveFunction(function));
    if (!isValid)
      signalPassFailure();
  }
};

} // namespace
} // namespace plumb
