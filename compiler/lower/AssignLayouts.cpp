// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lays the batch or the channels innermost where LayoutPlan says so.
//
//   %y = linalg.generic (n, o, y, x, …) ins(%image : 32x6x14x14, %kernel : 16x6x5x5) -> 32x16x10x10
//   →
//   %t = turn %image                                                       : 6x14x14x32
//   %s = linalg.generic (o, y, x, n, …) ins(%t : 6x14x14x32, %kernel : 16x6x5x5) -> 16x10x10x32
//   %y = turn %s                                                           : 32x16x10x10
//
// Operations are rebuilt one by one in the order of the program, each between turns, and the next one looks through the
// turn behind the last. What stays of the turns, once those without use are gone, are the edges. Kernels stay as they
// are when the batch is innermost: they are read number by number then. When channels are innermost, each convolution
// turns its own, and a weight gradient is turned back.
// Test: test/compiler/lower/assign_layouts.mlir

#include "compiler/lower/BlockBatches.h"
#include "compiler/lower/Passes.h"
#include "dialects/device/ir/Device.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

#define DEBUG_TYPE "plumb-assign-layouts"

namespace plumb {
#define GEN_PASS_DEF_ASSIGNLAYOUTSPASS
#include "compiler/lower/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

using Order = SmallVector<int64_t>;

template <typename T> static SmallVector<T> permute(ArrayRef<T> items, ArrayRef<int64_t> order) {
  return llvm::map_to_vector(order, [&](int64_t axis) { return items[axis]; });
}

static RankedTensorType permute(RankedTensorType type, ArrayRef<int64_t> order) {
  return type.clone(permute(type.getShape(), order));
}

static AffineMap permute(AffineMap map, ArrayRef<int64_t> order) {
  return AffineMap::get(map.getNumDims(), 0, permute(map.getResults(), order), map.getContext());
}

namespace {

/// Rebuilds the operations of one loop.
class Layouter {
public:
  Layouter(device::LoopOp loop, LayoutPlan plan) : plan(std::move(plan)), rewriter(loop.getContext()) {}

  void run(Block &block);

private:
  bool isTurned(Value value) const { return plan.innermost.contains(value); }
  Order getOrder(Value value) const {
    return getOrderWithLast(cast<RankedTensorType>(value.getType()).getRank(), plan.innermost.lookup(value));
  }
  Order getOrder(linalg::GenericOp op, OpOperand &operand) const;

  Value turn(Value value, ArrayRef<int64_t> order);
  Value reshape(Value value, RankedTensorType type);
  Value getTurned(Value value, const Order &order);
  Value getTurned(Value value) { return getTurned(value, getOrder(value)); }
  void replace(Value old, Value now, const Order &order);
  void replace(Operation *op, Value now);

  void rebuild(Operation *op);
  bool needsRebuild(linalg::GenericOp op) const;
  void rebuildGeneric(linalg::GenericOp op);
  void rebuildReshape(Operation *op);
  void rebuildInsert(tensor::InsertSliceOp op);
  void rebuildExtract(tensor::ExtractSliceOp op);
  void rebuildPad(tensor::PadOp op);

  LayoutPlan plan;
  IRRewriter rewriter;
  /// By tensor in its old layout: the same in other orders of its axes.
  DenseMap<Value, SmallVector<std::pair<Order, Value>, 1>> turned;
  SmallVector<Operation *> turns;
  /// Erased last: the maps know values by their addresses, which new ones may not get.
  SmallVector<Operation *> replaced;
};

struct AssignLayoutsPass : public plumb::impl::AssignLayoutsPassBase<AssignLayoutsPass> {
  void runOnOperation() override {
    getOperation()->walk([&](device::LoopOp loop) {
      LayoutPlan plan = planLayouts(loop);
      blockBatches(plan);
      if (!plan.innermost.empty())
        Layouter(loop, std::move(plan)).run(loop.getBody().front());
    });
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Turns
//===----------------------------------------------------------------------===//

/// Extents other than one, with the axes of extent one around them.
static SmallVector<ReassociationIndices> groupUnits(ArrayRef<int64_t> shape) {
  SmallVector<ReassociationIndices> groups;
  bool open = false;
  for (auto [axis, extent] : llvm::enumerate(shape)) {
    if (groups.empty() || (extent != 1 && open))
      groups.emplace_back();
    open |= extent != 1;
    groups.back().push_back(axis);
  }
  if (!open)
    groups.clear();
  return groups;
}

/// `value` as `type`, which differs only by axes of extent one.
Value Layouter::reshape(Value value, RankedTensorType type) {
  Location loc = value.getLoc();
  auto from = cast<RankedTensorType>(value.getType());
  auto middle = from.clone(llvm::to_vector(llvm::make_filter_range(from.getShape(), [](int64_t n) { return n != 1; })));
  Value flat = tensor::CollapseShapeOp::create(rewriter, loc, middle, value, groupUnits(from.getShape()));
  auto result = tensor::ExpandShapeOp::create(rewriter, loc, type, flat, groupUnits(type.getShape()));
  turns.append({flat.getDefiningOp(), result});
  return result;
}

/// Copies `value` so that axis i of the result is axis order[i] of it.
Value Layouter::turn(Value value, ArrayRef<int64_t> order) {
  Location loc = value.getLoc();
  auto type = permute(cast<RankedTensorType>(value.getType()), order);
  if (!movesElements(cast<RankedTensorType>(value.getType()), order))
    return reshape(value, type);
  Value empty = tensor::EmptyOp::create(rewriter, loc, type.getShape(), type.getElementType());
  unsigned rank = type.getRank();
  SmallVector<AffineMap> maps = {
      AffineMap::getPermutationMap(invertPermutationVector(order), rewriter.getContext()),
      rewriter.getMultiDimIdentityMap(rank)};
  SmallVector<utils::IteratorType> kinds(rank, utils::IteratorType::parallel);
  auto copy = linalg::GenericOp::create(rewriter, loc, type, value, empty, maps, kinds,
                                        [](OpBuilder &b, Location at, ValueRange arguments) {
                                          linalg::YieldOp::create(b, at, arguments[0]);
                                        });
  turns.push_back(copy);
  return copy.getResult(0);
}

/// `value` in the order `order`, turned here if it does not exist yet. What is empty or filled is made anew.
Value Layouter::getTurned(Value value, const Order &order) {
  for (auto &[known, result] : turned[value])
    if (known == order)
      return result;
  Value result;
  if (value.getDefiningOp<tensor::EmptyOp>()) {
    auto type = permute(cast<RankedTensorType>(value.getType()), order);
    result = tensor::EmptyOp::create(rewriter, value.getLoc(), type.getShape(), type.getElementType());
  } else if (auto fill = value.getDefiningOp<linalg::FillOp>()) {
    Value empty = getTurned(fill.getOutputs()[0], order);
    result = linalg::FillOp::create(rewriter, value.getLoc(), fill.getInputs(), empty).getResult(0);
  } else {
    result = turn(value, order);
  }
  turned[value].push_back({order, result});
  return result;
}

/// Lets users of `old` see `now`, which is it in the order `order`, through a turn.
void Layouter::replace(Value old, Value now, const Order &order) {
  Value back = turn(now, invertPermutationVector(order));
  turned[back].push_back({order, now});
  if (isTurned(old)) {
    int64_t axis = plan.innermost.lookup(old);
    plan.innermost.insert({back, axis});
  }
  rewriter.replaceAllUsesWith(old, back);
}

void Layouter::replace(Operation *op, Value now) {
  replace(op->getResult(0), now, getOrder(op->getResult(0)));
  replaced.push_back(op);
}

//===----------------------------------------------------------------------===//
// linalg.generic
//===----------------------------------------------------------------------===//

/// The order in which `op` is to see an operand; empty for the one that it has.
Order Layouter::getOrder(linalg::GenericOp op, OpOperand &operand) const {
  auto site = plan.turnedKernels.find(op);
  if (site != plan.turnedKernels.end() && site->second.kernel == &operand)
    return site->second.getKernelOrder();
  Value value = op.isDpsInit(&operand) ? Value(op.getTiedOpResult(&operand)) : operand.get();
  return isTurned(value) ? getOrder(value) : Order();
}

bool Layouter::needsRebuild(linalg::GenericOp op) const {
  return plan.turnedKernels.contains(op) ||
         llvm::any_of(op->getResults(), [&](Value value) { return isTurned(value); }) ||
         llvm::any_of(op.getInputs(), [&](Value value) { return isTurned(value); });
}

/// Loops in the order in which `maps` name them.
static SmallVector<unsigned> orderByMaps(ArrayRef<AffineMap> maps) {
  llvm::SetVector<unsigned> loops;
  for (AffineMap map : maps)
    for (AffineExpr expr : map.getResults())
      expr.walk([&](AffineExpr part) {
        if (auto dim = dyn_cast<AffineDimExpr>(part))
          loops.insert(dim.getPosition());
      });
  for (unsigned loop : llvm::seq<unsigned>(0, maps.front().getNumDims()))
    loops.insert(loop);
  return loops.takeVector();
}

/// The new order of the loops of a rebuilt operation: a convolution walks what it writes, then its kernel; elsewhere
/// the loop of the new innermost axis becomes the innermost.
static SmallVector<unsigned> orderLoops(linalg::GenericOp op, const ConvolutionSite *site, unsigned kernelNumber,
                                        std::optional<unsigned> innermost) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  if (site)
    return orderByMaps({maps.back(), maps[kernelNumber], maps[0], maps[1]});
  auto loops = llvm::to_vector(llvm::seq<unsigned>(0, op.getNumLoops()));
  if (innermost)
    std::rotate(loops.begin() + *innermost, loops.begin() + *innermost + 1, loops.end());
  return loops;
}

void Layouter::rebuildGeneric(linalg::GenericOp op) {
  SmallVector<Value> operands;
  SmallVector<AffineMap> maps;
  SmallVector<Type> results;
  SmallVector<Order> orders;
  std::optional<unsigned> innermost;
  for (OpOperand &operand : op->getOpOperands()) {
    Order &order = orders.emplace_back(getOrder(op, operand));
    Value &value = operands.emplace_back(operand.get());
    AffineMap &map = maps.emplace_back(op.getMatchingIndexingMap(&operand));
    if (!order.empty()) {
      map = permute(map, order);
      if (auto dim = dyn_cast<AffineDimExpr>(map.getResults().back()))
        innermost = dim.getPosition();
      value = getTurned(value, order);
    }
    if (op.isDpsInit(&operand))
      results.push_back(value.getType());
  }
  unsigned inputs = op.getNumDpsInputs();
  auto site = plan.turnedKernels.find(op);
  const ConvolutionSite *convolution = site == plan.turnedKernels.end() ? nullptr : &site->second;
  auto rebuilt = linalg::GenericOp::create(rewriter, op.getLoc(), results, ArrayRef(operands).take_front(inputs),
                                           ArrayRef(operands).drop_front(inputs), maps, op.getIteratorTypesArray());
  rebuilt.getRegion().takeBody(op.getRegion());
  SmallVector<unsigned> loops = orderLoops(
      rebuilt, convolution, convolution ? convolution->kernel->getOperandNumber() : 0, innermost);
  if (FailureOr<linalg::GenericOp> interchanged = linalg::interchangeGenericOp(rewriter, rebuilt, loops);
      succeeded(interchanged))
    rebuilt = *interchanged;
  rewriter.setInsertionPointAfter(rebuilt);
  for (auto [old, now, order] :
       llvm::zip_equal(op.getResults(), rebuilt.getResults(), ArrayRef(orders).drop_front(inputs)))
    order.empty() ? rewriter.replaceAllUsesWith(old, now) : replace(old, now, order);
  replaced.push_back(op);
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

/// Groups of axes move as the axes do.
void Layouter::rebuildReshape(Operation *op) {
  Value source = op->getOperand(0), result = op->getResult(0);
  auto type = permute(cast<RankedTensorType>(result.getType()), getOrder(result));
  auto collapse = dyn_cast<tensor::CollapseShapeOp>(op);
  SmallVector<ReassociationIndices> groups =
      collapse ? collapse.getReassociationIndices() : cast<tensor::ExpandShapeOp>(op).getReassociationIndices();
  groups = permute(ArrayRef(groups), getOrder(collapse ? result : source));
  int64_t next = 0;
  for (ReassociationIndices &group : groups)
    for (int64_t &axis : group)
      axis = next++;
  Value input = getTurned(source);
  replace(op, collapse ? tensor::CollapseShapeOp::create(rewriter, op->getLoc(), type, input, groups).getResult()
                       : tensor::ExpandShapeOp::create(rewriter, op->getLoc(), type, input, groups).getResult());
}

void Layouter::rebuildInsert(tensor::InsertSliceOp op) {
  Order order = getOrder(op.getResult());
  replace(op, tensor::InsertSliceOp::create(rewriter, op.getLoc(), getTurned(op.getSource(), order),
                                            getTurned(op.getDest(), order), permute(ArrayRef(op.getMixedOffsets()), order),
                                            permute(ArrayRef(op.getMixedSizes()), order),
                                            permute(ArrayRef(op.getMixedStrides()), order)));
}

/// What is taken from a turned tensor is turned, and turned back where the group does not go on.
void Layouter::rebuildExtract(tensor::ExtractSliceOp op) {
  Order order = getOrder(op.getSource());
  Value now = tensor::ExtractSliceOp::create(rewriter, op.getLoc(), getTurned(op.getSource(), order),
                                             permute(ArrayRef(op.getMixedOffsets()), order),
                                             permute(ArrayRef(op.getMixedSizes()), order),
                                             permute(ArrayRef(op.getMixedStrides()), order));
  replace(op->getResult(0), now, order);
  replaced.push_back(op);
}

void Layouter::rebuildPad(tensor::PadOp op) {
  Order order = getOrder(op.getResult());
  replace(op, tensor::PadOp::create(rewriter, op.getLoc(), permute(op.getType(), order),
                                    getTurned(op.getSource(), order), permute(ArrayRef(op.getMixedLowPad()), order),
                                    permute(ArrayRef(op.getMixedHighPad()), order), op.getConstantPaddingValue()));
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

void Layouter::rebuild(Operation *op) {
  rewriter.setInsertionPoint(op);
  if (auto generic = dyn_cast<linalg::GenericOp>(op))
    return needsRebuild(generic) ? rebuildGeneric(generic) : void();
  if (!carriesLayout(op) || !isTurned(op->getOperand(0)))
    return;
  if (auto extract = dyn_cast<tensor::ExtractSliceOp>(op))
    return rebuildExtract(extract);
  if (!isTurned(op->getResult(0)))
    return;
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return rebuildInsert(insert);
  if (auto pad = dyn_cast<tensor::PadOp>(op))
    return rebuildPad(pad);
  rebuildReshape(op);
}

void Layouter::run(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block))
    rebuild(&op);
  for (Operation *op : llvm::reverse(replaced))
    rewriter.eraseOp(op);
  for (Operation *op : llvm::reverse(turns))
    if (op->use_empty())
      rewriter.eraseOp(op);
}
