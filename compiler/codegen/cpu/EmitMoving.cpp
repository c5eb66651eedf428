// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that carry the positions which they move, so that a turn adds a step to
// each and multiplies nothing; one of the positions is the loop's index. What moves
// alike is one position. Each instruction counts here: sums of addresses go through
// the same ports as multiply-adds.

#include "compiler/codegen/cpu/Emitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace plumb;

static Value makeConstant(ImplicitLocOpBuilder &builder, int64_t value) {
  return arith::ConstantIndexOp::create(builder, value);
}

static Value getStart(ImplicitLocOpBuilder &builder, const Movement &movement) {
  return movement.start ? movement.start : makeConstant(builder, 0);
}

static void moveTo(const Movement &movement, Value place) {
  for (Position *position : movement.positions)
    position->dynamic = place;
}

static void moveTo(ArrayRef<Movement> movements,
                   ArrayRef<BlockArgument> places) {
  for (auto [movement, place] : llvm::zip_equal(movements, places))
    moveTo(movement, place);
}

static void addStarts(ImplicitLocOpBuilder &builder,
                      ArrayRef<Movement> movements,
                      SmallVectorImpl<Value> &starts) {
  for (const Movement &movement : movements)
    starts.push_back(getStart(builder, movement));
}

/// Adds to `next` where `movements` are `steps` iterations from `places`.
static void addSteps(ImplicitLocOpBuilder &builder,
                     ArrayRef<Movement> movements,
                     ArrayRef<BlockArgument> places, int64_t steps,
                     SmallVectorImpl<Value> &next) {
  for (auto [movement, place] : llvm::zip_equal(movements, places)) {
    Value by = makeConstant(builder, movement.stride * steps);
    next.push_back(arith::AddIOp::create(builder, place, by));
  }
}

/// Takes what becomes the loop's index: what moves forwards, or else a count.
static Movement takeIndex(SmallVectorImpl<Movement> &movements) {
  auto *forwards = llvm::find_if(
      movements, [](const Movement &movement) { return movement.stride > 0; });
  if (forwards == movements.end())
    return {Value(), 1, {}};
  Movement index = *forwards;
  movements.erase(forwards);
  return index;
}

/// Adds that an iteration moves `position` by `stride`.
static void addMovement(SmallVectorImpl<Movement> &movements,
                        Position &position, int64_t stride) {
  if (stride == 0)
    return;
  auto *same = llvm::find_if(movements, [&](const Movement &other) {
    return other.start == position.dynamic && other.stride == stride;
  });
  if (same == movements.end()) {
    movements.push_back({position.dynamic, stride, {}});
    same = &movements.back();
  }
  same->positions.push_back(&position);
}

/// What iterations of `loop` move, by start and stride.
SmallVector<Movement> Emitter::findMovements(Point &point, unsigned loop) const {
  SmallVector<Movement> movements;
  for (auto [walk, position] : llvm::zip_equal(walks, point.operands))
    addMovement(movements, position, walk.outer[loop]);
  if (!point.indices.empty())
    addMovement(movements, point.indices[loop], 1);
  return movements;
}

/// Iterations of `loop` from `from`, or from the first one, up to `to`, by `step`.
SmallVector<Value> Emitter::emitMoving(unsigned loop, Value from, Value to,
                                       int64_t step, Point point,
                                       SmallVector<Value> accumulators,
                                       EmitTurn turn) {
  if (from) {
    advance(point, loop, from);
    to = arith::SubIOp::create(builder, to, from);
  }
  SmallVector<Movement> movements = findMovements(point, loop);
  Movement index = takeIndex(movements);
  Value first = getStart(builder, index);
  Value way = arith::MulIOp::create(builder, to, makeConstant(builder, index.stride));
  Value behind = arith::AddIOp::create(builder, first, way);
  size_t sums = accumulators.size();
  addStarts(builder, movements, accumulators);
  auto loopOp = scf::ForOp::create(builder, first, behind,
                                   makeConstant(builder, index.stride * step),
                                   accumulators);
  moveTo(index, loopOp.getInductionVar());
  emitMovingTurn(loopOp, movements, step, point, turn);
  return llvm::to_vector_of<Value>(loopOp.getResults().take_front(sums));
}

/// The body of `loop`, which carries accumulators and, behind them, `movements`.
void Emitter::emitMovingTurn(scf::ForOp loop, ArrayRef<Movement> movements,
                             int64_t step, const Point &point, EmitTurn turn) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  ArrayRef<BlockArgument> carried = loop.getRegionIterArgs();
  ArrayRef<BlockArgument> places = carried.take_back(movements.size());
  moveTo(movements, places);
  SmallVector<Value> next =
      turn(point, llvm::to_vector_of<Value>(carried.drop_back(movements.size())));
  addSteps(builder, movements, places, step, next);
  scf::YieldOp::create(builder, next);
  orderTurn(*loop.getBody(), target.registers);
}

//===----------------------------------------------------------------------===//
// Loops in parts
//===----------------------------------------------------------------------===//
//
// Before each part something is asked for. Parts are short, so that what they
// begin with counts: a part goes on where the one before it ended, and nothing
// is found anew.
//
//   for part in 0 … count, carrying sums, places, index, rows {
//     ask for what is at rows
//     end = min(index + a part, behind)
//     sums, places = for i in index … end, carrying sums, places { a turn }
//     yield sums, places, end, rows + one row
//   }

/// What of `late` the next row of the register tile moves.
SmallVector<Movement> Emitter::findRows(Point &point,
                                        ArrayRef<LateAccess> late) const {
  SmallVector<Movement> rows;
  for (const LateAccess &access : late)
    addMovement(rows, point.operands[access.access],
                nest.stride(access.access, plan.tiles.back().loop));
  return rows;
}

/// What the `count` parts of a loop of `size` iterations by `step` have in common.
LoopPart Emitter::findPart(Point &point, int64_t size, int64_t step,
                           int64_t count) {
  LoopPart part;
  part.places = findMovements(point, plan.reductions.front());
  part.index = takeIndex(part.places);
  part.step = step;
  part.iterations = llvm::divideCeil(size / step, count) * step;
  part.first = getStart(builder, part.index);
  if (part.iterations * count > size)
    part.behind = arith::AddIOp::create(
        builder, part.first, makeConstant(builder, size * part.index.stride));
  return part;
}

/// One part of a loop: `carried` are its sums, its places and the index that it
/// begins with. Returns the same for the next.
SmallVector<Value> Emitter::emitPart(const LoopPart &part, const Point &point,
                                     ArrayRef<BlockArgument> carried,
                                     EmitTurn turn) {
  Value from = carried.back();
  Value way = makeConstant(builder, part.iterations * part.index.stride);
  Value end = arith::AddIOp::create(builder, from, way);
  if (part.behind)
    end = arith::MinSIOp::create(builder, end, part.behind);
  auto loop = scf::ForOp::create(
      builder, from, end, makeConstant(builder, part.index.stride * part.step),
      llvm::to_vector_of<Value>(carried.drop_back()));
  moveTo(part.index, loop.getInductionVar());
  emitMovingTurn(loop, part.places, part.step, point, turn);
  SmallVector<Value> next(loop.getResults());
  next.push_back(end);
  return next;
}

/// A loop of `size` iterations by `step`, in as many parts as the register tile
/// has rows: before each part, a row of what the tile's end will touch is asked
/// for, and some of what the next tiles will read. For the latter, few parts do.
SmallVector<Value> Emitter::emitInParts(Point point, int64_t size, int64_t step,
                                        ArrayRef<LateAccess> late,
                                        SmallVector<Value> accumulators,
                                        EmitTurn turn) {
  int64_t count = late.empty() ? countBlockParts() : counts.back();
  Point asked = point;
  SmallVector<Movement> rows = findRows(asked, late);
  LoopPart part = findPart(point, size, step, count);
  size_t sums = accumulators.size();
  addStarts(builder, part.places, accumulators);
  accumulators.push_back(part.first);
  addStarts(builder, rows, accumulators);
  auto parts = scf::ForOp::create(builder, makeConstant(builder, 0),
                                  makeConstant(builder, count),
                                  makeConstant(builder, 1), accumulators);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(parts.getBody());
  ArrayRef<BlockArgument> carried = parts.getRegionIterArgs();
  ArrayRef<BlockArgument> rowPlaces = carried.take_back(rows.size());
  moveTo(rows, rowPlaces);
  requestRow(asked, late);
  if (countBlockParts() > 1)
    requestNextBlocks(asked, parts.getInductionVar(), count);
  SmallVector<Value> next =
      emitPart(part, point, carried.drop_back(rows.size()), turn);
  addSteps(builder, rows, rowPlaces, 1, next);
  scf::YieldOp::create(builder, next);
  return llvm::to_vector_of<Value>(parts.getResults().take_front(sums));
}
