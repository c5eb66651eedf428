// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts lines by depth.

#include "compiler/codegen/cpu/CacheModel.h"

#include "compiler/codegen/cpu/PanelLayout.h"

#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace plumb;

constexpr int64_t kPageBytes = 4096;
/// Pages that a core finds at once, cycles until it finds another one, and lines of a run that is fetched ahead.
constexpr int64_t kMostPages = 64;
constexpr double kPageMissCycles = 0.5;
constexpr double kLeastAhead = 4;
/// What is left of the wait for lines that were asked for ahead of time.
constexpr double kAheadShare = 0.3;
/// The share of a cache that a plan may count on.
constexpr double kUsable = 0.85;
/// Copying one vector that lies in both places as it is, and one element of a
/// square that is turned.
constexpr double kCopyCycles = 1.5;
constexpr double kTurnCycles = 0.35;

CacheModel::CacheModel(const KernelPricing &pricing)
    : pricing(pricing), nest(pricing.nest) {}

double CacheModel::price(const KernelPlan &plan) {
  setPlan(plan);
  double cycles = 0;
  for (const CacheLevel &cache : pricing.target.caches)
    cycles += priceLevel(cache);
  for (const PackedPanel &panel : plan.panels)
    cycles += priceCopy(plan, panel);
  return cycles + pricePages();
}

/// Lists the extents, turns and streams of `plan`.
void CacheModel::setPlan(const KernelPlan &plan) {
  extents.assign(1, nest.sizes);
  turns.assign(1, 1);
  streams.clear();
  held.clear();
  for (unsigned loop = 0; loop < nest.loops(); ++loop)
    held.push_back(getHeld(plan, loop));
  for (const OuterLoop &entry : plan.order) {
    SmallVector<int64_t> inside = extents.back();
    int64_t blocks = llvm::divideCeil(inside[entry.loop], entry.step);
    inside[entry.loop] = std::min(inside[entry.loop], entry.step);
    extents.push_back(std::move(inside));
    turns.push_back(turns.back() * blocks);
  }
  // What stages behind the nest read is no matter of the nest's order.
  for (unsigned operand = 0; operand < pricing.op->getNumOperands(); ++operand)
    if (!pricing.unused.contains(operand))
      addStreams(plan, operand);
}

void CacheModel::addStreams(const KernelPlan &plan, unsigned operand) {
  Type type = pricing.op->getOperand(operand).getType();
  if (!isa<MemRefType>(type))
    return;
  Stream source;
  source.bytes = cast<MemRefType>(type).getElementTypeBitWidth() / 8;
  source.outer = source.inner = nest.accesses[operand].strides;
  source.passes = operand < pricing.inputs ? 1 : 2;
  for (const PackedPanel &panel : plan.panels) {
    if (panel.operand != operand)
      continue;
    PanelLayout layout =
        PanelLayout::get(nest, plan, operand, extents[panel.depth]);
    Stream copy = source;
    copy.outer = layout.outer;
    copy.inner = layout.inner;
    copy.from = source.until = panel.depth;
    copy.ahead = llvm::is_contained(plan.ahead, operand);
    streams.push_back(copy);
  }
  source.ahead = source.until == ~0u && llvm::is_contained(plan.ahead, operand);
  streams.push_back(source);
}

/// How one turn of the loops from `depth` on goes through a stream, the shortest steps first.
SmallVector<CacheModel::Step, 8> CacheModel::getSteps(const Stream &stream, unsigned depth) const {
  SmallVector<Step, 8> steps;
  auto add = [&](int64_t stride, int64_t count) {
    if (stride != 0 && count > 1)
      steps.push_back({std::abs(stride), count});
  };
  for (unsigned loop = 0; loop < nest.loops(); ++loop) {
    int64_t count = extents[depth][loop];
    int64_t tile = stream.inner[loop] == stream.outer[loop] ? count : held[loop];
    add(stream.inner[loop], std::min(tile, count));
    add(stream.outer[loop] * tile, llvm::divideCeil(count, tile));
  }
  llvm::sort(steps, [](const Step &a, const Step &b) {
    return a.stride < b.stride;
  });
  return steps;
}

/// Lines that one turn of the loops from `depth` on touches: runs of neighbours,
/// and rows of runs.
CacheModel::Lines CacheModel::countLines(const Stream &stream, unsigned depth,
                                         const CacheLevel &cache) const {
  depth = std::max(depth, stream.from);
  if (depth > stream.until)
    return {};
  int64_t span = 1, rows = 1, distance = 0;
  for (const Step &step : getSteps(stream, depth)) {
    if (step.stride <= span) {
      span += step.stride * (step.count - 1);
      continue;
    }
    rows *= step.count;
    if (distance == 0)
      distance = step.stride * stream.bytes;
  }
  double run = std::max(1.0, double(span * stream.bytes) / kLineBytes);
  Lines lines;
  lines.count = lines.room = rows * run;
  // Short runs are not fetched by themselves; far ones ask for a page each.
  if (stream.ahead && distance < kPageBytes)
    lines.count *= kAheadShare;
  else if (rows > 1 && run < kLeastAhead)
    lines.count *= rows > kMostPages && distance >= kPageBytes ? 3 : 2;
  if (rows > 1 && distance % kLineBytes == 0) {
    int64_t apart = std::gcd(distance / kLineBytes, cache.sets);
    lines.room *= std::max(1.0, apart / run);
  }
  return lines;
}

/// Pages that one turn of the loops from `depth` on touches.
double CacheModel::countPages(const Stream &stream, unsigned depth) const {
  depth = std::max(depth, stream.from);
  if (depth > stream.until)
    return 0;
  int64_t page = kPageBytes / stream.bytes, span = 1, rows = 1;
  for (const Step &step : getSteps(stream, depth)) {
    if (step.stride <= std::max(span, page))
      span += step.stride * (step.count - 1);
    else
      rows *= step.count;
  }
  return rows * std::max(1.0, double(span) / page);
}

/// Cycles until pages are found that were not touched right before: all of the outermost depth whose pages are
/// too many, but whose inner loops' are not.
double CacheModel::pricePages() const {
  double visits = 0;
  for (unsigned depth = 0; depth < extents.size(); ++depth) {
    double pages = 0;
    for (const Stream &stream : streams)
      pages += countPages(stream, depth);
    if (pages <= kMostPages)
      break;
    visits = turns[depth] * pages;
  }
  return visits * kPageMissCycles;
}

/// The outermost depth from which on everything stays in `cache`.
unsigned CacheModel::findFit(const CacheLevel &cache) const {
  double capacity = kUsable * cache.lines();
  for (unsigned depth = 0; depth < extents.size(); ++depth) {
    double room = 0;
    for (const Stream &stream : streams)
      room += countLines(stream, depth, cache).room;
    if (room <= capacity)
      return depth;
  }
  return extents.size();
}

double CacheModel::priceLevel(const CacheLevel &cache) const {
  unsigned fit = findFit(cache);
  // A problem that fits as a whole has been left there by what made it.
  if (fit == 0)
    return 0;
  double lines = 0;
  for (const Stream &stream : streams) {
    unsigned depth = std::min(fit - 1, stream.until);
    if (depth >= stream.from)
      lines += stream.passes * turns[depth] *
               countLines(stream, depth, cache).count;
  }
  return lines * cache.missCycles;
}

double CacheModel::priceCopy(const KernelPlan &plan, PackedPanel panel) const {
  ArrayRef<int64_t> inside = extents[panel.depth];
  PanelLayout layout = PanelLayout::get(nest, plan, panel.operand, inside);
  double elements = turns[panel.depth], perElement = kTurnCycles;
  for (unsigned loop = 0; loop < nest.loops(); ++loop) {
    int64_t stride = nest.stride(panel.operand, loop);
    if (stride == 0)
      continue;
    elements *= inside[loop];
    int64_t run = layout.inner[loop] == layout.outer[loop]
                      ? inside[loop]
                      : getHeld(plan, loop);
    if (stride == 1 && layout.inner[loop] == 1)
      perElement = kCopyCycles / std::min(plan.lanes, run);
  }
  return elements * perElement;
}
