// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gradient functions: how they are made, and what a call of one becomes. See Gradients.cpp.

#ifndef PLUMB_COMPILER_SPECIALIZE_INTERPRETER_GRADIENTS_H
#define PLUMB_COMPILER_SPECIALIZE_INTERPRETER_GRADIENTS_H

#include "compiler/specialize/interpreter/Collaborator.h"

#include "dialects/net/ir/NetGradOps.h"

namespace plumb::specialize {

/// What a gradient function differentiates by; see Gradients.cpp.
struct GradientOptions;

class Gradients : public Collaborator {
public:
  using Collaborator::Collaborator;

  /// GradOperation(get_all, get_by_list, sens_param)(function, weights).
  Result make(Location location, net::PrimitiveAttr operation, const Arguments &arguments);
  /// One that was made before the compiled function was called.
  AbstractValue make(net::GradAttr attribute);
  /// grad, or value_and_grad, (fn, grad_position, weights, has_aux, return_ids).
  Result makeFunction(Location location, bool hasValue, const Arguments &arguments);

  Result call(Location location, const AbstractValue &gradient, const Arguments &arguments);
  /// The results of a function that is differentiated: its Parameters and constants as tensors, so that they have
  /// adjoints.
  Result makeDifferentiable(Location location, const AbstractValue &result);

private:
  FailureOr<mlir::ArrayAttr> getWeights(Location location, const AbstractValue &weights);
  FailureOr<Value> makeAdjoint(Location location, const AbstractValue &given, mlir::RankedTensorType type);
  LogicalResult makeAdjoints(Location location, const Specialization &function, const AbstractValue *given,
                             llvm::SmallVectorImpl<Value> &adjoints);
  LogicalResult prepareArguments(Location location, bool byAll, llvm::SmallVectorImpl<unsigned> &positions,
                                 Arguments &arguments);
  FailureOr<Callee> specialize(Location location, const AbstractValue &function, const Arguments &arguments);
  Result refuseWithoutTensors(Location location, const Specialization &function);
  FailureOr<net::ValueAndGradOp> emitValueAndGrad(Location location, mlir::func::FuncOp function,
                                                  const GradientOptions &options, const Arguments &arguments,
                                                  mlir::ValueRange operands, bool adjoints);
  AbstractValue arrangeGradients(Location location, const GradientOptions &options, const Arguments &arguments,
                                 mlir::ValueRange gradients);
  AbstractValue takeGradient(Location location, const AbstractValue &argument, mlir::ValueRange &gradients);
  bool holdsConstants(const AbstractValue &result);
};

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_INTERPRETER_GRADIENTS_H
