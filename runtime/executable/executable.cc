// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/executable/executable.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "absl/strings/str_join.h"
#include "runtime/base/status.h"
#include "runtime/executable/cpu_features.h"
#include "runtime/executable/manifest_check.h"

namespace plumb {
namespace {

absl::Status CheckMachine(const abi::Manifest& manifest) {
  if (manifest.target_triple() != nullptr) PLUMB_RETURN_IF_ERROR(CheckTargetTriple(manifest.target_triple()->c_str()));
  std::vector<std::string> features;
  if (manifest.cpu_features() != nullptr) {
    for (const flatbuffers::String* name : *manifest.cpu_features()) features.push_back(name->str());
  }
  return CheckCpuFeatures(features, HostCpuFeatures());
}

/// Position of `name` in a vector of tables with names.
template <typename Table>
absl::StatusOr<size_t> Find(const flatbuffers::Vector<flatbuffers::Offset<Table>>* tables, absl::string_view name,
                            absl::string_view what) {
  std::vector<std::string> names;
  for (size_t i = 0; tables != nullptr && i < tables->size(); ++i) {
    names.push_back(tables->Get(i)->name()->str());
    if (names.back() == name) return i;
  }
  return absl::NotFoundError(absl::StrCat("the executable has no ", what, " '", name, "'; it has ",
                                          names.empty() ? "none" : absl::StrJoin(names, ", ")));
}

}  // namespace

absl::StatusOr<std::shared_ptr<const Executable>> Executable::Load(const std::string& path, const FileCheck& check) {
  PLUMB_ASSIGN_OR_RETURN(AlignedBuffer file, ReadExecutableFile(path, check));
  return LoadFromMemory(file.span(), path);
}

absl::StatusOr<std::shared_ptr<const Executable>> Executable::LoadFromMemory(absl::Span<const uint8_t> file,
                                                                             const std::string& name) {
  std::shared_ptr<Executable> executable(new Executable);
  PLUMB_ASSIGN_OR_RETURN(executable->image_, ExecutableImage::Parse(file, name));
  PLUMB_RETURN_IF_ERROR(Annotate(executable->Map(file), name));
  return std::shared_ptr<const Executable>(std::move(executable));
}

absl::StatusOr<std::shared_ptr<const Executable>> Executable::FromLinked(plumb_executable_query_fn query,
                                                                         absl::Span<const uint8_t> manifest) {
  std::shared_ptr<Executable> executable(new Executable);
  PLUMB_ASSIGN_OR_RETURN(executable->linked_manifest_, AlignedBuffer::Create(manifest.size(), "a manifest"));
  std::copy(manifest.begin(), manifest.end(), executable->linked_manifest_.data());
  PLUMB_ASSIGN_OR_RETURN(executable->manifest_, ReadManifest(executable->linked_manifest_.span()));
  PLUMB_RETURN_IF_ERROR(CheckMachine(*executable->manifest_));
  PLUMB_RETURN_IF_ERROR(executable->TakeTable(query));
  return std::shared_ptr<const Executable>(std::move(executable));
}

absl::Status Executable::Map(absl::Span<const uint8_t> file) {
  manifest_ = &image_.manifest();
  PLUMB_RETURN_IF_ERROR(CheckMachine(*manifest_));
  const std::string name = manifest_->name() == nullptr ? "plumb" : absl::StrCat("plumb:", manifest_->name()->str());
  PLUMB_ASSIGN_OR_RETURN(code_, CodeMemory::Map(file, image_.plan(), name));
  return TakeTable(reinterpret_cast<plumb_executable_query_fn>(code_.base() + image_.plan().query));
}

absl::Status Executable::TakeTable(plumb_executable_query_fn query) {
  // One of those that the manifest's check lets through.
  const uint32_t version = manifest_->abi_version();
  table_ = query(version);
  if (table_ == nullptr)
    return absl::UnimplementedError(absl::StrCat("its code does not serve executable ABI ", version));
  return CheckTable();
}

/// Whether memory is the executable's own; one that is linked into the program is trusted like the rest of it.
bool Executable::IsInside(const void* address, size_t size, bool is_code) const {
  return code_.base() == nullptr || code_.Holds(address, size, image_.plan(), is_code);
}

absl::Status Executable::CheckTable() const {
  const absl::Status outside = absl::DataLossError("corrupted: its table of loops points outside of it");
  if (!IsInside(table_, sizeof(*table_))) return outside;
  if (table_->abi_version != manifest_->abi_version()) {
    return absl::UnimplementedError(absl::StrCat("its code does not serve executable ABI ", manifest_->abi_version()));
  }
  if (table_->loop_count != manifest_->loops()->size()) {
    return absl::DataLossError("corrupted: its code and its manifest disagree about the number of loops");
  }
  if (!IsInside(table_->loops, table_->loop_count * sizeof(plumb_loop_entry_t))) return outside;
  for (uint32_t i = 0; i < table_->loop_count; ++i) {
    const plumb_loop_entry_t& entry = table_->loops[i];
    const std::string name = manifest_->loops()->Get(i)->name()->str();
    if (!IsInside(entry.name, name.size() + 1) ||
        !IsInside(reinterpret_cast<const void*>(entry.run), 1, /*is_code=*/true)) {
      return outside;
    }
    if (entry.name == nullptr || entry.run == nullptr || std::strncmp(entry.name, name.c_str(), name.size() + 1) != 0) {
      return absl::DataLossError("corrupted: its code and its manifest disagree about the names of loops");
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<size_t> Executable::FindLoop(absl::string_view name) const {
  return Find(manifest_->loops(), name, "loop");
}

absl::StatusOr<size_t> Executable::FindQueue(absl::string_view name) const {
  return Find(manifest_->queues(), name, "queue");
}

absl::StatusOr<size_t> Executable::FindVariable(absl::string_view name) const {
  return Find(manifest_->variables(), name, "variable");
}

}  // namespace plumb
