// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Methods of tensors, Parameters, lists, dicts and strings. The Python package
// defines its tensor methods as functions in the namespace @plumb.Tensor, which
// come first. Without it, as in a program written by hand, most methods are a
// primitive with the tensor as its first argument; a table says which.

#include "compiler/specialize/interpreter/Methods.h"
#include "compiler/specialize/interpreter/Interpreter.h"
#include "compiler/specialize/tensors/WeakTypes.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace plumb::specialize {

namespace {
/// How a tensor method calls its primitive.
struct TensorMethod {
  StringRef primitive;
  /// Several integers stand for one tuple: x.reshape(2, 3).
  bool packs = false;
};
} // namespace

static const llvm::StringMap<TensorMethod> &getTensorMethods() {
  static const llvm::StringMap<TensorMethod> methods = {
      {"abs", {"abs"}},
      {"argmax", {"argmax"}},
      {"astype", {"cast"}},
      {"broadcast_to", {"broadcast_to", true}},
      {"ceil", {"ceil"}},
      {"cos", {"cos"}},
      {"erf", {"erf"}},
      {"exp", {"exp"}},
      {"expand_dims", {"expand_dims"}},
      {"floor", {"floor"}},
      {"log", {"log"}},
      {"matmul", {"matmul"}},
      {"max", {"reduce_max"}},
      {"mean", {"reduce_mean"}},
      {"min", {"reduce_min"}},
      {"neg", {"neg"}},
      {"prod", {"reduce_prod"}},
      {"reciprocal", {"reciprocal"}},
      {"reshape", {"reshape", true}},
      {"rsqrt", {"rsqrt"}},
      {"sigmoid", {"sigmoid"}},
      {"sign", {"sign"}},
      {"sin", {"sin"}},
      {"softmax", {"softmax"}},
      {"sqrt", {"sqrt"}},
      {"square", {"square"}},
      {"squeeze", {"squeeze"}},
      {"sum", {"reduce_sum"}},
      {"tanh", {"tanh"}},
      {"tile", {"tile", true}},
      {"to", {"cast"}},
      {"unsqueeze", {"expand_dims"}},
      {"view", {"reshape", true}},
  };
  return methods;
}

/// Binary operators as methods: x.add(y).
static StringRef getOperatorMethod(StringRef name) {
  return llvm::StringSwitch<StringRef>(name)
      .Cases({"add", "sub", "mul", "pow"}, name)
      .Case("div", "truediv")
      .Case("maximum", "maximum")
      .Case("minimum", "minimum")
      .Case("equal", "eq")
      .Case("greater", "gt")
      .Case("less", "lt")
      .Default("");
}

static bool isSpecialTensorMethod(StringRef name) {
  return llvm::is_contained({"transpose", "permute", "swapaxes", "flatten", "all", "any", "item", "asnumpy", "dim",
                             "value", "float", "int", "bool", "size", "copy"},
                            name);
}

/// Methods that the Python package defines for tensors; some only a definition which came late uses.
Attribute Methods::getPackageMethod(StringRef name) {
  auto space = symbols.lookup<net::NamespaceOp>("plumb.Tensor");
  Attribute method = space ? space.getMembers().get(name) : Attribute();
  return method || !isLive() ? method : live.findTensorMethod(name);
}

bool Methods::has(const AbstractValue &object, StringRef name) {
  if (isTensorLike(object) && getPackageMethod(name))
    return true;
  if (getParameter(object) && (name == "set_data" || name == "assign_value"))
    return true;
  if (isTensorLike(object))
    return getTensorMethods().contains(name) || isSpecialTensorMethod(name) || !getOperatorMethod(name).empty();
  if (object.isSequence())
    return llvm::is_contained({"append", "extend", "index", "count"}, name);
  if (object.isDictionary())
    return llvm::is_contained({"keys", "values", "items", "get"}, name);
  if (object.getAs<StringAttr>())
    return llvm::is_contained({"format", "lower", "upper", "startswith", "endswith", "join"}, name);
  return false;
}

Result Methods::call(Location location, const AbstractValue &receiver, StringRef name, const Arguments &arguments) {
  // The elements of a constant are known, and of what is computed from constants alone.
  bool readsElements = name == "asnumpy" || name == "item" || name == "tolist";
  AbstractValue known = isLive() && readsElements ? knownTensors.get(receiver) : AbstractValue();
  if (known.getAs<DenseElementsAttr>())
    return callLiveMethod(location, known, name, arguments);
  Attribute method = isTensorLike(receiver) ? getPackageMethod(name) : Attribute();
  if (method) {
    Arguments all = arguments;
    all.positional.insert(all.positional.begin(), receiver);
    return interpreter.calls.callObject(location, method, all);
  }
  if (getParameter(receiver) && (name == "set_data" || name == "assign_value")) {
    Arguments all = arguments;
    all.positional.insert(all.positional.begin(), receiver);
    return interpreter.primitives.callAssign(location, "assign", all);
  }
  if (isTensorLike(receiver))
    return callTensorMethod(location, receiver, name, arguments);
  Arguments all = arguments;
  all.positional.insert(all.positional.begin(), receiver);
  if (std::string method = ("str." + name).str(); interpreter.texts.shows(method, all))
    return interpreter.texts.make(location, method, all);
  bool isSearch = receiver.isSequence() && (name == "index" || name == "count") && arguments.keywords.empty();
  if (isSearch && arguments.positional.size() == 1 &&
      (!isLive() || holdsTensor(AbstractValue::getTuple(all.positional))))
    return callSearch(location, receiver, name, arguments.positional[0]);
  bool isAppend = receiver.isList() && name == "append";
  if (isLive() && !isAppend)
    return callLiveMethod(location, receiver, name, arguments);
  return callContainerMethod(location, receiver, name, arguments);
}

/// Python's own method. A list is sorted here if its key is a function of the
/// program.
Result Methods::callLiveMethod(Location location, const AbstractValue &receiver, StringRef name,
                               const Arguments &arguments) {
  const AbstractValue *key = arguments.find(~0u, "key");
  if (receiver.isList() && name == "sort" && key && !isNone(*key)) {
    Arguments sorting = arguments;
    sorting.positional = {receiver};
    Result sorted = interpreter.builtins.callKeyed(location, "sorted", sorting);
    if (failed(sorted) || failed(changes.change(location, receiver, sorted->getElements())))
      return failure();
    return none();
  }
  Arguments all = arguments;
  all.positional.insert(all.positional.begin(), {receiver, string(name)});
  return live.ask(location, "method", all);
}

/// x.transpose(), x.transpose(1, 0), x.permute((1, 0)), x.swapaxes(0, 1).
Result Methods::callTranspose(Location location, const AbstractValue &receiver, StringRef name,
                              const Arguments &arguments) {
  int64_t rank = getTypeOf(receiver).getRank();
  SmallVector<int64_t> axes;
  if (arguments.positional.empty()) {
    axes = llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(0, rank)));
  } else {
    auto given = getIntegers(location, "axes",
                             arguments.positional.size() == 1 ? arguments.positional[0]
                                                              : AbstractValue::getTuple(arguments.positional));
    if (failed(given))
      return failure();
    axes = *given;
  }
  for (int64_t &axis : axes)
    axis = axis < 0 ? axis + rank : axis;
  if (name == "swapaxes") {
    auto order = llvm::to_vector(llvm::seq<int64_t>(0, rank));
    if (axes.size() != 2 || axes[0] < 0 || axes[1] < 0 || axes[0] >= rank || axes[1] >= rank)
      return error(location) << "ValueError: swapaxes() takes two axes of " << receiver.describe();
    std::swap(order[axes[0]], order[axes[1]]);
    axes = order;
  }
  auto tensor = writer.toTensor(location, receiver);
  if (failed(tensor))
    return failure();
  return writer.emit(location, "transpose", *tensor, builder.getNamedAttr("perm", builder.getDenseI64ArrayAttr(axes)));
}

Result Methods::callSpecialTensorMethod(Location location, const AbstractValue &receiver, StringRef name,
                                        const Arguments &arguments) {
  if (name == "transpose" || name == "permute" || name == "swapaxes")
    return callTranspose(location, receiver, name, arguments);
  auto tensor = writer.toTensor(location, receiver);
  if (failed(tensor))
    return failure();
  RankedTensorType type = getTypeOf(receiver);
  if (name == "value" || name == "copy")
    return AbstractValue::getTensor(*tensor);
  if (name == "dim")
    return integer(type.getRank());
  if (name == "size")
    return *interpreter.attributes.getOfTensor(location, receiver, "shape");
  if (name == "flatten")
    return toResult(writer.reshape(location, *tensor, {type.getNumElements()}));
  if (name == "all" || name == "any")
    return interpreter.builtins.reduceTruth(location, name, receiver);
  if (name == "float" || name == "int" || name == "bool") {
    Type element = name == "float" ? Type(builder.getF32Type())
                   : name == "int" ? Type(builder.getI32Type())
                                   : Type(builder.getI1Type());
    auto converted = writer.cast(location, *tensor, element);
    if (failed(converted))
      return failure();
    return AbstractValue::getTensor(*converted);
  }
  return refuse(location, DiagnosticKind::Value) << "TypeError: ." << name << "() asks for a tensor's value, "
                                                 << "which is only known while training; keep it a "
                                                 << "tensor inside compiled functions";
}

Result Methods::callTensorMethod(Location location, const AbstractValue &receiver, StringRef name,
                                 const Arguments &arguments) {
  if (isSpecialTensorMethod(name))
    return callSpecialTensorMethod(location, receiver, name, arguments);
  StringRef operation = getOperatorMethod(name);
  if (!operation.empty() && arguments.positional.size() == 1)
    return arithmetic.apply(location, operation, receiver, arguments.positional[0]);
  auto method = getTensorMethods().find(name);
  if (method == getTensorMethods().end())
    return refuse(location) << "AttributeError: a tensor has no method '" << name << "' in compiled functions";
  Arguments all;
  all.positional.push_back(receiver);
  bool pack = method->second.packs && !arguments.positional.empty() && !arguments.positional.front().isSequence();
  if (pack)
    all.positional.push_back(AbstractValue::getTuple(arguments.positional));
  else
    all.positional.append(arguments.positional.begin(), arguments.positional.end());
  for (auto [keyword, value] : arguments.keywords) {
    // NumPy's spelling beside MindSpore's.
    StringRef word = keyword == "keepdims" ? "keep_dims" : keyword == "dim" ? "axis" : keyword.getValue();
    all.keywords.emplace_back(builder.getStringAttr(word), value);
  }
  return interpreter.primitives.call(location, net::PrimitiveAttr::get(context(), method->second.primitive), all);
}

/// How many of `matches`, booleans that tensors may decide, hold.
Result Methods::count(Location location, ArrayRef<AbstractValue> matches) {
  Result total = integer(llvm::count_if(
      matches, [](const AbstractValue &match) { return match.isConstant() && getInteger(match).value_or(0) != 0; }));
  for (const AbstractValue &match : matches) {
    if (!match.isTensor())
      continue;
    auto number = writer.cast(location, match.getTensor(), builder.getI64Type());
    if (failed(number))
      return failure();
    markWeak(*number);
    total = interpreter.operators.applyBinary(location, "add", *total, AbstractValue::getTensor(*number));
    if (failed(total))
      return failure();
  }
  return total;
}

/// The number of the first of `matches` that holds; where none does, the error is `missing`.
Result Methods::findFirst(Location location, ArrayRef<AbstractValue> matches, StringRef missing) {
  bool isThere = !matches.empty() && matches.back().isConstant() && getInteger(matches.back()).value_or(0) != 0;
  if (llvm::none_of(matches, [](const AbstractValue &match) { return match.isTensor(); }))
    return isThere ? Result(integer(matches.size() - 1)) : Result(error(location) << missing);
  if (!isThere) {
    Result any = interpreter.builtins.callAnyAll(location, "any", {{AbstractValue::getTuple(matches)}, {}});
    Result isMissing = failed(any) ? any : interpreter.operators.applyUnary(location, "not", *any);
    if (failed(isMissing) || failed(raises.raiseIf(location, *isMissing, missing)))
      return failure();
  }
  Value place = writer.makeScalar(location, Number{Number::Int, int64_t(matches.size()) - 1}, builder.getI64Type());
  for (size_t i = matches.size(); i-- > 0;) {
    if (!matches[i].isTensor())
      continue;
    Value here = writer.makeScalar(location, Number{Number::Int, int64_t(i)}, builder.getI64Type());
    auto chosen = writer.emitValue(location, "select", {matches[i].getTensor(), here, place});
    if (failed(chosen))
      return failure();
    place = *chosen;
  }
  markWeak(place);
  return AbstractValue::getTensor(place);
}

/// `items.index(wanted)`, `items.count(wanted)`: numbers that tensors among them decide. Behind an item that is known
/// to be equal none is compared for an index.
Result Methods::callSearch(Location location, const AbstractValue &receiver, StringRef name,
                           const AbstractValue &wanted) {
  SmallVector<AbstractValue> matches;
  for (const AbstractValue &element : receiver.getElements()) {
    Result equal = interpreter.operators.compareParts(location, element, wanted);
    Result match = failed(equal) ? equal : interpreter.conditions.getBoolean(location, *equal);
    if (failed(match))
      return failure();
    matches.push_back(*match);
    if (name == "index" && match->isConstant() && getInteger(*match) == 1)
      break;
  }
  if (name == "count")
    return count(location, matches);
  std::string missing = !receiver.isList()    ? "tuple.index(x): x not in tuple"
                        : holdsTensor(wanted) ? "list.index(x): x not in list"
                                              : interpreter.conversions.toText(wanted) + " is not in list";
  return findFirst(location, matches, "ValueError: " + missing);
}

Result Methods::callListMethod(Location location, const AbstractValue &receiver, StringRef name,
                               const Arguments &arguments) {
  if (failed(checkCount(location, name, arguments, 1, 1)))
    return failure();
  const AbstractValue &argument = arguments.positional[0];
  Result items = name == "append" ? Result(AbstractValue::getTuple({argument}))
                                  : interpreter.iterators.getIterated(location, argument);
  if (failed(items))
    return failure();
  if (!changes.canChange(receiver))
    return changes.change(location, receiver, {}); // Says why it cannot.
  SmallVector<AbstractValue> added(items->getElements());
  if (failed(changes.checkNotWithin(location, receiver, added)))
    return failure();
  changes.remember(location, receiver);
  for (const AbstractValue &item : added)
    receiver.append(item);
  return none();
}

/// get(), keys(), values() and items(), where no live process has dicts of its own.
Result Methods::callDictMethod(Location location, const AbstractValue &receiver, StringRef name,
                               const Arguments &arguments) {
  bool isGet = name == "get";
  if (failed(checkCount(location, name, arguments, isGet, isGet ? 2 : 0)))
    return failure();
  SmallVector<AbstractValue> result;
  for (auto [key, value] : llvm::zip(receiver.getKeyValues(), receiver.getElements())) {
    if (isGet && areEqual(key, arguments.positional[0]))
      return value;
    result.push_back(name == "keys" ? key : name == "values" ? value : AbstractValue::getTuple({key, value}));
  }
  if (isGet)
    return arguments.positional.size() > 1 ? arguments.positional[1] : none();
  return AbstractValue::getTuple(result);
}

Result Methods::callStringMethod(Location location, const AbstractValue &receiver, StringRef name,
                                 const Arguments &arguments) {
  StringRef text = receiver.getAs<StringAttr>().getValue();
  if (name == "lower")
    return string(text.lower());
  if (name == "upper")
    return string(text.upper());
  if (name == "format") {
    std::string result;
    size_t next = 0;
    while (!text.empty()) {
      auto [head, tail] = text.split("{}");
      result += head;
      bool found = head.size() != text.size();
      if (found && next < arguments.positional.size())
        result += interpreter.conversions.toText(arguments.positional[next++]);
      text = tail;
    }
    return string(result);
  }
  if (failed(checkCount(location, name, arguments, 1, 1)))
    return failure();
  const AbstractValue &argument = arguments.positional[0];
  if (name == "join") {
    SmallVector<std::string> parts;
    for (const AbstractValue &element : argument.getElements())
      parts.push_back(interpreter.conversions.toText(element));
    return string(llvm::join(parts, text));
  }
  auto part = argument.getAs<StringAttr>();
  if (!part)
    return errorOn(location, argument) << "TypeError: " << name << "() takes a string, not " << argument.describe();
  return makeBool(name == "startswith" ? text.starts_with(part.getValue()) : text.ends_with(part.getValue()));
}

Result Methods::callContainerMethod(Location location, const AbstractValue &receiver, StringRef name,
                                    const Arguments &arguments) {
  if (receiver.isSequence())
    return callListMethod(location, receiver, name, arguments);
  if (receiver.isDictionary())
    return callDictMethod(location, receiver, name, arguments);
  return callStringMethod(location, receiver, name, arguments);
}

} // namespace plumb::specialize
