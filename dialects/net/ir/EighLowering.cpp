// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Eigenvalues of symmetric matrices (Golub and Van Loan, "Matrix computations", section 8.3; Bowdler, Martin, Reinsch
// and Wilkinson, "The QR and QL algorithms for symmetric matrices", 1968): Householder's reflections make the matrix
// tridiagonal, then implicit steps of the QL algorithm with Wilkinson's shift make the elements beside the diagonal
// nothing, one after the other. Errors of eigenvalues are those of rounding the matrix's largest; eigenvectors are
// orthogonal to rounding. They are kept as rows, along which memory goes.

#include "dialects/net/ir/MatrixLoops.h"
#include "dialects/net/ir/NetLinalgOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace plumb::net {
namespace {

using Order = ScalarBuilder::Order;

/// More steps than any eigenvalue needs; two or three are usual.
constexpr int64_t kMaxSteps = 50;

struct Eigh {
  int64_t extent;
  Type element;

  Value number(ScalarBuilder &s, double value) const { return s.number(element, value); }

  /// Reflects rows and columns behind `k`, so that only one element beside the diagonal is left there. `state` is
  /// (matrices, elements beside the diagonal, factors, a row of scratch); the vector stays in row k.
  Values reduceRow(MatrixBuilder &s, Value batch, Value k, ValueRange state) const {
    Value a = state[0], next = s.plus(k, 1), rest = s.plus(k, 2), end = s.index(extent);
    Value squares = s.sum(rest, end, number(s, 0), [&](MatrixBuilder &m, Value c) {
      Value x = m.get(a, {batch, k, c});
      return m.mul(x, x);
    });
    Reflector reflector(s, s.get(a, {batch, k, next}), squares);
    Value scaled = s.fold(rest, end, a, [&](MatrixBuilder &m, Value c, ValueRange values) {
      return Values{m.set(values[0], m.mul(m.get(values[0], {batch, k, c}), reflector.scale), {batch, k, c})};
    });
    Value kept = s.set(scaled, number(s, 1), {batch, k, next});
    Value shares = findShares(s, batch, k, kept, state[3], reflector.factor);
    Value updated = updateRest(s, batch, k, kept, shares);
    return {updated, s.set(state[1], reflector.beta, {batch, k}), s.set(state[2], reflector.factor, {batch, k}),
            shares};
  }

  /// w = t a v − t² (vᵀ a v) v / 2, for which the reflected matrix is a − v wᵀ − w vᵀ.
  Value findShares(MatrixBuilder &s, Value batch, Value k, Value a, Value scratch, Value factor) const {
    Value next = s.plus(k, 1), end = s.index(extent);
    Value cleared = s.fold(next, end, scratch, [&](MatrixBuilder &m, Value c, ValueRange values) {
      return Values{m.set(values[0], number(m, 0), {c})};
    });
    Value products = foldInFours(s, next, end, cleared, [&](MatrixBuilder &t, ValueRange rows, ValueRange carried) {
      Values v;
      for (Value row : rows)
        v.push_back(t.get(a, {batch, k, row}));
      return t.repeat(next, end, carried, [&](MatrixBuilder &m, Value c, ValueRange values) {
        Value sum = m.get(values[0], {c});
        for (auto [row, element] : llvm::zip(rows, v))
          sum = m.add(sum, m.mul(element, m.get(a, {batch, row, c})));
        return Values{m.set(values[0], sum, {c})};
      });
    });
    Value dot = s.sum(next, end, number(s, 0),
                      [&](MatrixBuilder &m, Value c) { return m.mul(m.get(products, {c}), m.get(a, {batch, k, c})); });
    Value half = s.mul(s.mul(s.mul(factor, factor), dot), number(s, 0.5));
    return s.fold(next, end, products, [&](MatrixBuilder &m, Value c, ValueRange values) {
      Value share = m.sub(m.mul(factor, m.get(values[0], {c})), m.mul(half, m.get(a, {batch, k, c})));
      return Values{m.set(values[0], share, {c})};
    });
  }

  Value updateRest(MatrixBuilder &s, Value batch, Value k, Value a, Value shares) const {
    Value next = s.plus(k, 1), end = s.index(extent);
    return s.fold(next, end, a, [&](MatrixBuilder &t, Value row, ValueRange carried) {
      Value v = t.get(carried[0], {batch, k, row}), w = t.get(shares, {row});
      return t.repeat(next, end, carried, [&](MatrixBuilder &m, Value c, ValueRange values) {
        Value change = m.add(m.mul(v, m.get(shares, {c})), m.mul(w, m.get(values[0], {batch, k, c})));
        return Values{m.set(values[0], m.sub(m.get(values[0], {batch, row, c}), change), {batch, row, c})};
      });
    });
  }

  /// Makes one matrix tridiagonal. `state` is (matrices, diagonals, elements beside them, factors, scratch, scales).
  Values reduce(MatrixBuilder &s, Value batch, ValueRange state) const {
    Value scale = findScale(s, state[0], batch, extent, extent);
    Value scaled = divideBy(s, state[0], batch, extent, extent, scale);
    Values reduced =
        s.repeat(extent - 2, {scaled, state[2], state[3], state[4]},
                 [&](MatrixBuilder &t, Value k, ValueRange carried) { return reduceRow(t, batch, k, carried); });
    Value diagonal = s.fold(extent, state[1], [&](MatrixBuilder &m, Value i, ValueRange values) {
      return Values{m.set(values[0], m.get(reduced[0], {batch, i, i}), {batch, i})};
    });
    Value beside = reduced[1];
    if (extent > 1) {
      Values last = {batch, s.index(extent - 2), s.index(extent - 1)};
      beside = s.set(beside, s.get(reduced[0], last), {batch, last[1]});
    }
    return {reduced[0], diagonal, beside, reduced[2], reduced[3], s.set(state[5], scale, {batch})};
  }

  /// The end of the block that starts at `from`: the first row whose element beside the diagonal is nothing, at or
  /// before `to`.
  Value findSplit(MatrixBuilder &s, Value batch, Value from, Value to, Value d, Value e) const {
    double unit = roundingUnit(element);
    Value length = arith::SubIOp::create(s, to, from), last = s.plus(to, -1);
    return s.fold(s.index(0), length, to, [&](MatrixBuilder &m, Value step, ValueRange found) {
      Value i = arith::SubIOp::create(m, last, step);
      Value size = m.add(math::AbsFOp::create(m, m.get(d, {batch, i})),
                         math::AbsFOp::create(m, m.get(d, {batch, m.plus(i, 1)})));
      // The matrix's largest element is of the size of one.
      Value limit = m.add(m.mul(size, number(m, unit)), number(m, unit * unit));
      Value isCoupled = m.compare(Order::Greater, math::AbsFOp::create(m, m.get(e, {batch, i})), limit);
      return Values{m.select(isCoupled, found[0], i)};
    });
  }

  /// One rotation of a QL step, of rows i and i + 1. `state` is (d, e, vectors, g, sine, cosine, p).
  Values rotate(MatrixBuilder &s, Value batch, Value i, ValueRange state) const {
    Value d = state[0], e = state[1], g = state[3], sine = state[4], cosine = state[5], p = state[6];
    Value below = s.plus(i, 1), across = s.get(e, {batch, i});
    Value f = s.mul(sine, across), b = s.mul(cosine, across);
    Value r = math::SqrtOp::create(s, s.add(s.mul(f, f), s.mul(g, g)));
    Value isZero = s.compare(Order::Equal, r, number(s, 0));
    Value newSine = s.select(isZero, number(s, 0), s.div(f, r)),
          newCosine = s.select(isZero, number(s, 1), s.div(g, r));
    Value start = s.sub(s.get(d, {batch, below}), p), twice = s.mul(s.mul(newCosine, b), number(s, 2));
    Value change = s.add(s.mul(s.sub(s.get(d, {batch, i}), start), newSine), twice);
    Value newP = s.mul(newSine, change);
    Value newD = s.set(d, s.add(start, newP), {batch, below}), newE = s.set(e, r, {batch, below});
    Value vectors = rotateRows(s, state[2], batch, i, below, newCosine, newSine, s.index(extent));
    return {newD, newE, vectors, s.sub(s.mul(newCosine, change), b), newSine, newCosine, newP};
  }

  /// One implicit QL step on the block from `l` to `m`; nothing where that is one row. `state` is (d, e, vectors).
  Values step(MatrixBuilder &s, Value batch, Value l, Value m, ValueRange state) const {
    Value isDone = arith::CmpIOp::create(s, arith::CmpIPredicate::eq, l, m);
    Value d = state[0], e = state[1], zero = number(s, 0), one = number(s, 1);
    Value first = s.get(d, {batch, l}), across = s.get(e, {batch, l});
    Value g = s.div(s.sub(s.get(d, {batch, s.plus(l, 1)}), first), s.mul(across, number(s, 2)));
    Value root = math::SqrtOp::create(s, s.add(s.mul(g, g), one));
    Value shift = s.sub(first, s.div(across, s.add(g, math::CopySignOp::create(s, root, g))));
    Values start = {d, e, state[2], s.sub(s.get(d, {batch, m}), shift), one, one, zero};
    Value last = s.plus(m, -1), length = arith::SubIOp::create(s, m, l);
    Values turned = s.repeat(s.index(0), length, start, [&](MatrixBuilder &t, Value number, ValueRange carried) {
      return rotate(t, batch, arith::SubIOp::create(t, last, number), carried);
    });
    Value newFirst = s.sub(s.get(turned[0], {batch, l}), turned[6]);
    Value split = s.set(s.set(turned[1], s.select(isDone, zero, turned[3]), {batch, l}), zero, {batch, m});
    return {s.set(turned[0], newFirst, {batch, l}), split, turned[2]};
  }

  /// Makes all elements beside the diagonal nothing. `state` is (d, e, vectors as rows).
  Values iterate(MatrixBuilder &s, Value batch, ValueRange state) const {
    return s.repeat(extent - 1, state, [&](MatrixBuilder &t, Value l, ValueRange rows) {
      Values start(rows);
      start.push_back(t.index(extent - 1));
      Values done = t.repeat(kMaxSteps, start, [&](MatrixBuilder &m, Value, ValueRange carried) {
        Value split = findSplit(m, batch, l, carried[3], carried[0], carried[1]);
        Values stepped = step(m, batch, l, split, carried.take_front(3));
        // No search is left to a block that is done.
        Value isDone = arith::CmpIOp::create(m, arith::CmpIPredicate::eq, l, split);
        stepped.push_back(m.select(isDone, l, m.index(extent - 1)));
        return stepped;
      });
      done.pop_back();
      return done;
    });
  }

  /// Makes the largest element of each eigenvector positive.
  Value orient(MatrixBuilder &s, Value batch, Value vectors) const {
    return s.fold(extent, vectors, [&](MatrixBuilder &t, Value row, ValueRange carried) {
      Value rows = carried[0];
      auto larger = [&](MatrixBuilder &m, Value c, ValueRange best) {
        Value x = m.get(rows, {batch, row, c});
        Value wins = m.compare(Order::Greater, math::AbsFOp::create(m, x), math::AbsFOp::create(m, best[0]));
        return Values{m.select(wins, x, best[0])};
      };
      Value largest = t.fold(extent, number(t, 0), larger);
      Value sign = math::CopySignOp::create(t, number(t, 1), largest);
      return t.repeat(extent, rows, [&](MatrixBuilder &m, Value c, ValueRange values) {
        return Values{m.set(values[0], m.mul(m.get(values[0], {batch, row, c}), sign), {batch, row, c})};
      });
    });
  }
};

} // namespace

/// The product of the reflections, of whose vectors row k holds the one that starts at k + 1; as rows.
static Value multiplyReflections(LoweringBuilder &b, const MatrixBatch &x, Value vectors, Value factors) {
  RankedTensorType type = tensorType(x.matrices);
  Values start = {makeIdentity(b, type), b.empty(type.clone(x.rows))};
  MatrixBuilder outer(b.getLoc(), b);
  auto reflect = [&](MatrixBuilder &s, Value batch, ValueRange whole) {
    return s.repeat(x.rows - 2, whole, [&](MatrixBuilder &t, Value step, ValueRange state) {
      Value k = t.minus(x.rows - 3, step), first = t.plus(k, 1);
      auto element = [&](MatrixBuilder &m, Value, Value row) { return m.get(vectors, {batch, k, row}); };
      return reflectColumns(t, state, batch, first, x.rows, first, t.index(x.rows), t.get(factors, {batch, k}),
                            element);
    });
  };
  return transposeMatrices(b, outer.repeat(x.count, start, reflect).front());
}

LoweredValues EighOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  LoweringBuilder b(getLoc(), builder);
  MatrixBatch x(b, operands[0]);
  RankedTensorType type = tensorType(x.matrices), line = type.clone({x.count, x.rows});
  Eigh eigh{x.rows, type.getElementType()};
  Value symmetric = makeMatrices(b, type, [&](ScalarBuilder &s, Value batch, Value row, Value column) -> Value {
    Value low = arith::MaxUIOp::create(s, row, column), left = arith::MinUIOp::create(s, row, column);
    return tensor::ExtractOp::create(s, x.matrices, ValueRange{batch, low, left});
  });
  Values start = {symmetric,
                  b.empty(line),
                  b.filled(line, 0),
                  b.filled(line, 0),
                  b.empty(type.clone(x.rows)),
                  b.empty(type.clone(x.count))};
  MatrixBuilder outer(getLoc(), builder);
  Values reduced = outer.repeat(
      x.count, start, [&](MatrixBuilder &s, Value batch, ValueRange whole) { return eigh.reduce(s, batch, whole); });
  Value vectors = multiplyReflections(b, x, reduced[0], reduced[3]);
  MatrixBuilder last(getLoc(), builder);
  Values found =
      last.repeat(x.count, {reduced[1], reduced[2], vectors}, [&](MatrixBuilder &s, Value batch, ValueRange whole) {
        Values done = eigh.iterate(s, batch, whole);
        Values sorted = sortRows(s, {done[0], done[2]}, batch, x.rows, x.rows, Order::Less);
        Value scale = s.get(reduced[5], {batch});
        Value values = s.fold(x.rows, sorted[0], [&](MatrixBuilder &m, Value i, ValueRange w) {
          return Values{m.set(w[0], m.mul(m.get(w[0], {batch, i}), scale), {batch, i})};
        });
        return Values{values, done[1], eigh.orient(s, batch, sorted[1])};
      });
  return Values{b.reshape(found[0], tensorType(getW()).getShape()),
                b.reshape(transposeMatrices(b, found[2]), tensorType(getV()).getShape())};
}

} // namespace plumb::net
