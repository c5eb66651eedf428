// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `object[index]` and `object[index] = value`. See Subscripts.cpp.

#ifndef PLUMB_COMPILER_SPECIALIZE_INTERPRETER_SUBSCRIPTS_H
#define PLUMB_COMPILER_SPECIALIZE_INTERPRETER_SUBSCRIPTS_H

#include "compiler/specialize/interpreter/Collaborator.h"

namespace plumb::specialize {

class Subscripts : public Collaborator {
public:
  using Collaborator::Collaborator;

  Result get(Location location, const AbstractValue &object, const AbstractValue &index);
  /// The object behind the store, which for a tensor is a new one: one that is `bare` has no name to keep it under.
  Result store(Location location, const AbstractValue &object, const AbstractValue &index, const AbstractValue &value,
               bool bare);
  /// Runs one of `count` continuations by the value of a tensor: a chain of branches, whose results are joined.
  Result choose(Location location, const AbstractValue &number, unsigned count,
                llvm::function_ref<Result(unsigned)> runOne);

private:
  Result getMissing(Location location, const AbstractValue &dictionary, const AbstractValue &key);
  Result getOfDictionary(Location location, const AbstractValue &object, const AbstractValue &index);
  Result getOfSequence(Location location, const AbstractValue &object, const AbstractValue &index);
  Result getSlice(Location location, const AbstractValue &object, llvm::ArrayRef<AbstractValue> elements,
                  const AbstractValue &slice);
  Result countFromStart(Location location, const AbstractValue &object, const AbstractValue &index);
  Result chooseElement(Location location, const AbstractValue &object, const AbstractValue &index);
};

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_INTERPRETER_SUBSCRIPTS_H
