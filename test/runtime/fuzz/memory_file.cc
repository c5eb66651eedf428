// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <sys/mman.h>
#include <unistd.h>

#include "absl/strings/str_cat.h"
#include "test/runtime/fuzz/fuzzer.h"

namespace plumb {
namespace fuzz {

MemoryFile::MemoryFile() : file_(memfd_create("fuzz", MFD_CLOEXEC)), path_(absl::StrCat("/proc/self/fd/", file_)) {
  if (file_ < 0) std::abort();
}

MemoryFile::~MemoryFile() { close(file_); }

void MemoryFile::Set(absl::Span<const uint8_t> bytes) {
  if (ftruncate(file_, 0) != 0 || pwrite(file_, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    std::abort();
}

}  // namespace fuzz
}  // namespace plumb
