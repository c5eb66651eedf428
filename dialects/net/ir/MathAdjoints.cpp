// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adjoints of mathematical functions. Differences of squares are written as products, (1 - x)(1 + x), which keep their
// digits where the square is next to one.

#include "dialects/net/ir/AdjointBuilder.h"
#include "dialects/net/ir/NetElementwiseOps.h"
#include "dialects/net/ir/NetMathOps.h"

#include <cmath>

using namespace mlir;

namespace plumb::net {

using Adjoints = SmallVectorImpl<Value>;

/// (1 - x)(1 + x).
static Value oneLessSquare(AdjointBuilder &n, Value x) { return n.mul(n.sub(1, x), n.add(x, 1)); }
/// 1 + x².
static Value oneMoreSquare(AdjointBuilder &n, Value x) { return n.add(n.mul(x, x), 1); }
static Value inverseRoot(AdjointBuilder &n, Value x) { return RsqrtOp::create(n, x); }

/// The adjoint of y = f(x) is dy times the slope of f, which may be written with x or y.
#define PLUMB_SLOPE(OP, SLOPE)                                                                                         \
  LogicalResult OP::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {                                   \
    return adjointOf(b, *this, dys, adjoints, [&](AdjointBuilder &n, Value dy) {                                       \
      [[maybe_unused]] Value x = getX(), y = getResult();                                                              \
      return n.mul(dy, SLOPE);                                                                                         \
    });                                                                                                                \
  }
#define PLUMB_INVERSE_SLOPE(OP, INVERSE)                                                                               \
  LogicalResult OP::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {                                   \
    return adjointOf(b, *this, dys, adjoints,                                                                          \
                     [&](AdjointBuilder &n, Value dy) { return n.div(dy, INVERSE(n, getX())); });                      \
  }

PLUMB_SLOPE(TanOp, oneMoreSquare(n, y))
PLUMB_SLOPE(AsinOp, inverseRoot(n, oneLessSquare(n, x)))
PLUMB_SLOPE(AcosOp, n.neg(inverseRoot(n, oneLessSquare(n, x))))
PLUMB_INVERSE_SLOPE(AtanOp, oneMoreSquare)
PLUMB_SLOPE(SinhOp, CoshOp::create(n, x))
PLUMB_SLOPE(CoshOp, SinhOp::create(n, x))
PLUMB_SLOPE(AsinhOp, inverseRoot(n, oneMoreSquare(n, x)))
PLUMB_SLOPE(AcoshOp, inverseRoot(n, n.neg(oneLessSquare(n, x))))
PLUMB_INVERSE_SLOPE(AtanhOp, oneLessSquare)
PLUMB_SLOPE(Expm1Op, n.add(y, 1))
PLUMB_SLOPE(ErfcOp, n.mul(ExpOp::create(n, n.neg(n.mul(x, x))), -2 / std::sqrt(M_PI)))
PLUMB_SLOPE(ErfinvOp, n.mul(ExpOp::create(n, n.mul(y, y)), std::sqrt(M_PI) / 2))
PLUMB_SLOPE(LgammaOp, PolygammaOp::create(n, x, 0))

#undef PLUMB_SLOPE
#undef PLUMB_INVERSE_SLOPE

LogicalResult Log1pOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  return adjointOf(b, *this, dys, adjoints, [&](AdjointBuilder &n, Value dy) { return n.div(dy, n.add(getX(), 1)); });
}

LogicalResult PolygammaOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  if (getOrder() == kMaxOrder)
    return emitOpError() << "of the highest order, " << kMaxOrder << ", has no adjoint";
  return adjointOf(b, *this, dys, adjoints, [&](AdjointBuilder &n, Value dy) {
    return n.mul(dy, PolygammaOp::create(n, getX(), getOrder() + 1));
  });
}

LogicalResult Atan2Op::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  return adjointsOf(b, *this, dys, adjoints, [&](AdjointBuilder &n, Value dy, Adjoints &out) {
    Value square = n.add(n.mul(getX(), getX()), n.mul(getY(), getY()));
    Value share = n.div(dy, square);
    out[0] = n.sumTo(n.mul(share, getX()), getY().getType());
    out[1] = n.sumTo(n.neg(n.mul(share, getY())), getX().getType());
  });
}

} // namespace plumb::net
