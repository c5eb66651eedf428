// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/codegen/cpu/emit/KernelState.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace plumb;

KernelState::KernelState(OpBuilder &rewriter, linalg::LinalgOp op, const LinearNest &nest, const KernelPlan &plan,
                         const CpuTarget &target)
    : builder(op.getLoc(), rewriter), op(op), nest(nest), plan(plan), target(target), extents(nest.sizes),
      counts(plan.tiles.size(), 1) {}

Point KernelState::pointOf(const Point &base, const AccumulatorSlot &slot) const {
  Point point = base;
  auto step = [&](unsigned loop, int64_t by) {
    for (auto [operand, position] : llvm::zip_equal(flatOperands, point.operands))
      position.constant += by * operand.inner[loop];
    if (!point.indices.empty())
      point.indices[loop].constant += by;
  };
  for (auto [tile, by] : llvm::zip_equal(plan.tiles, slot.steps))
    step(tile.loop, by);
  if (!lanesReduce())
    step(plan.laneLoop, slot.firstLane);
  return point;
}

Value KernelState::makeNeutral(linalg::LinalgOp of, unsigned result) {
  Value reduced = of.getBlock()->getTerminator()->getOperand(result);
  TypedAttr neutral = *arith::getNeutralElement(reduced.getDefiningOp());
  auto type = VectorType::get({plan.lanes}, reduced.getType());
  return arith::ConstantOp::create(builder, type, DenseElementsAttr::get(type, neutral));
}

void plumb::forEachPair(int64_t sets, llvm::function_ref<void(int64_t, int64_t)> join) {
  for (int64_t step = 1; step < sets; step *= 2)
    for (int64_t first = 0; first + step < sets; first += 2 * step)
      join(first, first + step);
}
