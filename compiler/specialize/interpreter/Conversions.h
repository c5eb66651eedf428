// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builtin functions about types and attributes, and the texts of values. See Conversions.cpp.

#ifndef PLUMB_COMPILER_SPECIALIZE_INTERPRETER_CONVERSIONS_H
#define PLUMB_COMPILER_SPECIALIZE_INTERPRETER_CONVERSIONS_H

#include "compiler/specialize/interpreter/Collaborator.h"

namespace plumb::specialize {

class Conversions : public Collaborator {
public:
  using Collaborator::Collaborator;

  /// Whether `name` is a type that values are converted to: int, str, list and the like.
  static bool has(llvm::StringRef name);
  /// Calls the type `name`.
  Result call(Location location, llvm::StringRef name, const Arguments &arguments);
  /// A tensor as the number int(), float() or bool() makes of it.
  Result convertTensor(Location location, llvm::StringRef name, const AbstractValue &value);
  Result callIsinstance(Location location, const Arguments &arguments);
  /// getattr() and hasattr().
  Result callGetattr(Location location, llvm::StringRef name, const Arguments &arguments);
  /// Python's str(); a tensor is described.
  std::string toText(const AbstractValue &value);

private:
  AbstractValue makeDictionary(const Arguments &arguments);
  Result makeSequence(Location location, bool isTuple, llvm::ArrayRef<AbstractValue> arguments);
  Result makeNumber(Location location, llvm::StringRef name, const AbstractValue &value);
  bool isInstance(const AbstractValue &value, llvm::StringRef type) const;
};

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_INTERPRETER_CONVERSIONS_H
