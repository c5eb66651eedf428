// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Element types of tensors: the manifest's enumeration, with names and sizes.

#ifndef PLUMB_RUNTIME_BASE_ELEMENT_TYPE_H_
#define PLUMB_RUNTIME_BASE_ELEMENT_TYPE_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "runtime/abi/manifest_generated.h"

namespace plumb {

using ElementType = abi::ElementType;

/// Bytes of one element; 0 for a value outside the enumeration.
size_t ElementBytes(ElementType element);

/// The name as the IR and the manifest spell it: f32, i64, u8, i1, ….
absl::string_view ElementName(ElementType element);

/// The inverse of ElementName; also takes NumPy's names (float32, int64, uint8, bool, …).
absl::StatusOr<ElementType> ParseElement(absl::string_view name);

/// Elements of a shape; fails on a negative dimension and on overflow.
absl::StatusOr<size_t> CountElements(absl::Span<const int64_t> shape);

/// `f32[32, 1, 28, 28]`.
std::string TypeString(ElementType element, absl::Span<const int64_t> shape);

}  // namespace plumb

#endif  // PLUMB_RUNTIME_BASE_ELEMENT_TYPE_H_
