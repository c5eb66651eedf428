// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What Plumb adds to the safetensors format: a format number, a checksum, and names that the format itself reserves.

#ifndef PLUMB_RUNTIME_CHECKPOINT_PLUMB_FORMAT_H_
#define PLUMB_RUNTIME_CHECKPOINT_PLUMB_FORMAT_H_

#include <cstdint>
#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "runtime/checkpoint/safetensors.h"

namespace plumb {

using CheckpointMetadata = std::map<std::string, std::string>;

/// 1: seed, steps and positions in the data; 2: the checksum and stored names.
inline constexpr uint32_t kFormat = 2;
inline constexpr uint32_t kFirstSummedFormat = 2;
inline constexpr char kFormatKey[] = "plumb.format";
inline constexpr char kSumKey[] = "plumb.crc32";

/// The format that a file's metadata names; 0 where no key is Plumb's. Fails on a number that this runtime does not
/// know, and where keys of Plumb's lack the number or the checksum.
absl::StatusOr<uint32_t> ReadFormat(const CheckpointMetadata& metadata);

/// CRC-32 over tensors and metadata but for the sum itself, as eight hexadecimal digits.
std::string ContentSum(absl::Span<const CheckpointTensor> tensors, const CheckpointMetadata& metadata);
absl::Status CheckSum(absl::Span<const CheckpointTensor> tensors, const CheckpointMetadata& metadata);

/// The name under which a tensor stands in the file: its own, unless safetensors reserves that one (`__metadata__`);
/// and back.
std::string StoredName(absl::string_view name);
std::string NameOfStored(absl::string_view stored);

}  // namespace plumb

#endif  // PLUMB_RUNTIME_CHECKPOINT_PLUMB_FORMAT_H_
