// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Estimates the cycles of the layouts of each group and chooses the cheapest.

#include "compiler/lower/LayoutPlan.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace plumb;

namespace {

/// Bytes of an element: layouts are chosen for f32.
constexpr double kElementBytes = 4;
constexpr double kNever = std::numeric_limits<double>::infinity();

/// One layout of one group.
struct Candidate {
  StringRef name;
  InnermostAxes axes;
  bool transposesKernels = false, hasBatch = false;
  double cycles = 0;
};

/// Estimates the candidates of groups on one processor.
class LayoutCost {
public:
  explicit LayoutCost(const CpuTarget &target) : machine(target.machine), lanes(target.lanes(32)) {}

  Candidate getPlain(const LayoutGroup &group) const;
  Candidate getBatchInnermost(const LayoutGroup &group) const;
  Candidate getChannelsInnermost(const LayoutGroup &group) const;

private:
  double getFullCycles(const ConvolutionSite &site) const;
  double getTransposeCycles(double elements) const;
  double getPlainCycles(const ConvolutionSite &site) const;
  double getBatchCycles(const ConvolutionSite &site) const;
  double getChannelsCycles(const ConvolutionSite &site) const;
  double getEdgeCycles(const InnermostAxes &axes) const;
  void keepFewChannels(InnermostAxes &axes, const LayoutGroup &group) const;

  const MachineModel &machine;
  int64_t lanes;
};

} // namespace

SmallVector<int64_t> plumb::getOrderWithLast(int64_t rank, int64_t axis) {
  auto order = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  std::rotate(order.begin() + axis, order.begin() + axis + 1, order.end());
  return order;
}

bool plumb::movesElements(RankedTensorType type, ArrayRef<int64_t> order) {
  SmallVector<int64_t> moved;
  for (int64_t axis : order)
    if (type.getDimSize(axis) != 1)
      moved.push_back(axis);
  return !llvm::is_sorted(moved);
}

static double countElements(Value value) {
  return static_cast<double>(cast<RankedTensorType>(value.getType()).getNumElements());
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

/// Cycles of the arithmetic if all lanes are in use.
double LayoutCost::getFullCycles(const ConvolutionSite &site) const {
  double products = 1;
  for (int64_t size : site.getOp().getStaticLoopRanges())
    products *= static_cast<double>(size);
  return products / lanes / machine.fmasPerCycle;
}

/// Cycles to transpose so many elements, which stream from L2.
double LayoutCost::getTransposeCycles(double elements) const {
  return elements * kElementBytes / machine.l2BytesPerCycle;
}

/// The operand with a batch whose rows are lanes in plain layout: the result, or for backward weights its gradient.
static const ActivationOperand &getWritten(const ConvolutionSite &site) {
  return site.getOp().isDpsInput(site.image.operand) ? site.other : site.image;
}

double LayoutCost::getPlainCycles(const ConvolutionSite &site) const {
  double full = getFullCycles(site);
  double rows = machine.rowLanesFactor * full * getIdleFactor(getWritten(site).getType().getShape().back(), lanes);
  if (!site.mixesChannels())
    return rows;
  double transposed = countElements(site.image.operand->get()) + countElements(site.other.operand->get());
  return std::min(rows,
                  full * getIdleFactor(site.getLanes(lanes).getChannels(), lanes) + getTransposeCycles(transposed));
}

double LayoutCost::getBatchCycles(const ConvolutionSite &site) const {
  double elements = countElements(site.image.operand->get());
  double batch = static_cast<double>(site.image.getType().getDimSize(site.image.batchAxis));
  double blockBytes = elements / batch * kBlockEntries * kElementBytes;
  const ActivationOperand &written = getWritten(site);
  const int64_t tile = machine.batchTileChannels;
  double passes = static_cast<double>(site.mixesChannels() ? llvm::divideCeil(written.getChannels(), tile) : 1);
  bool isCached = blockBytes <= machine.imageShare * static_cast<double>(machine.caches.back().bytes());
  return getFullCycles(site) + (isCached ? 0 : elements * kElementBytes * passes / machine.l2BytesPerCycle);
}

double LayoutCost::getChannelsCycles(const ConvolutionSite &site) const {
  return getFullCycles(site) * getIdleFactor(site.getLanes(lanes).getChannels(), lanes) +
         getTransposeCycles(countElements(site.kernel->get()));
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

/// Whether an operation outside of the group defines or uses `value`.
static bool isEdge(Value value, const InnermostAxes &axes) {
  Operation *definition = value.getDefiningOp();
  auto isOutside = [&](Operation *op) {
    return !carriesLayout(op) || (!isa<linalg::GenericOp, tensor::ExtractSliceOp>(op) &&
                                  llvm::none_of(op->getResults(), [&](Value result) { return axes.contains(result); }));
  };
  return !definition || isOutside(definition) || llvm::any_of(value.getUsers(), isOutside);
}

double LayoutCost::getEdgeCycles(const InnermostAxes &axes) const {
  double elements = 0;
  for (auto [value, axis] : axes) {
    auto type = cast<RankedTensorType>(value.getType());
    if (isEdge(value, axes) && movesElements(type, getOrderWithLast(type.getRank(), axis)))
      elements += countElements(value);
  }
  return getTransposeCycles(elements);
}

/// Whether all readers of `value`, through pads and slices, are convolutions that broadcast its elements.
static bool isOnlyBroadcast(Value value, const LayoutGroup &group, int64_t lanes) {
  return llvm::all_of(value.getUses(), [&](OpOperand &use) {
    if (isa<tensor::PadOp, tensor::ExtractSliceOp, tensor::InsertSliceOp>(use.getOwner()) &&
        use.getOperandNumber() == 0)
      return isOnlyBroadcast(use.getOwner()->getResult(0), group, lanes);
    return llvm::any_of(group.convolutions, [&](const ConvolutionSite &site) {
      return site.op == use.getOwner() && site.mixesChannels() && site.getReduced(lanes).operand == &use;
    });
  });
}

/// Removes images of few channels that are edges from `axes`, with their pads and slices.
void LayoutCost::keepFewChannels(InnermostAxes &axes, const LayoutGroup &group) const {
  SmallVector<Value> kept;
  for (auto [value, axis] : axes)
    if (cast<RankedTensorType>(value.getType()).getDimSize(axis) < lanes && isEdge(value, axes) &&
        isOnlyBroadcast(value, group, lanes))
      kept.push_back(value);
  while (!kept.empty()) {
    Value value = kept.pop_back_val();
    axes.erase(value);
    for (Operation *user : value.getUsers())
      if (user->getNumResults() == 1 && !isa<linalg::LinalgOp>(user) && axes.contains(user->getResult(0)))
        kept.push_back(user->getResult(0));
  }
}

Candidate LayoutCost::getPlain(const LayoutGroup &group) const {
  Candidate plain{"as written", {}};
  for (const ConvolutionSite &site : group.convolutions)
    plain.cycles += getPlainCycles(site);
  return plain;
}

Candidate LayoutCost::getBatchInnermost(const LayoutGroup &group) const {
  Candidate batch{"with the batch innermost", {}, /*transposesKernels=*/false, /*hasBatch=*/true};
  for (auto [value, roles] : group.roles)
    batch.axes.insert({value, roles.batch});
  batch.cycles = getEdgeCycles(batch.axes);
  for (const ConvolutionSite &site : group.convolutions) {
    bool fillsBlocks = site.image.getType().getDimSize(site.image.batchAxis) % kBlockEntries == 0;
    batch.cycles += fillsBlocks ? getBatchCycles(site) : kNever;
  }
  return batch;
}

Candidate LayoutCost::getChannelsInnermost(const LayoutGroup &group) const {
  Candidate channels{"with channels innermost", {}, /*transposesKernels=*/true};
  for (auto [value, roles] : group.roles)
    if (roles.channels)
      channels.axes.insert({value, *roles.channels});
  if (llvm::any_of(group.convolutions, [](const ConvolutionSite &site) { return !site.hasChannels(); })) {
    channels.cycles = kNever;
    return channels;
  }
  keepFewChannels(channels.axes, group);
  channels.cycles = getEdgeCycles(channels.axes);
  for (const ConvolutionSite &site : group.convolutions)
    channels.cycles += getChannelsCycles(site);
  return channels;
}

//===----------------------------------------------------------------------===//
// Selection
//===----------------------------------------------------------------------===//

static std::string describe(const Candidate &candidate) {
  return candidate.cycles == kNever ? "" : llvm::formatv(", {0:f0} {1}", candidate.cycles, candidate.name).str();
}

static void report(const LayoutGroup &group, ArrayRef<Candidate> candidates, const Candidate &best) {
  std::string alternatives;
  for (const Candidate &candidate : candidates)
    alternatives += &candidate == &best ? "" : describe(candidate);
  // One remark per group, at its first convolution.
  ConvolutionSite first = group.convolutions.front();
  remark::passed(first.getOp().getLoc(), remark::RemarkOpts::name("Layout").category("layout"))
      << llvm::formatv("{0}: {1:f0} cycles for the group of {2} convolutions{3}", best.name, best.cycles,
                       group.convolutions.size(), alternatives)
             .str();
}

LayoutPlan plumb::planLayouts(device::LoopOp loop, const CpuTarget &target) {
  LayoutPlan plan;
  LayoutCost cost(target);
  for (const LayoutGroup &group : findLayoutGroups(loop)) {
    Candidate candidates[] = {cost.getPlain(group), cost.getBatchInnermost(group), cost.getChannelsInnermost(group)};
    const Candidate &best =
        *llvm::min_element(candidates, [](const Candidate &a, const Candidate &b) { return a.cycles < b.cycles; });
    report(group, candidates, best);
    for (auto [value, axis] : best.axes)
      plan.innermost.insert({value, axis});
    if (best.hasBatch)
      plan.batches.push_back(best.axes);
    for (const ConvolutionSite &site : group.convolutions)
      if (best.transposesKernels)
        plan.kernels.insert({site.op, {site.kernel, site.getKernelOrder(target.lanes(32))}});
  }
  return plan;
}
