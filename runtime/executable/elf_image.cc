// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/executable/elf_image.h"

#include <algorithm>
#include <cstring>

#include "runtime/base/status.h"

namespace plumb {
namespace {

using Bytes = absl::Span<const uint8_t>;

/// The `size` bytes at `offset`, or an error that names `what`.
absl::StatusOr<Bytes> Slice(Bytes file, uint64_t offset, uint64_t size, absl::string_view what) {
  if (offset > file.size() || size > file.size() - offset) {
    return absl::DataLossError(absl::StrCat("truncated or corrupted: ", what, " should take ", size,
                                            " bytes at offset ", offset, ", but the file has only ", file.size(),
                                            " bytes"));
  }
  return file.subspan(offset, size);
}

/// Copies record `index` out of a table, because nothing promises its alignment.
template <typename Record>
Record At(Bytes table, size_t index) {
  Record record;
  std::memcpy(&record, table.data() + index * sizeof(Record), sizeof(Record));
  return record;
}

absl::Status CheckHeader(const Elf64_Ehdr& header) {
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB) {
    return absl::DataLossError("an ELF file, but not a 64-bit little-endian one, which every Plumb executable is");
  }
  if (header.e_type != ET_DYN) {
    return absl::DataLossError("an ELF file, but not a shared object, which every Plumb executable is");
  }
  if (header.e_machine != EM_X86_64 && header.e_machine != EM_AARCH64) {
    return absl::UnimplementedError(absl::StrCat("made for another machine (ELF machine ", header.e_machine,
                                                 ") than Plumb has executables for: x86-64 and AArch64"));
  }
  if (header.e_shentsize != sizeof(Elf64_Shdr) || header.e_phentsize != sizeof(Elf64_Phdr) || header.e_shnum == 0 ||
      header.e_phnum == 0 || header.e_shstrndx >= header.e_shnum) {
    return absl::DataLossError("corrupted: the ELF header describes impossible tables");
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> SectionName(Bytes names, uint32_t offset) {
  if (offset >= names.size()) return absl::DataLossError("corrupted: a section's name lies outside the name table");
  Bytes tail = names.subspan(offset);
  auto end = std::find(tail.begin(), tail.end(), 0);
  if (end == tail.end()) return absl::DataLossError("corrupted: a section's name has no end");
  return std::string(tail.begin(), end);
}

}  // namespace

absl::Status ElfImage::CheckStart(Bytes start, uint64_t size) {
  if (start.size() < SELFMAG || std::memcmp(start.data(), ELFMAG, SELFMAG) != 0) {
    return absl::DataLossError("not a Plumb executable: it does not begin as an ELF file does");
  }
  PLUMB_ASSIGN_OR_RETURN(Bytes head, Slice(start, 0, sizeof(Elf64_Ehdr), "the ELF header"));
  const Elf64_Ehdr header = At<Elf64_Ehdr>(head, 0);
  PLUMB_RETURN_IF_ERROR(CheckHeader(header));
  // Linkers put the section table last.
  uint64_t end = 0;
  if (__builtin_add_overflow(header.e_shoff, uint64_t{header.e_shnum} * sizeof(Elf64_Shdr), &end) || end > size) {
    return absl::DataLossError(absl::StrCat("truncated or corrupted: the section table should lie at offset ",
                                            header.e_shoff, ", but the file has only ", size, " bytes"));
  }
  if (end == size) return absl::OkStatus();
  return absl::DataLossError(absl::StrCat("corrupted: ", size - end, " bytes follow its end"));
}

absl::StatusOr<ElfImage> ElfImage::Parse(Bytes file) {
  PLUMB_RETURN_IF_ERROR(CheckStart(file.subspan(0, kStartBytes), file.size()));
  const Elf64_Ehdr header = At<Elf64_Ehdr>(file, 0);
  PLUMB_ASSIGN_OR_RETURN(
      Bytes table, Slice(file, header.e_shoff, uint64_t{header.e_shnum} * sizeof(Elf64_Shdr), "the section table"));
  PLUMB_ASSIGN_OR_RETURN(Bytes segments, Slice(file, header.e_phoff, uint64_t{header.e_phnum} * sizeof(Elf64_Phdr),
                                               "the program header table"));
  Elf64_Shdr name_section = At<Elf64_Shdr>(table, header.e_shstrndx);
  PLUMB_ASSIGN_OR_RETURN(Bytes names,
                         Slice(file, name_section.sh_offset, name_section.sh_size, "the section name table"));
  ElfImage image;
  image.machine_ = header.e_machine;
  for (size_t i = 0; i < header.e_phnum; ++i) image.segments_.push_back(At<Elf64_Phdr>(segments, i));
  for (size_t i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section = At<Elf64_Shdr>(table, i);
    PLUMB_ASSIGN_OR_RETURN(std::string name, SectionName(names, section.sh_name));
    Bytes bytes;
    if (section.sh_type != SHT_NOBITS && section.sh_type != SHT_NULL) {
      PLUMB_ASSIGN_OR_RETURN(bytes, Slice(file, section.sh_offset, section.sh_size, absl::StrCat("section ", name)));
    }
    image.sections_.push_back({std::move(name), bytes});
  }
  return image;
}

bool ElfImage::is_program() const {
  return std::any_of(segments_.begin(), segments_.end(),
                     [](const Elf64_Phdr& each) { return each.p_type == PT_INTERP; });
}

const ElfSection* ElfImage::Find(absl::string_view name) const {
  for (const ElfSection& section : sections_) {
    if (section.name == name) return &section;
  }
  return nullptr;
}

}  // namespace plumb
