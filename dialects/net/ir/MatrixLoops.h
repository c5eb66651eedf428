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

  /// A loop that carries one value.
  Value fold(Value from, Value to, Value carried, Body body) { return repeat(from, to, carried, body).front(); }
  Value fold(int64_t to, Value carried, Body body) { return repeat(to, carried, body).front(); }

  /// `start` and the sum of the terms from `from` to before `to`.
  Value sum(Value from, Value to, Value start, Term term) {
    auto body = [&](MatrixBuilder &at, Value i, mlir::ValueRange sums) { return Values{at.add(sums[0], term(at, i))}; };
    return fold(from, to, start, body);
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

/// A batch of matrices, each element by a rule of its batch, row and column.
mlir::Value makeMatrices(LoweringBuilder &b, mlir::RankedTensorType type,
                         llvm::function_ref<mlir::Value(ScalarBuilder &, mlir::Value, mlir::Value, mlir::Value)> rule);
/// Ones where row and column are the same, zeros elsewhere.
mlir::Value makeIdentity(LoweringBuilder &b, mlir::RankedTensorType type);
/// Rows as columns.
mlir::Value transposeMatrices(LoweringBuilder &b, mlir::Value matrices);

/// A loop from `from` to before `to`, which is not before it, by four at a time and then by one: what the body makes of
/// several indices, it loads and counts for once. The body gets its indices and what is carried.
Values repeatInFours(MatrixBuilder &s, mlir::Value from, mlir::Value to, mlir::ValueRange carried,
                     llvm::function_ref<Values(MatrixBuilder &, mlir::ValueRange, mlir::ValueRange)> body);
/// The same for one value.
inline mlir::Value foldInFours(MatrixBuilder &s, mlir::Value from, mlir::Value to, mlir::Value carried,
                               llvm::function_ref<Values(MatrixBuilder &, mlir::ValueRange, mlir::ValueRange)> body) {
  return repeatInFours(s, from, to, carried, body).front();
}

/// Half the distance from one to the next number of a type.
double roundingUnit(mlir::Type element);

/// The power of two below the largest magnitude of a matrix, one for a matrix of zeros: squares of elements divided by
/// it neither overflow nor vanish where they count.
mlir::Value findScale(MatrixBuilder &s, mlir::Value matrices, mlir::Value batch, int64_t rows, int64_t columns);
/// Divides the elements of a matrix.
mlir::Value divideBy(MatrixBuilder &s, mlir::Value matrices, mlir::Value batch, int64_t rows, int64_t columns,
                     mlir::Value scale);

/// Rotates rows `p` and `q` from column 0 to before `to`: (x, y) becomes (c x − s y, s x + c y).
mlir::Value rotateRows(MatrixBuilder &s, mlir::Value matrices, mlir::Value batch, mlir::Value p, mlir::Value q,
                       mlir::Value cosine, mlir::Value sine, mlir::Value to);

/// Sorts numbers by selection, and exchanges the rows of all matrices with them. `state` is (numbers, matrices …).
Values sortRows(MatrixBuilder &s, mlir::ValueRange state, mlir::Value batch, int64_t extent, int64_t columns,
                ScalarBuilder::Order first);

/// Householder's reflection x − t v (vᵀ x) that makes all but the first element of a vector zero; v's first element is
/// one, the others are the vector's times `scale`. The first becomes `beta`.
struct Reflector {
  mlir::Value beta, factor, scale;

  /// For a vector of first element `alpha`, and the sum of squares of the others.
  Reflector(MatrixBuilder &s, mlir::Value alpha, mlir::Value squares);
};

/// The elements of v below its first, of (matrices that are being reflected, row).
using VectorElement = llvm::function_ref<mlir::Value(MatrixBuilder &, mlir::Value, mlir::Value)>;

/// Reflects columns `from` to before `to` in the rows from `first` on. `state` is (matrices, a row of scratch). Both
/// passes go along rows.
Values reflectColumns(MatrixBuilder &s, mlir::ValueRange state, mlir::Value batch, mlir::Value first, int64_t rows,
                      mlir::Value from, mlir::Value to, mlir::Value factor, VectorElement below);

/// Makes column `k` zero below its diagonal, keeps v there, and reflects the columns right of it. `state` is (matrices,
/// factors t, a row of scratch).
Values factorColumn(MatrixBuilder &s, mlir::ValueRange state, mlir::Value batch, mlir::Value k, int64_t rows,
                    int64_t columns);

} // namespace plumb::net

#endif // PLUMB_DIALECTS_NET_IR_MATRIXLOOPS_H
