// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executables, first as they are, then with their checksums set right, as somebody would who wants a file to be taken.
// What is taken is mapped, its manifest printed and its data pipelines built; its code is not run.

#include <zlib.h>

#include <cstring>
#include <vector>

#include "runtime/data/pipeline.h"
#include "runtime/executable/executable.h"
#include "runtime/executable/manifest_check.h"
#include "runtime/tools/dump.h"
#include "test/runtime/fuzz/fuzzer.h"

namespace {

using plumb::ElfImage;
using plumb::ElfSection;
using plumb::abi::Manifest;

uint32_t Sum(absl::Span<const uint8_t> bytes) { return static_cast<uint32_t>(crc32_z(0, bytes.data(), bytes.size())); }

/// Where the field lies in the file; null if the manifest lacks it.
uint8_t* FieldIn(std::vector<uint8_t>* file, const ElfSection& section, const uint8_t* copy, const Manifest& manifest,
                 flatbuffers::voffset_t field) {
  const uint8_t* address = reinterpret_cast<const flatbuffers::Table&>(manifest).GetAddressOf(field);
  return address == nullptr ? nullptr : file->data() + (section.bytes.data() - file->data()) + (address - copy);
}

/// Sets both checksums; false if the file is too damaged to have any.
bool Seal(std::vector<uint8_t>* file) {
  auto elf = ElfImage::Parse(*file);
  if (!elf.ok()) return false;
  const ElfSection* section = elf->Find(PLUMB_MANIFEST_SECTION);
  const ElfSection* text = elf->Find(".text");
  if (section == nullptr || text == nullptr || section->bytes.empty()) return false;
  auto copy = plumb::AlignedBuffer::Create(section->bytes.size(), "a manifest");
  if (!copy.ok()) return false;
  std::copy(section->bytes.begin(), section->bytes.end(), copy->data());
  auto manifest = plumb::ReadManifest(copy->span());
  if (!manifest.ok()) return false;
  uint8_t* text_sum = FieldIn(file, *section, copy->data(), **manifest, Manifest::VT_TEXT_CRC32);
  uint8_t* image_sum = FieldIn(file, *section, copy->data(), **manifest, Manifest::VT_IMAGE_CRC32);
  if (text_sum == nullptr || image_sum == nullptr) return false;
  uint32_t sum = Sum(text->bytes);
  std::memcpy(text_sum, &sum, sizeof(sum));
  std::memset(image_sum, 0, sizeof(sum));
  sum = Sum(*file);
  std::memcpy(image_sum, &sum, sizeof(sum));
  return true;
}

void BuildPipelines(const Manifest& manifest) {
  if (manifest.queues() == nullptr) return;
  for (const plumb::abi::Queue* queue : *manifest.queues()) {
    if (queue->pipeline() == nullptr) continue;
    plumb::fuzz::CheckMessage(plumb::Pipeline::FromManifest(*queue->pipeline()).status());
  }
}

void Load(absl::Span<const uint8_t> file) {
  auto image = plumb::ExecutableImage::Parse(file, "fuzzed", plumb::ExecutableImage::Programs::kTaken);
  plumb::fuzz::CheckMessage(image.status());
  if (!image.ok()) return;
  plumb::DumpText(*image);
  plumb::DumpJson(*image);
  BuildPipelines(image->manifest());
  if (image->plan().segments.empty()) return;
  plumb::fuzz::CheckMessage(plumb::CodeMemory::Map(file, image->plan(), "fuzzed").status());
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Load(absl::MakeConstSpan(data, size));
  std::vector<uint8_t> sealed(data, data + size);
  if (Seal(&sealed)) Load(sealed);
  return 0;
}
