// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix products and convolutions as sums of products with affine maps. Pads and the spacing
// of strides become tensors of their own first, so that each contraction's reads stay in
// bounds; groups become an axis by expanding shapes.
//
//   conv2d              y[n,o,h,w]  = Σ c,i,j  X[n,c, h·s+i·d, w·s+j·d] · K[o,c,i,j]
//   conv2d_input_grad   X'[n,c, h+i, w+j] += y'[n,o,h,w] · K[o,c,i,j]   where that is less work
//                       x'[n,c,h,w] = Σ o,i,j  Y[n,o, h+(I-1-i)·d, …] · K[o,c,i,j]         otherwise
//   conv2d_weight_grad  k'[o,c,i,j] = Σ n,h,w  X[n,c, h·s+i·d, …] · y'[n,o,h,w]
//
// X is the padded image, X' its adjoint, Y the result's adjoint spaced by the stride and padded. The scattering form of
// conv2d_input_grad multiplies no padding zeros; code generation reads it as the gathering over what exists.

#include "dialects/net/ir/Folding.h"
#include "dialects/net/ir/Inference.h"
#include "dialects/net/ir/Lowering.h"
#include "dialects/net/ir/NetContractionOps.h"

using namespace mlir;

namespace plumb::net {

//===--------------------------------------------------------------------------------------===//
// MatmulOp
//===--------------------------------------------------------------------------------------===//

LoweredValues MatmulOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  LoweringBuilder b(getLoc(), builder);
  // Dims: batches, rows, columns, inner.
  unsigned batches = getType().getRank() - 2, dims = batches + 3;
  AffineExpr row = b.dim(batches), column = b.dim(batches + 1), inner = b.dim(batches + 2);
  auto mapOf = [&](Value x, AffineExpr first, AffineExpr second) {
    ArrayRef<int64_t> shape = tensorType(x).getShape().drop_back(2);
    SmallVector<AffineExpr> results;
    for (auto [i, extent] : llvm::enumerate(shape)) {
      unsigned batch = batches - shape.size() + i;
      bool repeats = extent == 1 && getType().getDimSize(batch) != 1;
      results.push_back(repeats ? b.getAffineConstantExpr(0) : b.dim(batch));
    }
    results.append({first, second});
    return b.map(dims, results);
  };
  AffineMap left = getTransposeA() ? mapOf(operands[0], inner, row) : mapOf(operands[0], row, inner);
  AffineMap right =
      getTransposeB() ? mapOf(operands[1], column, inner) : mapOf(operands[1], inner, column);
  AffineMap result = AffineMap::getMinorIdentityMap(dims, dims, b.getContext());
  result = result.getMajorSubMap(batches + 2);
  return lowered(b.contract(operands[0], operands[1], getType(), {left, right, result}));
}

//===--------------------------------------------------------------------------------------===//
// Convolutions
//===--------------------------------------------------------------------------------------===//

namespace {

/// What the three lowerings share: extents, the window and the split of channels into groups.
struct Convolution {
  Window window;
  int64_t group;
  /// [batch, channels, rows, columns] of image and result; [out, in, rows, columns] of kernel.
  Shape image, kernel, result;

  template <typename Op>
  static Convolution get(Op op, Value image, Value kernel, Value result) {
    ArrayRef<int64_t> kernelShape = tensorType(kernel).getShape();
    Window window = Window::get(kernelShape.take_back(2), op.getStride(), op.getPad(),
                                op.getDilation());
    return {window, static_cast<int64_t>(op.getGroup()), Shape(tensorType(image).getShape()),
            Shape(kernelShape), Shape(tensorType(result).getShape())};
  }

  /// Splits axis `axis` of `x` into [group, extent / group] if there are groups.
  Value split(LoweringBuilder &b, Value x, unsigned axis) const {
    return group == 1 ? x : b.reshape(x, splitShape(tensorType(x).getShape(), axis));
  }
  Shape splitShape(ArrayRef<int64_t> from, unsigned axis) const {
    Shape shape(from);
    if (group == 1)
      return shape;
    shape[axis] /= group;
    shape.insert(shape.begin() + axis, group);
    return shape;
  }

  /// The image within its pads.
  Value pad(LoweringBuilder &b, Value x) const {
    RankedTensorType type = tensorType(x);
    Shape shape(type.getShape());
    for (unsigned dim : {0u, 1u})
      shape[2 + dim] += window.pad[2 * dim] + window.pad[2 * dim + 1];
    return b.surround(x, type.clone(shape), {0, 0, window.pad[0], window.pad[2]}, {1, 1, 1, 1},
                      scalarOf(type.getElementType(), 0));
  }

  /// The adjoint spaced by the stride, as tall and wide as the backward contraction reads.
  Value space(LoweringBuilder &b, Value dy) const {
    RankedTensorType type = tensorType(dy);
    Shape full(type.getShape()), offsets(4, 0), skipped(4, 0), sizes(type.getShape());
    for (unsigned dim : {0u, 1u}) {
      unsigned axis = 2 + dim;
      int64_t stride = window.stride[dim];
      full[axis] = image[axis] + window.reach(dim) - 1;
      // Where the first element lands; before zero, or past the end, elements touch pads only.
      int64_t first = window.reach(dim) - 1 - window.pad[2 * dim];
      skipped[axis] = first < 0 ? (-first + stride - 1) / stride : 0;
      offsets[axis] = first + skipped[axis] * stride;
      int64_t room = full[axis] - offsets[axis];
      int64_t fitting = room <= 0 ? 0 : (room + stride - 1) / stride;
      sizes[axis] = std::max<int64_t>(0, std::min(sizes[axis] - skipped[axis], fitting));
    }
    TypedAttr zero = scalarOf(type.getElementType(), 0);
    if (llvm::is_contained(sizes, 0))
      return b.filled(type.clone(full), zero);
    Value kept = ArrayRef(sizes) == type.getShape() ? dy
                                                    : b.extract(dy, skipped, sizes, {1, 1, 1, 1});
    return b.surround(kept, type.clone(full), offsets,
                      {1, 1, window.stride[0], window.stride[1]}, zero);
  }
};

/// Names loop dims in the order they are asked for, so that maps read like the formulas above.
struct Dims {
  LoweringBuilder &b;
  unsigned count = 0;
  AffineExpr next() { return b.dim(count++); }
};

/// Result list that has the group's dim at `axis` if there are groups.
SmallVector<AffineExpr> grouped(ArrayRef<AffineExpr> exprs, AffineExpr group, unsigned axis) {
  SmallVector<AffineExpr> results(exprs);
  if (group)
    results.insert(results.begin() + axis, group);
  return results;
}

} // namespace

LoweredValues Conv2DOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  LoweringBuilder b(getLoc(), builder);
  Convolution c = Convolution::get(*this, operands[0], operands[1], getResult());
  const Window &w = c.window;
  Dims dims{b};
  AffineExpr n = dims.next(), g = c.group == 1 ? AffineExpr() : dims.next();
  AffineExpr o = dims.next(), y = dims.next(), x = dims.next();
  AffineExpr ch = dims.next(), i = dims.next(), j = dims.next();
  AffineExpr row = y * w.stride[0] + i * w.dilation[0], col = x * w.stride[1] + j * w.dilation[1];
  SmallVector<AffineMap> maps = {b.map(dims.count, grouped({n, ch, row, col}, g, 1)),
                                 b.map(dims.count, grouped({o, ch, i, j}, g, 0)),
                                 b.map(dims.count, grouped({n, o, y, x}, g, 1))};
  Value image = c.split(b, c.pad(b, operands[0]), 1), kernel = c.split(b, operands[1], 0);
  Value result = b.contract(image, kernel, getType().clone(c.splitShape(c.result, 1)), maps);
  return lowered(b.reshape(result, c.result));
}

/// The adjoint of an image whose windows are one apart, scattered to by every window.
static Value scatterToImage(LoweringBuilder &b, const Convolution &c, Value dy, Value kernel) {
  RankedTensorType type = tensorType(dy);
  Shape padded(c.image);
  for (unsigned dim : {0u, 1u})
    padded[2 + dim] += c.window.pad[2 * dim] + c.window.pad[2 * dim + 1];
  Dims dims{b};
  AffineExpr n = dims.next(), g = c.group == 1 ? AffineExpr() : dims.next();
  AffineExpr ch = dims.next(), y = dims.next(), x = dims.next();
  AffineExpr o = dims.next(), i = dims.next(), j = dims.next();
  SmallVector<AffineMap> maps = {b.map(dims.count, grouped({n, o, y, x}, g, 1)),
                                 b.map(dims.count, grouped({o, ch, i, j}, g, 0)),
                                 b.map(dims.count, grouped({n, ch, y + i, x + j}, g, 1))};
  Value sum = b.contract(c.split(b, dy, 1), c.split(b, kernel, 0), type.clone(c.splitShape(padded, 1)), maps);
  sum = b.reshape(sum, padded);
  if (padded == c.image)
    return sum;
  return b.extract(sum, {0, 0, c.window.pad[0], c.window.pad[2]}, c.image, {1, 1, 1, 1});
}

LoweredValues Conv2DInputGradOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  LoweringBuilder b(getLoc(), builder);
  Convolution c = Convolution::get(*this, getResult(), operands[1], operands[0]);
  const Window &w = c.window;
  // Gathering visits every element of the image, scattering every element of the adjoint; with pads that keep the extent
  // they are as many, and a slice less is to be copied.
  auto isOne = [](int64_t number) { return number == 1; };
  bool saves = c.image[2] * c.image[3] > c.result[2] * c.result[3];
  if (saves && llvm::all_of(w.stride, isOne) && llvm::all_of(w.dilation, isOne))
    return lowered(scatterToImage(b, c, operands[0], operands[1]));
  Dims dims{b};
  AffineExpr n = dims.next(), g = c.group == 1 ? AffineExpr() : dims.next();
  AffineExpr ch = dims.next(), y = dims.next(), x = dims.next();
  AffineExpr o = dims.next(), i = dims.next(), j = dims.next();
  AffineExpr row = y + (-i + (w.kernel[0] - 1)) * w.dilation[0];
  AffineExpr col = x + (-j + (w.kernel[1] - 1)) * w.dilation[1];
  SmallVector<AffineMap> maps = {b.map(dims.count, grouped({n, o, row, col}, g, 1)),
                                 b.map(dims.count, grouped({o, ch, i, j}, g, 0)),
                                 b.map(dims.count, grouped({n, ch, y, x}, g, 1))};
  Value dy = c.split(b, c.space(b, operands[0]), 1), kernel = c.split(b, operands[1], 0);
  Value result = b.contract(dy, kernel, getType().clone(c.splitShape(c.image, 1)), maps);
  return lowered(b.reshape(result, c.image));
}

LoweredValues Conv2DWeightGradOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  LoweringBuilder b(getLoc(), builder);
  Convolution c = Convolution::get(*this, operands[0], getResult(), operands[1]);
  const Window &w = c.window;
  Dims dims{b};
  AffineExpr g = c.group == 1 ? AffineExpr() : dims.next();
  AffineExpr o = dims.next(), ch = dims.next(), i = dims.next(), j = dims.next();
  AffineExpr n = dims.next(), y = dims.next(), x = dims.next();
  AffineExpr row = y * w.stride[0] + i * w.dilation[0], col = x * w.stride[1] + j * w.dilation[1];
  SmallVector<AffineMap> maps = {b.map(dims.count, grouped({n, ch, row, col}, g, 1)),
                                 b.map(dims.count, grouped({n, o, y, x}, g, 1)),
                                 b.map(dims.count, grouped({o, ch, i, j}, g, 0))};
  Value image = c.split(b, c.pad(b, operands[0]), 1), dy = c.split(b, operands[1], 1);
  Value result = b.contract(image, dy, getType().clone(c.splitShape(c.kernel, 0)), maps);
  return lowered(b.reshape(result, c.kernel));
}

} // namespace plumb::net
