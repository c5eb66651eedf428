// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tensor as MindSpore's `print` shows it in compiled functions, on lines of its own, and, with commas, within
// brackets:
//
//   Tensor(shape=[2, 2], dtype=Float32, value=
//   [[ 1.00000000e+00  2.00000000e+00]
//    [ 3.00000000e+00 -4.00000000e+00]])
//
// Of an axis of more than 6 elements the first and last three are shown; where there is one axis, of more than 1000, in
// lines of 12 elements or 24 integers. On a line of its own a scalar is its number alone, a boolean one 1 or 0.

#ifndef PLUMB_RUNTIME_BASE_TENSOR_TEXT_H_
#define PLUMB_RUNTIME_BASE_TENSOR_TEXT_H_

#include <cstdint>
#include <string>

#include "runtime/abi/manifest_generated.h"

namespace plumb {

enum class TensorStyle {
  kLine,     // on lines of its own
  kRepr,     // within brackets
  kNumbers,  // the numbers alone, in brackets by axis, among other text and in errors
};

/// The text of the dense, row-major tensor at `data`.
std::string TensorText(const abi::TensorType& type, const uint8_t* data, TensorStyle style);

}  // namespace plumb

#endif  // PLUMB_RUNTIME_BASE_TENSOR_TEXT_H_
