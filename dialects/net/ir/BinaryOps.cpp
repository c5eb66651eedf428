// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elementwise ops of two tensors: their one shape rule, and folds by neutral elements and
// constants.

#include "dialects/net/ir/NetBinaryOps.h"

#include "dialects/net/ir/Folding.h"
#include "dialects/net/ir/Inference.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "dialects/net/ir/NetBinaryOps.cpp.inc"

namespace plumb::net {

void NetDialect::registerBinaryOps() {
  addTheme<
#define GET_OP_LIST
#include "dialects/net/ir/NetBinaryOps.cpp.inc"
      >();
}

/// Infers the type of an elementwise op; `elementType` null means that of the operands.
static LogicalResult inferBinary(OptionalLocation loc, Value x, Value y, Type elementType,
                                 SmallVectorImpl<Type> &types) {
  if (failed(verifyElementTypes(loc, x, y)))
    return failure();
  FailureOr<Shape> shape = inferBroadcast(loc, {x, y});
  if (failed(shape))
    return failure();
  types.push_back(RankedTensorType::get(*shape, elementType ? elementType : tensorType(x).getElementType()));
  return success();
}

#define PLUMB_INFER_ARITHMETIC(OP)                                                                                     \
  LogicalResult OP::inferReturnTypes(MLIRContext *, OptionalLocation loc, Adaptor adaptor,                             \
                                     SmallVectorImpl<Type> &types) {                                                   \
    return inferBinary(loc, adaptor.getX(), adaptor.getY(), Type(), types);                                            \
  }
#define PLUMB_INFER_TRUTH(OP)                                                                                          \
  LogicalResult OP::inferReturnTypes(MLIRContext *context, OptionalLocation loc, Adaptor adaptor,                      \
                                     SmallVectorImpl<Type> &types) {                                                   \
    return inferBinary(loc, adaptor.getX(), adaptor.getY(), IntegerType::get(context, 1), types);                      \
  }

PLUMB_INFER_ARITHMETIC(AddOp)
PLUMB_INFER_ARITHMETIC(SubOp)
PLUMB_INFER_ARITHMETIC(MulOp)
PLUMB_INFER_ARITHMETIC(DivOp)
PLUMB_INFER_ARITHMETIC(PowOp)
PLUMB_INFER_ARITHMETIC(MaximumOp)
PLUMB_INFER_ARITHMETIC(MinimumOp)
PLUMB_INFER_ARITHMETIC(FloorDivOp)
PLUMB_INFER_ARITHMETIC(ModOp)
PLUMB_INFER_ARITHMETIC(RemOp)
PLUMB_INFER_ARITHMETIC(BitwiseAndOp)
PLUMB_INFER_ARITHMETIC(BitwiseOrOp)
PLUMB_INFER_ARITHMETIC(BitwiseXorOp)
PLUMB_INFER_ARITHMETIC(LeftShiftOp)
PLUMB_INFER_ARITHMETIC(RightShiftOp)
PLUMB_INFER_TRUTH(EqualOp)
PLUMB_INFER_TRUTH(NotEqualOp)
PLUMB_INFER_TRUTH(LessOp)
PLUMB_INFER_TRUTH(LessEqualOp)
PLUMB_INFER_TRUTH(GreaterOp)
PLUMB_INFER_TRUTH(GreaterEqualOp)
PLUMB_INFER_TRUTH(LogicalAndOp)
PLUMB_INFER_TRUTH(LogicalOrOp)

#undef PLUMB_INFER_ARITHMETIC
#undef PLUMB_INFER_TRUTH

//===--------------------------------------------------------------------------------------===//
// Folds
//===--------------------------------------------------------------------------------------===//

/// Returns `value` if `other` is a splat of `neutral` and broadcasting changes nothing.
static Value foldNeutral(Value value, Attribute other, double neutral, Type type) {
  return value.getType() == type && isSplatOf(other, neutral) ? value : Value();
}

OpFoldResult AddOp::fold(FoldAdaptor adaptor) {
  if (Value x = foldNeutral(getX(), adaptor.getY(), 0, getType()))
    return x;
  if (Value y = foldNeutral(getY(), adaptor.getX(), 0, getType()))
    return y;
  return foldBinary(
      adaptor.getX(), adaptor.getY(), getType(), [](const APFloat &x, const APFloat &y) { return x + y; },
      [](const APInt &x, const APInt &y, bool) -> std::optional<APInt> { return x + y; });
}

OpFoldResult SubOp::fold(FoldAdaptor adaptor) {
  if (Value x = foldNeutral(getX(), adaptor.getY(), 0, getType()))
    return x;
  return foldBinary(
      adaptor.getX(), adaptor.getY(), getType(), [](const APFloat &x, const APFloat &y) { return x - y; },
      [](const APInt &x, const APInt &y, bool) -> std::optional<APInt> { return x - y; });
}

OpFoldResult MulOp::fold(FoldAdaptor adaptor) {
  if (Value x = foldNeutral(getX(), adaptor.getY(), 1, getType()))
    return x;
  if (Value y = foldNeutral(getY(), adaptor.getX(), 1, getType()))
    return y;
  return foldBinary(
      adaptor.getX(), adaptor.getY(), getType(), [](const APFloat &x, const APFloat &y) { return x * y; },
      [](const APInt &x, const APInt &y, bool) -> std::optional<APInt> { return x * y; });
}

OpFoldResult DivOp::fold(FoldAdaptor adaptor) {
  if (Value x = foldNeutral(getX(), adaptor.getY(), 1, getType()))
    return x;
  return foldBinary(
      adaptor.getX(), adaptor.getY(), getType(), [](const APFloat &x, const APFloat &y) { return x / y; },
      [](const APInt &x, const APInt &y, bool isSigned) -> std::optional<APInt> {
        if (y.isZero() || (isSigned && x.isMinSignedValue() && y.isAllOnes()))
          return std::nullopt;
        return isSigned ? x.sdiv(y) : x.udiv(y);
      });
}

OpFoldResult PowOp::fold(FoldAdaptor adaptor) { return foldNeutral(getX(), adaptor.getY(), 1, getType()); }

OpFoldResult MaximumOp::fold(FoldAdaptor adaptor) {
  if (getX() == getY())
    return getX();
  return foldBinary(
      adaptor.getX(), adaptor.getY(), getType(), [](const APFloat &x, const APFloat &y) { return llvm::maximum(x, y); },
      [](const APInt &x, const APInt &y, bool isSigned) -> std::optional<APInt> {
        return isSigned ? llvm::APIntOps::smax(x, y) : llvm::APIntOps::umax(x, y);
      });
}

OpFoldResult MinimumOp::fold(FoldAdaptor adaptor) {
  if (getX() == getY())
    return getX();
  return foldBinary(
      adaptor.getX(), adaptor.getY(), getType(), [](const APFloat &x, const APFloat &y) { return llvm::minimum(x, y); },
      [](const APInt &x, const APInt &y, bool isSigned) -> std::optional<APInt> {
        return isSigned ? llvm::APIntOps::smin(x, y) : llvm::APIntOps::umin(x, y);
      });
}

OpFoldResult LogicalAndOp::fold(FoldAdaptor adaptor) {
  if (Value x = foldNeutral(getX(), adaptor.getY(), 1, getType()))
    return x;
  return foldNeutral(getY(), adaptor.getX(), 1, getType());
}

OpFoldResult LogicalOrOp::fold(FoldAdaptor adaptor) {
  if (Value x = foldNeutral(getX(), adaptor.getY(), 0, getType()))
    return x;
  return foldNeutral(getY(), adaptor.getX(), 0, getType());
}

} // namespace plumb::net
