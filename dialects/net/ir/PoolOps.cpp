// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pooling: shape rules.

#include "dialects/net/ir/NetPoolOps.h"

#include "dialects/net/ir/Inference.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "dialects/net/ir/NetPoolOps.cpp.inc"

namespace plumb::net {

void NetDialect::registerPoolOps() {
  addTheme<
#define GET_OP_LIST
#include "dialects/net/ir/NetPoolOps.cpp.inc"
      >();
}

/// Infers a pooled image; max_pool2d_c1 to _c3 and avg_pool2d_c1 to _c3.
template <typename Adaptor>
static FailureOr<RankedTensorType> inferPool(OptionalLocation loc, StringRef what, Adaptor adaptor,
                                             RankedTensorType image) {
  Window window = Window::get(adaptor.getKernel(), adaptor.getStride(), adaptor.getPad(), {1});
  FailureOr<Shape> places = window.infer(loc, what, image);
  if (failed(places))
    return failure();
  for (unsigned dim : {0u, 1u})
    if (std::max(window.pad[2 * dim], window.pad[2 * dim + 1]) >= window.kernel[dim])
      return emitOptionalError(loc, what, ": pads must be smaller than the kernel of ", window.kernel[dim],
                               ", or a window would see nothing of ", image);
  Shape shape(image.getShape());
  std::copy(places->begin(), places->end(), shape.begin() + 2);
  return image.clone(shape);
}

LogicalResult MaxPool2DOp::inferReturnTypes(MLIRContext *, OptionalLocation loc, Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  auto type = inferPool(loc, "max_pool2d", adaptor, tensorType(adaptor.getX()));
  if (succeeded(type))
    types.push_back(*type);
  return type;
}

LogicalResult AvgPool2DOp::inferReturnTypes(MLIRContext *, OptionalLocation loc, Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  auto type = inferPool(loc, "avg_pool2d", adaptor, tensorType(adaptor.getX()));
  if (succeeded(type))
    types.push_back(*type);
  return type;
}

LogicalResult AvgPool2DGradOp::inferReturnTypes(MLIRContext *, OptionalLocation loc, Adaptor adaptor,
                                                SmallVectorImpl<Type> &types) {
  RankedTensorType dy = tensorType(adaptor.getDy());
  RankedTensorType image = dy.clone(adaptor.getInputShape());
  auto pooled = inferPool(loc, "avg_pool2d", adaptor, image);
  if (failed(pooled))
    return failure();
  if (*pooled != dy)
    return emitOptionalError(loc, "pooling ", image, " yields ", *pooled, ", but its adjoint is ", dy);
  types.push_back(image);
  return success();
}

/// Checks that `values` have the type that pooling x yields; max_pool2d_grad_c1 and max_pool2d_pick_c1.
template <typename Op> static LogicalResult verifyPooled(Op op, ValueRange values) {
  auto pooled = inferPool(op.getLoc(), "max_pool2d", op, tensorType(op.getX()));
  if (failed(pooled))
    return failure();
  for (Value value : values)
    if (value.getType() != *pooled)
      return op.emitOpError() << "pools " << op.getX().getType() << " to " << *pooled << ", but has "
                              << value.getType();
  return success();
}

LogicalResult MaxPool2DGradOp::verify() { return verifyPooled(*this, {getY(), getDy()}); }

LogicalResult MaxPool2DPickOp::verify() { return verifyPooled(*this, getY()); }

} // namespace plumb::net
