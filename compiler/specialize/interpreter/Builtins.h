// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Python's builtin functions, and what the front end gives such names. See Builtins.cpp.

#ifndef PLUMB_COMPILER_SPECIALIZE_INTERPRETER_BUILTINS_H
#define PLUMB_COMPILER_SPECIALIZE_INTERPRETER_BUILTINS_H

#include "compiler/specialize/interpreter/Collaborator.h"

namespace plumb::specialize {

class Builtins : public Collaborator {
public:
  using Collaborator::Collaborator;

  /// Calls the builtin function `name`.
  Result call(Location location, llvm::StringRef name, const Arguments &arguments);
  /// sorted(), min() and max() with a key.
  Result callKeyed(Location location, llvm::StringRef name, const Arguments &arguments);
  /// any() and all() of items.
  Result callAnyAll(Location location, llvm::StringRef name, const Arguments &arguments);
  /// any() and all() of the elements of a tensor.
  Result reduceTruth(Location location, llvm::StringRef name, const AbstractValue &value);

  /// Calls a function of the package that calls functions of the program.
  Result callRepeated(Location location, llvm::StringRef name, const Arguments &arguments);

private:
  struct Builtin;
  static const Builtin *findBuiltin(llvm::StringRef name);
  bool isLeftToPython(llvm::StringRef name, const Arguments &arguments);
  Result callReduce(Location location, const Arguments &arguments);
  Result callLen(Location location, const Arguments &arguments);
  Result callRange(Location location, const Arguments &arguments);
  Result callZip(Location location, const Arguments &arguments);
  Result callEnumerate(Location location, const Arguments &arguments);
  Result callEach(Location location, const AbstractValue &function, llvm::ArrayRef<AbstractValue> rows);
  Result callMap(Location location, const Arguments &arguments);
  LogicalResult checkCompared(Location location, llvm::StringRef name, const AbstractValue &item);
  Result callExtremum(Location location, llvm::StringRef name, const Arguments &arguments);
  Result callSum(Location location, const Arguments &arguments);
  Result callFilter(Location location, const Arguments &arguments);
  Result callSlice(Location location, const Arguments &arguments);
};

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_INTERPRETER_BUILTINS_H
