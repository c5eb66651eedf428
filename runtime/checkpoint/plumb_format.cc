// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/checkpoint/plumb_format.h"

#include <zlib.h>

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "runtime/base/element_type.h"
#include "runtime/base/status.h"
#include "runtime/checkpoint/safetensors_header.h"

namespace plumb {
namespace {

constexpr absl::string_view kEscape = "plumb.tensor.";

/// A CRC-32 of parts, each with its length before it, so that no part can give bytes to its neighbour.
class PartSum {
 public:
  void Add(const void* data, uint64_t size) {
    uint8_t length[8];
    for (int i = 0; i < 8; ++i) length[i] = static_cast<uint8_t>(size >> (8 * i));
    sum_ = crc32_z(sum_, length, sizeof(length));
    if (size > 0) sum_ = crc32_z(sum_, static_cast<const uint8_t*>(data), size);
  }
  void Add(absl::string_view text) { Add(text.data(), text.size()); }
  std::string Text() const { return absl::StrCat(absl::Hex(sum_, absl::kZeroPad8)); }

 private:
  uLong sum_ = crc32_z(0, nullptr, 0);
};

}  // namespace

absl::StatusOr<uint32_t> ReadFormat(const CheckpointMetadata& metadata) {
  auto format = metadata.find(kFormatKey);
  if (format == metadata.end()) {
    for (const auto& entry : metadata) {
      if (!absl::StartsWith(entry.first, kPlumbKeys)) continue;
      return absl::DataLossError(absl::StrCat("damaged: it has the key '", entry.first,
                                              "' of a checkpoint of Plumb's, but no '", kFormatKey, "'"));
    }
    return 0;
  }
  uint32_t number = 0;
  if (!absl::SimpleAtoi(format->second, &number) || number < 1 || number > kFormat) {
    return absl::UnimplementedError(absl::StrCat("its checkpoint format is '", format->second,
                                                 "', understood are 1 to ", kFormat,
                                                 "; it is damaged, or a newer Plumb wrote it"));
  }
  return number;
}

std::string ContentSum(absl::Span<const CheckpointTensor> tensors, const CheckpointMetadata& metadata) {
  PartSum sum;
  for (const auto& [key, value] : metadata) {
    if (key == kSumKey) continue;
    sum.Add(key);
    sum.Add(value);
  }
  for (const CheckpointTensor& tensor : tensors) {
    sum.Add(tensor.name);
    sum.Add(TensorTypeString(tensor.element, tensor.shape));
    sum.Add(tensor.data.data(), tensor.data.size());
  }
  return sum.Text();
}

absl::Status CheckSum(absl::Span<const CheckpointTensor> tensors, const CheckpointMetadata& metadata) {
  auto given = metadata.find(kSumKey);
  if (given == metadata.end())
    return absl::DataLossError(absl::StrCat("damaged: it has no checksum ('", kSumKey, "')"));
  if (given->second == ContentSum(tensors, metadata)) return absl::OkStatus();
  return absl::DataLossError(
      "damaged: its checksum does not fit its content (or another tool changed it and kept Plumb's metadata)");
}

std::string StoredName(absl::string_view name) {
  const bool reserved = name == kMetadataName || absl::StartsWith(name, kEscape);
  return absl::StrCat(reserved ? kEscape : "", name);
}

std::string NameOfStored(absl::string_view stored) { return std::string(absl::StripPrefix(stored, kEscape)); }

}  // namespace plumb
