// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/autodiff/Adjoints.h"
#include "dialects/net/ir/NetBinaryOps.h"
#include "dialects/net/ir/NetConstantOps.h"
#include "dialects/net/ir/NetShapeOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace plumb;

Value plumb::buildSplat(OpBuilder &builder, Location loc, Type type, double number) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  Type element = tensor ? tensor.getElementType() : type;
  TypedAttr splat = isa<FloatType>(element) ? TypedAttr(builder.getFloatAttr(element, number))
                                            : TypedAttr(builder.getIntegerAttr(element, int64_t(number)));
  if (!tensor)
    return arith::ConstantOp::create(builder, loc, splat);
  return net::ConstantOp::create(builder, loc, DenseElementsAttr::get(tensor, Attribute(splat)));
}

Value plumb::buildIndex(OpBuilder &builder, Location loc, int64_t number) {
  return arith::ConstantIndexOp::create(builder, loc, number);
}

/// The update of one row of zeros, if that is what `value` is.
static net::RowUpdateOp getRowOfZeros(Value value) {
  auto update = value.getDefiningOp<net::RowUpdateOp>();
  auto zeros = update ? update.getX().getDefiningOp<net::ConstantOp>() : nullptr;
  auto elements = zeros ? dyn_cast<DenseElementsAttr>(zeros.getValue()) : DenseElementsAttr();
  bool isZero = elements && elements.isSplat() && isa<FloatType>(elements.getElementType()) &&
                elements.getSplatValue<APFloat>().isZero();
  return isZero ? update : nullptr;
}

/// Adding one row to a tensor changes that row alone.
Value plumb::buildSum(OpBuilder &builder, Location loc, Value left, Value right) {
  if (!left)
    return right;
  if (net::RowUpdateOp update = getRowOfZeros(right)) {
    Value row = net::RowOp::create(builder, loc, left, update.getIndex(), update.getAxis());
    Value sum = net::AddOp::create(builder, loc, row, update.getRow());
    return net::RowUpdateOp::create(builder, loc, sum, left, update.getIndex(), update.getAxis());
  }
  return net::AddOp::create(builder, loc, left, right);
}

void Adjoints::add(OpBuilder &builder, Location loc, Value value, Value adjoint) {
  Value &sum = values[value];
  sum = buildSum(builder, loc, sum, adjoint);
}

void Adjoints::add(OpBuilder &builder, Location loc, StringAttr parameter, Value adjoint) {
  Value &sum = parameters[parameter];
  sum = buildSum(builder, loc, sum, adjoint);
}

Value Adjoints::getOrZero(OpBuilder &builder, Location loc, Value value) const {
  Value adjoint = get(value);
  return adjoint ? adjoint : buildSplat(builder, loc, value.getType(), 0.0);
}
