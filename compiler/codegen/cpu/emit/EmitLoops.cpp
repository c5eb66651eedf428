// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits the loops around register tiles, in the plan's order. Each is a counted loop over full blocks, then one block
// for the remainder.

#include "compiler/codegen/cpu/emit/Emitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace plumb;

bool Emitter::isTiled(unsigned loop) const {
  return llvm::any_of(plan.tiles, [&](const RegisterTile &tile) { return tile.loop == loop; });
}

/// Emits `body` for `trips` iterations that are `step` iterations of `loop` apart.
void Emitter::emitRepeated(Point point, unsigned loop, int64_t trips, int64_t step, Emit body) {
  if (trips == 0)
    return;
  if (trips == 1)
    return body(point);
  auto index = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, value); };
  auto loopOp = scf::ForOp::create(builder, index(0), index(trips * step), index(step));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loopOp.getBody());
  advance(point, loop, loopOp.getInductionVar());
  body(point);
}

/// Emits the loops from `depth` on, and the panels for their operands.
void Emitter::emitLoops(unsigned depth, Point point) {
  prefetcher.changeDepth(depth);
  SmallVector<FlatOperand> saved;
  for (const PackedPanel &panel : plan.panels) {
    if (panel.depth != depth)
      continue;
    if (saved.empty())
      saved = flatOperands;
    pack(panel.operand, point);
  }
  emitNextLoop(depth, point);
  if (!saved.empty())
    flatOperands = saved;
  prefetcher.changeDepth(depth);
}

void Emitter::emitNextLoop(unsigned depth, Point point) {
  if (depth == plan.order.size())
    return emitTile(point);
  auto [loop, step] = plan.order[depth];
  if (!nest.isParallel(loop))
    return emitReductionBlocks(depth, point);
  if (const LinearBound *bound = nest.findBound(loop); bound && isTiled(loop))
    return emitBoundTiles(depth, *bound, point);
  int64_t size = extents[loop], left = size % step;
  emitBlocks(depth, point, size / step, step);
  advance(point, loop, size - left);
  emitBlocks(depth, point, left != 0, left);
  extents[loop] = size;
}

/// Emits `trips` blocks of `step` iterations.
void Emitter::emitBlocks(unsigned depth, Point point, int64_t trips, int64_t step) {
  unsigned loop = plan.order[depth].loop;
  if (trips == 0)
    return;
  hold(depth, step);
  emitRepeated(point, loop, trips, step, [&](Point inner) {
    if (nest.findBound(loop))
      outerIndex[loop] = builder.getInsertionBlock()->getArgument(0);
    emitLoops(depth + 1, inner);
  });
}

/// Sets the current block of the entry to `iterations`; the last entry of a loop sets the extent of the register tile.
void Emitter::hold(unsigned depth, int64_t iterations) {
  unsigned loop = plan.order[depth].loop;
  extents[loop] = iterations;
  for (auto [number, tile] : llvm::enumerate(plan.tiles))
    if (tile.loop == loop)
      counts[number] = iterations;
  if (loop != plan.laneLoop)
    return;
  widths.clear();
  for (int64_t left = iterations; left > 0; left -= plan.lanes)
    widths.push_back(std::min(left, plan.lanes));
}

/// Emits blocks of a reduction: accumulators start from the output in all but the first block, and are complete after
/// the last one.
void Emitter::emitReductionBlocks(unsigned depth, Point point) {
  unsigned loop = plan.order[depth].loop;
  int64_t step = plan.order[depth].step, size = extents[loop], left = size % step, whole = size - left;
  Value first = isFirstBlock, last = isLastBlock;
  auto narrow = [&](Value outer, Value inner) -> Value {
    return outer ? arith::AndIOp::create(builder, outer, inner) : inner;
  };
  auto isAt = [&](Value index, int64_t at) -> Value {
    return arith::CmpIOp::create(builder, arith::CmpIPredicate::eq, index, arith::ConstantIndexOp::create(builder, at));
  };
  auto block = [&](Point inner, Value index, int64_t iterations) {
    extents[loop] = iterations;
    outerIndex[loop] = index;
    isFirstBlock = narrow(first, isAt(index, 0));
    isLastBlock = narrow(last, isAt(index, size - iterations));
    emitLoops(depth + 1, inner);
  };
  auto start = [&](int64_t at) -> Value { return arith::ConstantIndexOp::create(builder, at); };
  if (whole / step == 1)
    block(point, start(0), step);
  else
    emitRepeated(point, loop, whole / step, step,
                 [&](Point inner) { block(inner, builder.getInsertionBlock()->getArgument(0), step); });
  advance(point, loop, whole);
  if (left)
    block(point, start(whole), left);
  extents[loop] = size;
  outerIndex.erase(loop);
  isFirstBlock = first;
  isLastBlock = last;
}
