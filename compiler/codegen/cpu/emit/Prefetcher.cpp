// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits prefetches. Prefetching an address without memory is no fault, so they need no checks at the ends of buffers.

#include "compiler/codegen/cpu/emit/Prefetcher.h"

#include "compiler/codegen/cpu/plan/BlockRows.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace plumb;

constexpr int64_t kLineBits = kLineBytes * 8;
/// Rows of at most so many prefetch distances are prefetched during the row before: inside such a row, prefetch
/// addresses would often lie past its end.
constexpr int64_t kShortRow = 4;
/// Scalar elements that are at least this fraction of a line apart often lie on two lines, and get a prefetch each.
constexpr int64_t kMinCrossing = 4;
/// Iterations of a reduction per row of a register tile from which on prefetches between them are worth a second loop.
constexpr int64_t kMinIterations = 2;
/// Parts of a reduction between which blocks are prefetched, and lines for each of them: the end of a part is a
/// mispredicted branch.
constexpr int64_t kMaxParts = 4;
constexpr int64_t kMinLines = 8;

/// The locality hints of memref.prefetch for L1 and for L2.
constexpr unsigned kToL1 = 3, kToL2 = 2;

/// Prefetches the line at `address`.
void Prefetcher::prefetchLine(unsigned operand, Position address, unsigned locality, bool isWrite) {
  memref::PrefetchOp::create(builder, state.flatOperands[operand].flat, address.materialize(builder), isWrite, locality,
                             /*isDataCache=*/true);
}

/// Prefetches the lines at `addresses` relative to `dynamic`. The alignment is unknown, so scalar elements may extend
/// over one line more than they fill.
void Prefetcher::prefetch(unsigned access, Value dynamic, const std::set<int64_t> &addresses, bool isWrite) {
  Value flat = state.flatOperands[access].flat;
  int64_t bits = cast<MemRefType>(flat.getType()).getElementTypeBitWidth();
  int64_t line = kLineBits / bits, last = *addresses.begin() - line;
  bool isSingle = nest.stride(access, plan.laneLoop) == 0;
  for (int64_t address : addresses) {
    bool mayCross = isSingle && address == *addresses.rbegin() && address - last >= line / kMinCrossing;
    if (address < last + line && !mayCross)
      continue;
    last = address;
    prefetchLine(access, {dynamic, address}, kToL1, isWrite);
  }
}

void Prefetcher::prefetchInputs(const Point &point) {
  if (plan.prefetchedInputs.empty())
    return;
  ArrayRef<unsigned> reductions = plan.reductions;
  const int64_t ahead = state.target.machine.prefetchIterations;
  bool hasRows = reductions.size() > 1 && state.extents[reductions.back()] <= kShortRow * ahead;
  unsigned loop = hasRows ? reductions[reductions.size() - 2] : reductions.back();
  for (unsigned operand : plan.prefetchedInputs) {
    int64_t distance = state.flatOperands[operand].outer[loop] * (hasRows ? 1 : ahead);
    std::set<int64_t> addresses;
    for (const AccumulatorSlot &slot : state.slots)
      addresses.insert(state.pointOf(point, slot).operands[operand].constant + distance);
    prefetch(operand, point.operands[operand].dynamic, addresses);
  }
}

void Prefetcher::prefetchOutputs(const Point &point) {
  for (unsigned operand : plan.prefetchedOutputs) {
    auto type = cast<MemRefType>(state.flatOperands[operand].flat.getType());
    int64_t distance = state.target.machine.prefetchedWriteBytes * 8 / type.getElementTypeBitWidth();
    std::set<int64_t> addresses;
    for (const AccumulatorSlot &slot : state.slots)
      addresses.insert(state.pointOf(point, slot).operands[operand].constant + distance);
    prefetch(operand, point.operands[operand].dynamic, addresses, /*isWrite=*/true);
  }
}

bool Prefetcher::prefetchesInReduction() const {
  if (!nest.bounds.empty() || plan.reductions.empty() || state.counts.empty())
    return false;
  unsigned outermost = plan.reductions.front();
  int64_t trips = state.extents[outermost] / plan.unroll[outermost];
  return trips >= kMinIterations * state.counts.back();
}

SmallVector<LateAccess> Prefetcher::findLateAccesses() const {
  SmallVector<LateAccess> accesses;
  if (state.lanesReduce() || state.isLastBlock || state.counts.empty() || !nest.windows.empty())
    return accesses;
  SmallVector<Value> buffers;
  auto add = [&](Value buffer, unsigned access, bool reads, int64_t minBytes) {
    auto type = dyn_cast<MemRefType>(buffer.getType());
    if (!type || llvm::is_contained(buffers, buffer) || nest.stride(access, plan.laneLoop) != 1)
      return;
    int64_t bits = type.getElementTypeBitWidth();
    int64_t rowBits = bits * nest.stride(access, plan.tiles.back().loop);
    if (std::abs(rowBits) < kLineBits || type.getNumElements() * bits / 8 <= minBytes)
      return;
    buffers.push_back(buffer);
    accesses.push_back({access, reads, epilogue.writes(buffer)});
  };
  for (const EpilogueOp &fused : epilogue.ops) {
    linalg::LinalgOp follower = fused.op;
    for (auto [number, input] : llvm::enumerate(follower.getDpsInputs()))
      if (fused.sources[number] < 0)
        add(input, fused.firstAccess + number, /*reads=*/true, 0);
  }
  for (auto [number, value] : llvm::enumerate(epilogue.values))
    if (!value.pooled && !value.folded && epilogue.isStored(number))
      add(value.buffer, value.access, /*reads=*/false, state.target.machine.caches[0].bytes());
  return accesses;
}

void Prefetcher::prefetchTile(const Point &point) {
  if (prefetchesInReduction())
    return;
  for (auto [access, reads, writes] : findLateAccesses()) {
    if (!reads)
      continue;
    std::set<int64_t> addresses;
    for (const AccumulatorSlot &slot : state.slots)
      addresses.insert(state.pointOf(point, slot).operands[access].constant);
    prefetch(access, point.operands[access].dynamic, addresses, writes);
  }
}

void Prefetcher::prefetchRow(const Point &point, ArrayRef<LateAccess> accesses) {
  for (auto [access, reads, writes] : accesses) {
    std::set<int64_t> addresses;
    for (const AccumulatorSlot &slot : state.slots)
      if (slot.steps.back() == 0)
        addresses.insert(state.pointOf(point, slot).operands[access].constant);
    prefetch(access, point.operands[access].dynamic, addresses, writes);
  }
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//
//
// All tiles of a block read the same memory: the first of them would wait for it, and memory would be idle during the
// others. Instead, each execution of a tile's innermost reduction prefetches a few lines of the next block. Their
// position is one more operand, which every loop inside the block advances.

/// The loops of a block around the innermost reduction of its tiles, from the inside out, with their trip counts.
static SmallVector<std::pair<OuterLoop, int64_t>> listTrips(const KernelPlan &plan, ArrayRef<OuterLoop> inside,
                                                            ArrayRef<int64_t> block) {
  SmallVector<std::pair<OuterLoop, int64_t>> trips;
  for (unsigned loop : llvm::reverse(ArrayRef(plan.reductions).drop_back()))
    trips.push_back({{loop, 1}, block[loop]});
  for (OuterLoop entry : llvm::reverse(inside))
    trips.push_back({entry, llvm::divideCeil(block[entry.loop], entry.step)});
  return trips;
}

/// Divides the prefetches of `rows` equally among all iterations.
Prefetcher::NextBlock Prefetcher::distribute(BlockPrefetch next, const BlockRows &rows,
                                             ArrayRef<std::pair<OuterLoop, int64_t>> trips) const {
  auto type = cast<MemRefType>(state.flatOperands[next.operand].flat.getType());
  int64_t line = kLineBits / type.getElementTypeBitWidth();
  int64_t row = llvm::alignTo(rows.elements, line), runs = 1;
  for (auto [entry, count] : trips)
    runs *= count;
  int64_t elements = llvm::divideCeil(rows.count * row / line, runs) * line;
  return {unsigned(state.flatOperands.size()), next.depth, line, elements, row, rows.distance};
}

/// Adds the operands of one next block.
void Prefetcher::addNextBlock(BlockPrefetch next, Point &point) {
  auto around = ArrayRef(plan.order).take_front(next.depth + 1);
  SmallVector<int64_t> block(nest.sizes), none(nest.loops(), 0);
  for (auto [loop, step] : around)
    block[loop] = std::min(block[loop], step);
  ArrayRef<int64_t> strides = nest.accesses[next.operand].strides;
  Value flat = state.flatOperands[next.operand].flat;
  FlatOperand base{flat, none, none}, counter{flat, none, none};
  for (OuterLoop entry : around)
    base.outer[entry.loop] = strides[entry.loop];
  auto trips = listTrips(plan, ArrayRef(plan.order).drop_front(around.size()), block);
  nextBlocks.push_back(distribute(next, BlockRows::get(strides, block), trips));
  int64_t weight = nextBlocks.back().elements;
  for (auto [entry, count] : trips) {
    counter.inner[entry.loop] = weight / entry.step;
    weight *= count;
  }
  state.flatOperands.append({base, counter});
  OuterLoop last = around.back();
  point.operands.push_back(point.operands[next.operand]);
  point.operands.back().constant += last.step * strides[last.loop];
  point.operands.push_back({});
}

void Prefetcher::addOperands(Point &point) {
  for (BlockPrefetch next : plan.blockPrefetches)
    addNextBlock(next, point);
}

/// Switches the strides of next blocks between those of the loops inside the block and those of the loops around it.
void Prefetcher::changeDepth(unsigned depth) {
  for (const NextBlock &next : nextBlocks)
    if (next.depth + 1 == depth)
      for (unsigned operand : {next.operand, next.operand + 1})
        std::swap(state.flatOperands[operand].outer, state.flatOperands[operand].inner);
}

int64_t Prefetcher::countBlockParts() const {
  int64_t lines = 0;
  for (const NextBlock &next : nextBlocks)
    lines += next.elements / next.line;
  if (plan.reductions.size() != 1 || !prefetchesInReduction())
    return 1;
  return std::clamp<int64_t>(lines / kMinLines, 1, kMaxParts);
}

/// The position of element `at` of a next block.
Position Prefetcher::findInBlock(const NextBlock &next, const Point &point, Position at) {
  auto index = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, value); };
  Position base = point.operands[next.operand];
  Value address = at.materialize(builder);
  if (next.distance != 0) {
    Value row = arith::DivUIOp::create(builder, address, index(next.row));
    Value column = arith::RemUIOp::create(builder, address, index(next.row));
    Value start = arith::MulIOp::create(builder, row, index(next.distance));
    address = arith::AddIOp::create(builder, start, column);
  }
  if (base.dynamic)
    address = arith::AddIOp::create(builder, address, base.dynamic);
  return {address, base.constant};
}

/// Full rows, or contiguous elements. Elements past the end of a row are prefetched in vain, so that the position is
/// computed once.
void Prefetcher::prefetchNextBlocks(const Point &point, Value part, int64_t parts) {
  auto index = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, value); };
  for (const NextBlock &next : nextBlocks) {
    int64_t elements = llvm::divideCeil(next.elements / next.line, parts) * next.line;
    Value at = point.operands[next.operand + 1].materialize(builder);
    if (part)
      at = arith::AddIOp::create(builder, at, arith::MulIOp::create(builder, part, index(elements)));
    if (elements >= next.row) {
      elements = llvm::alignTo(elements, next.row);
      Value row = arith::DivUIOp::create(builder, at, index(next.row));
      at = arith::MulIOp::create(builder, row, index(next.row));
    }
    Position start = findInBlock(next, point, {at, 0});
    for (int64_t element = 0; element < elements; element += next.line) {
      int64_t address = element / next.row * next.distance + element % next.row;
      prefetchLine(next.operand, {start.dynamic, start.constant + address}, kToL2);
    }
  }
}
