// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Eigenvalues of symmetric matrices by Jacobi's rotations (Golub and Van Loan, "Matrix computations", section 8.5): each makes
// one pair of elements off the diagonal zero, in sweeps over all pairs, until what is left off the diagonal is nothing beside
// the diagonal. Few sweeps are enough, as their last ones converge quadratically; small eigenvalues are as right as large
// ones, and eigenvectors orthogonal to rounding. They are kept as rows, along which memory goes.

#include "dialects/net/ir/MatrixLoops.h"
#include "dialects/net/ir/NetLinalgOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace plumb::net {
namespace {

using Order = ScalarBuilder::Order;

/// More sweeps than any matrix needs.
constexpr int64_t kMaxSweeps = 40;

/// Elements of all matrices, made from their row and column.
Value byPlace(LoweringBuilder &b, RankedTensorType type,
              llvm::function_ref<Value(ScalarBuilder &, Value, Value, Value)> rule) {
  return b.generic({}, b.empty(type), b.getMultiDimIdentityMap(3), [&](ScalarBuilder &s, ValueRange) {
    Value batch = linalg::IndexOp::create(s, 0), row = linalg::IndexOp::create(s, 1);
    return Values{rule(s, batch, row, linalg::IndexOp::create(s, 2))};
  }).front();
}

struct Jacobi {
  int64_t extent;
  FloatType element;

  Value number(ScalarBuilder &s, double value) const { return s.number(element, value); }

  /// Whether the squares off the diagonal are nothing beside those of all.
  Value isDiagonal(MatrixBuilder &s, Value matrix, Value batch) const {
    auto squares = [&](bool onlyBelow) {
      auto addRow = [&](MatrixBuilder &t, Value row, ValueRange sums) {
        Value end = onlyBelow ? row : t.index(extent);
        return Values{t.sum(t.index(0), end, sums[0], [&](MatrixBuilder &m, Value column) {
          Value x = m.get(matrix, {batch, row, column});
          return m.mul(x, x);
        })};
      };
      return s.repeat(extent, number(s, 0), addRow).front();
    };
    unsigned digits = APFloat::semanticsPrecision(element.getFloatSemantics());
    double epsilon = std::ldexp(1, -static_cast<int>(digits));
    Value rest = squares(true), limit = s.mul(squares(false), number(s, epsilon * epsilon / 4));
    return s.compare(Order::LessEqual, rest, limit);
  }

  /// The cosine and sine of the rotation that makes element (p, q) zero.
  std::pair<Value, Value> findRotation(MatrixBuilder &s, Value matrix, Value batch, Value p, Value q) const {
    Value across = s.get(matrix, {batch, p, q}), one = number(s, 1), zero = number(s, 0);
    Value distance = s.sub(s.get(matrix, {batch, q, q}), s.get(matrix, {batch, p, p}));
    Value theta = s.div(distance, s.mul(across, number(s, 2)));
    Value root = math::SqrtOp::create(s, s.add(s.mul(theta, theta), one));
    Value size = s.div(one, s.add(math::AbsFOp::create(s, theta), root));
    Value tangent = math::CopySignOp::create(s, size, theta);
    tangent = s.select(s.compare(Order::Equal, across, zero), zero, tangent);
    Value cosine = s.div(one, math::SqrtOp::create(s, s.add(s.mul(tangent, tangent), one)));
    return {cosine, s.mul(tangent, cosine)};
  }

  /// Rotates two rows, or two columns.
  Value rotate(MatrixBuilder &s, Value matrix, Value batch, Value p, Value q, std::pair<Value, Value> by, bool rows) const {
    auto [cosine, sine] = by;
    return s.repeat(extent, matrix, [&](MatrixBuilder &m, Value k, ValueRange carried) {
      Values first = rows ? Values{batch, p, k} : Values{batch, k, p};
      Values second = rows ? Values{batch, q, k} : Values{batch, k, q};
      Value x = m.get(carried[0], first), y = m.get(carried[0], second);
      Value newX = m.sub(m.mul(cosine, x), m.mul(sine, y)), newY = m.add(m.mul(sine, x), m.mul(cosine, y));
      return Values{m.set(m.set(carried[0], newX, first), newY, second)};
    }).front();
  }

  /// One sweep over all pairs; `carried` is (matrices, eigenvectors as rows). No pair is left to a matrix that is done.
  Values sweep(MatrixBuilder &s, Value batch, ValueRange carried) const {
    Value end = s.select(isDiagonal(s, carried[0], batch), s.index(0), s.index(extent));
    return s.repeat(s.index(0), end, carried, [&](MatrixBuilder &t, Value p, ValueRange rows) {
      return t.repeat(t.plus(p, 1), t.index(extent), rows, [&](MatrixBuilder &m, Value q, ValueRange values) {
        auto by = findRotation(m, values[0], batch, p, q);
        Value turned = rotate(m, values[0], batch, p, q, by, /*rows=*/true);
        turned = rotate(m, turned, batch, p, q, by, /*rows=*/false);
        return Values{turned, rotate(m, values[1], batch, p, q, by, /*rows=*/true)};
      });
    });
  }

  /// Brings eigenvalues and the rows of eigenvectors into ascending order.
  Values sort(MatrixBuilder &s, Value batch, ValueRange carried) const {
    return s.repeat(extent, carried, [&](MatrixBuilder &t, Value k, ValueRange state) {
      Value values = state[0];
      auto smaller = [&](MatrixBuilder &m, Value i, ValueRange best) {
        Value x = m.get(values, {batch, i}), wins = m.compare(Order::Less, x, best[0]);
        return Values{m.select(wins, x, best[0]), m.select(wins, i, best[1])};
      };
      Value here = t.get(values, {batch, k});
      Values least = t.repeat(t.plus(k, 1), t.index(extent), {here, k}, smaller);
      Value sorted = t.set(t.set(values, least[0], {batch, k}), t.select(isSame(t, least[1], k), least[0], here), {batch, least[1]});
      Value vectors = t.repeat(extent, state[1], [&](MatrixBuilder &m, Value c, ValueRange rows) {
        Value x = m.get(rows[0], {batch, k, c}), y = m.get(rows[0], {batch, least[1], c});
        return Values{m.set(m.set(rows[0], y, {batch, k, c}), x, {batch, least[1], c})};
      }).front();
      return Values{sorted, vectors};
    });
  }
  static Value isSame(MatrixBuilder &s, Value i, Value j) {
    return arith::CmpIOp::create(s, arith::CmpIPredicate::eq, i, j);
  }

  /// Makes the largest element of each eigenvector positive.
  Value orient(MatrixBuilder &s, Value batch, Value vectors) const {
    return s.repeat(extent, vectors, [&](MatrixBuilder &t, Value row, ValueRange carried) {
      Value rows = carried[0];
      auto larger = [&](MatrixBuilder &m, Value c, ValueRange best) {
        Value x = m.get(rows, {batch, row, c});
        Value wins = m.compare(Order::Greater, math::AbsFOp::create(m, x), math::AbsFOp::create(m, best[0]));
        return Values{m.select(wins, x, best[0])};
      };
      Value largest = t.repeat(extent, number(t, 0), larger).front();
      Value sign = math::CopySignOp::create(t, number(t, 1), largest);
      return t.repeat(extent, rows, [&](MatrixBuilder &m, Value c, ValueRange values) {
        return Values{m.set(values[0], m.mul(m.get(values[0], {batch, row, c}), sign), {batch, row, c})};
      });
    }).front();
  }
};

} // namespace

LoweredValues EighOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  LoweringBuilder b(getLoc(), builder);
  MatrixBatch x(b, operands[0]);
  RankedTensorType type = tensorType(x.matrices);
  Jacobi jacobi{x.rows, cast<FloatType>(type.getElementType())};
  Value symmetric = byPlace(b, type, [&](ScalarBuilder &s, Value batch, Value row, Value column) -> Value {
    Value low = arith::MaxUIOp::create(s, row, column), left = arith::MinUIOp::create(s, row, column);
    return tensor::ExtractOp::create(s, x.matrices, ValueRange{batch, low, left});
  });
  Value identity = byPlace(b, type, [&](ScalarBuilder &s, Value, Value row, Value column) {
    Value same = arith::CmpIOp::create(s, arith::CmpIPredicate::eq, row, column);
    return s.select(same, jacobi.number(s, 1), jacobi.number(s, 0));
  });
  Values start = {symmetric, identity, b.empty(type.clone({x.count, x.rows}))};
  MatrixBuilder outer(getLoc(), builder);
  Values found = outer.repeat(x.count, start, [&](MatrixBuilder &s, Value batch, ValueRange whole) {
    Values turned = s.repeat(kMaxSweeps, whole.take_front(2), [&](MatrixBuilder &t, Value, ValueRange carried) {
      return jacobi.sweep(t, batch, carried);
    });
    Value values = s.repeat(x.rows, whole[2], [&](MatrixBuilder &t, Value i, ValueRange carried) {
      return Values{t.set(carried[0], t.get(turned[0], {batch, i, i}), {batch, i})};
    }).front();
    Values sorted = jacobi.sort(s, batch, {values, turned[1]});
    return Values{turned[0], jacobi.orient(s, batch, sorted[1]), sorted[0]};
  });
  Value columns = byPlace(b, type, [&](ScalarBuilder &s, Value batch, Value row, Value column) -> Value {
    return tensor::ExtractOp::create(s, found[1], ValueRange{batch, column, row});
  });
  return Values{b.reshape(found[2], tensorType(getW()).getShape()), b.reshape(columns, tensorType(getV()).getShape())};
}

} // namespace plumb::net
