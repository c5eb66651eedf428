// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of primitives (Primitives.cpp), of print() (PrintCalls.cpp), and of operators that the program brings along
// (CustomCalls.cpp).

#ifndef PLUMB_COMPILER_SPECIALIZE_INTERPRETER_PRIMITIVES_H
#define PLUMB_COMPILER_SPECIALIZE_INTERPRETER_PRIMITIVES_H

#include "compiler/specialize/interpreter/Collaborator.h"

namespace plumb::specialize {

class Primitives : public Collaborator {
public:
  using Collaborator::Collaborator;

  Result call(Location location, net::PrimitiveAttr primitive, const Arguments &arguments);
  /// assign, assign_add and assign_sub of a Parameter.
  Result callAssign(Location location, llvm::StringRef name, const Arguments &arguments);
  /// print() while training.
  Result callPrint(Location location, const Arguments &arguments);
  /// `Tensor(data, dtype)`: from numbers known now, or a tensor converted.
  Result makeTensor(Location location, const Arguments &arguments);

private:
  // Primitives.cpp
  Result callTypedPrimitive(Location location, const net::PrimitiveInfo &primitive, mlir::DictionaryAttr config,
                            const Arguments &arguments);
  FailureOr<mlir::Attribute> convertAttribute(Location location, llvm::StringRef primitive,
                                              const net::PrimitiveParam &param, const AbstractValue &value);
  LogicalResult bindParameter(Location location, const net::PrimitiveInfo &primitive, const net::PrimitiveParam &param,
                              const AbstractValue &value, llvm::SmallVectorImpl<Value> &operands,
                              llvm::SmallVectorImpl<mlir::NamedAttribute> &attributes);
  static bool isQuery(llvm::StringRef name);
  std::optional<Result> callByName(Location location, net::PrimitiveAttr primitive, const Arguments &arguments);
  std::optional<Result> callAsOperator(Location location, llvm::StringRef name, const Arguments &arguments);
  Result callComplexAbs(Location location, const Arguments &arguments);
  Result callInvert(Location location, const AbstractValue &value);
  Result callReduction(Location location, net::PrimitiveAttr primitive, const Arguments &arguments);
  Result callSelect(Location location, const Arguments &arguments);
  Result callQuery(Location location, llvm::StringRef name, const Arguments &arguments);

  // CustomCalls.cpp
  Result callNativeFunction(Location location, net::PrimitiveAttr primitive, const Arguments &arguments);
  Result callBody(Location location, net::PrimitiveAttr primitive, const Arguments &arguments);
  FailureOr<llvm::SmallVector<Value>> getCustomInputs(Location location, llvm::StringRef name,
                                                      llvm::ArrayRef<AbstractValue> values);
  FailureOr<llvm::SmallVector<mlir::Type>> getCustomResults(Location location, llvm::StringRef name,
                                                            const AbstractValue &shapes, const AbstractValue &dtypes);
  LogicalResult checkBody(Location location, llvm::StringRef name, mlir::func::FuncOp function,
                          mlir::ValueRange inputs);
};

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_INTERPRETER_PRIMITIVES_H
