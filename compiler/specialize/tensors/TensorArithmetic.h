// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Python's operators where a tensor is among the operands: promotion, and lists and tuples as tensors.

#ifndef PLUMB_COMPILER_SPECIALIZE_TENSORS_TENSORARITHMETIC_H
#define PLUMB_COMPILER_SPECIALIZE_TENSORS_TENSORARITHMETIC_H

#include "compiler/specialize/tensors/TensorWriter.h"

namespace plumb::specialize {

class TensorArithmetic : public Part {
public:
  TensorArithmetic(Workspace &workspace, TensorWriter &writer) : Part(workspace), writer(writer) {}

  /// The binary operator `name` ("add", "truediv", "lt", "matmul", …) on tensors, numbers and sequences of these.
  Result apply(Location location, llvm::StringRef name, const AbstractValue &left, const AbstractValue &right);
  /// The complement of an integer; `not` of a boolean.
  Result invert(Location location, Value value);

  /// The element type in which two tensors, or a tensor and a number, meet.
  FailureOr<mlir::Type> getCommonType(Location location, const AbstractValue &left, const AbstractValue &right);
  /// Both operands as tensors of the element type that they have in common.
  FailureOr<std::pair<Value, Value>> promote(Location location, const AbstractValue &left, const AbstractValue &right);

  /// A list or tuple of tensors and numbers as one tensor, a constant where it holds none but numbers, whose type is
  /// then `elementType`, or their own.
  Result stack(Location location, const AbstractValue &value, mlir::Type elementType);

private:
  Result applyToSequence(Location location, llvm::StringRef name, const AbstractValue &left,
                         const AbstractValue &right);
  FailureOr<std::pair<Value, Value>> getFactors(mlir::Location location, const AbstractValue &left,
                                                const AbstractValue &right);
  Result multiplyMatrices(Location location, Value left, Value right);
  FailureOr<mlir::Type> getStackedType(Location location, const AbstractValue &value, mlir::Type known);
  FailureOr<Value> stackParts(Location location, const AbstractValue &value, mlir::Type elementType);

  TensorWriter &writer;
};

/// The Python operator that a primitive stands for, if promotion applies.
std::optional<llvm::StringRef> getOperatorOf(llvm::StringRef primitive);

/// An operator as the user wrote it: "+" for "add".
llvm::StringRef spellOperator(llvm::StringRef name);

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_TENSORS_TENSORARITHMETIC_H
