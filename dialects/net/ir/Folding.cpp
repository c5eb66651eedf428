// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/net/ir/Folding.h"

#include "mlir/IR/Builders.h"

#include <cmath>
#include <complex>

using namespace mlir;

namespace plumb::net {

/// Beyond this many elements a tensor is data, not a constant to compute with.
constexpr int64_t kSmall = 1024;

/// The largest or the smallest integer of a type.
static APInt limitOf(Type type, bool largest) {
  unsigned width = type.getIntOrFloatBitWidth();
  if (type.isUnsignedInteger())
    return largest ? APInt::getMaxValue(width) : APInt::getMinValue(width);
  return largest ? APInt::getSignedMaxValue(width) : APInt::getSignedMinValue(width);
}

TypedAttr scalarOf(Type elementType, double value) {
  if (auto floatType = llvm::dyn_cast<FloatType>(elementType)) {
    bool losesInfo;
    APFloat number(value);
    number.convert(floatType.getFloatSemantics(), APFloat::rmNearestTiesToEven, &losesInfo);
    return FloatAttr::get(floatType, number);
  }
  if (elementType.isInteger(1))
    return BoolAttr::get(elementType.getContext(), value != 0);
  unsigned width = elementType.getIntOrFloatBitWidth();
  if (std::isinf(value)) // What is never the largest, or never the smallest: windows of maxima are padded so.
    return IntegerAttr::get(elementType, limitOf(elementType, value > 0));
  APInt number(width, static_cast<int64_t>(value), /*isSigned=*/true, /*implicitTrunc=*/true);
  return IntegerAttr::get(elementType, number);
}

DenseElementsAttr splatOf(ShapedType type, double value) {
  if (auto complex = llvm::dyn_cast<ComplexType>(type.getElementType())) {
    APFloat re = llvm::cast<FloatAttr>(scalarOf(complex.getElementType(), value)).getValue();
    APFloat im = llvm::cast<FloatAttr>(scalarOf(complex.getElementType(), 0)).getValue();
    return DenseElementsAttr::get(type, std::complex<APFloat>(re, im));
  }
  return DenseElementsAttr::get(type, scalarOf(type.getElementType(), value));
}

bool isSplatOf(Attribute attribute, double value) {
  auto elements = llvm::dyn_cast_or_null<DenseElementsAttr>(attribute);
  if (elements && llvm::isa<ComplexType>(elements.getElementType()))
    return elements == splatOf(elements.getType(), value);
  return elements && elements.isSplat() &&
         elements.getSplatValue<Attribute>() == scalarOf(elements.getElementType(), value);
}

/// Applies the fold to two elements; null if it has no value.
static Attribute foldElement(Attribute x, Attribute y, FloatFold floatFold, IntFold intFold) {
  if (auto number = llvm::dyn_cast<FloatAttr>(x))
    return FloatAttr::get(number.getType(), floatFold(number.getValue(), llvm::cast<FloatAttr>(y).getValue()));
  auto number = llvm::cast<IntegerAttr>(x);
  bool isSigned = !number.getType().isInteger(1) && !number.getType().isUnsignedInteger();
  auto folded = intFold(number.getValue(), llvm::cast<IntegerAttr>(y).getValue(), isSigned);
  return folded ? IntegerAttr::get(number.getType(), *folded) : Attribute();
}

Attribute foldBinary(Attribute x, Attribute y, Type type, FloatFold floatFold, IntFold intFold) {
  auto left = llvm::dyn_cast_or_null<DenseElementsAttr>(x);
  auto right = llvm::dyn_cast_or_null<DenseElementsAttr>(y);
  auto result = llvm::cast<ShapedType>(type);
  bool isComplex = llvm::isa<ComplexType>(result.getElementType());
  if (!left || !right || isComplex || left.getElementType() != result.getElementType())
    return {};
  if (left.isSplat() && right.isSplat()) {
    Attribute element =
        foldElement(left.getSplatValue<Attribute>(), right.getSplatValue<Attribute>(), floatFold, intFold);
    return element ? DenseElementsAttr::get(result, element) : Attribute();
  }
  bool fits = (left.isSplat() || left.getType() == result) && (right.isSplat() || right.getType() == result);
  if (!fits || result.getNumElements() > kSmall)
    return {};
  SmallVector<Attribute> elements;
  auto at = [](DenseElementsAttr from, int64_t i) {
    return from.isSplat() ? from.getSplatValue<Attribute>() : from.getValues<Attribute>()[i];
  };
  for (int64_t i = 0; i < result.getNumElements(); ++i) {
    elements.push_back(foldElement(at(left, i), at(right, i), floatFold, intFold));
    if (!elements.back())
      return {};
  }
  return DenseElementsAttr::get(result, elements);
}

Attribute foldReshape(Attribute x, Type type) {
  auto elements = llvm::dyn_cast_or_null<DenseElementsAttr>(x);
  return elements ? elements.reshape(llvm::cast<ShapedType>(type)) : Attribute();
}

Attribute foldSplat(Attribute x, Type type) {
  auto elements = llvm::dyn_cast_or_null<SplatElementsAttr>(x);
  return elements ? elements.resizeSplat(llvm::cast<ShapedType>(type)) : Attribute();
}

} // namespace plumb::net
