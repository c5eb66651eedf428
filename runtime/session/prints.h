// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a loop prints: records that the loop publishes in the middle of its steps, any number of times per step, and the
// host shows in order. Executables of schemas 3 and 4 had one print of each kind per step instead, in the step's own
// record.

#ifndef PLUMB_RUNTIME_SESSION_PRINTS_H_
#define PLUMB_RUNTIME_SESSION_PRINTS_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "runtime/abi/manifest_generated.h"
#include "runtime/queue/report_ring.h"

namespace plumb {

/// The prints of one loop.
class Prints {
 public:
  /// Takes texts, line ends included; empty: they go to standard output.
  using Sink = std::function<void(absl::string_view text)>;
  /// A text, or a tensor: then `type` is not null, and `data` its dense, row-major elements.
  struct Part {
    absl::string_view text;
    const abi::TensorType* type;
    const uint8_t* data;
  };
  /// Takes the parts of one print in order, valid during the call; returns whether it kept them: otherwise they become
  /// text.
  using PartSink = std::function<bool(absl::Span<const Part> parts)>;

  /// A ring of `depth` records where the loop needs one; 0 chooses. `doorbell` rings when the loop waits for room.
  static absl::StatusOr<std::unique_ptr<Prints>> Create(const abi::Loop& loop, uint64_t depth, Doorbell* doorbell,
                                                        Sink sink, PartSink part_sink);

  /// Whether the loop prints at all, by either way.
  static bool Exist(const abi::Loop& loop);

  /// Null where the loop does not print in the middle of its steps.
  plumb_report_ring_t* abi() { return ring_ == nullptr ? nullptr : ring_->abi(); }
  /// The ring itself; null as above.
  ReportRing* ring() { return ring_.get(); }
  /// Empties the ring for a launch.
  void Reset();

  /// Host: shows what the steps up to number `step` of the launch have printed so far.
  void ShowUpTo(uint64_t step);
  /// Host: shows what the record of a step itself says.
  void ShowStep(const uint8_t* record);
  /// Host: what the assertion says that failed; empty where none did, or its text holds no values.
  const std::string& error() const { return error_; }
  /// Host: gives back all records unseen.
  void Drop();
  /// Device thread: returns when a record is free.
  int32_t WaitForRoom() { return ring_->WaitForRoom(); }

 private:
  Prints(const abi::Loop& loop, Sink sink, PartSink part_sink)
      : loop_(loop), sink_(std::move(sink)), part_sink_(std::move(part_sink)) {}
  void Show(const std::string& text) const;

  const abi::Loop& loop_;
  const Sink sink_;
  const PartSink part_sink_;
  std::unique_ptr<ReportRing> ring_;
  std::string error_;
};

}  // namespace plumb

#endif  // PLUMB_RUNTIME_SESSION_PRINTS_H_
