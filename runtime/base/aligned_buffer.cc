// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/base/aligned_buffer.h"

#include <sys/mman.h>

#include "absl/strings/str_cat.h"

namespace plumb {

namespace {

// Blocks from here on are asked for in huge pages: steps walk over all of an arena, more pages than the processor's
// tables hold. A system that has none gives small ones. It may take milliseconds to find a huge page: too long for a
// few bytes of it.
constexpr uint64_t kHugeBlock = uint64_t{4} << 20;

}  // namespace

AlignedBuffer::~AlignedBuffer() {
  if (data_ != nullptr) munmap(data_, size_);
}

absl::StatusOr<AlignedBuffer> AlignedBuffer::Create(uint64_t size, const char* what, Use use) {
  AlignedBuffer buffer;
  if (size == 0) return buffer;
  void* data = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) {
    return absl::ResourceExhaustedError(absl::StrCat("no memory for ", what, " of ", size, " bytes"));
  }
  if (size >= kHugeBlock && use == Use::kWalked) (void)madvise(data, size, MADV_HUGEPAGE);
  buffer.data_ = static_cast<uint8_t*>(data);
  buffer.size_ = size;
  return buffer;
}

}  // namespace plumb
