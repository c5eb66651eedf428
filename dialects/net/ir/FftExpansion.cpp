// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The discrete Fourier transform as matrix products.
//
// Of a length n = p q the transform is one of length p of columns, a multiplication by roots of unity and one of length
// q of rows (Cooley and Tukey, 1965):
//
//   x[q j + l]  =>  y[i, l] = sum of x[q j + l] w_p^(i j)  =>  z[i, l] = w_n^(i l) y[i, l]  =>  X[i + p k] = sum of
//   z[i, l] w_q^(l k)
//
// A length of at most kDense is a product with the matrix of the roots, so that n = 2^20 takes four products with
// matrices of 32 rows, and the constants are as long as n. A prime length beyond that is a convolution with a chirp, by
// transforms of a power of two at least twice as long (Bluestein, 1970). Roots are computed in double precision. The
// adjoint of each step is that of a product or a movement, and together they are a transform again.

#include "dialects/net/ir/AdjointBuilder.h"
#include "dialects/net/ir/Folding.h"
#include "dialects/net/ir/Inference.h"
#include "dialects/net/ir/NetBinaryOps.h"
#include "dialects/net/ir/NetConstantOps.h"
#include "dialects/net/ir/NetContractionOps.h"
#include "dialects/net/ir/NetMathOps.h"
#include "dialects/net/ir/NetShapeOps.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <complex>

using namespace mlir;

namespace plumb::net {

using Numbers = std::vector<std::complex<double>>;

/// The longest transform by one product, and the most rows of the first of several.
constexpr int64_t kDense = 64, kRows = 32;

/// e^(±2 pi i k / n), with k taken modulo n first, and to the nearest half circle, so that no bit is lost.
static std::complex<double> getRoot(int64_t k, int64_t n, bool inverse) {
  k %= n;
  if (2 * k > n)
    k -= n;
  double angle = 2 * M_PI * static_cast<double>(k) / static_cast<double>(n);
  return {std::cos(angle), inverse ? std::sin(angle) : -std::sin(angle)};
}

/// The transform of constants of a power of two.
static void transform(Numbers &numbers) {
  size_t n = numbers.size();
  if (n == 1)
    return;
  Numbers even, odd;
  for (size_t i = 0; i < n; i += 2) {
    even.push_back(numbers[i]);
    odd.push_back(numbers[i + 1]);
  }
  transform(even);
  transform(odd);
  for (size_t i = 0; i < n / 2; ++i) {
    std::complex<double> other = getRoot(i, n, /*inverse=*/false) * odd[i];
    numbers[i] = even[i] + other;
    numbers[i + n / 2] = even[i] - other;
  }
}

/// The extent of the columns to begin with: the largest divisor up to kRows, else the smallest up to kDense, else 1.
static int64_t getColumnExtent(int64_t n) {
  for (int64_t extent = kRows; extent > 1; --extent)
    if (n % extent == 0)
      return extent;
  for (int64_t extent = kRows + 1; extent <= kDense; ++extent)
    if (n % extent == 0)
      return extent;
  return 1;
}

namespace {

/// A complex tensor as two real ones of one shape.
struct Parts {
  Value re, im;
};

/// Transforms of the last axis of tensors of two axes.
class FftBuilder : public AdjointBuilder {
public:
  FftBuilder(Location loc, OpBuilder &builder, Type element, bool inverse)
      : AdjointBuilder(loc, builder), element(element), inverse(inverse) {}

  /// The transform of one axis of a tensor of any shape.
  Parts transformAxis(Parts z, int64_t axis);

private:
  Parts transformRows(Parts z);
  Parts transformDense(Parts z);
  Parts transformByColumns(Parts z, int64_t columns);
  Parts transformByChirp(Parts z);
  Parts makeConstant(ArrayRef<int64_t> shape, const Numbers &numbers);
  Parts makeRoots(int64_t rows, int64_t columns, int64_t n);
  Parts pad(Parts z, int64_t count);
  Parts multiply(Parts a, Parts b);
  Parts multiplyMatrices(Parts a, Parts b);
  static bool isReal(Parts z);
  Parts reshape(Parts z, ArrayRef<int64_t> shape);
  Parts transpose(Parts z, ArrayRef<int64_t> perm);
  using AdjointBuilder::reshape;
  using AdjointBuilder::transpose;

  int64_t countRows(Parts z) { return tensorType(z.re).getDimSize(0); }
  int64_t getLength(Parts z) { return tensorType(z.re).getDimSize(1); }

  Type element;
  bool inverse;
};

} // namespace

Parts FftBuilder::reshape(Parts z, ArrayRef<int64_t> shape) { return {reshape(z.re, shape), reshape(z.im, shape)}; }
Parts FftBuilder::transpose(Parts z, ArrayRef<int64_t> perm) { return {transpose(z.re, perm), transpose(z.im, perm)}; }

Parts FftBuilder::makeConstant(ArrayRef<int64_t> shape, const Numbers &numbers) {
  auto type = RankedTensorType::get(shape, element);
  auto make = [&](auto zero, bool imaginary) -> Value {
    SmallVector<decltype(zero)> part;
    part.reserve(numbers.size());
    for (std::complex<double> number : numbers)
      part.push_back(static_cast<decltype(zero)>(imaginary ? number.imag() : number.real()));
    return ConstantOp::create(*this, DenseElementsAttr::get(type, ArrayRef(part)));
  };
  if (element.isF32())
    return {make(0.0f, false), make(0.0f, true)};
  return {make(0.0, false), make(0.0, true)};
}

/// Whether the imaginary part is known to be zero.
bool FftBuilder::isReal(Parts z) {
  auto constant = z.im.getDefiningOp<ConstantOp>();
  return constant && isSplatOf(constant.getValue(), 0);
}

Parts FftBuilder::multiply(Parts a, Parts b) {
  return {sub(mul(a.re, b.re), mul(a.im, b.im)), add(mul(a.re, b.im), mul(a.im, b.re))};
}

/// w_n^(row · column).
Parts FftBuilder::makeRoots(int64_t rows, int64_t columns, int64_t n) {
  Numbers roots;
  roots.reserve(rows * columns);
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column)
      roots.push_back(getRoot(row * column, n, inverse));
  return makeConstant({rows, columns}, roots);
}

Parts FftBuilder::multiplyMatrices(Parts a, Parts b) {
  auto multiply = [&](Value x, Value y) { return matmul(x, y, /*transposeA=*/false, /*transposeB=*/false); };
  // Real numbers are transformed with half the work.
  if (isReal(a))
    return {multiply(a.re, b.re), multiply(a.re, b.im)};
  if (isReal(b))
    return {multiply(a.re, b.re), multiply(a.im, b.re)};
  return {sub(multiply(a.re, b.re), multiply(a.im, b.im)), add(multiply(a.re, b.im), multiply(a.im, b.re))};
}

Parts FftBuilder::transformDense(Parts z) {
  int64_t n = getLength(z);
  return multiplyMatrices(z, makeRoots(n, n, n));
}

Parts FftBuilder::transformByColumns(Parts z, int64_t columns) {
  int64_t rows = countRows(z), n = getLength(z), rest = n / columns;
  Value re = reshape(z.re, {rows, columns, rest});
  Parts folded = {re, isReal(z) ? zeros(re.getType()) : reshape(z.im, {rows, columns, rest})};
  Parts first = multiplyMatrices(makeRoots(columns, columns, columns), folded);
  Parts second = reshape(multiply(first, makeRoots(columns, rest, n)), {rows * columns, rest});
  Parts third = reshape(transformRows(second), {rows, columns, rest});
  return reshape(transpose(third, {0, 2, 1}), {rows, n});
}

Parts FftBuilder::pad(Parts z, int64_t count) {
  auto extend = [&](Value x) -> Value {
    return PadOp::create(*this, x, ArrayRef<int64_t>{0, 0}, ArrayRef<int64_t>{0, count}, llvm::APFloat(0.0));
  };
  return {extend(z.re), extend(z.im)};
}

/// With the chirp c[j] = w^(j^2 / 2): X[k] = c[k] · sum of (x[j] c[j]) / c[k - j], since j k = (j^2 + k^2 - (k - j)^2)
/// / 2.
Parts FftBuilder::transformByChirp(Parts z) {
  int64_t rows = countRows(z), n = getLength(z), length = llvm::PowerOf2Ceil(2 * n - 1);
  Numbers chirp(n), filter(length);
  for (int64_t j = 0; j < n; ++j) {
    chirp[j] = getRoot(j * j % (2 * n), 2 * n, inverse);
    filter[j] = filter[(length - j) % length] = std::conj(chirp[j]) / static_cast<double>(length);
  }
  net::transform(filter);
  Parts chirps = makeConstant({1, n}, chirp);
  bool outer = std::exchange(inverse, false);
  Parts product = multiply(transformRows(pad(multiply(z, chirps), length - n)), makeConstant({1, length}, filter));
  inverse = true;
  Parts convolved = transformRows(product);
  inverse = outer;
  auto take = [&](Value x) -> Value {
    return SliceOp::create(*this, x, ArrayRef<int64_t>{0, 0}, ArrayRef<int64_t>{rows, n}, ArrayRef<int64_t>{1, 1});
  };
  return multiply(Parts{take(convolved.re), take(convolved.im)}, chirps);
}

Parts FftBuilder::transformRows(Parts z) {
  int64_t n = getLength(z);
  if (n == 1)
    return z;
  if (n <= kDense)
    return transformDense(z);
  int64_t columns = getColumnExtent(n);
  return columns > 1 ? transformByColumns(z, columns) : transformByChirp(z);
}

Parts FftBuilder::transformAxis(Parts z, int64_t axis) {
  RankedTensorType type = tensorType(z.re);
  int64_t last = type.getRank() - 1, n = type.getDimSize(axis);
  Shape perm = llvm::to_vector(llvm::seq<int64_t>(0, last + 1));
  std::swap(perm[axis], perm[last]);
  Shape moved = llvm::map_to_vector(perm, [&](int64_t from) { return type.getDimSize(from); });
  Shape flat = {type.getNumElements() / n, n};
  auto arrange = [&](Value x) { return reshape(axis == last ? x : transpose(x, perm), flat); };
  // Real numbers stay known as such.
  Value im = isReal(z) ? zeros(type.clone(flat)) : arrange(z.im);
  Parts result = reshape(transformRows({arrange(z.re), im}), moved);
  return axis == last ? result : transpose(result, perm);
}

FailureOr<SmallVector<Value>> FftOp::expand(OpBuilder &builder, ValueRange operand) {
  Value re = operand[0];
  RankedTensorType type = tensorType(re);
  FftBuilder b(getLoc(), builder, type.getElementType(), getInverse());
  Parts z = {re, operand.size() == 2 ? operand[1] : b.zeros(type)};
  if (type.getNumElements() > 0)
    for (int64_t axis : getAxes())
      z = b.transformAxis(z, normalizeAxis(axis, type.getRank()));
  return SmallVector<Value>{z.re, z.im};
}

} // namespace plumb::net
