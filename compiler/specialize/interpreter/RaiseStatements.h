// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `raise` and `assert`, and the texts of what they raise. See RaiseStatements.cpp.

#ifndef PLUMB_COMPILER_SPECIALIZE_INTERPRETER_RAISESTATEMENTS_H
#define PLUMB_COMPILER_SPECIALIZE_INTERPRETER_RAISESTATEMENTS_H

#include "compiler/specialize/interpreter/Collaborator.h"

#include "dialects/net/ir/NetPythonOps.h"

namespace plumb::specialize {

class RaiseStatements : public Collaborator {
public:
  using Collaborator::Collaborator;

  LogicalResult runAssert(net::PythonAssertOp op);
  /// `raise(kind, *arguments)`: an exception of the program's whose class has no constructor of its own. Several
  /// arguments are shown as Python shows them; the pieces of a text (`raise_text`) stand one behind the other.
  Result callRaise(Location location, llvm::StringRef name, const Arguments &arguments);
  /// `raise error`: Python raises it, or says what the error is.
  Result callRaiseObject(Location location, const Arguments &arguments);
  /// `raise kind(text)` of a class of refusals: the class that programs know, the kind of refusal, and the pieces of
  /// the text.
  Result callRefuse(Location location, const Arguments &arguments);

private:
  LogicalResult assertLater(net::PythonAssertOp op, Value condition, llvm::StringRef text);
  LogicalResult addTensor(Location location, const AbstractValue &value, std::string &format,
                          llvm::SmallVectorImpl<Value> &values);
  LogicalResult add(Location location, const AbstractValue &value, bool quoted, std::string &format,
                    llvm::SmallVectorImpl<Value> &values);
};

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_INTERPRETER_RAISESTATEMENTS_H
