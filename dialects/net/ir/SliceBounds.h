// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Python's slice arithmetic, once.

#ifndef PLUMB_DIALECTS_NET_IR_SLICEBOUNDS_H
#define PLUMB_DIALECTS_NET_IR_SLICEBOUNDS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

namespace plumb::net {

/// Where a slice starts, how far it steps and how many elements it takes, for every axis.
struct SliceBounds {
  llvm::SmallVector<int64_t> offsets, sizes, strides;

  /// Reads begin and end as Python does: negative ones count from the back, all are clamped.
  /// Axes beyond the lists are taken whole; empty strides are ones.
  static SliceBounds get(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> begin, llvm::ArrayRef<int64_t> end,
                         llvm::ArrayRef<int64_t> strides) {
    SliceBounds bounds;
    for (size_t axis = 0; axis < shape.size(); ++axis) {
      int64_t extent = shape[axis];
      auto clamp = [&](int64_t at) { return std::clamp<int64_t>(at < 0 ? at + extent : at, 0, extent); };
      int64_t first = axis < begin.size() ? clamp(begin[axis]) : 0;
      int64_t last = axis < end.size() ? clamp(end[axis]) : extent;
      int64_t stride = axis < strides.size() ? strides[axis] : 1;
      bounds.offsets.push_back(first);
      bounds.strides.push_back(stride);
      bounds.sizes.push_back(std::max<int64_t>(0, llvm::divideCeilSigned(last - first, stride)));
    }
    return bounds;
  }

  /// Whether both take the same elements, in the same order.
  bool operator==(const SliceBounds &other) const {
    if (offsets != other.offsets || sizes != other.sizes)
      return false;
    for (size_t axis = 0; axis < sizes.size(); ++axis)
      if (sizes[axis] > 1 && strides[axis] != other.strides[axis])
        return false;
    return true;
  }

  /// Whether one ends along some axis before the other begins; elements between each other's are not looked for.
  bool isDisjoint(const SliceBounds &other) const {
    for (size_t axis = 0; axis < sizes.size(); ++axis)
      if (getEnd(axis) <= other.offsets[axis] || other.getEnd(axis) <= offsets[axis])
        return true;
    return false;
  }

private:
  /// Behind the last element along `axis`.
  int64_t getEnd(size_t axis) const {
    return sizes[axis] == 0 ? offsets[axis] : offsets[axis] + (sizes[axis] - 1) * strides[axis] + 1;
  }
};

} // namespace plumb::net

#endif // PLUMB_DIALECTS_NET_IR_SLICEBOUNDS_H
