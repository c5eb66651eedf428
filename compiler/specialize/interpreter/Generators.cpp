// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Iterators that compute their items when they are asked for them.
//
//   g = (f(x) for x in items if x)      a generator of the function `lambda x: (f(x),) if x else ()` and iter(items)
//   g = (f(x, y) for x in a for y in b) a "nested" one: its function makes an iterator of each item of a; the one
//                                       that is gone through stands behind iter(a)
//   m = map(f, items)                   one of f itself; so is filter(f, items)
//   m = map(f, a, b)                    a "starmap": f is called with the parts of the items of zip(a, b)
//   z = zip(it, items)                  several sources, where one is an iterator; so is enumerate(it)
//   c = itertools.count(3, 2)           a counter: the next number, and the step
//   iter(o)                             an "object" of the program's, whose __next__ a function of the package calls
//
// The items of a generator expression that a builtin function goes through at once are computed in a loop where they
// stand instead; that loop is left where the function takes no further one (`isDone`).

#include "compiler/specialize/interpreter/Effects.h"
#include "compiler/specialize/interpreter/Interpreter.h"
#include "compiler/specialize/interpreter/Iterators.h"
#include "compiler/specialize/tensors/PackageLocation.h"
#include "compiler/specialize/tensors/Reports.h"

#include <functional>

using namespace mlir;

namespace plumb::specialize {

/// Whether the items that a generator has left are computed already: it has no function any more.
static bool isComputed(const AbstractValue &iterator) {
  auto mark = iterator.getElements()[1].getAs<StringAttr>();
  return mark && mark == "computed";
}

/// Has a generator yield items that are computed.
void Iterators::keepComputed(Location location, const AbstractValue &iterator, ArrayRef<AbstractValue> items) {
  Attribute mark = iterator.getElements().back().isIteratorOfList() ? builder.getUnitAttr() : Attribute();
  SmallVector<AbstractValue> elements = {AbstractValue::getTuple({})};
  elements.append(items.begin(), items.end());
  changes.remember(location, iterator);
  iterator.setElements(
      {AbstractValue::getTuple({}), string("computed"), AbstractValue::getIterator(elements, depth, mark)});
}

Result Iterators::findIterator(Location location, const AbstractValue &value) {
  if (!isForeign(value) || withoutIterator.contains(value.getConstant()))
    return AbstractValue();
  Result made = live.ask(location, "iterator", {{value}, {}});
  if (failed(made) || made->isIterator())
    return made;
  if (isNone(*made)) {
    withoutIterator.insert(value.getConstant());
    return AbstractValue();
  }
  Result taker = live.ask(location, "taker", {{*made}, {}});
  if (failed(taker))
    return failure();
  SmallVector<AbstractValue> elements = {AbstractValue::getTuple({}), *taker, *made};
  return AbstractValue::getIterator(elements, depth, builder.getStringAttr("object"));
}

/// Which arguments a builtin function goes through: from the first one to the last.
static std::pair<size_t, size_t> getIteratedPlaces(StringRef name, size_t count) {
  if (name == "map" || name == "filter" || name == "reduce")
    return {1, name == "map" ? count : std::min<size_t>(count, 2)};
  if (name == "zip" || ((name == "min" || name == "max") && count == 1))
    return {0, count};
  bool isOfFirst = llvm::is_contained<StringRef>(
      {"list", "tuple", "set", "frozenset", "sorted", "sum", "any", "all", "enumerate"}, name);
  return {0, isOfFirst ? std::min<size_t>(count, 1) : 0};
}

LogicalResult Iterators::enterIterators(Location location, StringRef name, Arguments &arguments) {
  auto [first, last] = getIteratedPlaces(name, arguments.positional.size());
  for (size_t place = first; place < last; ++place) {
    Result iterator = findIterator(location, arguments.positional[place]);
    if (failed(iterator))
      return failure();
    if (iterator->isIterator())
      arguments.positional[place] = *iterator;
  }
  return success();
}

/// The next item of an object, as its class's __next__ gives it; nothing where that raises StopIteration.
FailureOr<std::optional<AbstractValue>> Iterators::takeOfObject(Location location, const AbstractValue &iterator) {
  SmallVector<AbstractValue> elements(iterator.getElements());
  Result made = failure();
  SmallVector<std::pair<Diagnostic, SmallVector<CallSite>>> problems;
  {
    ScopedDiagnosticHandler holdsBack(context(), [&](Diagnostic &diagnostic) {
      problems.push_back({std::move(diagnostic), run.chain.sites});
      return success();
    });
    made = interpreter.calls.call(location, elements[1], {{elements[2]}, {}});
  }
  bool isDecided = failed(made) && problems.size() == 1 && llvm::any_of(problems[0].first.getNotes(), [](auto &note) {
                     return isOfConstruct(note.getLocation()); // It returns an item, or none.
                   });
  if (isDecided)
    return refuse(location) << "TypeError: a tensor decides whether this iterator has a next item; have it end by what "
                               "is known while compiling, and leave the loop with 'break', or write a 'while'";
  for (auto &[problem, sites] : problems) {
    std::swap(run.chain.sites, sites);
    context()->getDiagEngine().emit(std::move(problem));
    std::swap(run.chain.sites, sites);
  }
  if (failed(made))
    return failure();
  return made->getElements().empty() ? std::optional<AbstractValue>() : made->getElements().front();
}

/// An iterator that a value's items are taken from.
Result Iterators::getIterator(Location location, const AbstractValue &value) {
  Result iterator = findIterator(location, value);
  if (failed(iterator) || iterator->isIterator())
    return iterator;
  Result items = value.isIterator() ? Result(value) : getIterated(location, value);
  if (failed(items) || items->isIterator())
    return items;
  SmallVector<AbstractValue> records;
  if (value.isContainer())
    records.push_back(makeRecord(value, value.isDictionary()));
  SmallVector<AbstractValue> elements = {AbstractValue::getTuple(records)};
  llvm::append_range(elements, items->getElements());
  return AbstractValue::getIterator(elements, depth);
}

Result Iterators::makeGenerator(Location location, ArrayRef<AbstractValue> arguments) {
  Result source = getIterator(location, arguments[1]);
  if (failed(source))
    return failure();
  SmallVector<AbstractValue> elements = {AbstractValue::getTuple({}), arguments[0], *source};
  if (arguments[2].getAs<StringAttr>() == "nested")
    elements.push_back(AbstractValue::getIterator({AbstractValue::getTuple({})}, depth));
  return AbstractValue::getIterator(elements, depth, arguments[2].getConstant());
}

/// Takes an item of what the function makes of the source's items, each of which it makes an iterator of.
FailureOr<std::optional<AbstractValue>> Iterators::takeNested(Location location, const AbstractValue &iterator) {
  for (;;) {
    auto item = takeNext(location, iterator.getElements()[3]);
    if (failed(item) || *item)
      return item;
    auto outer = takeNext(location, iterator.getElements()[2]);
    if (failed(outer) || !*outer)
      return outer;
    Result made = interpreter.calls.call(location, iterator.getElements()[1], {{**outer}, {}});
    Result inner = failed(made) ? made : getIterator(location, *made);
    if (failed(inner))
      return failure();
    SmallVector<AbstractValue> elements(iterator.getElements());
    elements[3] = *inner;
    if (failed(changes.change(location, iterator, elements, {})))
      return failure();
  }
}

/// zip() takes an item from each iterator in turn when it is asked for a row: `zip(it, it)` pairs neighbours.
Result Iterators::zip(Location location, const Arguments &arguments) {
  SmallVector<AbstractValue> elements = {AbstractValue::getTuple({}), none()};
  for (const AbstractValue &value : arguments.positional) {
    Result column = getIterator(location, value);
    if (failed(column))
      return failure();
    elements.push_back(*column);
  }
  return AbstractValue::getIterator(elements, depth, builder.getStringAttr("zip"));
}

/// enumerate() is zip() of numbers and the items.
Result Iterators::enumerate(Location location, const Arguments &arguments) {
  const AbstractValue *given = arguments.find(1, "start");
  AbstractValue first = given ? *given : integer(0);
  if (!getInteger(first))
    return errorOn(location, first) << "TypeError: enumerate() must start from an int";
  AbstractValue numbers =
      AbstractValue::getIterator({AbstractValue::getTuple({}), first}, depth, builder.getI64IntegerAttr(1));
  return zip(location, {{numbers, arguments.positional.front()}, {}});
}

/// What the function of a generator makes of an item, as a tuple; empty where it leaves it out.
Result Iterators::makeItems(Location location, const AbstractValue &iterator, const AbstractValue &item) {
  StringRef kind = llvm::cast<StringAttr>(iterator.getConstant()).getValue();
  const AbstractValue &function = iterator.getElements()[1];
  if (kind == "starmap") {
    Result parts = getIterated(location, item);
    Result made =
        failed(parts) ? parts : interpreter.calls.call(location, function, {llvm::to_vector(parts->getElements()), {}});
    return failed(made) ? made : Result(AbstractValue::getTuple({*made}));
  }
  Result made = isNone(function) ? Result(item) : interpreter.calls.call(location, function, {{item}, {}});
  if (failed(made) || kind == "generator")
    return made;
  if (kind == "map")
    return AbstractValue::getTuple({*made});
  auto truth = interpreter.conditions.getTruth(location, *made);
  if (failed(truth))
    return failure();
  bool *known = std::get_if<bool>(&*truth);
  return !known ? none() : *known ? AbstractValue::getTuple({item}) : AbstractValue::getTuple({});
}

/// Calls the function for the items of the source up to one that it makes an item of. Behind an exception a generator
/// has ended, which map() and filter() have not.
FailureOr<std::optional<AbstractValue>> Iterators::takeGenerated(Location location, const AbstractValue &iterator) {
  AbstractValue source = iterator.getElements()[2];
  auto kind = llvm::cast<StringAttr>(iterator.getConstant());
  bool isExpression = kind == "generator";
  if (kind == "object" && !isComputed(iterator))
    return takeOfObject(location, iterator);
  if (kind == "zip" && !isComputed(iterator))
    return takeRow(location, iterator.getElements().drop_front(2));
  if (kind == "nested" && !isComputed(iterator)) {
    auto item = takeNested(location, iterator);
    if (failed(item))
      keepComputed(location, iterator, {});
    return item;
  }
  for (;;) {
    auto item = takeNext(location, source);
    if (failed(item) || !*item || isComputed(iterator))
      return item;
    size_t pending = run.frame.pending.size();
    Result made = makeItems(location, iterator, **item);
    if (failed(made) && isExpression)
      keepComputed(location, iterator, {});
    if (failed(made))
      return failure();
    if (run.frame.pending.size() != pending)
      return refuse(location) << "RuntimeError: inside of a `try`, map(), filter() and generator expressions cannot be "
                              << "compiled that raise under a condition on a tensor and whose items are not all taken "
                              << "at once; write list(…) around it where that is meant, or call the function in a loop";
    if (made->getKind() != AbstractValue::Kind::Sequence)
      return refuse(location)
             << "TypeError: a tensor decides whether there is a next item here; filter() and generator "
                "expressions need conditions that are known while compiling";
    if (!made->getElements().empty())
      return std::optional(made->getElements().front());
  }
}

/// Whether operations behind `last` in a block, or in the whole block, print, write Parameters or draw numbers.
static bool haveEffects(Block *block, Operation *last) {
  for (Operation &op : llvm::make_range(last ? std::next(last->getIterator()) : block->begin(), block->end())) {
    auto call = dyn_cast<func::CallOp>(op);
    auto callee = call ? SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(&op, call.getCalleeAttr()) : func::FuncOp();
    Effects effects = callee ? getEffects(callee) : Effects();
    if (effects.print || effects.stateful)
      return true;
  }
  return false;
}

/// The next item behind one that is a tensor, and which Python may not take any more: computing it must change nothing.
FailureOr<std::optional<AbstractValue>> Iterators::takeUnseen(Location location, const AbstractValue &iterator) {
  Journal changed;
  Block *block = builder.getInsertionBlock();
  Operation *last = block->empty() ? nullptr : &block->back();
  unsigned since = live.countQuestions();
  auto raises = std::exchange(run.frame.raises, std::nullopt);
  run.frame.trials.push_back(&changed);
  auto item = takeNext(location, iterator);
  run.frame.trials.pop_back();
  bool mayRaise = std::exchange(run.frame.raises, raises).has_value();
  if (failed(item) || failed(live.checkUntouched(since)))
    return failure();
  llvm::erase_if(changed, [&](const Change &change) {
    return change.container.isIterator() && iterator.reaches(change.container);
  });
  if (changed.empty() && !mayRaise && !haveEffects(block, last))
    return item;
  return refuse(location) << "RuntimeError: tensors decide how many of these items any() or all() takes, and computing "
                          << "one changes something, raises or prints; write a loop with `break`, or a generator "
                          << "expression within the call";
}

/// any() and all() of an iterator take items up to the first that decides; one that is a tensor decides while the
/// program runs, so nobody knows how many were taken.
Result Iterators::callAnyAll(Location location, StringRef name, const AbstractValue &iterator) {
  SmallVector<AbstractValue> items;
  bool isKnown = true;
  for (;;) {
    auto item = isKnown ? takeNext(location, iterator) : takeUnseen(location, iterator);
    if (failed(item))
      return failure();
    if (!*item)
      break;
    items.push_back(**item);
    Result done = isDone(location, {{string(name), AbstractValue::getTuple(items)}, {}});
    if (failed(done))
      return failure();
    isKnown &= !isTensorLike(items.back());
    if (done->getAs<BoolAttr>().getValue())
      break;
  }
  if (!isKnown)
    changes.spoil(location, iterator);
  return interpreter.builtins.call(location, name, {{AbstractValue::getTuple(items)}, {}});
}

Result Iterators::takeAllGenerated(Location location, const AbstractValue &iterator) {
  SmallVector<AbstractValue> items;
  for (;;) {
    auto item = takeNext(location, iterator);
    if (failed(item))
      return failure();
    if (!*item)
      return AbstractValue::getTuple(items);
    items.push_back(**item);
  }
}

LogicalResult Iterators::checkEnds(Location location, const AbstractValue &iterator) {
  std::function<bool(const AbstractValue &)> isEndless = [&](const AbstractValue &part) {
    if (!part.isGenerator() || part.getElements().back().isUndefined())
      return part.isCounter();
    auto sources = part.getElements().drop_front(2);
    return llvm::all_of(part.getConstant() == builder.getStringAttr("nested") ? sources.take_front() : sources,
                        isEndless);
  };
  if (!isEndless(iterator))
    return success();
  return refuse(location)
         << "RuntimeError: this iterator has no end that is known while compiling; next(), zip() beside "
         << "others, and a `for` that is left by what is known, can take items of it; where a tensor "
         << "ends the loop, use `while`";
}

/// One that computes its items is asked for them within the branches that the iterations are from here on, and by these
/// alone: it is changed there without a trace.
Result Iterators::moveRest(Location location, const AbstractValue &iterator, unsigned at) {
  if (failed(getRest(location, iterator)))
    return failure();
  SmallVector<AbstractValue> elements(iterator.getElements());
  if (iterator.isGenerator()) {
    at = depth + 1;
    for (AbstractValue &source : MutableArrayRef(elements).drop_front(2)) {
      if (!source.isIterator())
        continue; // an object
      Result rest = moveRest(location, source, at);
      if (failed(rest))
        return failure();
      source = *rest;
    }
  }
  changes.spoil(location, iterator);
  return AbstractValue::getIterator(elements, at, iterator.getConstant());
}

/// How many items a value that is gone through has; nothing where that is not known.
std::optional<size_t> Iterators::countItems(const AbstractValue &value) {
  if (value.isGenerator() || value.isCounter() || (value.isIterator() && value.getElements().back().isUndefined()))
    return std::nullopt;
  if (value.isIterator())
    return value.getElements().size() - 1;
  if (value.isSequence() || value.isContainer())
    return value.getElements().size();
  if (auto text = value.getAs<StringAttr>()) // in UTF-8
    return llvm::count_if(text.getValue(), [](char part) { return (part & 0xC0) != 0x80; });
  RankedTensorType type = getTypeOf(value);
  return type && type.getRank() > 0 ? std::optional<size_t>(type.getDimSize(0)) : std::nullopt;
}

/// `any`, `all` or `zip`, the items that were computed up to now, the other arguments, and how many of these
/// stand before the generator expression. A tensor ends nothing.
Result Iterators::isDone(Location location, const Arguments &arguments) {
  StringRef name = arguments.positional[0].getAs<StringAttr>().getValue();
  auto items = arguments.positional[1].getElements();
  if (name == "any" || name == "all") {
    if (items.empty() || isTensorLike(items.back()))
      return makeBool(false);
    auto truth = interpreter.conditions.getTruth(location, items.back());
    if (failed(truth))
      return failure();
    bool *known = std::get_if<bool>(&*truth);
    return makeBool(known && *known == (name == "any"));
  }
  auto others = arguments.positional[2].getElements();
  size_t before = *getInteger(arguments.positional[3]);
  for (auto [index, other] : llvm::enumerate(others)) { // zip() takes from each in turn.
    auto size = countItems(other);
    if (size && (index < before ? *size <= items.size() : *size < items.size()))
      return makeBool(true);
  }
  return makeBool(false);
}

} // namespace plumb::specialize
