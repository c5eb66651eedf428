// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Displays, definitions and statements that have no operation of their own. See Displays.cpp.

#ifndef PLUMB_COMPILER_SPECIALIZE_INTERPRETER_DISPLAYS_H
#define PLUMB_COMPILER_SPECIALIZE_INTERPRETER_DISPLAYS_H

#include "compiler/specialize/interpreter/Collaborator.h"

namespace plumb::specialize {

class Displays : public Collaborator {
public:
  using Collaborator::Collaborator;

  /// Calls what the front end has made of one of them, which has the name of a builtin function.
  Result call(Location location, llvm::StringRef name, const Arguments &arguments);

private:
  Result noteOuterName(Location location, const AbstractValue &owner, const AbstractValue &value);
  Result checkLater(Location location, const AbstractValue &function);
  Result accessBox(Location location, const Arguments &arguments);
  Result callUnpacked(Location location, const Arguments &arguments);
  Result callAugmented(Location location, const Arguments &arguments);
};

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_INTERPRETER_DISPLAYS_H
