// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Appends the manifest and a new section table that names it, as a linker would have laid them out.

#include "test/runtime/testing/fake_file.h"

#include <elf.h>
#include <zlib.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

namespace plumb {
namespace testing {
namespace {

Elf64_Ehdr Header(const std::vector<uint8_t>& file) {
  Elf64_Ehdr header;
  std::memcpy(&header, file.data(), sizeof(header));
  return header;
}

std::vector<Elf64_Shdr> Sections(const std::vector<uint8_t>& file) {
  const Elf64_Ehdr header = Header(file);
  std::vector<Elf64_Shdr> sections(header.e_shnum);
  std::memcpy(sections.data(), file.data() + header.e_shoff, sections.size() * sizeof(Elf64_Shdr));
  return sections;
}

uint32_t TextSum(const std::vector<uint8_t>& file) {
  const std::vector<Elf64_Shdr> sections = Sections(file);
  const uint64_t names = sections[Header(file).e_shstrndx].sh_offset;
  for (const Elf64_Shdr& section : sections) {
    const char* name = reinterpret_cast<const char*>(file.data() + names + section.sh_name);
    if (std::strcmp(name, ".text") == 0) {
      return static_cast<uint32_t>(crc32(0, file.data() + section.sh_offset, static_cast<uInt>(section.sh_size)));
    }
  }
  return 0;
}

uint64_t Append(std::vector<uint8_t>* file, const void* data, size_t size) {
  while (file->size() % 64 != 0) file->push_back(0);
  const uint64_t offset = file->size();
  const uint8_t* bytes = static_cast<const uint8_t*>(data);
  file->insert(file->end(), bytes, bytes + size);
  return offset;
}

void AddSection(std::vector<uint8_t>* file, const std::vector<uint8_t>& manifest) {
  Elf64_Ehdr header = Header(*file);
  std::vector<Elf64_Shdr> sections = Sections(*file);
  Elf64_Shdr& names = sections[header.e_shstrndx];
  std::string text(reinterpret_cast<const char*>(file->data() + names.sh_offset), names.sh_size);
  Elf64_Shdr added = {};
  added.sh_name = static_cast<uint32_t>(text.size());
  added.sh_type = SHT_PROGBITS;
  added.sh_offset = Append(file, manifest.data(), manifest.size());
  added.sh_size = manifest.size();
  text += PLUMB_MANIFEST_SECTION;
  text += '\0';
  names.sh_offset = Append(file, text.data(), text.size());
  names.sh_size = text.size();
  sections.push_back(added);
  header.e_shnum = static_cast<uint16_t>(sections.size());
  header.e_shoff = Append(file, sections.data(), sections.size() * sizeof(Elf64_Shdr));
  std::memcpy(file->data(), &header, sizeof(header));
}

/// Where the manifest begins, found by its mark.
uint64_t FindManifest(const std::vector<uint8_t>& file) {
  const std::string mark = abi::ManifestIdentifier();
  auto found = std::find_end(file.begin(), file.end(), mark.begin(), mark.end());
  return static_cast<uint64_t>(found - file.begin()) - sizeof(flatbuffers::uoffset_t);
}

void SetField(std::vector<uint8_t>* file, flatbuffers::voffset_t field, uint32_t value) {
  const uint8_t* start = file->data() + FindManifest(*file);
  const auto* table = reinterpret_cast<const flatbuffers::Table*>(abi::GetManifest(start));
  std::memcpy(file->data() + (table->GetAddressOf(field) - file->data()), &value, sizeof(value));
}

}  // namespace

void SealImage(std::vector<uint8_t>* file) {
  SetField(file, abi::Manifest::VT_IMAGE_CRC32, 0);
  SetField(file, abi::Manifest::VT_IMAGE_CRC32,
           static_cast<uint32_t>(crc32(0, file->data(), static_cast<uInt>(file->size()))));
}

void Seal(std::vector<uint8_t>* file) {
  SetField(file, abi::Manifest::VT_TEXT_CRC32, TextSum(*file));
  SealImage(file);
}

std::vector<uint8_t> ReadBytes(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return std::vector<uint8_t>(std::istreambuf_iterator<char>(stream), {});
}

std::vector<uint8_t> ReadSharedObject() { return ReadBytes("test/runtime/testing/fake_loops_file.so"); }

std::vector<uint8_t> MakeExecutableFile(abi::ManifestT manifest, bool with_image_sum) {
  std::vector<uint8_t> file = ReadSharedObject();
  if (manifest.text_crc32 == 0) manifest.text_crc32 = TextSum(file);
  manifest.image_crc32 = with_image_sum ? 1 : 0;  // room for it
  AddSection(&file, PackManifest(manifest));
  if (with_image_sum) SealImage(&file);
  return file;
}

std::string WriteTemporary(const std::string& name, const std::vector<uint8_t>& bytes) {
  const char* folder = std::getenv("TEST_TMPDIR");
  const std::string path = std::string(folder ? folder : "/tmp") + "/" + name;
  std::ofstream stream(path, std::ios::binary);
  stream.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  return path;
}

}  // namespace testing
}  // namespace plumb
