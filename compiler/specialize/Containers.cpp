// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What changes in place: lists, dicts and sets, seen by all who hold them, and
// attributes of objects.
//
// A container may be changed by the function that made it and by those that it
// is handed to; what happens under conditions on tensors, Changes.cpp says.
// Attributes that the program sets are one dict which each call hands to the
// next, so that calls read what others wrote.

#include "compiler/specialize/Interpreter.h"
#include "compiler/specialize/PackageLocation.h"

using namespace mlir;

namespace plumb::specialize {

size_t Interpreter::findKey(const AbstractValue &dictionary, const AbstractValue &key) {
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

/// Fails if `key` cannot stand in a dict or set, and thus not be looked up there.
LogicalResult Interpreter::checkHashable(Location location, const AbstractValue &key) {
  if (isUnhashable(key))
    return error(location) << "TypeError: unhashable key: " << key.describe();
  return checkDecided(location, key);
}

/// Whether a key is a tensor that is known, or holds one.
static bool isConstantTensor(const AbstractValue &key) {
  return key.isSequence() ? llvm::any_of(key.getElements(), isConstantTensor) : bool(key.getAs<DenseElementsAttr>());
}

/// The attribute form of a key; tensors and containers are none.
FailureOr<Attribute> Interpreter::getKey(Location location, const AbstractValue &key) {
  if (failed(checkHashable(location, key)))
    return failure();
  Attribute form = isConstantTensor(key) ? Attribute() : key.getKey(context());
  if (!form)
    return refuse(location) << "TypeError: " << key.describe() << (key.isSequence() ? ", one of them a tensor," : "")
                            << " cannot be a key in compiled functions; use a name or a number as the key";
  return form;
}

LogicalResult Interpreter::checkDecided(Location location, const AbstractValue &value) {
  if (value.isUndecided())
    return refuse(location) << "TypeError: a branch or loop on a tensor decides which function this is, so it can be "
                            << "called, but neither compared nor be a key or a member of a set; compare or look up "
                            << "where the branch chooses it, or keep a number that says which one it is";
  if (value.getKind() != AbstractValue::Kind::Sequence)
    return success();
  return success(llvm::all_of(value.getElements(),
                              [&](const AbstractValue &part) { return succeeded(checkDecided(location, part)); }));
}

/// `list[i] = v`, `list[a:b] = vs`, `dict[k] = v`.
LogicalResult Interpreter::setItem(Location location, const AbstractValue &container, const AbstractValue &index,
                                   const AbstractValue &value) {
  SmallVector<AbstractValue> elements(container.getElements());
  if (container.isDictionary()) {
    auto key = getKey(location, index);
    if (failed(key))
      return failure();
    SmallVector<Attribute> keys(container.getKeys().begin(), container.getKeys().end());
    size_t place = findKey(container, index);
    if (place == keys.size()) {
      elements.insert(elements.begin() + place, value);
      keys.push_back(*key);
      index.addFunctions(elements);
    } else {
      elements[place] = value;
    }
    return changes.change(location, container, elements, builder.getArrayAttr(keys));
  }
  auto position = getInteger(asNumber(index));
  int64_t size = elements.size();
  if (!container.isList() || !position)
    return errorOn(location, index) << "TypeError: " << container.describe()
                                    << " does not support assignment to the element " << index.describe();
  if (*position < -size || *position >= size)
    return error(location) << "IndexError: list assignment index " << *position << " is out of range for a list of "
                           << size;
  elements[*position < 0 ? *position + size : *position] = value;
  return changes.change(location, container, elements);
}

/// Stores into a container, which stays the same object. What is stored back
/// into a tuple is its own element, which an inner store has changed.
Result Interpreter::storeElement(Location location, const AbstractValue &object, const AbstractValue &index,
                                 const AbstractValue &value) {
  if (object.isDictionary() || (object.isList() && !index.isSlice())) {
    if (failed(setItem(location, object, index, value)))
      return failure();
    return object;
  }
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

/// `del object[index]`.
Result Interpreter::deleteItem(Location location, const AbstractValue &object, const AbstractValue &index) {
  SmallVector<AbstractValue> elements(object.getElements());
  if (object.isDictionary()) {
    size_t place = findKey(object, index);
    size_t size = object.getKeys().size();
    if (place == size && failed(checkHashable(location, index)))
      return failure();
    if (place == size && run.attempted && isLive()) // A handler sees CPython's exception.
      return live.ask(location, "delitem", {{object, index}, {}});
    if (place == size)
      return error(location) << "KeyError: this dict has no key " << index.describe();
    SmallVector<Attribute> keys(object.getKeys().begin(), object.getKeys().end());
    keys.erase(keys.begin() + place);
    elements.erase(elements.begin() + place);
    return yieldNone(changes.change(location, object, elements, builder.getArrayAttr(keys)));
  }
  if (isLive() && object.isList())
    return live.ask(location, "delitem", {{object, index}, {}});
  return error(location) << "TypeError: elements of " << object.describe() << " cannot be deleted";
}

static bool holdsClosure(const AbstractValue &value) {
  return value.isClosure() || llvm::any_of(value.getElements(), holdsClosure);
}

/// What the front end makes of displays, definitions and statements that have no
/// operation of their own.
Result Interpreter::callDisplay(Location location, StringRef name, const Arguments &arguments) {
  ArrayRef<AbstractValue> values = arguments.positional;
  if (name == "make_list") // `[a, b]`
    return AbstractValue::getList(values, depth);
  if (name == "make_closure") // `def f(…)`, `lambda`, over names of the outer one
    return closures.make(arguments);
  if (name == "outer_name" && holdsClosure(values[1]))
    return refuse(location) << "TypeError: methods of a class that a compiled function makes cannot use its inner "
                            << "functions that see its names; pass them to the methods";
  if (name == "outer_name") { // what methods of a class see that the function makes: an attribute of values[0]
    madeObjects.note(values[0].getConstant());
    return none();
  }
  if (name == "generated") // `(f(x) for x in items)`: the list of its items, and `items`
    return AbstractValue::getTuple(values[0].getElements());
  if (name == "called_later")
    return checkLater(location, values[0]);
  if (name == "delitem")
    return deleteItem(location, values[0], values[1]);
  if (name == "boxed" || name == "unboxed") // a name that inner functions assign
    return accessBox(location, arguments);
  if (name == "unpacked") // `a, *b = values`
    return callUnpacked(location, arguments);
  return callAugmented(location, arguments); // `x += y`
}

/// What map() or filter() calls, of which Python takes the items one by one, or later: they are computed at once here.
Result Interpreter::checkLater(Location location, const AbstractValue &function) {
  if (isNone(function) || isInPackage(location) || !raises.mayThrow(function))
    return function;
  return refuse(location)
         << "RuntimeError: inside of a `try`, map() and filter() whose items are not all taken at once "
         << "cannot be compiled: the function is called for all of them here, and what it raises for "
         << "one is raised here; write list(…) around it where that is meant, or call the function in "
         << "a loop";
}

/// Reads or stores a name that inner functions assign: the one element of a list, which they share.
Result Interpreter::accessBox(Location location, const Arguments &arguments) {
  const AbstractValue &box = arguments.positional[0];
  std::string name = arguments.positional[1].getAs<StringAttr>().str();
  if (arguments.positional.size() == 2) {
    AbstractValue value = box.getElements().front();
    auto unset = value.getAs<net::PrimitiveAttr>();
    if (unset && (unset.getName() == "builtins.unset" || unset.getName() == "builtins.deleted"))
      return error(location) << "UnboundLocalError: '" << name << "' is used before it is assigned";
    return value;
  }
  if (!changes.canChange(box))
    return refuse(location)
           << "RuntimeError: '" << name << "', which is 'nonlocal' in an inner function, cannot be assigned "
           << "outside of the branch or loop on a tensor that made it; return the value, and assign it there";
  changes.remember(location, box);
  box.setElements(arguments.positional[2]);
  return none();
}

/// The values that `count` targets take, of which the one at `star` takes a list
/// of what is left over.
Result Interpreter::callUnpacked(Location location, const Arguments &arguments) {
  Result items = getIterated(location, arguments.positional[0]);
  if (failed(items))
    return failure();
  size_t count = *getInteger(arguments.positional[1]);
  int64_t star = *getInteger(arguments.positional[2]);
  ArrayRef<AbstractValue> given = items->getElements();
  size_t least = star < 0 ? count : count - 1;
  if (given.size() < least || (star < 0 && given.size() > count))
    return error(location) << "ValueError: " << (given.size() < least ? "not enough" : "too many")
                           << " values to unpack (expected " << (star < 0 ? "" : "at least ") << least << ", got "
                           << given.size() << ")";
  if (star < 0)
    return AbstractValue::getTuple(given);
  SmallVector<AbstractValue> values(given.take_front(star));
  values.push_back(AbstractValue::getList(given.slice(star, given.size() - least), depth));
  ArrayRef<AbstractValue> last = given.take_back(least - star);
  values.append(last.begin(), last.end());
  return AbstractValue::getTuple(values);
}

/// `old += value`: a container takes the new contents in place.
Result Interpreter::callAugmented(Location location, const Arguments &arguments) {
  StringRef name = arguments.positional[0].getAs<StringAttr>().getValue();
  const AbstractValue &old = arguments.positional[1];
  AbstractValue value = arguments.positional[2];
  if (isForeign(old)) {
    Result method = live.ask(location, "inplace", {{old, string(name)}, {}});
    if (failed(method) || !isNone(*method))
      return failed(method) ? method : call(location, *method, {{old, value}, {}});
  }
  if (old.isList() && name == "add") {
    Result items = getIterated(location, value);
    if (failed(items))
      return failure();
    value = AbstractValue::getList(items->getElements(), depth);
  }
  Result result = operators.applyBinary(location, name, old, value);
  bool inPlace = succeeded(result) && old.isContainer() && result->getKind() == old.getKind();
  if (!inPlace)
    return result;
  if (failed(
          changes.change(location, old, result->getElements(), old.isDictionary() ? result->getKeys() : ArrayAttr())))
    return failure();
  return old;
}

/// What the program has set `object.name` to; null if it has not.
const AbstractValue *Interpreter::findSetAttribute(Attribute object, StringAttr name) {
  Attribute key = builder.getArrayAttr({object, name});
  for (auto [known, value] : llvm::zip(run.state.attributes.getKeys(), run.state.attributes.getElements()))
    if (known == key)
      return &value;
  return nullptr;
}

LogicalResult Interpreter::setAttribute(Location location, Attribute object, StringAttr name,
                                        const AbstractValue &value) {
  ArrayAttr key = builder.getArrayAttr({object, name});
  if (auto read = attributesRead.find(key); read != attributesRead.end()) {
    auto diagnostic = refuse(location) << "RuntimeError: the attribute '" << name.getValue()
                                       << "' is read before it is set, so its value would have to live from "
                                       << "one call to the next; make it a Parameter, and write it with "
                                       << "ops.assign";
    diagnostic.attachNote(read->second) << "it is read here";
    return diagnostic;
  }
  SmallVector<Attribute> keys(run.state.attributes.getKeys().begin(), run.state.attributes.getKeys().end());
  SmallVector<AbstractValue> elements(run.state.attributes.getElements());
  auto *found = llvm::find(keys, key);
  if (!changes.canChange(run.state.attributes) || (depth > 0 && found == keys.end() && !madeObjects.isMadeHere(object)))
    return refuse(location) << "RuntimeError: the attribute '" << name.getValue() << "' cannot "
                            << "be set for the first time under a condition that depends on a tensor, nor in a loop "
                               "whose end does; set it before, "
                            << "or choose its value with ops.select, and set it always";
  if (found == keys.end()) {
    keys.push_back(key);
    elements.push_back(value);
  } else {
    elements[found - keys.begin()] = value;
  }
  return changes.change(location, run.state.attributes, elements, builder.getArrayAttr(keys));
}

} // namespace plumb::specialize
