// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants become arith.constant; what is all of one number becomes a fill.

#include "dialects/net/ir/Inference.h"
#include "dialects/net/ir/Lowering.h"
#include "dialects/net/ir/NetConstantOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

namespace plumb::net {

LoweredValues ConstantOp::lowerToLinalg(OpBuilder &builder, ValueRange) {
  return lowered(arith::ConstantOp::create(builder, getLoc(), llvm::cast<TypedAttr>(getValueAttr())));
}

LoweredValues FillOp::lowerToLinalg(OpBuilder &builder, ValueRange) {
  LoweringBuilder b(getLoc(), builder);
  return lowered(b.filled(getType(), getValue().convertToDouble()));
}

LoweredValues ZerosLikeOp::lowerToLinalg(OpBuilder &builder, ValueRange) {
  LoweringBuilder b(getLoc(), builder);
  return lowered(b.filled(getType(), 0.0));
}

LoweredValues OnesLikeOp::lowerToLinalg(OpBuilder &builder, ValueRange) {
  LoweringBuilder b(getLoc(), builder);
  return lowered(b.filled(getType(), 1.0));
}

LoweredValues IotaOp::lowerToLinalg(OpBuilder &builder, ValueRange) {
  LoweringBuilder b(getLoc(), builder);
  Type element = withoutSign(getType().getElementType());
  int64_t rank = getType().getRank(), axis = normalizeAxis(getAxis(), rank);
  int64_t extent = getType().getDimSize(axis);
  auto body = [&](ScalarBuilder &s, ValueRange) {
    Value at = linalg::IndexOp::create(s, axis);
    bool isFloat = llvm::isa<FloatType>(element);
    Value number =
        arith::IndexCastOp::create(s, isFloat ? Type(s.getIntegerType(extent >> 31 ? 64 : 32)) : element, at);
    return SmallVector<Value>{isFloat ? Value(arith::SIToFPOp::create(s, element, number)) : number};
  };
  return b.generic({}, b.empty(getType()), b.getMultiDimIdentityMap(rank), body);
}

LoweredValues EyeOp::lowerToLinalg(OpBuilder &builder, ValueRange) {
  LoweringBuilder b(getLoc(), builder);
  auto body = [&](ScalarBuilder &s, ValueRange) {
    Value row = linalg::IndexOp::create(s, 0), column = linalg::IndexOp::create(s, 1);
    Value same = arith::CmpIOp::create(s, arith::CmpIPredicate::eq, row, column);
    return SmallVector<Value>{s.select(same, s.number(getDtype(), 1), s.number(getDtype(), 0))};
  };
  return b.generic({}, b.empty(getType()), b.getMultiDimIdentityMap(2), body);
}

} // namespace plumb::net
