// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builtin functions of numbers, and Python's math module. See NumberBuiltins.cpp.

#ifndef PLUMB_COMPILER_SPECIALIZE_INTERPRETER_NUMBERBUILTINS_H
#define PLUMB_COMPILER_SPECIALIZE_INTERPRETER_NUMBERBUILTINS_H

#include "compiler/specialize/interpreter/Collaborator.h"

namespace plumb::specialize {

class NumberBuiltins : public Collaborator {
public:
  using Collaborator::Collaborator;

  /// Calls the function `name` of the math module.
  Result callMath(Location location, llvm::StringRef name, const Arguments &arguments);
  Result callAbs(Location location, const Arguments &arguments);
  Result callDivmod(Location location, const Arguments &arguments);
  Result callPow(Location location, const Arguments &arguments);
  Result callRound(Location location, const Arguments &arguments);

private:
  Result callModularPower(Location location, const Arguments &arguments);
  Result roundTensor(Location location, const AbstractValue &value, const AbstractValue *places);
};

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_INTERPRETER_NUMBERBUILTINS_H
