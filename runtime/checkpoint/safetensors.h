// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Safetensors files: an 8-byte little-endian header length, a JSON header, the tensors' bytes.
//
// A reader trusts nothing: lengths, offsets, shapes and names are checked against each other and against the file
// before any tensor is offered. A writer leaves either the old file or the whole new one, also when the machine stops
// in between.
//
// Files that Plumb wrote say so in their metadata: `plumb.format`, and from format 2 on `plumb.crc32`, a checksum over
// names, types, shapes, metadata and data (not over the header's spelling, so that other tools may reformat it). A file
// with either key is held to both; one with neither is another tool's.

#ifndef PLUMB_RUNTIME_CHECKPOINT_SAFETENSORS_H_
#define PLUMB_RUNTIME_CHECKPOINT_SAFETENSORS_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "runtime/base/element_type.h"

namespace plumb {

/// One tensor of a checkpoint; `data` belongs to whoever made it.
struct CheckpointTensor {
  std::string name;
  ElementType element = ElementType::f32;
  std::vector<int64_t> shape;
  absl::Span<const uint8_t> data;
};

/// A whole checkpoint in memory.
class Checkpoint {
 public:
  /// Reads and checks the file. Errors name it.
  static absl::StatusOr<Checkpoint> Read(const std::string& path);
  /// Checks `bytes` and takes them over; `name` stands for the file in errors.
  static absl::StatusOr<Checkpoint> Parse(std::vector<uint8_t> bytes, absl::string_view name);

  /// In the file's order of data; the data lives as long as the checkpoint.
  const std::vector<CheckpointTensor>& tensors() const { return tensors_; }
  /// Null if there is none of that name.
  const CheckpointTensor* Find(absl::string_view name) const;
  /// The file's free-form strings, without the two of the format itself.
  const std::map<std::string, std::string>& metadata() const { return metadata_; }
  /// Of the layout of Plumb's own metadata; 0: another tool wrote the file.
  uint32_t format() const { return format_; }

 private:
  absl::Status TakeFormat();

  std::vector<uint8_t> bytes_;
  std::vector<CheckpointTensor> tensors_;
  std::map<std::string, std::string> metadata_;
  uint32_t format_ = 0;
};

/// What every key of Plumb's own metadata begins with.
inline constexpr absl::string_view kPlumbKeys = "plumb.";

/// Writes `tensors` and `metadata`, with the format's number and a checksum, to `path` (see NewFile).
absl::Status WriteCheckpoint(const std::string& path, absl::Span<const CheckpointTensor> tensors,
                             const std::map<std::string, std::string>& metadata = {});

}  // namespace plumb

#endif  // PLUMB_RUNTIME_CHECKPOINT_SAFETENSORS_H_
