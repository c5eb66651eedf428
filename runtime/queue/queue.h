// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bounded ring of batches between the host's data pipeline and the device loop. Both sides work in place:
//
//   producer   Acquire(n) ─► fill slot n % depth ─► Publish(n)          … Close
//   consumer   compiled get_next reads the slot, the step's end gives it back (plumb_queue_t.consumed)
//
// While data is ready the consumer only reads and writes the two counters of plumb_queue_t: no lock, no call. It comes
// here, to Wait, when the ring looks empty, and sleeps. The producer cannot be woken by compiled code, so a producer in
// front of a full ring looks again after short sleeps, and at once when the consumer has run dry.

#ifndef PLUMB_RUNTIME_QUEUE_QUEUE_H_
#define PLUMB_RUNTIME_QUEUE_QUEUE_H_

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/abi/executable_abi.h"
#include "runtime/base/aligned_buffer.h"

namespace plumb {

/// Waits of one side.
struct WaitStatistics {
  uint64_t count = 0;
  std::chrono::nanoseconds total{0};
  std::chrono::nanoseconds longest{0};
};

/// What happened in a queue since it was last empty and new.
struct QueueStatistics {
  uint64_t published = 0;
  uint64_t taken = 0;
  uint64_t depth = 0;
  WaitStatistics producer;                // for a free slot
  WaitStatistics consumer;                // for a batch
  double mean_filled = 0;                 // slots, after each publication
  std::chrono::nanoseconds preparing{0};  // the producer between a free slot and its publication, all batches together

  /// Which side the other one waits for and what to do about it, in one sentence; empty if neither waits much.
  /// `running` is how long the loop ran.
  std::string Advice(std::chrono::nanoseconds running) const;
};

/// One point of a queue's depth over time.
struct DepthSample {
  double seconds = 0;   // since the first batch was published
  uint64_t filled = 0;  // slots
};

class Queue {
 public:
  using Clock = std::chrono::steady_clock;

  /// A ring of `depth` slots of `slot_bytes` bytes each, open and empty.
  static absl::StatusOr<std::unique_ptr<Queue>> Create(std::string name, uint64_t slot_bytes, uint64_t depth);

  const std::string& name() const { return name_; }
  /// What compiled code sees.
  plumb_queue_t* abi() { return &abi_; }
  /// The memory of all slots.
  absl::Span<uint8_t> slots() { return slots_.span(); }

  // -- Producer: one thread calls Acquire, with n = 0, 1, 2, …; Publish goes in the same order, from any thread.

  /// Waits until batch `n` has a slot and returns it; null after Cancel or Close. A negative limit waits as long as it
  /// takes, and DeadlineExceeded says what both sides were doing.
  absl::StatusOr<uint8_t*> Acquire(uint64_t n, std::chrono::nanoseconds limit = std::chrono::nanoseconds(-1));
  /// Batch `n` is complete; the consumer may take it.
  void Publish(uint64_t n);
  /// Nothing follows. With an error, the consumer hears of it when it has taken what was published.
  void Close(absl::Status status = absl::OkStatus());
  /// Says that the embedder pushes batches, for messages.
  void SetPushed();
  /// Makes a waiting Acquire and all later ones return null.
  void Cancel();

  // -- Consumer: the device thread, when produced == consumed.

  /// Waits for a batch, the end of the data, `*stop` or the limit (zero: none). Returns a plumb_wait_answer_t; after an
  /// error, `error()` says what happened.
  int32_t Wait(const uint32_t* stop, std::chrono::nanoseconds limit);
  absl::Status error();

  // -- Host, at any time.

  QueueStatistics statistics();
  /// The depth over time since the queue was empty and new: at most kSamples points, about evenly spaced in batches.
  std::vector<DepthSample> history();

  // -- Host, while neither side runs.

  /// Empties and opens the ring.
  void Reset();
  /// Makes the published batches an endless supply that costs nothing: the ring must be full. For benchmarks.
  absl::Status MakeResident();

  uint64_t produced() const;
  uint64_t consumed() const;
  /// True when nothing follows what is published; `close_status` then says why.
  bool closed() const;
  absl::Status close_status();

 private:
  enum class Producer { kAbsent, kPreparing, kWaiting, kClosed };
  struct Times {
    Clock::time_point acquired;
    Clock::time_point published;
  };
  static constexpr size_t kRemembered = 10;
  static constexpr size_t kSamples = 256;

  Queue(std::string name, AlignedBuffer slots, uint64_t slot_bytes, uint64_t depth);
  std::string Describe(Clock::time_point now) const;  // mutex_ held
  std::string DescribeProducer(Clock::time_point now) const;
  std::string DescribeBatches(Clock::time_point now) const;
  std::string AdviseAfterWait(Clock::time_point now) const;
  void Sample(uint64_t n, uint64_t filled, Clock::time_point now);
  int32_t Answer(const uint32_t* stop) const;
  int32_t FailWait(std::chrono::nanoseconds waited);
  void SetProducer(Producer state);

  const std::string name_;
  AlignedBuffer slots_;
  plumb_queue_t abi_ = {};

  std::mutex mutex_;
  std::condition_variable changed_;
  Producer producer_ = Producer::kAbsent;
  Clock::time_point producer_since_;
  bool cancelled_ = false;
  bool pushed_ = false;  // by the embedder, not by a pipeline
  bool consumer_waits_ = false;
  Clock::time_point consumer_since_;
  absl::Status close_status_;
  absl::Status error_;
  std::array<Times, kRemembered> times_ = {};
  WaitStatistics producer_statistics_, consumer_statistics_;
  std::chrono::nanoseconds preparing_{0};
  uint64_t filled_sum_ = 0;
  std::array<DepthSample, kSamples> samples_ = {};
  size_t sample_count_ = 0;
  uint64_t sample_stride_ = 1;  // batches from one sample to the next
  Clock::time_point first_published_;
};

}  // namespace plumb

#endif  // PLUMB_RUNTIME_QUEUE_QUEUE_H_
