// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of primitives. Most are typed ops of the net dialect: their table says
// which parameters are tensors and which are attributes, so one routine binds
// and builds them all. The few that deal with state or with what is known while
// compiling are handled by name.

#include "compiler/specialize/interpreter/Primitives.h"
#include "compiler/specialize/interpreter/Interpreter.h"

#include "dialects/net/ir/Folding.h"
#include "dialects/net/ir/NetMathOps.h"
#include "dialects/net/ir/NetStateOps.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace mlir;

namespace plumb::specialize {

/// Arguments of an operation, in which a member of an enum of numbers is the number.
static Arguments getPlain(const Arguments &arguments,
                          llvm::function_ref<AbstractValue(const AbstractValue &)> convert) {
  Arguments plain = arguments;
  for (AbstractValue &value : plain.positional)
    value = convert(value);
  for (auto &entry : plain.keywords)
    entry.second = convert(entry.second);
  return plain;
}

/// Calls a primitive that is no operation of the net dialect with what the table says: nothing for others.
std::optional<Result> Primitives::callByName(Location location, net::PrimitiveAttr primitive,
                                             const Arguments &arguments) {
  StringRef name = primitive.getName();
  if (name == "assign" || name == "assign_add" || name == "assign_sub")
    return callAssign(location, name, arguments);
  if (name == "grad_operation")
    return interpreter.gradients.make(location, primitive, arguments);
  if (name == "grad" || name == "value_and_grad")
    return interpreter.gradients.makeFunction(location, name == "value_and_grad", arguments);
  if (name == "print")
    return callPrint(location, arguments);
  if (name == "custom_call")
    return callNativeFunction(location, primitive, arguments);
  if (name == "custom_body")
    return callBody(location, primitive, arguments);
  if (name == "depend") // Effects keep program order, and the second argument's have been written.
    return failed(checkCount(location, name, arguments, 2, 2)) ? Result(failure()) : arguments.positional.front();
  if (isQuery(name))
    return callQuery(location, name, arguments);
  if (name == "reduce_sum" || name == "reduce_prod" || name == "reduce_mean")
    return callReduction(location, primitive, arguments);
  return std::nullopt;
}

/// Calls a primitive that promotes its arguments as an operator does: nothing for others.
std::optional<Result> Primitives::callAsOperator(Location location, StringRef name, const Arguments &arguments) {
  ArrayRef<AbstractValue> values = arguments.positional;
  if (name == "invert" && values.size() == 1)
    return callInvert(location, values[0]);
  if (name == "select" && values.size() == 3)
    return callSelect(location, arguments);
  bool isComplexAbs = name == "abs" && !values.empty() && isTensorLike(values[0]) &&
                      net::isComplexType(getTypeOf(values[0]).getElementType());
  if (isComplexAbs)
    return callComplexAbs(location, arguments);
  std::optional<StringRef> symbol = getOperatorOf(name);
  if (!symbol || values.size() != 2 || !arguments.keywords.empty())
    return std::nullopt;
  if (isForeign(values[0]) || isForeign(values[1]))
    return interpreter.operators.applyForeign(location, *symbol, values[0], values[1]);
  return arithmetic.apply(location, *symbol, values[0], values[1]);
}

Result Primitives::call(Location location, net::PrimitiveAttr primitive, const Arguments &given) {
  StringRef name = primitive.getName();
  if (name.consume_front("builtins."))
    return interpreter.builtins.call(location, name, given);
  Arguments arguments = getPlain(given, [&](const AbstractValue &value) { return asNumbers(value); });
  if (isLive() && name.starts_with("math."))
    return live.askCall(location, AbstractValue::getConstant(primitive), arguments);
  if (name.consume_front("math."))
    return interpreter.numberBuiltins.callMath(location, name, arguments);
  if (std::optional<Result> result = callByName(location, primitive, arguments))
    return *result;
  if (std::optional<Result> result = callAsOperator(location, name, arguments))
    return *result;
  const net::PrimitiveInfo *info = writer.getPrimitive(location, name);
  if (!info)
    return failure();
  return callTypedPrimitive(location, *info, primitive.getConfig(), arguments);
}

/// The complement of the bits, which is not ~ of MindSpore's tensors.
Result Primitives::callInvert(Location location, const AbstractValue &value) {
  if (!isTensorLike(value))
    return interpreter.operators.applyUnary(location, "invert", value);
  auto tensor = writer.toTensor(location, value);
  return failed(tensor) ? Result(failure()) : arithmetic.invert(location, *tensor);
}

/// Magnitudes as complex numbers, as MindSpore's `abs` gives them; `complex_abs` gives real ones.
Result Primitives::callComplexAbs(Location location, const Arguments &arguments) {
  Result size = callTypedPrimitive(location, *writer.getPrimitive(location, "complex_abs"), {}, arguments);
  if (failed(size))
    return failure();
  auto made = writer.cast(location, size->getTensor(), getTypeOf(arguments.positional[0]).getElementType());
  return failed(made) ? Result(failure()) : Result(AbstractValue::getTensor(*made));
}

/// Sums and products of booleans count: they are of i64. Their mean is of f32.
Result Primitives::callReduction(Location location, net::PrimitiveAttr primitive, const Arguments &arguments) {
  StringRef name = primitive.getName();
  const net::PrimitiveInfo *info = writer.getPrimitive(location, name);
  if (!info)
    return failure();
  const AbstractValue *given = arguments.find(0, "x");
  if (!given || !isTensorLike(*given))
    return callTypedPrimitive(location, *info, primitive.getConfig(), arguments);
  Type element = getTypeOf(*given).getElementType();
  bool isMean = name == "reduce_mean", isTruth = element.isInteger(1);
  if (isMean && isa<IntegerType>(element) && !isTruth)
    return error(location) << "TypeError: the mean of integers (" << given->describe()
                           << ") would lose its fraction; convert them before, for example "
                           << "with x.astype(mindspore.float32)";
  Arguments converted = arguments;
  if (isTruth) {
    auto tensor = writer.toTensor(location, *given);
    Type wanted = isMean ? Type(builder.getF32Type()) : builder.getI64Type();
    auto numbers = failed(tensor) ? tensor : writer.cast(location, *tensor, wanted);
    if (failed(numbers))
      return failure();
    bool isPositional = !arguments.positional.empty();
    AbstractValue &slot =
        isPositional ? converted.positional[0]
                     : llvm::find_if(converted.keywords, [](auto &entry) { return entry.first == "x"; })->second;
    slot = AbstractValue::getTensor(*numbers);
  }
  return callTypedPrimitive(location, *info, primitive.getConfig(), converted);
}

/// What a parameter is bound to: an argument of the call, else what the
/// primitive's constructor was given, else its default.
Result Primitives::callTypedPrimitive(Location location, const net::PrimitiveInfo &primitive, DictionaryAttr config,
                                      const Arguments &arguments) {
  SmallVector<Value> operands;
  SmallVector<const AbstractValue *> tensors;
  SmallVector<NamedAttribute> attributes;
  unsigned position = 0, used = 0;
  llvm::StringSet<> known;
  for (const net::PrimitiveParam &param : primitive.params) {
    known.insert(param.name);
    Attribute constructed = config ? config.get(param.name) : Attribute();
    const AbstractValue *given = nullptr;
    AbstractValue holder;
    if (param.kind == net::ParamKind::VariadicTensor && position < arguments.positional.size()) {
      // Either one tuple, concat((a, b), 1), or all that is left.
      auto rest = ArrayRef(arguments.positional).drop_front(position);
      bool isTuple = rest[0].isSequence();
      position += isTuple ? 1 : rest.size();
      holder = isTuple ? rest[0] : AbstractValue::getTuple(rest);
      given = &holder;
    } else if (!constructed && position < arguments.positional.size()) {
      given = &arguments.positional[position++];
    } else if ((given = arguments.find(~0u, param.name))) {
      ++used;
    } else if (constructed) {
      holder = AbstractValue::getConstant(constructed);
      given = &holder;
    } else if (param.defaultValue) {
      holder = AbstractValue::getConstant(param.defaultValue);
      given = &holder;
    } else {
      return error(location) << "TypeError: " << primitive.name << "() is missing the argument '" << param.name << "'";
    }
    if (failed(bindParameter(location, primitive, param, *given, operands, attributes)))
      return failure();
  }
  if (position < arguments.positional.size())
    return error(location) << "TypeError: " << primitive.name << "() takes " << position << " positional arguments but "
                           << arguments.positional.size() << " were given";
  if (used < arguments.keywords.size())
    for (auto &[keyword, value] : arguments.keywords)
      if (!known.contains(keyword.getValue()))
        return error(location) << "TypeError: " << primitive.name << "() got an unexpected keyword argument '"
                               << keyword.getValue() << "'";
  return writer.emit(location, primitive, operands, attributes);
}

LogicalResult Primitives::bindParameter(Location location, const net::PrimitiveInfo &primitive,
                                        const net::PrimitiveParam &param, const AbstractValue &value,
                                        SmallVectorImpl<Value> &operands, SmallVectorImpl<NamedAttribute> &attributes) {
  if (param.kind == net::ParamKind::Tensor) {
    // A number next to a tensor takes its element type, but not as an index.
    bool isAlone = operands.empty() || param.name == "indices";
    Type hint = isAlone ? Type() : getElementTypeOrSelf(operands.back());
    auto tensor = writer.toTensor(location, value, hint);
    // An index may be unsigned as well; memory has no more than 2^63 places.
    if (succeeded(tensor) && param.name == "indices" && getElementTypeOrSelf(*tensor).isUnsignedInteger())
      tensor = writer.cast(location, *tensor, builder.getI64Type());
    if (failed(tensor))
      return failure();
    operands.push_back(*tensor);
    return success();
  }
  if (param.kind == net::ParamKind::VariadicTensor) {
    for (const AbstractValue &element : value.getElements()) {
      if (getNumber(element))
        return error(location) << "TypeError: " << primitive.name << "() joins tensors, but got " << element.describe()
                               << "; make it one with Tensor(...)";
      auto tensor = writer.toTensor(location, element);
      if (failed(tensor))
        return failure();
      operands.push_back(*tensor);
    }
    return success();
  }
  auto attribute = convertAttribute(location, primitive.name, param, value);
  if (failed(attribute))
    return failure();
  attributes.emplace_back(StringAttr::get(context(), param.name), *attribute);
  return success();
}

static StringRef describeParamKind(net::ParamKind kind) {
  switch (kind) {
  case net::ParamKind::Ints: return "an int or a tuple of ints";
  case net::ParamKind::Int: return "an int";
  case net::ParamKind::Float: return "a number";
  case net::ParamKind::Bool: return "a bool";
  case net::ParamKind::Str: return "a string";
  case net::ParamKind::Dtype: return "a dtype";
  default: return "a tensor";
  }
}

/// The attribute form that an op wants for a Python value.
FailureOr<Attribute> Primitives::convertAttribute(Location location, StringRef primitive,
                                                  const net::PrimitiveParam &param, const AbstractValue &value) {
  using Kind = net::ParamKind;
  std::optional<Number> number = getNumber(value);
  bool isWhole = number && number->kind != Number::Float;
  switch (param.kind) {
  case Kind::Ints:
    if (isWhole || value.isSequence()) {
      auto integers = getIntegers(location, param.name, value);
      if (failed(integers))
        return failure();
      return Attribute(builder.getDenseI64ArrayAttr(*integers));
    }
    if (auto array = value.getAs<DenseI64ArrayAttr>())
      return Attribute(array);
    if (isNone(value))
      return Attribute(builder.getDenseI64ArrayAttr({}));
    break;
  case Kind::Int:
    if (isWhole)
      return Attribute(builder.getI64IntegerAttr(number->integer));
    break;
  case Kind::Float:
    if (number)
      return Attribute(builder.getF64FloatAttr(number->asReal()));
    break;
  case Kind::Bool:
    if (isWhole)
      return Attribute(builder.getBoolAttr(number->integer != 0));
    break;
  case Kind::Str:
    if (auto text = value.getAs<StringAttr>())
      return Attribute(text);
    break;
  case Kind::Dtype:
    if (auto type = writer.getDType(value))
      return Attribute(TypeAttr::get(type));
    break;
  default: break;
  }
  return errorOn(location, value, DiagnosticKind::Operation)
         << "TypeError: the argument '" << param.name << "' of " << primitive << "() must be "
         << describeParamKind(param.kind) << " known while compiling, but it is " << value.describe();
}

/// select(condition, x, y): x and y meet in a common element type.
Result Primitives::callSelect(Location location, const Arguments &arguments) {
  auto condition = writer.toTensor(location, arguments.positional[0], builder.getI1Type());
  if (failed(condition))
    return failure();
  auto sides = arithmetic.promote(location, arguments.positional[1], arguments.positional[2]);
  if (failed(sides))
    return failure();
  return writer.emit(location, "select", {*condition, sides->first, sides->second});
}

Result Primitives::callAssign(Location location, StringRef name, const Arguments &arguments) {
  const AbstractValue *target = arguments.find(0, "variable");
  const AbstractValue *value = arguments.find(1, "value");
  if (!target || !value)
    return error(location) << "TypeError: " << name << "() takes a Parameter and a value";
  if (!getParameter(*target)) // Python changes its tensors in place.
    return (isTensorLike(*target) ? refuse(location) : error(location))
           << "TypeError: the first argument of " << name << "() must be a Parameter, not " << target->describe();
  AbstractValue assigned = *value;
  if (name != "assign") {
    StringRef operation = name == "assign_add" ? "add" : "sub";
    Result sum = interpreter.operators.applyBinary(location, operation, *target, *value);
    if (failed(sum))
      return failure();
    assigned = *sum;
  }
  auto parameter = target->getAs<FlatSymbolRefAttr>();
  if (failed(writer.assign(location, parameter, assigned)))
    return failure();
  return *target;
}

bool Primitives::isQuery(StringRef name) {
  return llvm::is_contained(
      {"shape", "dtype", "rank", "size", "identity", "is_tensor", "is_constant", "tensor", "partial", "results_like"},
      name);
}

/// Primitives that ask about a tensor's type, all answered now.
Result Primitives::callQuery(Location location, StringRef name, const Arguments &arguments) {
  if (const AbstractValue *data = arguments.find(0, "input_data"); data && name == "tensor")
    return makeTensor(location, arguments);
  if (arguments.positional.empty())
    return error(location) << "TypeError: " << name << "() is missing an argument";
  const AbstractValue &value = arguments.positional.front();
  if (name == "identity")
    return value;
  if (name == "is_tensor")
    return makeBool(isTensorLike(value));
  if (name == "is_constant") {
    std::function<bool(const AbstractValue &)> isConstant = [&](const AbstractValue &part) {
      return !getParameter(part) && !knownTensors.get(part).isTensor() && llvm::all_of(part.getElements(), isConstant);
    };
    return makeBool(isConstant(value));
  }
  if (name == "results_like") { // Zeros of the types that a call returns.
    Arguments given{SmallVector<AbstractValue>(ArrayRef(arguments.positional).drop_front()), arguments.keywords};
    auto callee = interpreter.calls.specialize(location, value, given, Use::Other);
    if (failed(callee))
      return failure();
    SmallVector<Value> zeros;
    callee->specialization->result.walkTensors([&](Value tensor) {
      auto type = llvm::cast<RankedTensorType>(tensor.getType());
      zeros.push_back(writer.makeConstant(location, net::splatOf(type, 0)));
    });
    ValueRange range(zeros);
    return callee->specialization->result.withTensors(range);
  }
  StringRef attribute = name == "rank" ? "ndim" : name;
  if (isTensorLike(value))
    if (auto result = interpreter.attributes.getOfTensor(location, value, attribute))
      return *result;
  return error(location) << "TypeError: " << name << "() takes a tensor, not " << value.describe();
}

/// `Tensor(data, dtype)`: from numbers known now, or a tensor converted.
Result Primitives::makeTensor(Location location, const Arguments &arguments) {
  const AbstractValue *dtype = arguments.find(1, "dtype");
  Type elementType = dtype ? writer.getDType(*dtype) : Type();
  if (dtype && !elementType && !isNone(*dtype))
    return error(location) << "the dtype of a tensor cannot be " << dtype->describe();
  const AbstractValue &data = *arguments.find(0, "input_data");
  if (isLive() && !holdsTensor(data))
    return live.askCall(location, AbstractValue::getConstant(net::PrimitiveAttr::get(context(), "builtins.Tensor")),
                        arguments);
  if (data.isSequence()) {
    Result made = arithmetic.stack(location, data, elementType);
    if (failed(made) || made->isConstant() || !elementType)
      return made;
    auto converted = writer.cast(location, made->getTensor(), elementType);
    return failed(converted) ? Result(failure()) : Result(AbstractValue::getTensor(*converted));
  }
  auto tensor = writer.toTensor(location, data, elementType);
  if (failed(tensor))
    return failure();
  if (!elementType)
    return AbstractValue::getTensor(*tensor);
  auto converted = writer.cast(location, *tensor, elementType);
  if (failed(converted))
    return failure();
  return AbstractValue::getTensor(*converted);
}

} // namespace plumb::specialize
