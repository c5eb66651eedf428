// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The promise of the stage `sink`, checked: nothing is left that a host must do per step.
// Tests: test/compiler/sink/verify_sunk{,_invalid}.mlir

#include "compiler/sink/Passes.h"
#include "dialects/device/ir/Device.h"
#include "dialects/net/ir/NetStateOps.h"

namespace plumb {
#define GEN_PASS_DEF_VERIFYSUNKPASS
#include "compiler/sink/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

static LogicalResult verifyInLoop(Operation *op) {
  if (isa<net::StateOpInterface>(op))
    return op->emitOpError() << "is left in a loop: state on the device is a device.variable or a device.report";
  static constexpr StringRef allowed[] = {"device", "net", "native", "scf", "arith", "math", "tensor", "linalg"};
  if (!llvm::is_contained(allowed, op->getName().getDialectNamespace()))
    return op->emitOpError() << "is left in a loop: a device cannot do it by itself";
  return success();
}

namespace {

struct VerifySunkPass : public plumb::impl::VerifySunkPassBase<VerifySunkPass> {
  void runOnOperation() override {
    for (Operation &op : *getOperation().getBody())
      if (!isa<device::ModuleOp>(op)) {
        op.emitOpError() << "is left beside the device module";
        return signalPassFailure();
      }
    WalkResult result = getOperation().walk([](Operation *op) -> WalkResult {
      return op->getParentOfType<device::LoopOp>() ? WalkResult(verifyInLoop(op)) : WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
