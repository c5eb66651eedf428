// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/specialize/tensors/Numbers.h"

#include <cmath>

using namespace mlir;

namespace plumb::specialize {

std::optional<Number> getNumber(Attribute attribute) {
  if (auto boolean = dyn_cast<BoolAttr>(attribute))
    return Number{Number::Bool, boolean.getValue()};
  if (auto integer = dyn_cast<IntegerAttr>(attribute))
    return Number{Number::Int, integer.getType().isUnsignedInteger() ? int64_t(integer.getUInt())
                                                                     : integer.getValue().getSExtValue()};
  if (auto real = dyn_cast<FloatAttr>(attribute))
    return Number{Number::Float, 0, real.getValueAsDouble()};
  return std::nullopt;
}

std::optional<Number> getNumber(const AbstractValue &value) {
  if (!value.isConstant())
    return std::nullopt;
  return getNumber(value.getConstant());
}

std::optional<Number> getElement(const AbstractValue &value) {
  auto elements = value.getAs<DenseElementsAttr>();
  if (!elements || elements.getNumElements() != 1)
    return std::nullopt;
  auto element = *elements.value_begin<Attribute>();
  if (auto real = dyn_cast<FloatAttr>(element))
    return Number{Number::Float, 0, real.getValueAsDouble()};
  auto whole = dyn_cast<IntegerAttr>(element);
  if (!whole)
    return std::nullopt;
  bool isUnsigned = whole.getType().isInteger(1) || whole.getType().isUnsignedInteger();
  if (isUnsigned && whole.getValue().getActiveBits() > 63)
    return std::nullopt;
  return Number{whole.getType().isInteger(1) ? Number::Bool : Number::Int,
                isUnsigned ? int64_t(whole.getValue().getZExtValue()) : whole.getValue().getSExtValue()};
}

Type getDefaultElementType(MLIRContext *context, Number::Kind kind) {
  if (kind == Number::Float)
    return Float32Type::get(context);
  return IntegerType::get(context, kind == Number::Int ? 64 : 1);
}

bool canBeElement(const Number &number, Type elementType) {
  auto type = llvm::dyn_cast<IntegerType>(elementType);
  if (!type || number.kind == Number::Float)
    return true;
  if (type.isUnsigned() || type.getWidth() == 1)
    return number.integer >= 0 && llvm::isUIntN(type.getWidth(), number.integer);
  return llvm::isIntN(type.getWidth(), number.integer);
}

/// -1, 0 or 1 by the order of an integer and a float, which may lie between the integers that a float can be; 2 for
/// NaN.
static int compareMixed(int64_t whole, double real) {
  if (std::isnan(real))
    return 2;
  if (real >= 0x1p63)
    return -1;
  if (real < -0x1p63)
    return 1;
  int64_t floor = int64_t(std::floor(real));
  if (whole != floor)
    return whole < floor ? -1 : 1;
  return std::floor(real) == real ? 0 : -1;
}

int compareNumbers(const Number &left, const Number &right) {
  bool isReal = left.kind == Number::Float, isOtherReal = right.kind == Number::Float;
  if (isReal && !isOtherReal) {
    int order = compareMixed(right.integer, left.real);
    return order == 2 ? 2 : -order;
  }
  if (!isReal && isOtherReal)
    return compareMixed(left.integer, right.real);
  if (!isReal)
    return (left.integer > right.integer) - (left.integer < right.integer);
  bool isOrdered = left.real == left.real && right.real == right.real;
  return isOrdered ? (left.real > right.real) - (left.real < right.real) : 2;
}

bool areEqualNumbers(const Number &left, const Number &right) { return compareNumbers(left, right) == 0; }

std::optional<int64_t> getInteger(const AbstractValue &value) {
  auto number = getNumber(value);
  if (!number || number->kind == Number::Float)
    return std::nullopt;
  return number->integer;
}

} // namespace plumb::specialize
