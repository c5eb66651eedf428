// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A column's finished rows, kept in memory: what a row's operations gave once, they give always. The first epoch fills
// the cache on its way; from the second on a batch is a gather of rows.

#ifndef PLUMB_RUNTIME_DATA_ROW_CACHE_H_
#define PLUMB_RUNTIME_DATA_ROW_CACHE_H_

#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/base/aligned_buffer.h"

namespace plumb {

/// Any number of threads may call Get at the same time.
class RowCache {
 public:
  /// Room for `rows` results of `bytes` bytes. Takes memory only as rows come.
  static absl::StatusOr<std::unique_ptr<RowCache>> Create(uint64_t rows, uint64_t bytes);

  /// Writes row `row` to `out`: what is kept of it, or else what `compute`, a callable that writes to `out` and returns
  /// a status, makes of it, which is kept.
  template <typename Compute>
  absl::Status Get(uint64_t row, uint8_t* out, const Compute& compute) {
    uint8_t* kept = rows_.data() + row * bytes_;
    if (states_[row].load(std::memory_order_acquire) == kKept) {
      std::memcpy(out, kept, bytes_);
      return absl::OkStatus();
    }
    absl::Status status = compute();
    uint8_t state = kAbsent;
    if (status.ok() && states_[row].compare_exchange_strong(state, kTaken, std::memory_order_relaxed)) {
      std::memcpy(kept, out, bytes_);
      states_[row].store(kKept, std::memory_order_release);
    }
    return status;
  }

 private:
  // A row that one thread is about to keep is computed by others that want it at the same time.
  enum State : uint8_t { kAbsent = 0, kTaken, kKept };
  RowCache(AlignedBuffer rows, uint64_t count, uint64_t bytes)
      : rows_(std::move(rows)), states_(new std::atomic<uint8_t>[count]()), bytes_(bytes) {}

  AlignedBuffer rows_;
  std::unique_ptr<std::atomic<uint8_t>[]> states_;  // by row
  uint64_t bytes_;
};

}  // namespace plumb

#endif  // PLUMB_RUNTIME_DATA_ROW_CACHE_H_
