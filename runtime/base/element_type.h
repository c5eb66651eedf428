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

// Bytes of one element; 0 for a value outside the enumeration.
size_t ElementBytes(abi::ElementType element);

// The name as the IR and the manifest spell it: f32, i64, u8, i1, …; "?" for a value outside the enumeration.
absl::string_view ElementName(abi::ElementType element);

// The inverse of ElementName.
absl::StatusOr<abi::ElementType> ElementFromName(absl::string_view name);

// Bytes of a tensor; fails on a negative dimension, an unknown element type and on overflow.
absl::StatusOr<uint64_t> TensorBytes(abi::ElementType element, absl::Span<const int64_t> shape);

// `tensor<32x1x28x28xf32>`.
std::string TensorTypeString(abi::ElementType element, absl::Span<const int64_t> shape);

// The shape of a manifest's type; empty for a scalar.
absl::Span<const int64_t> ShapeOf(const abi::TensorType& type);

}  // namespace plumb

#endif  // PLUMB_RUNTIME_BASE_ELEMENT_TYPE_H_
