// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bounded ring of records, of a step's reports or of prints, that a device loop writes and the host drains while
// the loop runs. The loop comes here, to WaitForRoom, only when the ring is full: then the host is behind, and the loop
// waits for it, or the newest record is dropped and counted, as the ring was told.
//
// A launch with an inspector sees a ring of one record, so that the loop comes here between any two steps: the record
// of the step that is over is inspected on the loop's own thread and then moved to the ring that the host drains.
//
//   loop ──► newest record ── WaitForRoom: inspect, move ──► ring ── Drain ──► host

#ifndef PLUMB_RUNTIME_QUEUE_REPORT_RING_H_
#define PLUMB_RUNTIME_QUEUE_REPORT_RING_H_

#include <array>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/abi/executable_abi.h"
#include "runtime/base/aligned_buffer.h"
#include "runtime/base/doorbell.h"

namespace plumb {

class ReportRing {
 public:
  /// When the host is behind by the whole ring.
  enum class WhenFull { kWait, kDrop };
  /// Looks at the record of a step that is over; false ends the launch before the next step. Must not throw.
  using Inspector = std::function<bool(const uint8_t* record)>;

  /// A ring of `depth` records; 0 chooses a depth that fits in about 256 KiB. `doorbell` rings when the loop waits.
  static absl::StatusOr<std::unique_ptr<ReportRing>> Create(uint64_t record_bytes, uint64_t depth, Doorbell* doorbell,
                                                            WhenFull when_full = WhenFull::kWait);

  plumb_report_ring_t* abi() { return &abi_; }
  /// The memory that loops write records to: the ring's, and the one for the newest record.
  std::array<absl::Span<uint8_t>, 2> memory() { return {records_.span(), newest_.span()}; }

  /// Empties the ring for a launch, which `inspector` watches unless it is empty. Neither side may be using it.
  void Reset(Inspector inspector = nullptr);

  /// Host: handles the records published so far, in order. A record of which `handle` throws was handled.
  void Drain(const std::function<void(const uint8_t* record)>& handle) { DrainWhile(nullptr, handle); }
  /// The same up to the first record that is not `wanted`.
  void DrainWhile(const std::function<bool(const uint8_t* record)>& wanted,
                  const std::function<void(const uint8_t* record)>& handle);
  /// Host, when the loop has left and all was drained: inspects the last record, which is then there to be drained.
  /// False if it does not pass.
  bool InspectLast();

  /// Device thread: returns when a record is free again (PLUMB_WAIT_READY), or PLUMB_WAIT_STOPPED when a record did not
  /// pass.
  int32_t WaitForRoom();

  /// Whether the loop comes here between any two steps.
  bool staged() const { return abi_.records != records_.data(); }
  /// Records of this launch that the host has handled, and those that were dropped.
  uint64_t drained() const { return drained_; }
  uint64_t dropped() const;

 private:
  ReportRing(AlignedBuffer records, AlignedBuffer newest, uint64_t record_bytes, uint64_t depth, Doorbell* doorbell,
             WhenFull when_full);
  bool InspectAndMove();
  void Move();
  uint64_t Drained() const;
  uint64_t Written() const;

  plumb_report_ring_t abi_ = {};
  AlignedBuffer records_;
  AlignedBuffer newest_;  // where the loop writes if records are staged
  const uint64_t record_bytes_;
  const uint64_t depth_;
  const WhenFull when_full_;
  uint64_t moved_ = 0;    // records put into the ring, if they are staged
  uint64_t drained_ = 0;  // the host's own count
  uint64_t dropped_ = 0;
  Inspector inspector_;
  Doorbell* const doorbell_;
  std::mutex mutex_;
  std::condition_variable room_;
};

}  // namespace plumb

#endif  // PLUMB_RUNTIME_QUEUE_REPORT_RING_H_
