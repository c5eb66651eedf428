// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The keys of dicts. A constant is its own form as a key, a tuple of them an array. What the interpreter tells by which
// object it is has a form that no constant has:
//
//   an inner function               #net.primitive<"function", {number = 7 : i64}>
//   a method of a list, dict, set   #net.primitive<"method", {name = "append", of = 94… : i64}>  the identity
//   a frozenset of such             #net.primitive<"frozenset", {items = […]}>                  in one order
//
// A method that is bound to an object of the program's is a constant. Two evaluations of `object.method` are equal
// keys, though not one object: the key that is there first stays, as in CPython.

#include "compiler/specialize/tensors/AbstractValue.h"

#include "dialects/net/ir/NetBase.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;

namespace plumb::specialize {

using Kind = AbstractValue::Kind;

static Attribute makeForm(MLIRContext *context, StringRef kind, ArrayRef<NamedAttribute> parts) {
  return net::PrimitiveAttr::get(context, kind, DictionaryAttr::get(context, parts));
}

/// The forms of the items of a tuple or frozenset; nothing where one has none.
static std::optional<SmallVector<Attribute>> getForms(MLIRContext *context, ArrayRef<AbstractValue> items) {
  auto forms = llvm::map_to_vector(items, [&](const AbstractValue &item) { return item.getKey(context); });
  return llvm::is_contained(forms, Attribute()) ? std::nullopt : std::optional(std::move(forms));
}

/// The items in an order that does not depend on that in which they stand in the frozenset.
static Attribute makeFormOfSet(Builder builder, SmallVector<Attribute> items) {
  auto print = [](Attribute item) {
    std::string text;
    llvm::raw_string_ostream(text) << item;
    return text;
  };
  llvm::sort(items, [&](Attribute one, Attribute other) { return print(one) < print(other); });
  return makeForm(builder.getContext(), "frozenset", builder.getNamedAttr("items", builder.getArrayAttr(items)));
}

/// Of a container that was made outside, or that a tensor has chosen, and of what is no container, nobody knows whether
/// another method is one of the same object.
static Attribute makeFormOfMethod(Builder builder, const AbstractValue &method) {
  const AbstractValue &object = method.getElements().front();
  if (!object.isContainer() || !object.isGrowable())
    return {};
  auto identity = builder.getI64IntegerAttr(reinterpret_cast<intptr_t>(object.getIdentity()));
  return makeForm(builder.getContext(), "method",
                  {builder.getNamedAttr("name", method.getConstant()), builder.getNamedAttr("of", identity)});
}

Attribute AbstractValue::getKey(MLIRContext *context) const {
  Builder builder(context);
  if (auto origin = getOrigin())
    return makeForm(context, "function", builder.getNamedAttr("number", builder.getI64IntegerAttr(*origin)));
  if (isConstant())
    return constant;
  if (kind == Kind::Method)
    return makeFormOfMethod(builder, *this);
  if (kind != Kind::Sequence && !isFrozenSet())
    return {};
  auto forms = plumb::specialize::getForms(context, getElements());
  if (!forms)
    return {};
  return isFrozenSet() ? makeFormOfSet(builder, *forms) : builder.getArrayAttr(*forms);
}

/// Whether the form tells all of a key.
static bool isConstantKey(const AbstractValue &key) {
  bool isPlainTuple = key.getKind() == Kind::Sequence && !key.getConstant();
  return isPlainTuple ? llvm::all_of(key.getElements(), isConstantKey) : key.isConstant() && !key.getIdentity();
}

Keys::Keys(ArrayAttr forms, ArrayRef<AbstractValue> values) : forms(forms) {
  if (!llvm::all_of(values, isConstantKey))
    objects = std::make_shared<const std::vector<AbstractValue>>(values.begin(), values.end());
}

std::optional<Keys> Keys::get(MLIRContext *context, ArrayRef<AbstractValue> values) {
  auto forms = plumb::specialize::getForms(context, values);
  return forms ? std::optional(Keys(ArrayAttr::get(context, *forms), values)) : std::nullopt;
}

std::vector<AbstractValue> Keys::getValues() const {
  if (objects)
    return *objects;
  std::vector<AbstractValue> values;
  for (Attribute form : forms)
    values.push_back(AbstractValue::getConstant(form));
  return values;
}

ArrayRef<AbstractValue> Keys::getObjects() const { return objects ? ArrayRef(*objects) : ArrayRef<AbstractValue>(); }

Keys Keys::withObjects(ArrayRef<AbstractValue> others) const {
  auto keys = get(forms.getContext(), others);
  return keys ? *keys : Keys(forms, others);
}

Keys Keys::with(const AbstractValue &key, Attribute form) const {
  SmallVector<Attribute> all(forms.begin(), forms.end());
  all.push_back(form);
  ArrayAttr attribute = ArrayAttr::get(forms.getContext(), all);
  if (!objects && isConstantKey(key))
    return attribute;
  std::vector<AbstractValue> values = getValues();
  values.push_back(key);
  return Keys(attribute, values);
}

Keys Keys::without(size_t place) const {
  SmallVector<Attribute> all(forms.begin(), forms.end());
  all.erase(all.begin() + place);
  ArrayAttr attribute = ArrayAttr::get(forms.getContext(), all);
  if (!objects)
    return attribute;
  std::vector<AbstractValue> values = *objects;
  values.erase(values.begin() + place);
  return Keys(attribute, values);
}

} // namespace plumb::specialize
