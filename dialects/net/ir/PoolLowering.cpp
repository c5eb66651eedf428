// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pooling. Forward: a reduction over the window's places. Backward without scattering: where
// windows do not overlap, each place of a window is an axis of the image and one elementwise
// generic writes the whole adjoint; otherwise each place of the window is a strided slice of
// the image, to which its share is added in turn.

#include "dialects/net/ir/Folding.h"
#include "dialects/net/ir/Inference.h"
#include "dialects/net/ir/Lowering.h"
#include "dialects/net/ir/NetPoolOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

namespace plumb::net {
namespace {

/// An image, the windows over it and the builder that lowers them.
struct Pooling {
  LoweringBuilder &b;
  Window window;
  RankedTensorType image, pooled;

  template <typename Op> static Pooling get(LoweringBuilder &b, Op op, Value image, Value pooled) {
    return {b, Window::get(op.getKernel(), op.getStride(), op.getPad(), {1}), tensorType(image), tensorType(pooled)};
  }

  Type element() const { return image.getElementType(); }

  /// The image's type within its pads, cut or grown to what windows of stride `stride` read.
  RankedTensorType paddedType() const {
    Shape shape(image.getShape());
    for (unsigned dim : {0u, 1u})
      shape[2 + dim] += window.pad[2 * dim] + window.pad[2 * dim + 1];
    return image.clone(shape);
  }

  Value pad(Value x, TypedAttr number) const {
    return b.surround(x, paddedType(), {0, 0, window.pad[0], window.pad[2]}, {1, 1, 1, 1}, number);
  }

  /// Reduces each window; `body` gets (element, window place holder, elements of `perWindow`…, accumulators…).
  SmallVector<Value> reduce(Value padded, ValueRange initials, LoweringBuilder::Bodies body,
                            ValueRange perWindow = {}) const {
    AffineExpr n = b.dim(0), c = b.dim(1), y = b.dim(2), x = b.dim(3), i = b.dim(4), j = b.dim(5);
    AffineMap read = b.map(6, {n, c, y * window.stride[0] + i, x * window.stride[1] + j});
    // The second input has no contents: its shape alone bounds the window's dims.
    SmallVector<Value> inputs = {padded, b.empty(RankedTensorType::get(window.kernel, element()))};
    llvm::append_range(inputs, perWindow);
    SmallVector<AffineMap> maps = {read, b.map(6, {i, j})};
    maps.append(perWindow.size() + initials.size(), b.map(6, {n, c, y, x}));
    return b.generic(inputs, initials, maps, body);
  }

  /// The number of the place in its window that the body of `reduce` is at, rows before columns.
  Value placeInWindow(ScalarBuilder &s) const {
    Type i32 = s.getI32Type();
    Value row = arith::IndexCastOp::create(s, i32, linalg::IndexOp::create(s, 4));
    Value column = arith::IndexCastOp::create(s, i32, linalg::IndexOp::create(s, 5));
    return s.add(s.mul(row, s.number(i32, static_cast<double>(window.kernel[1]))), column);
  }

  /// Whether windows are adjacent, without overlap or pads.
  bool partitions() const {
    return window.stride == window.kernel && llvm::all_of(window.pad, [](int64_t p) { return !p; });
  }

  /// Computes the image's adjoint from per-window tensors. `share` gets the scalars of `inputs`
  /// and the place's number, and yields what that place of the window receives.
  using Share = llvm::function_ref<Value(ScalarBuilder &, ValueRange, Value place)>;
  Value spread(ValueRange inputs, Share share) const {
    return partitions() ? spreadApart(inputs, share) : spreadInTurn(inputs, share);
  }

private:
  Value spreadApart(ValueRange inputs, Share share) const {
    ArrayRef<int64_t> p = pooled.getShape();
    int64_t rows = window.kernel[0], columns = window.kernel[1];
    AffineMap perWindow = b.map(6, {b.dim(0), b.dim(1), b.dim(2), b.dim(4)});
    SmallVector<AffineMap> maps(inputs.size(), perWindow);
    maps.push_back(b.getMultiDimIdentityMap(6));
    auto body = [&](ScalarBuilder &s, ValueRange v) {
      Type i32 = s.getI32Type();
      Value i = arith::IndexCastOp::create(s, i32, linalg::IndexOp::create(s, 3));
      Value j = arith::IndexCastOp::create(s, i32, linalg::IndexOp::create(s, 5));
      Value place = s.add(s.mul(i, s.number(i32, columns)), j);
      return SmallVector<Value>{share(s, v.drop_back(), place)};
    };
    auto split = image.clone({p[0], p[1], p[2], rows, p[3], columns});
    Value result = b.generic(inputs, b.empty(split), maps, body).front();
    // Rows and columns that no window reaches stay zero.
    result = b.reshape(result, {p[0], p[1], p[2] * rows, p[3] * columns});
    return b.surround(result, image, {0, 0, 0, 0}, {1, 1, 1, 1}, scalarOf(element(), 0));
  }

  Value spreadInTurn(ValueRange inputs, Share share) const {
    Value sum = b.filled(paddedType(), 0.0);
    Shape strides = {1, 1, window.stride[0], window.stride[1]};
    for (int64_t place = 0; place < window.kernel[0] * window.kernel[1]; ++place) {
      Shape offsets = {0, 0, place / window.kernel[1], place % window.kernel[1]};
      Value slice = b.extract(sum, offsets, pooled.getShape(), strides);
      SmallVector<Value> all(inputs);
      all.push_back(slice);
      Value added = b.elementwise(all, pooled, [&](ScalarBuilder &s, ValueRange v) {
        Value number = s.number(s.getI32Type(), static_cast<double>(place));
        return s.add(v.back(), share(s, v.drop_back(), number));
      });
      sum = b.insert(added, sum, offsets, strides);
    }
    if (paddedType() == image)
      return sum;
    return b.extract(sum, {0, 0, window.pad[0], window.pad[2]}, image.getShape(), {1, 1, 1, 1});
  }
};

/// How many elements of the image each window of an average counts, as a constant tensor of
/// shape [rows, columns].
Value countElements(Pooling &p) {
  ArrayRef<int64_t> shape = p.pooled.getShape().take_back(2);
  auto along = [&](unsigned dim, int64_t at) {
    int64_t first = at * p.window.stride[dim] - p.window.pad[2 * dim];
    int64_t last = std::min(first + p.window.kernel[dim], p.image.getDimSize(2 + dim));
    return last - std::max<int64_t>(first, 0);
  };
  SmallVector<Attribute> counts;
  for (int64_t y = 0; y < shape[0]; ++y)
    for (int64_t x = 0; x < shape[1]; ++x)
      counts.push_back(scalarOf(p.element(), static_cast<double>(along(0, y) * along(1, x))));
  auto type = RankedTensorType::get(shape, p.element());
  return arith::ConstantOp::create(p.b, DenseElementsAttr::get(type, counts));
}

/// Divides window sums, or their adjoints, by the counts.
Value average(Pooling &p, Value sums, bool countPads) {
  auto divide = [&](ScalarBuilder &s, ValueRange v) {
    double all = static_cast<double>(p.window.kernel[0] * p.window.kernel[1]);
    return s.div(v[0], countPads ? s.number(p.element(), all) : v[1]);
  };
  SmallVector<Value> inputs = {sums};
  if (!countPads)
    inputs.push_back(countElements(p));
  return p.b.elementwise(inputs, p.pooled, divide);
}

} // namespace

LoweredValues MaxPool2DOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  LoweringBuilder b(getLoc(), builder);
  Pooling p = Pooling::get(b, *this, operands[0], getResult());
  TypedAttr least = lowest(p.element());
  return p.reduce(p.pad(operands[0], least), b.filled(p.pooled, least),
                  [](ScalarBuilder &s, ValueRange v) { return SmallVector<Value>{s.maximum(v[0], v[2])}; });
}

/// The place of the first element of each window that equals the window's largest, `y`. NaN
/// equals nothing: a window of NaN has the place past its end, and receives nothing.
static Value findPlaces(Pooling &p, Value x, Value y) {
  LoweringBuilder &b = p.b;
  Value padded = p.pad(x, lowest(p.element()));
  Value start = b.filled(p.pooled.clone(b.getI32Type()), static_cast<double>(p.window.kernel[0] * p.window.kernel[1]));
  auto body = [&](ScalarBuilder &s, ValueRange v) {
    Value best = s.compare(ScalarBuilder::Order::Equal, v[0], v[2]);
    return SmallVector<Value>{s.minimum(v[3], s.select(best, p.placeInWindow(s), v[3]))};
  };
  return p.reduce(padded, start, body, y).front();
}

LoweredValues MaxPool2DGradOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  LoweringBuilder b(getLoc(), builder);
  Pooling p = Pooling::get(b, *this, operands[0], operands[1]);
  Value places = findPlaces(p, operands[0], operands[1]);
  auto share = [](ScalarBuilder &s, ValueRange v, Value place) {
    Value here = s.compare(ScalarBuilder::Order::Equal, v[0], place);
    return s.select(here, v[1], s.number(v[1].getType(), 0));
  };
  return lowered(p.spread({places, operands[2]}, share));
}

LoweredValues MaxPool2DPickOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  LoweringBuilder b(getLoc(), builder);
  Pooling p = Pooling::get(b, *this, operands[0], operands[1]);
  Value padded = p.pad(operands[2], scalarOf(p.element(), 0));
  auto take = [&](ScalarBuilder &s, ValueRange v) {
    Value here = s.compare(ScalarBuilder::Order::Equal, v[2], p.placeInWindow(s));
    return SmallVector<Value>{s.select(here, v[0], v[3])};
  };
  return p.reduce(padded, b.filled(p.pooled, 0.0), take, findPlaces(p, operands[0], operands[1]));
}

LoweredValues AvgPool2DOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  LoweringBuilder b(getLoc(), builder);
  Pooling p = Pooling::get(b, *this, operands[0], getResult());
  Value padded = p.pad(operands[0], scalarOf(p.element(), 0));
  auto sums = p.reduce(padded, b.filled(p.pooled, 0.0),
                       [](ScalarBuilder &s, ValueRange v) { return SmallVector<Value>{s.add(v[2], v[0])}; });
  return lowered(average(p, sums.front(), getCountIncludePad()));
}

LoweredValues AvgPool2DGradOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  LoweringBuilder b(getLoc(), builder);
  Pooling p = Pooling::get(b, *this, getResult(), operands[0]);
  Value shares = average(p, operands[0], getCountIncludePad());
  return lowered(p.spread(shares, [](ScalarBuilder &, ValueRange v, Value) { return v[0]; }));
}

} // namespace plumb::net
