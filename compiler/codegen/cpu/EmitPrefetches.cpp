// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requests for lines before they are read or written. A request for an address without
// memory is no error, so nothing is asked about ends of buffers.

#include "compiler/codegen/cpu/Emitter.h"
#include "compiler/codegen/cpu/StreamPlanner.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

#include <set>

using namespace mlir;
using namespace plumb;

constexpr int64_t kLineBits = kLineBytes * 8;
/// Iterations of the innermost reduction between a request and the load.
constexpr int64_t kIterationsAhead = 8;
/// A row of no more iterations is asked for while the one before it is read: what lies ahead inside of a row would often
/// be behind its end.
constexpr int64_t kShortRow = 4 * kIterationsAhead;
/// Bytes between a request and the store, where memory is written in order.
constexpr int64_t kWriteBytesAhead = 2048;
/// Elements that are this part of a line apart are on two lines often enough for
/// a request each.
constexpr int64_t kLeastCrossing = 4;
/// Turns of a reduction's loop by row of a register tile, for requests between
/// them to be worth a second loop.
constexpr int64_t kLeastTurns = 2;
/// Parts of a reduction between which blocks are asked for, and lines for each of
/// them: the end of a part costs a jump that was not foreseen.
constexpr int64_t kMostParts = 4;
constexpr int64_t kLeastLines = 8;

/// How near a line is wanted, as memref.prefetch counts: in the first cache, or
/// in the second one.
constexpr unsigned kNear = 3, kBehind = 2;

/// Asks for the line at `place`.
void Emitter::requestLine(unsigned walk, Position place, unsigned nearness,
                          bool isWrite) {
  memref::PrefetchOp::create(builder, walks[walk].flat,
                             place.materialize(builder), isWrite, nearness,
                             /*isDataCache=*/true);
}

/// Asks for the lines at `places`, from `dynamic` on. Where lines begin is not
/// known: single elements may end on a line more than they fill.
void Emitter::request(unsigned access, Value dynamic,
                      const std::set<int64_t> &places, bool isWrite) {
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
    requestLine(access, {dynamic, place}, kNear, isWrite);
  }
}

/// Asks for what the innermost reduction reads of `plan.ahead` some iterations
/// from here.
void Emitter::requestAhead(const Point &point) {
  if (plan.ahead.empty())
    return;
  ArrayRef<unsigned> reductions = plan.reductions;
  bool hasRows = reductions.size() > 1 && extents[reductions.back()] <= kShortRow;
  unsigned loop = hasRows ? reductions[reductions.size() - 2] : reductions.back();
  for (unsigned operand : plan.ahead) {
    int64_t distance = walks[operand].outer[loop] * (hasRows ? 1 : kIterationsAhead);
    std::set<int64_t> places;
    for (const Cell &cell : cells)
      places.insert(pointOf(point, cell).operands[operand].constant + distance);
    request(operand, point.operands[operand].dynamic, places);
  }
}

/// Asks for what the register tiles some way on write.
void Emitter::requestWrites(const Point &point) {
  for (unsigned operand : plan.writesAhead) {
    auto type = cast<MemRefType>(walks[operand].flat.getType());
    int64_t distance = kWriteBytesAhead * 8 / type.getElementTypeBitWidth();
    std::set<int64_t> places;
    for (const Cell &cell : cells)
      places.insert(pointOf(point, cell).operands[operand].constant + distance);
    request(operand, point.operands[operand].dynamic, places, /*isWrite=*/true);
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

/// What the tile's end finds in memory, row by row of the register tile: what the
/// stages read, and results that the nearest cache does not hold.
SmallVector<LateAccess> Emitter::findLateAccesses() const {
  SmallVector<LateAccess> accesses;
  if (!epilogue || lanesReduce() || isLastBlock || counts.empty() ||
      !nest.windows.empty())
    return accesses;
  SmallVector<Value> buffers;
  auto add = [&](Value buffer, unsigned access, bool reads, int64_t leastBytes) {
    auto type = dyn_cast<MemRefType>(buffer.getType());
    if (!type || llvm::is_contained(buffers, buffer) ||
        nest.stride(access, plan.laneLoop) != 1)
      return;
    int64_t bits = type.getElementTypeBitWidth();
    int64_t rowBits = bits * nest.stride(access, plan.tiles.back().loop);
    if (std::abs(rowBits) < kLineBits || type.getNumElements() * bits / 8 <= leastBytes)
      return;
    buffers.push_back(buffer);
    accesses.push_back({access, reads, epilogue->touches(buffer)});
  };
  for (const EpilogueStage &stage : epilogue->stages) {
    linalg::LinalgOp stageOp = stage.op;
    for (auto [number, input] : llvm::enumerate(stageOp.getDpsInputs()))
      if (stage.sources[number] < 0)
        add(input, stage.firstAccess + number, /*reads=*/true, 0);
  }
  for (auto [number, value] : llvm::enumerate(epilogue->values))
    if (!value.pooled && !value.folded && epilogue->isStored(number))
      add(value.buffer, value.access, /*reads=*/false, target.caches[0].bytes());
  return accesses;
}

/// Asks for all that the end of this register tile reads, where the sums are too
/// short to do it row by row.
void Emitter::requestTile(const Point &point) {
  if (asksInTurns())
    return;
  for (auto [access, reads, writes] : findLateAccesses()) {
    if (!reads)
      continue;
    std::set<int64_t> places;
    for (const Cell &cell : cells)
      places.insert(pointOf(point, cell).operands[access].constant);
    request(access, point.operands[access].dynamic, places, writes);
  }
}

/// Asks for the row of `accesses` at `point`.
void Emitter::requestRow(const Point &point, ArrayRef<LateAccess> accesses) {
  for (auto [access, reads, writes] : accesses) {
    std::set<int64_t> places;
    for (const Cell &cell : cells)
      if (cell.steps.back() == 0)
        places.insert(pointOf(point, cell).operands[access].constant);
    request(access, point.operands[access].dynamic, places, writes);
  }
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//
//
// All tiles of a block read the same memory, so the first of them would wait
// for it, and the others would leave the memory idle. Instead each run of a
// tile's innermost reduction also asks for a few lines of the next block:
// where to ask is one more walk, which every loop inside the block moves on.

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

/// The request for `rows` in equal shares for all turns.
Emitter::BlockRequest
Emitter::shareOut(BlockAhead ahead, const BlockRows &rows,
                  ArrayRef<std::pair<OuterLoop, int64_t>> turns) const {
  auto type = cast<MemRefType>(walks[ahead.operand].flat.getType());
  int64_t line = kLineBits / type.getElementTypeBitWidth();
  int64_t row = llvm::alignTo(rows.elements, line), runs = 1;
  for (auto [entry, count] : turns)
    runs *= count;
  int64_t elements = llvm::divideCeil(rows.count * row / line, runs) * line;
  return {unsigned(walks.size()), ahead.depth, line, elements, row, rows.apart};
}

/// Adds walks of the operand's next block.
void Emitter::addBlockRequest(BlockAhead ahead, Point &point) {
  auto around = ArrayRef(plan.order).take_front(ahead.depth + 1);
  SmallVector<int64_t> block(nest.sizes), none(nest.loops(), 0);
  for (auto [loop, step] : around)
    block[loop] = std::min(block[loop], step);
  ArrayRef<int64_t> strides = nest.accesses[ahead.operand].strides;
  Value flat = walks[ahead.operand].flat;
  Walk base{flat, none, none}, turn{flat, none, none};
  for (OuterLoop entry : around)
    base.outer[entry.loop] = strides[entry.loop];
  auto turns = listTurns(plan, ArrayRef(plan.order).drop_front(around.size()), block);
  blockRequests.push_back(shareOut(ahead, BlockRows::get(strides, block), turns));
  int64_t weight = blockRequests.back().elements;
  for (auto [entry, count] : turns) {
    turn.inner[entry.loop] = weight / entry.step;
    weight *= count;
  }
  walks.append({base, turn});
  OuterLoop last = around.back();
  point.operands.push_back(point.operands[ahead.operand]);
  point.operands.back().constant += last.step * strides[last.loop];
  point.operands.push_back({});
}

/// Lets the loops from `depth` on move the walks of the next blocks of the loop
/// before as those inside a block do, or again as those around it.
void Emitter::turnBlockRequests(unsigned depth) {
  for (const BlockRequest &ahead : blockRequests)
    if (ahead.depth + 1 == depth)
      for (unsigned walk : {ahead.walk, ahead.walk + 1})
        std::swap(walks[walk].outer, walks[walk].inner);
}

/// Parts of the only reduction between which next blocks are asked for; one where
/// it has no time for that, or there is little to ask for.
int64_t Emitter::countBlockParts() const {
  int64_t lines = 0;
  for (const BlockRequest &ahead : blockRequests)
    lines += ahead.elements / ahead.line;
  if (plan.reductions.size() != 1 || !asksInTurns())
    return 1;
  return std::clamp<int64_t>(lines / kLeastLines, 1, kMostParts);
}

/// The place of element `at` of a next block.
Position Emitter::findInBlock(const BlockRequest &ahead, const Point &point,
                              Position at) {
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, value);
  };
  Position base = point.operands[ahead.walk];
  Value place = at.materialize(builder);
  if (ahead.apart != 0) {
    Value row = arith::DivUIOp::create(builder, place, index(ahead.row));
    Value column = arith::RemUIOp::create(builder, place, index(ahead.row));
    Value start = arith::MulIOp::create(builder, row, index(ahead.apart));
    place = arith::AddIOp::create(builder, start, column);
  }
  if (base.dynamic)
    place = arith::AddIOp::create(builder, place, base.dynamic);
  return {place, base.constant};
}

/// Asks for this turn's lines of the next blocks, or for one of equal parts of
/// them: for whole rows, or for neighbours. Of those, what is behind a row's end is
/// asked for in vain, so that a place is found once.
void Emitter::requestNextBlocks(const Point &point, Value part, int64_t parts) {
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, value);
  };
  for (const BlockRequest &ahead : blockRequests) {
    int64_t elements =
        llvm::divideCeil(ahead.elements / ahead.line, parts) * ahead.line;
    Value at = point.operands[ahead.walk + 1].materialize(builder);
    if (part)
      at = arith::AddIOp::create(
          builder, at, arith::MulIOp::create(builder, part, index(elements)));
    if (elements >= ahead.row) {
      elements = llvm::alignTo(elements, ahead.row);
      Value row = arith::DivUIOp::create(builder, at, index(ahead.row));
      at = arith::MulIOp::create(builder, row, index(ahead.row));
    }
    Position start = findInBlock(ahead, point, {at, 0});
    for (int64_t element = 0; element < elements; element += ahead.line) {
      int64_t place = element / ahead.row * ahead.apart + element % ahead.row;
      requestLine(ahead.walk, {start.dynamic, start.constant + place}, kBehind);
    }
  }
}
