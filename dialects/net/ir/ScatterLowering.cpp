// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scattering: a loop over the updates in order, so that equal runs give equal bits. An index outside makes the loop
// over its slice empty.

#include "dialects/net/ir/Inference.h"
#include "dialects/net/ir/Lowering.h"
#include "dialects/net/ir/NetIndexOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace plumb::net {

/// The new element from the old one and its update.
static Value combine(ScalarBuilder &s, StringRef mode, Value old, Value update) {
  if (mode == "add")
    return s.add(old, update);
  if (mode == "sub")
    return s.sub(old, update);
  if (mode == "mul")
    return s.mul(old, update);
  if (mode == "div")
    return s.div(old, update);
  if (mode == "max")
    return s.maximum(old, update);
  return mode == "min" ? s.minimum(old, update) : update;
}

LoweredValues ScatterOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  LoweringBuilder b(*this, builder);
  // B × N × R, B × M and B × M × R.
  ArrayRef<int64_t> shape = getType().getShape();
  int64_t batch = getBatch(), count = 1, inner = 1;
  for (int64_t extent : shape.take_front(batch))
    count *= extent;
  for (int64_t extent : shape.drop_front(batch + 1))
    inner *= extent;
  int64_t extent = shape[batch], number = tensorType(operands[1]).getShape().back();
  Value into = b.reshape(operands[0], {count, extent, inner});
  Value indices = b.reshape(operands[1], {count, number}), updates = b.reshape(operands[2], {count, number, inner});
  bool isUnsigned = getElementTypeOrSelf(getX()).isUnsignedInteger();

  Value zero = arith::ConstantIndexOp::create(b, 0), one = arith::ConstantIndexOp::create(b, 1);
  auto size = [&](int64_t value) { return arith::ConstantIndexOp::create(b, value); };
  Value rowEnd = size(extent), sliceEnd = size(inner);
  auto change = [&](OpBuilder &at, Location loc, ValueRange position, ValueRange carried) {
    ScalarBuilder s(loc, at);
    s.isUnsigned = isUnsigned;
    Value raw = tensor::ExtractOp::create(s, indices, position);
    Value index = arith::IndexCastOp::create(s, s.getIndexType(), raw);
    Value isInside = arith::CmpIOp::create(s, arith::CmpIPredicate::ult, index, rowEnd);
    Value end = s.select(isInside, sliceEnd, zero);
    auto element = [&](OpBuilder &innermost, Location where, Value k, ValueRange result) {
      ScalarBuilder e(where, innermost);
      e.isUnsigned = isUnsigned;
      SmallVector<Value> place = {position[0], index, k}, from = {position[0], position[1], k};
      Value update = tensor::ExtractOp::create(e, updates, from);
      Value fresh = combine(e, getMode(), tensor::ExtractOp::create(e, result[0], place), update);
      scf::YieldOp::create(e, ValueRange(tensor::InsertOp::create(e, fresh, result[0], place)));
    };
    return scf::ValueVector{scf::ForOp::create(s, zero, end, one, carried, element).getResult(0)};
  };
  Value result = scf::buildLoopNest(b, getLoc(), {zero, zero}, {size(count), size(number)}, {one, one}, into, change)
                     .results.front();
  return lowered(b.reshape(result, shape));
}

} // namespace plumb::net
