// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/net/ir/RowLoops.h"

#include "dialects/net/ir/Inference.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace plumb::net {

RowLoops::RowLoops(LoweringBuilder &builder, Operation *op, int64_t givenAxis)
    : builder(builder), isUnsigned(getElementTypeOrSelf(op->getOperand(0)).isUnsignedInteger()),
      shape(tensorType(op->getOperand(0)).getShape()) {
  int64_t rank = shape.size();
  axis = normalizeAxis(givenAxis, rank);
  count = 1;
  for (int64_t d = 0; d < rank; ++d)
    if (d != axis) {
      perm.push_back(d);
      count *= shape[d];
    }
  perm.push_back(axis);
}

Value RowLoops::transpose(Value x, ArrayRef<int64_t> order) {
  RankedTensorType type = tensorType(x);
  int64_t rank = type.getRank();
  SmallVector<AffineExpr> from(rank);
  Shape moved;
  for (auto [to, source] : llvm::enumerate(order)) {
    from[source] = builder.dim(to);
    moved.push_back(type.getDimSize(source));
  }
  auto pass = [](ScalarBuilder &, ValueRange v) { return Values{v[0]}; };
  AffineMap to = builder.getMultiDimIdentityMap(rank);
  return builder.generic(x, builder.empty(type.clone(moved)), {builder.map(rank, from), to}, pass).front();
}

Value RowLoops::toRows(Value x) {
  bool isLast = axis + 1 == static_cast<int64_t>(shape.size());
  return builder.reshape(isLast ? x : transpose(x, perm), {count, extent()});
}

Value RowLoops::fromRows(Value rows) {
  Shape moved, inverse(shape.size());
  for (auto [to, source] : llvm::enumerate(perm)) {
    moved.push_back(shape[source]);
    inverse[source] = to;
  }
  Value x = builder.reshape(rows, moved);
  return axis + 1 == static_cast<int64_t>(shape.size()) ? x : transpose(x, inverse);
}

Value RowLoops::empty(Type element) { return builder.empty(RankedTensorType::get({count, extent()}, element)); }

RowLoops::Values RowLoops::loop(OpBuilder &at, Value lower, Value upper, Value step, ValueRange carried, Body body) {
  auto build = [&](OpBuilder &inner, Location loc, Value index, ValueRange values) {
    ScalarBuilder s(loc, inner);
    s.isUnsigned = isUnsigned;
    scf::YieldOp::create(s, body(s, index, values));
  };
  auto made = scf::ForOp::create(at, builder.getLoc(), lower, upper, step, carried, build);
  return Values(made.getResults());
}

RowLoops::Values RowLoops::loop(OpBuilder &at, int64_t upper, ValueRange carried, Body body) {
  auto constant = [&](int64_t value) { return arith::ConstantIndexOp::create(at, builder.getLoc(), value); };
  Value lower = constant(0), end = constant(upper), step = constant(1);
  return loop(at, lower, end, step, carried, body);
}

} // namespace plumb::net
