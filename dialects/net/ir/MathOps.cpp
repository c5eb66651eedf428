// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mathematical functions: their registration, and the shape rules of those that take two tensors, or complex ones.

#include "dialects/net/ir/NetMathOps.h"

#include "dialects/net/ir/Inference.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "dialects/net/ir/NetMathOps.cpp.inc"

namespace plumb::net {

void NetDialect::registerMathOps() {
  addTheme<
#define GET_OP_LIST
#include "dialects/net/ir/NetMathOps.cpp.inc"
      >();
}

LogicalResult Atan2Op::inferReturnTypes(MLIRContext *, OptionalLocation loc, Adaptor adaptor,
                                        SmallVectorImpl<Type> &types) {
  if (failed(verifyElementTypes(loc, adaptor.getY(), adaptor.getX())))
    return failure();
  FailureOr<Shape> shape = inferBroadcast(loc, adaptor.getOperands());
  if (failed(shape))
    return failure();
  types.push_back(tensorType(adaptor.getY()).clone(*shape));
  return success();
}

LogicalResult PolygammaOp::verify() {
  // polygamma_c1
  if (getOrder() > kMaxOrder)
    return emitOpError() << "needs an order from 0 to " << kMaxOrder << ", but has "
                         << static_cast<int64_t>(getOrder());
  return success();
}

//===--------------------------------------------------------------------------------------===//
// Complex numbers
//===--------------------------------------------------------------------------------------===//

LogicalResult ComplexOfOp::inferReturnTypes(MLIRContext *, OptionalLocation loc, Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  RankedTensorType real = tensorType(adaptor.getReal()), imag = tensorType(adaptor.getImag());
  Type element = real.getElementType();
  // complex_c1
  if (element != imag.getElementType() || !(element.isF32() || element.isF64()))
    return emitOptionalError(loc, "complex numbers are made of two tensors of f32 or two of f64, not of ", real,
                             " and ", imag);
  FailureOr<Shape> shape = inferBroadcast(loc, adaptor.getOperands());
  if (failed(shape))
    return failure();
  types.push_back(RankedTensorType::get(*shape, ComplexType::get(element)));
  return success();
}

/// The type of the parts of complex numbers.
static LogicalResult inferPart(Value z, SmallVectorImpl<Type> &types) {
  RankedTensorType type = tensorType(z);
  auto element = llvm::dyn_cast<ComplexType>(type.getElementType());
  if (!element)
    // The verifier says what is wrong; inference has to yield something.
    return types.push_back(type), success();
  types.push_back(type.clone(element.getElementType()));
  return success();
}

#define PLUMB_INFER_PART(OP)                                                                                           \
  LogicalResult OP::inferReturnTypes(MLIRContext *, OptionalLocation, Adaptor adaptor, SmallVectorImpl<Type> &types) { \
    return inferPart(adaptor.getX(), types);                                                                           \
  }

PLUMB_INFER_PART(RealOp)
PLUMB_INFER_PART(ImagOp)
PLUMB_INFER_PART(ComplexAbsOp)
PLUMB_INFER_PART(AngleOp)

#undef PLUMB_INFER_PART

/// The constants of a longer transform would be most of the executable.
static constexpr int64_t kMaxFftExtent = 1 << 24;

LogicalResult FftOp::inferReturnTypes(MLIRContext *, OptionalLocation loc, Adaptor adaptor,
                                      SmallVectorImpl<Type> &types) {
  RankedTensorType type = tensorType(adaptor.getX());
  Type element = type.getElementType();
  // fft_c2
  if (!(element.isF32() || element.isF64() || isComplexType(element)))
    return emitOptionalError(loc, "the Fourier transform takes a tensor of f32, f64 or complex numbers, not ", type);
  // fft_c1
  for (int64_t axis : adaptor.getAxes()) {
    FailureOr<int64_t> known = inferAxis(loc, axis, type);
    if (failed(known))
      return failure();
    if (type.getDimSize(*known) == 0)
      return emitOptionalError(loc, "the Fourier transform along axis ", axis, " of ", type, " has nothing to add");
    // fft_c3
    if (type.getDimSize(*known) > kMaxFftExtent)
      return emitOptionalError(loc, "the Fourier transform along axis ", axis, " of ", type,
                               " needs constants as long as the axis; at most ", kMaxFftExtent,
                               " elements are possible");
  }
  types.push_back(type.clone(isComplexType(element) ? element : ComplexType::get(element)));
  return success();
}

} // namespace plumb::net
