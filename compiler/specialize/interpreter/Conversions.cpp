// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builtin functions about types: int(), float(), bool(), str(), tuple(), list(), dict(), isinstance(); getattr() and
// hasattr(); and the texts of values.

#include "compiler/specialize/interpreter/Conversions.h"
#include "compiler/specialize/interpreter/Interpreter.h"

#include "dialects/net/ir/NetMathOps.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Format.h"

#include <cmath>

using namespace mlir;

namespace plumb::specialize {

bool Conversions::has(StringRef name) {
  return llvm::is_contained({"int", "float", "bool", "str", "tuple", "list", "dict"}, name);
}

/// int("3") and the like.
static std::optional<Number> parseNumber(StringRef text, bool isWhole) {
  Number number{isWhole ? Number::Int : Number::Float};
  bool bad = isWhole ? text.trim().getAsInteger(10, number.integer) : text.trim().getAsDouble(number.real);
  return bad ? std::nullopt : std::optional(number);
}

AbstractValue Conversions::makeDictionary(const Arguments &arguments) {
  if (!arguments.positional.empty())
    return arguments.positional[0];
  SmallVector<Attribute> keys;
  SmallVector<AbstractValue> values;
  for (auto &[keyword, value] : arguments.keywords) {
    keys.push_back(keyword);
    values.push_back(value);
  }
  return AbstractValue::getDictionary(builder.getArrayAttr(keys), values);
}

Result Conversions::makeSequence(Location location, bool isTuple, ArrayRef<AbstractValue> arguments) {
  Result items = AbstractValue::getTuple({});
  if (!arguments.empty())
    items = interpreter.iterators.getIterated(location, arguments[0]);
  if (failed(items))
    return failure();
  return isTuple ? AbstractValue::getTuple(items->getElements()) : AbstractValue::getList(items->getElements(), depth);
}

Result Conversions::makeNumber(Location location, StringRef name, const AbstractValue &value) {
  auto number = getNumber(value);
  if (auto text = value.getAs<StringAttr>())
    number = parseNumber(text.getValue(), name == "int");
  if (!number)
    return errorOn(location, value) << "TypeError: " << name << "() cannot convert " << value.describe();
  if (name == "float")
    return real(number->asReal());
  return integer(number->kind == Number::Float ? int64_t(number->real) : number->integer);
}

Result Conversions::call(Location location, StringRef name, const Arguments &arguments) {
  if (name == "dict")
    return makeDictionary(arguments);
  if (name == "tuple" || name == "list")
    return makeSequence(location, name == "tuple", arguments.positional);
  if (arguments.positional.empty())
    return name == "str"     ? Result(string(""))
           : name == "float" ? Result(real(0))
           : name == "int"   ? Result(integer(0))
                             : makeBool(false);
  const AbstractValue &value = arguments.positional[0];
  if (isTensorLike(value) && name != "str")
    return convertTensor(location, name, value);
  if (name == "str")
    return interpreter.texts.convert(location, value);
  if (name != "bool")
    return makeNumber(location, name, value);
  auto truth = interpreter.conditions.getTruth(location, value);
  if (failed(truth))
    return failure();
  return makeBool(std::get<bool>(*truth));
}

/// A tensor stays one: int(x) is a cast of one element. That of a constant is a number.
Result Conversions::convertTensor(Location location, StringRef name, const AbstractValue &given) {
  if (getTypeOf(given).getNumElements() != 1)
    return error(location) << "ValueError: " << name << "() takes a tensor of one element, not " << given.describe();
  AbstractValue value = knownTensors.get(given);
  auto number = getElement(value);
  bool isWhole = number && (number->kind != Number::Float || std::fabs(number->real) < 0x1p63);
  if (number && (isWhole || name != "int")) {
    if (name == "bool")
      return makeBool(number->asReal() != 0);
    return name == "float" ? real(number->asReal())
                           : integer(number->kind == Number::Float ? int64_t(number->real) : number->integer);
  }
  auto tensor = writer.toTensor(location, value);
  if (failed(tensor))
    return failure();
  auto scalar = writer.reshape(location, *tensor, {});
  if (failed(scalar))
    return failure();
  if (name == "bool")
    return interpreter.operators.applyBinary(location, "ne", AbstractValue::getTensor(*scalar), integer(0));
  Type type = getDefaultElementType(context(), name == "float" ? Number::Float : Number::Int);
  return toResult(writer.cast(location, *scalar, type));
}

bool Conversions::isInstance(const AbstractValue &value, StringRef type) const {
  auto number = getNumber(value);
  Type decided = value.isWeak() ? getTypeOf(value).getElementType() : Type();
  type.consume_front("builtins.");
  auto symbol = value.getAs<FlatSymbolRefAttr>();
  auto cell = symbol ? symbols.lookup<net::CellOp>(symbol.getValue()) : net::CellOp();
  return llvm::StringSwitch<bool>(type)
      .Case("bool", number && number->kind == Number::Bool)
      .Case("int", (number && number->kind != Number::Float) || isa_and_nonnull<IntegerType>(decided))
      .Case("float", (number && number->kind == Number::Float) || isa_and_nonnull<FloatType>(decided))
      .Case("str", bool(value.getAs<StringAttr>()))
      .Case("tuple", value.isSequence() && !value.isList())
      .Case("list", value.isList())
      .Case("dict", value.isDictionary())
      .Case("slice", value.isSlice())
      .Cases({"tensor", "Tensor"}, isTensorToPython(value))
      .Cases({"parameter", "Parameter"}, bool(getParameter(value)))
      .Cases({"cell", "Cell"}, bool(cell))
      .Case("NoneType", isNone(value))
      .Default(cell && cell.getClassName() == type);
}

Result Conversions::callIsinstance(Location location, const Arguments &arguments) {
  const AbstractValue &types = arguments.positional[1];
  auto list = types.isSequence() ? types.getElements() : ArrayRef(types);
  bool found = false;
  for (const AbstractValue &type : list) {
    StringRef name;
    if (auto primitive = type.getAs<net::PrimitiveAttr>())
      name = primitive.getName();
    else if (auto text = type.getAs<StringAttr>())
      name = text.getValue();
    else
      return error(location) << "TypeError: isinstance() cannot compare with " << type.describe();
    found |= isInstance(arguments.positional[0], name);
  }
  return makeBool(found);
}

Result Conversions::callGetattr(Location location, StringRef name, const Arguments &arguments) {
  auto attribute = arguments.positional[1].getAs<StringAttr>();
  if (arguments.positional[1].isText())
    return refuseLetters(location);
  if (!attribute)
    return error(location) << "TypeError: " << name << "() takes an attribute's name, not "
                           << arguments.positional[1].describe();
  const AbstractValue &object = arguments.positional[0];
  if (isLive() && !isTensorToPython(object)) {
    auto symbol = object.getAs<FlatSymbolRefAttr>();
    const AbstractValue *set = symbol ? interpreter.attributes.findSet(symbol, attribute) : nullptr;
    Result known = set && !set->isUndefined()
                       ? makeBool(true)
                       : live.ask(location, "hasattr", {{object, AbstractValue::getConstant(attribute)}, {}});
    if (failed(known))
      return failure();
    bool isComputed = isNone(*known); // A property or the like: what it gives, or raises, says.
    if (isComputed && (name == "hasattr" || arguments.positional.size() > 2))
      return interpreter.builtins.callRepeated(location, name == "hasattr" ? "has_attribute" : "attribute_or",
                                               arguments);
    bool found = isComputed || (known->getAs<BoolAttr>() && known->getAs<BoolAttr>().getValue());
    if (set && set->isUndefined() && !found) // Python does not know of it.
      return interpreter.setAttributes.refuseUse(location, *set);
    if (!found && isForeign(object))
      interpreter.attributes.noteMissing(location, symbol, attribute);
    if (name == "hasattr")
      return known;
    if (!found && arguments.positional.size() > 2)
      return arguments.positional[2];
    return interpreter.attributes.get(location, object, attribute);
  }
  bool known = interpreter.attributes.has(object, attribute) ||
               (isLive() && isTensorLike(object) && live.hasTensorAttribute(attribute, bool(getParameter(object))));
  if (name == "hasattr")
    return makeBool(known);
  if (!known && arguments.positional.size() > 2)
    return arguments.positional[2];
  return interpreter.attributes.get(location, object, attribute);
}

/// A dtype as MindSpore prints it: Float32, Int64, Bool.
static std::string spellDType(Type type) {
  if (auto complex = dyn_cast<ComplexType>(type))
    return "Complex" + std::to_string(2 * complex.getElementType().getIntOrFloatBitWidth());
  if (type.isInteger(1))
    return "Bool";
  std::string width = std::to_string(type.getIntOrFloatBitWidth());
  if (type.isBF16())
    return "BFloat16";
  if (isa<FloatType>(type))
    return "Float" + width;
  return (type.isUnsignedInteger() ? "UInt" : "Int") + width;
}

/// A text with tensors in it, which are described.
static std::string describeText(const AbstractValue &value) {
  std::string text;
  ArrayRef<AbstractValue> tensors = value.getElements();
  for (Attribute piece : llvm::cast<ArrayAttr>(value.getConstant())) {
    auto known = llvm::dyn_cast<StringAttr>(piece);
    text += known ? known.str() : tensors.front().describe();
    tensors = tensors.drop_front(known ? 0 : 1);
  }
  return text;
}

static std::string spellNumber(const Number &number) {
  if (number.kind == Number::Bool)
    return number.integer ? "True" : "False";
  if (number.kind == Number::Int)
    return std::to_string(number.integer);
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.12g", number.real);
  bool isPlain = StringRef(text).find_first_of(".en") == StringRef::npos;
  return isPlain ? text + ".0" : text;
}

std::string Conversions::toText(const AbstractValue &value) {
  bool isFloat = static_cast<bool>(value.getAs<FloatAttr>());
  if (isForeign(value) || (isLive() && !holdsTensor(value) && (isFloat || value.isContainer()))) {
    auto str = net::PrimitiveAttr::get(context(), "builtins.str");
    Result text = live.askCall(builder.getUnknownLoc(), AbstractValue::getConstant(str), {{value}, {}});
    if (succeeded(text) && text->getAs<StringAttr>())
      return text->getAs<StringAttr>().getValue().str();
  }
  if (value.isText())
    return describeText(value);
  if (value.isSequence()) {
    std::string text = value.isList() ? "[" : "(";
    for (auto [index, element] : llvm::enumerate(value.getElements()))
      text += (index ? ", " : "") + toText(element);
    if (value.isList())
      return text + "]";
    return text + (value.getElements().size() == 1 ? ",)" : ")");
  }
  if (auto text = value.getAs<StringAttr>())
    return text.getValue().str();
  if (isNone(value))
    return "None";
  if (auto type = value.getAs<TypeAttr>(); type && net::isNumberType(type.getValue()))
    return spellDType(type.getValue());
  auto number = getNumber(value);
  return number ? spellNumber(*number) : value.describe();
}

} // namespace plumb::specialize
