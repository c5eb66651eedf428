// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tensor as MindSpore's `print` shows it in compiled functions:
//
//   Tensor(shape=[2, 2], dtype=Float32, value=
//   [[ 1.00000000e+00,  2.00000000e+00],
//    [ 3.00000000e+00, -4.00000000e+00]])
//
// Of more than 1000 elements the first and last three of each axis are shown.

#ifndef PLUMB_RUNTIME_BASE_TENSOR_TEXT_H_
#define PLUMB_RUNTIME_BASE_TENSOR_TEXT_H_

#include <cstdint>
#include <string>

#include "runtime/abi/manifest_generated.h"

namespace plumb {

/// The text of the dense, row-major tensor at `data`.
std::string TensorText(const abi::TensorType& type, const uint8_t* data);

/// Its numbers alone, in brackets by axis.
std::string TensorNumbersText(const abi::TensorType& type, const uint8_t* data);

}  // namespace plumb

#endif  // PLUMB_RUNTIME_BASE_TENSOR_TEXT_H_
