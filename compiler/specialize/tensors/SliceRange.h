// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// start, stop and step of a slice with all of Python's defaults filled in.

#ifndef PLUMB_COMPILER_SPECIALIZE_TENSORS_SLICERANGE_H
#define PLUMB_COMPILER_SPECIALIZE_TENSORS_SLICERANGE_H

#include <algorithm>
#include <cstdint>
#include <optional>

namespace plumb::specialize {

/// The elements start, start + step, … before stop.
struct SliceRange {
  int64_t start, stop, step;

  /// The range that a slice takes of `size` elements, clamped as Python does.
  static SliceRange get(std::optional<int64_t> start, std::optional<int64_t> stop, int64_t step, int64_t size) {
    auto clamp = [&](std::optional<int64_t> bound, int64_t fallback) {
      if (!bound)
        return fallback;
      int64_t absolute = *bound < 0 ? *bound + size : *bound;
      return std::clamp<int64_t>(absolute, step > 0 ? 0 : -1, step > 0 ? size : size - 1);
    };
    return {clamp(start, step > 0 ? 0 : size - 1), clamp(stop, step > 0 ? size : -1), step};
  }

  int64_t size() const {
    int64_t distance = step > 0 ? stop - start : start - stop;
    int64_t stride = step > 0 ? step : -step;
    return distance <= 0 ? 0 : (distance + stride - 1) / stride;
  }

  /// The same elements in ascending order.
  SliceRange ascending() const { return step > 0 ? *this : SliceRange{start + (size() - 1) * step, start + 1, -step}; }
};

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_TENSORS_SLICERANGE_H
