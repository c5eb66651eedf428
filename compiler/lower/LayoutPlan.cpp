// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds groups by spreading from convolutions over uses and definitions, prices them, keeps the good ones.

#include "compiler/lower/LayoutPlan.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace plumb;

namespace {

constexpr int64_t lanes = 16;
constexpr double turnCycles = 0.25;
constexpr double cacheBytes = 768 * 1024;
constexpr double streamBytes = 16;
constexpr int64_t channelTile = 4;
/// Tensors of fewer axes change their meaning at group borders: rows of a matrix are not images.
constexpr int64_t leastRank = 4;

/// Tensors that change their layout together.
struct Group {
  BatchAxes axes;
  SmallVector<ConvolutionSite> convolutions;
};

/// Spreads one group from its first convolution.
class Spreader {
public:
  Group run(ConvolutionSite seed);

private:
  void mark(Value value, int64_t axis);
  void visit(Operation *op);
  void visitGeneric(linalg::GenericOp op);
  void visitReshape(Operation *op);
  template <typename SliceOp> void visitSlice(SliceOp op, ValueRange tensors, Value whole);

  Group group;
  SmallVector<Value> worklist;
};

} // namespace

/// Whether the body is acc + a * b.
static bool addsProducts(linalg::GenericOp op) {
  Block *body = op.getBody();
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 || body->getOperations().size() != 3)
    return false;
  auto product = dyn_cast<arith::MulFOp>(body->front());
  auto sum = dyn_cast<arith::AddFOp>(*std::next(body->begin()));
  return product && sum && body->getTerminator()->getOperand(0) == sum.getResult() &&
         llvm::is_contained(sum->getOperands(), product.getResult()) &&
         llvm::is_contained(sum->getOperands(), body->getArgument(2));
}

std::optional<int64_t> plumb::findAxis(AffineMap map, unsigned loop) {
  for (auto [axis, expr] : llvm::enumerate(map.getResults()))
    if (expr == getAffineDimExpr(loop, map.getContext()))
      return axis;
  return std::nullopt;
}

std::optional<ConvolutionSite> plumb::matchConvolution(linalg::GenericOp op) {
  if (!addsProducts(op))
    return std::nullopt;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    bool slides = llvm::any_of(map.getResults(), [](AffineExpr expr) { return isa<AffineBinaryOpExpr>(expr); });
    if (!slides || map.getNumResults() < leastRank)
      continue;
    if (auto batch = dyn_cast<AffineDimExpr>(map.getResult(0)))
      return ConvolutionSite{op, &operand, batch.getPosition()};
  }
  return std::nullopt;
}

std::optional<int64_t> plumb::getAxisAcrossReshape(Operation *reshape, int64_t axis, bool fromSource) {
  SmallVector<ReassociationIndices> groups;
  bool collapses = false;
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(reshape)) {
    groups = collapse.getReassociationIndices();
    collapses = true;
  } else {
    groups = cast<tensor::ExpandShapeOp>(reshape).getReassociationIndices();
  }
  for (auto [small, large] : llvm::enumerate(groups)) {
    bool fromLarge = collapses == fromSource;
    bool isMine = fromLarge ? llvm::is_contained(large, axis) : static_cast<int64_t>(small) == axis;
    if (!isMine)
      continue;
    if (large.size() != 1)
      return std::nullopt;
    return fromLarge ? static_cast<int64_t>(small) : large.front();
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

void Spreader::mark(Value value, int64_t axis) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (type && type.hasStaticShape() && type.getRank() >= leastRank && group.axes.insert({value, axis}).second)
    worklist.push_back(value);
}

/// Operands that the batch's loop walks alone, and their results.
void Spreader::visitGeneric(linalg::GenericOp op) {
  std::optional<unsigned> batch;
  for (OpOperand &operand : op->getOpOperands()) {
    auto found = group.axes.find(operand.get());
    if (found == group.axes.end() && !op.isDpsInput(&operand))
      found = group.axes.find(op.getTiedOpResult(&operand));
    if (found == group.axes.end())
      continue;
    if (auto dim = dyn_cast<AffineDimExpr>(op.getMatchingIndexingMap(&operand).getResult(found->second)))
      batch = dim.getPosition();
  }
  if (!batch)
    return;
  for (OpOperand &operand : op->getOpOperands())
    if (std::optional<int64_t> axis = findAxis(op.getMatchingIndexingMap(&operand), *batch)) {
      mark(operand.get(), *axis);
      if (op.isDpsInit(&operand))
        mark(op.getTiedOpResult(&operand), *axis);
    }
  if (std::optional<ConvolutionSite> site = matchConvolution(op); site && site->batchLoop == *batch)
    if (llvm::none_of(group.convolutions, [&](const ConvolutionSite &known) { return known.op == op; }))
      group.convolutions.push_back(*site);
}

void Spreader::visitReshape(Operation *op) {
  Value source = op->getOperand(0), result = op->getResult(0);
  if (auto found = group.axes.find(source); found != group.axes.end())
    if (std::optional<int64_t> axis = getAxisAcrossReshape(op, found->second, /*fromSource=*/true))
      return mark(result, *axis);
  if (auto found = group.axes.find(result); found != group.axes.end())
    if (std::optional<int64_t> axis = getAxisAcrossReshape(op, found->second, /*fromSource=*/false))
      mark(source, *axis);
}

/// Slices that hold the whole batch.
template <typename SliceOp> void Spreader::visitSlice(SliceOp op, ValueRange tensors, Value whole) {
  for (Value known : tensors) {
    auto found = group.axes.find(known);
    if (found == group.axes.end())
      continue;
    int64_t axis = found->second;
    auto type = cast<RankedTensorType>(whole.getType());
    if (op.getStaticOffsets()[axis] != 0 || op.getStaticStrides()[axis] != 1 ||
        op.getStaticSizes()[axis] != type.getDimSize(axis))
      return;
    for (Value tensor : tensors)
      mark(tensor, axis);
    return;
  }
}

void Spreader::visit(Operation *op) {
  if (auto generic = dyn_cast<linalg::GenericOp>(op))
    return visitGeneric(generic);
  if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op))
    return visitReshape(op);
  if (auto fill = dyn_cast<linalg::FillOp>(op)) {
    auto found = group.axes.find(fill.getOutputs()[0]);
    if (found == group.axes.end())
      found = group.axes.find(fill.getResult(0));
    if (int64_t axis = found == group.axes.end() ? -1 : found->second; axis >= 0) {
      mark(fill.getOutputs()[0], axis);
      mark(fill.getResult(0), axis);
    }
    return;
  }
  // Slices that drop axes stay at the group's edge.
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op); insert && !insert.getDroppedDims().any())
    return visitSlice(insert, {insert.getSource(), insert.getDest(), insert.getResult()}, insert.getResult());
  if (auto extract = dyn_cast<tensor::ExtractSliceOp>(op); extract && !extract.getDroppedDims().any())
    return visitSlice(extract, {extract.getSource(), extract.getResult()}, extract.getSource());
}

Group Spreader::run(ConvolutionSite seed) {
  mark(seed.image->get(), 0);
  if (!seed.op.isDpsInput(seed.image))
    mark(seed.op.getResult(0), 0);
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

//===----------------------------------------------------------------------===//
// Cost
//===----------------------------------------------------------------------===//

/// Vectors of 16 that `extent` elements side by side take, as a share of what full lanes would.
static double getIdleFactor(int64_t extent) {
  return static_cast<double>(llvm::alignTo(extent, lanes)) / static_cast<double>(extent);
}

static double countElements(Value value) {
  return static_cast<double>(cast<RankedTensorType>(value.getType()).getNumElements());
}

namespace {
/// One convolution's cycles.
struct Price {
  double batchInnermost, otherwise;
};
} // namespace

static Price priceConvolution(ConvolutionSite site) {
  linalg::GenericOp op = site.op;
  double products = 1;
  for (int64_t size : op.getStaticLoopRanges())
    products *= static_cast<double>(size);
  double full = products / lanes / 2;
  // The kernel is the operand without the batch; what is neither kernel nor image is the convolution's result.
  Value result = op.getDpsInits()[0], image = site.image->get();
  for (OpOperand &operand : op->getOpOperands())
    if (&operand != site.image && findAxis(op.getMatchingIndexingMap(&operand), site.batchLoop))
      result = operand.get();
  auto type = cast<RankedTensorType>(result.getType());
  // Lanes run over what is written.
  auto written = site.op.isDpsInput(site.image) ? type : cast<RankedTensorType>(image.getType());
  int64_t channels = written.getDimSize(written.getRank() - 3), row = written.getShape().back();
  double entryBytes = countElements(image) / static_cast<double>(type.getDimSize(0)) * lanes * 4;
  double turns = static_cast<double>(llvm::divideCeil(channels, channelTile));
  double streams = entryBytes > cacheBytes ? countElements(image) * 4 * turns / streamBytes : 0;
  double channelsInnermost =
      full * getIdleFactor(channels) + turnCycles * (countElements(image) + countElements(result));
  return {full + streams, std::min(full * getIdleFactor(row), channelsInnermost)};
}

/// Elements of the group's tensors that operations outside of it make or use.
static double countEdges(const Group &group) {
  double elements = 0;
  for (auto [value, axis] : group.axes) {
    auto isOutside = [&](Operation *op) {
      return !isa<tensor::EmptyOp>(op) && llvm::none_of(op->getResults(), [&](Value result) {
        return group.axes.contains(result);
      }) && !isa<linalg::LinalgOp>(op);
    };
    Operation *definition = value.getDefiningOp();
    if (!definition || isOutside(definition) || isa<device::GetNextOp>(definition))
      elements += countElements(value);
    if (llvm::any_of(value.getUsers(), isOutside))
      elements += countElements(value);
  }
  return elements;
}

static bool pays(const Group &group) {
  double inside = countEdges(group) * turnCycles, otherwise = 0;
  for (ConvolutionSite site : group.convolutions) {
    auto type = cast<RankedTensorType>(site.image->get().getType());
    if (type.getDimSize(0) % lanes != 0)
      return false;
    Price price = priceConvolution(site);
    inside += price.batchInnermost;
    otherwise += price.otherwise;
  }
  bool better = inside < otherwise;
  for (ConvolutionSite site : group.convolutions) {
    auto options = remark::RemarkOpts::name("BatchInnermost").category("layout");
    std::string cycles = std::to_string(static_cast<int64_t>(inside)) + " cycles for the group of " +
                         std::to_string(group.convolutions.size()) + " convolutions with the batch innermost, " +
                         std::to_string(static_cast<int64_t>(otherwise)) + " without";
    if (better)
      remark::passed(site.op.getLoc(), options) << cycles;
    else
      remark::missed(site.op.getLoc(), options) << cycles;
  }
  return better;
}

BatchAxes plumb::planBatchInnermost(device::LoopOp loop) {
  BatchAxes chosen;
  llvm::DenseSet<Operation *> seen;
  for (auto op : loop.getBody().front().getOps<linalg::GenericOp>()) {
    std::optional<ConvolutionSite> site = matchConvolution(op);
    if (!site || seen.contains(op) || !op.hasPureTensorSemantics() || op.hasDynamicShape())
      continue;
    Group group = Spreader().run(*site);
    for (const ConvolutionSite &member : group.convolutions)
      seen.insert(member.op);
    if (pays(group))
      for (auto [value, axis] : group.axes)
        chosen.insert({value, axis});
  }
  return chosen;
}
