// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Python's builtin functions. Over values known now they compute; over tensors
// they become reductions or casts where that is what they mean.

#include "compiler/specialize/interpreter/Builtins.h"
#include "compiler/specialize/interpreter/Interpreter.h"

#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;

namespace plumb::specialize {

static bool isDisplay(StringRef name) {
  return llvm::is_contained({"make_list", "make_closure", "delitem", "unpacked", "augmented", "boxed", "unboxed",
                             "outer_name", "generated", "generator", "is_done", "called_later"},
                            name);
}

/// Whether the live process computes this builtin: it does for all that does
/// not deal with tensors or call functions of the program.
bool Builtins::isLeftToPython(StringRef name, const Arguments &arguments) {
  if (!isLive() ||
      llvm::is_contained({"map",     "filter",  "reduce", "print",     "raise",     "raise_text", "raise_object",
                          "refuse",  "reraise", "caught", "exception", "getattr",   "setattr",    "set_entry",
                          "hasattr", "len",     "range",  "zip",       "enumerate", "slice"},
                         name))
    return false;
  if (isDisplay(name))
    return false;
  bool isOfTruths = name == "any" || name == "all";
  if ((isOfTruths || name == "sum") &&
      llvm::any_of(arguments.positional[0].getElements(), [&](auto &item) { return isForeign(item); }))
    return false; // Tensors may decide the truth of an object, and be in its attributes.
  if (name == "str" || name == "list" || name == "tuple" || name == "iter")
    return arguments.positional.empty() || !isTensorLike(arguments.positional[0]);
  bool onTensors = llvm::is_contained(
      {"min", "max", "sum", "abs", "any", "all", "round", "int", "float", "bool", "pow", "Tensor", "divmod"}, name);
  return !onTensors ||
         llvm::none_of(arguments.positional, [&](const AbstractValue &value) { return holdsTensor(value); });
}

/// Whether a builtin function deals with iterators; see Iterators.cpp.
static bool isOnIterators(StringRef name, const Arguments &arguments) {
  bool isPlain = arguments.positional.size() == 1 && arguments.keywords.empty();
  bool isOfItems = isPlain && (arguments.positional[0].isSequence() || arguments.positional[0].getTensorType());
  return name == "next" || (name == "iter" && isOfItems) ||
         (!isDisplay(name) &&
          llvm::any_of(arguments.positional, [](const AbstractValue &value) { return value.isIterator(); }));
}

/// A builtin function that takes from `least` to `most` positional arguments.
struct Builtins::Builtin {
  StringRef name;
  unsigned least, most;
  Result (*call)(Builtins &, Location, StringRef name, const Arguments &);

  /// Whose method it is.
  template <typename Owner, typename... Parameters>
  static Owner &getOwner(Builtins &self, Result (Owner::*)(Parameters...)) {
    if constexpr (std::is_same_v<Owner, Builtins>)
      return self;
    else if constexpr (std::is_same_v<Owner, Primitives>)
      return self.interpreter.primitives;
    else if constexpr (std::is_same_v<Owner, NumberBuiltins>)
      return self.interpreter.numberBuiltins;
    else if constexpr (std::is_same_v<Owner, Conversions>)
      return self.interpreter.conversions;
    else if constexpr (std::is_same_v<Owner, Attributes>)
      return self.interpreter.attributes;
    else if constexpr (std::is_same_v<Owner, Exceptions>)
      return self.interpreter.exceptions;
    else
      return self.interpreter.raiseStatements;
  }

  /// A method of (location, arguments) or (location, name, arguments).
  template <auto method>
  static Result run(Builtins &self, Location location, StringRef name, const Arguments &arguments) {
    auto &owner = getOwner(self, method);
    if constexpr (std::is_invocable_v<decltype(method), decltype(owner), Location, const Arguments &>)
      return (owner.*method)(location, arguments);
    else
      return (owner.*method)(location, name, arguments);
  }
};

const Builtins::Builtin *Builtins::findBuiltin(StringRef name) {
  constexpr unsigned any = ~0u;
  using B = Builtins;
  static constexpr Builtin builtins[] = {
      {"len", 1, 1, Builtin::run<&B::callLen>},
      {"range", 1, 3, Builtin::run<&B::callRange>},
      {"zip", 0, any, Builtin::run<&B::callZip>},
      {"enumerate", 1, 2, Builtin::run<&B::callEnumerate>},
      {"map", 2, any, Builtin::run<&B::callMap>},
      {"filter", 2, 2, Builtin::run<&B::callFilter>},
      {"reduce", 2, 3, Builtin::run<&B::callReduce>},
      {"Tensor", 1, any, Builtin::run<&Primitives::makeTensor>},
      {"min", 1, any, Builtin::run<&B::callExtremum>},
      {"max", 1, any, Builtin::run<&B::callExtremum>},
      {"sum", 1, 2, Builtin::run<&B::callSum>},
      {"any", 1, 1, Builtin::run<&B::callAnyAll>},
      {"all", 1, 1, Builtin::run<&B::callAnyAll>},
      {"round", 1, 2, Builtin::run<&NumberBuiltins::callRound>},
      {"abs", 1, 1, Builtin::run<&NumberBuiltins::callAbs>},
      {"isinstance", 2, 2, Builtin::run<&Conversions::callIsinstance>},
      {"getattr", 2, 3, Builtin::run<&Conversions::callGetattr>},
      {"hasattr", 2, 3, Builtin::run<&Conversions::callGetattr>},
      {"setattr", 3, 3, Builtin::run<&Attributes::callSetattr>},
      {"set_entry", 3, 3, Builtin::run<&Attributes::callSetattr>},
      {"pow", 2, 3, Builtin::run<&NumberBuiltins::callPow>},
      {"divmod", 2, 2, Builtin::run<&NumberBuiltins::callDivmod>},
      {"slice", 1, 3, Builtin::run<&B::callSlice>},
      {"print", 0, any, Builtin::run<&Primitives::callPrint>},
      // `raise` with values that are computed, with a text of pieces, and of an object.
      {"raise", 0, any, Builtin::run<&RaiseStatements::callRaise>},
      {"raise_text", 0, any, Builtin::run<&RaiseStatements::callRaise>},
      {"raise_object", 0, any, Builtin::run<&RaiseStatements::callRaiseObject>},
      {"caught", 0, any, Builtin::run<&Exceptions::callBuiltin>},
      {"exception", 0, any, Builtin::run<&Exceptions::callBuiltin>},
      {"reraise", 0, any, Builtin::run<&Exceptions::callBuiltin>},
      // What the package has no code for.
      {"refuse", 0, any, Builtin::run<&RaiseStatements::callRefuse>},
  };
  const Builtin *found = llvm::find_if(builtins, [&](const Builtin &builtin) { return builtin.name == name; });
  return found == std::end(builtins) ? nullptr : found;
}

Result Builtins::call(Location location, StringRef name, const Arguments &given) {
  Arguments arguments = given;
  if (failed(interpreter.iterators.enterIterators(location, name, arguments)))
    return failure();
  if (isOnIterators(name, arguments))
    return interpreter.iterators.callBuiltin(location, name, arguments);
  const AbstractValue *key = arguments.find(~0u, "key");
  if (isLive() && key && !isNone(*key))
    return callKeyed(location, name, arguments);
  if (interpreter.texts.shows(name, arguments))
    return interpreter.texts.make(location, name, arguments);
  if (name == "bool" && arguments.positional.size() == 1 && isForeign(arguments.positional[0]))
    return interpreter.conditions.getBoolean(location, arguments.positional[0]);
  if (name == "reversed" && arguments.positional.size() == 1 && isTensorLike(arguments.positional[0])) {
    Result rows = interpreter.iterators.getIterated(location, arguments.positional[0]);
    return failed(rows) ? rows : call(location, name, {{*rows}, {}});
  }
  bool parses = (name == "int" || name == "float") && !arguments.positional.empty();
  if (parses && arguments.positional[0].isText())
    return refuseLetters(location);
  if (isLeftToPython(name, arguments))
    return live.askCall(location,
                        AbstractValue::getConstant(net::PrimitiveAttr::get(context(), ("builtins." + name).str())),
                        arguments);
  if (isDisplay(name))
    return interpreter.displays.call(location, name, arguments);
  static constexpr Builtin conversion{"", 0, 1, Builtin::run<&Conversions::call>};
  const Builtin *builtin = Conversions::has(name) ? &conversion : findBuiltin(name);
  if (!builtin)
    return error(location) << "the builtin function '" << name
                           << "' is not offered in compiled functions; make the value in __init__, or with plumb.ops";
  if (failed(checkCount(location, name, arguments, builtin->least, builtin->most)))
    return failure();
  return builtin->call(*this, location, name, arguments);
}

Result Builtins::callLen(Location location, const Arguments &arguments) {
  const AbstractValue &value = arguments.positional[0];
  if (isTensorLike(value) && getTypeOf(value).getRank() > 0)
    return integer(getTypeOf(value).getDimSize(0));
  if (isForeign(value) || value.getAs<StringAttr>())
    if (isLive())
      return live.askCall(location, AbstractValue::getConstant(net::PrimitiveAttr::get(context(), "builtins.len")),
                          arguments);
  Result items = interpreter.iterators.getIterated(location, value);
  if (failed(items))
    return failure();
  return integer(items->getElements().size());
}

/// The arguments of a function that is called for each item.
static SmallVector<AbstractValue> getRows(const AbstractValue &items) {
  return llvm::map_to_vector(items.getElements(),
                             [](const AbstractValue &item) { return AbstractValue::getTuple({item}); });
}

/// sorted(), min() and max() with a key: the interpreter calls the key function,
/// Python orders by what it gave.
Result Builtins::callKeyed(Location location, StringRef name, const Arguments &arguments) {
  bool hasSeveral = arguments.positional.size() > 1;
  Result items = hasSeveral ? Result(AbstractValue::getTuple(arguments.positional))
                 : arguments.positional.empty()
                     ? Result(error(location) << "TypeError: " << name << "() needs an argument")
                     : interpreter.iterators.getIterated(location, arguments.positional[0]);
  if (failed(items))
    return failure();
  const AbstractValue &key = *arguments.find(~0u, "key");
  auto options =
      llvm::to_vector(llvm::make_filter_range(arguments.keywords, [](auto &entry) { return entry.first != "key"; }));
  if (raises.mayThrow(key)) {
    Result given = interpreter.conversions.call(location, "dict", {{}, options});
    AbstractValue rows = AbstractValue::getTuple(getRows(*items));
    return callRepeated(location, "keyed", {{string(name), *items, rows, key, *given}, {}});
  }
  Result keys = callEach(location, key, getRows(*items));
  return failed(keys) ? keys : live.ask(location, "keyed", {{string(name), *items, *keys}, options});
}

/// functools.reduce(function, items[, first]).
Result Builtins::callReduce(Location location, const Arguments &arguments) {
  Result items = interpreter.iterators.getIterated(location, arguments.positional[1]);
  if (failed(items))
    return failure();
  auto rest = items->getElements();
  bool hasFirst = arguments.positional.size() == 3;
  if (rest.empty() && !hasFirst)
    return error(location) << "TypeError: reduce() of an empty sequence without a first value";
  Result total = hasFirst ? arguments.positional[2] : rest.front();
  if (raises.mayThrow(arguments.positional[0]))
    return callRepeated(
        location, "folded",
        {{arguments.positional[0], *total, AbstractValue::getTuple(rest.drop_front(hasFirst ? 0 : 1))}, {}});
  for (const AbstractValue &item : rest.drop_front(hasFirst ? 0 : 1)) {
    total = interpreter.calls.call(location, arguments.positional[0], {{*total, item}, {}});
    if (failed(total))
      return failure();
  }
  return total;
}

Result Builtins::callRange(Location location, const Arguments &arguments) {
  SmallVector<int64_t> bounds;
  for (const AbstractValue &value : arguments.positional) {
    auto bound = knownTensors.getIndex(value);
    if (!bound)
      return errorOn(location, value) << "TypeError: range() needs ints known while compiling, not "
                                      << value.describe();
    bounds.push_back(*bound);
  }
  int64_t start = bounds.size() > 1 ? bounds[0] : 0;
  int64_t stop = bounds.size() > 1 ? bounds[1] : bounds[0];
  int64_t step = bounds.size() > 2 ? bounds[2] : 1;
  if (step == 0)
    return error(location) << "ValueError: the step of range() cannot be 0";
  SmallVector<AbstractValue> numbers;
  for (int64_t i = start; step > 0 ? i < stop : i > stop; i += step) {
    if (numbers.size() > UnrolledLoops::kMaxUnrolled)
      return error(location) << "a range of more than " << UnrolledLoops::kMaxUnrolled
                             << " numbers is not supported; use `while` with a "
                             << "tensor as its condition";
    numbers.push_back(integer(i));
  }
  return AbstractValue::getTuple(numbers);
}

Result Builtins::callZip(Location location, const Arguments &arguments) {
  SmallVector<AbstractValue> columns, rows;
  size_t size = arguments.positional.empty() ? 0 : SIZE_MAX;
  for (const AbstractValue &value : arguments.positional) {
    Result column = interpreter.iterators.getIterated(location, value);
    if (failed(column))
      return failure();
    columns.push_back(*column);
    size = std::min(size, column->getElements().size());
  }
  for (size_t i = 0; i < size; ++i) {
    SmallVector<AbstractValue> row;
    for (const AbstractValue &column : columns)
      row.push_back(column.getElements()[i]);
    rows.push_back(AbstractValue::getTuple(row));
  }
  return AbstractValue::getTuple(rows);
}

Result Builtins::callEnumerate(Location location, const Arguments &arguments) {
  Result items = interpreter.iterators.getIterated(location, arguments.positional[0]);
  const AbstractValue *first = arguments.find(1, "start");
  auto start = first ? getInteger(*first) : std::optional<int64_t>(0);
  if (failed(items))
    return failure();
  if (!start)
    return errorOn(location, *first) << "TypeError: enumerate() must start from an int";
  SmallVector<AbstractValue> rows;
  for (const AbstractValue &item : items->getElements())
    rows.push_back(AbstractValue::getTuple({integer((*start)++), item}));
  return AbstractValue::getTuple(rows);
}

Result Builtins::callMap(Location location, const Arguments &arguments) {
  Arguments columns;
  columns.positional.assign(std::next(arguments.positional.begin()), arguments.positional.end());
  Result rows = callZip(location, columns);
  if (failed(rows))
    return failure();
  return callEach(location, arguments.positional[0], rows->getElements());
}

/// Calls a function once per row of arguments; gives the results as a tuple. Where a `try` may hear of what it raises,
/// a function of the package does: there each call is a statement, and whether the next one is reached a branch.
Result Builtins::callEach(Location location, const AbstractValue &function, ArrayRef<AbstractValue> rows) {
  if (raises.mayThrow(function) && rows.size() > 1)
    return callRepeated(location, "called", {{function, AbstractValue::getTuple(rows)}, {}});
  SmallVector<AbstractValue> results;
  for (const AbstractValue &row : rows) {
    Arguments each;
    each.positional.assign(row.getElements().begin(), row.getElements().end());
    Result result = interpreter.calls.call(location, function, each);
    if (failed(result))
      return failure();
    results.push_back(*result);
  }
  return AbstractValue::getTuple(results);
}

/// A function of the package in the place of a loop here.
Result Builtins::callRepeated(Location location, StringRef name, const Arguments &arguments) {
  Result function = live.ask(location, "repeated", {{string(name)}, {}});
  return failed(function) ? function : interpreter.calls.call(location, *function, arguments);
}

Result Builtins::callFilter(Location location, const Arguments &arguments) {
  Result items = interpreter.iterators.getIterated(location, arguments.positional[1]);
  if (failed(items))
    return failure();
  Result wanted = *items;
  if (!isNone(arguments.positional[0]))
    wanted = callEach(location, arguments.positional[0], getRows(*items));
  if (failed(wanted))
    return failure();
  SmallVector<AbstractValue> kept;
  for (auto [item, answer] : llvm::zip(items->getElements(), wanted->getElements())) {
    auto truth = interpreter.conditions.getTruth(location, answer);
    if (failed(truth))
      return failure();
    if (std::holds_alternative<Value>(*truth))
      return refuse(location) << "TypeError: filter() needs a condition that is known "
                              << "while compiling";
    if (std::get<bool>(*truth))
      kept.push_back(item);
  }
  return AbstractValue::getTuple(kept);
}

/// min() and max() of something: comparing it must have one truth.
LogicalResult Builtins::checkCompared(Location location, StringRef name, const AbstractValue &item) {
  if (item.isSequence() || item.isContainer())
    return refuse(location) << "TypeError: " << name
                            << "() of lists, tuples or dicts that hold tensors cannot be compiled";
  if (!isTensorLike(item) || getTypeOf(item).getNumElements() == 1)
    return success();
  return error(location) << "ValueError: " << name << "() compares " << item.describe()
                         << ", whose truth is ambiguous; use "
                         << "ops." << name << "imum for the elements, or the tensor's method '" << name << "'";
}

Result Builtins::callExtremum(Location location, StringRef name, const Arguments &arguments) {
  if (arguments.positional.size() == 1 && isTensorLike(arguments.positional[0]) &&
      getTypeOf(arguments.positional[0]).getRank() == 1)
    return interpreter.methods.callTensorMethod(location, arguments.positional[0], name, {});
  Result items = arguments.positional.size() == 1 ? interpreter.iterators.getIterated(location, arguments.positional[0])
                                                  : Result(AbstractValue::getTuple(arguments.positional));
  if (failed(items))
    return failure();
  if (items->getElements().empty())
    return error(location) << "ValueError: " << name << "() of an empty sequence";
  Result best = items->getElements().front();
  // Python says that two kinds have no order before it takes the truth value of a comparison.
  auto isNumber = [&](const AbstractValue &value) { return isTensorLike(value) || getNumber(value); };
  for (const AbstractValue &item : items->getElements().drop_front()) {
    if (isNumber(*best) == isNumber(item) &&
        (failed(checkCompared(location, name, *best)) || failed(checkCompared(location, name, item))))
      return failure();
    bool areNumbers = isTensorLike(*best) || isTensorLike(item) || (isNumber(*best) && isNumber(item));
    best = areNumbers ? interpreter.operators.applyBinary(location, (name + "imum").str(), *best, item)
                      : interpreter.operators.choose(location, name, *best, item);
    if (failed(best))
      return failure();
  }
  return best;
}

Result Builtins::callSum(Location location, const Arguments &arguments) {
  const AbstractValue *start = arguments.find(1, "start");
  if (isTensorLike(arguments.positional[0]) && getTypeOf(arguments.positional[0]).getRank() > 0) {
    Result sum = interpreter.methods.callTensorMethod(location, arguments.positional[0], "sum", {{integer(0)}, {}});
    bool isAdded = start && getInteger(*start) != 0;
    return failed(sum) || !isAdded ? sum : interpreter.operators.applyBinary(location, "add", *start, *sum);
  }
  Result items = interpreter.iterators.getIterated(location, arguments.positional[0]);
  if (failed(items))
    return failure();
  ArrayRef<AbstractValue> rest = items->getElements();
  Result sum = start ? *start : integer(0);
  // 0 + tensor would only add an operation, unless it counts booleans.
  RankedTensorType type = start || rest.empty() ? RankedTensorType() : getTypeOf(rest.front());
  if (type && !type.getElementType().isInteger(1)) {
    sum = rest.front();
    rest = rest.drop_front();
  }
  for (const AbstractValue &item : rest) {
    sum = interpreter.operators.applyBinary(location, "add", *sum, item);
    if (failed(sum))
      return failure();
  }
  return sum;
}

/// all() is the least of zeros and ones, any() the greatest.
Result Builtins::reduceTruth(Location location, StringRef name, const AbstractValue &value) {
  auto tensor = writer.toTensor(location, value);
  if (failed(tensor))
    return failure();
  Result truth = AbstractValue::getTensor(*tensor);
  if (!getElementTypeOrSelf(*tensor).isInteger(1))
    truth = interpreter.operators.applyBinary(location, "ne", *truth, integer(0));
  if (failed(truth))
    return failure();
  auto bits = writer.cast(location, truth->getTensor(), builder.getI32Type());
  if (failed(bits))
    return failure();
  Result reduced = writer.emit(location, name == "all" ? "reduce_min" : "reduce_max", *bits, {});
  if (failed(reduced))
    return failure();
  return interpreter.operators.applyBinary(location, "ne", *reduced, integer(0));
}

Result Builtins::callAnyAll(Location location, StringRef name, const Arguments &arguments) {
  const AbstractValue &value = arguments.positional[0];
  if (isTensorLike(value) && getTypeOf(value).getRank() > 0)
    return reduceTruth(location, name, value);
  Result items = interpreter.iterators.getIterated(location, value);
  if (failed(items))
    return failure();
  Result result = makeBool(name == "all");
  for (const AbstractValue &item : items->getElements()) {
    Result decides = isForeign(item) ? interpreter.conditions.getBoolean(location, item) : Result(item);
    auto truth = failed(decides) ? FailureOr<Truth>(failure()) : interpreter.conditions.getTruth(location, *decides);
    if (failed(truth))
      return failure();
    if (auto *known = std::get_if<bool>(&*truth)) {
      if (*known != (name == "all"))
        return makeBool(*known);
      continue;
    }
    result = arithmetic.apply(location, name == "all" ? "and" : "or", *result, *decides);
    if (failed(result))
      return failure();
  }
  return result;
}

Result Builtins::callSlice(Location, const Arguments &arguments) {
  SmallVector<AbstractValue> bounds(arguments.positional);
  if (bounds.size() == 1)
    bounds.insert(bounds.begin(), none());
  if (bounds.size() == 2)
    bounds.push_back(none());
  return AbstractValue::getSlice(bounds);
}

} // namespace plumb::specialize
