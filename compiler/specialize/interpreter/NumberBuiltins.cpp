// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builtin functions of numbers, known now or computed by the run, and those of Python's math module, of numbers known
// now.

#include "compiler/specialize/interpreter/NumberBuiltins.h"
#include "compiler/specialize/interpreter/Interpreter.h"

#include "llvm/ADT/StringMap.h"

#include <cmath>

using namespace mlir;

namespace plumb::specialize {

using UnaryFunction = double (*)(double);

static UnaryFunction getUnary(StringRef name) {
  static const llvm::StringMap<UnaryFunction> functions = {
      {"acos", std::acos},   {"asin", std::asin}, {"atan", std::atan},   {"cos", std::cos},
      {"cosh", std::cosh},   {"erf", std::erf},   {"exp", std::exp},     {"fabs", std::fabs},
      {"log10", std::log10}, {"log2", std::log2}, {"log1p", std::log1p}, {"sin", std::sin},
      {"sinh", std::sinh},   {"sqrt", std::sqrt}, {"tan", std::tan},     {"tanh", std::tanh}};
  return functions.lookup(name);
}

/// floor, ceil and trunc yield ints, as in Python.
static UnaryFunction getRounding(StringRef name) {
  static const llvm::StringMap<UnaryFunction> functions = {
      {"ceil", std::ceil}, {"floor", std::floor}, {"trunc", std::trunc}};
  return functions.lookup(name);
}

Result NumberBuiltins::callMath(Location location, StringRef name, const Arguments &arguments) {
  SmallVector<double> numbers;
  for (const AbstractValue &value : arguments.positional) {
    auto number = getNumber(value);
    if (!number)
      return errorOn(location, value) << "TypeError: math." << name << "() takes numbers known "
                                      << "while compiling, not " << value.describe()
                                      << "; on tensors use the functions of ops";
    numbers.push_back(number->asReal());
  }
  double result = NAN;
  if (UnaryFunction function = getUnary(name); function && numbers.size() == 1)
    result = function(numbers[0]);
  else if (name == "log" && numbers.size() == 1)
    result = std::log(numbers[0]);
  else if (name == "log" && numbers.size() == 2)
    result = std::log(numbers[0]) / std::log(numbers[1]);
  else if (name == "pow" && numbers.size() == 2)
    result = std::pow(numbers[0], numbers[1]);
  else if (name == "atan2" && numbers.size() == 2)
    result = std::atan2(numbers[0], numbers[1]);
  else if (UnaryFunction rounding = getRounding(name); rounding && numbers.size() == 1)
    return integer(int64_t(rounding(numbers[0])));
  else
    return error(location) << "math." << name << "() of " << numbers.size()
                           << " numbers is not offered in compiled functions";
  if (std::isnan(result) && llvm::none_of(numbers, [](double number) { return std::isnan(number); }))
    return error(location) << "ValueError: math domain error: math." << name << "() of these numbers is not defined";
  return real(result);
}

/// Whether products of two numbers below `modulus` fit into the integers of `type`.
static bool fitsSquare(int64_t modulus, Type type) {
  unsigned bits = type.getIntOrFloatBitWidth() - !type.isUnsignedInteger();
  return std::abs(modulus) <= int64_t(1) << (bits / 2);
}

/// pow(tensor, exponent, modulus), by repeated squaring: no product leaves the type's range.
Result NumberBuiltins::callModularPower(Location location, const Arguments &arguments) {
  const AbstractValue &base = arguments.positional[0];
  auto exponent = getInteger(arguments.positional[1]), modulus = getInteger(arguments.positional[2]);
  Type element = isTensorLike(base) ? getTypeOf(base).getElementType() : Type();
  if (!isa_and_nonnull<IntegerType>(element) || element.isInteger(1))
    return error(location) << "TypeError: pow() 3rd argument not allowed unless all arguments are integers";
  if (!exponent || !modulus || *exponent < 0 || *modulus == 0 || !fitsSquare(*modulus, element))
    return refuse(location)
           << "TypeError: pow() of a tensor modulo a number takes an exponent of 0 or more and a modulus whose "
           << "square fits into the tensor's integers, both known while compiling";
  auto reduce = [&](Result value) -> Result {
    return failed(value) ? value : interpreter.operators.applyBinary(location, "mod", *value, arguments.positional[2]);
  };
  Result power = reduce(integer(1)), factor = reduce(base);
  for (int64_t left = *exponent; left > 0; left >>= 1) {
    if (failed(power) || failed(factor))
      return failure();
    if (left & 1)
      power = reduce(interpreter.operators.applyBinary(location, "mul", *power, *factor));
    if (left > 1)
      factor = reduce(interpreter.operators.applyBinary(location, "mul", *factor, *factor));
  }
  return power;
}

Result NumberBuiltins::callPow(Location location, const Arguments &arguments) {
  if (arguments.positional.size() == 3)
    return callModularPower(location, arguments);
  return interpreter.operators.applyBinary(location, "pow", arguments.positional[0], arguments.positional[1]);
}

Result NumberBuiltins::callAbs(Location location, const Arguments &arguments) {
  const AbstractValue &value = arguments.positional[0];
  if (isTensorLike(value))
    return interpreter.methods.callTensorMethod(location, value, "abs", {});
  auto number = getNumber(value);
  if (!number)
    return errorOn(location, value) << "TypeError: abs() of " << value.describe();
  if (number->kind == Number::Float)
    return real(std::fabs(number->real));
  return integer(std::abs(number->integer));
}

/// divmod() of numbers that the run computes: both of // and %. Tensors have none, as in Python.
Result NumberBuiltins::callDivmod(Location location, const Arguments &arguments) {
  if (llvm::any_of(arguments.positional, [&](const AbstractValue &value) { return isTensorToPython(value); }))
    return error(location) << "TypeError: unsupported operand type(s) for divmod(): "
                           << arguments.positional[0].describe() << " and " << arguments.positional[1].describe()
                           << "; use x // y and x % y";
  SmallVector<AbstractValue> parts;
  for (StringRef name : {"floordiv", "mod"}) {
    Result part = interpreter.operators.applyBinary(location, name, arguments.positional[0], arguments.positional[1]);
    if (failed(part))
      return failure();
    parts.push_back(*part);
  }
  return AbstractValue::getTuple(parts);
}

/// The nearest whole numbers, halves to even ones: a tensor; of a number that the run computes, an int.
Result NumberBuiltins::roundTensor(Location location, const AbstractValue &value, const AbstractValue *places) {
  if (places && !isNone(*places))
    return refuse(location) << "TypeError: round() of a tensor takes no digits in compiled functions; write "
                            << "round(x * 10 ** n) / 10 ** n";
  Result method = interpreter.attributes.get(location, value, builder.getStringAttr("round"));
  Result rounded = failed(method) ? method : interpreter.calls.call(location, *method, {});
  return failed(rounded) || isTensorToPython(value) ? rounded
                                                    : interpreter.conversions.convertTensor(location, "int", *rounded);
}

Result NumberBuiltins::callRound(Location location, const Arguments &arguments) {
  const AbstractValue &value = arguments.positional[0];
  const AbstractValue *places = arguments.find(1, "ndigits");
  if (isTensorLike(value))
    return roundTensor(location, value, places);
  auto number = getNumber(value);
  auto digits = places ? getInteger(*places) : std::nullopt;
  if (!number || (places && !digits && !isNone(*places)))
    return errorOn(location, value) << "TypeError: round() takes a number known while compiling";
  if (number->kind != Number::Float)
    return integer(number->integer);
  // nearbyint rounds halves to even, as Python does.
  if (!digits)
    return integer(int64_t(std::nearbyint(number->real)));
  double scale = std::pow(10.0, double(*digits));
  return real(std::nearbyint(number->real * scale) / scale);
}

} // namespace plumb::specialize
