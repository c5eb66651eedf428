// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/new_file.h"
#include "runtime/base/status.h"
#include "runtime/checkpoint/plumb_format.h"
#include "runtime/checkpoint/safetensors.h"
#include "runtime/checkpoint/safetensors_header.h"

namespace plumb {
namespace {

constexpr size_t kAlignment = 64;

absl::StatusOr<std::string> MakeHeader(absl::Span<const CheckpointTensor> tensors,
                                       const std::map<std::string, std::string>& metadata) {
  SafetensorsHeader header;
  header.metadata = metadata;
  uint64_t at = 0;
  std::set<std::string> names;
  for (const CheckpointTensor& tensor : tensors) {
    PLUMB_ASSIGN_OR_RETURN(uint64_t bytes, TensorBytes(tensor.element, tensor.shape));
    if (bytes != tensor.data.size() || !names.insert(tensor.name).second) {
      return absl::InvalidArgumentError(absl::StrCat("tensor '", tensor.name, "' ",
                                                     TensorTypeString(tensor.element, tensor.shape), " of ",
                                                     tensor.data.size(), " bytes cannot be part of a checkpoint"));
    }
    header.entries.push_back({StoredName(tensor.name), tensor.element, tensor.shape, at, at + bytes});
    at += bytes;
  }
  std::string json = FormatSafetensorsHeader(header);
  json.resize((json.size() + 8 + kAlignment - 1) / kAlignment * kAlignment - 8, ' ');
  return json;
}

}  // namespace

absl::Status WriteCheckpoint(const std::string& path, absl::Span<const CheckpointTensor> tensors,
                             const std::map<std::string, std::string>& metadata) {
  std::map<std::string, std::string> complete = metadata;
  complete[kFormatKey] = absl::StrCat(kFormat);
  complete[kSumKey] = ContentSum(tensors, complete);
  PLUMB_ASSIGN_OR_RETURN(std::string header, MakeHeader(tensors, complete));
  NewFile file(path);
  PLUMB_RETURN_IF_ERROR(file.Create());
  uint64_t length = header.size();
  PLUMB_RETURN_IF_ERROR(file.Write(&length, sizeof(length)));
  PLUMB_RETURN_IF_ERROR(file.Write(header.data(), header.size()));
  for (const CheckpointTensor& tensor : tensors)
    PLUMB_RETURN_IF_ERROR(file.Write(tensor.data.data(), tensor.data.size()));
  return file.Commit();
}

}  // namespace plumb
