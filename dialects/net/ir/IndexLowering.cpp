// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// one_hot compares; gather reads by tensor.extract within a generic; its adjoint is a loop over
// the elements that adds each at its index, in order, so that equal runs give equal bits.

#include "dialects/net/ir/Folding.h"
#include "dialects/net/ir/Inference.h"
#include "dialects/net/ir/Lowering.h"
#include "dialects/net/ir/NetIndexOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace plumb::net {

LoweredValues OneHotOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  LoweringBuilder b(getLoc(), builder);
  unsigned rank = getType().getRank();
  AffineMap all = b.getMultiDimIdentityMap(rank);
  auto body = [&](ScalarBuilder &s, ValueRange v) {
    Value here = s.isPosition(v[0], rank - 1);
    return SmallVector<Value>{s.select(here, s.number(getDtype(), getOn().convertToDouble()),
                                       s.number(getDtype(), getOff().convertToDouble()))};
  };
  return b.generic(operands[0], b.empty(getType()), {all.dropResult(rank - 1), all}, body);
}

LoweredValues FromFrontOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  LoweringBuilder b(getLoc(), builder);
  auto type = cast<IntegerType>(getType().getElementType());
  return lowered(b.elementwise(operands, getType(), [&](ScalarBuilder &s, ValueRange v) {
    Value index = v[0].getType() == type ? v[0] : arith::ExtSIOp::create(s, s.getLoc(), type, v[0]).getResult();
    if (!getWrap())
      return index;
    auto constant = [&](int64_t value) {
      return arith::ConstantOp::create(s, s.getLoc(), IntegerAttr::get(type, value)).getResult();
    };
    Value negative = arith::CmpIOp::create(s, s.getLoc(), arith::CmpIPredicate::slt, index, constant(0));
    Value fromEnd = arith::AddIOp::create(s, s.getLoc(), index, constant(getExtent()));
    return arith::SelectOp::create(s, s.getLoc(), negative, fromEnd, index).getResult();
  }));
}

/// Turns an index element into an index within [0, extent). With `wrap` a negative one counts from the end.
static Value clampIndex(OpBuilder &b, Location loc, Value index, int64_t extent, bool wrap) {
  Value at = arith::IndexCastOp::create(b, loc, b.getIndexType(), index);
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  if (wrap) {
    Value negative = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, at, zero);
    Value count = arith::ConstantIndexOp::create(b, loc, extent);
    Value fromEnd = arith::AddIOp::create(b, loc, at, count);
    at = arith::SelectOp::create(b, loc, negative, fromEnd, at);
  }
  Value last = arith::ConstantIndexOp::create(b, loc, extent - 1);
  return arith::MinSIOp::create(b, loc, arith::MaxSIOp::create(b, loc, at, zero), last);
}

/// From a position in the gathered tensor to one in the table: the dims of the indices, which
/// start at `axis` but for those of the batch, are replaced by the index itself.
static SmallVector<Value> tablePosition(ArrayRef<Value> position, int64_t axis, int64_t indexRank, Value index) {
  SmallVector<Value> result(position.take_front(axis));
  result.push_back(index);
  llvm::append_range(result, position.drop_front(axis + indexRank));
  return result;
}

LoweredValues GatherOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  LoweringBuilder b(getLoc(), builder);
  Value table = operands[0], indices = operands[1];
  int64_t axis = normalizeAxis(getAxis(), tensorType(table).getRank());
  int64_t batch = getBatch(), rank = getType().getRank();
  int64_t indexRank = tensorType(indices).getRank() - batch;
  SmallVector<AffineExpr> indexDims;
  for (int64_t d = 0; d < batch; ++d)
    indexDims.push_back(b.dim(d));
  for (int64_t d = 0; d < indexRank; ++d)
    indexDims.push_back(b.dim(axis + d));
  auto body = [&](ScalarBuilder &s, ValueRange v) {
    SmallVector<Value> position;
    for (int64_t d = 0; d < rank; ++d)
      position.push_back(linalg::IndexOp::create(s, d));
    Value index = clampIndex(s, s.getLoc(), v[0], tensorType(table).getDimSize(axis), getWrap());
    return SmallVector<Value>{tensor::ExtractOp::create(s, table, tablePosition(position, axis, indexRank, index))};
  };
  return b.generic(indices, b.empty(getType()), {b.map(rank, indexDims), b.getMultiDimIdentityMap(rank)}, body);
}

LoweredValues GatherGradOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  LoweringBuilder b(getLoc(), builder);
  Value dy = operands[0], indices = operands[1];
  int64_t axis = normalizeAxis(getAxis(), getType().getRank());
  int64_t batch = getBatch(), indexRank = tensorType(indices).getRank() - batch;
  SmallVector<Value> lower, upper, step;
  for (int64_t extent : tensorType(dy).getShape()) {
    lower.push_back(arith::ConstantIndexOp::create(b, 0));
    upper.push_back(arith::ConstantIndexOp::create(b, extent));
    step.push_back(arith::ConstantIndexOp::create(b, 1));
  }
  auto body = [&](OpBuilder &inner, Location loc, ValueRange position, ValueRange sums) {
    ScalarBuilder s(loc, inner);
    SmallVector<Value> at(position);
    SmallVector<Value> indexPosition = llvm::to_vector(ArrayRef<Value>(at).take_front(batch));
    llvm::append_range(indexPosition, ArrayRef(at).slice(axis, indexRank));
    Value raw = tensor::ExtractOp::create(s, indices, indexPosition);
    Value index = clampIndex(s, loc, raw, getType().getDimSize(axis), getWrap());
    SmallVector<Value> place = tablePosition(at, axis, indexRank, index);
    Value old = tensor::ExtractOp::create(s, sums[0], place);
    Value sum = s.add(old, tensor::ExtractOp::create(s, dy, at));
    return scf::ValueVector{tensor::InsertOp::create(s, sum, sums[0], place)};
  };
  Value zeros = b.filled(getType(), 0.0);
  return llvm::to_vector(scf::buildLoopNest(b, getLoc(), lower, upper, step, zeros, body).results);
}

} // namespace plumb::net
