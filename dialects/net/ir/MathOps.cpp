// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mathematical functions: their registration, and the shape rule of the one that takes two tensors.

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
  RankedTensorType y = tensorType(adaptor.getY());
  if (y.getElementType() != tensorType(adaptor.getX()).getElementType())
    return emitOptionalError(loc, "element types differ: ", y, " and ", adaptor.getX().getType());
  FailureOr<Shape> shape = inferBroadcast(loc, adaptor.getOperands());
  if (failed(shape))
    return failure();
  types.push_back(y.clone(*shape));
  return success();
}

LogicalResult PolygammaOp::verify() {
  // polygamma_c1
  if (getOrder() > kMaxOrder)
    return emitOpError() << "needs an order from 0 to " << kMaxOrder << ", but has " << static_cast<int64_t>(getOrder());
  return success();
}

} // namespace plumb::net
