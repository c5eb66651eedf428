// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adjoints of elementwise ops of one tensor. Where the result already holds what the rule
// needs (exp, tanh, sigmoid, …) it is used again rather than computed anew.

#include "dialects/net/ir/AdjointBuilder.h"
#include "dialects/net/ir/Inference.h"
#include "dialects/net/ir/NetBinaryOps.h"
#include "dialects/net/ir/NetElementwiseOps.h"

#include <cmath>

using namespace mlir;

namespace plumb::net {

using Adjoints = SmallVectorImpl<Value>;

LogicalResult NegOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  return adjointOf(b, *this, dys, adjoints, [](AdjointBuilder &n, Value dy) { return n.neg(dy); });
}

LogicalResult AbsOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  return adjointOf(b, *this, dys, adjoints,
                   [&](AdjointBuilder &n, Value dy) { return n.mul(dy, SignOp::create(n, getX())); });
}

LogicalResult ExpOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  return adjointOf(b, *this, dys, adjoints, [&](AdjointBuilder &n, Value dy) { return n.mul(dy, getResult()); });
}

LogicalResult LogOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  return adjointOf(b, *this, dys, adjoints, [&](AdjointBuilder &n, Value dy) { return n.div(dy, getX()); });
}

LogicalResult SqrtOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  return adjointOf(b, *this, dys, adjoints,
                   [&](AdjointBuilder &n, Value dy) { return n.div(n.mul(dy, 0.5), getResult()); });
}

LogicalResult RsqrtOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  // d x^(-1/2) = -1/2 x^(-3/2) = -1/2 y^3.
  return adjointOf(b, *this, dys, adjoints, [&](AdjointBuilder &n, Value dy) {
    Value cube = n.mul(n.mul(getResult(), getResult()), getResult());
    return n.mul(n.mul(dy, -0.5), cube);
  });
}

LogicalResult SquareOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  return adjointOf(b, *this, dys, adjoints, [&](AdjointBuilder &n, Value dy) { return n.mul(dy, n.mul(getX(), 2)); });
}

LogicalResult ReciprocalOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  return adjointOf(b, *this, dys, adjoints,
                   [&](AdjointBuilder &n, Value dy) { return n.neg(n.mul(dy, n.mul(getResult(), getResult()))); });
}

LogicalResult SinOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  return adjointOf(b, *this, dys, adjoints,
                   [&](AdjointBuilder &n, Value dy) { return n.mul(dy, CosOp::create(n, getX())); });
}

LogicalResult CosOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  return adjointOf(b, *this, dys, adjoints,
                   [&](AdjointBuilder &n, Value dy) { return n.neg(n.mul(dy, SinOp::create(n, getX()))); });
}

LogicalResult TanhOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  return adjointOf(b, *this, dys, adjoints,
                   [&](AdjointBuilder &n, Value dy) { return n.mul(dy, n.sub(1, n.mul(getResult(), getResult()))); });
}

LogicalResult SigmoidOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  return adjointOf(b, *this, dys, adjoints,
                   [&](AdjointBuilder &n, Value dy) { return n.mul(dy, n.mul(getResult(), n.sub(1, getResult()))); });
}

LogicalResult ReluOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  // The result is positive exactly where x is; asking it lets x die early.
  return adjointOf(b, *this, dys, adjoints, [&](AdjointBuilder &n, Value dy) {
    return n.maskedBy(GreaterOp::create(n, getResult(), n.scalar(getResult(), 0)), dy);
  });
}

LogicalResult Relu6Op::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  return adjointOf(b, *this, dys, adjoints, [&](AdjointBuilder &n, Value dy) {
    Value above = GreaterOp::create(n, getX(), n.scalar(getX(), 0));
    Value below = LessEqualOp::create(n, getX(), n.scalar(getX(), 6));
    return n.maskedBy(LogicalAndOp::create(n, above, below), dy);
  });
}

/// d/dx of 0.5 x (1 + tanh(u)), u = c (x + 0.044715 x^3).
static Value gateSlope(AdjointBuilder &n, Value x) {
  const double c = std::sqrt(2 / M_PI), k = 0.044715;
  Value square = n.mul(x, x);
  Value u = n.mul(n.mul(x, n.add(n.mul(square, k), 1)), c);
  Value t = TanhOp::create(n, u);
  Value slope = n.mul(n.add(n.mul(square, 3 * k), 1), c);
  Value bend = n.mul(n.mul(x, n.sub(1, n.mul(t, t))), slope);
  return n.mul(n.add(n.add(t, 1), bend), 0.5);
}

/// d/dx of x P(X <= x): the probability, plus x times the normal density.
static Value normalSlope(AdjointBuilder &n, Value x) {
  Value probability = n.mul(n.add(ErfOp::create(n, n.mul(x, M_SQRT1_2)), 1), 0.5);
  Value density = n.mul(ExpOp::create(n, n.mul(n.mul(x, x), -0.5)), 1 / std::sqrt(2 * M_PI));
  return n.add(probability, n.mul(x, density));
}

LogicalResult GeluOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  return adjointOf(b, *this, dys, adjoints, [&](AdjointBuilder &n, Value dy) {
    return n.mul(dy, getApproximate() ? gateSlope(n, getX()) : normalSlope(n, getX()));
  });
}

LogicalResult ErfOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  return adjointOf(b, *this, dys, adjoints, [&](AdjointBuilder &n, Value dy) {
    Value bell = ExpOp::create(n, n.neg(n.mul(getX(), getX())));
    return n.mul(dy, n.mul(bell, 2 / std::sqrt(M_PI)));
  });
}

LogicalResult CastOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  Type from = tensorType(getX()).getElementType();
  bool passes = !from.isInteger(1) && !getDtype().isInteger(1);
  return adjointOf(b, *this, dys, adjoints,
                   [&](AdjointBuilder &n, Value dy) { return passes ? n.cast(dy, from) : Value(); });
}

LogicalResult SelectOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  return adjointsOf(b, *this, dys, adjoints, [&](AdjointBuilder &n, Value dy, Adjoints &out) {
    Value zero = n.scalar(dy, 0);
    out[1] = n.sumTo(SelectOp::create(n, getCondition(), dy, zero), getX().getType());
    out[2] = n.sumTo(SelectOp::create(n, getCondition(), zero, dy), getY().getType());
  });
}

} // namespace plumb::net
