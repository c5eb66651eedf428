// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gradient rules that cells bring along. See GradientRules.cpp.

#ifndef PLUMB_COMPILER_SPECIALIZE_INTERPRETER_GRADIENTRULES_H
#define PLUMB_COMPILER_SPECIALIZE_INTERPRETER_GRADIENTRULES_H

#include "compiler/specialize/interpreter/Collaborator.h"

namespace plumb::specialize {

class GradientRules : public Collaborator {
public:
  using Collaborator::Collaborator;

  /// The gradient rule of the cell whose `construct` is called: its method `bprop`; null where there is none.
  net::PythonFuncOp find(net::PythonFuncOp function, llvm::ArrayRef<AbstractValue> arguments) const;
  /// Writes the rule as a function from the tensors of inputs, results and their adjoints to the adjoints of the
  /// inputs, for the autodiff stage.
  LogicalResult attach(Location location, net::PythonFuncOp rule, Specialization &specialization,
                       llvm::ArrayRef<AbstractValue> arguments);

private:
  LogicalResult checkEffects(Location location, mlir::func::FuncOp rule) const;
  Result runRule(Location location, net::PythonFuncOp rule, llvm::ArrayRef<AbstractValue> arguments);
  LogicalResult addAdjoints(Location location, net::PythonFuncOp rule, const AbstractValue &input,
                            const AbstractValue &gradient, llvm::SmallVectorImpl<AbstractValue> &adjoints);
  FailureOr<Value> fit(Location location, net::PythonFuncOp rule, const AbstractValue &gradient,
                       mlir::RankedTensorType type);
};

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_INTERPRETER_GRADIENTRULES_H
