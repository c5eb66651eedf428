// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the code of a checked ELF image goes into memory: which bytes where, with which rights, and which words are set
// to addresses. Made from bytes that nobody vouches for, by allow-lists: a segment, dynamic tag, relocation, symbol or
// imported function that a Plumb executable has no use for is refused by name, so that no code of a file can run, or
// lie where code can run, by any way but its one entry point. See docs/rationale/loading.md.

#ifndef PLUMB_RUNTIME_EXECUTABLE_LOAD_PLAN_H_
#define PLUMB_RUNTIME_EXECUTABLE_LOAD_PLAN_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/executable/elf_image.h"

namespace plumb {

/// One range of the image. Addresses count from the image's start; ranges of different segments share no page.
struct LoadSegment {
  uint64_t address = 0;
  uint64_t offset = 0;      // in the file; equal to `address` modulo kLoadPage
  uint64_t file_bytes = 0;  // from the file; what follows is zero
  uint64_t memory_bytes = 0;
  bool writable = false;  // until relocated; never together with `executable`
  bool executable = false;
};

/// A word that holds an address.
struct LoadRelocation {
  uint64_t target = 0;             // where the word lies, inside a writable segment
  uint64_t value = 0;              // relative to the image, or
  const void* function = nullptr;  // a function of this process
};

struct LoadPlan {
  uint64_t bytes = 0;  // of the whole image
  std::vector<LoadSegment> segments;
  std::vector<LoadRelocation> relocations;
  uint64_t constant_begin = 0;  // pages that are only read once they are relocated
  uint64_t constant_end = 0;
  uint64_t query = 0;       // address of plumb_executable_query
  uint64_t hole_begin = 0;  // bytes of the file that need not be there: the manifest, which code never reads
  uint64_t hole_end = 0;
};

/// The page that segments are laid out for; a host's own pages may be smaller.
inline constexpr uint64_t kLoadPage = 4096;

/// Checks everything above. `image` was parsed from `file`.
absl::StatusOr<LoadPlan> MakeLoadPlan(absl::Span<const uint8_t> file, const ElfImage& image);

}  // namespace plumb

#endif  // PLUMB_RUNTIME_EXECUTABLE_LOAD_PLAN_H_
