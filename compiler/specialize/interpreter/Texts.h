// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texts that show tensors which only the running program knows. See Texts.cpp.

#ifndef PLUMB_COMPILER_SPECIALIZE_INTERPRETER_TEXTS_H
#define PLUMB_COMPILER_SPECIALIZE_INTERPRETER_TEXTS_H

#include "compiler/specialize/interpreter/Collaborator.h"

namespace plumb::specialize {

class Texts : public Collaborator {
public:
  using Collaborator::Collaborator;

  /// Whether the text of a value may show tensors: an object's may show its attributes.
  bool mayShowTensors(const AbstractValue &value);
  /// Whether a builtin function, or a method as `str.join` of the string that comes first, makes a text of tensors.
  bool shows(llvm::StringRef name, const Arguments &arguments);
  /// The text that `operation`, a builtin function, a method as `str.join`, or `mod`, makes of what holds tensors.
  Result make(Location location, llvm::StringRef operation, const Arguments &arguments);
  /// Python's str(), of any value.
  Result convert(Location location, const AbstractValue &value);
  /// One text, or string, behind the other.
  AbstractValue join(const AbstractValue &left, const AbstractValue &right);
};

/// The format of a text, with `{}` for each of its tensors, which are appended to `values`.
std::string addFormat(const AbstractValue &text, llvm::SmallVectorImpl<Value> &values);

/// Refuses an operation that needs the letters of a text that shows tensors.
mlir::InFlightDiagnostic refuseLetters(Location location);

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_INTERPRETER_TEXTS_H
