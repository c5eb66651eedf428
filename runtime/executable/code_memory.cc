// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/executable/code_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "runtime/base/status.h"

namespace plumb {
namespace {

absl::Status NoMemory() {
  return absl::ResourceExhaustedError(absl::StrCat("its code cannot be mapped: ", std::strerror(errno)));
}

/// Writes bytes [begin, end) of the file where `segment` has them in memory.
absl::Status FillPart(int memory_file, absl::Span<const uint8_t> file, const LoadSegment& segment, uint64_t begin,
                      uint64_t end) {
  while (begin < end) {
    const ssize_t count = pwrite(memory_file, file.data() + begin, end - begin,
                                 static_cast<off_t>(segment.address + (begin - segment.offset)));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return NoMemory();
    begin += static_cast<uint64_t>(count);
  }
  return absl::OkStatus();
}

absl::Status Fill(int memory_file, absl::Span<const uint8_t> file, const LoadPlan& plan) {
  for (const LoadSegment& segment : plan.segments) {
    const uint64_t end = segment.offset + segment.file_bytes;
    const uint64_t before_hole = std::min(std::max(plan.hole_begin, segment.offset), end);
    const uint64_t behind_hole = std::max(std::min(plan.hole_end, end), before_hole);
    PLUMB_RETURN_IF_ERROR(FillPart(memory_file, file, segment, segment.offset, before_hole));
    PLUMB_RETURN_IF_ERROR(FillPart(memory_file, file, segment, behind_hole, end));
  }
  return absl::OkStatus();
}

/// A file of memory that holds the image as it lies in memory, and that nobody can change any more.
absl::StatusOr<int> MakeMemoryFile(absl::Span<const uint8_t> file, const LoadPlan& plan, const std::string& name) {
  const int memory_file = memfd_create(name.substr(0, 200).c_str(), MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (memory_file < 0) return NoMemory();
  absl::Status status;
  if (ftruncate(memory_file, static_cast<off_t>(plan.bytes)) != 0) status = NoMemory();
  if (status.ok()) status = Fill(memory_file, file, plan);
  if (status.ok() && fcntl(memory_file, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
    status = NoMemory();
  }
  if (status.ok()) return memory_file;
  close(memory_file);
  return status;
}

uint64_t PageDown(uint64_t address, uint64_t page) { return address / page * page; }

}  // namespace

CodeMemory::~CodeMemory() {
  if (base_ != nullptr) munmap(base_, bytes_);
}

absl::StatusOr<CodeMemory> CodeMemory::Map(absl::Span<const uint8_t> file, const LoadPlan& plan,
                                           const std::string& name) {
  PLUMB_ASSIGN_OR_RETURN(int memory_file, MakeMemoryFile(file, plan, name));
  CodeMemory memory;
  absl::Status status = memory.MapSegments(memory_file, plan);
  close(memory_file);
  PLUMB_RETURN_IF_ERROR(status);
  memory.Relocate(plan);
  const uint64_t constant = plan.constant_end - plan.constant_begin;
  if (constant > 0 && mprotect(memory.base_ + plan.constant_begin, constant, PROT_READ) != 0) return NoMemory();
  return memory;
}

bool CodeMemory::Holds(const void* address, size_t size, const LoadPlan& plan, bool is_code) const {
  const uint64_t at = reinterpret_cast<uint64_t>(address) - reinterpret_cast<uint64_t>(base_);
  return std::any_of(plan.segments.begin(), plan.segments.end(), [&](const LoadSegment& segment) {
    const uint64_t inside = at - segment.address;  // huge below it
    return inside < segment.memory_bytes && size <= segment.memory_bytes - inside && (segment.executable || !is_code);
  });
}

/// Takes a range of addresses that nobody can use, then puts the segments into it, each with its rights.
absl::Status CodeMemory::MapSegments(int memory_file, const LoadPlan& plan) {
  const uint64_t page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  void* reserved = mmap(nullptr, plan.bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (reserved == MAP_FAILED) return NoMemory();
  base_ = static_cast<uint8_t*>(reserved);
  bytes_ = plan.bytes;
  uint64_t end = 0;
  for (const LoadSegment& segment : plan.segments) {
    const uint64_t begin = PageDown(segment.address, page);
    if (begin < end) {
      return absl::UnimplementedError(
          absl::StrCat("its segments are laid out for pages smaller than this machine's ", page, " bytes"));
    }
    end = PageDown(segment.address + segment.memory_bytes + page - 1, page);
    const int rights = PROT_READ | (segment.writable ? PROT_WRITE : 0) | (segment.executable ? PROT_EXEC : 0);
    if (mmap(base_ + begin, end - begin, rights, MAP_PRIVATE | MAP_FIXED, memory_file, static_cast<off_t>(begin)) ==
        MAP_FAILED) {
      return NoMemory();
    }
  }
  return absl::OkStatus();
}

void CodeMemory::Relocate(const LoadPlan& plan) {
  for (const LoadRelocation& relocation : plan.relocations) {
    const uint64_t value = relocation.function != nullptr ? reinterpret_cast<uint64_t>(relocation.function)
                                                          : reinterpret_cast<uint64_t>(base_) + relocation.value;
    std::memcpy(base_ + relocation.target, &value, sizeof(value));
  }
}

}  // namespace plumb
