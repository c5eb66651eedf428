// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <map>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "runtime/api/handles.h"
#include "runtime/base/new_file.h"
#include "runtime/base/status.h"
#include "runtime/checkpoint/name_map.h"

namespace plumb {
namespace api {
namespace {

absl::Status Read(const char* path, plumb_checkpoint_t** checkpoint) {
  auto handle = std::make_unique<plumb_checkpoint>();
  PLUMB_ASSIGN_OR_RETURN(handle->checkpoint, Checkpoint::Read(path));
  for (const CheckpointTensor& tensor : handle->checkpoint.tensors()) {
    handle->tensors.push_back({{tensor.name.c_str(), static_cast<plumb_element_t>(tensor.element), tensor.shape.size(),
                                tensor.shape.data(), tensor.data.size()},
                               tensor.data.data()});
  }
  for (const auto& [key, value] : handle->checkpoint.metadata())
    handle->entries.push_back({key.c_str(), value.c_str()});
  *checkpoint = handle.release();
  return absl::OkStatus();
}

absl::StatusOr<CheckpointTensor> TensorOf(const plumb_checkpoint_tensor_t& given) {
  const plumb_tensor_info_t& info = given.info;
  if (info.name == nullptr || (info.shape == nullptr && info.rank) || (given.data == nullptr && info.bytes)) {
    return NullArgument("a tensor's name, shape or data");
  }
  if (info.element < PLUMB_F32 || info.element > PLUMB_U64) {
    return absl::InvalidArgumentError(absl::StrCat("tensor '", info.name, "' has an unknown element type"));
  }
  CheckpointTensor tensor;
  tensor.name = info.name;
  tensor.element = static_cast<ElementType>(info.element);
  tensor.shape.assign(info.shape, info.shape + info.rank);
  tensor.data = absl::MakeConstSpan(static_cast<const uint8_t*>(given.data), info.bytes);
  return tensor;
}

absl::Status Write(const char* path, absl::Span<const plumb_checkpoint_tensor_t> given,
                   absl::Span<const plumb_checkpoint_entry_t> entries) {
  std::vector<CheckpointTensor> tensors;
  for (const plumb_checkpoint_tensor_t& one : given) {
    PLUMB_ASSIGN_OR_RETURN(CheckpointTensor tensor, TensorOf(one));
    tensors.push_back(std::move(tensor));
  }
  std::map<std::string, std::string> metadata;
  for (const plumb_checkpoint_entry_t& entry : entries) {
    if (entry.key == nullptr || entry.value == nullptr) return NullArgument("an entry's key or value");
    if (absl::StartsWith(entry.key, kPlumbKeys)) {
      return absl::InvalidArgumentError(
          absl::StrCat("the key '", entry.key, "' is the runtime's own; no other may begin with '", kPlumbKeys, "'"));
    }
    metadata[entry.key] = entry.value;
  }
  return WriteCheckpoint(path, tensors, metadata);
}

}  // namespace
}  // namespace api
}  // namespace plumb

using plumb::api::Guard;
using plumb::api::NullArgument;

extern "C" {

plumb_status_t* plumb_checkpoint_probe(const char* path) {
  return Guard([&] { return path == nullptr ? NullArgument("a path") : plumb::NewFile::Probe(path); });
}

plumb_status_t* plumb_checkpoint_write(const char* path, const plumb_checkpoint_tensor_t* tensors, size_t tensor_count,
                                       const plumb_checkpoint_entry_t* entries, size_t entry_count) {
  return Guard([&]() -> absl::Status {
    if (path == nullptr || (tensors == nullptr && tensor_count) || (entries == nullptr && entry_count)) {
      return NullArgument("a path, the tensors or the entries");
    }
    return plumb::api::Write(path, absl::MakeConstSpan(tensors, tensor_count),
                             absl::MakeConstSpan(entries, entry_count));
  });
}

plumb_status_t* plumb_checkpoint_read(const char* path, plumb_checkpoint_t** checkpoint) {
  return Guard([&]() -> absl::Status {
    if (path == nullptr || checkpoint == nullptr) return NullArgument("a path or an out-parameter");
    return plumb::api::Read(path, checkpoint);
  });
}

plumb_status_t* plumb_map_names(const char* map, const char* const* names, size_t count, plumb_name_fn on_name,
                                void* user) {
  return Guard([&]() -> absl::Status {
    if (map == nullptr || (names == nullptr && count) || on_name == nullptr)
      return NullArgument("a map, names or a callback");
    std::vector<std::string> theirs;
    for (size_t i = 0; i < count; ++i) {
      if (names[i] == nullptr) return NullArgument("a name");
      theirs.emplace_back(names[i]);
    }
    PLUMB_ASSIGN_OR_RETURN(const plumb::NameMap parsed, plumb::NameMap::Parse(map, "the map of names"));
    PLUMB_ASSIGN_OR_RETURN(auto ours, parsed.Apply(theirs));
    for (size_t i = 0; i < count; ++i) on_name(i, ours[i].has_value() ? ours[i]->c_str() : nullptr, user);
    return absl::OkStatus();
  });
}

void plumb_checkpoint_destroy(plumb_checkpoint_t* checkpoint) { delete checkpoint; }

size_t plumb_checkpoint_tensor_count(const plumb_checkpoint_t* checkpoint) {
  return checkpoint ? checkpoint->tensors.size() : 0;
}

const plumb_checkpoint_tensor_t* plumb_checkpoint_tensor(const plumb_checkpoint_t* checkpoint, size_t index) {
  return checkpoint && index < checkpoint->tensors.size() ? &checkpoint->tensors[index] : nullptr;
}

size_t plumb_checkpoint_entry_count(const plumb_checkpoint_t* checkpoint) {
  return checkpoint ? checkpoint->entries.size() : 0;
}

const plumb_checkpoint_entry_t* plumb_checkpoint_entry(const plumb_checkpoint_t* checkpoint, size_t index) {
  return checkpoint && index < checkpoint->entries.size() ? &checkpoint->entries[index] : nullptr;
}

}  // extern "C"
