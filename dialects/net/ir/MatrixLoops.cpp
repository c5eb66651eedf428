// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps that factorisations share: scaling, rotations, reflections, sorting. All innermost loops go along rows, where
// memory is contiguous, and no sum runs along them where the order leaves a choice: an addition that waits for the one
// before costs four of those that do not.

#include "dialects/net/ir/MatrixLoops.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace plumb::net {

using Order = ScalarBuilder::Order;

Value makeMatrices(LoweringBuilder &b, RankedTensorType type,
                   llvm::function_ref<Value(ScalarBuilder &, Value, Value, Value)> rule) {
  auto body = [&](ScalarBuilder &s, ValueRange) {
    Value batch = linalg::IndexOp::create(s, 0), row = linalg::IndexOp::create(s, 1);
    return Values{rule(s, batch, row, linalg::IndexOp::create(s, 2))};
  };
  return b.generic({}, b.empty(type), b.getMultiDimIdentityMap(3), body).front();
}

Value makeIdentity(LoweringBuilder &b, RankedTensorType type) {
  return makeMatrices(b, type, [&](ScalarBuilder &s, Value, Value row, Value column) {
    Value same = arith::CmpIOp::create(s, arith::CmpIPredicate::eq, row, column);
    return s.select(same, s.number(type.getElementType(), 1), s.number(type.getElementType(), 0));
  });
}

Value transposeMatrices(LoweringBuilder &b, Value matrices) {
  ArrayRef<int64_t> shape = tensorType(matrices).getShape();
  return makeMatrices(b, tensorType(matrices).clone({shape[0], shape[2], shape[1]}),
                      [&](ScalarBuilder &s, Value batch, Value row, Value column) -> Value {
                        return tensor::ExtractOp::create(s, matrices, ValueRange{batch, column, row});
                      });
}

Values repeatInFours(MatrixBuilder &s, Value from, Value to, ValueRange carried,
                     llvm::function_ref<Values(MatrixBuilder &, ValueRange, ValueRange)> body) {
  constexpr int64_t width = 4;
  Value whole = arith::DivUIOp::create(s, arith::SubIOp::create(s, to, from), s.index(width));
  Value middle = arith::AddIOp::create(s, from, arith::MulIOp::create(s, whole, s.index(width)));
  Values start = s.repeat(s.index(0), whole, carried, [&](MatrixBuilder &m, Value group, ValueRange values) {
    Value first = arith::AddIOp::create(m, from, arith::MulIOp::create(m, group, m.index(width)));
    Values indices;
    for (int64_t offset = 0; offset < width; ++offset)
      indices.push_back(m.plus(first, offset));
    return body(m, indices, values);
  });
  return s.repeat(middle, to, start, [&](MatrixBuilder &m, Value i, ValueRange values) { return body(m, i, values); });
}

double roundingUnit(Type element) {
  unsigned digits = APFloat::semanticsPrecision(cast<FloatType>(element).getFloatSemantics());
  return std::ldexp(1, -static_cast<int>(digits));
}

//===--------------------------------------------------------------------------------------===//
// Scaling
//===--------------------------------------------------------------------------------------===//

/// The power of two at or below a positive number: its bits without those of the fraction.
static Value roundToPower(MatrixBuilder &s, Value number) {
  auto type = cast<FloatType>(number.getType());
  IntegerType bits = s.getIntegerType(type.getWidth());
  unsigned fraction = type.getFPMantissaWidth() - 1;
  APInt mask = APInt::getBitsSet(type.getWidth(), fraction, type.getWidth() - 1);
  Value exponent = arith::AndIOp::create(s, arith::BitcastOp::create(s, bits, number),
                                         arith::ConstantOp::create(s, IntegerAttr::get(bits, mask)));
  return arith::BitcastOp::create(s, type, exponent);
}

Value findScale(MatrixBuilder &s, Value matrices, Value batch, int64_t rows, int64_t columns) {
  Value zero = s.number(tensorType(matrices).getElementType(), 0);
  Value largest = s.fold(rows, zero, [&](MatrixBuilder &t, Value row, ValueRange best) {
    return t.repeat(columns, best, [&](MatrixBuilder &m, Value column, ValueRange sizes) {
      return Values{m.maximum(sizes[0], math::AbsFOp::create(m, m.get(matrices, {batch, row, column})))};
    });
  });
  Value power = roundToPower(s, largest);
  return s.select(s.compare(Order::Equal, power, zero), s.number(zero.getType(), 1), power);
}

Value divideBy(MatrixBuilder &s, Value matrices, Value batch, int64_t rows, int64_t columns, Value scale) {
  return s.fold(rows, matrices, [&](MatrixBuilder &t, Value row, ValueRange carried) {
    return t.repeat(columns, carried, [&](MatrixBuilder &m, Value column, ValueRange values) {
      Value share = m.div(m.get(values[0], {batch, row, column}), scale);
      return Values{m.set(values[0], share, {batch, row, column})};
    });
  });
}

//===--------------------------------------------------------------------------------------===//
// Rows
//===--------------------------------------------------------------------------------------===//

Value rotateRows(MatrixBuilder &s, Value matrices, Value batch, Value p, Value q, Value cosine, Value sine, Value to) {
  return s.fold(s.index(0), to, matrices, [&](MatrixBuilder &m, Value k, ValueRange carried) {
    Value x = m.get(carried[0], {batch, p, k}), y = m.get(carried[0], {batch, q, k});
    Value newX = m.sub(m.mul(cosine, x), m.mul(sine, y)), newY = m.add(m.mul(sine, x), m.mul(cosine, y));
    return Values{m.set(m.set(carried[0], newX, {batch, p, k}), newY, {batch, q, k})};
  });
}

static Value exchangeRows(MatrixBuilder &s, Value matrices, Value batch, Value p, Value q, int64_t columns) {
  return s.fold(columns, matrices, [&](MatrixBuilder &m, Value c, ValueRange rows) {
    Value x = m.get(rows[0], {batch, p, c}), y = m.get(rows[0], {batch, q, c});
    return Values{m.set(m.set(rows[0], y, {batch, p, c}), x, {batch, q, c})};
  });
}

Values sortRows(MatrixBuilder &s, ValueRange state, Value batch, int64_t extent, int64_t columns, Order first) {
  return s.repeat(extent, state, [&](MatrixBuilder &t, Value k, ValueRange carried) {
    Value here = t.get(carried[0], {batch, k});
    auto choose = [&](MatrixBuilder &m, Value i, ValueRange best) {
      Value x = m.get(carried[0], {batch, i}), wins = m.compare(first, x, best[0]);
      return Values{m.select(wins, x, best[0]), m.select(wins, i, best[1])};
    };
    Values best = t.repeat(t.plus(k, 1), t.index(extent), {here, k}, choose);
    // Where the best stands here already, both writes are of the same number.
    Values sorted = {t.set(t.set(carried[0], here, {batch, best[1]}), best[0], {batch, k})};
    for (Value matrices : carried.drop_front())
      sorted.push_back(exchangeRows(t, matrices, batch, k, best[1], columns));
    return sorted;
  });
}

//===--------------------------------------------------------------------------------------===//
// Reflections
//===--------------------------------------------------------------------------------------===//

Reflector::Reflector(MatrixBuilder &s, Value alpha, Value squares) {
  Value zero = s.number(alpha.getType(), 0), one = s.number(alpha.getType(), 1);
  Value isDone = s.compare(Order::Equal, squares, zero);
  Value norm = math::SqrtOp::create(s, s.add(s.mul(alpha, alpha), squares));
  beta = s.select(isDone, alpha, s.neg(math::CopySignOp::create(s, norm, alpha)));
  factor = s.select(isDone, zero, s.div(s.sub(beta, alpha), beta));
  scale = s.select(isDone, zero, s.div(one, s.sub(alpha, beta)));
}

/// Sets the elements of a row of scratch.
static Value setRow(MatrixBuilder &s, Value row, Value from, Value to,
                    llvm::function_ref<Value(MatrixBuilder &, Value, Value)> rule) {
  return s.fold(from, to, row, [&](MatrixBuilder &m, Value c, ValueRange values) {
    return Values{m.set(values[0], rule(m, values[0], c), {c})};
  });
}

Values reflectColumns(MatrixBuilder &s, ValueRange state, Value batch, Value first, int64_t rows, Value from, Value to,
                      Value factor, VectorElement below) {
  Value matrices = state[0], next = s.plus(first, 1), end = s.index(rows);
  Value products = setRow(s, state[1], from, to,
                          [&](MatrixBuilder &m, Value, Value c) { return m.get(matrices, {batch, first, c}); });
  auto vectorAt = [&](MatrixBuilder &t, Value target, ValueRange rows) {
    Values v;
    for (Value row : rows)
      v.push_back(below(t, target, row));
    return v;
  };
  products = foldInFours(s, next, end, products, [&](MatrixBuilder &t, ValueRange rows, ValueRange carried) {
    Values v = vectorAt(t, matrices, rows);
    return Values{setRow(t, carried[0], from, to, [&](MatrixBuilder &m, Value sums, Value c) {
      Value sum = m.get(sums, {c});
      for (auto [row, element] : llvm::zip(rows, v))
        sum = m.add(sum, m.mul(element, m.get(matrices, {batch, row, c})));
      return sum;
    })};
  });
  Value shares = setRow(s, products, from, to,
                        [&](MatrixBuilder &m, Value sums, Value c) { return m.mul(m.get(sums, {c}), factor); });
  Value top = s.fold(from, to, matrices, [&](MatrixBuilder &m, Value c, ValueRange values) {
    Value rest = m.sub(m.get(values[0], {batch, first, c}), m.get(shares, {c}));
    return Values{m.set(values[0], rest, {batch, first, c})};
  });
  Value reflected = foldInFours(s, next, end, top, [&](MatrixBuilder &t, ValueRange rows, ValueRange carried) {
    Values v = vectorAt(t, carried[0], rows);
    return t.repeat(from, to, carried, [&](MatrixBuilder &m, Value c, ValueRange values) {
      Value share = m.get(shares, {c}), target = values[0];
      for (auto [row, element] : llvm::zip(rows, v)) {
        Value rest = m.sub(m.get(target, {batch, row, c}), m.mul(element, share));
        target = m.set(target, rest, {batch, row, c});
      }
      return Values{target};
    });
  });
  return {reflected, shares};
}

Values factorColumn(MatrixBuilder &s, ValueRange state, Value batch, Value k, int64_t rows, int64_t columns) {
  Value work = state[0], below = s.plus(k, 1), end = s.index(rows), alpha = s.get(work, {batch, k, k});
  Value squares = s.sum(below, end, s.number(alpha.getType(), 0), [&](MatrixBuilder &m, Value row) {
    Value element = m.get(work, {batch, row, k});
    return m.mul(element, element);
  });
  Reflector reflector(s, alpha, squares);
  Value scaled = s.fold(below, end, work, [&](MatrixBuilder &m, Value row, ValueRange values) {
    return Values{m.set(values[0], m.mul(m.get(values[0], {batch, row, k}), reflector.scale), {batch, row, k})};
  });
  Value kept = s.set(scaled, reflector.beta, {batch, k, k});
  auto element = [&](MatrixBuilder &m, Value matrices, Value row) { return m.get(matrices, {batch, row, k}); };
  Values reflected =
      reflectColumns(s, {kept, state[2]}, batch, k, rows, below, s.index(columns), reflector.factor, element);
  return {reflected[0], s.set(state[1], reflector.factor, {batch, k}), reflected[1]};
}

} // namespace plumb::net
