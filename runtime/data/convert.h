// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions between element types, by C's rules made total: a float becomes an integer by truncation and wraps around
// like an integer would; NaN becomes 0; anything but 0 is true.

#ifndef PLUMB_RUNTIME_DATA_CONVERT_H_
#define PLUMB_RUNTIME_DATA_CONVERT_H_

#include <cstddef>

#include "runtime/base/element_type.h"

namespace plumb {

/// Whether the type is a float of any width.
bool IsFloatElement(ElementType element);

/// Converts `count` elements; `in` and `out` do not overlap.
void ConvertElements(ElementType from, const void* in, ElementType to, void* out, size_t count);

/// One element of an integer type, sign- or zero-extended.
int64_t LoadInteger(ElementType element, const void* in);

}  // namespace plumb

#endif  // PLUMB_RUNTIME_DATA_CONVERT_H_
