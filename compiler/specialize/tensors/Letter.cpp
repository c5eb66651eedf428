// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The form of each value: `write` and `read` know the same ones.

#include "compiler/specialize/tensors/Letter.h"

#include "compiler/specialize/tensors/InterpreterTypes.h"
#include "dialects/net/ir/NetBase.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace plumb::specialize {

namespace json = llvm::json;

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
  return json::Object{{"shape", std::move(shape)}, {"type", type}, {"bytes", llvm::toHex(bytes)}};
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
    return json::Object{{"f", llvm::toHex(StringRef(reinterpret_cast<const char *>(&number->real), sizeof(double)))}};
  }
  if (auto elements = dyn_cast<DenseElementsAttr>(constant))
    return writeElements(elements);
  std::string text;
  llvm::raw_string_ostream(text) << constant;
  return json::Object{{"a", text}};
}

json::Value Letter::writeToken(const AbstractValue &value) {
  const void *identity = value.isTensor()     ? value.getTensor().getAsOpaquePointer()
                         : value.isConstant() ? value.getConstant().getAsOpaquePointer()
                                              : value.getIdentity();
  auto origin = value.getOrigin().value_or(0);
  size_t &known = origin ? sharedFunctions.try_emplace(origin, tokens.size()).first->second
                         : shared.try_emplace(identity, tokens.size()).first->second;
  size_t number = functions ? known : tokens.size();
  if (number == tokens.size())
    tokens.push_back(value);
  StringRef kind = value.isTensor()      ? "tensor"
                   : value.isConstant()  ? "parameter"
                   : value.isUndefined() ? "unset"
                                         : "function";
  json::Object token{{"x", int64_t(number)}, {"kind", kind}};
  if (value.isWeak())
    token["number"] = isa<FloatType>(getElementTypeOrSelf(value.getTensor())) ? "float" : "int";
  bool isOfUnknown = value.getKind() == AbstractValue::Kind::Method && value.getElements().front().isContainer();
  if (value.isUndecided() || isOfUnknown)
    token["several"] = true;
  if (value.isUndefined())
    token["why"] = value.getWhy();
  return token;
}

/// An inner function that sees no names is told by its number, too.
json::Value Letter::writeInner(const AbstractValue &value) {
  json::Value written = writeConstant(value.getConstant());
  if (functions)
    (*functions)[*value.getOrigin()] = value;
  (*written.getAsObject())["origin"] = int64_t(*value.getOrigin());
  return written;
}

/// Methods of lists, dicts, sets and strings are live ones, each with a number; so are those of the program's objects
/// of which it is known which ones they are.
static bool isLiveMethod(const AbstractValue &value) {
  if (value.getKind() != AbstractValue::Kind::Method)
    return value.isBound() && value.getObjectNumber() != uint64_t(0);
  const AbstractValue &object = value.getElements().front();
  return (object.isContainer() && object.isGrowable() && !object.isIterator()) || object.getAs<StringAttr>();
}

json::Value Letter::writeMethod(const AbstractValue &value) {
  auto isOne = [&](const AbstractValue &known) {
    return known.getIdentity() == value.getIdentity() ||
           (known.getObjectNumber() != uint64_t(0) && known.getObjectNumber() == value.getObjectNumber());
  };
  const auto *known = llvm::find_if(methods, isOne);
  int64_t number = known - methods.begin();
  if (known == methods.end())
    methods.push_back(value);
  json::Object method{{"m", number}};
  if (value.isConstant()) {
    method["bound"] = writeConstant(value.getConstant());
    return method;
  }
  method["of"] = write(value.getElements().front());
  method["name"] = writeConstant(value.getConstant());
  return method;
}

/// The pieces of a text; a tensor in it is a token and whether it stands there as `repr` shows it.
json::Value Letter::writeText(const AbstractValue &value) {
  json::Array pieces;
  ArrayRef<AbstractValue> tensors = value.getElements();
  for (Attribute piece : llvm::cast<ArrayAttr>(value.getConstant())) {
    auto isRepr = llvm::dyn_cast<BoolAttr>(piece);
    if (!isRepr) {
      pieces.push_back(writeConstant(piece));
      continue;
    }
    pieces.push_back(json::Array{write(tensors.front()), isRepr.getValue()});
    tensors = tensors.drop_front();
  }
  return json::Object{{"text", std::move(pieces)}};
}

/// The contents of a container, or the number of one that was written before.
json::Value Letter::writeContainer(const AbstractValue &value) {
  for (auto [index, known] : llvm::enumerate(containers))
    if (known.getIdentity() == value.getIdentity())
      return json::Object{{"c", int64_t(index)}};
  json::Object object{{"c", int64_t(containers.size())}};
  containers.push_back(value);
  if (value.isDictionary()) {
    json::Array keys;
    for (const AbstractValue &key : value.getKeyValues())
      keys.push_back(write(key));
    object["keys"] = std::move(keys);
  }
  if (ArrayAttr mark = value.getMark())
    object["kind"] = json::Array(llvm::map_range(mark, [&](Attribute part) { return writeConstant(part); }));
  if (value.isFrozenSet())
    object["frozen"] = true;
  object[value.isList() ? "list" : value.isSet() ? "set" : "dict"] = writeAll(value.getElements());
  return object;
}

json::Value Letter::write(const AbstractValue &value) {
  using Kind = AbstractValue::Kind;
  if (value.isText())
    return writeText(value);
  if (value.getKind() == Kind::Sequence) {
    json::Object tuple{{"t", writeAll(value.getElements())}};
    if (Attribute type = value.getConstant())
      tuple["of"] = writeConstant(type);
    return tuple;
  }
  if (isLiveMethod(value))
    return writeMethod(value);
  if (value.isSlice())
    return json::Object{{"slice", writeAll(value.getElements())}};
  if (value.isContainer() && !value.isIterator())
    return writeContainer(value);
  if (value.isConstant() && !isToken(value))
    return value.getOrigin() ? writeInner(value) : writeConstant(value.getConstant());
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

/// A container that was sent, or a new one; `c` tells which, so that one that
/// the answer holds twice stays one.
FailureOr<AbstractValue> Letter::readContainer(const json::Object &object) {
  size_t number = *object.getInteger("c");
  if (number < containers.size() && containers[number].isContainer())
    return containers[number];
  if (containers.size() <= number)
    containers.resize(number + 1);
  AbstractValue made;
  const json::Array *items = nullptr, *of = object.getArray("kind");
  auto parts = of ? readAll(*of) : FailureOr<SmallVector<AbstractValue>>(SmallVector<AbstractValue>());
  if (failed(parts) || llvm::any_of(*parts, [](const AbstractValue &part) { return !part.isConstant(); }))
    return failure();
  auto constants = llvm::map_to_vector(*parts, [](const AbstractValue &part) { return part.getConstant(); });
  ArrayAttr mark = of ? ArrayAttr::get(context, constants) : ArrayAttr();
  if ((items = object.getArray("list")))
    made = AbstractValue::getList({}, depth);
  else if ((items = object.getArray("set")))
    made = object.get("frozen") ? AbstractValue::getSet({}, UnitAttr::get(context))
                                : AbstractValue::getSet({}).growableAt(depth);
  else if ((items = object.getArray("dict")))
    made = AbstractValue::getDictionary(ArrayAttr::get(context, {}), {}, mark).growableAt(depth);
  else
    return failure();
  containers[number] = made;
  auto elements = readAll(*items);
  auto names = made.isDictionary() ? readAll(*object.getArray("keys")) : SmallVector<AbstractValue>();
  auto keys = failed(names) ? std::nullopt : Keys::get(context, *names);
  if (failed(elements) || !keys)
    return failure();
  made.setElements(*elements, made.isDictionary() ? *keys : Keys());
  if (llvm::any_of(made.getParts(), [&](const AbstractValue &part) { return part.reaches(made); }))
    return failure(); // it holds itself
  if (held.contains(number))
    made.growableAt(~0u);
  return made;
}

FailureOr<AbstractValue> Letter::readText(const json::Array &pieces) {
  SmallVector<Attribute> parts;
  SmallVector<AbstractValue> tensors;
  for (const json::Value &piece : pieces) {
    const json::Array *shown = piece.getAsArray();
    auto value = read(shown ? (*shown)[0] : piece);
    if (failed(value))
      return failure();
    parts.push_back(shown ? BoolAttr::get(context, *(*shown)[1].getAsBoolean()) : value->getConstant());
    if (shown)
      tensors.push_back(*value);
  }
  return AbstractValue::getText(ArrayAttr::get(context, parts), tensors);
}

static double readFloat(StringRef hex) {
  double number;
  std::string bytes = llvm::fromHex(hex);
  memcpy(&number, bytes.data(), sizeof number);
  return number;
}

/// An attribute as text: a constant, or an inner function, which its `origin` tells.
FailureOr<AbstractValue> Letter::readAttribute(StringRef text, std::optional<int64_t> origin) {
  Attribute attribute = parseAttribute(text, context);
  if (!attribute)
    return failure();
  if (!origin)
    return AbstractValue::getConstant(attribute);
  if (*origin && functions && functions->count(*origin))
    return functions->lookup(*origin);
  return AbstractValue::getInner(attribute).setOrigin(0);
}

FailureOr<AbstractValue> Letter::readMethod(const json::Array &array) {
  auto parts = readAll(array);
  if (failed(parts))
    return failure();
  return AbstractValue::getMethod((*parts)[0], (*parts)[1].getAs<StringAttr>());
}

/// An `itertools.count`.
FailureOr<AbstractValue> Letter::readCounter(const json::Array &array) {
  auto parts = readAll(array);
  if (failed(parts))
    return failure();
  return AbstractValue::getIterator({AbstractValue::getTuple({}), (*parts)[0]}, depth, (*parts)[1].getConstant());
}

FailureOr<AbstractValue> Letter::readIterator(const json::Array &left, bool isReturned) {
  auto elements = readAll(left);
  if (failed(elements))
    return failure();
  elements->insert(elements->begin(), // See Iterators::keep.
                   isReturned ? AbstractValue::getConstant(UnitAttr::get(context)) : AbstractValue::getTuple({}));
  return AbstractValue::getIterator(*elements, depth);
}

FailureOr<AbstractValue> Letter::readTuple(const json::Array &items, const json::Object *type) {
  auto elements = readAll(items);
  if (failed(elements))
    return failure();
  if (!type)
    return AbstractValue::getTuple(*elements);
  auto of = readObject(*type);
  return failed(of) ? of : AbstractValue::getTuple(*elements, of->getConstant());
}

FailureOr<AbstractValue> Letter::readSlice(const json::Array &items) {
  auto elements = readAll(items);
  if (failed(elements))
    return failure();
  return AbstractValue::getSlice(*elements);
}

FailureOr<AbstractValue> Letter::readObject(const json::Object &object) {
  if (auto hex = object.getString("s"))
    return AbstractValue::getConstant(StringAttr::get(context, llvm::fromHex(*hex)));
  if (auto hex = object.getString("f"))
    return AbstractValue::getConstant(FloatAttr::get(Float64Type::get(context), readFloat(*hex)));
  if (auto text = object.getString("a"))
    return readAttribute(*text, object.getInteger("origin"));
  if (auto *pieces = object.getArray("text"))
    return readText(*pieces);
  if (auto token = object.getInteger("x"))
    return tokens[*token];
  if (auto number = object.getInteger("m"))
    return methods[*number];
  if (object.getInteger("c"))
    return readContainer(object);
  if (const json::Array *method = object.getArray("method"))
    return readMethod(*method);
  if (const json::Array *counter = object.getArray("counter"))
    return readCounter(*counter);
  if (const json::Array *left = object.getArray("iterator"))
    return readIterator(*left, *object.getBoolean("returned"));
  if (const json::Array *items = object.getArray("t"))
    return readTuple(*items, object.getObject("of"));
  if (const json::Array *items = object.getArray("slice"))
    return readSlice(*items);
  return failure();
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

} // namespace plumb::specialize
