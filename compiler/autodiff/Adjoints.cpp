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

static bool isZeros(Value value) {
  auto constant = value.getDefiningOp<net::ConstantOp>();
  auto elements = constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : DenseElementsAttr();
  return elements && elements.isSplat() && isa<FloatType>(elements.getElementType()) &&
         elements.getSplatValue<APFloat>().isZero();
}

/// What `update` adds to a row of the tensor that it changes, if it does so; see addRow.
static Value getAddedRow(net::RowUpdateOp update) {
  auto sum = update.getRow().getDefiningOp<net::AddOp>();
  auto row = sum ? sum.getX().getDefiningOp<net::RowOp>() : nullptr;
  bool isOfSame =
      row && row.getX() == update.getX() && row.getIndex() == update.getIndex() && row.getAxis() == update.getAxis();
  return isOfSame ? sum.getY() : Value();
}

/// The rows that `value` is the sum of, if it is zeros but for some rows, the last one first.
static SmallVector<std::pair<net::RowUpdateOp, Value>> getRows(Value value) {
  SmallVector<std::pair<net::RowUpdateOp, Value>> rows;
  while (auto update = value.getDefiningOp<net::RowUpdateOp>()) {
    value = update.getX();
    bool isLast = isZeros(value);
    Value row = isLast ? update.getRow() : getAddedRow(update);
    if (!row)
      break;
    rows.emplace_back(update, row);
    if (isLast)
      return rows;
  }
  return {};
}

/// Adds to one row of `tensor`, and so changes that row alone.
static Value addRow(OpBuilder &builder, Location loc, Value tensor, net::RowUpdateOp update, Value row) {
  Value old = net::RowOp::create(builder, loc, tensor, update.getIndex(), update.getAxis());
  Value sum = net::AddOp::create(builder, loc, old, row);
  return net::RowUpdateOp::create(builder, loc, sum, tensor, update.getIndex(), update.getAxis());
}

Value plumb::buildSum(OpBuilder &builder, Location loc, Value left, Value right) {
  if (!left)
    return right;
  auto rows = getRows(right);
  if (rows.empty() && !(rows = getRows(left)).empty())
    std::swap(left, right);
  if (rows.empty())
    return net::AddOp::create(builder, loc, left, right);
  for (auto [update, row] : llvm::reverse(rows))
    left = addRow(builder, loc, left, update, row);
  return left;
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
