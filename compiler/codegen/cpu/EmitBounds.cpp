// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nests whose corners are cut off (LinearBound). Outside of registers the
// reduction's range depends on the parallel loop's index; in registers, both are
// known near the ends, where products that do not exist are left out, and
// between the ends there are none.

#include "compiler/codegen/cpu/Emitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace plumb;

/// A tiled loop with a bound: tiles one by one near both ends, where some
/// iterations do not exist, and a loop over the tiles between.
void Emitter::emitBoundTiles(unsigned depth, const LinearBound &bound,
                             Point point) {
  int64_t size = nest.sizes[bound.parallel];
  int64_t count = plan.order[depth].step;
  int64_t first = nest.sizes[bound.reduction] - 1, last = bound.extent;
  if (last - first < count)
    return emitTilesAt(depth, point, 0, size);
  emitTilesAt(depth, point, 0, first);
  int64_t whole = (last - first) / count;
  Point middle = point;
  advance(middle, bound.parallel, first);
  hold(depth, count);
  emitRepeated(middle, bound.parallel, whole, count,
               [&](Point inner) { emitLoops(depth + 1, inner); });
  emitTilesAt(depth, point, first + whole * count, size);
}

/// Tiles of known places that cover [from, to).
void Emitter::emitTilesAt(unsigned depth, Point point, int64_t from,
                          int64_t to) {
  auto [loop, count] = plan.order[depth];
  for (int64_t index = from; index < to; index += count) {
    hold(depth, std::min(count, to - index));
    tileIndex[loop] = index;
    Point inner = point;
    advance(inner, loop, index);
    emitLoops(depth + 1, inner);
  }
  tileIndex.erase(loop);
}

/// Whether the current iteration of unrolled reductions exists for `cell`.
bool Emitter::exists(const Cell &cell) const {
  for (const LinearBound &bound : nest.bounds) {
    auto tile = tileIndex.find(bound.parallel);
    if (tile == tileIndex.end())
      continue;
    int64_t index = tile->second;
    for (auto [held, step] : llvm::zip_equal(plan.tiles, cell.steps))
      index += held.loop == bound.parallel ? step : 0;
    index -= unrolledIndex.lookup(bound.reduction);
    if (index < 0 || index >= bound.extent)
      return false;
  }
  return true;
}

/// A reduction loop over the iterations that exist at the outer loop's index:
/// from max(0, index − extent + 1) to min(size − 1, index).
SmallVector<Value>
Emitter::emitBoundReduction(unsigned depth, const LinearBound &bound,
                            Point point,
                            SmallVector<Value> accumulators) {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, value);
  };
  Value index = outerIndex.lookup(bound.parallel);
  Value least = arith::SubIOp::create(builder, index, constant(bound.extent - 1));
  Value from = arith::MaxSIOp::create(builder, least, constant(0));
  Value next = arith::AddIOp::create(builder, index, constant(1));
  Value to = arith::MinSIOp::create(builder, next,
                                    constant(nest.sizes[bound.reduction]));
  auto loopOp =
      scf::ForOp::create(builder, from, to, constant(1), accumulators);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loopOp.getBody());
  advance(point, bound.reduction, loopOp.getInductionVar());
  SmallVector<Value> carried(loopOp.getRegionIterArgs());
  scf::YieldOp::create(builder,
                       emitReductions(depth + 1, point, carried));
  return SmallVector<Value>(loopOp.getResults());
}
