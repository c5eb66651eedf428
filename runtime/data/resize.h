// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Resizing of images, bit for bit as OpenCV's INTER_LINEAR and INTER_NEAREST, on which MindSpore's Resize rests.
//
// For u8, OpenCV computes in fixed point: weights are rounded to 11 bits; a first pass weighs neighbours within each
// row and keeps 15 bits, a second weighs two such rows and keeps 8. The weights depend on the sizes only and are
// computed once. A reduction to exactly one half in both directions is a mean of four pixels instead.

#ifndef PLUMB_RUNTIME_DATA_RESIZE_H_
#define PLUMB_RUNTIME_DATA_RESIZE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace plumb {

/// Height, width and interleaved channels of an image.
struct ImageSize {
  int64_t height, width, channels;
};

/// Resizes images of one size to another. Immutable once made.
class Resizer {
 public:
  Resizer(ImageSize from, ImageSize to, bool nearest);

  /// Bytes of scratch that Run wants.
  size_t scratch_bytes() const;
  /// Resizes one image of u8.
  void Run(const uint8_t* in, uint8_t* out, uint8_t* scratch) const;
  /// Resizes one image of f32, in the order of OpenCV's float arithmetic but without its fused multiplications.
  void Run(const float* in, float* out, uint8_t* scratch) const;

 private:
  // Neighbours and weights along one direction, by output position.
  struct Axis {
    std::vector<int32_t> first,
        second;  // positions in the input; for rows times 1, for columns times channels plus channel
    std::vector<int16_t> weight0, weight1;  // in 1/2048
    std::vector<float> real0, real1;
  };
  static Axis MakeColumns(int64_t from, int64_t to, int64_t channels, bool nearest);
  static Axis MakeRows(int64_t from, int64_t to, bool nearest);

  template <typename T>
  void RunNearest(const T* in, T* out) const;
  void RunHalf(const uint8_t* in, uint8_t* out) const;

  ImageSize from_, to_;
  bool nearest_, half_;
  Axis columns_, rows_;
};

}  // namespace plumb

#endif  // PLUMB_RUNTIME_DATA_RESIZE_H_
