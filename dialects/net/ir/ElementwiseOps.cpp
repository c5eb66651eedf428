// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elementwise ops of one tensor, cast and select: shape rules and folds.

#include "dialects/net/ir/NetElementwiseOps.h"

#include "dialects/net/ir/Folding.h"
#include "dialects/net/ir/Inference.h"
#include "dialects/net/ir/NetMathOps.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "dialects/net/ir/NetElementwiseOps.cpp.inc"

namespace plumb::net {

void NetDialect::registerElementwiseOps() {
  addTheme<
#define GET_OP_LIST
#include "dialects/net/ir/NetElementwiseOps.cpp.inc"
      >();
}

LogicalResult CastOp::inferReturnTypes(MLIRContext *, OptionalLocation loc, Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  Type dtype = adaptor.getDtype();
  if (!isNumberType(dtype))
    return emitOptionalError(loc, "cannot cast ", adaptor.getX().getType(), " to ", dtype);
  types.push_back(tensorType(adaptor.getX()).clone(dtype));
  return success();
}

/// Booleans in the operand's shape.
#define PLUMB_FLOAT_TEST(OP)                                                                                           \
  LogicalResult OP::inferReturnTypes(MLIRContext *context, OptionalLocation, Adaptor adaptor,                          \
                                     SmallVectorImpl<Type> &types) {                                                   \
    types.push_back(tensorType(adaptor.getX()).clone(IntegerType::get(context, 1)));                                   \
    return success();                                                                                                  \
  }

PLUMB_FLOAT_TEST(IsNanOp)
PLUMB_FLOAT_TEST(IsInfOp)
PLUMB_FLOAT_TEST(IsFiniteOp)

#undef PLUMB_FLOAT_TEST

LogicalResult BitcastOp::inferReturnTypes(MLIRContext *, OptionalLocation loc, Adaptor adaptor,
                                          SmallVectorImpl<Type> &types) {
  RankedTensorType type = tensorType(adaptor.getX());
  Type dtype = adaptor.getDtype();
  // bitcast_c1
  if (!isElementType(dtype) || dtype.isInteger(1) || type.getElementType().isInteger(1) ||
      dtype.getIntOrFloatBitWidth() != type.getElementTypeBitWidth())
    return emitOptionalError(loc, "cannot read the bits of ", type, " as ", dtype,
                             ": both need the same number of bits, more than one");
  types.push_back(type.clone(dtype));
  return success();
}

LogicalResult SelectOp::inferReturnTypes(MLIRContext *, OptionalLocation loc, Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  if (failed(verifyElementTypes(loc, adaptor.getX(), adaptor.getY())))
    return failure();
  FailureOr<Shape> shape = inferBroadcast(loc, adaptor.getOperands());
  if (failed(shape))
    return failure();
  types.push_back(RankedTensorType::get(*shape, tensorType(adaptor.getX()).getElementType()));
  return success();
}

OpFoldResult NegOp::fold(FoldAdaptor adaptor) {
  if (auto inner = getX().getDefiningOp<NegOp>())
    return inner.getX();
  return foldBinary(
      adaptor.getX(), adaptor.getX(), getType(), [](const APFloat &x, const APFloat &) { return llvm::neg(x); },
      [](const APInt &x, const APInt &, bool) -> std::optional<APInt> { return -x; });
}

OpFoldResult LogicalNotOp::fold(FoldAdaptor) {
  if (auto inner = getX().getDefiningOp<LogicalNotOp>())
    return inner.getX();
  return {};
}

/// Converts one element; integers are read as signed but for i1 and unsigned ones.
static Attribute castElement(Attribute element, Type from, Type to) {
  if (auto number = llvm::dyn_cast<FloatAttr>(element)) {
    // Beyond 2^53 an integer does not survive the way through double: such casts run.
    if (llvm::isa<IntegerType>(to) && !to.isInteger(1) && !(std::abs(number.getValueAsDouble()) < 1e9))
      return {};
    return scalarOf(to, number.getValueAsDouble());
  }
  APInt number = llvm::cast<IntegerAttr>(element).getValue();
  bool isSigned = !from.isInteger(1) && !from.isUnsignedInteger();
  if (number.getSignificantBits() > 53)
    return {};
  return scalarOf(to,
                  isSigned ? static_cast<double>(number.getSExtValue()) : static_cast<double>(number.getZExtValue()));
}

OpFoldResult CastOp::fold(FoldAdaptor adaptor) {
  if (getX().getType() == getType())
    return getX();
  auto elements = llvm::dyn_cast_or_null<SplatElementsAttr>(adaptor.getX());
  if (!elements)
    return {};
  Attribute element =
      castElement(elements.getSplatValue<Attribute>(), elements.getElementType(), getType().getElementType());
  return element ? DenseElementsAttr::get(getType(), element) : Attribute();
}

OpFoldResult SelectOp::fold(FoldAdaptor adaptor) {
  if (getX() == getY() && getX().getType() == getType())
    return getX();
  if (isSplatOf(adaptor.getCondition(), 1) && getX().getType() == getType())
    return getX();
  if (isSplatOf(adaptor.getCondition(), 0) && getY().getType() == getType())
    return getY();
  return {};
}

} // namespace plumb::net
