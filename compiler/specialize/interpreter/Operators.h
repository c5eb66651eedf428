// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Python's operators on values of any kind. See Operators.cpp; those on tensors are in TensorArithmetic.h.

#ifndef PLUMB_COMPILER_SPECIALIZE_INTERPRETER_OPERATORS_H
#define PLUMB_COMPILER_SPECIALIZE_INTERPRETER_OPERATORS_H

#include "compiler/specialize/interpreter/Collaborator.h"

namespace plumb::specialize {

class Operators : public Collaborator {
public:
  using Collaborator::Collaborator;

  /// The operator `name` on one operand or two.
  Result apply(Location location, llvm::StringRef name, llvm::ArrayRef<AbstractValue> operands);
  Result applyUnary(Location location, llvm::StringRef name, const AbstractValue &operand);
  Result applyBinary(Location location, llvm::StringRef name, const AbstractValue &left, const AbstractValue &right);
  /// One on an object that only the live process knows.
  Result applyForeign(Location location, llvm::StringRef name, const AbstractValue &left, const AbstractValue &right);
  /// Which of two objects min() or max(), by its name, gives: the second one only where Python's comparison says so.
  Result choose(Location location, llvm::StringRef name, const AbstractValue &first, const AbstractValue &second);

  /// Python's ==, also of tensors inside of tuples and lists: a boolean known now, or a tensor.
  Result compareParts(Location location, const AbstractValue &left, const AbstractValue &right);

private:
  Result findZeros(Location location, Value value);
  Result findTaken(Location location, llvm::StringRef name, const AbstractValue &left, const AbstractValue &iterator);
  std::optional<SameTensor> areOneTensor(const AbstractValue &left, const AbstractValue &right);
  bool mayBeOne(const AbstractValue &left, const AbstractValue &right);
  FailureOr<bool> areOneMethod(Location location, const AbstractValue &left, const AbstractValue &right);
  FailureOr<bool> areOne(Location location, const AbstractValue &left, const AbstractValue &right);
  mlir::InFlightDiagnostic refuseBesideNumber(Location location, llvm::StringRef name, const AbstractValue &left,
                                              const AbstractValue &right);
  LogicalResult refuseUndecided(Location location, const AbstractValue &left, const AbstractValue &right);
  bool hasElements(const AbstractValue &value);
  Result applySequenceOperator(Location location, llvm::StringRef name, const AbstractValue &left,
                               const AbstractValue &right);
  Result findIn(Location location, llvm::StringRef name, const AbstractValue &left, const AbstractValue &right);
  Result compareTensors(Location location, const AbstractValue &left, const AbstractValue &right);
  Result compareElements(Location location, llvm::ArrayRef<AbstractValue> ones, llvm::ArrayRef<AbstractValue> others);
  Result compareDictionaries(Location location, const AbstractValue &left, const AbstractValue &right);
  Result foldNumbers(Location location, llvm::StringRef name, Number left, Number right);
  /// A NaN that no other one is identical to.
  AbstractValue makeNaN();

  uint64_t countNaNs = 0; ///< How many makeNaN has made.
};

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_INTERPRETER_OPERATORS_H
