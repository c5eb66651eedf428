// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Iterators that a program keeps: `it = iter(items)`, then `next(it)`, loops and functions that take what is left.
//
// An iterator is a container of the items that are left, behind a record of the lists, dicts and sets that they come
// from; whoever takes one changes it in place, as in CPython, and where one of these has changed since, it is refused.
// Where nothing but a loop or a builtin function sees what iter(), zip() and the like give, it stays the tuple of all
// items. MindSpore knows no iterators: so len(), an index and the function's result see the items that are left, as the
// tuple or list that they are there. An iterator is *spoilt* where the number of items left is unknown: a tensor has
// decided it, or a function that stops where it likes.
//
// A view of a dict (`table.items()`) that the program keeps in a name or a container, hands to a function or returns is
// the dict and the method; all else sees the tuple of what the dict holds when the view is read.

#include "compiler/specialize/interpreter/Iterators.h"
#include "compiler/specialize/interpreter/Interpreter.h"

using namespace mlir;

namespace plumb::specialize {

static bool makesIterators(StringRef name) {
  return llvm::is_contained<StringRef>({"builtins.iter", "builtins.enumerate", "builtins.zip", "builtins.map",
                                        "builtins.filter", "builtins.reversed", "builtins.generated"},
                                       name);
}

/// The builtin functions that go through an iterator, and of these the ones that take all of it.
static bool takesIterator(StringRef name) {
  return llvm::is_contained<StringRef>({"enumerate", "map", "filter", "any", "all", "zip", "reduce"}, name);
}

static bool takesAll(StringRef name) {
  return llvm::is_contained<StringRef>(
      {"list", "tuple", "set", "frozenset", "dict", "sorted", "sum", "min", "max", "reduce"}, name);
}

static AbstractValue makeIterator(const AbstractValue &record, ArrayRef<AbstractValue> items, unsigned depth,
                                  Attribute mark = {}) {
  SmallVector<AbstractValue> elements = {record};
  elements.append(items.begin(), items.end());
  return AbstractValue::getIterator(elements, depth, mark);
}

/// Whether all items that a call of a builtin function gives are a list, not a tuple.
static bool givesList(StringRef name, ArrayRef<AbstractValue> arguments) {
  if (name == "builtins.filter")
    return true;
  if (name == "builtins.map")
    return arguments.size() > 1 && arguments[1].isList();
  return llvm::is_contained<StringRef>({"builtins.iter", "builtins.reversed", "builtins.generated"}, name) &&
         arguments.front().isList();
}

/// What is known of a container's contents, or of its keys alone: its size, its constants, and where it holds something
/// else how often it was changed, since a tensor does not tell whether it is the one that was there before.
static AbstractValue describeContents(MLIRContext *context, const AbstractValue &container, bool areKeys) {
  SmallVector<AbstractValue> known;
  bool isKnown = true;
  for (const AbstractValue &element : container.getElements()) {
    known.push_back(element.isConstant() && !areKeys ? element : AbstractValue::getTuple({}));
    isKnown &= element.isConstant();
  }
  if (!areKeys && !container.isSet() && !isKnown)
    known.push_back(AbstractValue::getConstant(Builder(context).getI64IntegerAttr(container.countStores())));
  return AbstractValue::getTuple(known);
}

AbstractValue Iterators::makeView(const AbstractValue &callee, const Arguments &arguments) const {
  bool isOfDict = callee.getKind() == AbstractValue::Kind::Method && callee.getElements()[0].isDictionary();
  if (!isOfDict || !arguments.positional.empty() || !arguments.keywords.empty())
    return AbstractValue();
  auto name = llvm::cast<StringAttr>(callee.getConstant());
  bool isView = llvm::is_contained<StringRef>({"keys", "values", "items"}, name.getValue());
  return isView ? AbstractValue::getView(callee.getElements()[0], name) : AbstractValue();
}

void Iterators::walkSources(Value made, bool isInOrder, SourceVisitor visit) const {
  if (const AbstractValue &value = run.state.get(made); value.isContainer())
    visit(value, /*areKeys=*/value.isDictionary(), isInOrder);
  if (AbstractValue view = run.state.findView(made); view.isView())
    visit(view.getElements()[0], llvm::cast<StringAttr>(view.getConstant()).getValue() == "keys", isInOrder);
  auto call = made.getDefiningOp<net::PythonCallOp>();
  auto primitive = call ? run.state.get(call.getCallee()).getAs<net::PrimitiveAttr>() : net::PrimitiveAttr();
  if (!primitive || !makesIterators(primitive.getName()))
    return;
  bool keepsOrder =
      llvm::is_contained<StringRef>({"builtins.enumerate", "builtins.zip", "builtins.iter"}, primitive.getName());
  for (Value argument : call.getArgs())
    walkSources(argument, isInOrder && keepsOrder, visit);
}

/// Whether something else than a loop or a builtin function sees what a call gives.
bool Iterators::isKept(net::PythonCallOp op) const {
  return llvm::any_of(op->getUsers(), [&](Operation *user) {
    auto call = dyn_cast<net::PythonCallOp>(user);
    auto callee = call && run.state.values.count(call.getCallee())
                      ? run.state.get(call.getCallee()).getAs<net::PrimitiveAttr>()
                      : net::PrimitiveAttr();
    bool isKept =
        callee && llvm::is_contained({"builtins.next", "builtins.generator", "builtins.bool"}, callee.getName());
    bool isBuiltin = callee && callee.getName().starts_with("builtins.") && !isKept;
    return !isBuiltin && !isa<net::PythonForOp>(user);
  });
}

/// What is known of a container, or of its keys alone, when an iterator over it is made.
AbstractValue Iterators::makeRecord(const AbstractValue &container, bool areKeys) const {
  return AbstractValue::getTuple({container, describeContents(context(), container, areKeys), makeBool(areKeys)});
}

/// The records of the containers that the items come from of what a call gives.
SmallVector<AbstractValue> Iterators::makeRecords(net::PythonCallOp op) const {
  SmallVector<AbstractValue> records;
  for (Value argument : op.getArgs())
    walkSources(argument, /*isInOrder=*/true, [&](const AbstractValue &container, bool areKeys, bool) {
      if (!container.isIterator())
        records.push_back(makeRecord(container, areKeys));
    });
  return records;
}

/// Adds the records of all containers that Python's library may take items from: also of those inside of others.
void Iterators::addRecords(const AbstractValue &value, SmallVectorImpl<AbstractValue> &records) const {
  if (value.isContainer() && !value.isIterator())
    records.push_back(makeRecord(value, /*areKeys=*/false));
  if (value.isSequence() || value.isDictionary())
    for (const AbstractValue &element : value.getElements())
      addRecords(element, records);
}

/// Whether an iterator comes from a call of Python's library, which has computed all items, and has no record yet.
static bool isNew(const AbstractValue &iterator) {
  return iterator.isIterator() && iterator.getElements().front().getAs<UnitAttr>();
}

Result Iterators::keep(net::PythonCallOp op, const Arguments &arguments, const AbstractValue &made) {
  if (isNew(made)) {
    auto items = made.getElements().drop_front();
    if (!isKept(op))
      return AbstractValue::getTuple(items);
    if (llvm::any_of(arguments.positional, [](const AbstractValue &value) { return value.isGenerator(); }))
      return refuse(op.getLoc()) << "RuntimeError: this function of Python's library takes all items of its iterators "
                                    "when it is called, not one by one; make lists of them";
    SmallVector<AbstractValue> records = makeRecords(op);
    for (const AbstractValue &value : arguments.positional)
      addRecords(value, records);
    return makeIterator(AbstractValue::getTuple(records), items, depth);
  }
  auto primitive = run.state.get(op.getCallee()).getAs<net::PrimitiveAttr>();
  if (!primitive || !makesIterators(primitive.getName()) || !made.isSequence() || !isKept(op))
    return made;
  auto given = llvm::map_to_vector(op.getArgs(), [&](Value argument) { return run.state.get(argument); });
  Attribute mark = givesList(primitive.getName(), given) ? builder.getUnitAttr() : Attribute();
  return makeIterator(AbstractValue::getTuple(makeRecords(op)), made.getElements(), depth, mark);
}

FailureOr<ArrayRef<AbstractValue>> Iterators::getRest(Location location, const AbstractValue &iterator) {
  for (const AbstractValue &record : iterator.getElements().front().getElements()) {
    bool areKeys = record.getElements()[2].getAs<BoolAttr>().getValue();
    AbstractValue now = describeContents(context(), record.getElements()[0], areKeys);
    if (!areEqual(now, record.getElements()[1]))
      return refuse(location)
             << "RuntimeError: what this iterator goes through has changed since it was made; loop over a copy";
  }
  auto left = iterator.getElements().drop_front();
  if (left.empty() || !left.front().isUndefined())
    return left;
  auto diagnostic = refuse(location) << left.front().getWhy();
  diagnostic.attachNote(llvm::cast<LocationAttr>(left.front().getNotes().front())) << "it goes on here";
  return diagnostic;
}

Result Iterators::getItemsLeft(Location location, const AbstractValue &iterator) {
  if (failed(checkEnds(location, iterator)))
    return failure();
  if (iterator.isGenerator()) {
    bool isList = iterator.getElements().back().isIteratorOfList();
    Result items = takeAllGenerated(location, iterator);
    if (failed(items))
      return failure();
    keepComputed(location, iterator, items->getElements());
    StringRef kind = llvm::cast<StringAttr>(iterator.getConstant()).getValue();
    bool isTuple = kind == "zip" || kind == "starmap" || (kind == "map" && !isList);
    return isTuple ? items : Result(AbstractValue::getList(items->getElements(), depth));
  }
  auto left = getRest(location, iterator);
  if (failed(left))
    return failure();
  return iterator.isIteratorOfList() ? AbstractValue::getList(*left, depth) : AbstractValue::getTuple(*left);
}

static bool holdsIterators(const AbstractValue &value) {
  return value.isIterator() || value.isView() ||
         ((value.isSequence() || value.isDictionary()) && llvm::any_of(value.getElements(), holdsIterators));
}

Result Iterators::withoutIterators(Location location, const AbstractValue &value) {
  if (!holdsIterators(value))
    return value;
  if (value.isIterator() || value.isView()) {
    Result items = value.isView() ? Result(getShown(value)) : getItemsLeft(location, value);
    return failed(items) ? items : withoutIterators(location, *items);
  }
  SmallVector<AbstractValue> elements;
  for (const AbstractValue &element : value.getElements()) {
    Result made = withoutIterators(location, element);
    if (failed(made))
      return failure();
    elements.push_back(*made);
  }
  return value.withElements(elements);
}

/// Takes all that an iterator has left, as a tuple.
Result Iterators::takeRest(Location location, const AbstractValue &iterator) {
  if (failed(checkEnds(location, iterator)))
    return failure();
  if (iterator.isGenerator())
    return takeAllGenerated(location, iterator);
  auto left = getRest(location, iterator);
  if (failed(left))
    return failure();
  AbstractValue items = AbstractValue::getTuple(*left);
  if (failed(changes.change(location, iterator, AbstractValue::getTuple({}),
                            {}))) // It has ended, whatever changes from now on.
    return failure();
  return items;
}

Result Iterators::takeItems(Location location, const AbstractValue &iterator) {
  Result items = takeRest(location, iterator);
  if (succeeded(items))
    changes.spoil(location, iterator);
  return items;
}

FailureOr<std::optional<AbstractValue>> Iterators::takeNext(Location location, const AbstractValue &iterator) {
  auto left = getRest(location, iterator);
  if (failed(left))
    return failure();
  if (iterator.isGenerator())
    return takeGenerated(location, iterator);
  if (left->empty()) { // It has ended, whatever changes from now on.
    bool isRecorded = !iterator.getElements().front().getElements().empty();
    if (isRecorded && failed(changes.change(location, iterator, AbstractValue::getTuple({}), {})))
      return failure();
    return std::optional<AbstractValue>();
  }
  std::optional<AbstractValue> item = left->front();
  SmallVector<AbstractValue> rest = {iterator.getElements().front()};
  rest.append(left->begin() + 1, left->end());
  if (iterator.isCounter()) {
    Result following =
        interpreter.operators.applyBinary(location, "add", *item, AbstractValue::getConstant(iterator.getConstant()));
    if (failed(following))
      return failure();
    rest.push_back(*following);
  }
  if (failed(changes.change(location, iterator, rest, {})))
    return failure();
  return item;
}

Result Iterators::callNext(Location location, const Arguments &arguments) {
  const AbstractValue &iterator = arguments.positional[0];
  if (isForeign(iterator))
    return live.ask(location, "next", arguments);
  if (!iterator.isIterator())
    return error(location) << "TypeError: " << iterator.describe() << " is not an iterator";
  auto item = takeNext(location, iterator);
  if (failed(item))
    return failure();
  if (*item)
    return **item;
  return arguments.positional.size() == 2 ? Result(arguments.positional[1]) : error(location) << "StopIteration: ";
}

/// The next item of each iterator; nothing where one has ended.
FailureOr<std::optional<AbstractValue>> Iterators::takeRow(Location location, ArrayRef<AbstractValue> columns) {
  SmallVector<AbstractValue> row;
  for (const AbstractValue &column : columns) {
    auto item = takeNext(location, column);
    if (failed(item) || !*item)
      return item;
    row.push_back(**item);
  }
  return std::optional(AbstractValue::getTuple(row));
}

Result Iterators::callBuiltin(Location location, StringRef name, const Arguments &arguments) {
  if (name == "next")
    return callNext(location, arguments);
  if (name == "iter" && arguments.positional.front().isIterator())
    return arguments.positional.front();
  if (name == "iter") {
    Result items = getIterated(location, arguments.positional.front());
    return failed(items) ? items : Result(AbstractValue::getTuple(items->getElements()));
  }
  if (name == "bool")
    return makeBool(true);
  if (name == "len") {
    Result items = getItemsLeft(location, arguments.positional.front());
    return failed(items) ? items : Result(integer(items->getElements().size()));
  }
  if (name == "zip" || name == "enumerate")
    return name == "zip" ? zip(location, arguments) : enumerate(location, arguments);
  if (name == "any" || name == "all")
    return callAnyAll(location, name, arguments.positional.front());
  if (!takesIterator(name) && !takesAll(name))
    return refuse(location) << "TypeError: " << name
                            << "() of an iterator cannot be compiled; next(), loops and functions that go "
                            << "through the items can take one";
  return callOnRest(location, name, arguments);
}

/// Calls a builtin function on the items that are left; of one that may stop before the end, nobody knows how many it
/// has taken.
Result Iterators::callOnRest(Location location, StringRef name, const Arguments &arguments) {
  Arguments taken = arguments;
  for (AbstractValue &value : taken.positional) {
    if (!value.isIterator())
      continue;
    AbstractValue iterator = value;
    Result items = takeRest(location, iterator);
    if (failed(items))
      return failure();
    if (!takesAll(name))
      changes.spoil(location, iterator);
    value = *items;
  }
  return interpreter.builtins.call(location, name, taken);
}

/// The parts of a tensor along its first dimension.
Result Iterators::getRows(Location location, const AbstractValue &tensor) {
  RankedTensorType type = getTypeOf(tensor);
  if (type.getRank() == 0)
    return error(location) << "TypeError: iteration over a 0-D tensor";
  SmallVector<AbstractValue> rows;
  for (int64_t i = 0, e = type.getDimSize(0); i < e; ++i) {
    Result row = interpreter.subscripts.get(location, tensor, integer(i));
    if (failed(row))
      return failure();
    rows.push_back(*row);
  }
  return AbstractValue::getTuple(rows);
}

Result Iterators::getIterated(Location location, const AbstractValue &value) {
  if (value.isSequence())
    return value;
  if (value.isIterator())
    return takeRest(location, value);
  if (value.isView())
    return getShown(value);
  if (value.isText())
    return refuseLetters(location);
  if (value.isSet())
    return AbstractValue::getTuple(value.getElements());
  Result iterator = findIterator(location, value);
  if (failed(iterator) || iterator->isIterator())
    return failed(iterator) ? iterator : takeRest(location, *iterator);
  if (isForeign(value))
    return live.ask(location, "iter", {{value}, {}});
  if (value.isDictionary())
    return AbstractValue::getTuple(value.getKeyValues());
  if (value.getAs<StringAttr>() && isLive())
    return live.ask(location, "iter", {{value}, {}});
  SmallVector<AbstractValue> items;
  if (auto text = value.getAs<StringAttr>()) {
    for (char letter : text.getValue())
      items.push_back(string(Twine(letter)));
    return AbstractValue::getTuple(items);
  }
  if (isTensorLike(value))
    return getRows(location, value);
  return error(location) << "TypeError: " << value.describe() << " cannot be iterated over";
}

} // namespace plumb::specialize
