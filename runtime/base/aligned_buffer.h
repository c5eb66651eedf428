// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Zeroed memory aligned as the executable ABI asks. Large blocks come from mmap, so that pages nobody accesses cost
// nothing.

#ifndef PLUMB_RUNTIME_BASE_ALIGNED_BUFFER_H_
#define PLUMB_RUNTIME_BASE_ALIGNED_BUFFER_H_

#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace plumb {

/// Owns a block aligned to PLUMB_BUFFER_ALIGNMENT and set to zero. Movable; an empty one holds null.
class AlignedBuffer {
 public:
  AlignedBuffer() = default;
  AlignedBuffer(AlignedBuffer&& other) noexcept { *this = std::move(other); }
  AlignedBuffer& operator=(AlignedBuffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~AlignedBuffer();

  /// What is done with a block: all of it is walked over and over, or it is filled here and there.
  enum class Use { kWalked, kScattered };

  /// Fails with ResourceExhausted where the system has no such block; `what` stands in the message.
  static absl::StatusOr<AlignedBuffer> Create(uint64_t size, const char* what, Use use = Use::kWalked);

  uint8_t* data() { return data_; }
  const uint8_t* data() const { return data_; }
  size_t size() const { return size_; }
  absl::Span<uint8_t> span() { return absl::MakeSpan(data_, size_); }
  absl::Span<const uint8_t> span() const { return absl::MakeConstSpan(data_, size_); }

 private:
  uint8_t* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace plumb

#endif  // PLUMB_RUNTIME_BASE_ALIGNED_BUFFER_H_
