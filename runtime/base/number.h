// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers of any element type as text.

#ifndef PLUMB_RUNTIME_BASE_NUMBER_H_
#define PLUMB_RUNTIME_BASE_NUMBER_H_

#include <cstdint>
#include <string>

#include "runtime/abi/manifest_generated.h"

namespace plumb {

/// A float as NumPy prints it: the shortest digits that read back as the same value.
std::string NumpyText(float value);
std::string NumpyText(double value);

/// The number at `data`, one element of type `element`.
double ReadNumber(abi::ElementType element, const uint8_t* data);
/// The same number as NumPy prints it.
std::string ReadNumberText(abi::ElementType element, const uint8_t* data);

}  // namespace plumb

#endif  // PLUMB_RUNTIME_BASE_NUMBER_H_
