// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executables of somebody who knows the format and sets the checksums right: whatever would run code while a file is
// loaded, make code writable or reach outside the image is refused by name, and thousands of other edits are refused or
// harmless.

#include <elf.h>

#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/executable/executable.h"
#include "test/runtime/testing/fake_file.h"

namespace plumb {
namespace {

using ::testing::HasSubstr;

/// A sound file and where its ELF structures lie.
class Hostile {
 public:
  Hostile() : file_(testing::MakeExecutableFile(testing::MakeManifest())) {}

  std::vector<uint8_t>& file() { return file_; }

  template <typename Record>
  Record* At(uint64_t offset) {
    return reinterpret_cast<Record*>(file_.data() + offset);
  }
  Elf64_Ehdr* header() { return At<Elf64_Ehdr>(0); }

  /// The first program segment that `wanted` likes.
  Elf64_Phdr* Segment(const std::function<bool(const Elf64_Phdr&)>& wanted) {
    for (size_t i = 0; i < header()->e_phnum; ++i) {
      Elf64_Phdr* segment = At<Elf64_Phdr>(header()->e_phoff + i * sizeof(Elf64_Phdr));
      if (wanted(*segment)) return segment;
    }
    ADD_FAILURE() << "no such segment";
    return nullptr;
  }
  Elf64_Phdr* Segment(uint32_t type, uint32_t flags = 0) {
    return Segment([&](const Elf64_Phdr& each) { return each.p_type == type && (each.p_flags & flags) == flags; });
  }

  /// The entry of the dynamic table with `tag`; null if there is none.
  Elf64_Dyn* FindDynamic(int64_t tag) {
    const Elf64_Phdr* table = Segment(PT_DYNAMIC);
    for (uint64_t at = 0; at < table->p_filesz; at += sizeof(Elf64_Dyn)) {
      Elf64_Dyn* entry = At<Elf64_Dyn>(table->p_offset + at);
      if (entry->d_tag == tag) return entry;
    }
    return nullptr;
  }
  Elf64_Dyn* Dynamic(int64_t tag) {
    EXPECT_NE(FindDynamic(tag), nullptr) << tag;
    return FindDynamic(tag);
  }
  /// Sets an entry, if need be in the place of one that the loader does not read.
  void SetDynamic(int64_t tag, uint64_t value) {
    Elf64_Dyn* entry = FindDynamic(tag) ? FindDynamic(tag) : Dynamic(DT_RELACOUNT);
    entry->d_tag = tag;
    entry->d_un.d_val = value;
  }
  Elf64_Rela* Relocation(size_t index) {
    return At<Elf64_Rela>(Dynamic(DT_RELA)->d_un.d_ptr) + index;  // the first segment's addresses are its offsets
  }
  Elf64_Sym* Symbol(size_t index) { return At<Elf64_Sym>(Dynamic(DT_SYMTAB)->d_un.d_ptr) + index; }

  absl::Status Load() {
    testing::Seal(&file_);
    return Executable::LoadFromMemory(file_, "it.plumb").status();
  }

 private:
  std::vector<uint8_t> file_;
};

TEST(HostileTest, TheFileItselfIsSound) {
  Hostile hostile;
  const absl::Status status = hostile.Load();
  EXPECT_TRUE(status.ok()) << status;
}

struct Edit {
  const char* name;
  std::function<void(Hostile&)> apply;
  const char* message;
};

void Expect(const std::vector<Edit>& edits) {
  for (const Edit& edit : edits) {
    Hostile hostile;
    edit.apply(hostile);
    const absl::Status status = hostile.Load();
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << edit.name << ": " << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr(edit.message)) << edit.name;
  }
}

TEST(HostileTest, WaysToRunCodeWhileLoading) {
  constexpr uint32_t kIrelative = 37;
  Expect({
      {"init", [](Hostile& h) { h.SetDynamic(DT_INIT, h.Symbol(1)->st_value); }, "runs while it is loaded"},
      {"fini", [](Hostile& h) { h.SetDynamic(DT_FINI, h.Symbol(1)->st_value); }, "runs when it is given back"},
      {"init_array", [](Hostile& h) { h.SetDynamic(DT_INIT_ARRAY, 0x2000); }, "runs while it is loaded"},
      {"needed", [](Hostile& h) { h.SetDynamic(DT_NEEDED, 1); }, "needs the library 'plumb_executable_query'"},
      {"runpath", [](Hostile& h) { h.SetDynamic(DT_RUNPATH, 1); }, "names folders for libraries"},
      {"audit", [](Hostile& h) { h.SetDynamic(0x7ffffffd, 1); }, "dynamic tag 0x7ffffffd"},
      {"nodelete", [](Hostile& h) { h.SetDynamic(DT_FLAGS_1, DF_1_NODELETE); }, "the flags 0x8"},
      {"textrel", [](Hostile& h) { h.SetDynamic(DT_FLAGS, DF_TEXTREL); }, "the flags 0x4"},
      {"ifunc", [=](Hostile& h) { h.Relocation(0)->r_info = kIrelative; }, "relocations of type 37"},
      {"copy", [](Hostile& h) { h.Relocation(0)->r_info = R_X86_64_COPY; }, "relocations of type 5"},
      {"interpreter", [](Hostile& h) { h.Segment(PT_GNU_STACK)->p_type = PT_TLS; }, "program segment of type 0x7"},
  });
}

TEST(HostileTest, RightsAndPlacesOfSegments) {
  Expect({
      {"wx", [](Hostile& h) { h.Segment(PT_LOAD, PF_X)->p_flags = PF_R | PF_W | PF_X; }, "code is never writable"},
      {"stack", [](Hostile& h) { h.Segment(PT_GNU_STACK)->p_flags |= PF_X; }, "a stack that can be executed"},
      {"query in data", [](Hostile& h) { h.Symbol(1)->st_value = h.Segment(PT_LOAD, PF_W)->p_vaddr; },
       "no function of its code"},
      {"query outside", [](Hostile& h) { h.Symbol(1)->st_value = uint64_t{1} << 40; }, "no function of its code"},
      {"no query", [](Hostile& h) { h.Symbol(1)->st_name = 0; }, "exports no plumb_executable_query"},
      {"memory", [](Hostile& h) { h.Segment(PT_LOAD, PF_W)->p_memsz = uint64_t{1} << 34; }, "bytes of memory for"},
      {"high", [](Hostile& h) { h.Segment(PT_LOAD, PF_W)->p_vaddr += uint64_t{1} << 40; }, "impossible address"},
      {"overlap", [](Hostile& h) { h.Segment(PT_LOAD, PF_W)->p_vaddr = h.Segment(PT_LOAD, PF_X)->p_vaddr; },
       "impossible address"},
      {"outside the file", [](Hostile& h) { h.Segment(PT_LOAD, PF_X)->p_offset += 1 << 20; }, "lies outside the file"},
      {"no dynamic table", [](Hostile& h) { h.Segment(PT_DYNAMIC)->p_type = PT_NOTE; }, "has no dynamic table"},
      {"relro", [](Hostile& h) { h.Segment(PT_GNU_RELRO)->p_vaddr = 0; }, "constant part"},
  });
}

// Words that hold addresses are not relocated, or others are in their place.
TEST(HostileTest, WhatIsNotRelocated) {
  Expect({
      {"none", [](Hostile& h) { h.Dynamic(DT_RELASZ)->d_un.d_val = 0; }, "its table of loops points outside of it"},
      {"moved", [](Hostile& h) { h.Relocation(0)->r_offset = h.Relocation(1)->r_offset; },
       "table of loops points outside of it"},
  });
}

// The manifest is not copied with the code; a section of it that is too long would leave zeros there.
TEST(HostileTest, AManifestOverCode) {
  std::vector<uint8_t> file = testing::ReadBytes("test/golden/abi2_schema4.plumb");
  const ElfImage image = ElfImage::Parse(file).value();
  const auto offset = static_cast<uint64_t>(image.Find(PLUMB_MANIFEST_SECTION)->bytes.data() - file.data());
  const auto code = static_cast<uint64_t>(image.Find(".text")->bytes.data() - file.data());
  const auto* header = reinterpret_cast<const Elf64_Ehdr*>(file.data());
  auto* sections = reinterpret_cast<Elf64_Shdr*>(file.data() + header->e_shoff);
  for (size_t i = 0; i < header->e_shnum; ++i) {
    if (sections[i].sh_offset == offset) sections[i].sh_size = code + 64 - offset;
  }
  testing::Seal(&file);
  EXPECT_THAT(std::string(Executable::LoadFromMemory(file, "it.plumb").status().message()),
              HasSubstr("its manifest reaches into its code or its data"));
}

TEST(HostileTest, WildTables) {
  constexpr uint64_t kWild = 0x7fffffff0000;
  Expect({
      {"strtab", [=](Hostile& h) { h.Dynamic(DT_STRTAB)->d_un.d_ptr = kWild; }, "table of names lies outside"},
      {"symtab", [=](Hostile& h) { h.Dynamic(DT_SYMTAB)->d_un.d_ptr = kWild; }, "table of symbols lies outside"},
      {"rela", [=](Hostile& h) { h.Dynamic(DT_RELA)->d_un.d_ptr = kWild; }, "table of relocations lies outside"},
      {"relasz", [](Hostile& h) { h.Dynamic(DT_RELASZ)->d_un.d_val = 24000000; }, "table of relocations lies outside"},
      {"target", [](Hostile& h) { h.Relocation(0)->r_offset = kWild; }, "writes outside the writable segments"},
      {"target in code", [](Hostile& h) { h.Relocation(0)->r_offset = h.Segment(PT_LOAD, PF_X)->p_vaddr; },
       "writes outside the writable"},
      {"addend", [](Hostile& h) { h.Relocation(0)->r_addend = 1 << 30; }, "points outside the image"},
      {"import", [](Hostile& h) { *h.Symbol(1) = {1, ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), 0, SHN_UNDEF, 0, 0}; },
       "exports no plumb_executable_query"},
      {"system",
       [](Hostile& h) {
         h.Symbol(1)->st_shndx = SHN_UNDEF;
         h.Relocation(0)->r_info = ELF64_R_INFO(1, R_X86_64_64);
         h.Relocation(0)->r_addend = 0;
       },
       "calls 'plumb_executable_query', which is none of the functions"},
      {"symbol", [](Hostile& h) { h.Relocation(0)->r_info = ELF64_R_INFO(77, R_X86_64_64); },
       "a symbol that is not there"},
  });
}

/// Bytes of the file that hold ELF structures: header, program headers, section table, dynamic table and what it names.
std::vector<uint64_t> StructureBytes(Hostile& hostile) {
  std::vector<uint64_t> bytes;
  auto add = [&](uint64_t offset, uint64_t size) {
    for (uint64_t i = 0; i < size; ++i) bytes.push_back(offset + i);
  };
  add(0, sizeof(Elf64_Ehdr));
  add(hostile.header()->e_phoff, hostile.header()->e_phnum * sizeof(Elf64_Phdr));
  add(hostile.header()->e_shoff, hostile.header()->e_shnum * sizeof(Elf64_Shdr));
  add(hostile.Segment(PT_DYNAMIC)->p_offset, hostile.Segment(PT_DYNAMIC)->p_filesz);
  add(hostile.Dynamic(DT_RELA)->d_un.d_ptr, hostile.Dynamic(DT_RELASZ)->d_un.d_val);
  add(hostile.Dynamic(DT_SYMTAB)->d_un.d_ptr, 2 * sizeof(Elf64_Sym));
  add(hostile.Dynamic(DT_STRTAB)->d_un.d_ptr, hostile.Dynamic(DT_STRSZ)->d_un.d_val);
  return bytes;
}

// One to three bytes of the structures are changed and the sums set right. What is taken is mapped, but not run.
TEST(HostileTest, TenThousandEditsOfStructures) {
  Hostile sound;
  testing::Seal(&sound.file());
  const std::vector<uint64_t> places = StructureBytes(sound);
  std::mt19937 random(7);
  size_t taken = 0;
  for (int i = 0; i < 10000; ++i) {
    std::vector<uint8_t> file = sound.file();
    for (unsigned edits = 1 + random() % 3; edits > 0; --edits) {
      const uint8_t values[] = {0, 1, 0xff, 0x7f, 0x80, static_cast<uint8_t>(random())};
      file[places[random() % places.size()]] = values[random() % 6];
    }
    testing::SealImage(&file);
    auto image = ExecutableImage::Parse(file, "it.plumb");
    if (!image.ok()) {
      EXPECT_FALSE(image.status().message().empty());
      continue;
    }
    ++taken;
    auto memory = CodeMemory::Map(file, image->plan(), "edited");
    EXPECT_TRUE(memory.ok() || memory.status().code() == absl::StatusCode::kUnimplemented) << memory.status();
  }
  EXPECT_GT(taken, 100u);  // edits of bytes that mean nothing
}

}  // namespace
}  // namespace plumb
