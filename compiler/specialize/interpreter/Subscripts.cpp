// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `object[index]` and `object[index] = value` for everything but tensors, which are
// read and stored into by TensorAccess.cpp.

#include "compiler/specialize/interpreter/Subscripts.h"
#include "compiler/specialize/interpreter/Interpreter.h"
#include "compiler/specialize/tensors/SliceRange.h"

using namespace mlir;

namespace plumb::specialize {

Result Subscripts::get(Location location, const AbstractValue &object, const AbstractValue &index) {
  if (isTensorLike(object))
    return interpreter.access.subscript(location, object, isForeign(index) ? asNumbers(index) : index);
  if (isForeign(object) || (isLive() && object.getAs<StringAttr>()))
    return live.ask(location, "getitem", {{object, index}, {}});
  if (object.isSequence() || object.getAs<StringAttr>())
    return getOfSequence(location, object, index);
  if (object.isDictionary())
    return getOfDictionary(location, object, index);
  if (object.isIterator()) {
    Result items = interpreter.iterators.getItemsLeft(location, object);
    return failed(items) ? items : get(location, *items, index);
  }
  // A list of cells: CellList and SequentialCell keep theirs as a member.
  if (object.getAs<FlatSymbolRefAttr>()) {
    Result items = interpreter.iterators.getIterated(location, object);
    if (failed(items))
      return failure();
    return getOfSequence(location, *items, index);
  }
  return error(location) << "TypeError: " << object.describe() << " cannot be indexed";
}

/// The value of a key that a dict of Python's library lacks: a defaultdict calls a function for it, others Python asks.
Result Subscripts::getMissing(Location location, const AbstractValue &dictionary, const AbstractValue &key) {
  ArrayAttr mark = dictionary.getMark();
  if (mark.size() == 1 || llvm::isa<net::NoneAttr>(mark[1]))
    return live.ask(location, "getitem", {{dictionary, key}, {}});
  Result made = interpreter.calls.call(location, AbstractValue::getConstant(mark[1]), {});
  return failed(made) || failed(interpreter.containers.store(location, dictionary, key, *made)) ? Result(failure())
                                                                                                : made;
}

Result Subscripts::getOfDictionary(Location location, const AbstractValue &object, const AbstractValue &index) {
  if (size_t place = interpreter.containers.findKey(object, index); place < object.getKeys().size())
    return object.getElements()[place];
  if (failed(interpreter.containers.checkHashable(location, index)))
    return failure();
  if (object.getMark())
    return getMissing(location, object, index);
  if (run.attempted && isLive()) // A handler sees CPython's exception.
    return live.ask(location, "getitem", {{object, index}, {}});
  return error(location) << "KeyError: this dict has no key " << index.describe();
}

/// A part of a sequence or a text, which has the given elements.
Result Subscripts::getSlice(Location location, const AbstractValue &object, ArrayRef<AbstractValue> elements,
                            const AbstractValue &slice) {
  auto bounds = knownTensors.getSliceBounds(location, slice);
  if (failed(bounds))
    return failure();
  SliceRange range = SliceRange::get((*bounds)[0], (*bounds)[1], (*bounds)[2].value_or(1), elements.size());
  SmallVector<AbstractValue> part;
  std::string letters;
  for (int64_t i = 0; i < range.size(); ++i) {
    part.push_back(elements[range.start + i * range.step]);
    if (auto letter = part.back().getAs<StringAttr>())
      letters += letter.getValue();
  }
  if (object.getAs<StringAttr>())
    return string(letters);
  return object.isList() ? AbstractValue::getList(part, depth) : AbstractValue::getTuple(part);
}

Result Subscripts::getOfSequence(Location location, const AbstractValue &object, const AbstractValue &index) {
  SmallVector<AbstractValue> elements;
  auto text = object.getAs<StringAttr>();
  if (text)
    for (char letter : text.getValue())
      elements.push_back(string(Twine(letter)));
  else
    elements.assign(object.getElements().begin(), object.getElements().end());
  int64_t size = elements.size();
  if (index.isSlice())
    return getSlice(location, object, elements, index);
  auto position = knownTensors.getIndex(index);
  if (!position && isTensorLike(index) && !text)
    return chooseElement(location, object, index);
  if (!position)
    return errorOn(location, index) << "TypeError: a tuple's index must be an int known while "
                                    << "compiling, not " << index.describe();
  if (*position < -size || *position >= size)
    return error(location) << "IndexError: index " << *position << " is out of range for a tuple of " << size;
  return elements[*position < 0 ? *position + size : *position];
}

Result Subscripts::choose(Location location, const AbstractValue &number, unsigned count,
                          llvm::function_ref<Result(unsigned)> runOne) {
  std::function<FailureOr<Exit>(unsigned)> from = [&](unsigned first) -> FailureOr<Exit> {
    auto runFirst = [&]() -> FailureOr<Exit> {
      Result value = runOne(first);
      if (failed(value))
        return failure();
      return exits.takePending(Exit{Flow::Return, location, *value});
    };
    if (first + 1 == count)
      return runFirst();
    Result chosen = interpreter.operators.applyBinary(location, "eq", number, integer(first));
    if (failed(chosen))
      return failure();
    auto truth = interpreter.conditions.getTruth(location, *chosen);
    if (failed(truth))
      return failure();
    return exits.runTwoWays(location, std::get<Value>(*truth), runFirst, [&] { return from(first + 1); });
  };
  auto before = std::exchange(run.frame.pending, {});
  auto exit = from(0);
  run.frame.pending = std::move(before);
  if (failed(exit))
    return failure();
  llvm::append_range(run.frame.pending, exit->thrown);
  return exit->flow == Flow::Throw ? none() : exit->value;
}

/// The number of an element that a tensor gives: negative ones count from the end, others raise, whether or not
/// anything uses the element.
Result Subscripts::countFromStart(Location location, const AbstractValue &object, const AbstractValue &index) {
  AbstractValue size = integer(object.getElements().size()), zero = integer(0);
  auto tensor = writer.toTensor(location, index);
  auto scalar = failed(tensor) ? tensor : writer.reshape(location, *tensor, {});
  auto wide = failed(scalar) ? scalar : writer.cast(location, *scalar, builder.getI64Type());
  if (failed(wide))
    return failure();
  AbstractValue given = AbstractValue::getTensor(*wide);
  Result isNegative = interpreter.operators.applyBinary(location, "lt", given, zero);
  Result fromEnd = interpreter.operators.applyBinary(location, "add", given, size);
  if (failed(isNegative) || failed(fromEnd))
    return failure();
  Result number =
      toResult(writer.emitValue(location, "select", {isNegative->getTensor(), fromEnd->getTensor(), *wide}));
  Result isBefore = failed(number) ? number : interpreter.operators.applyBinary(location, "lt", *number, zero);
  Result isBehind = failed(number) ? number : interpreter.operators.applyBinary(location, "ge", *number, size);
  if (failed(isBefore) || failed(isBehind))
    return failure();
  Result fails = arithmetic.apply(location, "or", *isBefore, *isBehind);
  StringRef text = object.isList() ? "IndexError: list index out of range" : "IndexError: tuple index out of range";
  if (failed(fails) || failed(raises.raiseIf(location, *fails, text)))
    return failure();
  return number;
}

/// An element of a tuple by a tensor's value: of callables a choice that waits
/// for its call, of anything else the element itself.
Result Subscripts::chooseElement(Location location, const AbstractValue &object, const AbstractValue &index) {
  ArrayRef<AbstractValue> elements = object.getElements();
  RankedTensorType type = getTypeOf(index);
  if (!isa<IntegerType>(type.getElementType()) || type.getNumElements() != 1)
    return errorOn(location, index) << "TypeError: a tuple's index must be an int or a tensor of "
                                    << "one integer, not " << index.describe();
  if (elements.empty())
    return error(location) << "IndexError: an empty tuple cannot be indexed";
  Result number = countFromStart(location, object, index);
  if (failed(number))
    return failure();
  SmallVector<AbstractValue> choice = {*number};
  llvm::append_range(choice, elements);
  if (llvm::all_of(elements, [&](const AbstractValue &element) { return isCallable(element); }))
    return AbstractValue::getChoice(choice);
  return choose(location, *number, elements.size(), [&](unsigned first) -> Result { return elements[first]; });
}

Result Subscripts::store(Location location, const AbstractValue &object, const AbstractValue &index,
                         const AbstractValue &value, bool bare) {
  if (getParameter(object)) {
    auto stored = interpreter.access.store(location, object, index, value);
    if (failed(stored) || failed(writer.assign(location, object.getAs<FlatSymbolRefAttr>(), *stored)))
      return failure();
    return object;
  }
  if (isTensorLike(object)) {
    if (bare)
      return error(location) << "storing into " << object.describe() << " makes a new tensor, "
                             << "but here it has no name in this function to keep it under; "
                             << "copy it to a local name before, or make it a Parameter";
    return interpreter.access.store(location, object, index, value);
  }
  return interpreter.containers.store(location, object, index, value);
}

} // namespace plumb::specialize
