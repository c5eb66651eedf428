// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/lower/Slices.h"

using namespace mlir;
using namespace plumb;

bool plumb::isStatic(tensor::InsertSliceOp insert) {
  auto isKnown = [](ArrayRef<int64_t> values) { return llvm::none_of(values, ShapedType::isDynamic); };
  return isKnown(insert.getStaticOffsets()) && isKnown(insert.getStaticSizes()) && isKnown(insert.getStaticStrides()) &&
         llvm::all_of(insert.getStaticStrides(), [](int64_t stride) { return stride > 0; });
}

bool plumb::areDisjoint(tensor::InsertSliceOp a, tensor::InsertSliceOp b) {
  for (int64_t axis : llvm::seq<int64_t>(0, a.getResultType().getRank())) {
    int64_t beginA = a.getStaticOffset(axis), strideA = a.getStaticStride(axis);
    int64_t beginB = b.getStaticOffset(axis), strideB = b.getStaticStride(axis);
    int64_t lastA = beginA + (a.getStaticSize(axis) - 1) * strideA;
    int64_t lastB = beginB + (b.getStaticSize(axis) - 1) * strideB;
    bool interleave = strideA == strideB && beginA % strideA != beginB % strideB;
    if (lastA < beginB || lastB < beginA || interleave)
      return true;
  }
  return false;
}
