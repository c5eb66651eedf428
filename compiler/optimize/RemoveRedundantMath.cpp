// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules of arithmetic that make less of it and round no worse. None of them reorders a sum or a product, so a step
// trains to the same bits with this pass as without, but where a rule says otherwise:
//
//   a + (-b), (-b) + a     -> a - b               a - (-b)            -> a + b
//   (-a) * b               -> -(a * b)            a * -1              -> -a
//   a / 2^k                -> a * 2^-k            (a * 2^k) * b       -> a * (2^k * b), for constants
//   a^2, a^3, a^4          -> a * a, …
//   0 + a, 1 * a           -> broadcast_to a      where the constant only gives the shape
//   sum(broadcast_to a)    -> n * a               exact where the sum of n equal numbers was not
//   sum of one element     -> reshape
//
// The sign rules combine in an optimizer's update: w + (-lr) * g becomes w - lr * g.
// Test: test/compiler/optimize/remove_redundant_math.mlir.

#include "compiler/optimize/Passes.h"
#include "compiler/support/StructuredRewrites.h"
#include "dialects/net/ir/NetBinaryOps.h"
#include "dialects/net/ir/NetConstantOps.h"
#include "dialects/net/ir/NetElementwiseOps.h"
#include "dialects/net/ir/NetReduceOps.h"
#include "dialects/net/ir/NetShapeOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace plumb {
#define GEN_PASS_DEF_REMOVEREDUNDANTMATHPASS
#include "compiler/optimize/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

/// The one number that all elements of the constant `value` of floating point have.
static std::optional<APFloat> getSplat(Value value) {
  DenseFPElementsAttr elements;
  if (!matchPattern(value, m_Constant(&elements)) || !elements.isSplat())
    return std::nullopt;
  return elements.getSplatValue<APFloat>();
}

/// The operand of `value` where it is a negation.
static Value getNegated(Value value) {
  auto negation = value.getDefiningOp<net::NegOp>();
  return negation ? negation.getX() : Value();
}

namespace {

/// a + (-b) is a - b.
struct AddOfNegation : OpRewritePattern<net::AddOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(net::AddOp op, PatternRewriter &rewriter) const override {
    if (Value y = getNegated(op.getY()))
      return rewriter.replaceOpWithNewOp<net::SubOp>(op, op.getX(), y), success();
    if (Value x = getNegated(op.getX()))
      return rewriter.replaceOpWithNewOp<net::SubOp>(op, op.getY(), x), success();
    return rewriter.notifyMatchFailure(op, "no operand is a negation");
  }
};

/// a - (-b) is a + b.
struct SubOfNegation : OpRewritePattern<net::SubOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(net::SubOp op, PatternRewriter &rewriter) const override {
    Value y = getNegated(op.getY());
    if (!y)
      return rewriter.notifyMatchFailure(op, "does not subtract a negation");
    rewriter.replaceOpWithNewOp<net::AddOp>(op, op.getX(), y);
    return success();
  }
};

/// (-a) * b is -(a * b), and a * -1 is -a.
struct MulOfSign : OpRewritePattern<net::MulOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(net::MulOp op, PatternRewriter &rewriter) const override {
    for (auto [x, y] : {std::pair(op.getX(), op.getY()), std::pair(op.getY(), op.getX())}) {
      std::optional<APFloat> splat = getSplat(y);
      if (splat && splat->isExactlyValue(-1.0) && x.getType() == op.getType())
        return rewriter.replaceOpWithNewOp<net::NegOp>(op, x), success();
      Value negated = getNegated(x);
      if (!negated || !x.hasOneUse())
        continue;
      Value product = net::MulOp::create(rewriter, op.getLoc(), negated, y);
      return rewriter.replaceOpWithNewOp<net::NegOp>(op, product), success();
    }
    return rewriter.notifyMatchFailure(op, "no operand carries a sign");
  }
};

/// a / 2^k is a * 2^-k.
struct DivByPowerOfTwo : OpRewritePattern<net::DivOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(net::DivOp op, PatternRewriter &rewriter) const override {
    std::optional<APFloat> divisor = getSplat(op.getY());
    APFloat inverse(0.0);
    if (!divisor || !divisor->getExactInverse(&inverse))
      return rewriter.notifyMatchFailure(op, "divisor is no power of two");
    auto constant = DenseElementsAttr::get(cast<ShapedType>(op.getY().getType()), inverse);
    Value factor = net::ConstantOp::create(rewriter, op.getLoc(), constant);
    rewriter.replaceOpWithNewOp<net::MulOp>(op, op.getX(), factor);
    return success();
  }
};

/// a^2, a^3 and a^4 are products, which are exact where their result is; the power of two floats in general is not.
struct PowByWholeNumber : OpRewritePattern<net::PowOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(net::PowOp op, PatternRewriter &rewriter) const override {
    std::optional<APFloat> exponent = getSplat(op.getY());
    Value x = op.getX();
    if (!exponent || x.getType() != op.getType())
      return rewriter.notifyMatchFailure(op, "exponent is not a constant number");
    auto times = [&](Value a, Value b) -> Value { return net::MulOp::create(rewriter, op.getLoc(), a, b); };
    if (exponent->isExactlyValue(2.0))
      return rewriter.replaceOp(op, times(x, x)), success();
    if (exponent->isExactlyValue(3.0))
      return rewriter.replaceOp(op, times(times(x, x), x)), success();
    if (!exponent->isExactlyValue(4.0))
      return rewriter.notifyMatchFailure(op, "exponent is not 2, 3 or 4");
    Value square = times(x, x);
    return rewriter.replaceOp(op, times(square, square)), success();
  }
};

/// (a * c) * d is a * (c * d) for numbers c and d, one of which is a power of two and so rounds nothing.
struct MulOfScales : OpRewritePattern<net::MulOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(net::MulOp op, PatternRewriter &rewriter) const override {
    for (auto [x, y] : {std::pair(op.getX(), op.getY()), std::pair(op.getY(), op.getX())}) {
      std::optional<APFloat> outer = getSplat(y);
      auto product = x.getDefiningOp<net::MulOp>();
      if (!outer || !product || x.getType() != op.getType())
        continue;
      for (auto [a, b] : {std::pair(product.getX(), product.getY()), std::pair(product.getY(), product.getX())}) {
        std::optional<APFloat> inner = getSplat(b);
        if (!inner || a.getType() != op.getType() ||
            !(outer->getExactInverse(nullptr) || inner->getExactInverse(nullptr)))
          continue;
        auto type = RankedTensorType::get({}, op.getType().getElementType());
        Value factor = net::ConstantOp::create(rewriter, op.getLoc(), DenseElementsAttr::get(type, *inner * *outer));
        return rewriter.replaceOpWithNewOp<net::MulOp>(op, a, factor), success();
      }
    }
    return rewriter.notifyMatchFailure(op, "is no product of two constant scales");
  }
};

/// 0 + a and 1 * a are a in the shape of the constant.
template <typename Op> struct NeutralBroadcast : OpRewritePattern<Op> {
  NeutralBroadcast(MLIRContext *context, double neutral) : OpRewritePattern<Op>(context), neutral(neutral) {}

  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    for (auto [x, y] : {std::pair(op.getX(), op.getY()), std::pair(op.getY(), op.getX())}) {
      std::optional<APFloat> splat = getSplat(y);
      if (!splat || !splat->isExactlyValue(neutral) || x.getType() == op.getType())
        continue;
      rewriter.replaceOpWithNewOp<net::BroadcastToOp>(
          op, x, rewriter.getDenseI64ArrayAttr(cast<ShapedType>(op.getType()).getShape()));
      return success();
    }
    return rewriter.notifyMatchFailure(op, "no operand is neutral");
  }

  /// What changes nothing.
  double neutral;
};

} // namespace

/// The axes that `op` sums over, in order and counted from the front.
static SmallVector<int64_t> getAxes(net::ReduceSumOp op) {
  int64_t rank = cast<ShapedType>(op.getX().getType()).getRank();
  SmallVector<int64_t> axes;
  for (int64_t axis : op.getAxis())
    axes.push_back(axis < 0 ? axis + rank : axis);
  if (axes.empty())
    llvm::append_range(axes, llvm::seq<int64_t>(0, rank));
  llvm::sort(axes);
  return axes;
}

namespace {

/// A sum of one element each only changes the shape.
struct SumOfOne : OpRewritePattern<net::ReduceSumOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(net::ReduceSumOp op, PatternRewriter &rewriter) const override {
    auto type = cast<ShapedType>(op.getX().getType());
    if (!llvm::all_of(getAxes(op), [&](int64_t axis) { return type.getDimSize(axis) == 1; }))
      return rewriter.notifyMatchFailure(op, "sums over an axis of more than one element");
    rewriter.replaceOpWithNewOp<net::ReshapeOp>(
        op, op.getX(), rewriter.getDenseI64ArrayAttr(cast<ShapedType>(op.getType()).getShape()));
    return success();
  }
};

/// A sum over exactly the axes along which its operand repeats is a product.
struct SumOfBroadcast : OpRewritePattern<net::ReduceSumOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(net::ReduceSumOp op, PatternRewriter &rewriter) const override {
    auto broadcast = op.getX().getDefiningOp<net::BroadcastToOp>();
    if (!broadcast || !isa<FloatType>(cast<ShapedType>(op.getType()).getElementType()))
      return rewriter.notifyMatchFailure(op, "does not sum a broadcast of floats");
    auto from = cast<RankedTensorType>(broadcast.getX().getType()), to = cast<RankedTensorType>(op.getX().getType());
    SmallVector<int64_t> axes = getAxes(op);
    int64_t missing = to.getRank() - from.getRank(), count = 1;
    for (int64_t axis = 0; axis < to.getRank(); ++axis) {
      bool summed = llvm::is_contained(axes, axis);
      bool repeats = axis < missing || from.getDimSize(axis - missing) != to.getDimSize(axis);
      if (summed != repeats && to.getDimSize(axis) != 1)
        return rewriter.notifyMatchFailure(op, "sums other axes than those that repeat");
      count *= summed ? to.getDimSize(axis) : 1;
    }
    auto type = cast<RankedTensorType>(op.getType());
    Value shaped = broadcast.getX();
    if (from != type)
      shaped = net::ReshapeOp::create(rewriter, op.getLoc(), shaped, rewriter.getDenseI64ArrayAttr(type.getShape()));
    auto number = DenseElementsAttr::get(RankedTensorType::get({}, type.getElementType()),
                                         Attribute(rewriter.getFloatAttr(type.getElementType(), double(count))));
    Value factor = net::ConstantOp::create(rewriter, op.getLoc(), number);
    rewriter.replaceOpWithNewOp<net::MulOp>(op, shaped, factor);
    return success();
  }
};

struct RemoveRedundantMathPass : public plumb::impl::RemoveRedundantMathPassBase<RemoveRedundantMathPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<AddOfNegation, SubOfNegation, MulOfSign, MulOfScales, DivByPowerOfTwo, PowByWholeNumber, SumOfOne,
                 SumOfBroadcast>(&getContext());
    patterns.add<NeutralBroadcast<net::AddOp>>(&getContext(), 0.0);
    patterns.add<NeutralBroadcast<net::MulOp>>(&getContext(), 1.0);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns), getStructuredConfig())))
      signalPassFailure();
  }
};

} // namespace
