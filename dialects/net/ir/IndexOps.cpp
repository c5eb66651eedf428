// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops that address by integers: shape rules.

#include "dialects/net/ir/NetIndexOps.h"

#include "dialects/net/ir/Inference.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "dialects/net/ir/NetIndexOps.cpp.inc"

namespace plumb::net {

void NetDialect::registerIndexOps() {
  addTheme<
#define GET_OP_LIST
#include "dialects/net/ir/NetIndexOps.cpp.inc"
      >();
}

LogicalResult OneHotOp::inferReturnTypes(MLIRContext *, OptionalLocation loc, Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  RankedTensorType type = tensorType(adaptor.getIndices());
  int64_t depth = adaptor.getDepth();
  if (depth < 1 || !adaptor.getDtype().isIntOrFloat())
    return emitOptionalError(loc, "one_hot of ", type, " needs a depth of at least 1 and a number "
                                  "type, but has ",
                             depth, " and ", adaptor.getDtype());
  Shape shape(type.getShape());
  shape.push_back(depth);
  types.push_back(RankedTensorType::get(shape, adaptor.getDtype()));
  return success();
}

/// Returns `shape` with its axis replaced by the shape of the indices.
static Shape replaceAxis(ArrayRef<int64_t> shape, int64_t axis, ArrayRef<int64_t> indices) {
  Shape result(shape.take_front(axis));
  llvm::append_range(result, indices);
  llvm::append_range(result, shape.drop_front(axis + 1));
  return result;
}

LogicalResult GatherOp::inferReturnTypes(MLIRContext *, OptionalLocation loc, Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  RankedTensorType type = tensorType(adaptor.getX());
  // gather_c1
  FailureOr<int64_t> axis = inferAxis(loc, adaptor.getAxis(), type);
  if (failed(axis))
    return failure();
  types.push_back(type.clone(
      replaceAxis(type.getShape(), *axis, tensorType(adaptor.getIndices()).getShape())));
  return success();
}

LogicalResult GatherGradOp::inferReturnTypes(MLIRContext *, OptionalLocation loc,
                                             Adaptor adaptor, SmallVectorImpl<Type> &types) {
  RankedTensorType dy = tensorType(adaptor.getDy());
  RankedTensorType type = dy.clone(adaptor.getShape());
  FailureOr<int64_t> axis = inferAxis(loc, adaptor.getAxis(), type);
  if (failed(axis))
    return failure();
  ArrayRef<int64_t> indices = tensorType(adaptor.getIndices()).getShape();
  if (ArrayRef(replaceAxis(type.getShape(), *axis, indices)) != dy.getShape())
    return emitOptionalError(loc, "gathering from ", type, " by ", adaptor.getIndices().getType(),
                             " yields no ", dy);
  types.push_back(type);
  return success();
}

} // namespace plumb::net
