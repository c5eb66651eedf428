// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From strides to requests.

#include "compiler/codegen/cpu/StreamPlanner.h"

#include "compiler/codegen/cpu/PanelLayout.h"

#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;
using namespace plumb;

/// Shorter reductions are over before a request is answered.
constexpr int64_t kLeastIterations = 16;
/// Blocks are asked for where all operands fill this part of the second cache:
/// less is there already, though a grain's may be part of more.
constexpr int64_t kLeastShare = 8;
/// A block takes no more of the second cache than this part.
constexpr int64_t kSecondShare = 4;
/// Blocks of a loop. What is behind the last one is asked for all the same: it is the
/// first one of the next grain, or nothing.
constexpr int64_t kLeastBlocks = 2;
/// Lines of next blocks that one register tile asks for.
constexpr int64_t kMostRequests = 64;

namespace {
/// Looks at one plan's inputs.
class StreamPlanner {
public:
  StreamPlanner(const KernelPricing &pricing, const KernelPlan &plan)
      : pricing(pricing), nest(pricing.nest), plan(plan) {}

  bool isStream(unsigned input);
  std::optional<unsigned> findBlock(unsigned input);

private:
  SmallVector<int64_t> getExtents(unsigned depth) const;
  bool stays(unsigned input, ArrayRef<int64_t> extents, int64_t lines) const;

  const KernelPricing &pricing;
  const LinearNest &nest;
  const KernelPlan &plan;
};
} // namespace

BlockRows BlockRows::get(ArrayRef<int64_t> strides, ArrayRef<int64_t> extents) {
  SmallVector<std::pair<int64_t, int64_t>> steps;
  int64_t span = 1;
  for (auto [stride, extent] : llvm::zip_equal(strides, extents))
    if (stride != 0 && extent > 1) {
      steps.push_back({std::abs(stride), extent});
      span += std::abs(stride) * (extent - 1);
    }
  llvm::sort(steps);
  BlockRows rows;
  for (auto [stride, extent] : steps) {
    if (stride <= rows.elements && rows.count == 1)
      rows.elements += stride * (extent - 1);
    else if (rows.count == 1)
      rows = {rows.elements, extent, stride};
    else if (stride % rows.apart == 0 && stride <= rows.apart * rows.count)
      rows.count += stride / rows.apart * (extent - 1);
    else
      return {span, 1, 0};
  }
  return rows;
}

/// Iterations by loop from `order[depth]` on.
SmallVector<int64_t> StreamPlanner::getExtents(unsigned depth) const {
  SmallVector<int64_t> extents = nest.sizes;
  for (const OuterLoop &entry : ArrayRef(plan.order).take_front(depth))
    extents[entry.loop] = std::min(extents[entry.loop], entry.step);
  return extents;
}

/// Whether half of the nearest cache holds what a register tile reads, and the
/// next tile reads it again; or all of it anyway.
bool StreamPlanner::stays(unsigned input, ArrayRef<int64_t> extents,
                          int64_t lines) const {
  const CacheLevel &cache = pricing.target.caches[0];
  int64_t room = cache.lines() / 2;
  for (unsigned loop : plan.reductions)
    if (nest.stride(input, loop) != 0)
      lines *= extents[loop];
  if (lines > room)
    return false;
  bool isMoved =
      plan.order.empty() || nest.stride(input, plan.order.back().loop) != 0;
  auto type = cast<MemRefType>(pricing.op->getOperand(input).getType());
  int64_t bytes = type.getNumElements() * pricing.elementBits / 8;
  return !isMoved || bytes <= room * kLineBytes;
}

bool StreamPlanner::isStream(unsigned input) {
  if (!isa<MemRefType>(pricing.op->getOperand(input).getType()))
    return false;
  unsigned inner = plan.reductions.back();
  SmallVector<int64_t> extents = getExtents(plan.order.size());
  int64_t stride = nest.stride(input, inner);
  int64_t perLine = kLineBytes * 8 / pricing.elementBits;
  for (const PackedPanel &panel : plan.panels)
    if (panel.operand == input)
      stride = PanelLayout::get(nest, plan, input, getExtents(panel.depth))
                   .inner[inner];
  if (std::abs(stride) < perLine || extents[inner] < kLeastIterations)
    return false;
  int64_t lines = 1;
  if (nest.stride(input, plan.laneLoop) != 0)
    lines = llvm::divideCeil(plan.lanes * plan.vectors, perLine);
  return !stays(input, extents, lines);
}

SmallVector<unsigned> plumb::findStreams(const KernelPricing &pricing,
                                         const KernelPlan &plan) {
  SmallVector<unsigned> streams;
  if (plan.combining || plan.reductions.empty())
    return streams;
  StreamPlanner planner(pricing, plan);
  for (unsigned input = 0; input < pricing.inputs; ++input)
    if (planner.isStream(input))
      streams.push_back(input);
  return streams;
}

/// The depth of the outermost loop whose turns each read other, not too large
/// blocks of `input`, which few enough requests for each register tile fetch.
std::optional<unsigned> StreamPlanner::findBlock(unsigned input) {
  auto type = dyn_cast<MemRefType>(pricing.op->getOperand(input).getType());
  const CacheLevel &near = pricing.target.caches[0], &second = pricing.target.caches[1];
  int64_t perLine = kLineBytes * 8 / pricing.elementBits;
  if (!type || type.getNumElements() <= near.lines() * perLine)
    return std::nullopt;
  for (unsigned depth = 0; depth + 1 < plan.order.size(); ++depth) {
    auto [loop, step] = plan.order[depth];
    if (nest.stride(input, loop) == 0 || getExtents(depth)[loop] < step * kLeastBlocks)
      continue;
    SmallVector<int64_t> inside = getExtents(depth + 1);
    BlockRows rows = BlockRows::get(nest.accesses[input].strides, inside);
    int64_t lines = rows.count * llvm::divideCeil(rows.elements, perLine);
    int64_t runs = 1;
    for (auto [inner, each] : ArrayRef(plan.order).drop_front(depth + 1))
      runs *= llvm::divideCeil(inside[inner], each);
    if (lines <= second.lines() / kSecondShare &&
        llvm::divideCeil(lines, runs) <= kMostRequests)
      return depth;
  }
  return std::nullopt;
}

/// Whether `output` is one stretch of memory that is written from its beginning to its end.
static bool isWrittenInOrder(const KernelPricing &pricing, const KernelPlan &plan,
                             unsigned output) {
  const LinearNest &nest = pricing.nest;
  if (nest.stride(output, plan.laneLoop) != 1 ||
      BlockRows::get(nest.accesses[output].strides, nest.sizes).count != 1)
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

SmallVector<unsigned> plumb::findWritesAhead(const KernelPricing &pricing,
                                             const KernelPlan &plan) {
  SmallVector<unsigned> outputs;
  const CacheLevel &near = pricing.target.caches[0];
  for (unsigned output = pricing.inputs; output < pricing.inputs + pricing.outputs; ++output) {
    auto type = dyn_cast<MemRefType>(pricing.op->getOperand(output).getType());
    if (type && type.getNumElements() * type.getElementTypeBitWidth() / 8 > near.bytes() &&
        isWrittenInOrder(pricing, plan, output))
      outputs.push_back(output);
  }
  return outputs;
}

/// Bytes of all operands.
static int64_t countBytes(const KernelPricing &pricing) {
  int64_t bytes = 0;
  for (Type type : pricing.op->getOperandTypes())
    if (auto buffer = dyn_cast<MemRefType>(type))
      bytes += buffer.getNumElements() * pricing.elementBits / 8;
  return bytes;
}

SmallVector<BlockAhead> plumb::findBlocksAhead(const KernelPricing &pricing,
                                               const KernelPlan &plan) {
  SmallVector<BlockAhead> blocks;
  const CacheLevel &second = pricing.target.caches[1];
  if (plan.combining || plan.reductions.size() != 1 ||
      pricing.nest.sizes[plan.reductions[0]] < kLeastIterations ||
      countBytes(pricing) < second.bytes() / kLeastShare)
    return blocks;
  StreamPlanner planner(pricing, plan);
  for (unsigned input = 0; input < pricing.inputs; ++input)
    if (std::optional<unsigned> depth = planner.findBlock(input))
      blocks.push_back({input, *depth});
  return blocks;
}
