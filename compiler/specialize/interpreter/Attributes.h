// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `object.name` and `object.name = value`. See Attributes.cpp.

#ifndef PLUMB_COMPILER_SPECIALIZE_INTERPRETER_ATTRIBUTES_H
#define PLUMB_COMPILER_SPECIALIZE_INTERPRETER_ATTRIBUTES_H

#include "compiler/specialize/interpreter/Collaborator.h"

namespace plumb::specialize {

class Attributes : public Collaborator {
public:
  using Collaborator::Collaborator;

  Result get(Location location, const AbstractValue &object, StringAttr name);
  bool has(const AbstractValue &object, StringAttr name);
  /// What a tensor or a Parameter says about itself, all known now, if it does.
  std::optional<Result> getOfTensor(Location location, const AbstractValue &object, llvm::StringRef name);

  /// `object.name = value`, or with `isEntry` `vars(object)[name] = value`. To a parameter that the object holds under
  /// that name it assigns.
  LogicalResult store(Location location, const AbstractValue &object, StringAttr name, const AbstractValue &value,
                      bool isEntry = false);
  /// `setattr(object, name, value)`, and, as "set_entry", `vars(object)[name] = value`.
  Result callSetattr(Location location, llvm::StringRef name, const Arguments &arguments);
  /// Has all later reads of the run see `value`.
  LogicalResult set(Location location, mlir::Attribute object, StringAttr name, const AbstractValue &value);
  /// What the program has set `object.name` to; null if it has not.
  const AbstractValue *findSet(mlir::Attribute object, StringAttr name) const;
  /// Takes note that the program was told that an object from outside lacks an attribute.
  void noteMissing(Location location, mlir::Attribute object, StringAttr name);
  /// Refuses that the program, which has no live caller that would keep it for the next call, has set one of those.
  LogicalResult checkNoneMissed() const;

private:
  Result getOfTensorLike(Location location, const AbstractValue &object, StringAttr name);
  Result getPartial(Location location, mlir::FlatSymbolRefAttr object, StringAttr name, const AbstractValue &partial);
  bool isFromOutside(mlir::Attribute object) const;
  LogicalResult noteRead(Location location, mlir::FlatSymbolRefAttr object, StringAttr name);
  LogicalResult refuseState(Location set, StringAttr name, Location readAt) const;
  Result getOfSymbol(Location location, mlir::FlatSymbolRefAttr object, StringAttr name);
  Result failMissing(Location location, mlir::FlatSymbolRefAttr object, StringAttr name) const;
  Result refuseOfTensor(Location location, const AbstractValue &object, llvm::StringRef name);
  Result swapAxes(Location location, const AbstractValue &object, llvm::StringRef name);
  Result findSetter(Location location, mlir::FlatSymbolRefAttr object, StringAttr name, bool isEntry);

  /// Functions of properties that set attributes, by object, name and whether it is `vars(object)[name] = …`.
  llvm::DenseMap<mlir::Attribute, AbstractValue> setters;
  /// Attributes of objects that were read as they were before the call.
  llvm::DenseMap<mlir::Attribute, Location> read;
  /// Those that an object was found to lack.
  llvm::DenseMap<mlir::Attribute, Location> missing;
};

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_INTERPRETER_ATTRIBUTES_H
