// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits nests with bounds (LinearBound). Where the parallel loop is an outer loop, the reduction's range depends on its
// index. Where it is part of the register tile, the tiles near its ends are peeled, since their index is known; of the
// reduction's iterations near its ends only the multiply-adds that exist are emitted. Interior tiles need no checks.

#include "compiler/codegen/cpu/emit/Emitter.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace plumb;

/// The parallel iterations at which the complete reduction exists.
static IterationRange findInterior(const LinearBound &bound, const LinearNest &nest) {
  int64_t size = nest.sizes[bound.parallel];
  IterationRange first = bound.parallelRange(0, size);
  IterationRange last = bound.parallelRange(nest.sizes[bound.reduction] - 1, size);
  return {std::max(first.from, last.from), std::min(first.to, last.to)};
}

/// A tiled loop with a bound: peeled tiles near both ends, where some iterations do not exist, and a loop over the
/// interior tiles.
void Emitter::emitBoundTiles(unsigned depth, const LinearBound &bound, Point point) {
  int64_t size = nest.sizes[bound.parallel];
  int64_t count = plan.order[depth].step;
  IterationRange interior = findInterior(bound, nest);
  int64_t next = emitTilesAt(depth, point, 0, std::min(interior.from, size));
  int64_t whole = std::max<int64_t>(0, (interior.to - next) / count);
  Point middle = point;
  advance(middle, bound.parallel, next);
  hold(depth, count);
  emitRepeated(middle, bound.parallel, whole, count, [&](Point inner) { emitLoops(depth + 1, inner); });
  emitTilesAt(depth, point, next + whole * count, size);
}

/// Emits peeled tiles at known indices, from `from` until `to` is reached. Returns the index after the last one.
int64_t Emitter::emitTilesAt(unsigned depth, Point point, int64_t from, int64_t to) {
  auto [loop, count] = plan.order[depth];
  int64_t index = from;
  while (index < to) {
    int64_t held = std::min(count, nest.sizes[loop] - index);
    hold(depth, held);
    tileIndex[loop] = index;
    Point inner = point;
    advance(inner, loop, index);
    emitLoops(depth + 1, inner);
    index += held;
  }
  tileIndex.erase(loop);
  return index;
}

/// Whether the current iteration exists for `slot`, as far as indices are known.
bool Emitter::exists(const AccumulatorSlot &slot) const {
  for (const LinearBound &bound : nest.bounds) {
    auto tile = tileIndex.find(bound.parallel);
    auto reduction = reductionIndex.find(bound.reduction);
    if (tile == tileIndex.end() || reduction == reductionIndex.end())
      continue;
    int64_t index = tile->second;
    for (auto [held, step] : llvm::zip_equal(plan.tiles, slot.steps))
      index += held.loop == bound.parallel ? step : 0;
    if (!bound.contains(index, reduction->second))
      return false;
  }
  return true;
}

/// A reduction loop whose parallel loop is in registers at a known index. Ranges of iterations that exist for the same
/// elements of the tile become one loop each; near the ends of sliding windows these are single iterations.
SmallVector<Value> Emitter::emitEdgedReduction(unsigned depth, const LinearBound &bound, Point point,
                                               SmallVector<Value> accumulators) {
  int64_t first = tileIndex.lookup(bound.parallel);
  auto steps = llvm::seq<int64_t>(first, first + extents[bound.parallel]);
  auto existAlike = [&](int64_t a, int64_t b) {
    return llvm::all_of(steps, [&](int64_t step) { return bound.contains(step, a) == bound.contains(step, b); });
  };
  int64_t size = nest.sizes[bound.reduction];
  for (int64_t from = 0, to = 0; from < size; from = to) {
    for (to = from + 1; to < size && existAlike(from, to);)
      ++to;
    if (llvm::none_of(steps, [&](int64_t step) { return bound.contains(step, from); }))
      continue;
    reductionIndex[bound.reduction] = from;
    accumulators = emitReductionRange(depth, {from, to}, point, accumulators);
  }
  reductionIndex.erase(bound.reduction);
  return accumulators;
}

/// The lower and upper limit of r with 0 ≤ index + step · r < extent.
static std::pair<AffineExpr, AffineExpr> getLimits(AffineExpr index, int64_t step, int64_t extent) {
  if (step > 0)
    return {(-index).ceilDiv(step), (-index + extent).ceilDiv(step)};
  return {(index - extent).floorDiv(-step) + 1, index.floorDiv(-step) + 1};
}

/// A reduction loop, or its current block, over the iterations that exist at the outer loop's index.
SmallVector<Value> Emitter::emitBoundReduction(unsigned depth, const LinearBound &bound, Point point,
                                               SmallVector<Value> accumulators) {
  unsigned loop = bound.reduction;
  Value start = outerIndex.lookup(loop);
  if (!start)
    start = arith::ConstantIndexOp::create(builder, 0);
  SmallVector<Value> indices = {outerIndex.lookup(bound.parallel), start};
  AffineExpr index = builder.getAffineDimExpr(0) * bound.parallelStep +
                     builder.getAffineDimExpr(1) * bound.reductionStep + bound.start;
  auto [from, to] = getLimits(index, bound.reductionStep, bound.extent);
  auto limit = [&](AffineExpr expr, int64_t constant) {
    return AffineMap::get(2, 0, {expr, builder.getAffineConstantExpr(constant)}, builder.getContext());
  };
  Value low = affine::AffineMaxOp::create(builder, limit(from, 0), indices);
  Value high = affine::AffineMinOp::create(builder, limit(to, extents[loop]), indices);
  auto repeat = [&](Value first, Value end, int64_t unroll) {
    auto iteration = [&](Point inner, SmallVector<Value> values) {
      for (int64_t copy = 0; copy < unroll; ++copy) {
        values = emitReductions(depth + 1, inner, values);
        advance(inner, loop, 1);
      }
      return values;
    };
    accumulators = emitCarriedLoop(loop, first, end, unroll, point, accumulators, iteration);
  };
  int64_t unroll = plan.unroll[loop];
  if (unroll > 1) {
    AffineExpr first = builder.getAffineDimExpr(0);
    AffineExpr left = builder.getAffineDimExpr(1) - first;
    auto whole = AffineMap::get(2, 0, first + left.floorDiv(unroll) * unroll);
    Value end = affine::AffineApplyOp::create(builder, whole, ValueRange{low, high});
    repeat(low, end, unroll);
    low = arith::MaxSIOp::create(builder, low, end);
  }
  repeat(low, high, 1);
  return accumulators;
}
