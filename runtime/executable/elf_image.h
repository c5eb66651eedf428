// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the tables of an ELF shared object that nobody vouches for. Everything is bounds-checked against the bytes at hand
// before it is used, so that a truncated or crafted file yields an error and never a wild read, and before the dynamic
// linker, which trusts its input, sees the file at all.

#ifndef PLUMB_RUNTIME_EXECUTABLE_ELF_IMAGE_H_
#define PLUMB_RUNTIME_EXECUTABLE_ELF_IMAGE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace plumb {

/// One section with bytes in the file (an empty span for .bss and the like).
struct ElfSection {
  std::string name;
  absl::Span<const uint8_t> bytes;
};

/// The checked sections of a 64-bit little-endian shared object for a machine that Plumb has executables for, be it this one or
/// another.
class ElfImage {
 public:
  /// Checks header, section table, program headers and the dynamic table of `file`, which must outlive the image.
  static absl::StatusOr<ElfImage> Parse(absl::Span<const uint8_t> file);

  /// The first section called `name`, or null.
  const ElfSection* Find(absl::string_view name) const;

  const std::vector<ElfSection>& sections() const { return sections_; }

 private:
  std::vector<ElfSection> sections_;
};

}  // namespace plumb

#endif  // PLUMB_RUNTIME_EXECUTABLE_ELF_IMAGE_H_
