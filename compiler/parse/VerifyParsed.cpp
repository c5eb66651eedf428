// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The promise of the parse stage, whichever way the module came in: from
// Python, from text or from another format.
//
//  (p1) something to compile: at least one net.entry;
//  (p2) Python-level operations stand only inside a net.python.func;
//  (p3) every Python-level operation knows its line in the user's source;
//  (p4) an entry's callee is something that can be called: a function, a cell
//       with a `construct`, a gradient function or a method;
//  (p5) an entry's columns, if named, are as many as its input types.
//
// Programs that were typed by hand may hold typed functions besides; those are
// not this pass's business.
//
// Tests: test/compiler/parse/verify_parsed*.mlir.

#include "compiler/parse/Passes.h"

#include "dialects/net/ir/NetModuleOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

namespace plumb {
#define GEN_PASS_DEF_VERIFYPARSEDPASS
#include "compiler/parse/Passes.h.inc"

namespace {

using namespace mlir;

/// Whether some part of `location` is a line of a file.
bool hasLine(Location location) {
  return location
      ->walk([](Location part) { return isa<FileLineColLoc>(part) ? WalkResult::interrupt() : WalkResult::advance(); })
      .wasInterrupted();
}

LogicalResult verifyPythonOps(ModuleOp module) {
  bool isValid = true;
  module.walk([&](Operation *op) {
    bool python = op->getName().getStringRef().starts_with("net.python.");
    if (!python || isa<net::PythonFuncOp>(op))
      return;
    if (!op->getParentOfType<net::PythonFuncOp>()) {
      isValid = false;
      op->emitOpError("stands outside a net.python.func");
    } else if (!hasLine(op->getLoc())) {
      isValid = false;
      op->emitOpError("does not know its line in the source");
    }
  });
  return success(isValid);
}

/// What `callee` names can be called.
LogicalResult verifyCallee(net::EntryOp entry, Attribute callee, const SymbolTable &symbols) {
  if (auto gradient = dyn_cast<net::GradAttr>(callee))
    return verifyCallee(entry, gradient.getFn(), symbols);
  if (auto method = dyn_cast<net::MethodAttr>(callee))
    callee = method.getFunction();
  if (isa<net::PrimitiveAttr>(callee))
    return success();
  auto symbol = dyn_cast<FlatSymbolRefAttr>(callee);
  if (!symbol)
    return entry.emitOpError("calls ") << callee << ", which is no callable";
  Operation *target = symbols.lookup(symbol.getValue());
  if (!target)
    return entry.emitOpError("calls @") << symbol.getValue() << ", which nothing declares";
  if (isa<net::PythonFuncOp, func::FuncOp>(target))
    return success();
  auto cell = dyn_cast<net::CellOp>(target);
  if (cell && cell.getMethods().get("construct"))
    return success();
  auto diagnostic = entry.emitOpError("calls @")
                    << symbol.getValue() << (cell ? ", a cell without a `construct`" : ", which cannot be called");
  diagnostic.attachNote(target->getLoc()) << "declared here";
  return diagnostic;
}

LogicalResult verifyEntry(net::EntryOp entry, const SymbolTable &symbols) {
  auto columns = entry.getColumns();
  if (columns && columns->size() != entry.getInputs().size())
    return entry.emitOpError("names ") << columns->size() << " columns for " << entry.getInputs().size() << " inputs";
  return verifyCallee(entry, entry.getCallee(), symbols);
}

struct VerifyParsed : impl::VerifyParsedPassBase<VerifyParsed> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    bool isValid = succeeded(verifyPythonOps(getOperation()));
    auto entries = getOperation().getOps<net::EntryOp>();
    if (entries.empty()) {
      isValid = false;
      emitError(getOperation().getLoc()) << "nothing to compile: the program has no net.entry; a Python "
                                         << "program must reach Model.train, Model.build or data_sink";
    }
    for (auto entry : entries)
      isValid &= succeeded(verifyEntry(entry, symbols));
    if (!isValid)
      signalPassFailure();
  }
};

} // namespace
} // namespace plumb
