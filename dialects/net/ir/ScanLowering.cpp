// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scans: a loop over rows, and one over the elements of a row, which carries the state in scalars.

#include "dialects/net/ir/Folding.h"
#include "dialects/net/ir/Inference.h"
#include "dialects/net/ir/NetAxisOps.h"
#include "dialects/net/ir/RowLoops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace plumb::net {
namespace {

using Values = SmallVector<Value>;

/// Builds the state after an element from (elements of all operands, its position, the state before).
using Step = llvm::function_ref<Values(ScalarBuilder &, ValueRange, Value, ValueRange)>;

/// Scans rows of the operands from `initial`; result i is the i-th state, after each element or before it.
LoweredValues scan(Operation *op, OpBuilder &builder, ValueRange operands, int64_t axis, bool reverse, bool exclusive,
                   ArrayRef<TypedAttr> initial, Step step) {
  LoweringBuilder b(op, builder);
  RowLoops rows(b, op, axis);
  Values inputs, outputs, start;
  for (Value operand : operands)
    inputs.push_back(rows.toRows(operand));
  for (auto [result, number] : llvm::zip(op->getResults(), initial)) {
    outputs.push_back(rows.empty(withoutSign(tensorType(result).getElementType())));
    start.push_back(arith::ConstantOp::create(b, number));
  }
  unsigned count = start.size();
  auto alongRow = [&](Value row, ScalarBuilder &s, Value number, ValueRange carried) {
    Value at = number;
    if (reverse)
      at = s.sub(arith::ConstantIndexOp::create(s, rows.extent() - 1), number);
    Values place = {row, at}, elements, next;
    for (Value input : inputs)
      elements.push_back(tensor::ExtractOp::create(s, input, place));
    Values states = step(s, elements, at, carried.take_front(count));
    next = states;
    for (unsigned i = 0; i < count; ++i) {
      Value seen = exclusive ? carried[i] : states[i];
      next.push_back(tensor::InsertOp::create(s, seen, carried[count + i], place));
    }
    return next;
  };
  auto overRows = [&](ScalarBuilder &s, Value row, ValueRange carried) {
    Values all = start;
    llvm::append_range(all, carried);
    Values done = rows.loop(s, rows.extent(), all, [&](ScalarBuilder &inner, Value number, ValueRange values) {
      return alongRow(row, inner, number, values);
    });
    return Values(llvm::drop_begin(done, count));
  };
  Values results;
  for (Value result : rows.loop(b, rows.rows(), outputs, overRows))
    results.push_back(rows.fromRows(result));
  return results;
}

/// A type's number without the sign's name.
TypedAttr numberOf(Type type, double value) { return scalarOf(withoutSign(type), value); }

/// The running maximum or minimum with its position: an element replaces it unless it is beaten, or NaN was before.
template <typename Op>
LoweredValues runningBest(Op op, OpBuilder &builder, ValueRange operands, ScalarBuilder::Order wins,
                          arith::CmpFPredicate floatWins, TypedAttr worst) {
  auto step = [&](ScalarBuilder &s, ValueRange elements, Value at, ValueRange state) {
    Value x = elements[0], best = state[0], replaces;
    if (isa<FloatType>(x.getType())) {
      Value isNumber = arith::CmpFOp::create(s, arith::CmpFPredicate::ORD, best, best);
      replaces = arith::AndIOp::create(s, arith::CmpFOp::create(s, floatWins, x, best), isNumber);
    } else {
      replaces = s.compare(wins, x, best);
    }
    Value here = arith::IndexCastOp::create(s, s.getI32Type(), at);
    return Values{s.select(replaces, x, best), s.select(replaces, here, state[1])};
  };
  Type i32 = builder.getI32Type();
  return scan(op, builder, operands, op.getAxis(), /*reverse=*/false, /*exclusive=*/false, {worst, numberOf(i32, 0)},
              step);
}

} // namespace

LoweredValues CumsumOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  return scan(*this, builder, operands, getAxis(), getReverse(), getExclusive(),
              numberOf(getType().getElementType(), 0),
              [](ScalarBuilder &s, ValueRange x, Value, ValueRange state) { return Values{s.add(state[0], x[0])}; });
}

LoweredValues CumprodOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  return scan(*this, builder, operands, getAxis(), getReverse(), getExclusive(),
              numberOf(getType().getElementType(), 1),
              [](ScalarBuilder &s, ValueRange x, Value, ValueRange state) { return Values{s.mul(state[0], x[0])}; });
}

LoweredValues LinearRecurrenceOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  return scan(*this, builder, operands, getAxis(), getReverse(), /*exclusive=*/false,
              numberOf(getType().getElementType(), 0), [](ScalarBuilder &s, ValueRange x, Value, ValueRange state) {
                return Values{s.add(s.mul(x[0], state[0]), x[1])};
              });
}

/// A number of a type without the sign's name.
static TypedAttr withoutSignName(TypedAttr number) {
  auto integer = dyn_cast<IntegerAttr>(number);
  return integer ? TypedAttr(IntegerAttr::get(withoutSign(number.getType()), integer.getValue())) : number;
}

LoweredValues CummaxOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  TypedAttr worst = withoutSignName(lowest(tensorType(getX()).getElementType()));
  return runningBest(*this, builder, operands, ScalarBuilder::Order::GreaterEqual, arith::CmpFPredicate::UGE, worst);
}

LoweredValues CumminOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  TypedAttr worst = withoutSignName(highest(tensorType(getX()).getElementType()));
  return runningBest(*this, builder, operands, ScalarBuilder::Order::LessEqual, arith::CmpFPredicate::ULE, worst);
}

} // namespace plumb::net
