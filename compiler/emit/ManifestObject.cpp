// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A manifest may hold a data set of any size. As a constant of an LLVM module
// it would be copied four times on its way; here it is written as it is:
//
//   header | manifest | symbols | strings | section headers

#include "compiler/emit/ManifestObject.h"

#include "runtime/abi/executable_abi.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Alignment.h"

#include <array>
#include <cstring>
#include <string>

using namespace llvm;

namespace {

/// Sections of the object, in order.
enum Section { None, Manifest, Symbols, Strings, Stack, Count };

/// Names of sections and symbols.
class StringTable {
public:
  /// Adds `name` and returns its place.
  uint32_t add(StringRef name) {
    size_t place = bytes.size();
    bytes.append(name.begin(), name.end());
    bytes.push_back('\0');
    return place;
  }

  std::string bytes = std::string(1, '\0');
};

} // namespace

/// A symbol of the manifest's section, seen by what it is linked with alone.
static ELF::Elf64_Sym makeSymbol(uint32_t name, uint64_t value, uint64_t size) {
  ELF::Elf64_Sym symbol = {};
  symbol.st_name = name;
  symbol.setBindingAndType(ELF::STB_GLOBAL, ELF::STT_OBJECT);
  symbol.st_other = ELF::STV_HIDDEN;
  symbol.st_shndx = Manifest;
  symbol.st_value = value;
  symbol.st_size = size;
  return symbol;
}

static ELF::Elf64_Shdr makeSection(uint32_t name, uint32_t type, uint64_t offset, uint64_t size, uint64_t alignment) {
  ELF::Elf64_Shdr section = {};
  section.sh_name = name;
  section.sh_type = type;
  section.sh_offset = offset;
  section.sh_size = size;
  section.sh_addralign = alignment;
  return section;
}

/// The header of an object like `like`, whose section headers lie at `sections`.
static ELF::Elf64_Ehdr makeHeader(ArrayRef<char> like, uint64_t sections) {
  ELF::Elf64_Ehdr header;
  std::memcpy(&header, like.data(), sizeof(header));
  // The linker keeps what nothing refers to for GNU's ABI only.
  header.e_ident[ELF::EI_OSABI] = ELF::ELFOSABI_GNU;
  header.e_shoff = sections;
  header.e_shnum = Count;
  header.e_shstrndx = Strings;
  return header;
}

template <typename T> static void writeRaw(raw_ostream &os, const T &value) {
  os.write(reinterpret_cast<const char *>(&value), sizeof(value));
}

void plumb::writeManifestObject(ArrayRef<uint8_t> manifest, ArrayRef<char> like, raw_ostream &os) {
  StringTable names;
  std::array<ELF::Elf64_Sym, 3> symbols = {};
  symbols[1] = makeSymbol(names.add("plumb_manifest_start"), 0, manifest.size());
  symbols[2] = makeSymbol(names.add("plumb_manifest_end"), manifest.size(), 0);

  const Align alignment(PLUMB_BUFFER_ALIGNMENT);
  const uint64_t start = alignTo(sizeof(ELF::Elf64_Ehdr), alignment);
  const uint64_t symbolTable = alignTo(start + manifest.size(), alignment);
  const uint64_t strings = symbolTable + sizeof(symbols);
  std::array<ELF::Elf64_Shdr, Count> sections = {};
  sections[Manifest] =
      makeSection(names.add(PLUMB_MANIFEST_SECTION), ELF::SHT_PROGBITS, start, manifest.size(), alignment.value());
  sections[Manifest].sh_flags = ELF::SHF_ALLOC | ELF::SHF_GNU_RETAIN;
  sections[Symbols] =
      makeSection(names.add(".symtab"), ELF::SHT_SYMTAB, symbolTable, sizeof(symbols), alignof(ELF::Elf64_Sym));
  sections[Symbols].sh_link = Strings;
  sections[Symbols].sh_info = 1; // the first symbol that is not local
  sections[Symbols].sh_entsize = sizeof(ELF::Elf64_Sym);
  sections[Stack] = makeSection(names.add(".note.GNU-stack"), ELF::SHT_PROGBITS, strings, 0, 1);
  const uint32_t stringsName = names.add(".strtab");
  sections[Strings] = makeSection(stringsName, ELF::SHT_STRTAB, strings, names.bytes.size(), 1);
  const uint64_t table = alignTo(strings + names.bytes.size(), alignment);

  writeRaw(os, makeHeader(like, table));
  os.write_zeros(start - sizeof(ELF::Elf64_Ehdr));
  os.write(reinterpret_cast<const char *>(manifest.data()), manifest.size());
  os.write_zeros(symbolTable - start - manifest.size());
  writeRaw(os, symbols);
  os << names.bytes;
  os.write_zeros(table - strings - names.bytes.size());
  writeRaw(os, sections);
}
