// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Questions to the live Python process. What does not depend on a tensor's
// data is computed with CPython's own meaning: where the interpreter does not
// know an object or an operation itself, it describes the operands in JSON, has
// the process compute, and reads the answer:
//
//   {"do": "call", "args": [{"a": "#net.primitive<\"math.gcd\">"}, 12, 18]}
//   {"ok": 6}
//
// Where objects are among the operands, the attributes that the program has set come along, for the time of the question.
// Containers travel by content with a number each; what the computation changes
// in them comes back and is changed here. Tensors, Parameters and functions
// travel as tokens: they may be moved about, but not looked into. An answer may
// hold further definitions for the module, or say which function the interpreter
// should call instead. docs/rationale/python_capture.md has the whole form.

#include "compiler/specialize/Interpreter.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace mlir;

namespace plumb::specialize {

namespace json = llvm::json;

namespace {
/// The two directions of one question.
class Letter {
public:
  Letter(std::function<bool(const AbstractValue &)> isToken,
         MLIRContext *context, unsigned depth)
      : isToken(std::move(isToken)), context(context), depth(depth) {}

  json::Value write(const AbstractValue &value);
  FailureOr<AbstractValue> read(const json::Value &text);

  SmallVector<AbstractValue> tokens;     ///< By their number.
  SmallVector<AbstractValue> containers; ///< By their number.
  /// Numbers of those that live objects hold: a change would not be seen there.
  llvm::SmallDenseSet<size_t> held;

private:
  json::Value writeConstant(Attribute constant);
  json::Value writeToken(const AbstractValue &value);
  json::Array writeAll(ArrayRef<AbstractValue> values);
  FailureOr<AbstractValue> readObject(const json::Object &object);
  FailureOr<AbstractValue> readContainer(const json::Object &object);
  FailureOr<SmallVector<AbstractValue>> readAll(const json::Array &array);
  FailureOr<SmallVector<Attribute>> readKeys(const json::Array &array);

  std::function<bool(const AbstractValue &)> isToken; ///< Not to be looked into.
  MLIRContext *context;
  unsigned depth; ///< Where new containers may be changed.
};
} // namespace

json::Array Letter::writeAll(ArrayRef<AbstractValue> values) {
  json::Array array;
  for (const AbstractValue &value : values)
    array.push_back(write(value));
  return array;
}

static json::Value writeElements(DenseElementsAttr elements) {
  json::Array shape(elements.getType().getShape());
  std::string type, bytes;
  llvm::raw_string_ostream(type) << elements.getElementType();
  int64_t count = elements.getNumElements();
  if (elements.getElementType().isInteger(1)) {
    for (bool value : elements.getValues<bool>())
      bytes += value ? '\1' : '\0';
  } else if (elements.isSplat()) {
    for (int64_t i = 0; i < count; ++i)
      bytes.append(elements.getRawData().begin(), elements.getRawData().end());
  } else {
    bytes.assign(elements.getRawData().begin(), elements.getRawData().end());
  }
  return json::Object{{"shape", std::move(shape)},
                      {"type", type},
                      {"bytes", llvm::toHex(bytes)}};
}

json::Value Letter::writeConstant(Attribute constant) {
  if (isa<net::NoneAttr>(constant))
    return nullptr;
  if (auto text = dyn_cast<StringAttr>(constant))
    return json::Object{{"s", llvm::toHex(text.getValue())}};
  if (auto number = getNumber(constant)) {
    if (number->kind == Number::Bool)
      return number->integer != 0;
    if (number->kind == Number::Int)
      return number->integer;
    return json::Object{
        {"f", llvm::toHex(StringRef(reinterpret_cast<const char *>(&number->real),
                                    sizeof(double)))}};
  }
  if (auto elements = dyn_cast<DenseElementsAttr>(constant))
    return writeElements(elements);
  std::string text;
  llvm::raw_string_ostream(text) << constant;
  return json::Object{{"a", text}};
}

json::Value Letter::writeToken(const AbstractValue &value) {
  tokens.push_back(value);
  StringRef kind = value.isTensor()     ? "tensor"
                   : value.isConstant() ? "parameter"
                                        : "function";
  return json::Object{{"x", int64_t(tokens.size() - 1)}, {"kind", kind}};
}

json::Value Letter::write(const AbstractValue &value) {
  using Kind = AbstractValue::Kind;
  if (value.getKind() == Kind::Sequence)
    return json::Object{{"t", writeAll(value.getElements())}};
  if (value.isSlice())
    return json::Object{{"slice", writeAll(value.getElements())}};
  if (value.isContainer() && !value.isIterator()) {
    for (auto [index, known] : llvm::enumerate(containers))
      if (known.getIdentity() == value.getIdentity())
        return json::Object{{"c", int64_t(index)}};
    json::Object object{{"c", int64_t(containers.size())}};
    containers.push_back(value);
    if (value.isDictionary()) {
      json::Array keys;
      for (Attribute key : value.getKeys())
        keys.push_back(write(AbstractValue::getConstant(key)));
      object["keys"] = std::move(keys);
    }
    StringRef kind = value.isList() ? "list" : value.isSet() ? "set" : "dict";
    object[kind] = writeAll(value.getElements());
    return object;
  }
  if (value.isConstant() && !isToken(value))
    return writeConstant(value.getConstant());
  return writeToken(value);
}

FailureOr<SmallVector<AbstractValue>> Letter::readAll(const json::Array &array) {
  SmallVector<AbstractValue> values;
  for (const json::Value &text : array) {
    auto value = read(text);
    if (failed(value))
      return failure();
    values.push_back(*value);
  }
  return values;
}

static Attribute getKeyAttribute(const AbstractValue &key) {
  if (key.isConstant())
    return key.getConstant();
  SmallVector<Attribute> parts;
  for (const AbstractValue &element : key.getElements()) {
    Attribute part = getKeyAttribute(element);
    if (!part)
      return {};
    parts.push_back(part);
  }
  bool isTuple = key.getKind() == AbstractValue::Kind::Sequence && !parts.empty();
  return isTuple ? ArrayAttr::get(parts[0].getContext(), parts) : Attribute();
}

FailureOr<SmallVector<Attribute>> Letter::readKeys(const json::Array &array) {
  auto values = readAll(array);
  if (failed(values))
    return failure();
  SmallVector<Attribute> keys;
  for (const AbstractValue &value : *values) {
    keys.push_back(getKeyAttribute(value));
    if (!keys.back())
      return failure();
  }
  return keys;
}

/// A container that was sent, or a new one; `c` tells which, so that one that
/// the answer holds twice stays one.
FailureOr<AbstractValue> Letter::readContainer(const json::Object &object) {
  size_t number = *object.getInteger("c");
  if (number < containers.size() &&
      containers[number].isContainer())
    return containers[number];
  if (containers.size() <= number)
    containers.resize(number + 1);
  AbstractValue made;
  const json::Array *items = nullptr;
  ArrayAttr keys;
  if ((items = object.getArray("list")))
    made = AbstractValue::getList({}, depth);
  else if ((items = object.getArray("set")))
    made = AbstractValue::getSet({}).growableAt(depth);
  else if ((items = object.getArray("dict")))
    made = AbstractValue::getDictionary(ArrayAttr::get(context, {}), {})
               .growableAt(depth);
  else
    return failure();
  containers[number] = made;
  auto elements = readAll(*items);
  if (failed(elements))
    return failure();
  if (made.isDictionary()) {
    auto names = readKeys(*object.getArray("keys"));
    if (failed(names))
      return failure();
    keys = ArrayAttr::get(context, *names);
  }
  if (llvm::any_of(*elements, [&](const AbstractValue &element) { return element.reaches(made); }))
    return failure(); // it holds itself
  made.setElements(*elements, keys);
  if (held.contains(number))
    made.growableAt(~0u);
  return made;
}

FailureOr<AbstractValue> Letter::readObject(const json::Object &object) {
  if (auto hex = object.getString("s"))
    return AbstractValue::getConstant(
        StringAttr::get(context, llvm::fromHex(*hex)));
  if (auto hex = object.getString("f")) {
    double number;
    std::string bytes = llvm::fromHex(*hex);
    memcpy(&number, bytes.data(), sizeof number);
    return AbstractValue::getConstant(
        FloatAttr::get(Float64Type::get(context), number));
  }
  if (auto text = object.getString("a")) {
    Attribute attribute = parseAttribute(*text, context);
    if (!attribute)
      return failure();
    return AbstractValue::getConstant(attribute);
  }
  if (auto token = object.getInteger("x"))
    return tokens[*token];
  if (object.getInteger("c"))
    return readContainer(object);
  if (auto *method = object.getArray("method")) {
    auto parts = readAll(*method);
    if (failed(parts))
      return failure();
    return AbstractValue::getMethod((*parts)[0],
                                    (*parts)[1].getAs<StringAttr>());
  }
  const json::Array *items = object.getArray("t");
  bool isSlice = !items && (items = object.getArray("slice"));
  FailureOr<SmallVector<AbstractValue>> elements = failure();
  if (items)
    elements = readAll(*items);
  if (failed(elements))
    return failure();
  return isSlice ? AbstractValue::getSlice(*elements)
                 : AbstractValue::getTuple(*elements);
}

FailureOr<AbstractValue> Letter::read(const json::Value &text) {
  Builder builder(context);
  if (text.getAsNull())
    return AbstractValue::getConstant(net::NoneAttr::get(context));
  if (auto truth = text.getAsBoolean())
    return AbstractValue::getConstant(builder.getBoolAttr(*truth));
  if (auto number = text.getAsInteger())
    return AbstractValue::getConstant(builder.getI64IntegerAttr(*number));
  if (const json::Object *object = text.getAsObject())
    return readObject(*object);
  return failure();
}

bool Interpreter::isForeign(const AbstractValue &value) {
  auto symbol = value.getAs<FlatSymbolRefAttr>();
  return isLive() && symbol && symbols.lookup<net::CellOp>(symbol.getValue());
}

bool Interpreter::isKnown(const AbstractValue &value) {
  bool known = true;
  value.walkTensors([&](Value) { known = false; });
  return known;
}

bool Interpreter::isKnown(const Arguments &arguments) {
  return llvm::all_of(arguments.positional,
                      [](auto &value) { return isKnown(value); }) &&
         llvm::all_of(arguments.keywords,
                      [](auto &entry) { return isKnown(entry.second); });
}

/// Adds definitions that an answer brings to the module.
static LogicalResult addDefinitions(StringRef text, MLIRContext *context,
                                    SymbolTable &symbols) {
  OwningOpRef<ModuleOp> more = parseSourceString<ModuleOp>(text, context);
  if (!more)
    return failure();
  for (Operation &op : llvm::make_early_inc_range(*more->getBody())) {
    op.remove();
    symbols.insert(&op);
  }
  return success();
}

/// The error that Python raised; its place is in the program's source if the
/// answer says so.
static Location getPlace(Location location, const json::Object &error) {
  auto file = error.getString("file");
  auto line = error.getInteger("line"), column = error.getInteger("column");
  if (!file || !line || !column)
    return location;
  return FileLineColLoc::get(location.getContext(), *file, *line, *column);
}

Result Interpreter::askCall(Location location, const AbstractValue &callee,
                            const Arguments &arguments) {
  Arguments all = arguments;
  all.positional.insert(all.positional.begin(), callee);
  return ask(location, "call", all);
}

/// Whether the Python process may see an object of the program in a value: one whose attributes the program may have set. It
/// sees nothing of closures, which may stand in the lists that they see.
static bool holdsObject(const AbstractValue &value) {
  if (value.isClosure())
    return false;
  if (value.isConstant() && isa<FlatSymbolRefAttr, net::MethodAttr>(value.getConstant()))
    return true;
  return llvm::any_of(value.getElements(), holdsObject);
}

Result Interpreter::ask(Location location, StringRef action,
                        const Arguments &arguments) {
  Letter letter(
      [&](const AbstractValue &value) { return bool(getParameter(value)); },
      context(), depth);
  json::Array args;
  for (const AbstractValue &value : arguments.positional) {
    Result items = value.isIterator() ? takeRest(location, value) : Result(value);
    if (failed(items))
      return failure();
    if (value.isIterator())
      spoil(location, value);
    args.push_back(letter.write(*items));
  }
  json::Object keywords;
  bool areSet = !state.attributes.getElements().empty();
  bool seesObjects = areSet && llvm::any_of(arguments.positional, holdsObject);
  for (auto &[name, value] : arguments.keywords) {
    keywords[name.getValue()] = letter.write(value);
    seesObjects |= areSet && holdsObject(value);
  }
  json::Array attributes;
  if (seesObjects)
    for (auto [key, value] : llvm::zip(state.attributes.getKeys(), state.attributes.getElements()))
      attributes.push_back(json::Array{letter.write(AbstractValue::getConstant(key)), letter.write(value)});
  std::string request;
  llvm::raw_string_ostream(request)
      << json::Value(json::Object{{"do", action},
                                  {"args", std::move(args)},
                                  {"keywords", std::move(keywords)},
                                  {"attributes", std::move(attributes)}});
  llvm::Expected<json::Value> reply = json::parse(live->ask(request));
  const json::Object *answer = reply ? reply->getAsObject() : nullptr;
  if (!answer) {
    llvm::consumeError(reply.takeError());
    return refuse(location) << "RuntimeError: the Python process of the program "
                           << "does not answer any more";
  }
  if (auto text = answer->getString("module"))
    if (failed(addDefinitions(*text, context(), symbols)))
      return failure();
  if (const json::Object *problem = answer->getObject("error")) {
    Location place = getPlace(location, *problem);
    auto diagnostic = (problem->getBoolean("refusal").value_or(false) ? refuse(place) : error(place))
                      << problem->getString("class").value_or("RuntimeError") << ": "
                                   << problem->getString("message").value_or("");
    if (place != location)
      diagnostic.attachNote(location) << "Python computes this while compiling";
    return diagnostic;
  }
  auto read = [&](const json::Value &text) -> Result {
    auto value = letter.read(text);
    if (failed(value))
      return refuse(location) << "RuntimeError: this result cannot be used in compiled functions, as one that holds itself, or whose "
                             << "keys are functions that see the names of the one that makes them";
    return *value;
  };
  if (const json::Array *changes = answer->getArray("changed"))
    for (const json::Value &entry : *changes) {
      const json::Object *object = entry.getAsObject();
      AbstractValue old = letter.containers[*object->getInteger("of")];
      Result now = read(entry);
      if (failed(now) ||
          failed(change(location, old, now->getElements(),
                        old.isDictionary() ? now->getKeys() : ArrayAttr())))
        return failure();
    }
  if (const json::Array *held = answer->getArray("held"))
    for (const json::Value &entry : *held) {
      size_t number = *entry.getAsInteger();
      letter.held.insert(number);
      if (number < letter.containers.size() && letter.containers[number].isContainer())
        letter.containers[number].growableAt(~0u);
    }
  const json::Object *redirect = answer->getObject("call");
  if (!redirect)
    return read(*answer->get("ok"));
  Result callee = read(*redirect->get("callee"));
  Result positional = failed(callee) ? callee : read(*redirect->get("args"));
  Result named = failed(positional) ? positional : read(*redirect->get("keywords"));
  if (failed(named))
    return failure();
  Arguments again;
  again.positional.assign(positional->getElements().begin(),
                          positional->getElements().end());
  for (auto [name, value] : llvm::zip(named->getKeys(), named->getElements()))
    again.keywords.emplace_back(llvm::cast<StringAttr>(name), value);
  return call(location, *callee, again);
}

Result Interpreter::askTensor(Location location, const AbstractValue &object) {
  return ask(location, "tensor", {{object}, {}});
}

bool Interpreter::askMethod(Location location, const AbstractValue &object,
                            StringAttr name) {
  std::string kind = object.isConstant()
                         ? std::to_string(unsigned(
                               getNumber(object.getConstant())
                                   ? getNumber(object.getConstant())->kind
                                   : 9))
                         : "k" + std::to_string(unsigned(object.getKind()));
  bool isText = static_cast<bool>(object.getAs<StringAttr>());
  bool isNumber = object.isConstant() && getNumber(object.getConstant());
  if (!isText && !isNumber && !object.isSequence() && !object.isContainer())
    return false;
  std::string key = (isText ? "text" : kind) + "." + name.str();
  auto [known, isNew] = knownMethods.try_emplace(key, false);
  if (!isNew)
    return known->second;
  Result answer =
      ask(location, "hasmethod", {{object, AbstractValue::getConstant(name)}, {}});
  bool found = succeeded(answer) && answer->getAs<BoolAttr>() &&
               answer->getAs<BoolAttr>().getValue();
  knownMethods[key] = found;
  return found;
}

/// The structure is written with every tensor, constant or not, as a token; the
/// tokens in order are what the program returns.
LogicalResult
Interpreter::tellResult(Location location, const AbstractValue &result,
                        SmallVectorImpl<AbstractValue> &tensors) {
  Letter letter([&](const AbstractValue &value) { return isTensorLike(value); },
                context(), depth);
  json::Array args;
  args.push_back(letter.write(result));
  args.push_back(letter.write(state.attributes));
  for (const AbstractValue &token : letter.tokens) {
    if (!isTensorLike(token))
      return refuse(location) << "TypeError: a compiled function cannot return "
                             << token.describe();
    auto tensor = toTensor(location, token);
    if (failed(tensor))
      return failure();
    tensors.push_back(AbstractValue::getTensor(*tensor));
  }
  std::string request;
  llvm::raw_string_ostream(request)
      << json::Value(json::Object{{"do", "result"}, {"args", std::move(args)}});
  llvm::Expected<json::Value> reply = json::parse(live->ask(request));
  const json::Object *answer = reply ? reply->getAsObject() : nullptr;
  if (!answer)
    llvm::consumeError(reply.takeError());
  if (answer && answer->get("ok"))
    return success();
  return refuse(location) << "RuntimeError: the Python process of the program cannot take the form of this result";
}

} // namespace plumb::specialize
