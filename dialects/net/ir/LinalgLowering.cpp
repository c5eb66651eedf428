// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Triangular systems and the factorisations into triangular matrices (Golub and Van Loan, "Matrix computations",
// chapters 3 and 4), as loops over elements: Cholesky row by row, LU by elimination with pivots. Innermost loops go
// along rows where the order leaves a choice.

#include "dialects/net/ir/MatrixLoops.h"
#include "dialects/net/ir/NetLinalgOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace plumb::net {

using Order = ScalarBuilder::Order;

LoweredValues CholeskyOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  LoweringBuilder b(getLoc(), builder);
  MatrixBatch x(b, operands[0]);
  Value zeros = b.filled(tensorType(x.matrices), 0.0);
  MatrixBuilder outer(getLoc(), builder);
  Value factor = outer.fold(x.count, zeros, [&](MatrixBuilder &s, Value batch, ValueRange whole) {
    return s.repeat(x.rows, whole, [&](MatrixBuilder &t, Value row, ValueRange rows) {
      return t.repeat(t.index(0), t.plus(row, 1), rows, [&](MatrixBuilder &m, Value column, ValueRange carried) {
        Value l = carried[0], start = m.get(x.matrices, {batch, row, column});
        Value rest = m.sum(m.index(0), column, start, [&](MatrixBuilder &n, Value k) {
          return n.neg(n.mul(n.get(l, {batch, row, k}), n.get(l, {batch, column, k})));
        });
        Value onDiagonal = arith::CmpIOp::create(m, arith::CmpIPredicate::eq, row, column);
        Value root = math::SqrtOp::create(m, rest), below = m.div(rest, m.get(l, {batch, column, column}));
        return Values{m.set(l, m.select(onDiagonal, root, below), {batch, row, column})};
      });
    });
  });
  return lowered(b.reshape(factor, getType().getShape()));
}

LoweredValues TriangularSolveOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  LoweringBuilder b(getLoc(), builder);
  MatrixBatch a(b, operands[0]), x(b, operands[1]);
  bool forward = getLower() != getTranspose();
  // Takes from one row what another row, known already, gives to it.
  auto solveRow = [&](MatrixBuilder &s, Value batch, Value row, ValueRange whole) {
    Value from = forward ? s.index(0) : s.plus(row, 1), to = forward ? row : s.index(a.rows);
    Values rest = s.repeat(from, to, whole, [&](MatrixBuilder &t, Value known, ValueRange carried) {
      Value factor = t.get(a.matrices, getTranspose() ? Values{batch, known, row} : Values{batch, row, known});
      return t.repeat(x.columns, carried, [&](MatrixBuilder &m, Value c, ValueRange values) {
        Value share = m.mul(factor, m.get(values[0], {batch, known, c}));
        return Values{m.set(values[0], m.sub(m.get(values[0], {batch, row, c}), share), {batch, row, c})};
      });
    });
    if (getUnit())
      return rest;
    Value diagonal = s.get(a.matrices, {batch, row, row});
    return s.repeat(x.columns, rest, [&](MatrixBuilder &m, Value c, ValueRange values) {
      return Values{m.set(values[0], m.div(m.get(values[0], {batch, row, c}), diagonal), {batch, row, c})};
    });
  };
  MatrixBuilder outer(getLoc(), builder);
  Value solved = outer.fold(x.count, x.matrices, [&](MatrixBuilder &s, Value batch, ValueRange whole) {
    return s.repeat(x.rows, whole, [&](MatrixBuilder &t, Value step, ValueRange carried) {
      return solveRow(t, batch, forward ? step : t.minus(x.rows - 1, step), carried);
    });
  });
  return lowered(b.reshape(solved, getType().getShape()));
}

//===--------------------------------------------------------------------------------------===//
// LU
//===--------------------------------------------------------------------------------------===//

/// The row of the largest element of a column, from row `k` on.
static Value findPivot(MatrixBuilder &s, const MatrixBatch &x, Value work, Value batch, Value k) {
  Type element = tensorType(work).getElementType();
  auto body = [&](MatrixBuilder &m, Value row, ValueRange best) {
    Value size = math::AbsFOp::create(m, m.get(work, {batch, row, k}));
    Value wins = m.compare(Order::Greater, size, best[0]);
    return Values{m.select(wins, size, best[0]), m.select(wins, row, best[1])};
  };
  return s.repeat(k, s.index(x.rows), {s.number(element, -1), k}, body)[1];
}

/// Exchanges two elements.
static Value exchange(MatrixBuilder &s, Value matrix, ValueRange one, ValueRange other) {
  Value x = s.get(matrix, one), y = s.get(matrix, other);
  return s.set(s.set(matrix, y, one), x, other);
}

/// Subtracts multiples of row `k` from those below it, and keeps the factors in its column.
static Values eliminate(MatrixBuilder &s, const MatrixBatch &x, Value work, Value batch, Value k) {
  Value pivot = s.get(work, {batch, k, k}), zero = s.number(pivot.getType(), 0);
  // Where all that is left of a column is zero, so are its factors.
  Value isZero = s.compare(Order::Equal, pivot, zero);
  return s.repeat(s.plus(k, 1), s.index(x.rows), work, [&](MatrixBuilder &t, Value row, ValueRange carried) {
    Value factor = t.select(isZero, zero, t.div(t.get(carried[0], {batch, row, k}), pivot));
    Value kept = t.set(carried[0], factor, {batch, row, k});
    return t.repeat(t.plus(k, 1), t.index(x.columns), kept, [&](MatrixBuilder &m, Value c, ValueRange values) {
      Value share = m.mul(factor, m.get(values[0], {batch, k, c}));
      return Values{m.set(values[0], m.sub(m.get(values[0], {batch, row, c}), share), {batch, row, c})};
    });
  });
}

/// Each element's index along the last axis.
static Value countAlongRows(LoweringBuilder &b, ArrayRef<int64_t> shape) {
  unsigned rank = shape.size();
  auto body = [&](ScalarBuilder &s, ValueRange) {
    return Values{arith::IndexCastOp::create(s, s.getI32Type(), linalg::IndexOp::create(s, rank - 1))};
  };
  return b.generic({}, b.empty(RankedTensorType::get(shape, b.getI32Type())), b.getMultiDimIdentityMap(rank), body)
      .front();
}

LoweredValues LuOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  LoweringBuilder b(getLoc(), builder);
  MatrixBatch x(b, operands[0]);
  Values start = {x.matrices, countAlongRows(b, {x.count, x.rows})};
  MatrixBuilder outer(getLoc(), builder);
  Values factors = outer.repeat(x.count, start, [&](MatrixBuilder &s, Value batch, ValueRange whole) {
    return s.repeat(x.smaller(), whole, [&](MatrixBuilder &t, Value k, ValueRange carried) {
      Value pivot = findPivot(t, x, carried[0], batch, k);
      Values work = t.repeat(x.columns, carried[0], [&](MatrixBuilder &m, Value c, ValueRange values) {
        return Values{exchange(m, values[0], {batch, k, c}, {batch, pivot, c})};
      });
      Value rows = exchange(t, carried[1], {batch, k}, {batch, pivot});
      return Values{eliminate(t, x, work[0], batch, k).front(), rows};
    });
  });
  return Values{b.reshape(factors[0], tensorType(getFactors()).getShape()),
                b.reshape(factors[1], tensorType(getRows()).getShape())};
}

} // namespace plumb::net
