// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/checkpoint/plumb_format.h"
#include "runtime/checkpoint/safetensors.h"
#include "runtime/checkpoint/safetensors_header.h"

namespace plumb {
namespace {

constexpr uint64_t kLengthBytes = 8;
constexpr int64_t kMaxFileBytes = int64_t{1} << 38;
constexpr uint64_t kMaxHeaderBytes = 100'000'000;  // the format's own limit

absl::Status ErrnoError(const std::string& path) {
  return absl::NotFoundError(absl::StrCat(path, ": ", strerror(errno)));
}

absl::StatusOr<std::vector<uint8_t>> ReadAll(const std::string& path) {
  int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return ErrnoError(path);
  struct stat info;
  std::vector<uint8_t> bytes;
  absl::Status status;
  if (fstat(file, &info) != 0) {
    status = ErrnoError(path);
  } else if (!S_ISREG(info.st_mode)) {
    status = absl::InvalidArgumentError(absl::StrCat(path, ": not a regular file"));
  } else if (info.st_size > kMaxFileBytes) {
    status = absl::ResourceExhaustedError(absl::StrCat(path, ": ", info.st_size, " bytes are too many"));
  } else {
    bytes.resize(static_cast<size_t>(info.st_size));
    for (size_t done = 0; done < bytes.size() && status.ok();) {
      ssize_t got = read(file, bytes.data() + done, bytes.size() - done);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) status = ErrnoError(path);
      if (got == 0) status = absl::DataLossError(absl::StrCat(path, ": became shorter while it was read"));
      if (got > 0) done += static_cast<size_t>(got);
    }
  }
  close(file);
  if (!status.ok()) return status;
  return bytes;
}

// The data must be a row of tensors without gap or overlap, each as long as its type says.
absl::Status CheckLayout(const std::vector<SafetensorsEntry>& entries, uint64_t data_bytes) {
  uint64_t at = 0;
  for (const SafetensorsEntry& entry : entries) {
    auto bytes = TensorBytes(entry.element, entry.shape);
    if (!bytes.ok()) return Annotate(bytes.status(), absl::StrCat("tensor '", entry.name, "'"));
    if (entry.begin != at || entry.end < entry.begin || entry.end > data_bytes) {
      return absl::DataLossError(absl::StrCat("tensor '", entry.name, "' lies at [", entry.begin, ", ", entry.end,
                                              ") of ", data_bytes, " bytes, where ", at, " was due"));
    }
    if (entry.end - entry.begin != *bytes) {
      return absl::DataLossError(absl::StrCat("tensor '", entry.name, "' has ", entry.end - entry.begin, " bytes, but ",
                                              TensorTypeString(entry.element, entry.shape), " has ", *bytes));
    }
    at = entry.end;
  }
  if (at == data_bytes) return absl::OkStatus();
  return absl::DataLossError(absl::StrCat(data_bytes - at, " bytes after the last tensor"));
}

absl::StatusOr<SafetensorsHeader> ReadHeader(absl::Span<const uint8_t> bytes, uint64_t* data_begin) {
  if (bytes.size() < kLengthBytes) return absl::DataLossError("not a safetensors file: shorter than 8 bytes");
  uint64_t length = 0;
  std::memcpy(&length, bytes.data(), kLengthBytes);
  if (length > kMaxHeaderBytes) {
    return absl::DataLossError(absl::StrCat("not a safetensors file: it announces a header of ", length, " bytes"));
  }
  if (length > bytes.size() - kLengthBytes) {
    return absl::DataLossError(
        absl::StrCat("truncated: a header of ", length, " bytes in a file of ", bytes.size(), " bytes"));
  }
  *data_begin = kLengthBytes + length;
  absl::string_view json(reinterpret_cast<const char*>(bytes.data()) + kLengthBytes, length);
  PLUMB_ASSIGN_OR_RETURN(SafetensorsHeader header, ParseSafetensorsHeader(json));
  std::stable_sort(header.entries.begin(), header.entries.end(),
                   [](const SafetensorsEntry& a, const SafetensorsEntry& b) {
                     return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
                   });
  PLUMB_RETURN_IF_ERROR(CheckLayout(header.entries, bytes.size() - *data_begin));
  return header;
}

}  // namespace

absl::StatusOr<Checkpoint> Checkpoint::Read(const std::string& path) {
  PLUMB_ASSIGN_OR_RETURN(std::vector<uint8_t> bytes, ReadAll(path));
  return Parse(std::move(bytes), path);
}

absl::StatusOr<Checkpoint> Checkpoint::Parse(std::vector<uint8_t> bytes, absl::string_view name) {
  uint64_t data_begin = 0;
  auto header = ReadHeader(bytes, &data_begin);
  if (!header.ok()) return Annotate(header.status(), name);
  Checkpoint checkpoint;
  checkpoint.bytes_ = std::move(bytes);
  checkpoint.metadata_ = std::move(header->metadata);
  absl::Span<const uint8_t> data = absl::MakeConstSpan(checkpoint.bytes_).subspan(data_begin);
  for (SafetensorsEntry& entry : header->entries) {
    checkpoint.tensors_.push_back({std::move(entry.name), entry.element, std::move(entry.shape),
                                   data.subspan(entry.begin, entry.end - entry.begin)});
  }
  PLUMB_RETURN_IF_ERROR(Annotate(checkpoint.TakeFormat(), name));
  return checkpoint;
}

/// Holds a file of Plumb's own to what it says about itself.
absl::Status Checkpoint::TakeFormat() {
  PLUMB_ASSIGN_OR_RETURN(format_, ReadFormat(metadata_));
  if (format_ < kFirstSummedFormat) return absl::OkStatus();
  for (CheckpointTensor& tensor : tensors_) tensor.name = NameOfStored(tensor.name);
  PLUMB_RETURN_IF_ERROR(CheckSum(tensors_, metadata_));
  metadata_.erase(kFormatKey);
  metadata_.erase(kSumKey);
  return absl::OkStatus();
}

const CheckpointTensor* Checkpoint::Find(absl::string_view name) const {
  for (const CheckpointTensor& tensor : tensors_) {
    if (tensor.name == name) return &tensor;
  }
  return nullptr;
}

}  // namespace plumb
