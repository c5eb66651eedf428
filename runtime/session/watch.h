// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of chosen reports and variables at an interval, while the loop runs: the loop's thread copies what a step left
// behind, between that step and the next, and the host's thread hands the copies on beside the step's reports.
//
//   loop ── Look: copy ──► two slots for each ── Show ──► handler, on the thread that launches

#ifndef PLUMB_RUNTIME_SESSION_WATCH_H_
#define PLUMB_RUNTIME_SESSION_WATCH_H_

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "runtime/abi/manifest_generated.h"
#include "runtime/base/aligned_buffer.h"
#include "runtime/base/doorbell.h"

namespace plumb {

/// What is looked at, and how often.
struct WatchRule {
  std::string name;      // of a report, or else of a variable; `*` in it stands for any characters of variables' names
  uint64_t every = 100;  // steps of the run from one look to the next
};

/// Reads `conv1.weight` or `moments.*`, with `,every=N` behind it or not.
absl::StatusOr<WatchRule> ParseWatchRule(absl::string_view text);

/// A value that was seen.
struct WatchedValue {
  const std::string& name;
  abi::ElementType element;
  absl::Span<const int64_t> shape;
  uint64_t step;  // of the run, from 1
  absl::Span<const uint8_t> data;
};
using WatchHandler = std::function<void(const WatchedValue& value)>;

/// What is watched of one loop.
class Watches {
 public:
  /// `doorbell` rings when the loop waits for the host. A loop that must not wait leaves values out and counts them.
  Watches(Doorbell* doorbell, bool waits) : doorbell_(doorbell), waits_(waits) {}

  /// Watches the tensor `name` of that type. It lies in `variable`, or else (null data) at `offset` of the step's
  /// record.
  absl::Status Add(const std::string& name, const abi::TensorType& type, uint64_t every, uint64_t offset,
                   absl::Span<const uint8_t> variable, WatchHandler handler);
  bool empty() const { return entries_.empty(); }

  /// Before a launch.
  void Begin();
  /// Loop's thread, after a step: copies what is due. Waits for the host where it is behind.
  void Look(uint64_t step, const uint8_t* record);
  /// Host's thread: forwards values of steps up to `step`, and makes room. A value whose handler throws counts as
  /// forwarded.
  void Show(uint64_t step);
  /// Host's thread: makes room without handing on.
  void Drop();
  /// Values that were left out since Begin.
  uint64_t left_out() const { return left_out_; }

 private:
  static constexpr uint64_t kSlots = 2;
  struct Entry {
    std::string name;
    abi::ElementType element;
    std::vector<int64_t> shape;
    uint64_t every, offset, bytes;
    const uint8_t* variable;
    WatchHandler handler;
    std::array<AlignedBuffer, kSlots> slots;
    std::array<uint64_t, kSlots> steps = {};
    uint64_t written = 0, shown = 0;  // under the mutex
  };
  bool WaitForSlot(const Entry& entry);
  Entry* FindNext(uint64_t step);
  void ShowNext(Entry& entry);

  std::vector<std::unique_ptr<Entry>> entries_;
  Doorbell* const doorbell_;
  const bool waits_;
  std::mutex mutex_;
  std::condition_variable room_;
  std::atomic<uint64_t> pending_{0};  // values that wait to be shown: a look without the mutex
  uint64_t left_out_ = 0;             // of the loop's thread while it runs
};

}  // namespace plumb

#endif  // PLUMB_RUNTIME_SESSION_WATCH_H_
