// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The few shapes of `linalg` that every lowering is made of. Later stages recognise these and
// no others: elementwise generics, reductions, contractions with affine maps, fills, insert and
// extract slices, expand and collapse shape.

#ifndef PLUMB_DIALECTS_NET_IR_LOWERING_H
#define PLUMB_DIALECTS_NET_IR_LOWERING_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace plumb::net {

/// `type`, or the signless integer of as many bits in place of an unsigned one: what `arith` computes with.
mlir::Type withoutSign(mlir::Type type);

/// Scalar arithmetic that picks the op by element type. Scalars are signless; whether integers are unsigned is known to
/// the builder.
class ScalarBuilder : public mlir::ImplicitLocOpBuilder {
public:
  using mlir::ImplicitLocOpBuilder::ImplicitLocOpBuilder;
  using Value = mlir::Value;

  /// Integers of more than one bit are unsigned.
  bool isUnsigned = false;

  enum class Order { Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual };

  Value number(mlir::Type type, double value);
  Value add(Value x, Value y);
  Value sub(Value x, Value y);
  Value mul(Value x, Value y);
  Value div(Value x, Value y);
  Value floorDiv(Value x, Value y);
  /// The remainder of division towards zero, and of division that rounds down.
  Value rem(Value x, Value y);
  Value mod(Value x, Value y);
  Value power(Value x, Value y);
  Value leftShift(Value x, Value y);
  Value rightShift(Value x, Value y);
  Value neg(Value x);
  Value maximum(Value x, Value y);
  Value minimum(Value x, Value y);
  Value compare(Order order, Value x, Value y);
  Value select(Value condition, Value x, Value y);
  /// Whether the signed integer `number` is the position along dim `dim` of the linalg operation that is built.
  Value isPosition(Value number, unsigned dim);
  /// Converts between number types; to i1 by comparing with zero. Yields signless bits for an unsigned `to`.
  Value cast(Value x, mlir::Type to);

private:
  Value castFloat(Value x, mlir::Type to);
  Value divideIntegers(Value x, Value y);
};

/// Builds one lowering at the caller's insertion point. Operands and results are signless; types that it is given may
/// be unsigned.
class LoweringBuilder : public mlir::ImplicitLocOpBuilder {
public:
  using mlir::ImplicitLocOpBuilder::ImplicitLocOpBuilder;
  /// For operations whose meaning depends on whether the elements of their first operand are unsigned.
  LoweringBuilder(mlir::Operation *op, mlir::OpBuilder &builder);
  using Value = mlir::Value;
  using Type = mlir::RankedTensorType;
  /// Computes the results of a generic from scalars: inputs, then accumulators.
  using Body = llvm::function_ref<Value(ScalarBuilder &, mlir::ValueRange)>;
  using Bodies = llvm::function_ref<llvm::SmallVector<Value>(ScalarBuilder &, mlir::ValueRange)>;

  /// A tensor without contents.
  Value empty(Type type);
  /// A tensor of one number.
  Value filled(Type type, double number);
  Value filled(Type type, mlir::TypedAttr number);

  /// One element per element; inputs broadcast to `type` from the right. Constant splats become
  /// scalars of the body.
  Value elementwise(mlir::ValueRange inputs, Type type, Body body);

  /// Combines the elements along ascending `axes`, which vanish. `initial` is what an empty
  /// reduction yields; the body gets (element, accumulator).
  Value reduce(Value x, llvm::ArrayRef<int64_t> axes, mlir::TypedAttr initial, Body body);
  /// Adds up along `axes`.
  Value sum(Value x, llvm::ArrayRef<int64_t> axes);
  /// Takes the largest along `axes`.
  Value maximum(Value x, llvm::ArrayRef<int64_t> axes);

  /// Any generic: one map per input, one per initial value; reduction dims are those that no
  /// output map mentions.
  llvm::SmallVector<Value> generic(mlir::ValueRange inputs, mlir::ValueRange initials,
                                   llvm::ArrayRef<mlir::AffineMap> maps, Bodies body);

  /// The sum of products over all dims that `maps` (left, right, result) leave out of the result.
  Value contract(Value left, Value right, Type type, llvm::ArrayRef<mlir::AffineMap> maps);

  /// `x` with `low` zeros before and `high` behind it along each axis. Stays an operation of its own, which code
  /// generation reads as a bound where contractions read it.
  Value pad(Value x, llvm::ArrayRef<int64_t> low, llvm::ArrayRef<int64_t> high);

  /// Puts `x` at `offsets` into a tensor of `type` full of `number`; spaced by `strides`.
  Value surround(Value x, Type type, llvm::ArrayRef<int64_t> offsets, llvm::ArrayRef<int64_t> strides,
                 mlir::TypedAttr number);
  Value extract(Value x, llvm::ArrayRef<int64_t> offsets, llvm::ArrayRef<int64_t> sizes,
                llvm::ArrayRef<int64_t> strides);
  Value insert(Value x, Value into, llvm::ArrayRef<int64_t> offsets, llvm::ArrayRef<int64_t> strides);

  /// Collapses and expands to another shape of as many elements.
  Value reshape(Value x, llvm::ArrayRef<int64_t> shape);

  /// Dim expressions d0 … and a map of `results` over `dims` dims.
  mlir::AffineExpr dim(unsigned position) { return mlir::getAffineDimExpr(position, getContext()); }
  mlir::AffineMap map(unsigned dims, llvm::ArrayRef<mlir::AffineExpr> results) {
    return mlir::AffineMap::get(dims, 0, results, getContext());
  }

private:
  bool isUnsigned = false;
};

using LoweredValues = llvm::FailureOr<llvm::SmallVector<mlir::Value>>;

/// Wraps a single lowered value.
inline LoweredValues lowered(mlir::Value value) { return llvm::SmallVector<mlir::Value>{value}; }

/// The attribute of the least number of a type: minus infinity for floats.
mlir::TypedAttr lowest(mlir::Type elementType);
/// The attribute of the greatest number of a type: infinity for floats.
mlir::TypedAttr highest(mlir::Type elementType);

} // namespace plumb::net

#endif // PLUMB_DIALECTS_NET_IR_LOWERING_H
