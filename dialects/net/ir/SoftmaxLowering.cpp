// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Softmax and cross entropies: reductions along the classes and elementwise generics. The
// largest score is subtracted first: exponentials stay within [0, 1].

#include "dialects/net/ir/Inference.h"
#include "dialects/net/ir/Lowering.h"
#include "dialects/net/ir/NetSoftmaxOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace plumb::net {
namespace {

using Bodies = llvm::function_ref<Value(ScalarBuilder &, ValueRange)>;

/// Scores along one axis, and the reductions along it. A "row" tensor lacks that axis.
struct Rows {
  LoweringBuilder &b;
  RankedTensorType type;
  int64_t axis;

  AffineMap all() const { return b.getMultiDimIdentityMap(type.getRank()); }
  AffineMap perRow() const { return all().dropResult(axis); }

  /// An elementwise generic of full tensors and row tensors.
  Value map(ValueRange inputs, Bodies body) const {
    SmallVector<AffineMap> maps;
    for (Value input : inputs)
      maps.push_back(tensorType(input).getRank() == type.getRank() ? all() : perRow());
    maps.push_back(all());
    auto one = [&](ScalarBuilder &s, ValueRange v) { return SmallVector<Value>{body(s, v)}; };
    return b.generic(inputs, b.empty(type), maps, one).front();
  }

  /// A sum along the axis of what `body` makes of full and row tensors.
  Value sum(ValueRange inputs, Bodies body) const {
    SmallVector<AffineMap> maps;
    for (Value input : inputs)
      maps.push_back(tensorType(input).getRank() == type.getRank() ? all() : perRow());
    maps.push_back(perRow());
    auto add = [&](ScalarBuilder &s, ValueRange v) {
      return SmallVector<Value>{s.add(v.back(), body(s, v.drop_back()))};
    };
    return b.generic(inputs, b.filled(rowType(), 0.0), maps, add).front();
  }

  RankedTensorType rowType() const {
    Shape shape(type.getShape());
    shape.erase(shape.begin() + axis);
    return type.clone(shape);
  }
};

Value expShifted(ScalarBuilder &s, Value x, Value largest) { return math::ExpOp::create(s, s.sub(x, largest)); }

/// The parts of a softmax: the largest of each row and the exponentials with their sums.
struct Softmax {
  Value largest, exponentials, sums;

  static Softmax get(const Rows &rows, Value x) {
    Value largest = rows.b.maximum(x, rows.axis);
    Value exponentials =
        rows.map({x, largest}, [](ScalarBuilder &s, ValueRange v) { return expShifted(s, v[0], v[1]); });
    return {largest, exponentials, rows.b.sum(exponentials, rows.axis)};
  }
};

/// largest + ln(sum of exponentials) for each row, without storing the exponentials.
Value logSumExp(const Rows &rows, Value x, Value largest) {
  Value sums = rows.sum({x, largest}, [](ScalarBuilder &s, ValueRange v) { return expShifted(s, v[0], v[1]); });
  return rows.b.elementwise({sums, largest}, rows.rowType(),
                            [](ScalarBuilder &s, ValueRange v) { return s.add(math::LogOp::create(s, v[0]), v[1]); });
}

Rows rowsOf(LoweringBuilder &b, Value x, int64_t axis) {
  RankedTensorType type = tensorType(x);
  return {b, type, normalizeAxis(axis, type.getRank())};
}

} // namespace

LoweredValues SoftmaxOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  LoweringBuilder b(getLoc(), builder);
  Rows rows = rowsOf(b, operands[0], getAxis());
  Softmax parts = Softmax::get(rows, operands[0]);
  // One division for each row: a sum is at least one, so its inverse is an ordinary number.
  Value inverses = b.elementwise({parts.sums}, rows.rowType(), [](ScalarBuilder &s, ValueRange v) {
    return s.div(s.number(v[0].getType(), 1), v[0]);
  });
  return lowered(
      rows.map({parts.exponentials, inverses}, [](ScalarBuilder &s, ValueRange v) { return s.mul(v[0], v[1]); }));
}

LoweredValues LogSoftmaxOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  LoweringBuilder b(getLoc(), builder);
  Rows rows = rowsOf(b, operands[0], getAxis());
  Value norm = logSumExp(rows, operands[0], b.maximum(operands[0], rows.axis));
  return lowered(rows.map({operands[0], norm}, [](ScalarBuilder &s, ValueRange v) { return s.sub(v[0], v[1]); }));
}

LoweredValues SoftmaxCrossEntropyOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  LoweringBuilder b(getLoc(), builder);
  Rows rows = rowsOf(b, operands[0], 1);
  Value norm = logSumExp(rows, operands[0], b.maximum(operands[0], rows.axis));
  return lowered(rows.sum({operands[0], operands[1], norm},
                          [](ScalarBuilder &s, ValueRange v) { return s.mul(v[1], s.sub(v[2], v[0])); }));
}

LoweredValues SoftmaxCrossEntropyGradOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  LoweringBuilder b(getLoc(), builder);
  Rows rows = rowsOf(b, operands[0], 1);
  Softmax parts = Softmax::get(rows, operands[0]);
  Value mass = b.sum(operands[1], rows.axis);
  SmallVector<Value> inputs = {parts.exponentials, parts.sums, mass, operands[1], operands[2]};
  return lowered(rows.map(inputs, [](ScalarBuilder &s, ValueRange v) {
    Value probability = s.mul(s.div(v[0], v[1]), v[2]);
    return s.mul(s.sub(probability, v[3]), v[4]);
  }));
}

LoweredValues SparseSoftmaxCrossEntropyOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  LoweringBuilder b(getLoc(), builder);
  Rows rows = rowsOf(b, operands[0], 1);
  Value norm = logSumExp(rows, operands[0], b.maximum(operands[0], rows.axis));
  // The labelled score by a sum over the row, in which every other class counts zero.
  Value score = rows.sum({operands[0], operands[1]}, [](ScalarBuilder &s, ValueRange v) {
    return s.select(s.isPosition(v[1], 1), v[0], s.number(v[0].getType(), 0));
  });
  return lowered(
      b.elementwise({norm, score}, getType(), [](ScalarBuilder &s, ValueRange v) { return s.sub(v[0], v[1]); }));
}

LoweredValues SparseSoftmaxCrossEntropyGradOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  LoweringBuilder b(getLoc(), builder);
  Rows rows = rowsOf(b, operands[0], 1);
  Softmax parts = Softmax::get(rows, operands[0]);
  SmallVector<Value> inputs = {parts.exponentials, parts.sums, operands[1], operands[2]};
  return lowered(rows.map(inputs, [](ScalarBuilder &s, ValueRange v) {
    Type type = v[0].getType();
    Value mark = s.select(s.isPosition(v[2], 1), s.number(type, 1), s.number(type, 0));
    return s.mul(s.sub(s.div(v[0], v[1]), mark), v[3]);
  }));
}

} // namespace plumb::net
