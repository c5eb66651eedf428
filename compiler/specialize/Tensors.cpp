// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Abstract values as tensors: parameters are read, constants written down,
// numbers become tensors of rank 0.

#include "compiler/specialize/Interpreter.h"
#include "compiler/specialize/WeakTypes.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace plumb::specialize {

net::ParameterOp Interpreter::getParameter(const AbstractValue &value) {
  auto symbol = value.getAs<FlatSymbolRefAttr>();
  return symbol ? symbols.lookup<net::ParameterOp>(symbol.getValue()) : net::ParameterOp();
}

bool Interpreter::isTensorLike(const AbstractValue &value) { return value.getTensorType() || getParameter(value); }

RankedTensorType Interpreter::getTypeOf(const AbstractValue &value) {
  if (net::ParameterOp parameter = getParameter(value))
    return llvm::cast<RankedTensorType>(parameter.getType());
  return value.getTensorType();
}

Type Interpreter::getDType(const AbstractValue &value) {
  if (auto type = value.getAs<TypeAttr>())
    return type.getValue();
  if (isForeign(value)) { // numpy.float32
    Result type = ask(builder.getUnknownLoc(), "dtype", {{value}, {}});
    auto known = succeeded(type) ? type->getAs<TypeAttr>() : TypeAttr();
    return known ? known.getValue() : Type();
  }
  StringRef name;
  if (auto text = value.getAs<StringAttr>())
    name = text.getValue();
  else if (auto primitive = value.getAs<net::PrimitiveAttr>())
    name = primitive.getName();
  return llvm::StringSwitch<Type>(name)
      .Cases({"float32", "builtins.float"}, builder.getF32Type())
      .Case("float64", builder.getF64Type())
      .Case("float16", builder.getF16Type())
      .Case("bfloat16", builder.getBF16Type())
      .Case("int8", builder.getIntegerType(8))
      .Case("int16", builder.getIntegerType(16))
      .Case("int32", builder.getI32Type())
      .Cases({"int64", "builtins.int"}, builder.getI64Type())
      .Case("uint8", builder.getIntegerType(8, /*isSigned=*/false))
      .Case("uint16", builder.getIntegerType(16, /*isSigned=*/false))
      .Case("uint32", builder.getIntegerType(32, /*isSigned=*/false))
      .Case("uint64", builder.getIntegerType(64, /*isSigned=*/false))
      .Case("complex64", ComplexType::get(builder.getF32Type()))
      .Cases({"complex128", "builtins.complex"}, ComplexType::get(builder.getF64Type()))
      .Cases({"bool", "bool_", "builtins.bool"}, builder.getI1Type())
      .Default(Type());
}

static Attribute makeNumberAttr(const Number &number, Type elementType) {
  if (auto complex = dyn_cast<ComplexType>(elementType)) {
    Type part = complex.getElementType();
    return ArrayAttr::get(part.getContext(), {FloatAttr::get(part, number.asReal()), FloatAttr::get(part, 0)});
  }
  if (isa<FloatType>(elementType))
    return FloatAttr::get(elementType, number.asReal());
  int64_t whole = number.kind == Number::Float ? int64_t(number.real) : number.integer;
  unsigned width = elementType.getIntOrFloatBitWidth();
  if (width == 1)
    whole = number.asReal() != 0;
  return IntegerAttr::get(elementType, APInt(width, whole, /*isSigned=*/true,
                                             /*implicitTrunc=*/true));
}

Value Interpreter::makeConstant(Location location, DenseElementsAttr elements) {
  return net::ConstantOp::create(builder, location, elements);
}

Value Interpreter::makeScalar(Location location, Number number, Type elementType) {
  return makeConstant(
      location, DenseElementsAttr::get(RankedTensorType::get({}, elementType), makeNumberAttr(number, elementType)));
}

/// The value as a tensor. `elementType` is what a number becomes; a float that
/// is wanted as an integer becomes f32 instead of losing its fraction.
FailureOr<Value> Interpreter::toTensor(Location location, const AbstractValue &value, Type elementType) {
  if (value.isTensor())
    return value.getTensor();
  if (net::ParameterOp parameter = getParameter(value)) {
    std::string size = describeImpossibleSize(parameter.getType());
    if (!size.empty())
      return error(location) << "the parameter '" << parameter.getSymName() << "' " << size;
    return net::ReadOp::create(builder, location, parameter.getType(), parameter.getSymName()).getValue();
  }
  if (auto elements = value.getAs<DenseElementsAttr>())
    return makeConstant(location, elements);
  if (value.isConstant())
    if (auto number = getNumber(value.getConstant())) {
      Type natural = getDefaultElementType(context(), number->kind);
      bool lossy = elementType && number->kind == Number::Float && !isa<FloatType, ComplexType>(elementType);
      Value tensor = makeScalar(location, *number, elementType && !lossy ? elementType : natural);
      markWeak(tensor);
      return tensor;
    }
  if (isForeign(value)) {
    Result constant = askTensor(location, value);
    if (failed(constant))
      return failure();
    if (auto elements = constant->getAs<DenseElementsAttr>())
      return makeConstant(location, elements);
  }
  return error(location) << "TypeError: expected a tensor, but got " << value.describe();
}

static unsigned countTensors(const AbstractValue &value) {
  unsigned count = 0;
  value.walkTensors([&](Value) { ++count; });
  return count;
}

LogicalResult Interpreter::readParameters(Location location, MutableArrayRef<AbstractValue> values) {
  for (AbstractValue &value : values) {
    net::ParameterOp parameter = getParameter(value);
    if (parameter && !isa<IntegerType>(getElementTypeOrSelf(parameter.getType()))) {
      auto tensor = toTensor(location, value);
      if (failed(tensor))
        return failure();
      value = AbstractValue::getTensor(*tensor);
    }
    if (!value.isSequence() && !value.isDictionary())
      continue;
    SmallVector<AbstractValue> elements(value.getElements());
    if (failed(readParameters(location, elements)))
      return failure();
    // One that holds no Parameter stays the same object.
    AbstractValue read = value.withElements(elements);
    if (countTensors(read) != countTensors(value))
      value = read;
  }
  return success();
}

FailureOr<Value> Interpreter::cast(Location location, Value value, Type elementType) {
  if (getElementTypeOrSelf(value) == elementType)
    return value;
  Result converted = emit(location, "cast", value, builder.getNamedAttr("dtype", TypeAttr::get(elementType)));
  if (failed(converted))
    return failure();
  return converted->getTensor();
}

/// Flattens nested sequences of numbers into `numbers`; false if ragged.
static bool collectNumbers(const AbstractValue &value, unsigned axis, SmallVectorImpl<int64_t> &shape,
                           SmallVectorImpl<Number> &numbers) {
  if (!value.isSequence()) {
    auto number = getNumber(value);
    if (!number || axis != shape.size())
      return false;
    numbers.push_back(*number);
    return true;
  }
  int64_t size = value.getElements().size();
  if (axis == shape.size() && numbers.empty())
    shape.push_back(size);
  if (axis >= shape.size() || shape[axis] != size)
    return false;
  return llvm::all_of(value.getElements(),
                      [&](const AbstractValue &element) { return collectNumbers(element, axis + 1, shape, numbers); });
}

FailureOr<DenseElementsAttr> Interpreter::makeElements(Location location, const AbstractValue &value,
                                                       Type elementType) {
  SmallVector<int64_t> shape;
  SmallVector<Number> numbers;
  if (!collectNumbers(value, 0, shape, numbers))
    return errorOn(location, value) << "TypeError: a tensor can only be made from numbers in "
                                    << "evenly nested tuples, known while compiling";
  Number::Kind kind = Number::Bool;
  for (const Number &number : numbers)
    kind = std::max(kind, number.kind);
  if (!elementType)
    elementType = getDefaultElementType(context(), numbers.empty() ? Number::Float : kind);
  SmallVector<Attribute> attributes;
  for (const Number &number : numbers)
    attributes.push_back(makeNumberAttr(number, elementType));
  return DenseElementsAttr::get(RankedTensorType::get(shape, elementType), attributes);
}

} // namespace plumb::specialize
