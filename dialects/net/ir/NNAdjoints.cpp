// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adjoints of pooling, softmax and cross entropies.

#include "dialects/net/ir/AdjointBuilder.h"
#include "dialects/net/ir/Inference.h"
#include "dialects/net/ir/NetElementwiseOps.h"
#include "dialects/net/ir/NetIndexOps.h"
#include "dialects/net/ir/NetPoolOps.h"
#include "dialects/net/ir/NetSoftmaxOps.h"

using namespace mlir;

namespace plumb::net {

using Adjoints = SmallVectorImpl<Value>;

//===--------------------------------------------------------------------------------------===//
// Pooling
//===--------------------------------------------------------------------------------------===//

LogicalResult MaxPool2DOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  return adjointOf(b, *this, dys, adjoints, [&](AdjointBuilder &n, Value dy) -> Value {
    return MaxPool2DGradOp::create(n, getX(), getResult(), dy, getKernel(), getStride(), getPad());
  });
}

LogicalResult MaxPool2DGradOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  return adjointsOf(b, *this, dys, adjoints, [&](AdjointBuilder &n, Value ddx, Adjoints &all) {
    all[2] = MaxPool2DPickOp::create(n, getDy().getType(), getX(), getY(), ddx, getKernel(), getStride(), getPad());
  });
}

LogicalResult MaxPool2DPickOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  return adjointsOf(b, *this, dys, adjoints, [&](AdjointBuilder &n, Value dy, Adjoints &all) {
    all[2] = MaxPool2DGradOp::create(n, getX(), getY(), dy, getKernel(), getStride(), getPad());
  });
}

LogicalResult AvgPool2DOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  return adjointOf(b, *this, dys, adjoints, [&](AdjointBuilder &n, Value dy) -> Value {
    return AvgPool2DGradOp::create(n, dy, tensorType(getX()).getShape(), getKernel(), getStride(), getPad(),
                                   getCountIncludePad());
  });
}

LogicalResult AvgPool2DGradOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  return adjointOf(b, *this, dys, adjoints, [&](AdjointBuilder &n, Value dy) -> Value {
    return AvgPool2DOp::create(n, dy, getKernel(), getStride(), getPad(), getCountIncludePad());
  });
}

//===--------------------------------------------------------------------------------------===//
// Softmax and cross entropies
//===--------------------------------------------------------------------------------------===//

/// Makes a vector over rows a column.
static Value column(AdjointBuilder &n, Value rows) { return n.reshape(rows, {tensorType(rows).getDimSize(0), 1}); }

LogicalResult SoftmaxOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  return adjointOf(b, *this, dys, adjoints, [&](AdjointBuilder &n, Value dy) {
    int64_t axis = normalizeAxis(getAxis(), getType().getRank());
    Value weighted = n.sum(n.mul(dy, getResult()), {axis}, /*keepDims=*/true);
    return n.mul(n.sub(dy, weighted), getResult());
  });
}

LogicalResult LogSoftmaxOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  return adjointOf(b, *this, dys, adjoints, [&](AdjointBuilder &n, Value dy) {
    int64_t axis = normalizeAxis(getAxis(), getType().getRank());
    Value probabilities = ExpOp::create(n, getResult());
    return n.sub(dy, n.mul(probabilities, n.sum(dy, {axis}, /*keepDims=*/true)));
  });
}

LogicalResult SoftmaxCrossEntropyOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  return adjointsOf(b, *this, dys, adjoints, [&](AdjointBuilder &n, Value dy, Adjoints &out) {
    out[0] = SoftmaxCrossEntropyGradOp::create(n, getLogits(), getLabels(), dy);
    Value surprise = n.neg(LogSoftmaxOp::create(n, getLogits(), -1));
    out[1] = n.mul(surprise, column(n, dy));
  });
}

LogicalResult SoftmaxCrossEntropyGradOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  // With p = softmax(x), s = sum(t), r = dy: y = (p s - t) r, row by row.
  return adjointsOf(b, *this, dys, adjoints, [&](AdjointBuilder &n, Value g, Adjoints &out) {
    Value p = SoftmaxOp::create(n, getLogits(), -1);
    Value r = column(n, getDy());
    Value s = n.sum(getLabels(), {1}, /*keepDims=*/true);
    Value gp = n.sum(n.mul(g, p), {1}, /*keepDims=*/true);
    out[0] = n.mul(n.mul(n.sub(g, gp), p), n.mul(s, r));
    out[1] = n.mul(n.sub(gp, g), r);
    out[2] = n.sum(n.mul(g, n.sub(n.mul(p, s), getLabels())), {1}, /*keepDims=*/false);
  });
}

LogicalResult SparseSoftmaxCrossEntropyOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  return adjointOf(b, *this, dys, adjoints, [&](AdjointBuilder &n, Value dy) -> Value {
    return SparseSoftmaxCrossEntropyGradOp::create(n, getLogits(), getLabels(), dy);
  });
}

LogicalResult SparseSoftmaxCrossEntropyGradOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  return adjointsOf(b, *this, dys, adjoints, [&](AdjointBuilder &n, Value g, Adjoints &out) {
    RankedTensorType type = tensorType(getLogits());
    Value p = SoftmaxOp::create(n, getLogits(), -1);
    Value gp = n.sum(n.mul(g, p), {1}, /*keepDims=*/true);
    out[0] = n.mul(n.mul(n.sub(g, gp), p), column(n, getDy()));
    Value marks = OneHotOp::create(n, getLabels(), type.getDimSize(1), llvm::APFloat(1.0), llvm::APFloat(0.0),
                                   type.getElementType());
    out[2] = n.sum(n.mul(g, n.sub(p, marks)), {1}, /*keepDims=*/false);
  });
}

} // namespace plumb::net
