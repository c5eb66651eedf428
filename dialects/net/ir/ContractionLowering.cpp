// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix products and convolutions as sums of products with affine maps. Pads are operations of their own, so that each
// contraction's reads stay in bounds; buffers do not hold them (device.halo). Groups become an axis by expanding
// shapes.
//
//   conv2d              y[n,o,h,w]  = Σ c,i,j  X[n,c, h·s+i·d, w·s+j·d] · K[o,c,i,j]
//   conv2d_input_grad   x'[n,c,h,w] = Σ o,i,j  Y[n,o, h+(I-1-i)·d, …] · K[o,c,i,j]
//   conv2d_weight_grad  k'[o,c,i,j] = Σ n,h,w  X[n,c, h·s+i·d, …] · y'[n,o,h,w]
//
// X is the image within its pads, Y the result's adjoint within pads. With a stride, the image's elements that lie a
// stride apart use the same rows and columns of the kernel: each such phase is a dense gathering with a slice of the
// kernel, put into a slice of the image's adjoint.

#include "dialects/net/ir/Folding.h"
#include "dialects/net/ir/Inference.h"
#include "dialects/net/ir/Lowering.h"
#include "dialects/net/ir/NetContractionOps.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

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
  AffineMap right = getTransposeB() ? mapOf(operands[1], column, inner) : mapOf(operands[1], inner, column);
  AffineMap result = AffineMap::getMinorIdentityMap(dims, dims, b.getContext());
  result = result.getMajorSubMap(batches + 2);
  return lowered(b.contract(operands[0], operands[1], getType(), {left, right, result}));
}

//===--------------------------------------------------------------------------------------===//
// Convolutions
//===--------------------------------------------------------------------------------------===//

namespace {

/// What the three lowerings share: extents, the window and the split of channels into groups. A depthwise convolution
/// is not split: its channels are one loop of all three operands.
struct Convolution {
  Window window;
  int64_t group;
  /// [batch, channels, rows, columns] of image and result; [out, in, rows, columns] of kernel.
  Shape image, kernel, result;

  template <typename Op> static Convolution get(Op op, Value image, Value kernel, Value result) {
    ArrayRef<int64_t> kernelShape = tensorType(kernel).getShape();
    Window window = Window::get(kernelShape.take_back(2), op.getStride(), op.getPad(), op.getDilation());
    return {window, static_cast<int64_t>(op.getGroup()), Shape(tensorType(image).getShape()), Shape(kernelShape),
            Shape(tensorType(result).getShape())};
  }

  bool isDepthwise() const { return group > 1 && group == image[1] && group == kernel[0]; }
  bool isSplit() const { return group > 1 && !isDepthwise(); }

  /// Splits axis `axis` of `x` into [group, extent / group] if channels are split.
  Value split(LoweringBuilder &b, Value x, unsigned axis) const {
    return b.reshape(x, splitShape(tensorType(x).getShape(), axis));
  }
  Shape splitShape(ArrayRef<int64_t> from, unsigned axis) const {
    Shape shape(from);
    if (!isSplit())
      return shape;
    shape[axis] /= group;
    shape.insert(shape.begin() + axis, group);
    return shape;
  }

  /// The same for a kernel, of which a depthwise one is [channels, rows, columns].
  Value splitKernel(LoweringBuilder &b, Value x) const {
    return b.reshape(x, splitKernelShape(tensorType(x).getShape()));
  }
  Shape splitKernelShape(ArrayRef<int64_t> from) const {
    return isDepthwise() ? Shape{from[0], from[2], from[3]} : splitShape(from, 0);
  }

  /// The image, split into groups, within its pads.
  Value pad(LoweringBuilder &b, Value x) const {
    Value image = split(b, x, 1);
    Shape low(tensorType(image).getRank(), 0), high(low);
    for (unsigned dim : {0u, 1u}) {
      low[low.size() - 2 + dim] = window.pad[2 * dim];
      high[high.size() - 2 + dim] = window.pad[2 * dim + 1];
    }
    return b.pad(image, low, high);
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

/// Result list of a kernel, which has a depthwise convolution's one dim of channels once.
SmallVector<AffineExpr> kernelOf(AffineExpr o, AffineExpr ch, AffineExpr i, AffineExpr j, AffineExpr group) {
  return o == ch ? SmallVector<AffineExpr>{o, i, j} : grouped({o, ch, i, j}, group, 0);
}

} // namespace

LoweredValues Conv2DOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  LoweringBuilder b(getLoc(), builder);
  Convolution c = Convolution::get(*this, operands[0], operands[1], getResult());
  const Window &w = c.window;
  Dims dims{b};
  AffineExpr n = dims.next(), g = c.isSplit() ? dims.next() : AffineExpr();
  AffineExpr o = dims.next(), y = dims.next(), x = dims.next();
  AffineExpr ch = c.isDepthwise() ? o : dims.next(), i = dims.next(), j = dims.next();
  AffineExpr row = y * w.stride[0] + i * w.dilation[0], col = x * w.stride[1] + j * w.dilation[1];
  SmallVector<AffineMap> maps = {b.map(dims.count, grouped({n, ch, row, col}, g, 1)),
                                 b.map(dims.count, kernelOf(o, ch, i, j, g)),
                                 b.map(dims.count, grouped({n, o, y, x}, g, 1))};
  Value image = c.pad(b, operands[0]), kernel = c.splitKernel(b, operands[1]);
  Value result = b.contract(image, kernel, getType().clone(c.splitShape(c.result, 1)), maps);
  return lowered(b.reshape(result, c.result));
}

namespace {

/// The elements of an image that lie `stride` apart along one axis, from `first` on. They use every `tapStep`th row of
/// the kernel, and nothing of the others: element q uses row tap + tapStep · t at the adjoint's q + base − t ·
/// spacing.
struct Phase {
  int64_t first, count;
  int64_t tap, tapStep, taps;
  int64_t base, spacing;

  /// The phase of the image's elements from `first` on along `dim`.
  static Phase get(const Convolution &c, unsigned dim, int64_t first) {
    const Window &w = c.window;
    int64_t stride = w.stride[dim], dilation = w.dilation[dim], place = first + w.pad[2 * dim];
    int64_t common = std::gcd(stride, dilation);
    Phase phase{
        first, llvm::divideCeilSigned(c.image[2 + dim] - first, stride), 0, stride / common, 0, 0, dilation / common};
    while (phase.tap < w.kernel[dim] && (place - phase.tap * dilation) % stride != 0)
      ++phase.tap;
    if (phase.tap < w.kernel[dim])
      phase.taps = llvm::divideCeilSigned(w.kernel[dim] - phase.tap, phase.tapStep);
    phase.base = (place - phase.tap * dilation) / stride;
    return phase;
  }

  /// Where the adjoint's pads end and where it is read first: q + (taps − 1 − t) · spacing + start − low.
  int64_t start() const { return base - (taps - 1) * spacing; }
  int64_t low() const { return std::max<int64_t>(0, -start()); }
  int64_t high(int64_t extent) const { return std::max<int64_t>(0, base + count - extent); }
  AffineExpr read(AffineExpr q, AffineExpr tap) const { return q + (-tap + (taps - 1)) * spacing + (start() + low()); }
};

} // namespace

/// The adjoint of the elements of two phases: a gathering, with the kernel backward.
static Value gatherPhases(LoweringBuilder &b, const Convolution &c, Value dy, Value kernel, Phase rows, Phase columns) {
  Dims dims{b};
  AffineExpr n = dims.next(), g = c.isSplit() ? dims.next() : AffineExpr();
  AffineExpr ch = dims.next(), y = dims.next(), x = dims.next();
  AffineExpr o = c.isDepthwise() ? ch : dims.next(), i = dims.next(), j = dims.next();
  SmallVector<AffineMap> maps = {b.map(dims.count, grouped({n, o, rows.read(y, i), columns.read(x, j)}, g, 1)),
                                 b.map(dims.count, kernelOf(o, ch, i, j, g)),
                                 b.map(dims.count, grouped({n, ch, y, x}, g, 1))};
  Value adjoint = c.split(b, dy, 1), taps = kernel;
  unsigned rank = tensorType(adjoint).getRank();
  Shape low(rank, 0), high(rank, 0), sizes = {c.kernel[0], c.kernel[1], rows.taps, columns.taps};
  for (auto [axis, phase] : {std::pair(rank - 2, rows), std::pair(rank - 1, columns)}) {
    low[axis] = phase.low();
    high[axis] = phase.high(tensorType(adjoint).getDimSize(axis));
  }
  if (sizes != c.kernel)
    taps = b.extract(taps, {0, 0, rows.tap, columns.tap}, sizes, {1, 1, rows.tapStep, columns.tapStep});
  Shape shape = {c.image[0], c.image[1], rows.count, columns.count};
  Value sum =
      b.contract(b.pad(adjoint, low, high), c.splitKernel(b, taps), tensorType(dy).clone(c.splitShape(shape, 1)), maps);
  return b.reshape(sum, shape);
}

/// Phases beyond this number are not worth their code where one contraction does it all.
static constexpr int64_t kMaxPhases = 16;

/// Whether each element of the image uses one element of the kernel at most, and there are many phases.
static bool isPatchwise(const Convolution &c) {
  const Window &w = c.window;
  return w.dilation[0] == 1 && w.dilation[1] == 1 && w.kernel[0] <= w.stride[0] && w.kernel[1] <= w.stride[1] &&
         w.kernel[0] * w.kernel[1] > kMaxPhases;
}

/// The adjoint where windows do not overlap: every window's elements, (n, ch, y, i, x, j), are rows and columns of the
/// image in their order, but for what no window covers.
static Value spreadPatches(LoweringBuilder &b, const Convolution &c, Value dy, Value kernel) {
  Dims dims{b};
  AffineExpr n = dims.next(), g = c.isSplit() ? dims.next() : AffineExpr();
  AffineExpr ch = dims.next(), y = dims.next(), i = dims.next(), x = dims.next(), j = dims.next();
  AffineExpr o = c.isDepthwise() ? ch : dims.next();
  SmallVector<AffineMap> maps = {b.map(dims.count, grouped({n, o, y, x}, g, 1)),
                                 b.map(dims.count, kernelOf(o, ch, i, j, g)),
                                 b.map(dims.count, grouped({n, ch, y, i, x, j}, g, 1))};
  const Window &w = c.window;
  Shape patches = {c.image[0], c.image[1], c.result[2], w.kernel[0], c.result[3], w.kernel[1]};
  Value sum =
      b.contract(c.split(b, dy, 1), c.splitKernel(b, kernel), tensorType(dy).clone(c.splitShape(patches, 1)), maps);
  Value spread =
      b.pad(b.reshape(sum, patches), Shape(6, 0), {0, 0, 0, w.stride[0] - w.kernel[0], 0, w.stride[1] - w.kernel[1]});
  Shape covered = {c.image[0], c.image[1], c.result[2] * w.stride[0], c.result[3] * w.stride[1]};
  Shape offsets(4, 0), sizes(c.image), high(4, 0);
  for (unsigned dim : {0u, 1u}) {
    offsets[2 + dim] = w.pad[2 * dim];
    sizes[2 + dim] = std::min(c.image[2 + dim], covered[2 + dim] - w.pad[2 * dim]);
    high[2 + dim] = c.image[2 + dim] - sizes[2 + dim];
  }
  Value image = b.reshape(spread, covered);
  if (sizes != covered)
    image = b.extract(image, offsets, sizes, Shape(4, 1));
  return b.pad(image, Shape(4, 0), high);
}

LoweredValues Conv2DInputGradOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  LoweringBuilder b(getLoc(), builder);
  Convolution c = Convolution::get(*this, getResult(), operands[1], operands[0]);
  if (isPatchwise(c))
    return lowered(spreadPatches(b, c, operands[0], operands[1]));
  int64_t down = c.window.stride[0], across = c.window.stride[1];
  SmallVector<std::pair<Phase, Phase>> phases;
  for (int64_t row = 0; row < std::min(down, c.image[2]); ++row)
    for (int64_t column = 0; column < std::min(across, c.image[3]); ++column) {
      Phase rows = Phase::get(c, 0, row), columns = Phase::get(c, 1, column);
      if (rows.taps > 0 && columns.taps > 0)
        phases.push_back({rows, columns});
    }
  auto gather = [&](auto &phase) { return gatherPhases(b, c, operands[0], operands[1], phase.first, phase.second); };
  if (down == 1 && across == 1)
    return lowered(gather(phases.front()));
  // Elements that use no row of the kernel stay zero.
  bool coversAll = static_cast<int64_t>(phases.size()) == std::min(down, c.image[2]) * std::min(across, c.image[3]);
  Value result = coversAll ? b.empty(getType()) : b.filled(getType(), 0.0);
  for (auto &phase : phases)
    result = b.insert(gather(phase), result, {0, 0, phase.first.first, phase.second.first}, {1, 1, down, across});
  return lowered(result);
}

LoweredValues Conv2DWeightGradOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  LoweringBuilder b(getLoc(), builder);
  Convolution c = Convolution::get(*this, operands[0], getResult(), operands[1]);
  const Window &w = c.window;
  Dims dims{b};
  AffineExpr g = c.isSplit() ? dims.next() : AffineExpr();
  AffineExpr o = dims.next(), ch = c.isDepthwise() ? o : dims.next(), i = dims.next(), j = dims.next();
  AffineExpr n = dims.next(), y = dims.next(), x = dims.next();
  AffineExpr row = y * w.stride[0] + i * w.dilation[0], col = x * w.stride[1] + j * w.dilation[1];
  SmallVector<AffineMap> maps = {b.map(dims.count, grouped({n, ch, row, col}, g, 1)),
                                 b.map(dims.count, grouped({n, o, y, x}, g, 1)),
                                 b.map(dims.count, kernelOf(o, ch, i, j, g))};
  Value image = c.pad(b, operands[0]), dy = c.split(b, operands[1], 1);
  Value result = b.contract(image, dy, getType().clone(c.splitKernelShape(c.kernel)), maps);
  return lowered(b.reshape(result, c.kernel));
}

} // namespace plumb::net
