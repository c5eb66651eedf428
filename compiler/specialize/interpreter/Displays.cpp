// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the front end makes of displays, definitions and statements that have no operation of their own: calls of
// builtin functions that no program can name.

#include "compiler/specialize/interpreter/Displays.h"
#include "compiler/specialize/interpreter/Interpreter.h"
#include "compiler/specialize/tensors/PackageLocation.h"

using namespace mlir;

namespace plumb::specialize {

static bool holdsClosure(const AbstractValue &value) {
  return value.isClosure() || llvm::any_of(value.getElements(), holdsClosure);
}

/// What methods of a class see that the function makes: an attribute of its owner.
Result Displays::noteOuterName(Location location, const AbstractValue &owner, const AbstractValue &value) {
  if (holdsClosure(value))
    return refuse(location) << "TypeError: methods of a class that a compiled function makes cannot use its inner "
                            << "functions that see its names; pass them to the methods";
  madeObjects.note(owner.getConstant());
  return none();
}

Result Displays::call(Location location, StringRef name, const Arguments &arguments) {
  ArrayRef<AbstractValue> values = arguments.positional;
  if (name == "make_list") // `[a, b]`
    return AbstractValue::getList(values, depth);
  if (name == "make_closure") // `def f(…)`, `lambda`, over names of the outer one
    return closures.make(arguments);
  if (name == "outer_name")
    return noteOuterName(location, values[0], values[1]);
  if (name == "generated") // `(f(x) for x in items)`: the list of its items, and `items`
    return AbstractValue::getTuple(values[0].getElements());
  if (name == "generator") // the same where a name keeps it, or a function of the program's is given it; map, filter
    return interpreter.iterators.makeGenerator(location, values);
  if (name == "is_done")
    return interpreter.iterators.isDone(location, arguments);
  if (name == "called_later")
    return checkLater(location, values[0]);
  if (name == "delitem")
    return interpreter.containers.deleteItem(location, values[0], values[1]);
  if (name == "boxed" || name == "unboxed") // a name that inner functions assign
    return accessBox(location, arguments);
  if (name == "unpacked") // `a, *b = values`
    return callUnpacked(location, arguments);
  return callAugmented(location, arguments); // `x += y`
}

/// What map() or filter() calls, of which Python takes the items one by one, or later: they are computed at once here.
Result Displays::checkLater(Location location, const AbstractValue &function) {
  if (isNone(function) || isInPackage(location) || !raises.mayThrow(function))
    return function;
  return refuse(location)
         << "RuntimeError: inside of a `try`, map() and filter() whose items are not all taken at once "
         << "cannot be compiled: the function is called for all of them here, and what it raises for "
         << "one is raised here; write list(…) around it where that is meant, or call the function in "
         << "a loop";
}

/// Reads or stores a name that inner functions assign: the one element of a list, which they share.
Result Displays::accessBox(Location location, const Arguments &arguments) {
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
Result Displays::callUnpacked(Location location, const Arguments &arguments) {
  Result items = interpreter.iterators.getIterated(location, arguments.positional[0]);
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
Result Displays::callAugmented(Location location, const Arguments &arguments) {
  StringRef name = arguments.positional[0].getAs<StringAttr>().getValue();
  const AbstractValue &old = arguments.positional[1];
  AbstractValue value = arguments.positional[2];
  if (isForeign(old)) {
    Result method = live.ask(location, "inplace", {{old, string(name)}, {}});
    if (failed(method) || !isNone(*method))
      return failed(method) ? method : interpreter.calls.call(location, *method, {{old, value}, {}});
  }
  if (old.isList() && name == "add") {
    Result items = interpreter.iterators.getIterated(location, value);
    if (failed(items))
      return failure();
    value = AbstractValue::getList(items->getElements(), depth);
  }
  Result result = interpreter.operators.applyBinary(location, name, old, value);
  bool inPlace = succeeded(result) && old.isContainer() && result->getKind() == old.getKind();
  if (!inPlace)
    return result;
  if (failed(changes.change(location, old, result->getElements(), old.isDictionary() ? result->getKeys() : Keys())))
    return failure();
  return old;
}

} // namespace plumb::specialize
