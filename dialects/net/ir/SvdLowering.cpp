// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Singular values and vectors (Drmač and Veselić, "New fast and accurate Jacobi SVD algorithm", 2008). A matrix with at
// least as many rows as columns, a (else its transpose), is factored into q r pᵀ with column pivoting, so that r's rows
// get smaller from the first to the last. Rotations of pairs of rows of r make all rows orthogonal: j r = s vᵀ. Their
// lengths are the singular values, small ones as right as large ones; u is q jᵀ, and v's rows exchanged back.
//
// Rows that vanish beside the others have no direction of their own: v is completed by any orthonormal one.

#include "dialects/net/ir/MatrixLoops.h"
#include "dialects/net/ir/NetLinalgOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <tuple>

using namespace mlir;

namespace plumb::net {
namespace {

using Order = ScalarBuilder::Order;

/// More sweeps than any matrix needs.
constexpr int64_t kMaxSweeps = 30;

struct Svd {
  /// At least as many rows as columns.
  int64_t rows, columns;
  Type element;

  Value number(ScalarBuilder &s, double value) const { return s.number(element, value); }

  //===--- q r pᵀ ---===//

  /// The column from `k` on with the largest sum of squares in the rows from `k` on, and the scratch the sums were in.
  std::pair<Value, Value> findPivot(MatrixBuilder &s, Value batch, Value k, Value work, Value scratch) const {
    Value end = s.index(columns);
    Value cleared = s.fold(k, end, scratch, [&](MatrixBuilder &m, Value c, ValueRange values) {
      return Values{m.set(values[0], number(m, 0), {c})};
    });
    Value sums = s.fold(k, s.index(rows), cleared, [&](MatrixBuilder &t, Value row, ValueRange carried) {
      return t.repeat(k, end, carried, [&](MatrixBuilder &m, Value c, ValueRange values) {
        Value x = m.get(work, {batch, row, c});
        return Values{m.set(values[0], m.add(m.get(values[0], {c}), m.mul(x, x)), {c})};
      });
    });
    Values best = s.repeat(k, end, {number(s, -1), k}, [&](MatrixBuilder &m, Value c, ValueRange found) {
      Value x = m.get(sums, {c}), wins = m.compare(Order::Greater, x, found[0]);
      return Values{m.select(wins, x, found[0]), m.select(wins, c, found[1])};
    });
    return {best[1], sums};
  }

  /// Factors one matrix. `state` is (matrices, factors of the reflections, scratch, which column stands where, scales).
  Values factor(MatrixBuilder &s, Value batch, ValueRange state) const {
    Value scale = findScale(s, state[0], batch, rows, columns);
    Values start = {divideBy(s, state[0], batch, rows, columns, scale), state[1], state[2], state[3]};
    Values done = s.repeat(columns, start, [&](MatrixBuilder &t, Value k, ValueRange carried) {
      Value pivot, scratch;
      std::tie(pivot, scratch) = findPivot(t, batch, k, carried[0], carried[2]);
      Value work = t.fold(rows, carried[0], [&](MatrixBuilder &m, Value row, ValueRange values) {
        Value x = m.get(values[0], {batch, row, k}), y = m.get(values[0], {batch, row, pivot});
        return Values{m.set(m.set(values[0], y, {batch, row, k}), x, {batch, row, pivot})};
      });
      Value one = t.get(carried[3], {batch, k}), other = t.get(carried[3], {batch, pivot});
      Values next = factorColumn(t, {work, carried[1], scratch}, batch, k, rows, columns);
      next.push_back(t.set(t.set(carried[3], other, {batch, k}), one, {batch, pivot}));
      return next;
    });
    done.push_back(s.set(state[4], scale, {batch}));
    return done;
  }

  //===--- Rotations ---===//

  /// (x·x, y·y, x·y) of rows p and q, each as sums of several parts, which do not wait for each other.
  Values multiplyRows(MatrixBuilder &s, Value batch, Value p, Value q, Value r) const {
    constexpr unsigned parts = 4, sums = 3;
    Values zeros(parts * sums, number(s, 0));
    Values made = repeatInFours(s, s.index(0), s.index(columns), zeros,
                                [&](MatrixBuilder &m, ValueRange places, ValueRange carried) {
                                  Values next(carried.begin(), carried.end());
                                  for (auto [part, c] : llvm::enumerate(places)) {
                                    Value x = m.get(r, {batch, p, c}), y = m.get(r, {batch, q, c});
                                    next[sums * part] = m.add(next[sums * part], m.mul(x, x));
                                    next[sums * part + 1] = m.add(next[sums * part + 1], m.mul(y, y));
                                    next[sums * part + 2] = m.add(next[sums * part + 2], m.mul(x, y));
                                  }
                                  return next;
                                });
    for (unsigned part = 1; part < parts; ++part)
      for (unsigned sum = 0; sum < sums; ++sum)
        made[sum] = s.add(made[sum], made[sums * part + sum]);
    made.truncate(sums);
    return made;
  }

  /// Rotates rows p and q of `state`, (r, j, end of a sweep), unless they are orthogonal. The end is 0 until a pair is
  /// not.
  Values rotatePair(MatrixBuilder &s, Value batch, Value p, Value q, ValueRange state) const {
    Value end = s.index(columns);
    Values sums = multiplyRows(s, batch, p, q, state[0]);
    Value lengths = s.mul(math::SqrtOp::create(s, sums[0]), math::SqrtOp::create(s, sums[1]));
    Value limit = s.mul(lengths, number(s, roundingUnit(element) * std::sqrt(columns)));
    Value isSkew = s.compare(Order::Greater, math::AbsFOp::create(s, sums[2]), limit);
    Value counts = s.compare(Order::Greater, s.minimum(sums[0], sums[1]), number(s, smallestSquare()));
    Value rotates = arith::AndIOp::create(s, isSkew, counts);
    Value zeta = s.div(s.sub(sums[1], sums[0]), s.mul(sums[2], number(s, 2))), one = number(s, 1);
    Value root = math::SqrtOp::create(s, s.add(s.mul(zeta, zeta), one));
    Value size = s.div(one, s.add(math::AbsFOp::create(s, zeta), root));
    Value tangent = math::CopySignOp::create(s, size, zeta);
    Value cosine = s.div(one, math::SqrtOp::create(s, s.add(s.mul(tangent, tangent), one))),
          sine = s.mul(tangent, cosine);
    Value to = s.select(rotates, end, s.index(0));
    return {rotateRows(s, state[0], batch, p, q, cosine, sine, to),
            rotateRows(s, state[1], batch, p, q, cosine, sine, to), s.select(rotates, end, state[2])};
  }

  /// The square of a length that is nothing beside the largest, which is of the size of one.
  double smallestSquare() const { return std::pow(roundingUnit(element), 4); }

  /// Makes the rows of r orthogonal, in sweeps over all pairs until one rotates none. `state` is (r, j).
  Values orthogonalize(MatrixBuilder &s, Value batch, ValueRange state) const {
    Values start = {state[0], state[1], s.index(columns)};
    Values done = s.repeat(kMaxSweeps, start, [&](MatrixBuilder &t, Value, ValueRange carried) {
      Values sweep = {carried[0], carried[1], t.index(0)};
      return t.repeat(t.index(0), carried[2], sweep, [&](MatrixBuilder &m, Value p, ValueRange rows) {
        return m.repeat(m.plus(p, 1), m.index(columns), rows, [&](MatrixBuilder &n, Value q, ValueRange values) {
          return rotatePair(n, batch, p, q, values);
        });
      });
    });
    done.pop_back();
    return done;
  }

  //===--- Directions ---===//

  /// Lengths of rows, not negative.
  Value findLengths(MatrixBuilder &s, Value batch, Value r, Value lengths) const {
    return s.fold(columns, lengths, [&](MatrixBuilder &t, Value row, ValueRange carried) {
      Value squares = t.sum(t.index(0), t.index(columns), number(t, 0), [&](MatrixBuilder &m, Value c) {
        Value x = m.get(r, {batch, row, c});
        return m.mul(x, x);
      });
      return Values{t.set(carried[0], math::SqrtOp::create(t, squares), {batch, row})};
    });
  }

  Value divideRow(MatrixBuilder &s, Value batch, Value row, Value matrices, Value length, Value to) const {
    return s.fold(s.index(0), to, matrices, [&](MatrixBuilder &m, Value c, ValueRange values) {
      return Values{m.set(values[0], m.div(m.get(values[0], {batch, row, c}), length), {batch, row, c})};
    });
  }

  /// Makes rows that vanished orthonormal to all before them; `end` is the number of columns, or 0 where a row did not.
  /// `state` is (matrices of rows, scratch).
  Values completeRow(MatrixBuilder &s, Value batch, Value row, Value end, ValueRange state) const {
    Value isOpen = arith::CmpIOp::create(s, arith::CmpIPredicate::ne, end, s.index(0));
    Value before = s.select(isOpen, row, s.index(0)), zero = number(s, 0), one = number(s, 1);
    // The unit vector that is the farthest from their space.
    Value cleared = s.fold(s.index(0), end, state[1], [&](MatrixBuilder &m, Value c, ValueRange values) {
      return Values{m.set(values[0], number(m, 0), {c})};
    });
    Value shares = s.fold(s.index(0), before, cleared, [&](MatrixBuilder &t, Value other, ValueRange carried) {
      return t.repeat(columns, carried, [&](MatrixBuilder &m, Value c, ValueRange values) {
        Value x = m.get(state[0], {batch, other, c});
        return Values{m.set(values[0], m.add(m.get(values[0], {c}), m.mul(x, x)), {c})};
      });
    });
    Values best =
        s.repeat(s.index(0), end, {number(s, 4), s.index(0)}, [&](MatrixBuilder &m, Value c, ValueRange found) {
          Value x = m.get(shares, {c}), wins = m.compare(Order::Less, x, found[0]);
          return Values{m.select(wins, x, found[0]), m.select(wins, c, found[1])};
        });
    Value made = s.fold(s.index(0), end, state[0], [&](MatrixBuilder &m, Value c, ValueRange values) {
      Value same = arith::CmpIOp::create(m, arith::CmpIPredicate::eq, c, best[1]);
      return Values{m.set(values[0], m.select(same, one, zero), {batch, row, c})};
    });
    // Once more for what rounding left.
    for (int pass = 0; pass < 2; ++pass)
      made = s.fold(s.index(0), before, made, [&](MatrixBuilder &t, Value other, ValueRange carried) {
        return Values{subtractShare(t, batch, row, other, carried[0])};
      });
    Value squares = s.sum(s.index(0), end, zero, [&](MatrixBuilder &m, Value c) {
      Value x = m.get(made, {batch, row, c});
      return m.mul(x, x);
    });
    return {divideRow(s, batch, row, made, math::SqrtOp::create(s, squares), end), shares};
  }

  /// Takes from a row what it has in the direction of another.
  Value subtractShare(MatrixBuilder &s, Value batch, Value row, Value other, Value matrices) const {
    Value product = s.sum(s.index(0), s.index(columns), number(s, 0), [&](MatrixBuilder &m, Value c) {
      return m.mul(m.get(matrices, {batch, row, c}), m.get(matrices, {batch, other, c}));
    });
    return s.fold(columns, matrices, [&](MatrixBuilder &m, Value c, ValueRange values) {
      Value rest = m.sub(m.get(values[0], {batch, row, c}), m.mul(product, m.get(values[0], {batch, other, c})));
      return Values{m.set(values[0], rest, {batch, row, c})};
    });
  }

  /// Gives rows the length of one. `state` is (matrices of rows, scratch).
  Values normalize(MatrixBuilder &s, Value batch, Value lengths, ValueRange state) const {
    return s.repeat(columns, state, [&](MatrixBuilder &t, Value row, ValueRange carried) {
      Value length = t.get(lengths, {batch, row}), end = t.index(columns), none = t.index(0);
      Value counts = t.compare(Order::Greater, length, number(t, std::sqrt(smallestSquare())));
      Value divided = divideRow(t, batch, row, carried[0], length, t.select(counts, end, none));
      return completeRow(t, batch, row, t.select(counts, none, end), {divided, carried[1]});
    });
  }

  /// Right factors of one matrix. `state` is (r, j, singular values, scratch, scales).
  Values diagonalize(MatrixBuilder &s, Value batch, ValueRange state) const {
    Values rotated = orthogonalize(s, batch, state.take_front(2));
    Value lengths = findLengths(s, batch, rotated[0], state[2]);
    Values sorted = sortRows(s, {lengths, rotated[0], rotated[1]}, batch, columns, columns, Order::Greater);
    Values rows = normalize(s, batch, sorted[0], {sorted[1], state[3]});
    Value scale = s.get(state[4], {batch});
    Value values = s.fold(columns, sorted[0], [&](MatrixBuilder &m, Value i, ValueRange carried) {
      return Values{m.set(carried[0], m.mul(m.get(carried[0], {batch, i}), scale), {batch, i})};
    });
    return {rows[0], sorted[2], values, rows[1], state[4]};
  }
};

/// The sign of the largest element of each column.
Value findSigns(LoweringBuilder &b, Value matrices) {
  RankedTensorType type = tensorType(matrices);
  int64_t count = type.getDimSize(0), rows = type.getDimSize(1), columns = type.getDimSize(2);
  MatrixBuilder outer(b.getLoc(), b);
  return outer.fold(count, b.empty(type.clone({count, columns})), [&](MatrixBuilder &s, Value batch, ValueRange whole) {
    return s.repeat(columns, whole, [&](MatrixBuilder &t, Value c, ValueRange carried) {
      auto larger = [&](MatrixBuilder &m, Value row, ValueRange best) {
        Value x = m.get(matrices, {batch, row, c});
        Value wins = m.compare(Order::Greater, math::AbsFOp::create(m, x), math::AbsFOp::create(m, best[0]));
        return Values{m.select(wins, x, best[0])};
      };
      Value largest = t.fold(rows, t.number(type.getElementType(), 0), larger);
      Value sign = math::CopySignOp::create(t, t.number(type.getElementType(), 1), largest);
      return Values{t.set(carried[0], sign, {batch, c})};
    });
  });
}

/// The matrices with their columns multiplied by signs.
Value multiplySigns(LoweringBuilder &b, Value matrices, Value signs) {
  return makeMatrices(b, tensorType(matrices), [&](ScalarBuilder &s, Value batch, Value row, Value column) -> Value {
    Value x = tensor::ExtractOp::create(s, matrices, ValueRange{batch, row, column});
    return s.mul(x, tensor::ExtractOp::create(s, signs, ValueRange{batch, column}));
  });
}

/// The places of numbers that count from 0 to before `extent` in any order.
Value invertOrder(LoweringBuilder &b, Value order, int64_t count, int64_t extent) {
  MatrixBuilder outer(b.getLoc(), b);
  return outer.fold(count, b.empty(tensorType(order)), [&](MatrixBuilder &s, Value batch, ValueRange whole) {
    return s.repeat(extent, whole, [&](MatrixBuilder &m, Value i, ValueRange carried) {
      Value place = arith::IndexCastOp::create(m, m.getIndexType(), m.get(order, {batch, i}));
      return Values{m.set(carried[0], arith::IndexCastOp::create(m, m.getI32Type(), i), {batch, place})};
    });
  });
}

/// q jᵀ from the reflections and the rows of j.
Value multiplyLeft(LoweringBuilder &b, const Svd &svd, int64_t count, ValueRange factors, Value j) {
  RankedTensorType type = tensorType(factors[0]);
  Value start = makeMatrices(b, type, [&](ScalarBuilder &s, Value batch, Value row, Value column) -> Value {
    // Rows beyond j's columns are zero; one of j's is read for them, too.
    Value last = arith::ConstantIndexOp::create(s, svd.columns - 1), near = arith::MinUIOp::create(s, row, last);
    Value x = tensor::ExtractOp::create(s, j, ValueRange{batch, column, near});
    Value inside = arith::CmpIOp::create(s, arith::CmpIPredicate::ule, row, last);
    return s.select(inside, x, s.number(svd.element, 0));
  });
  MatrixBuilder outer(b.getLoc(), b);
  auto reflect = [&](MatrixBuilder &s, Value batch, ValueRange whole) {
    return s.repeat(svd.columns, whole, [&](MatrixBuilder &t, Value step, ValueRange state) {
      Value k = t.minus(svd.columns - 1, step);
      auto below = [&](MatrixBuilder &m, Value, Value row) { return m.get(factors[0], {batch, row, k}); };
      return reflectColumns(t, state, batch, k, svd.rows, t.index(0), t.index(svd.columns),
                            t.get(factors[1], {batch, k}), below);
    });
  };
  return outer.repeat(count, {start, b.empty(type.clone(svd.columns))}, reflect).front();
}

/// Each number's place along the last axis.
Value countColumns(LoweringBuilder &b, int64_t count, int64_t extent) {
  auto body = [&](ScalarBuilder &s, ValueRange) {
    return Values{arith::IndexCastOp::create(s, s.getI32Type(), linalg::IndexOp::create(s, 1))};
  };
  Value empty = b.empty(RankedTensorType::get({count, extent}, b.getI32Type()));
  return b.generic({}, empty, b.getMultiDimIdentityMap(2), body).front();
}

} // namespace

LoweredValues SvdOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  LoweringBuilder b(getLoc(), builder);
  MatrixBatch x(b, operands[0]);
  bool isWide = x.rows < x.columns;
  Value tall = isWide ? transposeMatrices(b, x.matrices) : x.matrices;
  RankedTensorType type = tensorType(tall);
  Svd svd{type.getDimSize(1), type.getDimSize(2), type.getElementType()};
  RankedTensorType line = type.clone({x.count, svd.columns}), scratch = type.clone(svd.columns);
  RankedTensorType square = type.clone({x.count, svd.columns, svd.columns});

  Values start = {tall, b.empty(line), b.empty(scratch), countColumns(b, x.count, svd.columns),
                  b.empty(type.clone(x.count))};
  MatrixBuilder outer(getLoc(), builder);
  Values factors = outer.repeat(
      x.count, start, [&](MatrixBuilder &s, Value batch, ValueRange whole) { return svd.factor(s, batch, whole); });
  Value r = makeMatrices(b, square, [&](ScalarBuilder &s, Value batch, Value row, Value column) {
    Value element = tensor::ExtractOp::create(s, factors[0], ValueRange{batch, row, column});
    Value above = arith::CmpIOp::create(s, arith::CmpIPredicate::ule, row, column);
    return s.select(above, element, s.number(svd.element, 0));
  });
  Values rotations = {r, makeIdentity(b, square), b.empty(line), b.empty(scratch), factors[4]};
  MatrixBuilder inner(getLoc(), builder);
  Values found = inner.repeat(x.count, rotations, [&](MatrixBuilder &s, Value batch, ValueRange whole) {
    return svd.diagonalize(s, batch, whole);
  });
  Value left = multiplyLeft(b, svd, x.count, factors, found[1]);
  Value places = invertOrder(b, factors[3], x.count, svd.columns);
  Value right = makeMatrices(b, square, [&](ScalarBuilder &s, Value batch, Value row, Value column) -> Value {
    Value place = tensor::ExtractOp::create(s, places, ValueRange{batch, row});
    return tensor::ExtractOp::create(s, found[0],
                                     ValueRange{batch, column, arith::IndexCastOp::create(s, s.getIndexType(), place)});
  });
  Value signs = findSigns(b, isWide ? left : right);
  left = multiplySigns(b, left, signs);
  right = multiplySigns(b, right, signs);
  return Values{b.reshape(found[2], tensorType(getS()).getShape()),
                b.reshape(isWide ? right : left, tensorType(getU()).getShape()),
                b.reshape(isWide ? left : right, tensorType(getV()).getShape())};
}

} // namespace plumb::net
