// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bounded ring of report records, one per step, that a device loop writes and the host drains while the loop runs. The
// loop comes here, to WaitForRoom, only when the ring is full: then the host is behind, and the loop waits for it, because
// no report is ever dropped.

#ifndef PLUMB_RUNTIME_QUEUE_REPORT_RING_H_
#define PLUMB_RUNTIME_QUEUE_REPORT_RING_H_

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>

#include "absl/status/statusor.h"
#include "runtime/abi/executable_abi.h"
#include "runtime/base/aligned_buffer.h"
#include "runtime/base/doorbell.h"

namespace plumb {

class ReportRing {
 public:
  /// A ring of `depth` records; 0 chooses a depth that fits in about 256 KiB. `doorbell` rings when the loop waits.
  static absl::StatusOr<std::unique_ptr<ReportRing>> Create(uint64_t record_bytes, uint64_t depth, Doorbell* doorbell);

  /// What compiled code sees.
  plumb_report_ring_t* abi() { return &abi_; }

  /// Empties the ring. While neither side runs.
  void Reset();

  /// Host: hands each record that is there to `handle` (which may be empty), oldest first, and gives it back.
  void Drain(const std::function<void(const uint8_t* record)>& handle);

  /// Device: waits until a record is free. Returns a plumb_wait_answer_t.
  int32_t WaitForRoom();

 private:
  ReportRing(AlignedBuffer records, uint64_t record_bytes, uint64_t depth, Doorbell* doorbell);
  bool HasRoom() const;

  AlignedBuffer records_;
  plumb_report_ring_t abi_ = {};
  Doorbell* doorbell_;
  std::mutex mutex_;
  std::condition_variable drained_;
};

}  // namespace plumb

#endif  // PLUMB_RUNTIME_QUEUE_REPORT_RING_H_
