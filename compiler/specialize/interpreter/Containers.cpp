// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stores into lists and dicts, which all who hold them see, and the keys of dicts.
//
// A container may be changed by the function that made it and by those that it is handed to; what happens under
// conditions on tensors, Changes.cpp says.

#include "compiler/specialize/interpreter/Containers.h"
#include "compiler/specialize/interpreter/Texts.h"

using namespace mlir;

namespace plumb::specialize {

size_t Containers::findKey(const AbstractValue &dictionary, const AbstractValue &key) {
  SmallVector<AbstractValue> question = {key};
  for (const AbstractValue &known : dictionary.getKeyValues()) {
    question.push_back(known);
    if (areEqual(question.back(), key))
      return question.size() - 2;
  }
  // Which objects are equal, their classes say.
  bool holdsObjects = llvm::any_of(question, [&](const AbstractValue &known) { return isForeign(known); });
  Result found = holdsObjects && isKnown(key) ? live.ask(builder.getUnknownLoc(), "findkey", {question, {}}) : none();
  bool isFound = succeeded(found) && getInteger(*found);
  return isFound ? *getInteger(*found) : question.size() - 1;
}

/// A list, dict, set or slice, or a tuple with one inside.
static bool isUnhashable(const AbstractValue &key) {
  if (key.getKind() == AbstractValue::Kind::Sequence)
    return llvm::any_of(key.getElements(), isUnhashable);
  return key.isSlice() || (key.isContainer() && !key.isIterator() && !key.isFrozenSet());
}

LogicalResult Containers::checkHashable(Location location, const AbstractValue &key) const {
  if (isUnhashable(key))
    return error(location) << "TypeError: unhashable key: " << key.describe();
  return checkDecided(location, key);
}

/// Whether a key is a tensor that is known, or holds one.
static bool isConstantTensor(const AbstractValue &key) {
  return key.isSequence() ? llvm::any_of(key.getElements(), isConstantTensor) : bool(key.getAs<DenseElementsAttr>());
}

/// The attribute form of a key; tensors and containers are none.
FailureOr<Attribute> Containers::getKey(Location location, const AbstractValue &key) const {
  if (failed(checkHashable(location, key)))
    return failure();
  Attribute form = isConstantTensor(key) ? Attribute() : key.getKey(context());
  if (!form)
    return refuse(location) << "TypeError: " << key.describe() << (key.isSequence() ? ", one of them a tensor," : "")
                            << " cannot be a key in compiled functions; use a name or a number as the key";
  return form;
}

LogicalResult Containers::checkDecided(Location location, const AbstractValue &value) const {
  if (value.isText())
    return refuseLetters(location);
  if (value.isUndecided())
    return refuse(location) << "TypeError: a branch or loop on a tensor decides which function this is, so it can be "
                            << "called, but neither compared nor be a key or a member of a set; compare or look up "
                            << "where the branch chooses it, or keep a number that says which one it is";
  bool isMethod = value.getKind() == AbstractValue::Kind::Method;
  if (isMethod && value.getElements().front().isContainer() && !value.getKey(context()))
    return refuse(location) << "TypeError: " << value.describe() << " of " << value.getElements().front().describe()
                            << " that was made outside of the compiled function, or that a branch or loop on a tensor "
                            << "chooses, cannot be a key or a member of a set: which object it is, is not known";
  if (value.getKind() != AbstractValue::Kind::Sequence && !value.isFrozenSet())
    return success();
  return success(llvm::all_of(value.getElements(),
                              [&](const AbstractValue &part) { return succeeded(checkDecided(location, part)); }));
}

/// `dictionary[key] = value`.
LogicalResult Containers::setEntry(Location location, const AbstractValue &dictionary, const AbstractValue &key,
                                   const AbstractValue &value) {
  auto form = getKey(location, key);
  if (failed(form))
    return failure();
  SmallVector<AbstractValue> elements(dictionary.getElements());
  size_t place = findKey(dictionary, key);
  if (place == elements.size()) {
    elements.push_back(value);
    return changes.change(location, dictionary, elements, dictionary.getKeys().with(key, *form));
  }
  elements[place] = value;
  return changes.change(location, dictionary, elements);
}

/// `list[index] = value` of one element.
LogicalResult Containers::setElement(Location location, const AbstractValue &list, const AbstractValue &index,
                                     const AbstractValue &value) {
  SmallVector<AbstractValue> elements(list.getElements());
  auto position = knownTensors.getIndex(index);
  int64_t size = elements.size();
  if (!position)
    return errorOn(location, index) << "TypeError: " << list.describe()
                                    << " does not support assignment to the element " << index.describe();
  if (*position < -size || *position >= size)
    return error(location) << "IndexError: list assignment index " << *position << " is out of range for a list of "
                           << size;
  elements[*position < 0 ? *position + size : *position] = value;
  return changes.change(location, list, elements);
}

Result Containers::store(Location location, const AbstractValue &object, const AbstractValue &index,
                         const AbstractValue &value) {
  if (object.isDictionary())
    return failed(setEntry(location, object, index, value)) ? Result(failure()) : object;
  if (object.isList() && !index.isSlice())
    return failed(setElement(location, object, index, value)) ? Result(failure()) : object;
  bool isOwn = object.isSequence() && value.isContainer() && llvm::any_of(object.getElements(), [&](auto &element) {
                 return element.getIdentity() == value.getIdentity();
               });
  if (isOwn && !object.isList())
    return object;
  if (isLive() && (isForeign(object) || object.isList())) {
    Result done = live.ask(location, "setitem", {{object, index, value}, {}});
    return failed(done) ? done : Result(object);
  }
  return error(location) << "TypeError: " << object.describe() << " does not support item assignment";
}

/// `del dictionary[key]`.
Result Containers::deleteEntry(Location location, const AbstractValue &dictionary, const AbstractValue &key) {
  size_t place = findKey(dictionary, key), size = dictionary.getKeys().size();
  if (place == size && failed(checkHashable(location, key)))
    return failure();
  bool asksPython = run.attempted || dictionary.getMark(); // A handler sees CPython's exception; a Counter raises none.
  if (place == size && asksPython && isLive())
    return live.ask(location, "delitem", {{dictionary, key}, {}});
  if (place == size)
    return error(location) << "KeyError: this dict has no key " << key.describe();
  SmallVector<AbstractValue> elements(dictionary.getElements());
  elements.erase(elements.begin() + place);
  return yieldNone(changes.change(location, dictionary, elements, dictionary.getKeys().without(place)));
}

Result Containers::deleteItem(Location location, const AbstractValue &object, const AbstractValue &index) {
  if (object.isDictionary())
    return deleteEntry(location, object, index);
  if (isLive() && (object.isList() || isForeign(object)))
    return live.ask(location, "delitem", {{object, index}, {}});
  return error(location) << "TypeError: elements of " << object.describe() << " cannot be deleted";
}

} // namespace plumb::specialize
