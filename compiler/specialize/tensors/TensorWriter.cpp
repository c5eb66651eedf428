// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Typed operations, and abstract values as tensors: parameters are read, constants written down, numbers become tensors
// of rank 0.

#include "compiler/specialize/tensors/TensorWriter.h"
#include "compiler/specialize/tensors/Reports.h"
#include "compiler/specialize/tensors/WeakTypes.h"

#include "dialects/net/ir/NetBase.h"
#include "dialects/net/ir/NetConstantOps.h"
#include "dialects/net/ir/NetStateOps.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Regex.h"

using namespace mlir;

namespace plumb::specialize {

ArrayRef<int64_t> shapeOf(Value value) { return llvm::cast<RankedTensorType>(value.getType()).getShape(); }

/// The typed primitive of that name; says which is near if there is none.
const net::PrimitiveInfo *TensorWriter::getPrimitive(Location location, StringRef name) {
  if (const net::PrimitiveInfo *info = net::lookupPrimitive(context(), name))
    return info;
  auto diagnostic = error(location) << "the operator '" << name << "' is not offered in compiled functions";
  StringRef similar = context()->getOrLoadDialect<net::NetDialect>()->getPrimitives().findSimilar(name);
  if (!similar.empty())
    diagnostic << "; did you mean '" << similar << "'?";
  return nullptr;
}

/// The elements that a type constraint of an op asks for, in a user's words.
static StringRef describeElements(StringRef constraint) {
  bool floats = constraint.contains("floating-point");
  bool integers = constraint.contains("integer");
  bool others = constraint.contains("8-bit") || constraint.contains("32-bit");
  bool complex = constraint.contains("complex");
  if (floats && !integers)
    return "a tensor of floats";
  if (complex && !integers)
    return "a tensor of complex numbers";
  if (floats && !complex)
    return "a tensor of real numbers";
  if (constraint.contains("1-bit signless integer") && !others)
    return "a tensor of booleans";
  return integers && !floats ? "a tensor of integers" : "another tensor";
}

/// Says of a primitive's operand `number` that it is not what the op's
/// definition asks for: which argument, its type, and the way round.
static std::string describeWrongOperand(const net::PrimitiveInfo &primitive, unsigned number, Type type,
                                        StringRef constraint) {
  StringRef name = "x";
  for (const net::PrimitiveParam &param : primitive.params) {
    if (param.kind != net::ParamKind::Tensor && param.kind != net::ParamKind::VariadicTensor)
      continue;
    name = param.name;
    if (param.kind == net::ParamKind::VariadicTensor || number-- == 0)
      break;
  }
  StringRef wanted = describeElements(constraint);
  std::string text = ("TypeError: the argument '" + name + "' of " + primitive.name + "() must be " + wanted +
                      ", but it is a tensor of " + describeType(type))
                         .str();
  if (wanted == "a tensor of floats")
    text += "; convert it before, for example with "
            "x.astype(mindspore.float32)";
  else if (wanted == "a tensor of integers")
    text += "; convert it before, for example with x.astype(mindspore.int32)";
  else if (wanted == "a tensor of booleans")
    text += "; compare it before, for example with x != 0";
  return text;
}

Result TensorWriter::emit(Location location, const net::PrimitiveInfo &primitive, ArrayRef<Value> operands,
                          ArrayRef<NamedAttribute> attributes) {
  // Operands that the op's definition does not admit, in the op's own words.
  static const llvm::Regex wrongOperand("operand #([0-9]+) must be (.*), but got");
  // Others are about shapes, unless they name a class themselves.
  static const llvm::Regex named("^[A-Z][A-Za-z]*(Error|Interrupt): ");
  std::string wrong;
  FailureOr<Operation *> op;
  {
    ScopedDiagnosticHandler handler(context(), [&](Diagnostic &diagnostic) {
      SmallVector<StringRef> parts;
      std::string text = diagnostic.str();
      unsigned number = 0;
      if (!wrongOperand.match(text, &parts) || parts[1].getAsInteger(10, number) || number >= operands.size()) {
        if (diagnostic.getSeverity() != DiagnosticSeverity::Error || named.match(text) || !wrong.empty())
          return failure();
        wrong = "ValueError: " + text;
        return success();
      }
      wrong = describeWrongOperand(primitive, number, operands[number].getType(), parts[2]);
      return success();
    });
    op = net::buildPrimitive(builder, location, primitive, operands, attributes);
  }
  if (!wrong.empty())
    return error(location) << wrong;
  if (failed(op))
    return failure();
  if ((*op)->getNumResults() == 0)
    return none();
  if ((*op)->getNumResults() == 1)
    return AbstractValue::getTensor((*op)->getResult(0));
  SmallVector<AbstractValue> results;
  for (Value result : (*op)->getResults())
    results.push_back(AbstractValue::getTensor(result));
  return AbstractValue::getTuple(results);
}

Result TensorWriter::emit(Location location, StringRef primitive, ArrayRef<Value> operands,
                          ArrayRef<NamedAttribute> attributes) {
  const net::PrimitiveInfo *info = getPrimitive(location, primitive);
  if (!info)
    return failure();
  return emit(location, *info, operands, attributes);
}

FailureOr<Value> TensorWriter::emitValue(Location location, StringRef primitive, ArrayRef<Value> operands,
                                         ArrayRef<NamedAttribute> attributes) {
  Result result = emit(location, primitive, operands, attributes);
  if (failed(result))
    return failure();
  return result->getTensor();
}

FailureOr<Value> TensorWriter::reshape(Location location, Value value, ArrayRef<int64_t> shape) {
  if (shapeOf(value) == shape)
    return value;
  return emitValue(location, "reshape", value, builder.getNamedAttr("shape", builder.getDenseI64ArrayAttr(shape)));
}

FailureOr<Value> TensorWriter::broadcast(Location location, Value value, ArrayRef<int64_t> shape) {
  if (shapeOf(value) == shape)
    return value;
  return emitValue(location, "broadcast_to", value, builder.getNamedAttr("shape", builder.getDenseI64ArrayAttr(shape)));
}

FailureOr<Value> TensorWriter::transpose(Location location, Value value, ArrayRef<int64_t> order) {
  if (llvm::equal(order, llvm::seq<int64_t>(0, order.size())))
    return value;
  return emitValue(location, "transpose", value, builder.getNamedAttr("perm", builder.getDenseI64ArrayAttr(order)));
}

/// The rows of `value` along `axis` that `indices` names; with `wrap` negative numbers count from the end.
FailureOr<Value> TensorWriter::gather(Location location, Value value, Value indices, int64_t axis, bool wrap) {
  SmallVector<NamedAttribute> attributes = {builder.getNamedAttr("axis", builder.getI64IntegerAttr(axis))};
  if (wrap)
    attributes.push_back(builder.getNamedAttr("wrap", builder.getUnitAttr()));
  return emitValue(location, "gather", {value, indices}, attributes);
}

Value TensorWriter::makeNumbers(Location location, ArrayRef<int64_t> numbers) {
  auto type = RankedTensorType::get({int64_t(numbers.size())}, builder.getI64Type());
  return makeConstant(location, DenseElementsAttr::get(type, numbers));
}

/// The name of an element type that programs may also call as NumPy does.
static StringRef getCommonName(StringRef name) {
  return llvm::StringSwitch<StringRef>(name)
      .Case("byte", "int8")
      .Case("short", "int16")
      .Case("intc", "int32")
      .Cases({"int", "int_", "intp"}, "int64")
      .Case("ubyte", "uint8")
      .Case("ushort", "uint16")
      .Case("uintc", "uint32")
      .Cases({"uint", "uintp"}, "uint64")
      .Case("half", "float16")
      .Case("single", "float32")
      .Cases({"float", "float_", "double"}, "float64")
      .Default(name);
}

Type TensorWriter::getDType(const AbstractValue &value) {
  if (auto type = value.getAs<TypeAttr>())
    return type.getValue();
  if (isForeign(value)) { // numpy.float32
    Result type = live.ask(builder.getUnknownLoc(), "dtype", {{value}, {}});
    auto known = succeeded(type) ? type->getAs<TypeAttr>() : TypeAttr();
    return known ? known.getValue() : Type();
  }
  StringRef name;
  std::string lower;
  if (auto text = value.getAs<StringAttr>())
    name = getCommonName(lower = text.getValue().lower());
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

Value TensorWriter::makeConstant(Location location, DenseElementsAttr elements) {
  return net::ConstantOp::create(builder, location, elements);
}

Value TensorWriter::makeScalar(Location location, Number number, Type elementType) {
  return makeConstant(
      location, DenseElementsAttr::get(RankedTensorType::get({}, elementType), makeNumberAttr(number, elementType)));
}

/// The value as a tensor. `elementType` is what a number becomes; a float that
/// is wanted as an integer becomes f32 instead of losing its fraction.
FailureOr<Value> TensorWriter::toTensor(Location location, const AbstractValue &value, Type elementType) {
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
    Result constant = live.askTensor(location, value);
    if (failed(constant))
      return failure();
    if (auto elements = constant->getAs<DenseElementsAttr>())
      return makeConstant(location, elements);
    if (getNumber(*constant))
      return toTensor(location, *constant, elementType);
  }
  return error(location) << "TypeError: expected a tensor, but got " << value.describe();
}

FailureOr<Value> TensorWriter::cast(Location location, Value value, Type elementType) {
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

FailureOr<DenseElementsAttr> TensorWriter::makeElements(Location location, const AbstractValue &value,
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

static unsigned countTensors(const AbstractValue &value) {
  unsigned count = 0;
  value.walkTensors([&](Value) { ++count; });
  return count;
}

LogicalResult TensorWriter::readParameters(Location location, MutableArrayRef<AbstractValue> values) {
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

/// Writes a parameter; numbers and narrower floats are converted, shapes are not.
LogicalResult TensorWriter::assign(Location location, FlatSymbolRefAttr parameter, const AbstractValue &value) {
  auto declared = symbols.lookup<net::ParameterOp>(parameter.getValue());
  auto type = llvm::cast<RankedTensorType>(declared.getType());
  auto tensor = toTensor(location, value, type.getElementType());
  if (failed(tensor))
    return failure();
  auto converted = cast(location, *tensor, type.getElementType());
  if (failed(converted))
    return failure();
  auto given = llvm::cast<RankedTensorType>(converted->getType());
  if (given != type && given.getRank() == 0) {
    Result filled = emit(location, "broadcast_to", *converted,
                         builder.getNamedAttr("shape", builder.getDenseI64ArrayAttr(type.getShape())));
    if (failed(filled))
      return failure();
    converted = filled->getTensor();
  }
  if (converted->getType() != type) {
    auto diagnostic = error(location) << "cannot assign a tensor of " << describeType(given) << " to the Parameter '"
                                      << parameter.getValue() << "' of " << describeType(type);
    diagnostic.attachNote(declared.getLoc()) << "the Parameter is made here";
    return diagnostic;
  }
  net::AssignOp::create(builder, location, parameter.getValue(), *converted);
  return success();
}

} // namespace plumb::specialize
