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
};

} // namespace plumb::net

#endif // PLUMB_DIALECTS_NET_IR_SLICEBOUNDS_H
