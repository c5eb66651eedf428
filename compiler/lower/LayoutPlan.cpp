// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prices the layouts of groups and chooses.

#include "compiler/lower/LayoutPlan.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace plumb;

namespace {

constexpr double turnCycles = 0.25;
constexpr double rowFactor = 2;
constexpr double cacheBytes = 768 * 1024;
constexpr double streamBytes = 16;
constexpr int64_t channelTile = 4;
constexpr double never = std::numeric_limits<double>::infinity();

/// One layout of one group.
struct Candidate {
  StringRef name;
  InnermostAxes axes;
  bool turnsKernels = false, hasBatch = false;
  double cycles = 0;
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

/// Cycles of the arithmetic with all lanes at work.
static double countFullCycles(const ConvolutionSite &site) {
  double products = 1;
  for (int64_t size : site.getOp().getStaticLoopRanges())
    products *= static_cast<double>(size);
  return products / kLayoutLanes / 2;
}

/// The operand with the batch that the lanes of a convolution in plain layout run over.
static const ActivationOperand &getWritten(const ConvolutionSite &site) {
  return site.getOp().isDpsInput(site.image.operand) ? site.other : site.image;
}

static double pricePlain(const ConvolutionSite &site) {
  double full = countFullCycles(site);
  double rows = rowFactor * full * getIdleFactor(getWritten(site).getType().getShape().back());
  if (!site.hasChannels())
    return rows;
  double turned = countElements(site.image.operand->get()) + countElements(site.other.operand->get());
  return std::min(rows, full * getIdleFactor(site.getLanes().getChannels()) + turnCycles * turned);
}

static double priceBatchInnermost(const ConvolutionSite &site) {
  double elements = countElements(site.image.operand->get());
  double batch = static_cast<double>(site.image.getType().getDimSize(site.image.batchAxis));
  double entryBytes = elements / batch * kLayoutLanes * 4;
  const ActivationOperand &written = getWritten(site);
  int64_t channels = written.channelAxis ? written.getChannels() : channelTile;
  double turns = static_cast<double>(llvm::divideCeil(channels, channelTile));
  return countFullCycles(site) + (entryBytes > cacheBytes ? elements * 4 * turns / streamBytes : 0);
}

static double priceChannelsInnermost(const ConvolutionSite &site) {
  return countFullCycles(site) * getIdleFactor(site.getLanes().getChannels()) +
         turnCycles * countElements(site.kernel->get());
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

/// Whether some operation outside of the layout's tensors makes or uses `value`.
static bool isEdge(Value value, const InnermostAxes &axes) {
  Operation *definition = value.getDefiningOp();
  auto isOutside = [&](Operation *op) {
    return !carriesLayout(op) ||
           (!isa<linalg::GenericOp, tensor::ExtractSliceOp>(op) &&
            llvm::none_of(op->getResults(), [&](Value result) { return axes.contains(result); }));
  };
  return !definition || isOutside(definition) || llvm::any_of(value.getUsers(), isOutside);
}

static double priceEdges(const InnermostAxes &axes) {
  double elements = 0;
  for (auto [value, axis] : axes) {
    auto type = cast<RankedTensorType>(value.getType());
    if (isEdge(value, axes) && movesElements(type, getOrderWithLast(type.getRank(), axis)))
      elements += countElements(value);
  }
  return elements * turnCycles;
}

/// Whether all that reads `value` are convolutions that broadcast its elements, directly or out of pads and slices.
static bool isOnlyBroadcast(Value value, const LayoutGroup &group) {
  return llvm::all_of(value.getUses(), [&](OpOperand &use) {
    if (isa<tensor::PadOp, tensor::ExtractSliceOp, tensor::InsertSliceOp>(use.getOwner()) && use.getOperandNumber() == 0)
      return isOnlyBroadcast(use.getOwner()->getResult(0), group);
    return llvm::any_of(group.convolutions, [&](const ConvolutionSite &site) {
      return site.op == use.getOwner() && site.getReduced().operand == &use;
    });
  });
}

/// Leaves images of few channels from outside as they are, with what pads and slices make of them.
static void keepFewChannels(InnermostAxes &axes, const LayoutGroup &group) {
  SmallVector<Value> kept;
  for (auto [value, axis] : axes)
    if (cast<RankedTensorType>(value.getType()).getDimSize(axis) < kLayoutLanes && isEdge(value, axes) &&
        isOnlyBroadcast(value, group))
      kept.push_back(value);
  while (!kept.empty()) {
    Value value = kept.pop_back_val();
    axes.erase(value);
    for (Operation *user : value.getUsers())
      if (user->getNumResults() == 1 && !isa<linalg::LinalgOp>(user) && axes.contains(user->getResult(0)))
        kept.push_back(user->getResult(0));
  }
}

static Candidate getPlain(const LayoutGroup &group) {
  Candidate plain{"as written", {}};
  for (const ConvolutionSite &site : group.convolutions)
    plain.cycles += pricePlain(site);
  return plain;
}

static Candidate getBatchInnermost(const LayoutGroup &group) {
  Candidate batch{"with the batch innermost", {}, /*turnsKernels=*/false, /*hasBatch=*/true};
  for (auto [value, roles] : group.roles)
    batch.axes.insert({value, roles.batch});
  batch.cycles = priceEdges(batch.axes);
  for (const ConvolutionSite &site : group.convolutions) {
    bool fillsLanes = site.image.getType().getDimSize(site.image.batchAxis) % kLayoutLanes == 0;
    batch.cycles += fillsLanes ? priceBatchInnermost(site) : never;
  }
  return batch;
}

static Candidate getChannelsInnermost(const LayoutGroup &group) {
  Candidate channels{"with channels innermost", {}, /*turnsKernels=*/true};
  for (auto [value, roles] : group.roles)
    if (roles.channels)
      channels.axes.insert({value, *roles.channels});
  if (llvm::any_of(group.convolutions, [](const ConvolutionSite &site) { return !site.hasChannels(); })) {
    channels.cycles = never;
    return channels;
  }
  keepFewChannels(channels.axes, group);
  channels.cycles = priceEdges(channels.axes);
  for (const ConvolutionSite &site : group.convolutions)
    channels.cycles += priceChannelsInnermost(site);
  return channels;
}

//===----------------------------------------------------------------------===//
// The choice
//===----------------------------------------------------------------------===//

static std::string describe(const Candidate &candidate) {
  return candidate.cycles == never ? "" : llvm::formatv(", {0:f0} {1}", candidate.cycles, candidate.name).str();
}

static void report(const LayoutGroup &group, ArrayRef<Candidate> candidates, const Candidate &best) {
  std::string prices;
  for (const Candidate &candidate : candidates)
    prices += &candidate == &best ? "" : describe(candidate);
  // One choice, said once, at the convolution that comes first.
  ConvolutionSite first = group.convolutions.front();
  remark::passed(first.getOp().getLoc(), remark::RemarkOpts::name("Layout").category("layout"))
      << llvm::formatv("{0}: {1:f0} cycles for the group of {2} convolutions{3}", best.name, best.cycles,
                       group.convolutions.size(), prices)
             .str();
}

LayoutPlan plumb::planLayouts(device::LoopOp loop) {
  LayoutPlan plan;
  for (const LayoutGroup &group : findLayoutGroups(loop)) {
    Candidate candidates[] = {getPlain(group), getBatchInnermost(group), getChannelsInnermost(group)};
    const Candidate &best = *llvm::min_element(
        candidates, [](const Candidate &a, const Candidate &b) { return a.cycles < b.cycles; });
    report(group, candidates, best);
    for (auto [value, axis] : best.axes)
      plan.innermost.insert({value, axis});
    if (best.hasBatch)
      plan.batches.push_back(best.axes);
    for (const ConvolutionSite &site : group.convolutions)
      if (best.turnsKernels)
        plan.turnedKernels.insert({site.op, site});
  }
  return plan;
}
