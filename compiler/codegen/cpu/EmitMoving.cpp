// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that carry the positions which they move, so that a turn adds a step to
// each and multiplies nothing; one of the positions is the loop's index. What moves
// alike is one position. Each instruction counts here: sums of addresses go through
// the same ports as multiply-adds.

#include "compiler/codegen/cpu/Emitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

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

/// What iterations of `loop` move, by start and stride.
SmallVector<Movement> Emitter::findMovements(Point &point, unsigned loop) const {
  SmallVector<Movement> movements;
  auto add = [&](Position &position, int64_t stride) {
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
  };
  for (auto [walk, position] : llvm::zip_equal(walks, point.operands))
    add(position, walk.outer[loop]);
  if (!point.indices.empty())
    add(point.indices[loop], 1);
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
  for (const Movement &movement : movements)
    accumulators.push_back(getStart(builder, movement));
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
  for (auto [movement, place] : llvm::zip_equal(movements, places))
    moveTo(movement, place);
  SmallVector<Value> next =
      turn(point, llvm::to_vector_of<Value>(carried.drop_back(movements.size())));
  for (auto [movement, place] : llvm::zip_equal(movements, places)) {
    Value by = makeConstant(builder, movement.stride * step);
    next.push_back(arith::AddIOp::create(builder, place, by));
  }
  scf::YieldOp::create(builder, next);
  orderTurn(*loop.getBody(), target.registers);
}
