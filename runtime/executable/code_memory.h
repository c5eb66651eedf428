// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The code of an executable in memory, put there by its checked plan: from a sealed memory file of its own, so that
// neither the file on disk nor another executable can change it, and never writable and executable at once.

#ifndef PLUMB_RUNTIME_EXECUTABLE_CODE_MEMORY_H_
#define PLUMB_RUNTIME_EXECUTABLE_CODE_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/executable/load_plan.h"

namespace plumb {

class CodeMemory {
 public:
  /// Maps and relocates. `name` stands in /proc/self/maps. Runs nothing.
  static absl::StatusOr<CodeMemory> Map(absl::Span<const uint8_t> file, const LoadPlan& plan, const std::string& name);

  CodeMemory() = default;
  CodeMemory(CodeMemory&& other) noexcept { *this = std::move(other); }
  CodeMemory& operator=(CodeMemory&& other) noexcept {
    std::swap(base_, other.base_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~CodeMemory();

  /// Where the image's address 0 lies; null: nothing is mapped.
  uint8_t* base() const { return base_; }
  /// Whether `size` bytes at `address` lie in one segment, an executable one if `is_code`.
  bool Holds(const void* address, size_t size, const LoadPlan& plan, bool is_code = false) const;

 private:
  absl::Status MapSegments(int memory_file, const LoadPlan& plan);
  void Relocate(const LoadPlan& plan);

  uint8_t* base_ = nullptr;
  size_t bytes_ = 0;
};

}  // namespace plumb

#endif  // PLUMB_RUNTIME_EXECUTABLE_CODE_MEMORY_H_
