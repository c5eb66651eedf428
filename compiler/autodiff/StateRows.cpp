// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/autodiff/StateRows.h"

#include "compiler/auto_monad/Tokens.h"
#include "dialects/net/ir/NetShapeOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace plumb;

/// The tensor that is one row of a part of the state.
static RankedTensorType getRowType(Type part) {
  if (auto tensor = dyn_cast<RankedTensorType>(part))
    return tensor;
  return RankedTensorType::get({}, isa<IndexType>(part) ? IntegerType::get(part.getContext(), 64) : part);
}

/// A part of the state as a row.
static Value asRow(OpBuilder &builder, Location loc, Value part) {
  if (isa<RankedTensorType>(part.getType()))
    return part;
  RankedTensorType type = getRowType(part.getType());
  if (isa<IndexType>(part.getType()))
    part = arith::IndexCastOp::create(builder, loc, type.getElementType(), part);
  return tensor::FromElementsOp::create(builder, loc, type, part);
}

static Value fromRow(OpBuilder &builder, Location loc, Value row, Type part) {
  if (isa<RankedTensorType>(part))
    return row;
  Value element = tensor::ExtractOp::create(builder, loc, row, ValueRange());
  return isa<IndexType>(part) ? arith::IndexCastOp::create(builder, loc, part, element).getResult() : element;
}

int64_t StateRows::countBytes() const {
  int64_t bytes = 0;
  for (Type part : state) {
    if (isTokenType(part))
      continue;
    RankedTensorType row = getRowType(part);
    bytes += row.getNumElements() * std::max<int64_t>(1, row.getElementTypeBitWidth() / 8);
  }
  return std::max<int64_t>(bytes, 1);
}

SmallVector<Value> StateRows::makeEmpty(OpBuilder &builder, int64_t count) const {
  SmallVector<Value> tensors;
  for (Type part : state) {
    if (isTokenType(part))
      continue;
    RankedTensorType row = getRowType(part);
    SmallVector<int64_t> shape(row.getShape());
    shape.insert(shape.begin(), count);
    tensors.push_back(tensor::EmptyOp::create(builder, loc, shape, row.getElementType()));
  }
  return tensors;
}

SmallVector<Value> StateRows::store(OpBuilder &builder, ValueRange values, ValueRange tensors, Value row) const {
  SmallVector<Value> stored;
  auto kept = llvm::make_filter_range(values, [](Value value) { return !isTokenType(value.getType()); });
  for (auto [value, tensor] : llvm::zip(kept, tensors))
    stored.push_back(net::RowUpdateOp::create(builder, loc, asRow(builder, loc, value), tensor, row));
  return stored;
}

SmallVector<Value> StateRows::load(OpBuilder &builder, ValueRange tensors, Value row, ValueRange init) const {
  SmallVector<Value> values;
  for (auto [first, part] : llvm::zip(init, state)) {
    if (isTokenType(part)) {
      values.push_back(first);
      continue;
    }
    values.push_back(fromRow(builder, loc, net::RowOp::create(builder, loc, tensors.front(), row), part));
    tensors = tensors.drop_front();
  }
  return values;
}
