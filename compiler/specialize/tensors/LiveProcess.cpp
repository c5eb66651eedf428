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
// Where objects are among the operands, the attributes that the program has set come along, for the time of the
// question: those of objects that Python may reach, which are all but the ones that it has not kept and that the
// operands do not lead to. Containers travel by content with a number each; what the computation changes in them comes
// back and is changed here. Tensors, Parameters and functions travel as tokens: they may be moved about, but not looked
// into. An answer may hold further definitions for the module, or say which function the interpreter should call
// instead. docs/rationale/python_capture.md has the whole form.

#include "compiler/specialize/tensors/LiveProcess.h"
#include "compiler/specialize/tensors/Letter.h"
#include "compiler/specialize/tensors/Reports.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;

namespace plumb::specialize {

namespace json = llvm::json;

static constexpr size_t kManyAttributes = 16;

/// Adds definitions that an answer brings to the module.
static LogicalResult addDefinitions(StringRef text, MLIRContext *context, SymbolTable &symbols) {
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

Result LiveProcess::askCall(Location location, const AbstractValue &callee, const Arguments &arguments) {
  Arguments all = arguments;
  all.positional.insert(all.positional.begin(), callee);
  return ask(location, "call", all);
}

/// Whether the Python process may see an object of the program in a value: one whose attributes the program may have
/// set. It sees nothing of closures, which may stand in the lists that they see.
static bool holdsObject(Attribute constant) {
  if (auto parts = dyn_cast_or_null<ArrayAttr>(constant))
    return llvm::any_of(parts, [](Attribute part) { return holdsObject(part); });
  return isa_and_nonnull<FlatSymbolRefAttr, net::MethodAttr>(constant);
}

static bool holdsObject(const AbstractValue &value) {
  if (value.isClosure())
    return false;
  if ((value.isConstant() || value.isDictionary()) && holdsObject(value.getConstant()))
    return true;
  return llvm::any_of(value.getParts(), [](const AbstractValue &part) { return holdsObject(part); });
}

/// One question, and what its answer does.
class LiveProcess::Question {
public:
  Question(LiveProcess &process, Location location)
      : process(process), host(process.host), location(location),
        letter([this](const AbstractValue &value) { return bool(this->process.getParameter(value)); },
               process.context(), process.depth, &process.functions[host.getFrame()]) {}

  Result ask(StringRef action, const Arguments &arguments);
  LogicalResult fail(const json::Object &problem);

private:
  FailureOr<json::Object> write(StringRef action, const Arguments &arguments);
  FailureOr<json::Array> writePositional(ArrayRef<AbstractValue> values);
  DenseSet<Attribute> findReachable(const Arguments &arguments) const;
  using Entries = SmallVector<std::pair<AbstractValue, AbstractValue>>;
  Entries findAttributes(const Arguments &arguments) const;
  FailureOr<json::Object> send(StringRef action, const Arguments &arguments);
  void noteAlone(const json::Object &answer);
  Result read(const json::Value &text);
  std::optional<Arguments> getKnown(const Arguments &arguments);
  LogicalResult readChanges(const json::Array &changes);
  void readHeld(const json::Array &held);
  Result readMade(const json::Value &object, const json::Value *sets);
  Result callInstead(const json::Object &redirect);

  LiveProcess &process;
  Host &host;
  Location location;
  Letter letter;
};

/// Iterators are asked about by what is left of them.
FailureOr<json::Array> LiveProcess::Question::writePositional(ArrayRef<AbstractValue> values) {
  json::Array written;
  for (const AbstractValue &value : values) {
    Result items = value.isIterator() ? host.takeItems(location, value) : Result(value);
    if (failed(items))
      return failure();
    written.push_back(letter.write(*items));
  }
  return written;
}

/// Enters the objects of the program that a value is, or holds.
static void collectObjects(Attribute constant, SmallVectorImpl<Attribute> &objects) {
  if (auto parts = dyn_cast_or_null<ArrayAttr>(constant))
    for (Attribute part : parts)
      collectObjects(part, objects);
  else if (auto method = dyn_cast_or_null<net::MethodAttr>(constant))
    objects.push_back(method.getSelf());
  else if (isa_and_nonnull<FlatSymbolRefAttr>(constant))
    objects.push_back(constant);
}

static void collectObjects(const AbstractValue &value, SmallVectorImpl<Attribute> &objects) {
  if (value.isClosure())
    return;
  if (value.isConstant() || value.isDictionary())
    collectObjects(value.getConstant(), objects);
  value.walkParts([&](const AbstractValue &part) { collectObjects(part, objects); });
}

/// The objects that Python may reach from those that are `alone` to it no more, and from the operands.
DenseSet<Attribute> LiveProcess::Question::findReachable(const Arguments &arguments) const {
  AbstractValue set = host.getAttributes();
  llvm::MapVector<Attribute, SmallVector<AbstractValue>> attributes;
  for (auto [key, value] : llvm::zip(set.getKeys(), set.getElements()))
    attributes[cast<ArrayAttr>(key)[0]].push_back(value);
  SmallVector<Attribute> pending;
  for (const AbstractValue &value : arguments.positional)
    collectObjects(value, pending);
  for (auto &[name, value] : arguments.keywords)
    collectObjects(value, pending);
  llvm::append_range(pending, llvm::make_filter_range(llvm::make_first_range(attributes), [&](Attribute object) {
                       return !process.alone.contains(object);
                     }));
  DenseSet<Attribute> reachable;
  while (!pending.empty()) {
    Attribute object = pending.pop_back_val();
    if (auto found = attributes.find(object); reachable.insert(object).second && found != attributes.end())
      for (const AbstractValue &value : found->second)
        collectObjects(value, pending);
  }
  return reachable;
}

/// The attributes that the program has set, where Python may look at an object, by key.
LiveProcess::Question::Entries LiveProcess::Question::findAttributes(const Arguments &arguments) const {
  AbstractValue set = host.getAttributes();
  bool seesObjects =
      llvm::any_of(arguments.positional, [](const AbstractValue &value) { return holdsObject(value); }) ||
      llvm::any_of(arguments.keywords, [](auto &entry) { return holdsObject(entry.second); });
  Entries entries;
  if (!seesObjects || set.getElements().empty())
    return entries;
  DenseSet<Attribute> reachable = findReachable(arguments);
  for (auto [key, value] : llvm::zip(set.getKeys(), set.getElements()))
    if (reachable.contains(cast<ArrayAttr>(key)[0]))
      entries.push_back({AbstractValue::getConstant(key), value});
  return entries;
}

FailureOr<json::Object> LiveProcess::Question::write(StringRef action, const Arguments &arguments) {
  auto positional = writePositional(arguments.positional);
  if (failed(positional))
    return failure();
  json::Object keywords;
  for (auto &[name, value] : arguments.keywords)
    keywords[name.getValue()] = letter.write(value);
  return json::Object{{"do", action},
                      {"args", std::move(*positional)},
                      {"keywords", std::move(keywords)},
                      {"number", process.countQuestions() + 1}};
}

/// Sends the question: where it would bring along many attributes first without them, which Python may not need.
FailureOr<json::Object> LiveProcess::Question::send(StringRef action, const Arguments &arguments) {
  auto question = write(action, arguments);
  if (failed(question))
    return failure();
  Entries entries = findAttributes(arguments);
  if (entries.size() > kManyAttributes) {
    json::Object shorter = *question;
    shorter["unsent"] = true;
    auto answer = process.send(location, std::move(shorter));
    if (failed(answer) || !answer->get("unsent"))
      return answer;
    (*question)["number"] = process.countQuestions() + 1;
  }
  json::Array attributes;
  for (auto &[key, value] : entries)
    attributes.push_back(json::Array{letter.write(key), letter.write(value)});
  (*question)["attributes"] = std::move(attributes);
  return process.send(location, std::move(*question));
}

Result LiveProcess::Question::read(const json::Value &text) {
  auto value = letter.read(text);
  if (succeeded(value))
    return *value;
  return refuse(location)
         << "RuntimeError: this result cannot be used in compiled functions, as one that holds itself, or whose "
         << "keys are functions that see the names of the one that makes them";
}

/// Reports what Python raised.
LogicalResult LiveProcess::Question::fail(const json::Object &problem) {
  Location place = getPlace(location, problem);
  auto kind = findDiagnosticKind(problem.getString("kind").value_or("")).value_or(DiagnosticKind::Error);
  auto diagnostic = (kind == DiagnosticKind::Error ? error(place) : refuse(place, kind))
                    << problem.getString("class").value_or("RuntimeError") << ": "
                    << problem.getString("message").value_or("");
  if (place != location)
    diagnostic.attachNote(location) << "Python computes this while compiling";
  return diagnostic;
}

/// Changes the containers that Python has changed.
LogicalResult LiveProcess::Question::readChanges(const json::Array &changes) {
  for (const json::Value &entry : changes) {
    AbstractValue old = letter.containers[*entry.getAsObject()->getInteger("of")];
    Result now = read(entry);
    if (failed(now) ||
        failed(host.change(location, old, now->getElements(), old.isDictionary() ? now->getKeys() : Keys())))
      return failure();
  }
  return success();
}

/// Takes note of which objects only the interpreter refers to, and of which Python keeps now.
void LiveProcess::Question::noteAlone(const json::Object &answer) {
  auto forEach = [&](StringRef name, auto visit) {
    if (const json::Array *objects = answer.getArray(name))
      for (const json::Value &object : *objects)
        visit(parseAttribute(*object.getAsString(), process.context()));
  };
  forEach("alone", [&](Attribute object) { process.alone.insert(object); });
  forEach("kept", [&](Attribute object) { process.alone.erase(object); });
}

void LiveProcess::Question::readHeld(const json::Array &held) {
  for (const json::Value &entry : held) {
    size_t number = *entry.getAsInteger();
    letter.held.insert(number);
    if (number < letter.containers.size() && letter.containers[number].isContainer())
      letter.containers[number].growableAt(~0u);
  }
}

/// Takes note of an object that a constructor is called for, and sets those of its attributes that are tensors.
Result LiveProcess::Question::readMade(const json::Value &object, const json::Value *sets) {
  Result made = read(object);
  if (failed(made))
    return failure();
  host.noteMade(made->getConstant());
  Result attributes = sets ? read(*sets) : Result(AbstractValue::getDictionary(process.builder.getArrayAttr({}), {}));
  if (failed(attributes))
    return failure();
  for (auto [name, value] : llvm::zip(attributes->getKeys(), attributes->getElements()))
    if (failed(host.setAttribute(location, made->getConstant(), llvm::cast<StringAttr>(name), value)))
      return failure();
  return made;
}

/// Calls the function that Python leaves to the interpreter.
Result LiveProcess::Question::callInstead(const json::Object &redirect) {
  Result callee = read(*redirect.get("callee"));
  auto symbol = failed(callee) ? FlatSymbolRefAttr() : callee->getAs<FlatSymbolRefAttr>();
  if (symbol && !process.symbols.lookup(symbol.getValue()))
    return refuse(location) << "RuntimeError: the Python process of the program leaves " << callee->describe()
                            << " to the compiler without having told what it is; please report this";
  Result positional = failed(callee) ? callee : read(*redirect.get("args"));
  Result named = failed(positional) ? positional : read(*redirect.get("keywords"));
  if (failed(named))
    return failure();
  Arguments arguments;
  arguments.positional.assign(positional->getElements().begin(), positional->getElements().end());
  for (auto [name, value] : llvm::zip(named->getKeys(), named->getElements()))
    arguments.keywords.emplace_back(llvm::cast<StringAttr>(name), value);
  Result made = host.call(location, *callee, arguments);
  auto special = redirect.getString("special");
  if (failed(made) || !special || process.holdsTensor(*made))
    return made;
  return process.ask(location, "returned", {{process.string(*special), *made}, {}});
}

/// The arguments with constants in the place of the tensors that constants decide; nothing where there are none such.
std::optional<Arguments> LiveProcess::Question::getKnown(const Arguments &arguments) {
  bool isNew = false;
  std::function<AbstractValue(const AbstractValue &)> replace = [&](const AbstractValue &value) {
    AbstractValue known = host.getKnown(value);
    isNew |= value.isTensor() && !known.isTensor();
    if (value.getKind() != AbstractValue::Kind::Sequence)
      return known;
    return value.withElements(llvm::map_to_vector(value.getElements(), replace));
  };
  Arguments all = arguments;
  for (AbstractValue &value : all.positional)
    value = replace(value);
  for (auto &entry : all.keywords)
    entry.second = replace(entry.second);
  return isNew ? std::optional(std::move(all)) : std::nullopt;
}

Result LiveProcess::Question::ask(StringRef action, const Arguments &arguments) {
  auto answer = send(action, arguments);
  if (failed(answer))
    return failure();
  if (auto oldest = answer->getInteger("touched"))
    process.touches.push_back({unsigned(*oldest), process.countQuestions(), location});
  if (auto text = answer->getString("module"))
    if (failed(addDefinitions(*text, process.context(), process.symbols)))
      return failure();
  noteAlone(*answer);
  if (const json::Object *problem = answer->getObject("error")) {
    bool needsValue = problem->getBoolean("needs_value").value_or(false);
    auto known = needsValue ? getKnown(arguments) : std::nullopt;
    return known ? process.ask(location, action, *known) : Result(fail(*problem));
  }
  if (const json::Array *changes = answer->getArray("changed"))
    if (failed(readChanges(*changes)))
      return failure();
  if (const json::Array *held = answer->getArray("held"))
    readHeld(*held);
  if (const json::Array *others = answer->getArray("others"))
    for (const json::Value &other : *others)
      if (failed(readMade((*other.getAsArray())[0], &(*other.getAsArray())[1])))
        return failure();
  const json::Value *object = answer->get("made");
  Result made = object ? readMade(*object, answer->get("sets")) : Result(AbstractValue());
  const json::Object *redirect = answer->getObject("call");
  if (failed(made) || !redirect) {
    Result value = failed(made) ? made : read(*answer->get("ok"));
    bool isNew = succeeded(value) && value->isConstant() && value->isBound() && answer->get("bound");
    return isNew ? AbstractValue::getBound(value->getConstant()) : value;
  }
  Result called = callInstead(*redirect);
  return failed(called) || !object ? called : made;
}

FailureOr<json::Object> LiveProcess::send(Location location, json::Object question) {
  ++questions;
  changes.reset(); // Only what answers a question runs the program's Python.
  std::string request;
  llvm::raw_string_ostream(request) << json::Value(std::move(question));
  llvm::Expected<json::Value> reply = json::parse(workspace.live->ask(request));
  if (json::Object *answer = reply ? reply->getAsObject() : nullptr)
    return std::move(*answer);
  llvm::consumeError(reply.takeError());
  return refuse(location) << "RuntimeError: the Python process of the program does not answer any more";
}

Result LiveProcess::ask(Location location, StringRef action, const Arguments &arguments) {
  return Question(*this, location).ask(action, arguments);
}

Result LiveProcess::askChanges(Location location) {
  if (changes)
    return *changes;
  Result answer = ask(location, "changes", {{}, {}});
  if (succeeded(answer))
    changes = *answer;
  return answer;
}

LogicalResult LiveProcess::checkUntouched(unsigned since) const {
  for (const Touch &touch : touches)
    if (touch.question > since && touch.oldest <= since)
      return refuse(touch.location) << "RuntimeError: this changes an object that only Python knows, as a deque, while "
                                       "compiling, but a branch "
                                    << "or loop on a tensor decides whether, or how often, it runs; use a list or "
                                       "dict, or make the object where it is changed";
  return success();
}

Result LiveProcess::askTensor(Location location, const AbstractValue &object) {
  return ask(location, "tensor", {{object}, {}});
}

bool LiveProcess::askMethod(Location location, const AbstractValue &object, StringAttr name) {
  std::string kind =
      object.isConstant()
          ? std::to_string(unsigned(getNumber(object.getConstant()) ? getNumber(object.getConstant())->kind : 9))
          : "k" + std::to_string(unsigned(object.getKind()));
  if (object.getKind() == AbstractValue::Kind::Sequence && object.getConstant())
    llvm::raw_string_ostream(kind) << object.getConstant();
  bool isText = static_cast<bool>(object.getAs<StringAttr>());
  bool isNumber = object.isConstant() && getNumber(object.getConstant());
  if (!isText && !isNumber && !object.isSequence() && !object.isContainer())
    return false;
  std::string key = (isText ? "text" : kind) + "." + name.str();
  auto [known, isNew] = knownMethods.try_emplace(key, false);
  if (!isNew)
    return known->second;
  Result answer = ask(location, "hasmethod", {{object, AbstractValue::getConstant(name)}, {}});
  bool found = succeeded(answer) && answer->getAs<BoolAttr>() && answer->getAs<BoolAttr>().getValue();
  knownMethods[key] = found;
  if (isNumber && !found) // It has NumPy's once NumPy has given one.
    knownMethods.erase(key);
  return found;
}

Attribute LiveProcess::findTensorMethod(StringRef name) {
  auto [known, isNew] = tensorMethods.try_emplace(name);
  if (!isNew)
    return known->second;
  Result answer = ask(builder.getUnknownLoc(), "tensormethod", {{string(name)}, {}});
  Attribute found = succeeded(answer) && answer->getAs<FlatSymbolRefAttr>() ? answer->getConstant() : Attribute();
  tensorMethods[name] = found;
  return found;
}

bool LiveProcess::hasTensorAttribute(StringAttr name, bool isParameter) {
  std::string key = ((isParameter ? "parameter." : "tensor.") + name.getValue()).str();
  auto [known, isNew] = tensorAttributes.try_emplace(key, false);
  if (!isNew)
    return known->second;
  Result answer =
      ask(builder.getUnknownLoc(), "tensorhas", {{AbstractValue::getConstant(name), makeBool(isParameter)}, {}});
  bool found = succeeded(answer) && answer->getAs<BoolAttr>() && answer->getAs<BoolAttr>().getValue();
  tensorAttributes[key] = found;
  return found;
}

/// The attributes that are set in any case, and rows of an object, a name, a boolean tensor that says whether it is
/// set, and the value.
static std::pair<AbstractValue, AbstractValue> splitPartial(const AbstractValue &attributes) {
  SmallVector<Attribute> keys;
  SmallVector<AbstractValue> values, partial;
  for (auto [key, value] : llvm::zip(attributes.getKeys(), attributes.getElements())) {
    if (!value.isPartial()) {
      keys.push_back(key);
      values.push_back(value);
      continue;
    }
    SmallVector<AbstractValue> row(AbstractValue::getConstant(key).getElements());
    llvm::append_range(row, value.getElements());
    partial.push_back(AbstractValue::getTuple(row));
  }
  return {AbstractValue::getDictionary(ArrayAttr::get(attributes.getKeys().getForms().getContext(), keys), values),
          AbstractValue::getTuple(partial)};
}

/// The structure is written with every tensor, constant or not, as a token.
FailureOr<SmallVector<AbstractValue>> LiveProcess::tellResult(Location location, const AbstractValue &result,
                                                              const AbstractValue &attributes) {
  Letter letter([&](const AbstractValue &value) { return isTensorLike(value); }, context(), depth);
  auto parts = splitPartial(attributes);
  json::Array args{letter.write(result), letter.write(parts.first), letter.write(parts.second)};
  for (const AbstractValue &token : letter.tokens)
    if (!isTensorLike(token))
      return refuse(location) << "TypeError: a compiled function cannot return " << token.describe();
  auto answer = send(location, json::Object{{"do", "result"}, {"args", std::move(args)}});
  if (failed(answer))
    return failure();
  if (const json::Object *problem = answer->getObject("error"))
    return Question(*this, location).fail(*problem);
  if (!answer->get("ok"))
    return refuse(location) << "RuntimeError: the Python process of the program cannot take the form of this result";
  return letter.tokens;
}

} // namespace plumb::specialize
