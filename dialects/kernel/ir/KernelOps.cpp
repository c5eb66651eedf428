// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations of the kernel dialect.

#include "dialects/kernel/ir/Kernel.h"

#define GET_OP_CLASSES
#include "dialects/kernel/ir/KernelOps.cpp.inc"

using namespace mlir;
using namespace plumb::kernel;

/// The offset of the elements of `type`, with their strides in `strides`; none where one of them is dynamic.
static std::optional<int64_t> findOffset(MemRefType type, SmallVectorImpl<int64_t> &strides) {
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)) || ShapedType::isDynamic(offset) ||
      llvm::any_of(strides, ShapedType::isDynamic))
    return std::nullopt;
  return offset;
}

MemRefType RebaseOp::getRebasedType(MemRefType source) {
  SmallVector<int64_t> strides;
  if (!findOffset(source, strides))
    return {};
  auto contiguous = MemRefType::get(source.getShape(), source.getElementType(), AffineMap(), source.getMemorySpace());
  if (contiguous.getStridesAndOffset().first == strides)
    return contiguous;
  auto layout = StridedLayoutAttr::get(source.getContext(), /*offset=*/0, strides);
  return MemRefType::get(source.getShape(), source.getElementType(), layout, source.getMemorySpace());
}

void RebaseOp::build(OpBuilder &builder, OperationState &state, Value source) {
  build(builder, state, getRebasedType(cast<MemRefType>(source.getType())), source);
}

Value RebaseOp::getViewSource() { return getSource(); }

int64_t RebaseOp::getDistance() {
  SmallVector<int64_t> strides;
  return *findOffset(cast<MemRefType>(getSource().getType()), strides);
}

LogicalResult RebaseOp::verify() {
  MemRefType expected = getRebasedType(cast<MemRefType>(getSource().getType()));
  if (!expected) // rebase_c1
    return emitOpError() << "source must have static strides and a static offset, got " << getSource().getType();
  if (expected == getResult().getType()) // rebase_c2
    return success();
  return emitOpError() << "result must be " << expected << ", got " << getResult().getType();
}
