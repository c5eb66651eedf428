// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/data/row_cache.h"

#include <unistd.h>

#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"

namespace plumb {
namespace {

// The machine's memory in bytes.
uint64_t PhysicalBytes() {
  return static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGE_SIZE));
}

}  // namespace

absl::StatusOr<std::unique_ptr<RowCache>> RowCache::Create(uint64_t rows, uint64_t bytes) {
  uint64_t total = 0;
  if (__builtin_mul_overflow(rows, bytes, &total) || total > PhysicalBytes()) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "cache: ", rows, " rows of ", bytes, " bytes do not fit in this machine's memory; leave the cache out"));
  }
  PLUMB_ASSIGN_OR_RETURN(AlignedBuffer buffer,
                         AlignedBuffer::Create(total, "a data set's cache", AlignedBuffer::Use::kScattered));
  return std::unique_ptr<RowCache>(new RowCache(std::move(buffer), rows, bytes));
}

}  // namespace plumb
