// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Factorisation into an orthogonal and a triangular matrix by Householder's reflections (Golub and Van Loan, "Matrix
// computations", section 5.2).

#include "dialects/net/ir/MatrixLoops.h"
#include "dialects/net/ir/NetLinalgOps.h"

using namespace mlir;

namespace plumb::net {

/// (matrices with r, and below its diagonal the vectors of the reflections; their factors).
static Values reflectAll(LoweringBuilder &b, const MatrixBatch &x) {
  RankedTensorType type = tensorType(x.matrices);
  Values start = {x.matrices, b.empty(type.clone({x.count, x.smaller()})), b.empty(type.clone(x.columns))};
  MatrixBuilder outer(b.getLoc(), b);
  return outer.repeat(x.count, start, [&](MatrixBuilder &s, Value batch, ValueRange whole) {
    return s.repeat(x.smaller(), whole, [&](MatrixBuilder &t, Value k, ValueRange state) {
      return factorColumn(t, state, batch, k, x.rows, x.columns);
    });
  });
}

LoweredValues GeqrfOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  LoweringBuilder b(getLoc(), builder);
  MatrixBatch x(b, operands[0]);
  Values factors = reflectAll(b, x);
  return Values{b.reshape(factors[0], tensorType(getFactors()).getShape()),
                b.reshape(factors[1], tensorType(getTau()).getShape())};
}

LoweredValues QrOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  LoweringBuilder b(getLoc(), builder);
  MatrixBatch x(b, operands[0]);
  Values factors = reflectAll(b, x);
  int64_t count = x.smaller();
  RankedTensorType type = tensorType(x.matrices);
  Value r = makeMatrices(b, type.clone({x.count, count, x.columns}),
                         [&](ScalarBuilder &s, Value batch, Value row, Value column) {
                           Value element = tensor::ExtractOp::create(s, factors[0], ValueRange{batch, row, column});
                           Value above = arith::CmpIOp::create(s, arith::CmpIPredicate::ule, row, column);
                           return s.select(above, element, s.number(type.getElementType(), 0));
                         });
  Values start = {makeIdentity(b, type.clone({x.count, x.rows, count})), b.empty(type.clone(count))};
  MatrixBuilder outer(getLoc(), builder);
  auto reflect = [&](MatrixBuilder &s, Value batch, ValueRange whole) {
    return s.repeat(count, whole, [&](MatrixBuilder &t, Value step, ValueRange state) {
      Value k = t.minus(count - 1, step);
      auto element = [&](MatrixBuilder &m, Value, Value row) { return m.get(factors[0], {batch, row, k}); };
      // Columns left of k are those of the identity, zero from row k on.
      return reflectColumns(t, state, batch, k, x.rows, k, t.index(count), t.get(factors[1], {batch, k}), element);
    });
  };
  Value q = outer.repeat(x.count, start, reflect).front();
  return Values{b.reshape(q, tensorType(getQ()).getShape()), b.reshape(r, tensorType(getR()).getShape())};
}

} // namespace plumb::net
