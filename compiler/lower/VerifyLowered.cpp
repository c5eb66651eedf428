// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks the postcondition of the stage `lower`: loops use buffers with static offsets only.
// Tests: test/compiler/lower/verify_lowered{,_invalid}.mlir

#include "compiler/lower/Passes.h"
#include "dialects/device/ir/Device.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace plumb {
#define GEN_PASS_DEF_VERIFYLOWEREDPASS
#include "compiler/lower/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

/// Only reductions are emitted without accesses to a halo's padding, which is not in memory.
static LogicalResult verifyHalo(device::HaloOp halo) {
  for (OpOperand &use : halo->getUses()) {
    auto generic = dyn_cast<linalg::GenericOp>(use.getOwner());
    if (generic && generic.isDpsInput(&use) && generic.getNumReductionLoops() > 0)
      continue;
    return (halo.emitOpError() << "is read by more than contractions").attachNote(use.getOwner()->getLoc())
           << "by this operation";
  }
  return success();
}

static LogicalResult verifyInLoop(Operation *op) {
  static constexpr StringRef allowed[] = {"linalg", "scf", "memref", "arith", "math", "affine", "device", "native"};
  if (!llvm::is_contained(allowed, op->getName().getDialectNamespace()))
    return op->emitOpError() << "is left over: 'lower' has no form of it on buffers";
  if (auto halo = dyn_cast<device::HaloOp>(op); halo && failed(verifyHalo(halo)))
    return failure();
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  if (llvm::any_of(op->getOperandTypes(), isTensor) || llvm::any_of(op->getResultTypes(), isTensor))
    return op->emitOpError() << "still works on tensors";
  if (auto effects = dyn_cast<MemoryEffectOpInterface>(op); effects && effects.hasEffect<MemoryEffects::Allocate>())
    return op->emitOpError() << "allocates memory in the loop; it is not planned";
  return success();
}

static LogicalResult verifyModule(device::ModuleOp module) {
  if (!module.getArenaBytes() || !module.getVariablesBytes())
    return module.emitOpError() << "has no memory plan";
  WalkResult result = module.walk([&](Operation *op) -> WalkResult {
    if (auto variable = dyn_cast<device::VariableOp>(op); variable && !variable.getOffset())
      return variable.emitOpError() << "has no offset";
    if (auto queue = dyn_cast<device::QueueOp>(op); queue && (!queue.getOffsets() || !queue.getSlotBytes()))
      return queue.emitOpError() << "has no offsets";
    if (auto loop = dyn_cast<device::LoopOp>(op); loop && !loop.getRecordBytes())
      return loop.emitOpError() << "has no record size";
    if (auto print = dyn_cast<device::PrintOp>(op); print && !print.getOffsets())
      return print.emitOpError() << "has no offsets";
    if (op->getParentOfType<device::LoopOp>())
      return WalkResult(verifyInLoop(op));
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

namespace {

struct VerifyLoweredPass : public plumb::impl::VerifyLoweredPassBase<VerifyLoweredPass> {
  void runOnOperation() override {
    for (auto module : getOperation().getOps<device::ModuleOp>())
      if (failed(verifyModule(module)))
        return signalPassFailure();
  }
};

} // namespace
