// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Python-level operations without control flow. See Expressions.cpp.

#ifndef PLUMB_COMPILER_SPECIALIZE_INTERPRETER_EXPRESSIONS_H
#define PLUMB_COMPILER_SPECIALIZE_INTERPRETER_EXPRESSIONS_H

#include "compiler/specialize/interpreter/Collaborator.h"

#include "dialects/net/ir/NetPythonOps.h"

namespace plumb::specialize {

class Expressions : public Collaborator {
public:
  using Collaborator::Collaborator;

  /// Runs one operation and remembers what it yields.
  LogicalResult evaluate(mlir::Operation &op);

private:
  Result compute(mlir::Operation &op);
  Result evaluateLoad(net::PythonLoadOp op);
  Result evaluateOperator(net::PythonOperatorOp op);
  Result evaluateCall(net::PythonCallOp op);
  FailureOr<Arguments> getArguments(net::PythonCallOp op);
  LogicalResult addKeywords(Location location, const AbstractValue &value, Arguments &arguments);
};

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_INTERPRETER_EXPRESSIONS_H
