// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What FlatBuffers' verifier cannot know: that the manifest's tables make sense together. Sizes, offsets and indices
// are checked here once; the rest of the runtime then uses them without looking twice.

#ifndef PLUMB_RUNTIME_EXECUTABLE_MANIFEST_CHECK_H_
#define PLUMB_RUNTIME_EXECUTABLE_MANIFEST_CHECK_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/abi/manifest_generated.h"

namespace plumb {

/// Verifies `bytes` (8-byte aligned) as FlatBuffer of this schema, then versions, then meaning. The result points into
/// `bytes`.
absl::StatusOr<const abi::Manifest*> ReadManifest(absl::Span<const uint8_t> bytes);

/// Bytes of a dense tensor of the type. Fails on an unknown element type, a negative dimension and overflow.
absl::StatusOr<uint64_t> TypeBytes(const abi::TensorType* type);

/// `tensor<32x1x28x28xf32>`.
std::string TypeText(const abi::TensorType& type);

}  // namespace plumb

#endif  // PLUMB_RUNTIME_EXECUTABLE_MANIFEST_CHECK_H_
