// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Propagates axes from convolutions along uses and definitions until a fixed point is reached.

#include "compiler/lower/LayoutGroups.h"
#include "compiler/support/ReductionBodies.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace plumb;

/// Tensors with fewer axes are not images, and belong to no group.
static constexpr int64_t kMinRank = 4;
/// Of kernels: depthwise ones have one axis of channels.
static constexpr int64_t kMinKernelRank = 3;

double plumb::getIdleFactor(int64_t extent, int64_t lanes) {
  return static_cast<double>(llvm::alignTo(extent, lanes)) / static_cast<double>(extent);
}

std::optional<int64_t> plumb::findAxis(AffineMap map, unsigned loop) {
  for (auto [axis, expr] : llvm::enumerate(map.getResults()))
    if (expr == getAffineDimExpr(loop, map.getContext()))
      return axis;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

Value ActivationOperand::getTensor() const {
  auto op = cast<linalg::GenericOp>(operand->getOwner());
  return op.isDpsInit(operand) ? Value(op.getTiedOpResult(operand)) : operand->get();
}

const ActivationOperand &ConvolutionSite::getLanes(int64_t lanes) const {
  if (!getOp().isDpsInput(image.operand))
    return image;
  if (!getOp().isDpsInput(other.operand))
    return other;
  return getIdleFactor(image.getChannels(), lanes) < getIdleFactor(other.getChannels(), lanes) ? image : other;
}

/// The axis of the kernel that has the channels of `activation`.
static int64_t findKernelAxis(const ConvolutionSite &site, const ActivationOperand &activation) {
  linalg::GenericOp op = site.getOp();
  AffineExpr channels = op.getMatchingIndexingMap(activation.operand).getResult(*activation.channelAxis);
  return *findAxis(op.getMatchingIndexingMap(site.kernel), cast<AffineDimExpr>(channels).getPosition());
}

bool ConvolutionSite::isDepthwise() const {
  return hasChannels() && findKernelAxis(*this, image) == findKernelAxis(*this, other);
}

SmallVector<int64_t> ConvolutionSite::getKernelOrder(int64_t lanes) const {
  AffineMap map = getOp().getMatchingIndexingMap(kernel);
  int64_t reduced = findKernelAxis(*this, getReduced(lanes)), innermost = findKernelAxis(*this, getLanes(lanes));
  SmallVector<int64_t> order;
  for (int64_t axis : llvm::seq<int64_t>(0, map.getNumResults()))
    if (axis != reduced && axis != innermost)
      order.push_back(axis);
  if (reduced != innermost)
    order.push_back(reduced);
  order.push_back(innermost);
  return order;
}

/// Whether `op` is a contraction of two tensors whose body has no other operations.
static bool isPlainContraction(linalg::GenericOp op) {
  return op.getNumDpsInputs() == 2 && op.getBody()->getOperations().size() == 3 && isContraction(op);
}

static bool hasSlidingWindow(AffineMap map) {
  return llvm::any_of(map.getResults(), [](AffineExpr expr) { return isa<AffineBinaryOpExpr>(expr); });
}

/// The axis of `activation` that is indexed by a loop of `kernel`; none if there are several.
static std::optional<int64_t> findChannels(AffineMap activation, AffineMap kernel) {
  std::optional<int64_t> found;
  for (auto [axis, expr] : llvm::enumerate(activation.getResults())) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim || !findAxis(kernel, dim.getPosition()))
      continue;
    if (found)
      return std::nullopt;
    found = axis;
  }
  return found;
}

/// Matches a convolution whose batch is indexed by `batchLoop`.
static std::optional<ConvolutionSite> matchConvolution(linalg::GenericOp op, unsigned batchLoop) {
  if (!isPlainContraction(op))
    return std::nullopt;
  ConvolutionSite site{op, batchLoop, {}, {}, nullptr};
  SmallVector<ActivationOperand> activations;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (std::optional<int64_t> batch = findAxis(map, batchLoop))
      activations.push_back({&operand, *batch, std::nullopt});
    else
      site.kernel = &operand;
  }
  auto isImage = [&](const ActivationOperand &activation) {
    return op.getMatchingIndexingMap(activation.operand).getNumResults() >= kMinRank;
  };
  if (activations.size() != 2 || !llvm::all_of(activations, isImage) ||
      op.getMatchingIndexingMap(site.kernel).getNumResults() < kMinKernelRank)
    return std::nullopt;
  for (ActivationOperand &activation : activations)
    activation.channelAxis =
        findChannels(op.getMatchingIndexingMap(activation.operand), op.getMatchingIndexingMap(site.kernel));
  bool isSecondImage = hasSlidingWindow(op.getMatchingIndexingMap(activations[1].operand));
  site.image = activations[isSecondImage];
  site.other = activations[!isSecondImage];
  return site;
}

/// Matches a convolution whose image has the batch as its first axis.
static std::optional<ConvolutionSite> matchConvolution(linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics() || op.hasDynamicShape())
    return std::nullopt;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (!hasSlidingWindow(map) || map.getNumResults() < kMinRank)
      continue;
    if (auto batch = dyn_cast<AffineDimExpr>(map.getResult(0)))
      return matchConvolution(op, batch.getPosition());
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Propagation
//===----------------------------------------------------------------------===//

namespace {

/// Builds one group from its first convolution.
class LayoutPropagation {
public:
  LayoutGroup run(ConvolutionSite seed);

private:
  using Roles = std::optional<AxisRoles>;

  Roles lookup(Value value) const;
  /// The roles of an operand, or of the result of a destination.
  Roles lookup(linalg::GenericOp op, OpOperand &operand) const;
  void mark(Value value, AxisRoles roles);
  void visit(Operation *op);
  void visitConvolution(ConvolutionSite site);
  void visitGeneric(linalg::GenericOp op);
  void visitReshape(Operation *op);
  void visitSlice(ValueRange tensors, llvm::function_ref<bool(int64_t)> isComplete);

  LayoutGroup group;
  SmallVector<Value> worklist;
};

} // namespace

LayoutPropagation::Roles LayoutPropagation::lookup(Value value) const {
  auto found = group.roles.find(value);
  return found == group.roles.end() ? Roles() : found->second;
}

LayoutPropagation::Roles LayoutPropagation::lookup(linalg::GenericOp op, OpOperand &operand) const {
  return lookup(op.isDpsInit(&operand) ? Value(op.getTiedOpResult(&operand)) : operand.get());
}

/// Adds `value` to the group, or its channel axis if that was not known. Fills and empty tensors belong to no group:
/// each user can have its own.
void LayoutPropagation::mark(Value value, AxisRoles roles) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape() || type.getRank() < kMinRank || value.getDefiningOp<tensor::EmptyOp>() ||
      value.getDefiningOp<linalg::FillOp>())
    return;
  auto [found, isNew] = group.roles.insert({value, roles});
  bool isBetter = !found->second.channels && roles.channels;
  if (isBetter)
    found->second.channels = roles.channels;
  if (isNew || isBetter)
    worklist.push_back(value);
}

void LayoutPropagation::visitConvolution(ConvolutionSite site) {
  for (const ActivationOperand &activation : {site.image, site.other})
    mark(activation.getTensor(), {activation.batchAxis, activation.channelAxis});
  if (llvm::none_of(group.convolutions, [&](const ConvolutionSite &known) { return known.op == site.op; }))
    group.convolutions.push_back(site);
}

/// Adds the operands and results with an axis that is indexed by the batch's loop alone, and likewise their channels.
void LayoutPropagation::visitGeneric(linalg::GenericOp op) {
  std::optional<unsigned> batch, channels;
  auto getLoop = [&](OpOperand &operand, int64_t axis, std::optional<unsigned> &loop) {
    if (auto dim = dyn_cast<AffineDimExpr>(op.getMatchingIndexingMap(&operand).getResult(axis)))
      loop = dim.getPosition();
  };
  for (OpOperand &operand : op->getOpOperands())
    if (Roles roles = lookup(op, operand)) {
      getLoop(operand, roles->batch, batch);
      if (roles->channels)
        getLoop(operand, *roles->channels, channels);
    }
  if (!batch)
    return;
  if (std::optional<ConvolutionSite> site = matchConvolution(op, *batch))
    return visitConvolution(*site);
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    std::optional<int64_t> axis = findAxis(map, *batch);
    if (!axis)
      continue;
    AxisRoles roles = {*axis, channels ? findAxis(map, *channels) : std::nullopt};
    mark(operand.get(), roles);
    if (op.isDpsInit(&operand))
      mark(op.getTiedOpResult(&operand), roles);
  }
}

/// The axis on the other side of a reshape that equals `axis` on one side, if `axis` is neither split nor merged.
static std::optional<int64_t> getAxisAcrossReshape(Operation *reshape, int64_t axis, bool fromSource) {
  auto collapse = dyn_cast<tensor::CollapseShapeOp>(reshape);
  SmallVector<ReassociationIndices> groups =
      collapse ? collapse.getReassociationIndices() : cast<tensor::ExpandShapeOp>(reshape).getReassociationIndices();
  bool fromLarge = static_cast<bool>(collapse) == fromSource;
  for (auto [small, large] : llvm::enumerate(groups)) {
    bool isFound = fromLarge ? llvm::is_contained(large, axis) : static_cast<int64_t>(small) == axis;
    if (isFound && large.size() == 1)
      return fromLarge ? static_cast<int64_t>(small) : large.front();
  }
  return std::nullopt;
}

bool plumb::keepsAxis(Operation *view, int64_t from, int64_t to) {
  if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(view))
    return getAxisAcrossReshape(view, from, /*fromSource=*/true) == to;
  return from == to;
}

void LayoutPropagation::visitReshape(Operation *op) {
  for (bool fromSource : {true, false}) {
    Value from = fromSource ? op->getOperand(0) : op->getResult(0),
          to = fromSource ? op->getResult(0) : op->getOperand(0);
    Roles roles = lookup(from);
    if (!roles)
      continue;
    if (std::optional<int64_t> batch = getAxisAcrossReshape(op, roles->batch, fromSource))
      mark(to, {*batch, roles->channels ? getAxisAcrossReshape(op, *roles->channels, fromSource) : std::nullopt});
  }
}

/// Adds operands and results of a slice or pad, which have the same order of axes, if all contain the complete batch.
void LayoutPropagation::visitSlice(ValueRange tensors, llvm::function_ref<bool(int64_t)> isComplete) {
  for (Value known : tensors)
    if (Roles roles = lookup(known); roles && isComplete(roles->batch))
      for (Value tensor : tensors)
        mark(tensor, *roles);
}

/// Whether a slice contains all of axis `axis` of `whole`, or is an extraction of one index.
template <typename SliceOp> static bool takesAll(SliceOp op, Value whole, int64_t axis) {
  if (isa<tensor::ExtractSliceOp>(op) && op.getStaticSizes()[axis] == 1)
    return true;
  return op.getStaticOffsets()[axis] == 0 && op.getStaticStrides()[axis] == 1 &&
         op.getStaticSizes()[axis] == cast<RankedTensorType>(whole.getType()).getDimSize(axis);
}

bool plumb::carriesLayout(Operation *op) {
  // Rank-reducing slices are edges of groups.
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return !insert.getDroppedDims().any();
  if (auto extract = dyn_cast<tensor::ExtractSliceOp>(op))
    return !extract.getDroppedDims().any();
  if (auto pad = dyn_cast<tensor::PadOp>(op))
    return pad.getConstantPaddingValue() != nullptr;
  return isa<linalg::GenericOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op);
}

void LayoutPropagation::visit(Operation *op) {
  if (!carriesLayout(op))
    return;
  if (auto generic = dyn_cast<linalg::GenericOp>(op))
    return visitGeneric(generic);
  if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op))
    return visitReshape(op);
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return visitSlice({insert.getSource(), insert.getDest(), insert.getResult()},
                      [&](int64_t axis) { return takesAll(insert, insert.getResult(), axis); });
  if (auto extract = dyn_cast<tensor::ExtractSliceOp>(op))
    return visitSlice({extract.getSource(), extract.getResult()},
                      [&](int64_t axis) { return takesAll(extract, extract.getSource(), axis); });
  if (auto pad = dyn_cast<tensor::PadOp>(op))
    return visitSlice({pad.getSource(), pad.getResult()},
                      [&](int64_t axis) { return pad.getStaticLow()[axis] == 0 && pad.getStaticHigh()[axis] == 0; });
}

LayoutGroup LayoutPropagation::run(ConvolutionSite seed) {
  visitConvolution(seed);
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    Block *block = seed.op->getBlock();
    if (Operation *definition = value.getDefiningOp(); definition && definition->getBlock() == block)
      visit(definition);
    for (Operation *user : value.getUsers())
      if (user->getBlock() == block)
        visit(user);
  }
  return std::move(group);
}

SmallVector<LayoutGroup> plumb::findLayoutGroups(device::LoopOp loop) {
  SmallVector<LayoutGroup> groups;
  llvm::DenseSet<Operation *> seen;
  for (auto op : loop.getBody().front().getOps<linalg::GenericOp>()) {
    std::optional<ConvolutionSite> site = matchConvolution(op);
    if (!site || seen.contains(op))
      continue;
    groups.push_back(LayoutPropagation().run(*site));
    for (const ConvolutionSite &member : groups.back().convolutions)
      seen.insert(member.op);
  }
  return groups;
}
