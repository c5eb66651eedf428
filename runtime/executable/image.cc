// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading and checking a file, up to the point where code could be mapped.

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "runtime/base/status.h"
#include "runtime/executable/elf_image.h"
#include "runtime/executable/executable.h"
#include "runtime/executable/manifest_check.h"

namespace plumb {
namespace {

uint32_t Crc32(uint32_t crc, const uint8_t* data, size_t size) {
  return static_cast<uint32_t>(crc32_z(crc, data, size));
}

absl::Status CheckTextSum(const ElfImage& elf, const abi::Manifest& manifest, uint64_t* text_bytes) {
  const ElfSection* text = elf.Find(".text");
  if (text == nullptr) return absl::DataLossError("corrupted: it has no code section");
  *text_bytes = text->bytes.size();
  if (Crc32(0, text->bytes.data(), text->bytes.size()) == manifest.text_crc32()) return absl::OkStatus();
  return absl::DataLossError("corrupted: the checksum of its code does not match the manifest");
}

/// The sum is over the whole file with its own four bytes as zero. `section` is where the manifest lies in the file;
/// `copy` is the aligned copy in which `manifest` was found.
absl::Status CheckImageSum(absl::Span<const uint8_t> file, absl::Span<const uint8_t> section, const uint8_t* copy,
                           const abi::Manifest& manifest) {
  if (manifest.image_crc32() == 0) return absl::OkStatus();
  const uint8_t* field =
      reinterpret_cast<const flatbuffers::Table&>(manifest).GetAddressOf(abi::Manifest::VT_IMAGE_CRC32);
  size_t position = static_cast<size_t>(section.data() - file.data()) + static_cast<size_t>(field - copy);
  const uint8_t zeros[4] = {};
  uint32_t crc = Crc32(0, file.data(), position);
  crc = Crc32(crc, zeros, sizeof(zeros));
  crc = Crc32(crc, file.data() + position + 4, file.size() - position - 4);
  if (crc == manifest.image_crc32()) return absl::OkStatus();
  return absl::DataLossError("corrupted: the checksum of the file does not match the manifest");
}

}  // namespace

absl::StatusOr<int> OpenFile(const std::string& path) {
  int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor >= 0) return descriptor;
  const std::string message = absl::StrCat(path, ": cannot be opened: ", std::strerror(errno));
  if (errno == ENOENT || errno == ENOTDIR) return absl::NotFoundError(message);
  return absl::PermissionDeniedError(message);
}

absl::StatusOr<AlignedBuffer> ReadFile(int descriptor, const std::string& path) {
  struct stat info;
  if (fstat(descriptor, &info) != 0 || !S_ISREG(info.st_mode)) {
    return absl::InvalidArgumentError(absl::StrCat(path, ": is not a regular file"));
  }
  if (info.st_size == 0) return absl::DataLossError(absl::StrCat(path, ": the file is empty"));
  PLUMB_ASSIGN_OR_RETURN(AlignedBuffer buffer, AlignedBuffer::Create(static_cast<uint64_t>(info.st_size), "a file"));
  for (size_t done = 0; done < buffer.size();) {
    ssize_t count = pread(descriptor, buffer.data() + done, buffer.size() - done, static_cast<off_t>(done));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return absl::DataLossError(absl::StrCat(path, ": cannot be read to its end"));
    done += static_cast<size_t>(count);
  }
  return buffer;
}

absl::StatusOr<ExecutableImage> ExecutableImage::Parse(absl::Span<const uint8_t> file, absl::string_view name) {
  auto parse = [&]() -> absl::StatusOr<ExecutableImage> {
    PLUMB_ASSIGN_OR_RETURN(ElfImage elf, ElfImage::Parse(file));
    const ElfSection* section = elf.Find(PLUMB_MANIFEST_SECTION);
    if (section == nullptr || section->bytes.empty()) {
      return absl::DataLossError(
          absl::StrCat("not a Plumb executable: a shared object without a ", PLUMB_MANIFEST_SECTION, " section"));
    }
    ExecutableImage image;
    PLUMB_ASSIGN_OR_RETURN(image.bytes_, AlignedBuffer::Create(section->bytes.size(), "a manifest"));
    std::copy(section->bytes.begin(), section->bytes.end(), image.bytes_.data());
    PLUMB_ASSIGN_OR_RETURN(image.manifest_, ReadManifest(image.bytes_.span()));
    PLUMB_RETURN_IF_ERROR(CheckTextSum(elf, *image.manifest_, &image.text_bytes_));
    PLUMB_RETURN_IF_ERROR(CheckImageSum(file, section->bytes, image.bytes_.data(), *image.manifest_));
    image.file_bytes_ = file.size();
    return image;
  };
  auto image = parse();
  if (!image.ok()) return Annotate(image.status(), name);
  return image;
}

}  // namespace plumb
