// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/executable/executable.h"

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
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

/// A file of memory that holds `bytes`, for the dynamic linker to map.
absl::StatusOr<int> MakeMemoryFile(absl::Span<const uint8_t> bytes) {
  int descriptor = memfd_create("plumb", MFD_CLOEXEC);
  if (descriptor < 0) return absl::ResourceExhaustedError("the system gives no memory file");
  for (size_t done = 0; done < bytes.size();) {
    ssize_t count = write(descriptor, bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      close(descriptor);
      return absl::ResourceExhaustedError("no memory for a copy of the executable");
    }
    done += static_cast<size_t>(count);
  }
  return descriptor;
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

Executable::~Executable() {
  if (library_ != nullptr) dlclose(library_);
  if (descriptor_ >= 0) close(descriptor_);
}

absl::StatusOr<std::shared_ptr<const Executable>> Executable::Load(const std::string& path) {
  PLUMB_ASSIGN_OR_RETURN(int descriptor, OpenFile(path));
  auto load = [&]() -> absl::StatusOr<std::shared_ptr<const Executable>> {
    PLUMB_ASSIGN_OR_RETURN(AlignedBuffer file, ReadFile(descriptor, path));
    PLUMB_ASSIGN_OR_RETURN(ExecutableImage image, ExecutableImage::Parse(file.span(), path));
    auto executable = Map(std::move(image), descriptor);
    if (!executable.ok()) return Annotate(executable.status(), path);
    return executable;
  };
  auto executable = load();
  if (!executable.ok()) close(descriptor);
  return executable;
}

absl::StatusOr<std::shared_ptr<const Executable>> Executable::LoadFromMemory(absl::Span<const uint8_t> file,
                                                                             const std::string& name) {
  PLUMB_ASSIGN_OR_RETURN(ExecutableImage image, ExecutableImage::Parse(file, name));
  PLUMB_ASSIGN_OR_RETURN(int descriptor, MakeMemoryFile(file));
  auto executable = Map(std::move(image), descriptor);
  if (executable.ok()) return executable;
  close(descriptor);
  return Annotate(executable.status(), name);
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

/// Takes `descriptor` over when it succeeds.
absl::StatusOr<std::shared_ptr<const Executable>> Executable::Map(ExecutableImage image, int descriptor) {
  PLUMB_RETURN_IF_ERROR(CheckMachine(image.manifest()));
  std::shared_ptr<Executable> executable(new Executable);
  executable->image_ = std::move(image);
  executable->manifest_ = &executable->image_.manifest();
  executable->library_ = dlopen(absl::StrCat("/proc/self/fd/", descriptor).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (executable->library_ == nullptr) {
    return absl::DataLossError(absl::StrCat("the dynamic linker refuses it: ", dlerror()));
  }
  void* symbol = dlsym(executable->library_, PLUMB_EXECUTABLE_QUERY_SYMBOL);
  if (symbol == nullptr) {
    return absl::DataLossError(absl::StrCat("corrupted: it exports no ", PLUMB_EXECUTABLE_QUERY_SYMBOL));
  }
  PLUMB_RETURN_IF_ERROR(executable->TakeTable(reinterpret_cast<plumb_executable_query_fn>(symbol)));
  executable->descriptor_ = descriptor;
  return std::shared_ptr<const Executable>(std::move(executable));
}

absl::Status Executable::TakeTable(plumb_executable_query_fn query) {
  // One of those that the manifest's check lets through.
  const uint32_t version = manifest_->abi_version();
  table_ = query(version);
  if (table_ == nullptr || table_->abi_version != version) {
    return absl::UnimplementedError(absl::StrCat("its code does not serve executable ABI ", version));
  }
  if (table_->loop_count != manifest_->loops()->size()) {
    return absl::DataLossError("corrupted: its code and its manifest disagree about the number of loops");
  }
  for (uint32_t i = 0; i < table_->loop_count; ++i) {
    const plumb_loop_entry_t& entry = table_->loops[i];
    if (entry.name == nullptr || entry.run == nullptr || manifest_->loops()->Get(i)->name()->str() != entry.name) {
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
