// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the batch or the channels the innermost axis, as LayoutPlan has decided.
//
//   %y = linalg.generic (n, o, y, x, …) ins(%image : 32x6x14x14, %kernel : 16x6x5x5) -> 32x16x10x10
//   →
//   %t = transpose %image                                                  : 6x14x14x32
//   %s = linalg.generic (o, y, x, n, …) ins(%t : 6x14x14x32, %kernel : 16x6x5x5) -> 16x10x10x32
//   %y = transpose %s                                                      : 32x16x10x10
//
// Operations are rebuilt one by one in program order, each between transposes of its operands and results; the next one
// reads the operand of a transpose where there is one. Unused transposes are erased at the end, which leaves those at
// the edges of groups. With the batch innermost, kernels keep their layout, since their elements are broadcast. With
// channels innermost, each convolution transposes its kernel, and a weight gradient is transposed back. Test:
// test/compiler/lower/assign_layouts.mlir

#include "compiler/lower/BlockBatches.h"
#include "compiler/lower/LayoutViews.h"
#include "compiler/lower/Passes.h"
#include "compiler/lower/Transposes.h"
#include "compiler/target/FindTarget.h"
#include "dialects/device/ir/Device.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

namespace plumb {
#define GEN_PASS_DEF_ASSIGNLAYOUTSPASS
#include "compiler/lower/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

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
  bool changesLayout(Value value) const { return plan.innermost.contains(value); }
  AxisOrder getOrder(Value value) const {
    return getOrderWithLast(cast<RankedTensorType>(value.getType()).getRank(), plan.innermost.lookup(value));
  }
  AxisOrder getOrder(linalg::GenericOp op, OpOperand &operand) const;

  Value transpose(Value value, ArrayRef<int64_t> order);
  Value reshape(Value value, RankedTensorType type);
  Value getReordered(Value value, const AxisOrder &order);
  void replace(Value old, Value now, const AxisOrder &order);

  void rebuild(Operation *op);
  bool needsRebuild(linalg::GenericOp op) const;
  void rebuildGeneric(linalg::GenericOp op);
  void rebuildView(Operation *op);

  LayoutPlan plan;
  IRRewriter rewriter;
  /// By tensor in its old layout: the same tensor in other orders of axes.
  DenseMap<Value, SmallVector<std::pair<AxisOrder, Value>, 1>> reordered;
  SmallVector<Operation *> transposes;
  /// Erased at the end, since the maps' keys are addresses, which new values must not reuse.
  SmallVector<Operation *> replaced;
};

struct AssignLayoutsPass : public plumb::impl::AssignLayoutsPassBase<AssignLayoutsPass> {
  using AssignLayoutsPassBase::AssignLayoutsPassBase;

  void runOnOperation() override {
    FailureOr<CpuTarget> target = findTarget(getOperation(), targetCpu);
    if (failed(target))
      return signalPassFailure();
    getOperation()->walk([&](device::LoopOp loop) {
      LayoutPlan plan = planLayouts(loop, *target);
      blockBatches(plan);
      if (!plan.innermost.empty())
        Layouter(loop, std::move(plan)).run(loop.getBody().front());
    });
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Transposes
//===----------------------------------------------------------------------===//

/// Groups of axes, each with one axis of an extent other than one.
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

/// Reshapes `value` to `type`, which differs only in the positions of axes of extent one.
Value Layouter::reshape(Value value, RankedTensorType type) {
  Location loc = value.getLoc();
  auto from = cast<RankedTensorType>(value.getType());
  auto middle = from.clone(llvm::to_vector(llvm::make_filter_range(from.getShape(), [](int64_t n) { return n != 1; })));
  Value flat = tensor::CollapseShapeOp::create(rewriter, loc, middle, value, groupUnits(from.getShape()));
  auto result = tensor::ExpandShapeOp::create(rewriter, loc, type, flat, groupUnits(type.getShape()));
  transposes.append({flat.getDefiningOp(), result});
  return result;
}

/// Transposes `value`: axis i of the result is its axis order[i].
Value Layouter::transpose(Value value, ArrayRef<int64_t> order) {
  auto type = cast<RankedTensorType>(value.getType());
  if (!movesElements(type, order))
    return reshape(value, permute(type, order));
  linalg::GenericOp copy = createTranspose(rewriter, value.getLoc(), value, order);
  transposes.push_back(copy);
  return copy.getResult(0);
}

/// `value` with its axes in the order `order`, which is created at the insertion point if it does not exist yet.
Value Layouter::getReordered(Value value, const AxisOrder &order) {
  for (auto &[known, result] : reordered[value])
    if (known == order)
      return result;
  Value result;
  if (value.getDefiningOp<tensor::EmptyOp>()) {
    auto type = permute(cast<RankedTensorType>(value.getType()), order);
    result = tensor::EmptyOp::create(rewriter, value.getLoc(), type.getShape(), type.getElementType());
  } else if (auto fill = value.getDefiningOp<linalg::FillOp>()) {
    Value empty = getReordered(fill.getOutputs()[0], order);
    result = linalg::FillOp::create(rewriter, value.getLoc(), fill.getInputs(), empty).getResult(0);
  } else {
    result = transpose(value, order);
  }
  reordered[value].push_back({order, result});
  return result;
}

/// Replaces `old` by a transpose of `now`, which is the same tensor with its axes in the order `order`.
void Layouter::replace(Value old, Value now, const AxisOrder &order) {
  Value back = transpose(now, invertPermutationVector(order));
  reordered[back].push_back({order, now});
  if (changesLayout(old)) {
    int64_t axis = plan.innermost.lookup(old);
    plan.innermost.insert({back, axis});
  }
  rewriter.replaceAllUsesWith(old, back);
}

//===----------------------------------------------------------------------===//
// linalg.generic
//===----------------------------------------------------------------------===//

/// The order of axes that `op` shall have an operand in; empty if the order stays.
AxisOrder Layouter::getOrder(linalg::GenericOp op, OpOperand &operand) const {
  auto order = plan.kernels.find(op);
  if (order != plan.kernels.end() && order->second.kernel == &operand)
    return order->second.axes;
  Value value = op.isDpsInit(&operand) ? Value(op.getTiedOpResult(&operand)) : operand.get();
  return changesLayout(value) ? getOrder(value) : AxisOrder();
}

bool Layouter::needsRebuild(linalg::GenericOp op) const {
  return plan.kernels.contains(op) ||
         llvm::any_of(op->getResults(), [&](Value value) { return changesLayout(value); }) ||
         llvm::any_of(op.getInputs(), [&](Value value) { return changesLayout(value); });
}

/// Loops in the order in which they occur in `maps`.
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

/// The new order of the loops of a rebuilt operation: for a convolution whose operand `kernel` is transposed, first
/// those of the result, then those of the kernel; for others the loop of the new innermost axis becomes the innermost
/// one.
static SmallVector<unsigned> orderLoops(linalg::GenericOp op, std::optional<unsigned> kernel,
                                        std::optional<unsigned> innermost) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  if (kernel)
    return orderByMaps({maps.back(), maps[*kernel], maps[0], maps[1]});
  auto loops = llvm::to_vector(llvm::seq<unsigned>(0, op.getNumLoops()));
  if (innermost)
    std::rotate(loops.begin() + *innermost, loops.begin() + *innermost + 1, loops.end());
  return loops;
}

void Layouter::rebuildGeneric(linalg::GenericOp op) {
  SmallVector<Value> operands;
  SmallVector<AffineMap> maps;
  SmallVector<Type> results;
  SmallVector<AxisOrder> orders;
  std::optional<unsigned> innermost;
  for (OpOperand &operand : op->getOpOperands()) {
    AxisOrder &order = orders.emplace_back(getOrder(op, operand));
    Value &value = operands.emplace_back(operand.get());
    AffineMap &map = maps.emplace_back(op.getMatchingIndexingMap(&operand));
    if (!order.empty()) {
      map = permute(map, order);
      if (auto dim = dyn_cast<AffineDimExpr>(map.getResults().back()))
        innermost = dim.getPosition();
      value = getReordered(value, order);
    }
    if (op.isDpsInit(&operand))
      results.push_back(value.getType());
  }
  unsigned inputs = op.getNumDpsInputs();
  std::optional<unsigned> kernel;
  if (auto order = plan.kernels.find(op); order != plan.kernels.end())
    kernel = order->second.kernel->getOperandNumber();
  auto rebuilt = linalg::GenericOp::create(rewriter, op.getLoc(), results, ArrayRef(operands).take_front(inputs),
                                           ArrayRef(operands).drop_front(inputs), maps, op.getIteratorTypesArray());
  rebuilt.getRegion().takeBody(op.getRegion());
  SmallVector<unsigned> loops = orderLoops(rebuilt, kernel, innermost);
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

/// Rebuilds a slice, pad or reshape of a tensor that changes its layout.
void Layouter::rebuildView(Operation *op) {
  Value source = op->getOperand(0), result = op->getResult(0);
  bool isExtract = isa<tensor::ExtractSliceOp>(op);
  if (!changesLayout(source) || !(isExtract || changesLayout(result)))
    return;
  // The group may contain both tensors because of other operations, with different innermost axes.
  if (!isExtract && !keepsAxis(op, plan.innermost.lookup(source), plan.innermost.lookup(result)))
    return;
  Value now = plumb::rebuildView(
      rewriter, op, [&](Value value) { return getOrder(value); },
      [&](Value value, const AxisOrder &order) { return getReordered(value, order); });
  replace(result, now, getOrder(isExtract ? source : result));
  replaced.push_back(op);
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

void Layouter::rebuild(Operation *op) {
  rewriter.setInsertionPoint(op);
  if (auto generic = dyn_cast<linalg::GenericOp>(op))
    return needsRebuild(generic) ? rebuildGeneric(generic) : void();
  if (carriesLayout(op))
    rebuildView(op);
}

void Layouter::run(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block))
    rebuild(&op);
  for (Operation *op : llvm::reverse(replaced))
    rewriter.eraseOp(op);
  for (Operation *op : llvm::reverse(transposes))
    if (op->use_empty())
      rewriter.eraseOp(op);
}
