// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Methods of tensors, Parameters, lists, dicts and strings. See Methods.cpp.

#ifndef PLUMB_COMPILER_SPECIALIZE_INTERPRETER_METHODS_H
#define PLUMB_COMPILER_SPECIALIZE_INTERPRETER_METHODS_H

#include "compiler/specialize/interpreter/Collaborator.h"

namespace plumb::specialize {

class Methods : public Collaborator {
public:
  using Collaborator::Collaborator;

  bool has(const AbstractValue &object, llvm::StringRef name);
  Result call(Location location, const AbstractValue &receiver, llvm::StringRef name, const Arguments &arguments);
  /// A method of tensors that is an operation, whatever the Python package defines under that name.
  Result callTensorMethod(Location location, const AbstractValue &receiver, llvm::StringRef name,
                          const Arguments &arguments);

private:
  mlir::Attribute getPackageMethod(llvm::StringRef name);
  Result callLiveMethod(Location location, const AbstractValue &receiver, llvm::StringRef name,
                        const Arguments &arguments);
  Result callTranspose(Location location, const AbstractValue &receiver, llvm::StringRef name,
                       const Arguments &arguments);
  Result callSpecialTensorMethod(Location location, const AbstractValue &receiver, llvm::StringRef name,
                                 const Arguments &arguments);
  Result callSearch(Location location, const AbstractValue &receiver, llvm::StringRef name,
                    const AbstractValue &wanted);
  Result count(Location location, llvm::ArrayRef<AbstractValue> matches);
  Result findFirst(Location location, llvm::ArrayRef<AbstractValue> matches, llvm::StringRef missing);
  Result callListMethod(Location location, const AbstractValue &receiver, llvm::StringRef name,
                        const Arguments &arguments);
  Result callDictMethod(Location location, const AbstractValue &receiver, llvm::StringRef name,
                        const Arguments &arguments);
  Result callStringMethod(Location location, const AbstractValue &receiver, llvm::StringRef name,
                          const Arguments &arguments);
  Result callContainerMethod(Location location, const AbstractValue &receiver, llvm::StringRef name,
                             const Arguments &arguments);
};

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_INTERPRETER_METHODS_H
