// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits loops that carry addresses: each iteration adds a constant to each of them instead of multiplying an index. One
// of the addresses is the loop's index, and accesses with equal start and stride share one. Integer additions compete
// with multiply-adds for the same ports, so each instruction counts.

#include "compiler/codegen/cpu/emit/Emitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace plumb;

static Value makeConstant(ImplicitLocOpBuilder &builder, int64_t value) {
  return arith::ConstantIndexOp::create(builder, value);
}

static Value getStart(ImplicitLocOpBuilder &builder, const CarriedAddress &address) {
  return address.start ? address.start : makeConstant(builder, 0);
}

static void moveTo(const CarriedAddress &address, Value value) {
  for (Position *position : address.positions)
    position->dynamic = value;
}

static void moveTo(ArrayRef<CarriedAddress> addresses, ArrayRef<BlockArgument> values) {
  for (auto [address, value] : llvm::zip_equal(addresses, values))
    moveTo(address, value);
}

static void addStarts(ImplicitLocOpBuilder &builder, ArrayRef<CarriedAddress> addresses,
                      SmallVectorImpl<Value> &starts) {
  for (const CarriedAddress &address : addresses)
    starts.push_back(getStart(builder, address));
}

/// Appends to `next` the carried addresses after `steps` iterations, from their current `values`.
static void addSteps(ImplicitLocOpBuilder &builder, ArrayRef<CarriedAddress> addresses, ArrayRef<BlockArgument> values,
                     int64_t steps, SmallVectorImpl<Value> &next) {
  for (auto [address, value] : llvm::zip_equal(addresses, values)) {
    Value by = makeConstant(builder, address.stride * steps);
    next.push_back(arith::AddIOp::create(builder, value, by));
  }
}

/// Removes and returns the address that becomes the loop's index: one that increases, or else a counter.
static CarriedAddress takeIndex(SmallVectorImpl<CarriedAddress> &addresses) {
  auto *forwards = llvm::find_if(addresses, [](const CarriedAddress &address) { return address.stride > 0; });
  if (forwards == addresses.end())
    return {Value(), 1, {}};
  CarriedAddress index = *forwards;
  addresses.erase(forwards);
  return index;
}

/// Adds that an iteration moves `position` by `stride`.
static void addCarriedAddress(SmallVectorImpl<CarriedAddress> &addresses, Position &position, int64_t stride) {
  if (stride == 0)
    return;
  auto *same = llvm::find_if(addresses, [&](const CarriedAddress &other) {
    return other.start == position.dynamic && other.stride == stride;
  });
  if (same == addresses.end()) {
    addresses.push_back({position.dynamic, stride, {}});
    same = &addresses.back();
  }
  same->positions.push_back(&position);
}

/// The addresses that iterations of `loop` move, by start and stride.
SmallVector<CarriedAddress> Emitter::findCarriedAddresses(Point &point, unsigned loop) const {
  SmallVector<CarriedAddress> addresses;
  for (auto [operand, position] : llvm::zip_equal(flatOperands, point.operands))
    addCarriedAddress(addresses, position, operand.outer[loop]);
  if (!point.indices.empty())
    addCarriedAddress(addresses, point.indices[loop], 1);
  return addresses;
}

/// Emits the iterations of `loop` from `from`, or from the first one, up to `to`, by `step`.
SmallVector<Value> Emitter::emitCarriedLoop(unsigned loop, Value from, Value to, int64_t step, Point point,
                                            SmallVector<Value> accumulators, EmitIteration iteration) {
  if (from) {
    advance(point, loop, from);
    to = arith::SubIOp::create(builder, to, from);
  }
  SmallVector<CarriedAddress> addresses = findCarriedAddresses(point, loop);
  CarriedAddress index = takeIndex(addresses);
  Value first = getStart(builder, index);
  Value way = arith::MulIOp::create(builder, to, makeConstant(builder, index.stride));
  Value end = arith::AddIOp::create(builder, first, way);
  size_t sums = accumulators.size();
  addStarts(builder, addresses, accumulators);
  auto loopOp = scf::ForOp::create(builder, first, end, makeConstant(builder, index.stride * step), accumulators);
  moveTo(index, loopOp.getInductionVar());
  emitCarriedIteration(loopOp, addresses, step, point, iteration);
  return llvm::to_vector_of<Value>(loopOp.getResults().take_front(sums));
}

/// Emits the body of `loop`, which carries accumulators and then `addresses`.
void Emitter::emitCarriedIteration(scf::ForOp loop, ArrayRef<CarriedAddress> addresses, int64_t step,
                                   const Point &point, EmitIteration iteration) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  ArrayRef<BlockArgument> carried = loop.getRegionIterArgs();
  ArrayRef<BlockArgument> values = carried.take_back(addresses.size());
  moveTo(addresses, values);
  SmallVector<Value> next = iteration(point, llvm::to_vector_of<Value>(carried.drop_back(addresses.size())));
  addSteps(builder, addresses, values, step, next);
  scf::YieldOp::create(builder, next);
  orderIteration(*loop.getBody(), target.machine.registers);
}

//===----------------------------------------------------------------------===//
// Loops in parts
//===----------------------------------------------------------------------===//
//
// A reduction is divided into parts where prefetches run between them. Parts are short, so their setup matters: each
// part continues with the values of the one before it.
//
//   for part in 0 … count, carrying sums, addresses, index, rows {
//     prefetch rows
//     end = min(index + a part, size)
//     sums, addresses = for i in index … end, carrying sums, addresses { an iteration }
//     yield sums, addresses, end, rows + one row
//   }

/// The addresses of `late` for the next row of the register tile.
SmallVector<CarriedAddress> Emitter::findRows(Point &point, ArrayRef<LateAccess> late) const {
  SmallVector<CarriedAddress> rows;
  for (const LateAccess &access : late)
    addCarriedAddress(rows, point.operands[access.access], nest.stride(access.access, plan.tiles.back().loop));
  return rows;
}

/// What the `count` parts of a loop of `size` iterations by `step` have in common.
LoopPart Emitter::findPart(Point &point, int64_t size, int64_t step, int64_t count) {
  LoopPart part;
  part.addresses = findCarriedAddresses(point, plan.reductions.front());
  part.index = takeIndex(part.addresses);
  part.step = step;
  part.iterations = llvm::divideCeil(size / step, count) * step;
  part.first = getStart(builder, part.index);
  if (part.iterations * count > size)
    part.end = arith::AddIOp::create(builder, part.first, makeConstant(builder, size * part.index.stride));
  return part;
}

/// Emits one part of a loop: `carried` are its sums, its addresses and its first index. Returns the values for the next
/// part.
SmallVector<Value> Emitter::emitPart(const LoopPart &part, const Point &point, ArrayRef<BlockArgument> carried,
                                     EmitIteration iteration) {
  Value from = carried.back();
  Value way = makeConstant(builder, part.iterations * part.index.stride);
  Value end = arith::AddIOp::create(builder, from, way);
  if (part.end)
    end = arith::MinSIOp::create(builder, end, part.end);
  auto loop = scf::ForOp::create(builder, from, end, makeConstant(builder, part.index.stride * part.step),
                                 llvm::to_vector_of<Value>(carried.drop_back()));
  moveTo(part.index, loop.getInductionVar());
  emitCarriedIteration(loop, part.addresses, part.step, point, iteration);
  SmallVector<Value> next(loop.getResults());
  next.push_back(end);
  return next;
}

/// Emits a loop of `size` iterations by `step` in as many parts as the register tile has rows. Before each part, it
/// prefetches a row of the operands of the epilogue, and a share of the next blocks; where only the latter are
/// prefetched, there are fewer parts.
SmallVector<Value> Emitter::emitInParts(Point point, int64_t size, int64_t step, ArrayRef<LateAccess> late,
                                        SmallVector<Value> accumulators, EmitIteration iteration) {
  int64_t count = late.empty() ? prefetcher.countBlockParts() : counts.back();
  Point rowPoint = point;
  SmallVector<CarriedAddress> rows = findRows(rowPoint, late);
  LoopPart part = findPart(point, size, step, count);
  size_t sums = accumulators.size();
  addStarts(builder, part.addresses, accumulators);
  accumulators.push_back(part.first);
  addStarts(builder, rows, accumulators);
  auto parts = scf::ForOp::create(builder, makeConstant(builder, 0), makeConstant(builder, count),
                                  makeConstant(builder, 1), accumulators);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(parts.getBody());
  ArrayRef<BlockArgument> carried = parts.getRegionIterArgs();
  ArrayRef<BlockArgument> rowValues = carried.take_back(rows.size());
  moveTo(rows, rowValues);
  prefetcher.prefetchRow(rowPoint, late);
  if (prefetcher.countBlockParts() > 1)
    prefetcher.prefetchNextBlocks(rowPoint, parts.getInductionVar(), count);
  SmallVector<Value> next = emitPart(part, point, carried.drop_back(rows.size()), iteration);
  addSteps(builder, rows, rowValues, 1, next);
  scf::YieldOp::create(builder, next);
  return llvm::to_vector_of<Value>(parts.getResults().take_front(sums));
}
