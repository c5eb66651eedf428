// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that `math` has no operation for, written with others in f64, whatever the elements are: the series cancel.
//
// * ln |Γ(z)|, z ≥ 1/2: Lanczos' sum with g = 7 and nine terms (Lanczos, "A precision approximation of the gamma
//   function", 1964), about 1e-15; around its zeros at one and two by its Taylor series at two, whose factors are ζ(k)
//   − 1 by k. Below by reflection: ln |Γ(x)| = ln |π / sin πx| − ln |Γ(1 − x)|.
// * ψ⁽ⁿ⁾(z), z > 0: a few terms of Σ 1/(z + k)ⁿ⁺¹, and the rest of the sum by Euler and Maclaurin's formula. Elsewhere
//   by reflection: ψ⁽ⁿ⁾(x) = (−1)ⁿ ψ⁽ⁿ⁾(1 − x) − π dⁿ/dxⁿ cot πx, where each derivative of the cotangent is a
//   polynomial in it.
// * erf⁻¹: x by a polynomial in w = −ln(1 − x²) where x is not near one, else in √w (the way of Giles, "Approximating
//   the erfinv function", 2011), about 1e-6; then one step of Halley's iteration, which triples the digits.

#include "dialects/net/ir/Inference.h"
#include "dialects/net/ir/Lowering.h"
#include "dialects/net/ir/NetMathOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>
#include <limits>

using namespace mlir;

namespace plumb::net {
namespace {

using Order = ScalarBuilder::Order;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// Arithmetic on f64 with numbers as operands.
struct Wide {
  ScalarBuilder &s;
  Type type = s.getF64Type();

  Value number(double value) { return s.number(type, value); }
  Value add(Value x, double y) { return s.add(x, number(y)); }
  Value mul(Value x, double y) { return s.mul(x, number(y)); }
  /// y - x, and y / x.
  Value from(double y, Value x) { return s.sub(number(y), x); }
  Value over(double y, Value x) { return s.div(number(y), x); }
  Value log(Value x) { return math::LogOp::create(s, x); }
  Value exp(Value x) { return math::ExpOp::create(s, x); }
  Value abs(Value x) { return math::AbsFOp::create(s, x); }
  Value isEqual(Value x, double y) { return s.compare(Order::Equal, x, number(y)); }
  Value isLess(Value x, double y) { return s.compare(Order::Less, x, number(y)); }
  /// π times the distance from x to the next whole number: its sine and tangent are those of πx, up to the sine's sign.
  Value phase(Value x) {
    Value rest = s.sub(x, Value(math::RoundEvenOp::create(s, x)));
    // Zeros keep their signs.
    return mul(s.select(isLess(abs(x), 0.5), x, rest), M_PI);
  }
  Value polynomial(Value x, ArrayRef<double> factors) {
    Value sum = number(factors.front());
    for (double factor : factors.drop_front())
      sum = add(s.mul(sum, x), factor);
    return sum;
  }
  Value power(Value x, unsigned exponent) {
    Value result = x;
    for (unsigned count = 1; count < exponent; ++count)
      result = s.mul(result, x);
    return result;
  }
};

/// Lowers an op of one operand to `rule(wide, x)` on f64.
template <typename Op, typename Rule> LoweredValues mapWide(Op op, OpBuilder &builder, ValueRange operands, Rule rule) {
  LoweringBuilder b(op, builder);
  Type element = tensorType(op.getResult()).getElementType();
  return lowered(b.elementwise(operands, op.getType(), [&](ScalarBuilder &s, ValueRange v) {
    Wide wide{s};
    return s.cast(rule(wide, s.cast(v[0], wide.type)), element);
  }));
}

//===--------------------------------------------------------------------------------------===//
// The gamma function and its derivatives
//===--------------------------------------------------------------------------------------===//

constexpr double kLanczos[] = {0.99999999999980993,  676.5203681218851,     -1259.1392167224028,
                               771.32342877765313,   -176.61502916214059,   12.507343278686905,
                               -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7};
constexpr double kLanczosShift = 7.5;

/// ln Γ(z) for z ≥ 1/2, but near one and two.
Value lanczos(Wide &w, Value z) {
  Value x = w.add(z, -1), sum = w.number(kLanczos[0]);
  for (auto [index, factor] : llvm::enumerate(ArrayRef(kLanczos).drop_front()))
    sum = w.s.add(sum, w.over(factor, w.add(x, static_cast<double>(index + 1))));
  Value t = w.add(x, kLanczosShift);
  Value power = w.s.sub(w.s.mul(w.add(z, -0.5), w.log(t)), t);
  Value result = w.add(w.s.add(power, w.log(sum)), 0.5 * std::log(2 * M_PI));
  return w.s.select(w.isEqual(z, kInfinity), z, result);
}

/// The sum of 1/nᵏ from n = 2 on: the first terms, and the rest by Euler and Maclaurin's formula.
double zetaLessOne(unsigned k) {
  constexpr double last = 100;
  double order = k, sum = 0;
  for (double n = last; n >= 2; --n)
    sum += std::pow(n, -order);
  double term = std::pow(last, 1 - order);
  sum += term / (order - 1) - term / last / 2 + order * term / (12 * last * last);
  return sum - order * (order + 1) * (order + 2) * term / (720 * std::pow(last, 4));
}

/// ln Γ(2 + e) for |e| ≤ 1/2.
Value aroundTwo(Wide &w, Value e) {
  constexpr double gamma = 0.57721566490153286;
  SmallVector<double> factors;
  for (unsigned k = 27; k >= 2; --k)
    factors.push_back((k % 2 == 0 ? 1 : -1) * zetaLessOne(k) / k);
  factors.append({1 - gamma, 0});
  return w.polynomial(e, factors);
}

/// ln Γ(z) for z ≥ 1/2.
Value logGammaRight(Wide &w, Value z) {
  Value nearOne = w.isLess(z, 1.5);
  Value e = w.s.select(nearOne, w.add(z, -1), w.add(z, -2));
  Value two = aroundTwo(w, e);
  Value one = w.s.sub(two, Value(math::Log1pOp::create(w.s, e)));
  Value near = w.s.select(nearOne, one, two);
  return w.s.select(w.isLess(z, 2.5), near, lanczos(w, z));
}

Value logGamma(Wide &w, Value x) {
  Value reflects = w.isLess(x, 0.5);
  Value direct = logGammaRight(w, w.s.select(reflects, w.from(1, x), x));
  Value sine = w.abs(math::SinOp::create(w.s, w.phase(x)));
  Value reflected = w.s.sub(w.log(w.over(M_PI, sine)), direct);
  reflected = w.s.select(w.isEqual(sine, 0), w.number(kInfinity), reflected);
  Value result = w.s.select(reflects, reflected, direct);
  return w.s.select(w.isEqual(x, -kInfinity), w.number(kInfinity), result);
}

/// Bernoulli's numbers B₂, B₄, …
constexpr double kBernoulli[] = {1.0 / 6,  -1.0 / 30,     1.0 / 42, -1.0 / 30,
                                 5.0 / 66, -691.0 / 2730, 7.0 / 6,  -3617.0 / 510};

/// Σ over k ≥ 0 of (z + k)^-(n+1), z > 0; of n = 0, where that sum has no limit, ln z less the part of it that has one.
Value shiftedSum(Wide &w, Value z, unsigned n) {
  Value sum = w.number(0);
  // Of higher orders the formula's terms shrink later.
  unsigned count = 8 + n;
  for (unsigned k = 0; k < count; ++k)
    sum = w.s.add(sum, w.over(1, w.power(w.add(z, k), n + 1)));
  Value far = w.add(z, count), inverse = w.over(1, far), square = w.s.mul(inverse, inverse);
  Value lead = n == 0 ? w.s.sub(w.number(0), w.log(far)) : w.mul(w.power(inverse, n), 1.0 / n);
  Value term = w.power(inverse, n + 1), rest = w.mul(term, 0.5);
  // B₂ⱼ / (2j)! · (n + 1) (n + 2) … (n + 2j − 1) / farⁿ⁺²ʲ
  double factor = (n + 1) / 2.0;
  term = w.s.mul(term, inverse);
  for (unsigned j = 1; j <= std::size(kBernoulli); ++j) {
    rest = w.s.add(rest, w.mul(term, kBernoulli[j - 1] * factor));
    term = w.s.mul(term, square);
    factor *= (n + 2.0 * j) * (n + 2.0 * j + 1) / ((2.0 * j + 1) * (2.0 * j + 2));
  }
  return w.s.add(w.s.add(sum, lead), rest);
}

/// ψ⁽ⁿ⁾(z) = (−1)ⁿ⁺¹ n! Σ …, z > 0.
Value polygammaRight(Wide &w, Value z, unsigned n) {
  double factor = std::tgamma(n + 1.0);
  Value result = w.mul(shiftedSum(w, z, n), n % 2 == 0 ? -factor : factor);
  Value limit = w.number(n == 0 ? kInfinity : 0);
  return w.s.select(w.isEqual(z, kInfinity), limit, result);
}

/// The factors, highest power first, of the polynomial P in c = cot u with dⁿc/duⁿ = P(c): dc/du = −(1 + c²).
SmallVector<double> cotangentDerivative(unsigned n) {
  SmallVector<double> lowestFirst = {0, 1};
  for (unsigned count = 0; count < n; ++count) {
    SmallVector<double> next(lowestFirst.size() + 1, 0);
    for (unsigned power = 1; power < lowestFirst.size(); ++power) {
      next[power - 1] -= power * lowestFirst[power];
      next[power + 1] -= power * lowestFirst[power];
    }
    lowestFirst = next;
  }
  return llvm::to_vector(llvm::reverse(lowestFirst));
}

Value polygamma(Wide &w, Value x, unsigned n) {
  Value positive = w.s.compare(Order::Greater, x, w.number(0));
  Value direct = polygammaRight(w, w.s.select(positive, x, w.from(1, x)), n);
  Value phase = w.phase(x);
  Value cotangent = w.over(1, math::TanOp::create(w.s, phase));
  Value derivative = w.mul(w.polynomial(cotangent, cotangentDerivative(n)), std::pow(M_PI, n + 1.0));
  Value reflected = w.s.sub(n % 2 == 0 ? direct : w.s.neg(direct), derivative);
  if (n % 2 == 0) {
    // Poles of even orders have a limit of each sign.
    Value pole = w.isEqual(phase, 0), below = w.isLess(x, 0);
    reflected = w.s.select(arith::AndIOp::create(w.s, pole, below), w.number(kNan), reflected);
  }
  return w.s.select(positive, direct, reflected);
}

//===--------------------------------------------------------------------------------------===//
// The inverse error function
//===--------------------------------------------------------------------------------------===//

constexpr double kCentral[] = {2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087,
                               -0.00125372503, -0.00417768164, 0.246640727,    1.50140941};
constexpr double kTail[] = {-2.3882361964036521e-6, 2.0309664160927733e-5,  -6.0492971573548769e-5,
                            7.6282156246324431e-5,  -7.6418927551568619e-5, 2.802624402549205e-4,
                            -8.9309389098856165e-4, 1.2814529359576514e-3,  1.0094973873931825,
                            3.8397820924934538};

Value inverseErf(Wide &w, Value x) {
  Value size = w.abs(x), rest = w.from(1, size);
  Value depth = w.s.neg(w.log(w.s.mul(rest, w.add(size, 1))));
  Value central = w.polynomial(w.add(depth, -2.5), kCentral);
  Value tail = w.polynomial(w.add(math::SqrtOp::create(w.s, depth), -4), kTail);
  Value y = w.s.mul(w.s.select(w.isLess(depth, 5), central, tail), size);
  // Of erf y − |x|, the difference of two numbers near one is that of their distances from one.
  Value near = w.s.sub(math::ErfOp::create(w.s, y), size), far = w.s.sub(rest, math::ErfcOp::create(w.s, y));
  Value error = w.s.select(w.isLess(size, 0.5), near, far);
  Value step = w.s.mul(error, w.mul(w.exp(w.s.mul(y, y)), std::sqrt(M_PI) / 2));
  y = w.s.sub(y, w.s.div(step, w.add(w.s.mul(y, step), 1)));
  y = w.s.select(w.isEqual(size, 1), w.number(kInfinity), y);
  return math::CopySignOp::create(w.s, y, x);
}

} // namespace

LoweredValues LgammaOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  return mapWide(*this, builder, operands, logGamma);
}

LoweredValues PolygammaOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  auto rule = [&](Wide &w, Value x) { return polygamma(w, x, static_cast<unsigned>(getOrder())); };
  return mapWide(*this, builder, operands, rule);
}

LoweredValues ErfinvOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  return mapWide(*this, builder, operands, inverseErf);
}

} // namespace plumb::net
