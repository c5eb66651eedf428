// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix products and convolutions: shape rules, and transposes drawn into products.

#include "dialects/net/ir/NetContractionOps.h"

#include "dialects/net/ir/Inference.h"
#include "dialects/net/ir/NetShapeOps.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "dialects/net/ir/NetContractionOps.cpp.inc"

namespace plumb::net {

void NetDialect::registerContractionOps() {
  addTheme<
#define GET_OP_LIST
#include "dialects/net/ir/NetContractionOps.cpp.inc"
      >();
}

//===--------------------------------------------------------------------------------------===//
// MatmulOp
//===--------------------------------------------------------------------------------------===//

/// Broadcasts the batch axes of two matrices' shapes; empty optional if they clash.
static std::optional<Shape> broadcastBatches(ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
  if (a.size() < b.size())
    std::swap(a, b);
  Shape result(a);
  for (size_t i = 0; i < b.size(); ++i) {
    int64_t &extent = result[a.size() - b.size() + i];
    if (extent != b[i] && extent != 1 && b[i] != 1)
      return std::nullopt;
    extent = extent == 1 ? b[i] : extent;
  }
  return result;
}

LogicalResult MatmulOp::inferReturnTypes(MLIRContext *, OptionalLocation loc, Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  RankedTensorType a = tensorType(adaptor.getA()), b = tensorType(adaptor.getB());
  // matmul_c1
  if (failed(verifyElementTypes(loc, adaptor.getA(), adaptor.getB())))
    return failure();
  if (a.getRank() < 2 || b.getRank() < 2)
    return emitOptionalError(loc, "cannot multiply ", a, " by ", b, ": both need two axes or more");
  auto [rows, inner] = std::pair(a.getShape().take_back(2)[0], a.getShape().back());
  auto [innerB, columns] = std::pair(b.getShape().take_back(2)[0], b.getShape().back());
  if (adaptor.getTransposeA())
    std::swap(rows, inner);
  if (adaptor.getTransposeB())
    std::swap(innerB, columns);
  auto describe = [](bool transposed) { return transposed ? " (transposed)" : ""; };
  // matmul_c2
  if (inner != innerB)
    return emitOptionalError(loc, "cannot multiply ", a, describe(adaptor.getTransposeA()), " by ", b,
                             describe(adaptor.getTransposeB()), ": ", inner, " columns meet ", innerB, " rows");
  auto shape = broadcastBatches(a.getShape().drop_back(2), b.getShape().drop_back(2));
  if (!shape)
    return emitOptionalError(loc, "cannot multiply ", a, " by ", b, ": their batch axes do not broadcast");
  shape->append({rows, columns});
  types.push_back(a.clone(*shape));
  return success();
}

namespace {

/// Draws a transpose of the last two axes into the product's flag.
struct AbsorbTranspose : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;

  /// Returns the operand of a transpose that swaps exactly the last two axes.
  static Value getSwapped(Value value) {
    auto transpose = value.getDefiningOp<TransposeOp>();
    if (!transpose)
      return {};
    int64_t rank = transpose.getType().getRank();
    Shape expected = llvm::to_vector(llvm::seq<int64_t>(0, rank));
    std::swap(expected[rank - 2], expected[rank - 1]);
    for (auto [axis, want] : llvm::zip_equal(transpose.getPerm(), expected))
      if (normalizeAxis(axis, rank) != want)
        return {};
    return transpose.getX();
  }

  LogicalResult matchAndRewrite(MatmulOp op, PatternRewriter &rewriter) const override {
    Value a = getSwapped(op.getA()), b = getSwapped(op.getB());
    if (!a && !b)
      return rewriter.notifyMatchFailure(op, "no operand swaps its last two axes");
    rewriter.replaceOpWithNewOp<MatmulOp>(op, a ? a : op.getA(), b ? b : op.getB(),
                                          op.getTransposeA() != static_cast<bool>(a),
                                          op.getTransposeB() != static_cast<bool>(b));
    return success();
  }
};

} // namespace

void MatmulOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<AbsorbTranspose>(context);
}

//===--------------------------------------------------------------------------------------===//
// Convolutions
//===--------------------------------------------------------------------------------------===//

/// Two types of floats are refused as such; other element types are refused by the operation's declaration.
static LogicalResult verifyFloats(OptionalLocation loc, Value x, Value y) {
  bool areFloats = isa<FloatType>(getElementTypeOrSelf(x)) && isa<FloatType>(getElementTypeOrSelf(y));
  return areFloats ? verifyElementTypes(loc, x, y) : success();
}

/// Infers the shape of a convolution's result; conv2d_c1 to conv2d_c4.
template <typename Adaptor>
static FailureOr<Shape> inferConvolution(OptionalLocation loc, Adaptor adaptor, RankedTensorType image,
                                         RankedTensorType kernel) {
  if (image.getRank() != 4 || kernel.getRank() != 4)
    return emitOptionalError(loc, "conv2d needs an image and a kernel of four axes, but has ", image, " and ", kernel);
  int64_t group = adaptor.getGroup();
  if (group < 1 || image.getDimSize(1) != kernel.getDimSize(1) * group) {
    std::string groups = group == 1 ? "" : (" in " + Twine(group) + " groups").str();
    return emitOptionalError(loc, "conv2d: image ", image, " has ", image.getDimSize(1), " channels, but kernel ",
                             kernel, groups, " takes ", kernel.getDimSize(1) * group);
  }
  if (kernel.getDimSize(0) % group != 0)
    return emitOptionalError(loc, "conv2d: ", kernel.getDimSize(0), " output channels of kernel ", kernel,
                             " do not part into ", group, " groups");
  Window window =
      Window::get(kernel.getShape().take_back(2), adaptor.getStride(), adaptor.getPad(), adaptor.getDilation());
  FailureOr<Shape> places = window.infer(loc, "conv2d", image);
  if (failed(places))
    return failure();
  return Shape{image.getDimSize(0), kernel.getDimSize(0), (*places)[0], (*places)[1]};
}

LogicalResult Conv2DOp::inferReturnTypes(MLIRContext *, OptionalLocation loc, Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  if (failed(verifyFloats(loc, adaptor.getX(), adaptor.getWeight())))
    return failure();
  RankedTensorType image = tensorType(adaptor.getX());
  FailureOr<Shape> shape = inferConvolution(loc, adaptor, image, tensorType(adaptor.getWeight()));
  if (failed(shape))
    return failure();
  types.push_back(image.clone(*shape));
  return success();
}

/// Checks that an adjoint has the shape of the convolution's result.
static LogicalResult checkAdjoint(OptionalLocation loc, FailureOr<Shape> shape, RankedTensorType dy) {
  if (failed(shape))
    return failure();
  if (ArrayRef(*shape) == dy.getShape())
    return success();
  return emitOptionalError(loc, "the convolution yields ", dy.clone(*shape), ", but its adjoint is ", dy);
}

LogicalResult Conv2DInputGradOp::inferReturnTypes(MLIRContext *, OptionalLocation loc, Adaptor adaptor,
                                                  SmallVectorImpl<Type> &types) {
  if (failed(verifyFloats(loc, adaptor.getDy(), adaptor.getWeight())))
    return failure();
  RankedTensorType dy = tensorType(adaptor.getDy());
  RankedTensorType image = dy.clone(adaptor.getInputShape());
  types.push_back(image);
  return checkAdjoint(loc, inferConvolution(loc, adaptor, image, tensorType(adaptor.getWeight())), dy);
}

LogicalResult Conv2DWeightGradOp::inferReturnTypes(MLIRContext *, OptionalLocation loc, Adaptor adaptor,
                                                   SmallVectorImpl<Type> &types) {
  if (failed(verifyFloats(loc, adaptor.getX(), adaptor.getDy())))
    return failure();
  RankedTensorType dy = tensorType(adaptor.getDy());
  RankedTensorType kernel = dy.clone(adaptor.getWeightShape());
  types.push_back(kernel);
  return checkAdjoint(loc, inferConvolution(loc, adaptor, tensorType(adaptor.getX()), kernel), dy);
}

} // namespace plumb::net
