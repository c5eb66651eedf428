// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adjoints of ops that address by integers.

#include "dialects/net/ir/AdjointBuilder.h"
#include "dialects/net/ir/Inference.h"
#include "dialects/net/ir/NetBinaryOps.h"
#include "dialects/net/ir/NetConstantOps.h"
#include "dialects/net/ir/NetElementwiseOps.h"
#include "dialects/net/ir/NetIndexOps.h"
#include "dialects/net/ir/NetShapeOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace plumb::net {

using Adjoints = SmallVectorImpl<Value>;

/// The number of the one row that a gather takes along `axis`, within it.
static Value findRow(AdjointBuilder &n, GatherOp op, int64_t axis) {
  Value at = tensor::ExtractOp::create(n, op.getIndices(), ValueRange());
  at = arith::IndexCastOp::create(n, n.getIndexType(), at);
  int64_t extent = tensorType(op.getX()).getDimSize(axis);
  Value zero = arith::ConstantIndexOp::create(n, 0), last = arith::ConstantIndexOp::create(n, extent - 1);
  if (op.getWrap()) {
    Value negative = arith::CmpIOp::create(n, arith::CmpIPredicate::slt, at, zero);
    Value fromEnd = arith::AddIOp::create(n, at, arith::ConstantIndexOp::create(n, extent));
    at = arith::SelectOp::create(n, negative, fromEnd, at);
  }
  return arith::MinSIOp::create(n, arith::MaxSIOp::create(n, at, zero), last);
}

/// The adjoint of one row is a row of zeros' update, which sums of adjoints do in place: loops read their inputs so.
LogicalResult GatherOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  return adjointOf(b, *this, dys, adjoints, [&](AdjointBuilder &n, Value dy) -> Value {
    RankedTensorType type = tensorType(getX());
    int64_t axis = normalizeAxis(getAxis(), type.getRank());
    if (tensorType(getIndices()).getRank() == 0 && type.getDimSize(axis) > 0)
      return RowUpdateOp::create(n, dy, n.zeros(type), findRow(n, *this, axis), axis);
    return GatherGradOp::create(n, dy, getIndices(), tensorType(getX()).getShape(), getAxis(), getWrap(), getBatch());
  });
}

LogicalResult GatherGradOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  return adjointOf(b, *this, dys, adjoints, [&](AdjointBuilder &n, Value dy) -> Value {
    return GatherOp::create(n, dy, getIndices(), getAxis(), getWrap(), getBatch());
  });
}

//===--------------------------------------------------------------------------------------===//
// Scatter
//===--------------------------------------------------------------------------------------===//

namespace {

/// What the adjoints of one scatter share.
struct Scattered {
  AdjointBuilder &n;
  ScatterOp op;
  int64_t batch = op.getBatch();

  /// The indices, wide: those of narrow types reach less far than the axis may.
  Value wide = n.cast(op.getIndices(), n.getI64Type());
  double extent = static_cast<double>(op.getType().getDimSize(batch));

  /// The slices at the indices; anything where an index is outside, which scattering allows and gathering does not.
  Value gather(Value x) {
    Value low = MaximumOp::create(n, wide, n.scalar(wide, 0));
    Value clamped = MinimumOp::create(n, low, n.scalar(wide, extent - 1));
    return GatherOp::create(n, x, clamped, batch, /*wrap=*/false, batch);
  }
  Value scatter(Value into, Value updates, StringRef mode) {
    return ScatterOp::create(n, into, op.getIndices(), updates, mode, batch);
  }
  Value zeros(Value like) { return n.broadcast(n.scalar(like, 0), tensorType(like).getShape()); }
  /// A number per index, for each element of its slice.
  Value overSlices(Value x) {
    Shape shape(tensorType(x).getShape());
    shape.append(tensorType(op.getUpdates()).getRank() - shape.size(), 1);
    return n.broadcast(n.reshape(x, shape), tensorType(op.getUpdates()).getShape());
  }
  /// Whether each index is inside.
  Value isInside() {
    Value low = GreaterEqualOp::create(n, wide, n.scalar(wide, 0));
    return overSlices(LogicalAndOp::create(n, low, LessOp::create(n, wide, n.scalar(wide, extent))));
  }
  /// Whether each update is the last one at its index: each writes its number, and reads whose stayed.
  Value isLast() {
    RankedTensorType indices = tensorType(op.getIndices());
    Shape shape(op.getType().getShape().take_front(batch + 1));
    auto type = RankedTensorType::get(shape, n.getI32Type());
    Value numbers = IotaOp::create(n, indices.getShape(), indices.getRank() - 1, n.getI32Type());
    Value none = FillOp::create(n, n.getI32Type(), type.getShape(), llvm::APFloat(-1.0));
    Value stayed = gather(scatter(none, numbers, "update"));
    return overSlices(EqualOp::create(n, stayed, numbers));
  }

  void ofUpdate(Value dy, Adjoints &out) {
    out[0] = scatter(dy, zeros(op.getUpdates()), "update");
    out[2] = n.maskedBy(isLast(), gather(dy));
  }
  void ofSum(Value dy, Adjoints &out, bool isNegative) {
    Value passed = n.maskedBy(isInside(), gather(dy));
    out[0] = dy;
    out[2] = isNegative ? n.neg(passed) : passed;
  }
  /// Shares evenly among the elements equal to the result.
  void ofChoice(Value dy, Adjoints &out) {
    Value kept = EqualOp::create(n, op.getX(), op.getResult());
    Value chosen = LogicalAndOp::create(n, isInside(), EqualOp::create(n, op.getUpdates(), gather(op.getResult())));
    Type element = op.getType().getElementType();
    Value share = n.div(dy, scatter(n.cast(kept, element), n.cast(chosen, element), "add"));
    out[0] = n.maskedBy(kept, share);
    out[2] = n.maskedBy(chosen, gather(share));
  }
  /// The product of an element's other factors: of all that are not zero, without its own, where no other one is zero.
  void ofProduct(Value dy, Adjoints &out) {
    Value isZero = isZeroAt(op.getUpdates()), isZeroBefore = isZeroAt(op.getX());
    Value factors = oneWhere(isZero, op.getUpdates());
    Value product = scatter(oneWhere(isZeroBefore, op.getX()), factors, "mul");
    Type element = op.getType().getElementType();
    Value own = n.cast(isZero, element);
    Value zeroFactors = scatter(n.cast(isZeroBefore, element), own, "add");
    Value others = n.maskedBy(EqualOp::create(n, gather(zeroFactors), own), n.div(gather(product), factors));
    out[0] = scatter(dy, op.getUpdates(), "mul");
    out[2] = n.maskedBy(isInside(), n.mul(gather(dy), others));
  }
  void ofQuotient(Value dy, Adjoints &out) {
    Value slope = n.neg(n.div(gather(n.mul(dy, op.getResult())), op.getUpdates()));
    out[0] = scatter(dy, op.getUpdates(), "div");
    out[2] = n.maskedBy(isInside(), slope);
  }
  Value isZeroAt(Value x) { return EqualOp::create(n, x, n.scalar(x, 0)); }
  Value oneWhere(Value condition, Value x) { return SelectOp::create(n, condition, n.scalar(x, 1), x); }
};

} // namespace

LogicalResult ScatterOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  StringRef mode = getMode();
  return adjointsOf(b, *this, dys, adjoints, [&](AdjointBuilder &n, Value dy, Adjoints &out) {
    Scattered scattered{n, *this};
    if (mode == "update")
      scattered.ofUpdate(dy, out);
    else if (mode == "add" || mode == "sub")
      scattered.ofSum(dy, out, mode == "sub");
    else if (mode == "mul")
      scattered.ofProduct(dy, out);
    else if (mode == "div")
      scattered.ofQuotient(dy, out);
    else
      scattered.ofChoice(dy, out);
  });
}

} // namespace plumb::net
