// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stores into lists and dicts, and keys. See Containers.cpp.

#ifndef PLUMB_COMPILER_SPECIALIZE_INTERPRETER_CONTAINERS_H
#define PLUMB_COMPILER_SPECIALIZE_INTERPRETER_CONTAINERS_H

#include "compiler/specialize/interpreter/Collaborator.h"

namespace plumb::specialize {

class Containers : public Collaborator {
public:
  using Collaborator::Collaborator;

  /// `object[index] = value`: the container, which stays the same object. What is stored back into a tuple is its own
  /// element, which an inner store has changed.
  Result store(Location location, const AbstractValue &object, const AbstractValue &index, const AbstractValue &value);
  /// `del object[index]`.
  Result deleteItem(Location location, const AbstractValue &object, const AbstractValue &index);

  /// Where `key` stands in a dict; its size if it does not.
  size_t findKey(const AbstractValue &dictionary, const AbstractValue &key);
  /// Fails if `key` cannot stand in a dict or set, and thus not be looked up there.
  LogicalResult checkHashable(Location location, const AbstractValue &key) const;
  /// Fails where a tensor decides which function a value is, or one in a tuple: it cannot be compared.
  LogicalResult checkDecided(Location location, const AbstractValue &value) const;

private:
  FailureOr<mlir::Attribute> getKey(Location location, const AbstractValue &key) const;
  LogicalResult setEntry(Location location, const AbstractValue &dictionary, const AbstractValue &key,
                         const AbstractValue &value);
  LogicalResult setElement(Location location, const AbstractValue &list, const AbstractValue &index,
                           const AbstractValue &value);
  Result deleteEntry(Location location, const AbstractValue &dictionary, const AbstractValue &key);
};

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_INTERPRETER_CONTAINERS_H
