// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants: types, and the folds that turn tensors of one number into splats.

#include "dialects/net/ir/NetConstantOps.h"

#include "dialects/net/ir/Folding.h"
#include "dialects/net/ir/Inference.h"
#include "dialects/net/ir/NetMathOps.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "dialects/net/ir/NetConstantOps.cpp.inc"

namespace plumb::net {

void NetDialect::registerConstantOps() {
  addTheme<
#define GET_OP_LIST
#include "dialects/net/ir/NetConstantOps.cpp.inc"
      >();
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValueAttr(); }

/// Refuses element types and extents that no tensor has.
static LogicalResult inferFilled(OptionalLocation loc, Type dtype, ArrayRef<int64_t> shape,
                                 SmallVectorImpl<Type> &types) {
  if (!isNumberType(dtype) || llvm::any_of(shape, [](int64_t extent) { return extent < 0; }))
    return emitOptionalError(loc, "a tensor needs a number type and extents of at least 0");
  types.push_back(RankedTensorType::get(shape, dtype));
  return success();
}

LogicalResult FillOp::inferReturnTypes(MLIRContext *, OptionalLocation loc, Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  return inferFilled(loc, adaptor.getDtype(), adaptor.getShape(), types);
}

LogicalResult EyeOp::inferReturnTypes(MLIRContext *, OptionalLocation loc, Adaptor adaptor,
                                      SmallVectorImpl<Type> &types) {
  return inferFilled(loc, adaptor.getDtype(),
                     {static_cast<int64_t>(adaptor.getN()), static_cast<int64_t>(adaptor.getM())}, types);
}

LogicalResult IotaOp::inferReturnTypes(MLIRContext *, OptionalLocation loc, Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  if (failed(inferFilled(loc, adaptor.getDtype(), adaptor.getShape(), types)))
    return failure();
  // iota_c1
  return success(succeeded(inferAxis(loc, adaptor.getAxis(), llvm::cast<RankedTensorType>(types.back()))));
}

LogicalResult RandomUniformOp::inferReturnTypes(MLIRContext *context, OptionalLocation loc, Adaptor adaptor,
                                                SmallVectorImpl<Type> &types) {
  return inferFilled(loc, Float32Type::get(context), adaptor.getShape(), types);
}

OpFoldResult FillOp::fold(FoldAdaptor) { return splatOf(getType(), getValue().convertToDouble()); }

OpFoldResult ZerosLikeOp::fold(FoldAdaptor) { return splatOf(getType(), 0); }

OpFoldResult OnesLikeOp::fold(FoldAdaptor) { return splatOf(getType(), 1); }

} // namespace plumb::net
