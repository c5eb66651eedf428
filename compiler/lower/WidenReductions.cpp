// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accumulates f16 and bf16 in f32, and rounds results once.
//
// Operations with the trait net::Accumulates are converted to the same operation on f32, between casts. This happens
// before they are expanded to linalg: a mean divides and a softmax scales in f32, so that no intermediate result
// overflows where the final one does not. Fusion moves the casts of inputs into the bodies of reductions, and CSE
// merges equal casts. Operations on f32 and f64 stay as they are. Tests: test/compiler/lower/widen_reductions.mlir,
// test/python/half_test.py

#include "compiler/lower/Passes.h"
#include "dialects/device/ir/Device.h"
#include "dialects/net/ir/NetElementwiseOps.h"

namespace plumb {
#define GEN_PASS_DEF_WIDENREDUCTIONSPASS
#include "compiler/lower/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

/// The type with elements of f32 if `type` is a tensor of f16 or bf16, else null.
static Type widened(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !(tensor.getElementType().isF16() || tensor.getElementType().isBF16()))
    return {};
  return tensor.clone(Float32Type::get(type.getContext()));
}

/// Casts to another element type.
static Value castTo(OpBuilder &builder, Location loc, Value value, Type type) {
  return net::CastOp::create(builder, loc, value, cast<RankedTensorType>(type).getElementType());
}

/// Converts `op` to f32, between casts.
static void widen(Operation *op) {
  OpBuilder builder(op);
  for (OpOperand &operand : op->getOpOperands())
    if (Type wide = widened(operand.get().getType()))
      operand.set(castTo(builder, op->getLoc(), operand.get(), wide));
  builder.setInsertionPointAfter(op);
  for (OpResult result : op->getResults()) {
    Type narrow = result.getType(), wide = widened(narrow);
    if (!wide)
      continue;
    result.setType(wide);
    Value rounded = castTo(builder, op->getLoc(), result, narrow);
    result.replaceAllUsesExcept(rounded, rounded.getDefiningOp());
  }
}

namespace {

struct WidenReductionsPass : public plumb::impl::WidenReductionsPassBase<WidenReductionsPass> {
  void runOnOperation() override {
    getOperation()->walk([](device::LoopOp loop) {
      loop.walk([](Operation *op) {
        if (op->hasTrait<net::Accumulates>())
          widen(op);
      });
    });
  }
};

} // namespace
