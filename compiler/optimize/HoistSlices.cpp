// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules for parts of tensors. Attention cuts one product's result into queries, keys and values behind a transpose, and
// the gradient puts three parts into zeros and adds them up. Here each part goes its own way:
//
//   slice(transpose x)                       -> transpose(slice x)           only the part is moved
//   reshape(transpose x), ones dropped       -> transpose(reshape x)         so that transposes meet their readers
//   transpose(reshape x), ones added         -> reshape(transpose x)
//   slice_grad a + slice_grad b + …          -> concat(a, b, …)              where the parts make the whole
//   transpose(concat(a, b, …))               -> concat(transpose a, …)
//
// Test: test/compiler/optimize/hoist_slices.mlir.

#include "compiler/optimize/Passes.h"
#include "dialects/net/ir/NetBinaryOps.h"
#include "dialects/net/ir/NetShapeOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace plumb {
#define GEN_PASS_DEF_HOISTSLICESPASS
#include "compiler/optimize/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

using Shape = SmallVector<int64_t>;

static ArrayRef<int64_t> shapeOf(Value value) { return cast<RankedTensorType>(value.getType()).getShape(); }

/// The permutation without negative numbers.
static Shape getPermutation(net::TransposeOp op) {
  Shape perm;
  for (int64_t axis : op.getPerm())
    perm.push_back(axis < 0 ? axis + static_cast<int64_t>(op.getPerm().size()) : axis);
  return perm;
}

/// The axes of `shape` that are longer than one, and how many axes there are at all without ones.
static Shape findLongAxes(ArrayRef<int64_t> shape) {
  Shape axes;
  for (auto [axis, extent] : llvm::enumerate(shape))
    if (extent != 1)
      axes.push_back(axis);
  return axes;
}

static Shape dropOnes(ArrayRef<int64_t> shape) {
  Shape dropped;
  for (int64_t extent : shape)
    if (extent != 1)
      dropped.push_back(extent);
  return dropped;
}

/// The order in which the long axes of `perm`'s result come from those of its operand.
static Shape restrictToLongAxes(ArrayRef<int64_t> perm, ArrayRef<int64_t> operandShape) {
  Shape axes = findLongAxes(operandShape), order;
  for (int64_t axis : perm)
    if (operandShape[axis] != 1)
      order.push_back(llvm::find(axes, axis) - axes.begin());
  return order;
}

namespace {

struct SliceBeforeTranspose : OpRewritePattern<net::SliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(net::SliceOp op, PatternRewriter &rewriter) const override {
    auto transpose = op.getX().getDefiningOp<net::TransposeOp>();
    if (!transpose || op.getBegin().size() != transpose.getPerm().size() ||
        op.getStrides().size() != op.getBegin().size())
      return rewriter.notifyMatchFailure(op, "is no slice of all axes of a transpose");
    Shape perm = getPermutation(transpose), begin(perm.size()), end(perm.size()), strides(perm.size());
    for (auto [axis, source] : llvm::enumerate(perm)) {
      begin[source] = op.getBegin()[axis];
      end[source] = op.getEnd()[axis];
      strides[source] = op.getStrides()[axis];
    }
    Value part = net::SliceOp::create(rewriter, op.getLoc(), transpose.getX(), begin, end, strides);
    rewriter.replaceOpWithNewOp<net::TransposeOp>(op, part, perm);
    return success();
  }
};

/// A reshape that only drops ones goes before the transpose.
struct DropOnesBeforeTranspose : OpRewritePattern<net::ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(net::ReshapeOp op, PatternRewriter &rewriter) const override {
    auto transpose = op.getX().getDefiningOp<net::TransposeOp>();
    if (!transpose || !transpose->hasOneUse())
      return rewriter.notifyMatchFailure(op, "is no reshape of a transpose that is used once");
    ArrayRef<int64_t> from = shapeOf(op.getX()), to = shapeOf(op.getResult());
    if (from.size() == to.size() || dropOnes(from) != Shape(to))
      return rewriter.notifyMatchFailure(op, "does not just drop ones");
    ArrayRef<int64_t> source = shapeOf(transpose.getX());
    Value dropped = net::ReshapeOp::create(rewriter, op.getLoc(), transpose.getX(), dropOnes(source));
    rewriter.replaceOpWithNewOp<net::TransposeOp>(op, dropped,
                                                  restrictToLongAxes(getPermutation(transpose), source));
    return success();
  }
};

/// A transpose of a tensor that was given ones turns it before.
struct TransposeBeforeAddingOnes : OpRewritePattern<net::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(net::TransposeOp op, PatternRewriter &rewriter) const override {
    auto reshape = op.getX().getDefiningOp<net::ReshapeOp>();
    if (!reshape || !reshape->hasOneUse())
      return rewriter.notifyMatchFailure(op, "is no transpose of a reshape that is used once");
    ArrayRef<int64_t> from = shapeOf(reshape.getX()), to = shapeOf(op.getX());
    if (from.size() == to.size() || dropOnes(to) != Shape(from))
      return rewriter.notifyMatchFailure(op, "the reshape does not just add ones");
    Value turned = net::TransposeOp::create(rewriter, op.getLoc(), reshape.getX(),
                                            restrictToLongAxes(getPermutation(op), to));
    rewriter.replaceOpWithNewOp<net::ReshapeOp>(op, turned, Shape(shapeOf(op.getResult())));
    return success();
  }
};

/// Parts that fill a tensor along one axis are joined instead of added.
struct JoinParts : OpRewritePattern<net::AddOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(net::AddOp op, PatternRewriter &rewriter) const override {
    SmallVector<net::SliceGradOp> parts;
    if (op->hasOneUse() && isa<net::AddOp>(*op->user_begin()))
      return rewriter.notifyMatchFailure(op, "is a part of a larger sum");
    if (!collect(op.getResult(), parts))
      return rewriter.notifyMatchFailure(op, "does not add parts put into zeros");
    std::optional<int64_t> axis = findAxis(parts);
    if (!axis)
      return rewriter.notifyMatchFailure(op, "the parts are not neighbours along one axis that fill it");
    SmallVector<Value> values;
    for (net::SliceGradOp part : parts)
      values.push_back(part.getDy());
    rewriter.replaceOpWithNewOp<net::ConcatOp>(op, values, *axis);
    return success();
  }

private:
  /// The parts that a tree of additions adds up.
  static bool collect(Value value, SmallVectorImpl<net::SliceGradOp> &parts) {
    if (auto part = value.getDefiningOp<net::SliceGradOp>()) {
      parts.push_back(part);
      return llvm::all_of(part.getStrides(), [](int64_t stride) { return stride == 1; });
    }
    auto add = value.getDefiningOp<net::AddOp>();
    return add && add->getOperand(0).getType() == add->getOperand(1).getType() && collect(add->getOperand(0), parts) &&
           collect(add->getOperand(1), parts);
  }

  /// Sorts the parts along the axis that they fill, if there is one.
  static std::optional<int64_t> findAxis(SmallVectorImpl<net::SliceGradOp> &parts) {
    ArrayRef<int64_t> whole = shapeOf(parts.front().getResult()), first = shapeOf(parts.front().getDy());
    std::optional<int64_t> axis;
    for (size_t number = 0; number < whole.size(); ++number)
      if (first[number] != whole[number]) {
        if (axis)
          return std::nullopt;
        axis = number;
      }
    if (!axis)
      return std::nullopt;
    llvm::sort(parts, [&](net::SliceGradOp a, net::SliceGradOp b) { return a.getBegin()[*axis] < b.getBegin()[*axis]; });
    int64_t reached = 0;
    for (net::SliceGradOp part : parts) {
      Shape expected(whole);
      expected[*axis] = shapeOf(part.getDy())[*axis];
      if (shapeOf(part.getDy()) != ArrayRef(expected) || part.getBegin()[*axis] != reached)
        return std::nullopt;
      reached += expected[*axis];
    }
    return reached == whole[*axis] ? axis : std::nullopt;
  }
};

struct TransposeBeforeJoining : OpRewritePattern<net::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(net::TransposeOp op, PatternRewriter &rewriter) const override {
    auto concat = op.getX().getDefiningOp<net::ConcatOp>();
    if (!concat || !concat->hasOneUse())
      return rewriter.notifyMatchFailure(op, "is no transpose of a concat that is used once");
    Shape perm = getPermutation(op);
    int64_t axis = concat.getAxis() < 0 ? concat.getAxis() + static_cast<int64_t>(perm.size()) : concat.getAxis();
    SmallVector<Value> parts;
    for (Value part : concat.getXs())
      parts.push_back(net::TransposeOp::create(rewriter, op.getLoc(), part, perm));
    rewriter.replaceOpWithNewOp<net::ConcatOp>(op, parts, llvm::find(perm, axis) - perm.begin());
    return success();
  }
};

struct HoistSlicesPass : public plumb::impl::HoistSlicesPassBase<HoistSlicesPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<SliceBeforeTranspose, DropOnesBeforeTranspose, TransposeBeforeAddingOnes, JoinParts,
                 TransposeBeforeJoining>(&getContext());
    net::TransposeOp::getCanonicalizationPatterns(patterns, &getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
