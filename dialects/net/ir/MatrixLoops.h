// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over the elements of matrices, for factorisations: each step needs what the one before has made.

#ifndef PLUMB_DIALECTS_NET_IR_MATRIXLOOPS_H
#define PLUMB_DIALECTS_NET_IR_MATRIXLOOPS_H

#include "dialects/net/ir/Inference.h"
#include "dialects/net/ir/Lowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace plumb::net {

using Values = llvm::SmallVector<mlir::Value>;

/// Arithmetic on floats, indices and elements within a loop.
class MatrixBuilder : public ScalarBuilder {
public:
  using ScalarBuilder::ScalarBuilder;

  /// The body of a loop: gets its index and what it carries, returns what it carries on.
  using Body = llvm::function_ref<Values(MatrixBuilder &, Value, mlir::ValueRange)>;
  using Term = llvm::function_ref<Value(MatrixBuilder &, Value)>;

  Value index(int64_t value) { return mlir::arith::ConstantIndexOp::create(*this, value); }
  Value plus(Value i, int64_t value) { return mlir::arith::AddIOp::create(*this, i, index(value)); }
  /// value − i.
  Value minus(int64_t value, Value i) { return mlir::arith::SubIOp::create(*this, index(value), i); }

  Value get(Value matrix, mlir::ValueRange at) { return mlir::tensor::ExtractOp::create(*this, matrix, at); }
  Value set(Value matrix, Value element, mlir::ValueRange at) {
    return mlir::tensor::InsertOp::create(*this, element, matrix, at);
  }

  /// A loop from `from` to before `to`.
  Values repeat(Value from, Value to, mlir::ValueRange carried, Body body) {
    auto build = [&](mlir::OpBuilder &inner, mlir::Location loc, Value i, mlir::ValueRange values) {
      MatrixBuilder at(loc, inner);
      mlir::scf::YieldOp::create(at, body(at, i, values));
    };
    return Values(mlir::scf::ForOp::create(*this, from, to, index(1), carried, build).getResults());
  }
  Values repeat(int64_t to, mlir::ValueRange carried, Body body) { return repeat(index(0), index(to), carried, body); }

  /// `start` and the sum of the terms from `from` to before `to`.
  Value sum(Value from, Value to, Value start, Term term) {
    auto body = [&](MatrixBuilder &at, Value i, mlir::ValueRange sums) { return Values{at.add(sums[0], term(at, i))}; };
    return repeat(from, to, start, body).front();
  }
};

/// A tensor as one batch of matrices.
struct MatrixBatch {
  int64_t count = 1, rows, columns;
  mlir::Value matrices;

  MatrixBatch(LoweringBuilder &b, mlir::Value x) {
    llvm::ArrayRef<int64_t> shape = tensorType(x).getShape();
    rows = shape[shape.size() - 2];
    columns = shape.back();
    for (int64_t extent : shape.drop_back(2))
      count *= extent;
    matrices = b.reshape(x, {count, rows, columns});
  }
  int64_t smaller() const { return std::min(rows, columns); }
};

} // namespace plumb::net

#endif // PLUMB_DIALECTS_NET_IR_MATRIXLOOPS_H
