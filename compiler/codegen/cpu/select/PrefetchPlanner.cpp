// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Derives prefetches from strides.

#include "compiler/codegen/cpu/select/PrefetchPlanner.h"

#include "compiler/codegen/cpu/plan/BlockRows.h"
#include "compiler/codegen/cpu/plan/PanelLayout.h"

#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;
using namespace plumb;

/// Shorter reductions end before a prefetched line arrives.
constexpr int64_t kMinIterations = 16;
/// Blocks are prefetched where all operands exceed this fraction of L2; smaller ones are in L2 already, unless they are
/// a chunk of larger ones.
constexpr int64_t kMinShare = 8;
/// The divisor of L2's size for one prefetched block.
constexpr int64_t kL2Share = 4;
/// The least number of blocks of a loop. Prefetching past the last block is harmless: the lines are the next chunk's,
/// or unused.
constexpr int64_t kMinBlocks = 2;
/// Prefetches of next blocks per register tile.
constexpr int64_t kMaxTilePrefetches = 64;

namespace {
/// Analyses the inputs of one plan.
class PrefetchPlanner {
public:
  PrefetchPlanner(const KernelCost &cost, const KernelPlan &plan) : cost(cost), nest(cost.nest), plan(plan) {}

  bool isStream(unsigned input);
  std::optional<unsigned> findBlock(unsigned input);

private:
  SmallVector<int64_t> getExtents(unsigned depth) const;
  bool stays(unsigned input, ArrayRef<int64_t> extents, int64_t lines) const;

  const KernelCost &cost;
  const LinearNest &nest;
  const KernelPlan &plan;
};
} // namespace

/// Iterations by loop inside of `order[depth]`.
SmallVector<int64_t> PrefetchPlanner::getExtents(unsigned depth) const {
  SmallVector<int64_t> extents = nest.sizes;
  for (const OuterLoop &entry : ArrayRef(plan.order).take_front(depth))
    extents[entry.loop] = std::min(extents[entry.loop], entry.step);
  return extents;
}

/// Whether an input stays in L1 between register tiles: a tile's part of it fills at most half of L1, and the next tile
/// reads the same part; or the complete input fits.
bool PrefetchPlanner::stays(unsigned input, ArrayRef<int64_t> extents, int64_t lines) const {
  const CacheLevel &cache = cost.target.machine.caches[0];
  int64_t maxLines = cache.lines() / 2;
  for (unsigned loop : plan.reductions)
    if (nest.stride(input, loop) != 0)
      lines *= extents[loop];
  if (lines > maxLines)
    return false;
  bool isMoved = plan.order.empty() || nest.stride(input, plan.order.back().loop) != 0;
  auto type = cast<MemRefType>(cost.op->getOperand(input).getType());
  int64_t bytes = type.getNumElements() * cost.elementBits / 8;
  return !isMoved || bytes <= maxLines * kLineBytes;
}

bool PrefetchPlanner::isStream(unsigned input) {
  if (!isa<MemRefType>(cost.op->getOperand(input).getType()))
    return false;
  unsigned inner = plan.reductions.back();
  SmallVector<int64_t> extents = getExtents(plan.order.size());
  int64_t stride = nest.stride(input, inner);
  int64_t perLine = kLineBytes * 8 / cost.elementBits;
  for (const PackedPanel &panel : plan.panels)
    if (panel.operand == input)
      stride = PanelLayout::get(nest, plan, input, getExtents(panel.depth)).inner[inner];
  if (std::abs(stride) < perLine || extents[inner] < kMinIterations)
    return false;
  int64_t lines = 1;
  if (nest.stride(input, plan.laneLoop) != 0)
    lines = llvm::divideCeil(plan.lanes * plan.vectors, perLine);
  return !stays(input, extents, lines);
}

SmallVector<unsigned> plumb::findPrefetchedInputs(const KernelCost &cost, const KernelPlan &plan) {
  SmallVector<unsigned> streams;
  if (plan.combining || plan.reductions.empty())
    return streams;
  PrefetchPlanner planner(cost, plan);
  for (unsigned input = 0; input < cost.inputs; ++input)
    if (planner.isStream(input))
      streams.push_back(input);
  return streams;
}

/// The depth of the outermost loop whose iterations read different blocks of `input` that are small enough, with few
/// enough prefetches per register tile.
std::optional<unsigned> PrefetchPlanner::findBlock(unsigned input) {
  auto type = dyn_cast<MemRefType>(cost.op->getOperand(input).getType());
  const CacheLevel &l1 = cost.target.machine.caches[0], &l2 = cost.target.machine.caches[1];
  int64_t perLine = kLineBytes * 8 / cost.elementBits;
  if (!type || type.getNumElements() <= l1.lines() * perLine)
    return std::nullopt;
  for (unsigned depth = 0; depth + 1 < plan.order.size(); ++depth) {
    auto [loop, step] = plan.order[depth];
    if (nest.stride(input, loop) == 0 || getExtents(depth)[loop] < step * kMinBlocks)
      continue;
    SmallVector<int64_t> inside = getExtents(depth + 1);
    BlockRows rows = BlockRows::get(nest.accesses[input].strides, inside);
    int64_t lines = rows.count * llvm::divideCeil(rows.elements, perLine);
    int64_t tiles = 1;
    for (auto [inner, each] : ArrayRef(plan.order).drop_front(depth + 1))
      tiles *= llvm::divideCeil(inside[inner], each);
    if (lines <= l2.lines() / kL2Share && llvm::divideCeil(lines, tiles) <= kMaxTilePrefetches)
      return depth;
  }
  return std::nullopt;
}

/// Whether `output` is one contiguous range of memory that is written in ascending order.
static bool isWrittenInOrder(const KernelCost &cost, const KernelPlan &plan, unsigned output) {
  const LinearNest &nest = cost.nest;
  if (nest.stride(output, plan.laneLoop) != 1 || BlockRows::get(nest.accesses[output].strides, nest.sizes).count != 1)
    return false;
  int64_t last = std::numeric_limits<int64_t>::max();
  for (auto [loop, step] : plan.order) {
    if (nest.sizes[loop] <= step)
      continue;
    int64_t stride = nest.stride(output, loop);
    if (stride <= 0 || stride > last)
      return false;
    last = stride;
  }
  return true;
}

SmallVector<unsigned> plumb::findPrefetchedOutputs(const KernelCost &cost, const KernelPlan &plan) {
  SmallVector<unsigned> outputs;
  const CacheLevel &l1 = cost.target.machine.caches[0];
  for (unsigned output = cost.inputs; output < cost.inputs + cost.outputs; ++output) {
    auto type = dyn_cast<MemRefType>(cost.op->getOperand(output).getType());
    if (type && type.getNumElements() * type.getElementTypeBitWidth() / 8 > l1.bytes() &&
        isWrittenInOrder(cost, plan, output))
      outputs.push_back(output);
  }
  return outputs;
}

/// Bytes of all operands.
static int64_t countBytes(const KernelCost &cost) {
  int64_t bytes = 0;
  for (Type type : cost.op->getOperandTypes())
    if (auto buffer = dyn_cast<MemRefType>(type))
      bytes += buffer.getNumElements() * cost.elementBits / 8;
  return bytes;
}

SmallVector<BlockPrefetch> plumb::findBlockPrefetches(const KernelCost &cost, const KernelPlan &plan) {
  SmallVector<BlockPrefetch> blocks;
  const CacheLevel &l2 = cost.target.machine.caches[1];
  if (plan.combining || plan.reductions.size() != 1 || cost.nest.sizes[plan.reductions[0]] < kMinIterations ||
      countBytes(cost) < l2.bytes() / kMinShare)
    return blocks;
  PrefetchPlanner planner(cost, plan);
  for (unsigned input = 0; input < cost.inputs; ++input)
    if (std::optional<unsigned> depth = planner.findBlock(input))
      blocks.push_back({input, *depth});
  return blocks;
}
