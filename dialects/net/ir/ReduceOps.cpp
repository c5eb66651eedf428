// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions: one shape rule for all, and folds where nothing is reduced.

#include "dialects/net/ir/NetReduceOps.h"

#include "dialects/net/ir/Inference.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "dialects/net/ir/NetReduceOps.cpp.inc"

namespace plumb::net {

void NetDialect::registerReduceOps() {
  addTheme<
#define GET_OP_LIST
#include "dialects/net/ir/NetReduceOps.cpp.inc"
      >();
}

template <typename Adaptor>
static LogicalResult inferReduction(OptionalLocation loc, Adaptor adaptor, SmallVectorImpl<Type> &types) {
  RankedTensorType type = tensorType(adaptor.getX());
  FailureOr<Shape> axes = inferAxes(loc, adaptor.getAxis(), type);
  if (failed(axes))
    return failure();
  Shape shape;
  for (auto [axis, extent] : llvm::enumerate(type.getShape())) {
    if (!llvm::is_contained(*axes, static_cast<int64_t>(axis)))
      shape.push_back(extent);
    else if (adaptor.getKeepDims())
      shape.push_back(1);
  }
  types.push_back(type.clone(shape));
  return success();
}

/// Reducing axes of extent one with keep_dims changes nothing.
template <typename Op> static OpFoldResult foldReduction(Op op) {
  bool isSameType = op.getX().getType() == op.getResult().getType();
  return isSameType ? OpFoldResult(op.getX()) : OpFoldResult();
}

#define PLUMB_REDUCTION(OP)                                                                                            \
  LogicalResult OP::inferReturnTypes(MLIRContext *, OptionalLocation loc, Adaptor adaptor,                             \
                                     SmallVectorImpl<Type> &types) {                                                   \
    return inferReduction(loc, adaptor, types);                                                                        \
  }                                                                                                                    \
  OpFoldResult OP::fold(FoldAdaptor) { return foldReduction(*this); }

PLUMB_REDUCTION(ReduceSumOp)
PLUMB_REDUCTION(ReduceMeanOp)
PLUMB_REDUCTION(ReduceMaxOp)
PLUMB_REDUCTION(ReduceMinOp)
PLUMB_REDUCTION(ReduceProdOp)

#undef PLUMB_REDUCTION

/// The type of positions along an axis, which vanishes.
template <typename Adaptor>
static LogicalResult inferExtreme(OptionalLocation loc, Adaptor adaptor, SmallVectorImpl<Type> &types) {
  RankedTensorType type = tensorType(adaptor.getX());
  FailureOr<int64_t> axis = inferAxis(loc, adaptor.getAxis(), type);
  if (failed(axis))
    return failure();
  Shape shape(type.getShape());
  shape.erase(shape.begin() + *axis);
  auto positions = inferPositions(loc, type.getDimSize(*axis), type.clone(shape));
  if (succeeded(positions))
    types.push_back(*positions);
  return positions;
}

LogicalResult ArgmaxOp::inferReturnTypes(MLIRContext *, OptionalLocation loc, Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  return inferExtreme(loc, adaptor, types);
}

LogicalResult ArgminOp::inferReturnTypes(MLIRContext *, OptionalLocation loc, Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  return inferExtreme(loc, adaptor, types);
}

} // namespace plumb::net
