// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The promise of the specialize stage: no value of unknown type is left, nothing
// of the Python level is left, and each entry calls a typed function.
//
// Test: test/compiler/specialize/verify_specialized*.mlir.

#include "compiler/specialize/Passes.h"

#include "dialects/net/ir/NetMathOps.h"
#include "dialects/net/ir/NetModuleOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

namespace plumb {
#define GEN_PASS_DEF_VERIFYSPECIALIZEDPASS
#include "compiler/specialize/Passes.h.inc"

namespace {

using namespace mlir;

LogicalResult verifyEntry(net::EntryOp entry, SymbolTable &symbols) {
  auto callee = dyn_cast<FlatSymbolRefAttr>(entry.getCallee());
  auto function = callee ? symbols.lookup<func::FuncOp>(callee.getValue()) : func::FuncOp();
  if (!function)
    return entry.emitOpError("must call a func.func after specialize");
  SmallVector<Type> inputs = entry.getInputs();
  if (function.getArgumentTypes() != ArrayRef<Type>(inputs))
    return entry.emitOpError("gives types that its function does not take").attachNote(function.getLoc())
           << "the function is here";
  return success();
}

LogicalResult verifyOp(Operation *op) {
  if (isa<net::PythonFuncOp, net::CellOp, net::NamespaceOp>(op) ||
      op->getName().getStringRef().starts_with("net.python."))
    return op->emitOpError("belongs to the Python level, which specialize "
                           "leaves behind");
  for (Type type : op->getResultTypes()) {
    if (isa<net::AnyType>(type))
      return op->emitOpError("yields a value of unknown type after specialize");
    if (net::isComplexTensor(type))
      return op->emitOpError("yields complex numbers after specialize");
    auto shaped = dyn_cast<ShapedType>(type);
    if (shaped && !shaped.hasStaticShape())
      return op->emitOpError("yields a value of unknown shape after "
                             "specialize");
  }
  return success();
}

struct VerifySpecialized : impl::VerifySpecializedPassBase<VerifySpecialized> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    bool isValid = true;
    for (auto entry : getOperation().getOps<net::EntryOp>())
      isValid &= succeeded(verifyEntry(entry, symbols));
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (succeeded(verifyOp(op)))
        return WalkResult::advance();
      isValid = false;
      return WalkResult::skip();
    });
    if (!isValid)
      signalPassFailure();
  }
};

} // namespace
} // namespace plumb
