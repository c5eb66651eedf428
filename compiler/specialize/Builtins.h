// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Python's builtin functions (Builtins.cpp), those about types and texts (Conversions.cpp) and those of its math module
// (Math.cpp).

#ifndef PLUMB_COMPILER_SPECIALIZE_BUILTINS_H
#define PLUMB_COMPILER_SPECIALIZE_BUILTINS_H

#include "compiler/specialize/Collaborator.h"

namespace plumb::specialize {

class Builtins : public Collaborator {
public:
  using Collaborator::Collaborator;

  /// Calls the builtin function `name`.
  Result call(Location location, llvm::StringRef name, const Arguments &arguments);
  /// Calls the function `name` of the math module.
  Result callMath(Location location, llvm::StringRef name, const Arguments &arguments);
  /// sorted(), min() and max() with a key.
  Result callKeyed(Location location, llvm::StringRef name, const Arguments &arguments);
  /// any() and all() of items.
  Result callAnyAll(Location location, llvm::StringRef name, const Arguments &arguments);
  /// any() and all() of the elements of a tensor.
  Result reduceTruth(Location location, llvm::StringRef name, const AbstractValue &value);
  /// Python's str(); a tensor is described.
  std::string toText(const AbstractValue &value);

private:
  // Builtins.cpp
  struct Builtin;
  static const Builtin *findBuiltin(llvm::StringRef name);
  bool isLeftToPython(llvm::StringRef name, const Arguments &arguments);
  Result callReduce(Location location, const Arguments &arguments);
  Result callLen(Location location, const Arguments &arguments);
  Result callRange(Location location, const Arguments &arguments);
  Result callZip(Location location, const Arguments &arguments);
  Result callEnumerate(Location location, const Arguments &arguments);
  Result callEach(Location location, const AbstractValue &function, llvm::ArrayRef<AbstractValue> rows);
  Result callRepeated(Location location, llvm::StringRef name, const Arguments &arguments);
  Result callMap(Location location, const Arguments &arguments);
  LogicalResult checkCompared(Location location, llvm::StringRef name, const AbstractValue &item);
  Result callExtremum(Location location, llvm::StringRef name, const Arguments &arguments);
  Result callSum(Location location, const Arguments &arguments);
  Result callDivmod(Location location, const Arguments &arguments);
  bool isTensorToPython(const AbstractValue &value) const;
  Result roundTensor(Location location, const AbstractValue &value, const AbstractValue *places);
  Result callRound(Location location, const Arguments &arguments);
  Result callFilter(Location location, const Arguments &arguments);
  Result callAbs(Location location, const Arguments &arguments);
  Result callSlice(Location location, const Arguments &arguments);
  Result callPow(Location location, const Arguments &arguments);

  // Math.cpp
  Result callModularPower(Location location, const Arguments &arguments);

  // Conversions.cpp
  static bool isConversion(llvm::StringRef name);
  Result convertTensor(Location location, llvm::StringRef name, const AbstractValue &value);
  Result callConversion(Location location, llvm::StringRef name, const Arguments &arguments);
  Result callIsinstance(Location location, const Arguments &arguments);
  bool isInstance(const AbstractValue &value, llvm::StringRef type);
  Result callGetattr(Location location, llvm::StringRef name, const Arguments &arguments);
};

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_BUILTINS_H
