// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of Python functions and of all else that can be called. See Calls.cpp.

#ifndef PLUMB_COMPILER_SPECIALIZE_INTERPRETER_CALLS_H
#define PLUMB_COMPILER_SPECIALIZE_INTERPRETER_CALLS_H

#include "compiler/specialize/interpreter/Blocks.h"
#include "compiler/specialize/interpreter/Collaborator.h"

namespace plumb::specialize {

class Calls : public Collaborator {
public:
  Calls(Workspace &workspace, Interpreter &interpreter, Blocks &blocks)
      : Collaborator(workspace, interpreter), blocks(blocks) {}

  Result call(Location location, const AbstractValue &callee, const Arguments &arguments);
  Result callObject(Location location, mlir::Attribute object, const Arguments &arguments);
  /// The typed function of a callable with what to pass to it. With `asTensors` it is one for `makeDifferentiable`.
  FailureOr<Callee> specialize(Location location, const AbstractValue &callee, const Arguments &arguments, Use use,
                               bool asTensors = false);
  /// Runs the body of a function in the frame that stands ready for it.
  Result interpret(net::PythonFuncOp function, llvm::ArrayRef<AbstractValue> arguments);

private:
  Result callFunction(Location location, net::PythonFuncOp function, const Arguments &arguments);
  FailureOr<Callee> specializeBound(Location location, net::PythonFuncOp function, const Arguments &arguments, Use use,
                                    bool asTensors);
  FailureOr<Specialization *> specializeFunction(Location location, net::PythonFuncOp function,
                                                 llvm::ArrayRef<AbstractValue> arguments, Use use,
                                                 bool asTensors = false);
  FailureOr<Specialization *> specializeCall(Location location, const AbstractValue &callee,
                                             llvm::ArrayRef<AbstractValue> arguments, Use use, bool asTensors);
  std::string getName(net::PythonFuncOp function, llvm::ArrayRef<AbstractValue> arguments) const;

  Blocks &blocks;
};

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_INTERPRETER_CALLS_H
