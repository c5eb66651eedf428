// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Construction, flattening, signatures and wording of abstract values.

#include "compiler/specialize/tensors/AbstractValue.h"
#include "compiler/specialize/tensors/WeakTypes.h"

#include "dialects/net/ir/NetBase.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/SmallVectorExtras.h"
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

AbstractValue AbstractValue::getDictionary(const Keys &keys, ArrayRef<AbstractValue> elements, ArrayAttr mark) {
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

bool AbstractValue::isBound() const {
  return kind == Kind::Method || (isConstant() && llvm::isa_and_nonnull<net::MethodAttr>(constant));
}

bool AbstractValue::reaches(const AbstractValue &container) const {
  if (isContainer() && getIdentity() == container.getIdentity())
    return true;
  return (isSequence() || isContainer() || isBound()) &&
         llvm::any_of(getParts(), [&](const AbstractValue &part) { return part.reaches(container); });
}

void AbstractValue::setElements(ArrayRef<AbstractValue> elements, const Keys &keys) const {
  // The new ones may be some of the old.
  std::vector<AbstractValue> fresh(elements.begin(), elements.end());
  shared->elements = std::move(fresh);
  ++shared->stores;
  if (keys)
    shared->keys = keys;
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

AbstractValue AbstractValue::withParts(function_ref<AbstractValue(const AbstractValue &)> replace) const {
  AbstractValue value = withElements(llvm::map_to_vector(getElements(), replace));
  if (!getKeyObjects().empty())
    value.shared->keys = getKeys().withObjects(llvm::map_to_vector(getKeyObjects(), replace));
  return value;
}

AbstractValue AbstractValue::getSlice(ArrayRef<AbstractValue> bounds) {
  return AbstractValue(Kind::Slice, Attribute(), bounds);
}

AbstractValue AbstractValue::getMethod(AbstractValue receiver, StringAttr name) {
  return AbstractValue(Kind::Method, name, receiver).setOrigin(makeOrigin());
}

AbstractValue AbstractValue::getBound(Attribute method) {
  return AbstractValue(Kind::Constant, method, {}).setOrigin(makeOrigin());
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
  walkParts([&](const AbstractValue &part) { part.walkTensors(visit); });
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
  return withParts([&](const AbstractValue &part) { return part.withTensors(tensors); });
}

void AbstractValue::walkTensors(unsigned depth, function_ref<void(Value)> visit) const {
  if (isTensor())
    return visit(tensor);
  if (!isOutside(depth))
    walkParts([&](const AbstractValue &part) { part.walkTensors(depth, visit); });
}

AbstractValue AbstractValue::withTensors(ValueRange &tensors, unsigned depth) const {
  if (isTensor() || !shared)
    return withTensors(tensors);
  if (isOutside(depth))
    return *this;
  return withParts([&](const AbstractValue &part) { return part.withTensors(tensors, depth); });
}

AbstractValue AbstractValue::withTensors(ValueRange &tensors, unsigned depth, Containers &known) const {
  if (isTensor() || !shared)
    return withTensors(tensors);
  if (isOutside(depth))
    return *this;
  AbstractValue copy = withParts([&](const AbstractValue &part) { return part.withTensors(tensors, depth, known); });
  if (!isContainer())
    return copy;
  auto [found, isNew] = known.try_emplace(getIdentity(), copy);
  if (isNew && isGrowable()) {
    copy.growableAt(depth);
    copy.shared->stores = shared->stores;
  }
  return found->second;
}

void AbstractValue::walkTensors(Containers &known, function_ref<void(Value)> visit) const {
  if (isTensor())
    return visit(tensor);
  if ((isClosure() && known.contains(getIdentity())) ||
      (isContainer() && !known.try_emplace(getIdentity(), *this).second))
    return;
  walkParts([&](const AbstractValue &part) { part.walkTensors(known, visit); });
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
  auto relocate = [&](const AbstractValue &part) { return part.relocated(tensors, known, depth, growable); };
  for (const AbstractValue &element : getElements())
    copy.shared->elements.push_back(relocate(element));
  if (!getKeyObjects().empty())
    copy.shared->keys = getKeys().withObjects(llvm::map_to_vector(getKeyObjects(), relocate));
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
  if (auto origin = getObjectNumber())
    parts.push_back(IntegerAttr::get(number, seen.getNumber(*origin)));
  if (isDictionary() && !getKeys().hasObjects())
    parts.push_back(getKeys().getForms());
  if (constant)
    parts.push_back(constant);
  if (isIterator()) // It is told by whether what it goes through has changed since.
    for (const AbstractValue &record : getElements().front().getElements())
      parts.push_back(IntegerAttr::get(number, record.getElements().front().countStores()));
  walkParts([&](const AbstractValue &part) { parts.push_back(part.getSignature(context, seen)); });
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
  auto *areAlike = left.isBound() ? isSame : isIdentical; // Methods of equal lists are those of two lists.
  return llvm::all_of(llvm::zip(left.getElements(), right.getElements()),
                      [&](auto pair) { return areAlike(std::get<0>(pair), std::get<1>(pair)); });
}

bool isSame(const AbstractValue &left, const AbstractValue &right) {
  if (left.getIdentity() && left.getIdentity() == right.getIdentity())
    return true;
  if (left.isContainer() || right.isContainer())
    return false;
  auto ones = left.getElements(), others = right.getElements();
  return left.getKind() == right.getKind() && left.getConstant() == right.getConstant() &&
         left.getObjectNumber() == right.getObjectNumber() && left.getTensor() == right.getTensor() &&
         ones.size() == others.size() &&
         llvm::all_of(llvm::zip(ones, others), [](auto pair) { return isSame(std::get<0>(pair), std::get<1>(pair)); });
}

} // namespace plumb::specialize
