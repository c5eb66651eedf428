// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requests for lines before they are read. A request for an address without
// memory is no error, so nothing is asked about ends of buffers.

#include "compiler/codegen/cpu/Emitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

#include <set>

using namespace mlir;
using namespace plumb;

constexpr int64_t kLineBits = 64 * 8;
/// Iterations of the innermost reduction between a request and the load.
constexpr int64_t kIterationsAhead = 8;
/// Elements that are this part of a line apart are on two lines often enough for
/// a request each.
constexpr int64_t kLeastCrossing = 4;
/// Turns of a reduction's loop by row of a register tile, for requests between
/// them to be worth a second loop.
constexpr int64_t kLeastTurns = 4;

/// How near a line is wanted, as memref.prefetch counts: in the first cache, or
/// in the second one.
constexpr unsigned kNear = 3, kBehind = 2;

/// Asks for the line at `place`.
void Emitter::requestLine(unsigned walk, Position place, unsigned nearness) {
  memref::PrefetchOp::create(builder, walks[walk].flat,
                             place.materialize(builder), /*isWrite=*/false,
                             nearness, /*isDataCache=*/true);
}

/// Asks for the lines at `places`, from `dynamic` on. Where lines begin is not
/// known: single elements may end on a line more than they fill.
void Emitter::request(unsigned access, Value dynamic,
                      const std::set<int64_t> &places) {
  Value flat = walks[access].flat;
  int64_t bits = cast<MemRefType>(flat.getType()).getElementTypeBitWidth();
  int64_t line = kLineBits / bits, asked = *places.begin() - line;
  bool isSingle = nest.stride(access, plan.laneLoop) == 0;
  for (int64_t place : places) {
    bool mayCross = isSingle && place == *places.rbegin() &&
                    place - asked >= line / kLeastCrossing;
    if (place < asked + line && !mayCross)
      continue;
    asked = place;
    requestLine(access, {dynamic, place}, kNear);
  }
}

/// Asks for what the innermost reduction reads of `plan.ahead` some iterations
/// from here.
void Emitter::requestAhead(const Point &point) {
  for (unsigned operand : plan.ahead) {
    int64_t step = walks[operand].outer[plan.reductions.back()];
    std::set<int64_t> places;
    for (const Cell &cell : cells)
      places.insert(pointOf(point, cell).operands[operand].constant +
                    kIterationsAhead * step);
    request(operand, point.operands[operand].dynamic, places);
  }
}

/// Whether the outermost reduction has time to ask for what follows the sums.
bool Emitter::asksInTurns() const {
  if (!nest.bounds.empty() || plan.reductions.empty() || counts.empty())
    return false;
  unsigned outermost = plan.reductions.front();
  int64_t turns = extents[outermost] / plan.unroll[outermost];
  return turns >= kLeastTurns * counts.back();
}

/// What the stages read from memory, row by row of the register tile.
SmallVector<unsigned> Emitter::findLateReads() const {
  SmallVector<unsigned> reads;
  if (!epilogue || lanesReduce() || isLastBlock || counts.empty() ||
      !nest.windows.empty())
    return reads;
  SmallVector<Value> buffers;
  for (const EpilogueStage &stage : epilogue->stages) {
    linalg::LinalgOp stageOp = stage.op;
    for (auto [number, input] : llvm::enumerate(stageOp.getDpsInputs())) {
      unsigned access = stage.firstAccess + number;
      auto type = dyn_cast<MemRefType>(input.getType());
      if (!type || stage.sources[number] >= 0 ||
          llvm::is_contained(buffers, input) ||
          nest.stride(access, plan.laneLoop) != 1)
        continue;
      int64_t rowBits = type.getElementTypeBitWidth() *
                        nest.stride(access, plan.tiles.back().loop);
      if (std::abs(rowBits) < kLineBits)
        continue;
      buffers.push_back(input);
      reads.push_back(access);
    }
  }
  return reads;
}

/// Asks for all that the stages read for this register tile, where the sums are
/// too short to do it row by row.
void Emitter::requestTile(const Point &point) {
  if (asksInTurns())
    return;
  for (unsigned access : findLateReads()) {
    std::set<int64_t> places;
    for (const Cell &cell : cells)
      places.insert(pointOf(point, cell).operands[access].constant);
    request(access, point.operands[access].dynamic, places);
  }
}

/// Asks for what the stages read for row `row` of the register tile.
void Emitter::requestRow(const Point &point, ArrayRef<unsigned> reads,
                         Value row) {
  Point start = point;
  for (unsigned access : reads) {
    Position &position = start.operands[access];
    Value step = arith::ConstantIndexOp::create(
        builder, nest.stride(access, plan.tiles.back().loop));
    Value moved = arith::MulIOp::create(builder, row, step);
    position.dynamic =
        position.dynamic
            ? arith::AddIOp::create(builder, position.dynamic, moved)
            : moved;
    std::set<int64_t> places;
    for (const Cell &cell : cells)
      if (cell.steps.back() == 0)
        places.insert(pointOf(start, cell).operands[access].constant);
    request(access, position.dynamic, places);
  }
}

/// A loop of `size` iterations by `step`, in as many parts as the register tile
/// has rows: before each part, a row of what the stages will read is asked for.
SmallVector<Value> Emitter::emitInParts(const Point &point, int64_t size,
                                        int64_t step,
                                        ArrayRef<unsigned> reads,
                                        SmallVector<Value> accumulators,
                                        EmitTurn turn) {
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, value);
  };
  int64_t rows = counts.back();
  int64_t part = llvm::divideCeil(size / step, rows) * step;
  auto parts = scf::ForOp::create(builder, index(0), index(rows), index(1),
                                  accumulators);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(parts.getBody());
  requestRow(point, reads, parts.getInductionVar());
  Value from = arith::MulIOp::create(builder, parts.getInductionVar(), index(part));
  Value to = arith::AddIOp::create(builder, from, index(part));
  to = arith::MinSIOp::create(builder, to, index(size));
  auto turns = scf::ForOp::create(builder, from, to, index(step),
                                  parts.getRegionIterArgs());
  scf::YieldOp::create(builder, turns.getResults());
  builder.setInsertionPointToStart(turns.getBody());
  SmallVector<Value> carried(turns.getRegionIterArgs());
  scf::YieldOp::create(builder, turn(turns.getInductionVar(), carried));
  return SmallVector<Value>(parts.getResults());
}

//===----------------------------------------------------------------------===//
// Blocks of a reduction
//===----------------------------------------------------------------------===//
//
// All tiles of a block read the same memory, so the first of them would wait
// for it, and the others would leave the memory idle. Instead each run of a
// tile's innermost reduction first asks for a few lines of the next block:
// where to ask is one more walk, which every loop inside the block moves on.

/// Elements from the first to the last one that `extents` iterations read.
static int64_t getSpan(ArrayRef<int64_t> strides, ArrayRef<int64_t> extents) {
  int64_t span = 1;
  for (auto [stride, extent] : llvm::zip_equal(strides, extents))
    span += (extent - 1) * std::abs(stride);
  return span;
}

/// The loops of a block that run around the innermost reduction of its tiles,
/// from inside out, and how often each turns.
static SmallVector<std::pair<OuterLoop, int64_t>>
listTurns(const KernelPlan &plan, ArrayRef<OuterLoop> inside,
          ArrayRef<int64_t> block) {
  SmallVector<std::pair<OuterLoop, int64_t>> turns;
  for (unsigned loop : llvm::reverse(ArrayRef(plan.reductions).drop_back()))
    turns.push_back({{loop, 1}, block[loop]});
  for (OuterLoop entry : llvm::reverse(inside))
    turns.push_back({entry, llvm::divideCeil(block[entry.loop], entry.step)});
  return turns;
}

/// Adds a walk of the operand's next block.
void Emitter::addBlockRequest(unsigned operand, Point &point) {
  ArrayRef<OuterLoop> around = plan.order;
  while (nest.isParallel(around.back().loop))
    around = around.drop_back();
  SmallVector<int64_t> block(nest.sizes), none(nest.loops(), 0);
  for (auto [loop, step] : around)
    block[loop] = step;
  auto turns =
      listTurns(plan, ArrayRef(plan.order).drop_front(around.size()), block);
  int64_t runs = 1;
  for (auto [entry, count] : turns)
    runs *= count;
  ArrayRef<int64_t> strides = nest.accesses[operand].strides;
  auto type = cast<MemRefType>(walks[operand].flat.getType());
  int64_t line = kLineBits / type.getElementTypeBitWidth();
  int64_t lines = llvm::divideCeil(getSpan(strides, block), line);
  int64_t weight = llvm::divideCeil(lines, runs) * line;
  blockRequests.push_back({unsigned(walks.size()), line, weight});
  Walk walk{walks[operand].flat, none, none};
  for (OuterLoop entry : around)
    walk.outer[entry.loop] = strides[entry.loop];
  for (auto [entry, count] : turns) {
    walk.inner[entry.loop] = weight / entry.step;
    weight *= count;
  }
  walks.push_back(std::move(walk));
  OuterLoop last = around.back();
  point.operands.push_back(point.operands[operand]);
  point.operands.back().constant += last.step * strides[last.loop];
}

/// Lets the loops move the walks of next blocks as those inside a block do, or
/// again as those around it.
void Emitter::turnBlockRequests() {
  for (const BlockRequest &ahead : blockRequests)
    std::swap(walks[ahead.walk].outer, walks[ahead.walk].inner);
}

/// Asks for this turn's lines of the next blocks.
void Emitter::requestNextBlocks(const Point &point) {
  for (auto [walk, line, elements] : blockRequests) {
    auto [dynamic, start] = point.operands[walk];
    for (int64_t at = 0; at < elements; at += line)
      requestLine(walk, {dynamic, start + at}, kBehind);
  }
}
