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

// Files of this schema and later always have the sum of the whole file.
constexpr uint32_t kFirstSummedSchema = 2;

uint32_t Crc32(uint32_t crc, const uint8_t* data, size_t size) {
  return static_cast<uint32_t>(crc32_z(crc, data, size));
}

absl::Status CheckTextSum(const ElfImage& elf, const abi::Manifest& manifest) {
  const ElfSection* text = elf.Find(".text");
  if (text == nullptr) return absl::DataLossError("corrupted: it has no code section");
  if (Crc32(0, text->bytes.data(), text->bytes.size()) == manifest.text_crc32()) return absl::OkStatus();
  return absl::DataLossError("corrupted: the checksum of its code does not match the manifest");
}

/// The sum is over the whole file with its own four bytes as zero. `section` is where the manifest lies in the file;
/// `copy` is the aligned copy in which `manifest` was found.
absl::Status CheckImageSum(absl::Span<const uint8_t> file, absl::Span<const uint8_t> section, const uint8_t* copy,
                           const abi::Manifest& manifest) {
  const bool required = manifest.schema_version() >= kFirstSummedSchema;
  if (manifest.image_crc32() == 0 && !required) return absl::OkStatus();
  const uint8_t* field =
      reinterpret_cast<const flatbuffers::Table&>(manifest).GetAddressOf(abi::Manifest::VT_IMAGE_CRC32);
  if (field == nullptr) return absl::DataLossError("corrupted: the manifest has no checksum of the file");
  size_t position = static_cast<size_t>(section.data() - file.data()) + static_cast<size_t>(field - copy);
  const uint8_t zeros[4] = {};
  uint32_t crc = Crc32(0, file.data(), position);
  crc = Crc32(crc, zeros, sizeof(zeros));
  crc = Crc32(crc, file.data() + position + 4, file.size() - position - 4);
  if (crc == manifest.image_crc32()) return absl::OkStatus();
  return absl::DataLossError("corrupted: the checksum of the file does not match the manifest");
}

/// Closes a file at the end of its scope.
struct OpenFile {
  ~OpenFile() {
    if (descriptor >= 0) close(descriptor);
  }
  const int descriptor;
};

absl::Status ReadAt(int descriptor, absl::Span<uint8_t> bytes, uint64_t offset) {
  for (size_t done = 0; done < bytes.size();) {
    ssize_t count = pread(descriptor, bytes.data() + done, bytes.size() - done, static_cast<off_t>(offset + done));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return absl::DataLossError("cannot be read to its end");
    done += static_cast<size_t>(count);
  }
  return absl::OkStatus();
}

/// Fails where what begins like `descriptor` is no executable of `size` bytes.
absl::Status CheckBeginning(int descriptor, uint64_t size) {
  uint8_t start[ElfImage::kStartBytes];
  absl::Span<uint8_t> head = absl::MakeSpan(start, std::min<uint64_t>(size, sizeof(start)));
  PLUMB_RETURN_IF_ERROR(ReadAt(descriptor, head, 0));
  return ElfImage::CheckStart(head, size);
}

absl::StatusOr<AlignedBuffer> ReadChecked(int descriptor, const FileCheck& check) {
  struct stat info;
  if (fstat(descriptor, &info) != 0 || !S_ISREG(info.st_mode))
    return absl::InvalidArgumentError("is not a regular file");
  if (info.st_size == 0) return absl::DataLossError("the file is empty");
  const uint64_t size = static_cast<uint64_t>(info.st_size);
  PLUMB_RETURN_IF_ERROR(
      CheckBeginning(descriptor, size));  // also before a signature, for which all of the file is read
  PLUMB_ASSIGN_OR_RETURN(AlignedBuffer buffer, AlignedBuffer::Create(size, "a file"));
  PLUMB_RETURN_IF_ERROR(ReadAt(descriptor, buffer.span(), 0));
  if (check != nullptr) PLUMB_RETURN_IF_ERROR(check(buffer.span()));
  return buffer;
}

}  // namespace

absl::StatusOr<AlignedBuffer> ReadExecutableFile(const std::string& path, const FileCheck& check) {
  const OpenFile file = {open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  if (file.descriptor < 0) {
    const std::string message = absl::StrCat(path, ": cannot be opened: ", std::strerror(errno));
    if (errno == ENOENT || errno == ENOTDIR) return absl::NotFoundError(message);
    return absl::PermissionDeniedError(message);
  }
  auto bytes = ReadChecked(file.descriptor, check);
  if (!bytes.ok()) return Annotate(bytes.status(), path);
  return bytes;
}

absl::StatusOr<ExecutableImage> ExecutableImage::Parse(absl::Span<const uint8_t> file, absl::string_view name,
                                                       Programs programs) {
  auto parse = [&]() -> absl::StatusOr<ExecutableImage> {
    PLUMB_ASSIGN_OR_RETURN(ElfImage elf, ElfImage::Parse(file));
    const ElfSection* section = elf.Find(PLUMB_MANIFEST_SECTION);
    ExecutableImage image;
    if (section == nullptr || section->bytes.empty()) {
      return absl::DataLossError(
          absl::StrCat("not a Plumb executable: an ELF file without a ", PLUMB_MANIFEST_SECTION, " section"));
    }
    if (elf.is_program() && programs == Programs::kRefused) {
      return absl::InvalidArgumentError("it is a program of its own (plumbc --emit=exe): start it as it is");
    }
    PLUMB_ASSIGN_OR_RETURN(image.bytes_, AlignedBuffer::Create(section->bytes.size(), "a manifest"));
    std::copy(section->bytes.begin(), section->bytes.end(), image.bytes_.data());
    PLUMB_ASSIGN_OR_RETURN(image.manifest_, ReadManifest(image.bytes_.span()));
    image.file_bytes_ = file.size();
    if (const ElfSection* text = elf.Find(".text")) image.text_bytes_ = text->bytes.size();
    if (elf.is_program()) return image;  // its code is the whole runtime, which the sums do not cover
    PLUMB_RETURN_IF_ERROR(CheckTextSum(elf, *image.manifest_));
    PLUMB_RETURN_IF_ERROR(CheckImageSum(file, section->bytes, image.bytes_.data(), *image.manifest_));
    PLUMB_ASSIGN_OR_RETURN(image.plan_, MakeLoadPlan(file, elf));
    return image;
  };
  auto image = parse();
  if (!image.ok()) return Annotate(image.status(), name);
  return image;
}

}  // namespace plumb
