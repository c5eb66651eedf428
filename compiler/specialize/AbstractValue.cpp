// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Construction, flattening, signatures and wording of abstract values.

#include "compiler/specialize/AbstractValue.h"

#include "dialects/net/ir/NetBase.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace plumb::specialize {

AbstractValue::AbstractValue(Kind kind, Attribute constant,
                             ArrayRef<AbstractValue> elements)
    : kind(kind), constant(constant), shared(std::make_shared<Shared>()) {
  shared->elements.assign(elements.begin(), elements.end());
}

AbstractValue AbstractValue::getTensor(Value tensor) {
  AbstractValue value;
  value.kind = Kind::Tensor;
  value.tensor = tensor;
  return value;
}

/// Arrays and dictionaries become containers, so that the interpreter sees one
/// form of each whatever its origin.
AbstractValue AbstractValue::getConstant(Attribute constant) {
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

AbstractValue AbstractValue::getTuple(ArrayRef<AbstractValue> elements) {
  return AbstractValue(Kind::Sequence, Attribute(), elements);
}

AbstractValue AbstractValue::getList(ArrayRef<AbstractValue> elements,
                                     unsigned depth) {
  AbstractValue value = getTuple(elements);
  value.shared->growable = true;
  value.shared->depth = depth;
  return value;
}

AbstractValue AbstractValue::getDictionary(ArrayAttr keys,
                                           ArrayRef<AbstractValue> elements) {
  return AbstractValue(Kind::Dictionary, keys, elements);
}

AbstractValue AbstractValue::getSlice(ArrayRef<AbstractValue> bounds) {
  return AbstractValue(Kind::Slice, Attribute(), bounds);
}

AbstractValue AbstractValue::getMethod(AbstractValue receiver,
                                       StringAttr name) {
  return AbstractValue(Kind::Method, name, receiver);
}

AbstractValue AbstractValue::getGradient(AbstractValue function,
                                         DictionaryAttr options) {
  return AbstractValue(Kind::Gradient, options, function);
}

AbstractValue AbstractValue::getChoice(ArrayRef<AbstractValue> elements) {
  return AbstractValue(Kind::Choice, Attribute(), elements);
}

AbstractValue AbstractValue::getUndefined(MLIRContext *context,
                                          const Twine &why,
                                          ArrayRef<Location> notes) {
  AbstractValue value;
  SmallVector<Attribute> parts = {StringAttr::get(context, why)};
  for (Location note : notes)
    parts.push_back(LocationAttr(note));
  value.constant = ArrayAttr::get(context, parts);
  return value;
}

void AbstractValue::append(AbstractValue element) const {
  assert(isGrowable() && "only a growable list can be appended to");
  shared->elements.push_back(std::move(element));
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
  return AbstractValue(kind, constant, elements);
}

Attribute AbstractValue::getSignature(MLIRContext *context) const {
  SmallVector<Attribute> parts;
  parts.push_back(
      IntegerAttr::get(IntegerType::get(context, 8), static_cast<int>(kind)));
  if (isTensor())
    parts.push_back(TypeAttr::get(tensor.getType()));
  if (constant)
    parts.push_back(constant);
  for (const AbstractValue &element : getElements())
    parts.push_back(element.getSignature(context));
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
  stream << (tensor.getRank() == 1 ? ",) of " : ") of ")
         << tensor.getElementType();
  return text;
}

std::string describeConstant(Attribute constant) {
  return TypeSwitch<Attribute, std::string>(constant)
      .Case<BoolAttr>([](BoolAttr value) {
        return value.getValue() ? "the bool True" : "the bool False";
      })
      .Case<IntegerAttr>([](IntegerAttr value) {
        return "the int " + std::to_string(value.getInt());
      })
      .Case<FloatAttr>([](FloatAttr value) {
        std::string text;
        llvm::raw_string_ostream(text)
            << "the float " << llvm::format("%g", value.getValueAsDouble());
        return text;
      })
      .Case<StringAttr>([](StringAttr value) {
        return "the string '" + value.getValue().str() + "'";
      })
      .Case<TypeAttr>([](TypeAttr value) {
        return "the dtype " + describeType(value.getValue());
      })
      .Case<DenseElementsAttr>([](DenseElementsAttr value) {
        return "a constant tensor of " + describeType(value.getType());
      })
      .Case<FlatSymbolRefAttr>([](FlatSymbolRefAttr value) {
        return "'" + value.getValue().str() + "'";
      })
      .Case<net::NoneAttr>([](Attribute) { return "None"; })
      .Case<net::PrimitiveAttr>([](net::PrimitiveAttr value) {
        return "the operator '" + value.getName().str() + "'";
      })
      .Case<net::MethodAttr>([](net::MethodAttr value) {
        return "the method '" + value.getFunction().getValue().str() + "'";
      })
      .Default([](Attribute) { return "a gradient function"; });
}

std::string AbstractValue::describe() const {
  switch (kind) {
  case Kind::Undefined:
    return "an undefined value";
  case Kind::Tensor:
    return "a tensor of " + describeType(tensor.getType());
  case Kind::Constant:
    return describeConstant(constant);
  case Kind::Sequence:
    return "a tuple of " + std::to_string(getElements().size()) + " values";
  case Kind::Dictionary:
    return "a dict";
  case Kind::Slice:
    return "a slice";
  case Kind::Method:
    return "the method '" + cast<StringAttr>(constant).getValue().str() + "'";
  case Kind::Gradient:
    return "a gradient function";
  case Kind::Choice:
    return "one of " + std::to_string(getElements().size() - 1) + " functions, chosen by a tensor";
  }
  return "a value";
}

} // namespace plumb::specialize
