// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the tables of an ELF shared object that nobody vouches for. Everything is bounds-checked against the bytes at
// hand before it is used, so that a truncated or crafted file yields an error and never a wild read, and before the
// dynamic linker, which trusts its input, sees the file at all.

#ifndef PLUMB_RUNTIME_EXECUTABLE_ELF_IMAGE_H_
#define PLUMB_RUNTIME_EXECUTABLE_ELF_IMAGE_H_

#include <elf.h>

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

/// The checked sections of a 64-bit little-endian shared object for a machine that Plumb has executables for, be it
/// this one or another.
class ElfImage {
 public:
  /// How many bytes of a file CheckStart needs.
  static constexpr size_t kStartBytes = sizeof(Elf64_Ehdr);
  /// Checks the first bytes of a file of `size` bytes, so that nothing larger is read of one that is foreign or
  /// truncated.
  static absl::Status CheckStart(absl::Span<const uint8_t> start, uint64_t size);

  /// Checks header, section table and program headers of `file`, which must outlive the image.
  static absl::StatusOr<ElfImage> Parse(absl::Span<const uint8_t> file);

  /// EM_X86_64 or EM_AARCH64.
  uint16_t machine() const { return machine_; }
  /// Whether the file is a program of its own, such as --emit=exe makes.
  bool is_program() const;
  const std::vector<Elf64_Phdr>& segments() const { return segments_; }

  /// The first section called `name`, or null.
  const ElfSection* Find(absl::string_view name) const;

  const std::vector<ElfSection>& sections() const { return sections_; }

 private:
  uint16_t machine_ = EM_NONE;
  std::vector<Elf64_Phdr> segments_;
  std::vector<ElfSection> sections_;
};

}  // namespace plumb

#endif  // PLUMB_RUNTIME_EXECUTABLE_ELF_IMAGE_H_
