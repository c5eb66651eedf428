// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/checkpoint/safetensors.h"
#include "runtime/checkpoint/safetensors_header.h"

namespace plumb {
namespace {

constexpr size_t kAlignment = 64;

absl::Status ErrnoError(const std::string& what) {
  return absl::UnavailableError(absl::StrCat(what, ": ", strerror(errno)));
}

// A file under a temporary name that vanishes unless it is committed.
class NewFile {
 public:
  explicit NewFile(const std::string& path) : path_(path), temporary_(path + ".XXXXXX") {}
  ~NewFile() {
    if (file_ >= 0) close(file_);
    if (exists_) unlink(temporary_.c_str());
  }

  absl::Status Create() {
    file_ = mkostemp(temporary_.data(), O_CLOEXEC);
    if (file_ < 0) return ErrnoError(absl::StrCat("cannot write ", path_));
    exists_ = true;
    return absl::OkStatus();
  }

  absl::Status Write(const void* data, size_t size) {
    const char* bytes = static_cast<const char*>(data);
    while (size > 0) {
      ssize_t written = write(file_, bytes, size);
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return ErrnoError(absl::StrCat("cannot write ", path_));
      bytes += written;
      size -= static_cast<size_t>(written);
    }
    return absl::OkStatus();
  }

  // The bytes are on the disk before the name is, and the name before we say so.
  absl::Status Commit() {
    mode_t mask = umask(0);
    umask(mask);
    if (fchmod(file_, 0666 & ~mask) != 0 || fsync(file_) != 0) return ErrnoError(absl::StrCat("cannot write ", path_));
    int result = close(file_);
    file_ = -1;
    if (result != 0 || rename(temporary_.c_str(), path_.c_str()) != 0) {
      return ErrnoError(absl::StrCat("cannot write ", path_));
    }
    exists_ = false;
    SyncFolder();
    return absl::OkStatus();
  }

 private:
  // Some file systems cannot sync a folder; the file is whole all the same.
  void SyncFolder() {
    size_t slash = path_.rfind('/');
    std::string folder = slash == std::string::npos ? "." : slash == 0 ? "/" : path_.substr(0, slash);
    int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return;
    fsync(descriptor);
    close(descriptor);
  }

  std::string path_, temporary_;
  int file_ = -1;
  bool exists_ = false;
};

absl::StatusOr<std::string> MakeHeader(absl::Span<const CheckpointTensor> tensors,
                                       const std::map<std::string, std::string>& metadata) {
  SafetensorsHeader header;
  header.metadata = metadata;
  uint64_t at = 0;
  std::set<std::string> names;
  for (const CheckpointTensor& tensor : tensors) {
    PLUMB_ASSIGN_OR_RETURN(uint64_t bytes, TensorBytes(tensor.element, tensor.shape));
    if (bytes != tensor.data.size() || tensor.name == "__metadata__" || !names.insert(tensor.name).second) {
      return absl::InvalidArgumentError(absl::StrCat("tensor '", tensor.name, "' ",
                                                     TensorTypeString(tensor.element, tensor.shape), " of ",
                                                     tensor.data.size(), " bytes cannot be part of a checkpoint"));
    }
    header.entries.push_back({tensor.name, tensor.element, tensor.shape, at, at + bytes});
    at += bytes;
  }
  std::string json = FormatSafetensorsHeader(header);
  json.resize((json.size() + 8 + kAlignment - 1) / kAlignment * kAlignment - 8, ' ');
  return json;
}

}  // namespace

absl::Status WriteCheckpoint(const std::string& path, absl::Span<const CheckpointTensor> tensors,
                             const std::map<std::string, std::string>& metadata) {
  PLUMB_ASSIGN_OR_RETURN(std::string header, MakeHeader(tensors, metadata));
  NewFile file(path);
  PLUMB_RETURN_IF_ERROR(file.Create());
  uint64_t length = header.size();
  PLUMB_RETURN_IF_ERROR(file.Write(&length, sizeof(length)));
  PLUMB_RETURN_IF_ERROR(file.Write(header.data(), header.size()));
  for (const CheckpointTensor& tensor : tensors) PLUMB_RETURN_IF_ERROR(file.Write(tensor.data.data(), tensor.data.size()));
  return file.Commit();
}

}  // namespace plumb
