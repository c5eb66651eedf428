// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts lines by depth.

#include "compiler/codegen/cpu/cost/CacheModel.h"

#include "compiler/codegen/cpu/plan/PanelLayout.h"

#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace plumb;

CacheModel::CacheModel(const KernelCost &cost) : cost(cost), nest(cost.nest), machine(cost.target.machine) {}

double CacheModel::getCycles(const KernelPlan &plan) {
  setPlan(plan);
  double cycles = 0;
  for (const CacheLevel &cache : cost.target.machine.caches)
    cycles += getMissCycles(cache);
  for (const PackedPanel &panel : plan.panels)
    cycles += getCopyCycles(plan, panel);
  return cycles + getPageMissCycles();
}

/// Lists the extents, trip counts and streams of `plan`.
void CacheModel::setPlan(const KernelPlan &plan) {
  extents.assign(1, nest.sizes);
  trips.assign(1, 1);
  streams.clear();
  held.clear();
  for (unsigned loop = 0; loop < nest.loops(); ++loop)
    held.push_back(getTileStep(plan, loop));
  for (const OuterLoop &entry : plan.order) {
    SmallVector<int64_t> inside = extents.back();
    int64_t blocks = llvm::divideCeil(inside[entry.loop], entry.step);
    inside[entry.loop] = std::min(inside[entry.loop], entry.step);
    extents.push_back(std::move(inside));
    trips.push_back(trips.back() * blocks);
  }
  // Operands of epilogue operations do not depend on the order of the nest's loops.
  for (unsigned operand = 0; operand < cost.op->getNumOperands(); ++operand)
    if (!cost.unused.contains(operand))
      addStreams(plan, operand);
}

void CacheModel::addStreams(const KernelPlan &plan, unsigned operand) {
  Type type = cost.op->getOperand(operand).getType();
  if (!isa<MemRefType>(type))
    return;
  Stream source;
  source.bytes = cast<MemRefType>(type).getElementTypeBitWidth() / 8;
  source.outer = source.inner = nest.accesses[operand].strides;
  source.passes = operand < cost.inputs ? 1 : 2;
  for (const BlockPrefetch &block : plan.blockPrefetches)
    if (block.operand == operand)
      source.blockDepth = block.depth;
  for (const PackedPanel &panel : plan.panels) {
    if (panel.operand != operand)
      continue;
    PanelLayout layout = PanelLayout::get(nest, plan, operand, extents[panel.depth]);
    Stream copy = source;
    copy.outer = layout.outer;
    copy.inner = layout.inner;
    copy.from = source.until = panel.depth;
    copy.isPrefetched = llvm::is_contained(plan.prefetchedInputs, operand);
    streams.push_back(copy);
  }
  source.isPrefetched = source.until == ~0u && llvm::is_contained(plan.prefetchedInputs, operand);
  streams.push_back(source);
}

/// The strides and counts with which one execution of the loops from `depth` on accesses a stream, in ascending order
/// of strides.
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
  llvm::sort(steps, [](const Step &a, const Step &b) { return a.stride < b.stride; });
  return steps;
}

/// Lines that one execution of the loops from `depth` on accesses: runs of neighbours, and rows of runs.
CacheModel::Lines CacheModel::countLines(const Stream &stream, unsigned depth, const CacheLevel &cache) const {
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
  // The hardware prefetcher does not follow short runs; those on pages of their own cost a translation each as well.
  if (stream.isPrefetched && distance < machine.pageBytes)
    lines.count *= machine.prefetchedShare;
  else if (rows > 1 && run < machine.minPrefetchedLines)
    lines.count *= rows > machine.tlbPages && distance >= machine.pageBytes ? 3 : 2;
  if (rows > 1 && distance % kLineBytes == 0) {
    int64_t sharedSets = std::gcd(distance / kLineBytes, cache.sets);
    lines.room *= std::max(1.0, sharedSets / run);
  }
  return lines;
}

/// Pages that one execution of the loops from `depth` on accesses.
double CacheModel::countPages(const Stream &stream, unsigned depth) const {
  depth = std::max(depth, stream.from);
  if (depth > stream.until)
    return 0;
  int64_t page = machine.pageBytes / stream.bytes, span = 1, rows = 1;
  for (const Step &step : getSteps(stream, depth)) {
    if (step.stride <= std::max(span, page))
      span += step.stride * (step.count - 1);
    else
      rows *= step.count;
  }
  return rows * std::max(1.0, double(span) / page);
}

/// Cycles of address translations that miss the TLB: those of the outermost depth whose pages exceed the TLB while the
/// pages of its inner loops do not.
double CacheModel::getPageMissCycles() const {
  double visits = 0;
  for (unsigned depth = 0; depth < extents.size(); ++depth) {
    double pages = 0;
    for (const Stream &stream : streams)
      pages += countPages(stream, depth);
    if (pages <= machine.tlbPages)
      break;
    visits = trips[depth] * pages;
  }
  return visits * machine.tlbMissCycles;
}

/// The outermost depth from which on all accesses fit in `cache`.
unsigned CacheModel::findFit(const CacheLevel &cache) const {
  double capacity = machine.usableShare * cache.lines();
  for (unsigned depth = 0; depth < extents.size(); ++depth) {
    double room = 0;
    for (const Stream &stream : streams)
      room += countLines(stream, depth, cache).room;
    if (room <= capacity)
      return depth;
  }
  return extents.size();
}

/// The part of a miss that remains where the loop at `depth` fetches its lines from behind `cache`: less where they are
/// those of the next block, and L2 keeps them until they are used.
double CacheModel::getMissShare(const Stream &stream, unsigned depth, const CacheLevel &cache) const {
  bool arrivesEarly = &cache == &machine.caches.back() && stream.blockDepth && depth <= *stream.blockDepth;
  return arrivesEarly ? machine.prefetchedShare : 1;
}

double CacheModel::getMissCycles(const CacheLevel &cache) const {
  unsigned fit = findFit(cache);
  // Operands that fit together were left in the cache by the operations that produced them.
  if (fit == 0)
    return 0;
  double lines = 0;
  for (const Stream &stream : streams) {
    unsigned depth = std::min(fit - 1, stream.until);
    if (depth >= stream.from)
      lines +=
          getMissShare(stream, depth, cache) * stream.passes * trips[depth] * countLines(stream, depth, cache).count;
  }
  return lines * cache.missCycles;
}

double CacheModel::getCopyCycles(const KernelPlan &plan, PackedPanel panel) const {
  ArrayRef<int64_t> inside = extents[panel.depth];
  PanelLayout layout = PanelLayout::get(nest, plan, panel.operand, inside);
  double elements = trips[panel.depth], perElement = machine.transposeCycles;
  for (unsigned loop = 0; loop < nest.loops(); ++loop) {
    int64_t stride = nest.stride(panel.operand, loop);
    if (stride == 0)
      continue;
    elements *= inside[loop];
    int64_t run = layout.inner[loop] == layout.outer[loop] ? inside[loop] : getTileStep(plan, loop);
    if (stride == 1 && layout.inner[loop] == 1)
      perElement = machine.vectorCopyCycles / std::min(plan.lanes, run);
  }
  return elements * perElement;
}
