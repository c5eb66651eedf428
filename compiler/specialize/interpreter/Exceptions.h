// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `try` and its handlers. See Exceptions.cpp.

#ifndef PLUMB_COMPILER_SPECIALIZE_INTERPRETER_EXCEPTIONS_H
#define PLUMB_COMPILER_SPECIALIZE_INTERPRETER_EXCEPTIONS_H

#include "compiler/specialize/interpreter/Blocks.h"
#include "compiler/specialize/interpreter/Collaborator.h"

#include "dialects/net/ir/NetPythonOps.h"

namespace plumb::specialize {

class Exceptions : public Collaborator {
public:
  Exceptions(Workspace &workspace, Interpreter &interpreter, Blocks &blocks)
      : Collaborator(workspace, interpreter), blocks(blocks) {}

  FailureOr<Exit> runTry(net::PythonTryOp op, Continuation next);
  /// What the front end makes of handlers: the exception, whether it is of a class, and raising it again.
  Result callBuiltin(Location location, llvm::StringRef name, const Arguments &arguments);

private:
  struct Attempt;
  Attempt attempt(mlir::Region &region, mlir::Region *handler = nullptr);
  FailureOr<Exit> runHandlers(Exit exit, mlir::Region &handler);
  Result isBefore(Location location, llvm::ArrayRef<Thrown> thrown, size_t middle, const AbstractValue &raised);
  FailureOr<Exit> runOneOf(Location location, llvm::ArrayRef<Thrown> thrown, const AbstractValue &raised,
                           mlir::Region &handler);
  FailureOr<Exit> runEach(Location location, llvm::ArrayRef<Thrown> thrown, const Exit &rest, mlir::Region &handler);
  FailureOr<Exit> runHandler(const Thrown &thrown, mlir::Region &handler, bool &isRead);
  FailureOr<Exit> settle(Exit exit);
  void hideUnset(net::PythonTryOp op, const Exit &exit);
  void report(Attempt &made);
  std::optional<Thrown> getException(Attempt &made);
  Attempt runHandled(net::PythonTryOp op);
  FailureOr<Exit> runLast(net::PythonTryOp op, Continuation next);

  Blocks &blocks;
};

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_INTERPRETER_EXCEPTIONS_H
