// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is true, as Python's `if`, `while` and `not` see it. See Conditions.cpp.

#ifndef PLUMB_COMPILER_SPECIALIZE_INTERPRETER_CONDITIONS_H
#define PLUMB_COMPILER_SPECIALIZE_INTERPRETER_CONDITIONS_H

#include "compiler/specialize/interpreter/Collaborator.h"

#include <variant>

namespace plumb::specialize {

/// Python's bool(), or an i1 where a tensor decides it.
using Truth = std::variant<bool, Value>;

class Conditions : public Collaborator {
public:
  using Collaborator::Collaborator;

  FailureOr<Truth> getTruth(Location location, const AbstractValue &value);
  /// The same as a value: a boolean that is known, or a tensor of one.
  Result getBoolean(Location location, const AbstractValue &value);

private:
  FailureOr<Truth> getTensorTruth(Location location, const AbstractValue &value);
};

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_INTERPRETER_CONDITIONS_H
