// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sorting by merging, row by row: runs of 1, 2, 4, … elements that are sorted are merged in pairs until one is left. It
// is stable, needs n log n steps whatever the order was, and reads memory in order. Each element's first position goes
// with it.
//
// Runs are merged from the row to a scratch row and from there back with runs of twice the size, so the result always
// is in the row. A merge writes position after position: the smaller one of both runs' first elements, of equal ones
// the left.

#include "dialects/net/ir/Inference.h"
#include "dialects/net/ir/NetAxisOps.h"
#include "dialects/net/ir/RowLoops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace plumb::net {
namespace {

using Values = SmallVector<Value>;

/// Numbers of type index.
struct IndexBuilder {
  ScalarBuilder &s;

  Value number(int64_t value) { return arith::ConstantIndexOp::create(s, value); }
  Value add(Value x, Value y) { return arith::AddIOp::create(s, x, y); }
  Value min(Value x, Value y) { return arith::MinUIOp::create(s, x, y); }
  Value isLess(Value x, Value y) { return arith::CmpIOp::create(s, arith::CmpIPredicate::ult, x, y); }
};

/// Whether x comes before y, strictly; NaN counts as the largest.
Value isBefore(ScalarBuilder &s, Value x, Value y, bool descending) {
  if (descending)
    std::swap(x, y);
  if (!isa<FloatType>(x.getType()))
    return s.compare(ScalarBuilder::Order::Less, x, y);
  Value less = arith::CmpFOp::create(s, arith::CmpFPredicate::ULT, x, y);
  return arith::AndIOp::create(s, less, arith::CmpFOp::create(s, arith::CmpFPredicate::ORD, x, x));
}

/// Elements with their positions: two tensors, and the indices before the position in a row.
struct Run {
  Value values, positions;
  Values prefix;

  std::pair<Value, Value> get(ScalarBuilder &s, Value at) const {
    Values place = prefix;
    place.push_back(at);
    return {tensor::ExtractOp::create(s, values, place), tensor::ExtractOp::create(s, positions, place)};
  }
  Run set(ScalarBuilder &s, Value at, Value value, Value position) const {
    Values place = prefix;
    place.push_back(at);
    return {tensor::InsertOp::create(s, value, values, place), tensor::InsertOp::create(s, position, positions, place),
            prefix};
  }
};

struct Merger {
  RowLoops &rows;
  bool descending;

  /// Writes one position; `state` is (next of the left run, next of the right one, values, positions).
  Values writeNext(ScalarBuilder &s, const Run &from, ValueRange prefix, Value middle, Value end, Value at,
                   ValueRange state) const {
    IndexBuilder index{s};
    Value last = index.number(rows.extent() - 1), one = index.number(1), none = index.number(0);
    Value left = state[0], right = state[1];
    auto [x, placeOfX] = from.get(s, index.min(left, last));
    auto [y, placeOfY] = from.get(s, index.min(right, last));
    Value isLeftDone = arith::CmpIOp::create(s, arith::CmpIPredicate::uge, left, middle);
    Value wins = arith::OrIOp::create(s, isLeftDone, isBefore(s, y, x, descending));
    Value takesRight = arith::AndIOp::create(s, index.isLess(right, end), wins);
    Run written = Run{state[2], state[3], llvm::to_vector(prefix)}.set(s, at, s.select(takesRight, y, x),
                                                                       s.select(takesRight, placeOfY, placeOfX));
    return {index.add(left, s.select(takesRight, none, one)), index.add(right, s.select(takesRight, one, none)),
            written.values, written.positions};
  }

  /// Merges all pairs of runs of `width` elements.
  Run mergePairs(ScalarBuilder &s, const Run &from, const Run &to, Value width) const {
    IndexBuilder index{s};
    Value extent = index.number(rows.extent());
    auto pair = [&](ScalarBuilder &inner, Value begin, ValueRange written) {
      IndexBuilder at{inner};
      Value middle = at.min(at.add(begin, width), extent), end = at.min(at.add(middle, width), extent);
      auto body = [&](ScalarBuilder &innermost, Value position, ValueRange state) {
        return writeNext(innermost, from, to.prefix, middle, end, position, state);
      };
      Values start = {begin, middle, written[0], written[1]};
      return Values(llvm::drop_begin(rows.loop(inner, begin, end, at.number(1), start, body), 2));
    };
    Values merged = rows.loop(s, index.number(0), extent, index.add(width, width), {to.values, to.positions}, pair);
    return {merged[0], merged[1], to.prefix};
  }

  /// Sorts one row; `carried` is (values, positions) of all rows and of the scratch row.
  Values sortRow(ScalarBuilder &s, Value row, ValueRange carried) const {
    int64_t passes = llvm::divideCeil(llvm::Log2_64_Ceil(std::max<int64_t>(rows.extent(), 1)), 2);
    return rows.loop(s, passes, carried, [&](ScalarBuilder &inner, Value pass, ValueRange state) {
      IndexBuilder index{inner};
      Value two = index.number(2), one = index.number(1);
      Value width = arith::ShLIOp::create(inner, one, Value(arith::MulIOp::create(inner, pass, two)));
      Run here{state[0], state[1], {row}}, scratch{state[2], state[3], {}};
      scratch = mergePairs(inner, here, scratch, width);
      here = mergePairs(inner, scratch, here, index.add(width, width));
      return Values{here.values, here.positions, scratch.values, scratch.positions};
    });
  }
};

/// Each element's position in its row.
Value countPositions(LoweringBuilder &b, RowLoops &rows) {
  auto type = RankedTensorType::get({rows.rows(), rows.extent()}, b.getI32Type());
  auto body = [&](ScalarBuilder &s, ValueRange) {
    return Values{arith::IndexCastOp::create(s, s.getI32Type(), linalg::IndexOp::create(s, 1))};
  };
  return b.generic({}, b.empty(type), b.getMultiDimIdentityMap(2), body).front();
}

} // namespace

LoweredValues SortOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  LoweringBuilder b(*this, builder);
  RowLoops rows(b, *this, getAxis());
  Type element = tensorType(operands[0]).getElementType();
  Merger merger{rows, getDescending()};
  Value scratch = b.empty(RankedTensorType::get({rows.extent()}, element));
  Value scratchPositions = b.empty(RankedTensorType::get({rows.extent()}, b.getI32Type()));
  Values start = {rows.toRows(operands[0]), countPositions(b, rows), scratch, scratchPositions};
  Values sorted = rows.loop(b, rows.rows(), start, [&](ScalarBuilder &s, Value row, ValueRange carried) {
    return merger.sortRow(s, row, carried);
  });
  return Values{rows.fromRows(sorted[0]), rows.fromRows(sorted[1])};
}

} // namespace plumb::net
