// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps that row programs are made of.

#ifndef PLUMB_RUNTIME_DATA_ROW_STEPS_H_
#define PLUMB_RUNTIME_DATA_ROW_STEPS_H_

#include <memory>
#include <vector>

#include "runtime/data/resize.h"
#include "runtime/data/row_program.h"

namespace plumb {

/// Copies `bytes` bytes.
std::unique_ptr<RowStep> MakeCopy(size_t bytes);
/// Resizes an image of u8 or f32.
std::unique_ptr<RowStep> MakeResize(ElementType element, ImageSize from, ImageSize to, bool nearest);
/// x * scale + shift in f32, rounded once, as OpenCV's convertTo does.
std::unique_ptr<RowStep> MakeRescale(ElementType from, size_t count, float scale, float shift);
/// (x - mean[i % channels]) / std[i % channels] in f32.
std::unique_ptr<RowStep> MakeNormalize(ElementType from, size_t count, std::vector<float> mean, std::vector<float> std);
/// Converts `count` elements.
std::unique_ptr<RowStep> MakeCast(ElementType from, ElementType to, size_t count);
/// [pixels, channels] to [channels, pixels].
std::unique_ptr<RowStep> MakeTranspose(size_t element_bytes, size_t pixels, size_t channels);
/// `count` integers to one-hot rows of the same type; fails on a value outside 0 … classes-1.
std::unique_ptr<RowStep> MakeOneHot(ElementType element, size_t count, uint32_t classes);
/// Replaces each u8 by its entry in the table of its channel (`tables` holds one for all channels, or one for each),
/// and writes [channels, pixels] if `transposed`.
std::unique_ptr<RowStep> MakeLookup(const std::vector<std::vector<uint8_t>>& tables, size_t element_bytes,
                                    size_t pixels, size_t channels, bool transposed);

}  // namespace plumb

#endif  // PLUMB_RUNTIME_DATA_ROW_STEPS_H_
