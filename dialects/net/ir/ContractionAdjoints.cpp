// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adjoints of matrix products and convolutions. Both are linear in either operand, so each
// adjoint is a contraction of the result's adjoint with the other operand, and the three
// convolution ops are each other's adjoints.

#include "dialects/net/ir/AdjointBuilder.h"
#include "dialects/net/ir/Inference.h"
#include "dialects/net/ir/NetContractionOps.h"

using namespace mlir;

namespace plumb::net {

using Adjoints = SmallVectorImpl<Value>;

//===--------------------------------------------------------------------------------------===//
// MatmulOp
//===--------------------------------------------------------------------------------------===//

/// Joins all axes but the last.
static Value joinRows(AdjointBuilder &n, Value x) {
  RankedTensorType type = tensorType(x);
  int64_t columns = type.getShape().back();
  return n.reshape(x, {columns == 0 ? 0 : type.getNumElements() / columns, columns});
}

/// The adjoint of the right operand, before broadcasting is undone.
static Value rightAdjoint(AdjointBuilder &n, MatmulOp op, Value dy) {
  Value a = op.getA();
  bool transposeA = op.getTransposeA();
  // A weight under a batch: one long product instead of one per batch and a sum over them.
  if (tensorType(op.getB()).getRank() == 2 && tensorType(a).getRank() > 2 && !transposeA) {
    a = joinRows(n, a);
    dy = joinRows(n, dy);
  }
  return op.getTransposeB() ? n.matmul(dy, a, true, transposeA) : n.matmul(a, dy, !transposeA, false);
}

LogicalResult MatmulOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  return adjointsOf(b, *this, dys, adjoints, [&](AdjointBuilder &n, Value dy, Adjoints &out) {
    Value da =
        getTransposeA() ? n.matmul(getB(), dy, getTransposeB(), true) : n.matmul(dy, getB(), false, !getTransposeB());
    out[0] = n.sumTo(da, getA().getType());
    out[1] = n.sumTo(rightAdjoint(n, *this, dy), getB().getType());
  });
}

//===--------------------------------------------------------------------------------------===//
// Convolutions
//===--------------------------------------------------------------------------------------===//

/// The adjoint to an image of a convolution with the attributes of `op`.
template <typename Op> static Value toImage(AdjointBuilder &n, Op op, Value dy, Value weight, Value image) {
  return Conv2DInputGradOp::create(n, dy, weight, tensorType(image).getShape(), op.getStride(), op.getPad(),
                                   op.getDilation(), op.getGroup());
}

/// The adjoint to a kernel of a convolution with the attributes of `op`.
template <typename Op> static Value toKernel(AdjointBuilder &n, Op op, Value x, Value dy, Value weight) {
  return Conv2DWeightGradOp::create(n, x, dy, tensorType(weight).getShape(), op.getStride(), op.getPad(),
                                    op.getDilation(), op.getGroup());
}

/// A convolution with the attributes of `op`.
template <typename Op> static Value convolve(AdjointBuilder &n, Op op, Value x, Value weight) {
  return Conv2DOp::create(n, x, weight, op.getStride(), op.getPad(), op.getDilation(), op.getGroup());
}

LogicalResult Conv2DOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  return adjointsOf(b, *this, dys, adjoints, [&](AdjointBuilder &n, Value dy, Adjoints &out) {
    out[0] = toImage(n, *this, dy, getWeight(), getX());
    out[1] = toKernel(n, *this, getX(), dy, getWeight());
  });
}

LogicalResult Conv2DInputGradOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  return adjointsOf(b, *this, dys, adjoints, [&](AdjointBuilder &n, Value dy, Adjoints &out) {
    out[0] = convolve(n, *this, dy, getWeight());
    out[1] = toKernel(n, *this, dy, getDy(), getWeight());
  });
}

LogicalResult Conv2DWeightGradOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  return adjointsOf(b, *this, dys, adjoints, [&](AdjointBuilder &n, Value dy, Adjoints &out) {
    out[0] = toImage(n, *this, getDy(), dy, getX());
    out[1] = convolve(n, *this, getX(), dy);
  });
}

} // namespace plumb::net
