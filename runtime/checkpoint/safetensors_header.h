// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The JSON header of a safetensors file: a small, strict reader of exactly the JSON that the format allows.

#ifndef PLUMB_RUNTIME_CHECKPOINT_SAFETENSORS_HEADER_H_
#define PLUMB_RUNTIME_CHECKPOINT_SAFETENSORS_HEADER_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/base/element_type.h"

namespace plumb {

/// The header's key that holds metadata, so that no tensor can be called so.
inline constexpr absl::string_view kMetadataName = "__metadata__";

/// One entry of the header, checked for form only.
struct SafetensorsEntry {
  std::string name;
  ElementType element = ElementType::f32;
  std::vector<int64_t> shape;
  uint64_t begin = 0, end = 0;
};

struct SafetensorsHeader {
  std::vector<SafetensorsEntry> entries;
  std::map<std::string, std::string> metadata;
};

/// Reads the header's JSON. Errors say at which byte.
absl::StatusOr<SafetensorsHeader> ParseSafetensorsHeader(absl::string_view json);

/// The header's JSON.
std::string FormatSafetensorsHeader(const SafetensorsHeader& header);

/// The format's name of an element type: F32, BOOL, ….
absl::string_view SafetensorsTypeName(ElementType element);

}  // namespace plumb

#endif  // PLUMB_RUNTIME_CHECKPOINT_SAFETENSORS_HEADER_H_
