// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Construction, flattening, signatures and wording of abstract values.

#include "compiler/specialize/tensors/AbstractValue.h"
#include "compiler/specialize/tensors/WeakTypes.h"

#include "dialects/net/ir/NetBase.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace plumb::specialize {

AbstractValue::AbstractValue(Kind kind, Attribute constant, ArrayRef<AbstractValue> elements)
    : kind(kind), constant(constant), shared(std::make_shared<Shared>()) {
  shared->elements.assign(elements.begin(), elements.end());
}

/// A number that no other function object of the run has. Each run has a thread of its own (SpecializePrograms.cpp), so
/// that the numbers, which the Python process sees, do not depend on what was compiled before.
static uint64_t makeOrigin() {
  static thread_local uint64_t last = 0;
  return ++last;
}

AbstractValue AbstractValue::getTensor(Value tensor) {
  AbstractValue value;
  value.kind = Kind::Tensor;
  value.tensor = tensor;
  return value;
}

/// The list, dict, set or slice that `#net.primitive<"builtins.list", {…}>` stands for.
static std::optional<AbstractValue> getContainer(net::PrimitiveAttr constant) {
  DictionaryAttr config = constant.getConfig();
  auto items = config ? config.getAs<ArrayAttr>("items") : ArrayAttr();
  if (!items)
    return std::nullopt;
  AbstractValue elements = AbstractValue::getConstant(items);
  if (constant.getName() == "builtins.list")
    return AbstractValue::getList(elements.getElements(), ~0u);
  if (constant.getName() == "builtins.set")
    return AbstractValue::getSet(elements.getElements());
  if (constant.getName() == "builtins.slice")
    return AbstractValue::getSlice(elements.getElements());
  if (constant.getName() == "builtins.dict")
    return AbstractValue::getDictionary(config.getAs<ArrayAttr>("keys"), elements.getElements());
  return std::nullopt;
}

/// Arrays and dictionaries become containers, so that the interpreter sees one
/// form of each whatever its origin.
AbstractValue AbstractValue::getConstant(Attribute constant) {
  if (auto primitive = dyn_cast<net::PrimitiveAttr>(constant))
    if (auto container = getContainer(primitive))
      return *container;
  if (auto array = dyn_cast<ArrayAttr>(constant)) {
    SmallVector<AbstractValue> elements;
    for (Attribute element : array)
      elements.push_back(getConstant(element));
    return getTuple(elements);
  }
  if (auto dictionary = dyn_cast<DictionaryAttr>(constant)) {
    SmallVector<AbstractValue> elements;
    SmallVector<Attribute> keys;
    for (NamedAttribute entry : dictionary) {
      keys.push_back(entry.getName());
      elements.push_back(getConstant(entry.getValue()));
    }
    return getDictionary(ArrayAttr::get(constant.getContext(), keys), elements);
  }
  AbstractValue value;
  value.kind = Kind::Constant;
  value.constant = constant;
  return value;
}

AbstractValue AbstractValue::getTuple(ArrayRef<AbstractValue> elements, Attribute type) {
  return AbstractValue(Kind::Sequence, type, elements);
}

AbstractValue AbstractValue::getList(ArrayRef<AbstractValue> elements, unsigned depth) {
  return AbstractValue(Kind::List, Attribute(), elements).growableAt(depth);
}

AbstractValue AbstractValue::getIterator(ArrayRef<AbstractValue> elements, unsigned depth, Attribute mark) {
  return AbstractValue(Kind::Iterator, mark, elements).growableAt(depth);
}

AbstractValue AbstractValue::getDictionary(ArrayAttr keys, ArrayRef<AbstractValue> elements, ArrayAttr mark) {
  AbstractValue value(Kind::Dictionary, mark, elements);
  value.shared->keys = keys;
  return value;
}

AbstractValue AbstractValue::getSet(ArrayRef<AbstractValue> elements, Attribute mark) {
  return AbstractValue(Kind::Set, mark, elements);
}

AbstractValue AbstractValue::getClosure(ArrayAttr functionAndNames, ArrayRef<AbstractValue> captured, unsigned frame) {
  AbstractValue value(Kind::Closure, functionAndNames, captured);
  value.shared->frame = frame;
  return value.setOrigin(makeOrigin());
}

AbstractValue AbstractValue::getInner(Attribute function) {
  return AbstractValue(Kind::Constant, function, {}).setOrigin(makeOrigin());
}

AbstractValue AbstractValue::setOrigin(uint64_t origin) const {
  shared->origin = origin;
  return *this;
}

AbstractValue AbstractValue::markChosen() const {
  shared->chosen = true;
  return *this;
}

AbstractValue AbstractValue::growableAt(unsigned depth) const {
  shared->growable = depth != ~0u;
  shared->depth = depth;
  return *this;
}

bool AbstractValue::reaches(const AbstractValue &container) const {
  if (isContainer() && getIdentity() == container.getIdentity())
    return true;
  return (isSequence() || isContainer()) &&
         llvm::any_of(getElements(), [&](const AbstractValue &element) { return element.reaches(container); });
}

void AbstractValue::setElements(ArrayRef<AbstractValue> elements, ArrayAttr keys) const {
  // The new ones may be some of the old.
  std::vector<AbstractValue> fresh(elements.begin(), elements.end());
  shared->elements = std::move(fresh);
  ++shared->stores;
  if (keys)
    shared->keys = keys;
}

/// An inner function in a key is `#net.primitive<"function", {number = 7 : i64}>`.
static Attribute getFunctionKey(MLIRContext *context, uint64_t origin) {
  Builder builder(context);
  auto number = builder.getNamedAttr("number", builder.getI64IntegerAttr(origin));
  return net::PrimitiveAttr::get(context, "function", builder.getDictionaryAttr(number));
}

static std::optional<uint64_t> getFunctionOf(net::PrimitiveAttr key) {
  if (key.getName() != "function")
    return std::nullopt;
  return key.getConfig().getAs<IntegerAttr>("number").getInt();
}

/// The keys of a dict with other numbers of functions.
static ArrayAttr replaceFunctions(ArrayAttr keys, function_ref<uint64_t(uint64_t)> replace) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](net::PrimitiveAttr part) -> std::optional<std::pair<Attribute, WalkResult>> {
    auto origin = getFunctionOf(part);
    if (!origin)
      return std::nullopt;
    return std::pair(getFunctionKey(part.getContext(), replace(*origin)), WalkResult::skip());
  });
  return cast<ArrayAttr>(replacer.replace(keys));
}

Attribute AbstractValue::getKey(MLIRContext *context) const {
  if (auto origin = getOrigin())
    return getFunctionKey(context, *origin);
  if (isConstant())
    return constant;
  if (kind != Kind::Sequence)
    return {};
  SmallVector<Attribute> parts;
  for (const AbstractValue &element : getElements()) {
    parts.push_back(element.getKey(context));
    if (!parts.back())
      return {};
  }
  return ArrayAttr::get(context, parts);
}

void AbstractValue::addFunctions(SmallVectorImpl<AbstractValue> &functions) const {
  if (getOrigin())
    return functions.push_back(*this);
  if (kind == Kind::Sequence)
    for (const AbstractValue &element : getElements())
      element.addFunctions(functions);
}

/// The key of a dict whose inner functions are among `functions`.
static AbstractValue getKeyValue(Attribute key, ArrayRef<AbstractValue> functions) {
  auto primitive = dyn_cast<net::PrimitiveAttr>(key);
  if (auto origin = primitive ? getFunctionOf(primitive) : std::nullopt)
    for (const AbstractValue &function : functions)
      if (function.getOrigin() == origin)
        return function;
  auto parts = dyn_cast<ArrayAttr>(key);
  if (!parts)
    return AbstractValue::getConstant(key);
  SmallVector<AbstractValue> elements;
  for (Attribute part : parts)
    elements.push_back(getKeyValue(part, functions));
  return AbstractValue::getTuple(elements);
}

std::vector<AbstractValue> AbstractValue::getKeyValues() const {
  std::vector<AbstractValue> values;
  for (Attribute key : shared->keys)
    values.push_back(getKeyValue(key, getElements().drop_front(shared->keys.size())));
  return values;
}

ArrayAttr AbstractValue::getKeysFor(ArrayRef<AbstractValue> elements) const {
  auto before = getElements().drop_front(shared->keys.size()), now = elements.drop_front(shared->keys.size());
  if (before.empty())
    return shared->keys;
  return replaceFunctions(shared->keys, [&](uint64_t origin) {
    auto *function = llvm::find_if(before, [&](const AbstractValue &other) { return other.getOrigin() == origin; });
    size_t place = function - before.begin();
    return place < now.size() ? *now[place].getOrigin() : origin;
  });
}

AbstractValue AbstractValue::withElements(ArrayRef<AbstractValue> elements) const {
  AbstractValue value(kind, constant, elements);
  if (shared) {
    value.shared->keys = shared->keys;
    value.shared->frame = shared->frame;
    value.shared->origin = shared->origin;
    value.shared->chosen = shared->chosen;
  }
  return value;
}

AbstractValue AbstractValue::getSlice(ArrayRef<AbstractValue> bounds) {
  return AbstractValue(Kind::Slice, Attribute(), bounds);
}

AbstractValue AbstractValue::getMethod(AbstractValue receiver, StringAttr name) {
  return AbstractValue(Kind::Method, name, receiver);
}

AbstractValue AbstractValue::getView(AbstractValue dictionary, StringAttr method) {
  return AbstractValue(Kind::View, method, dictionary);
}

AbstractValue AbstractValue::getText(ArrayAttr pieces, ArrayRef<AbstractValue> tensors) {
  return AbstractValue(Kind::Text, pieces, tensors);
}

AbstractValue AbstractValue::getGradient(AbstractValue function, DictionaryAttr options) {
  return AbstractValue(Kind::Gradient, options, function);
}

AbstractValue AbstractValue::getChoice(ArrayRef<AbstractValue> elements) {
  return AbstractValue(Kind::Choice, Attribute(), elements);
}

AbstractValue AbstractValue::getUndefined(MLIRContext *context, const Twine &why, ArrayRef<Location> notes,
                                          bool isException) {
  AbstractValue value;
  SmallVector<Attribute> parts = {StringAttr::get(context, why), BoolAttr::get(context, isException)};
  for (Location note : notes)
    parts.push_back(LocationAttr(note));
  value.constant = ArrayAttr::get(context, parts);
  return value;
}

AbstractValue AbstractValue::getPartial(const AbstractValue &undefined, const AbstractValue &isSet,
                                        const AbstractValue &value) {
  return AbstractValue(Kind::Undefined, undefined.constant, {isSet, value});
}

StringRef AbstractValue::getWhy() const { return cast<StringAttr>(cast<ArrayAttr>(constant)[0]).getValue(); }

bool AbstractValue::isWeak() const { return isTensor() && specialize::isWeak(tensor); }

bool AbstractValue::isException() const { return cast<BoolAttr>(cast<ArrayAttr>(constant)[1]).getValue(); }

ArrayRef<Attribute> AbstractValue::getNotes() const { return cast<ArrayAttr>(constant).getValue().drop_front(2); }

void AbstractValue::append(AbstractValue element) const {
  assert(isGrowable() && "only a growable list can be appended to");
  shared->elements.push_back(std::move(element));
  ++shared->stores;
}

RankedTensorType AbstractValue::getTensorType() const {
  if (isTensor())
    return cast<RankedTensorType>(tensor.getType());
  if (auto elements = getAs<DenseElementsAttr>())
    return dyn_cast<RankedTensorType>(elements.getType());
  return {};
}

void AbstractValue::walkTensors(function_ref<void(Value)> visit) const {
  if (isTensor())
    return visit(tensor);
  for (const AbstractValue &element : getElements())
    element.walkTensors(visit);
}

SmallVector<Value> AbstractValue::getTensors() const {
  SmallVector<Value> tensors;
  walkTensors([&](Value tensor) { tensors.push_back(tensor); });
  return tensors;
}

AbstractValue AbstractValue::withTensors(ValueRange &tensors) const {
  if (isTensor()) {
    Value replacement = tensors.front();
    tensors = tensors.drop_front();
    return getTensor(replacement);
  }
  if (!shared)
    return *this;
  SmallVector<AbstractValue> elements;
  for (const AbstractValue &element : getElements())
    elements.push_back(element.withTensors(tensors));
  return withElements(elements);
}

void AbstractValue::walkTensors(unsigned depth, function_ref<void(Value)> visit) const {
  if (isTensor())
    return visit(tensor);
  if (!isOutside(depth))
    for (const AbstractValue &element : getElements())
      element.walkTensors(depth, visit);
}

AbstractValue AbstractValue::withTensors(ValueRange &tensors, unsigned depth) const {
  if (isTensor() || !shared)
    return withTensors(tensors);
  if (isOutside(depth))
    return *this;
  SmallVector<AbstractValue> elements;
  for (const AbstractValue &element : getElements())
    elements.push_back(element.withTensors(tensors, depth));
  return withElements(elements);
}

void AbstractValue::walkTensors(Containers &known, function_ref<void(Value)> visit) const {
  if (isTensor())
    return visit(tensor);
  if ((isClosure() && known.contains(getIdentity())) ||
      (isContainer() && !known.try_emplace(getIdentity(), *this).second))
    return;
  for (const AbstractValue &element : getElements())
    element.walkTensors(known, visit);
}

AbstractValue AbstractValue::relocated(ValueRange &tensors, Containers &known, unsigned depth,
                                       function_ref<bool(const AbstractValue &)> growable) const {
  if (isTensor()) {
    Value replacement = tensors.front();
    tensors = tensors.drop_front();
    return getTensor(replacement);
  }
  if (!shared)
    return *this;
  if (isContainer() || getOrigin())
    if (auto found = known.find(getIdentity()); found != known.end())
      return found->second;
  AbstractValue copy = withElements({});
  copy.shared->frame = 0; // Another function's names.
  copy.shared->stores = shared->stores;
  if (shared->origin)
    copy.shared->origin = known.origins.try_emplace(shared->origin, makeOrigin()).first->second;
  if (isContainer()) {
    copy.growableAt(growable(*this) ? depth : ~0u);
    known[getIdentity()] = copy; // Before its elements, which may hold it.
  }
  for (const AbstractValue &element : getElements())
    copy.shared->elements.push_back(element.relocated(tensors, known, depth, growable));
  if (isDictionary())
    copy.shared->keys = getKeysFor(copy.getElements());
  return copy;
}

/// The numbers by which a signature tells containers and inner functions, in the order in which they stand there.
struct AbstractValue::Seen {
  llvm::DenseMap<const void *, int> containers;
  llvm::DenseMap<uint64_t, int> functions;

  int getNumber(uint64_t origin) { return origin ? functions.try_emplace(origin, functions.size()).first->second : -1; }
};

Attribute AbstractValue::getSignature(MLIRContext *context) const {
  Seen seen;
  return getSignature(context, seen);
}

/// A container that was seen before is told by its number, so that two
/// arguments that are one list are not taken for two equal lists; so is a function.
Attribute AbstractValue::getSignature(MLIRContext *context, Seen &seen) const {
  SmallVector<Attribute> parts;
  Type number = IntegerType::get(context, 32);
  if (isContainer()) {
    auto [known, isNew] = seen.containers.try_emplace(getIdentity(), seen.containers.size());
    if (!isNew)
      return IntegerAttr::get(number, known->second);
    parts.push_back(IntegerAttr::get(number, isGrowable() + 2 * isChosen()));
  }
  parts.push_back(IntegerAttr::get(IntegerType::get(context, 8), static_cast<int>(kind)));
  if (isTensor())
    parts.push_back(TypeAttr::get(tensor.getType()));
  if (isWeak())
    parts.push_back(UnitAttr::get(context));
  if (auto origin = getOrigin())
    parts.push_back(IntegerAttr::get(number, seen.getNumber(*origin)));
  if (isDictionary())
    parts.push_back(replaceFunctions(getKeys(), [&](uint64_t origin) { return seen.getNumber(origin); }));
  if (constant)
    parts.push_back(constant);
  if (isIterator()) // It is told by whether what it goes through has changed since.
    for (const AbstractValue &record : getElements().front().getElements())
      parts.push_back(IntegerAttr::get(number, record.getElements().front().countStores()));
  for (const AbstractValue &element : getElements())
    parts.push_back(element.getSignature(context, seen));
  return ArrayAttr::get(context, parts);
}

std::string describeType(Type type) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor) {
    stream << type;
    return text;
  }
  stream << "shape (";
  llvm::interleaveComma(tensor.getShape(), stream);
  stream << (tensor.getRank() == 1 ? ",) of " : ") of ") << tensor.getElementType();
  return text;
}

std::string describeConstant(Attribute constant) {
  return TypeSwitch<Attribute, std::string>(constant)
      .Case<BoolAttr>([](BoolAttr value) { return value.getValue() ? "the bool True" : "the bool False"; })
      .Case<IntegerAttr>([](IntegerAttr value) { return "the int " + std::to_string(value.getInt()); })
      .Case<FloatAttr>([](FloatAttr value) {
        std::string text;
        llvm::raw_string_ostream(text) << "the float " << llvm::format("%g", value.getValueAsDouble());
        return text;
      })
      .Case<StringAttr>([](StringAttr value) { return "the string '" + value.getValue().str() + "'"; })
      .Case<TypeAttr>([](TypeAttr value) { return "the dtype " + describeType(value.getValue()); })
      .Case<DenseElementsAttr>(
          [](DenseElementsAttr value) { return "a constant tensor of " + describeType(value.getType()); })
      .Case<FlatSymbolRefAttr>([](FlatSymbolRefAttr value) { return "'" + value.getValue().str() + "'"; })
      .Case<net::NoneAttr>([](Attribute) { return "None"; })
      .Case<net::PrimitiveAttr>([](net::PrimitiveAttr value) { return "the operator '" + value.getName().str() + "'"; })
      .Case<net::MethodAttr>(
          [](net::MethodAttr value) { return "the method '" + value.getFunction().getValue().str() + "'"; })
      .Default([](Attribute) { return "a gradient function"; });
}

std::string AbstractValue::describe() const {
  switch (kind) {
  case Kind::Undefined: return "an undefined value";
  case Kind::Tensor: return "a tensor of " + describeType(tensor.getType());
  case Kind::Constant: return describeConstant(constant);
  case Kind::Sequence: return "a tuple of " + std::to_string(getElements().size()) + " values";
  case Kind::List: return "a list of " + std::to_string(getElements().size()) + " values";
  case Kind::Set: return constant ? "a frozenset" : "a set";
  case Kind::Iterator: return "an iterator";
  case Kind::Closure:
    return "the function '" + cast<FlatSymbolRefAttr>(cast<ArrayAttr>(constant)[0]).getValue().str() + "'";
  case Kind::Dictionary: return "a dict";
  case Kind::Slice: return "a slice";
  case Kind::View: return "a view of a dict";
  case Kind::Method: return "the method '" + cast<StringAttr>(constant).getValue().str() + "'";
  case Kind::Gradient: return "a gradient function";
  case Kind::Text: return "a text that shows a computed tensor";
  case Kind::Choice: return "one of " + std::to_string(getElements().size() - 1) + " functions, chosen by a tensor";
  }
  return "a value";
}

bool isIdentical(const AbstractValue &left, const AbstractValue &right) {
  if (left.getIdentity() && left.getIdentity() == right.getIdentity())
    return true; // A list may hold a function that sees the list.
  if (left.getKind() != right.getKind() || left.getConstant() != right.getConstant() ||
      left.getMark() != right.getMark() || left.getOrigin() != right.getOrigin() ||
      left.getTensor() != right.getTensor() || left.getElements().size() != right.getElements().size())
    return false;
  for (auto [one, other] : llvm::zip(left.getElements(), right.getElements()))
    if (!isIdentical(one, other))
      return false;
  return true;
}

bool isSame(const AbstractValue &left, const AbstractValue &right) {
  if (left.getIdentity() && left.getIdentity() == right.getIdentity())
    return true;
  if (left.isContainer() || right.isContainer())
    return false;
  auto ones = left.getElements(), others = right.getElements();
  return left.getKind() == right.getKind() && left.getConstant() == right.getConstant() &&
         left.getOrigin() == right.getOrigin() && left.getTensor() == right.getTensor() &&
         ones.size() == others.size() &&
         llvm::all_of(llvm::zip(ones, others), [](auto pair) { return isSame(std::get<0>(pair), std::get<1>(pair)); });
}

} // namespace plumb::specialize
