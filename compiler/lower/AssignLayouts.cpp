// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lays the batch innermost where LayoutPlan says so.
//
//   %y = linalg.generic (n, o, y, x, …) ins(%image : 32x6x14x14, %kernel : 16x6x5x5) -> 32x16x10x10
//   →
//   %t = turn %image                                                       : 6x14x14x32
//   %s = linalg.generic (o, y, x, n, …) ins(%t : 6x14x14x32, %kernel : 16x6x5x5) -> 16x10x10x32
//   %y = turn %s                                                           : 32x16x10x10
//
// Operations are rebuilt one by one in the order of the program, each between turns, and the next one looks through the
// turn behind the last. What stays of the turns, once those without use are gone, are the edges. Kernels stay as they
// are: with the batch in the lanes they are read number by number.
// Test: test/compiler/lower/assign_layouts.mlir

#include "compiler/lower/LayoutPlan.h"
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

/// `items` with the one at `axis` last.
template <typename Range> static auto moveLast(Range &&items, int64_t axis) {
  auto result = llvm::to_vector(items);
  std::rotate(result.begin() + axis, result.begin() + axis + 1, result.end());
  return result;
}

static RankedTensorType moveLast(RankedTensorType type, int64_t axis) {
  return type.clone(moveLast(type.getShape(), axis));
}

namespace {

/// Rebuilds the operations of one loop.
class Layouter {
public:
  Layouter(device::LoopOp loop, BatchAxes axes) : axes(std::move(axes)), rewriter(loop.getContext()) {}

  void run(Block &block);

private:
  bool isInner(Value value) const { return axes.contains(value); }
  Value turn(Value value, RankedTensorType type, ArrayRef<int64_t> order);
  Value getMoved(Value value);
  void replace(Value old, Value moved);
  void rebuild(Operation *op);
  void rebuildGeneric(linalg::GenericOp op);
  void rebuildReshape(Operation *op);
  void rebuildInsert(tensor::InsertSliceOp op);
  void rebuildExtract(tensor::ExtractSliceOp op);

  BatchAxes axes;
  IRRewriter rewriter;
  /// By tensor in its old layout: the same with the batch innermost.
  DenseMap<Value, Value> moved;
  SmallVector<Operation *> turns;
};

struct AssignLayoutsPass : public plumb::impl::AssignLayoutsPassBase<AssignLayoutsPass> {
  void runOnOperation() override {
    getOperation()->walk([&](device::LoopOp loop) {
      if (BatchAxes axes = planBatchInnermost(loop); !axes.empty())
        Layouter(loop, std::move(axes)).run(loop.getBody().front());
    });
  }
};

} // namespace

/// Copies `value` so that axis i of `type` is axis order[i] of it.
Value Layouter::turn(Value value, RankedTensorType type, ArrayRef<int64_t> order) {
  Location loc = value.getLoc();
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

/// `value` with the batch innermost, turned here if it does not exist yet.
Value Layouter::getMoved(Value value) {
  Value &known = moved[value];
  if (known)
    return known;
  int64_t axis = axes.lookup(value);
  auto type = cast<RankedTensorType>(value.getType());
  auto order = moveLast(llvm::seq<int64_t>(0, type.getRank()), axis);
  if (auto empty = value.getDefiningOp<tensor::EmptyOp>()) {
    type = moveLast(type, axis);
    return known = tensor::EmptyOp::create(rewriter, value.getLoc(), type.getShape(), type.getElementType());
  }
  Value result = turn(value, moveLast(type, axis), order);
  return moved[value] = result;
}

/// Lets users of `old` see `now` through a turn.
void Layouter::replace(Value old, Value now) {
  int64_t axis = axes.lookup(old);
  auto type = cast<RankedTensorType>(old.getType());
  auto order = moveLast(llvm::seq<int64_t>(0, type.getRank()), axis);
  Value back = turn(now, type, invertPermutationVector(order));
  moved[back] = now;
  axes.insert({back, axis});
  rewriter.replaceAllUsesWith(old, back);
}

void Layouter::rebuildGeneric(linalg::GenericOp op) {
  SmallVector<Value> operands;
  SmallVector<AffineMap> maps;
  SmallVector<Type> results;
  std::optional<unsigned> batch;
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = operand.get();
    AffineMap map = op.getMatchingIndexingMap(&operand);
    bool isInit = op.isDpsInit(&operand);
    bool moves = isInit ? isInner(op.getTiedOpResult(&operand)) : isInner(value);
    if (moves) {
      int64_t axis = isInit ? axes.lookup(op.getTiedOpResult(&operand)) : axes.lookup(value);
      if (auto dim = dyn_cast<AffineDimExpr>(map.getResult(axis)))
        batch = dim.getPosition();
      map = AffineMap::get(map.getNumDims(), 0, moveLast(map.getResults(), axis), op.getContext());
      if (!isInner(value))
        axes.insert({value, axis});
      value = getMoved(value);
    }
    operands.push_back(value);
    maps.push_back(map);
    if (isInit)
      results.push_back(value.getType());
  }
  unsigned inputs = op.getNumDpsInputs();
  auto rebuilt = linalg::GenericOp::create(rewriter, op.getLoc(), results, ArrayRef(operands).take_front(inputs),
                                           ArrayRef(operands).drop_front(inputs), maps, op.getIteratorTypesArray());
  rebuilt.getRegion().takeBody(op.getRegion());
  if (batch) {
    SmallVector<unsigned> order = moveLast(llvm::seq<unsigned>(0, rebuilt.getNumLoops()), *batch);
    if (FailureOr<linalg::GenericOp> turned = linalg::interchangeGenericOp(rewriter, rebuilt, order);
        succeeded(turned))
      rebuilt = *turned;
  }
  rewriter.setInsertionPointAfter(rebuilt);
  for (auto [old, now] : llvm::zip_equal(op.getResults(), rebuilt.getResults()))
    isInner(old) ? replace(old, now) : rewriter.replaceAllUsesWith(old, now);
  rewriter.eraseOp(op);
}

/// Groups of axes move as the axes do.
void Layouter::rebuildReshape(Operation *op) {
  Value source = op->getOperand(0), result = op->getResult(0);
  int64_t from = axes.lookup(source), to = axes.lookup(result);
  auto type = moveLast(cast<RankedTensorType>(result.getType()), to);
  auto collapse = dyn_cast<tensor::CollapseShapeOp>(op);
  SmallVector<ReassociationIndices> groups =
      collapse ? collapse.getReassociationIndices() : cast<tensor::ExpandShapeOp>(op).getReassociationIndices();
  SmallVector<ReassociationIndices> order = moveLast(groups, collapse ? to : from);
  int64_t next = 0;
  for (ReassociationIndices &group : order)
    for (int64_t &axis : group)
      axis = next++;
  Value input = getMoved(source);
  Value now = collapse ? tensor::CollapseShapeOp::create(rewriter, op->getLoc(), type, input, order).getResult()
                       : tensor::ExpandShapeOp::create(rewriter, op->getLoc(), type, input, order).getResult();
  replace(result, now);
  rewriter.eraseOp(op);
}

void Layouter::rebuildInsert(tensor::InsertSliceOp op) {
  int64_t axis = axes.lookup(op.getResult());
  Value source = getMoved(op.getSource()), dest = getMoved(op.getDest());
  Value now = tensor::InsertSliceOp::create(
      rewriter, op.getLoc(), source, dest, moveLast(op.getMixedOffsets(), axis), moveLast(op.getMixedSizes(), axis),
      moveLast(op.getMixedStrides(), axis));
  replace(op.getResult(), now);
  rewriter.eraseOp(op);
}

void Layouter::rebuildExtract(tensor::ExtractSliceOp op) {
  int64_t axis = axes.lookup(op.getResult());
  Value now = tensor::ExtractSliceOp::create(rewriter, op.getLoc(), getMoved(op.getSource()),
                                             moveLast(op.getMixedOffsets(), axis), moveLast(op.getMixedSizes(), axis),
                                             moveLast(op.getMixedStrides(), axis));
  replace(op.getResult(), now);
  rewriter.eraseOp(op);
}

void Layouter::rebuild(Operation *op) {
  auto inner = [&](Value value) { return isInner(value); };
  rewriter.setInsertionPoint(op);
  if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
    bool isMine = llvm::any_of(op->getResults(), inner);
    for (OpOperand *input : generic.getDpsInputOperands())
      isMine |= isInner(input->get());
    if (isMine)
      rebuildGeneric(generic);
    return;
  }
  if (op->getNumResults() != 1 || !isInner(op->getResult(0)))
    return;
  if (auto fill = dyn_cast<linalg::FillOp>(op)) {
    auto now = linalg::FillOp::create(rewriter, op->getLoc(), fill.getInputs(), getMoved(fill.getOutputs()[0]));
    replace(op->getResult(0), now.getResult(0));
    return rewriter.eraseOp(op);
  }
  if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op) && isInner(op->getOperand(0)))
    rebuildReshape(op);
  else if (auto insert = dyn_cast<tensor::InsertSliceOp>(op); insert && isInner(insert.getSource()))
    rebuildInsert(insert);
  else if (auto extract = dyn_cast<tensor::ExtractSliceOp>(op); extract && isInner(extract.getSource()))
    rebuildExtract(extract);
}

void Layouter::run(Block &block) {
  SmallVector<Operation *> ops;
  for (Operation &op : block)
    ops.push_back(&op);
  for (Operation *op : ops)
    rebuild(op);
  for (Operation *op : llvm::reverse(turns))
    if (op->use_empty())
      rewriter.eraseOp(op);
}
