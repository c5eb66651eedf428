// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One queue of a session with what feeds it: a pipeline on threads of its own, or batches that the embedder pushes.
// Keeps the place in the data, counted in batches taken since the run began, so that a checkpoint can go on from there.

#ifndef PLUMB_RUNTIME_SESSION_FEED_H_
#define PLUMB_RUNTIME_SESSION_FEED_H_

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/abi/manifest_generated.h"
#include "runtime/data/pipeline.h"
#include "runtime/data/producer.h"
#include "runtime/queue/queue.h"

namespace plumb {

class Feed : private BatchTarget {
 public:
  /// An unfed queue after the manifest's `description`, which outlives the feed.
  static absl::StatusOr<std::unique_ptr<Feed>> Create(const abi::Queue& description, uint64_t seed);
  ~Feed() override;

  Queue& queue() { return *queue_; }
  bool has_pipeline() const { return pipeline_ != nullptr; }

  /// Feeds from `pipeline`, `passes` times through (-1: endlessly). What waited is discarded. A first pipeline begins
  /// where Resume or Seek went, one that replaces another at its first batch.
  absl::Status Bind(std::unique_ptr<Pipeline> pipeline, int64_t passes);
  /// Batches of one pass of what is bound.
  absl::StatusOr<int64_t> DatasetSize() const;

  /// Copies one batch into the queue; `columns` in the manifest's order. Only without a pipeline; from any number of
  /// threads.
  absl::Status Push(absl::Span<const absl::Span<const uint8_t>> columns, std::chrono::nanoseconds limit);
  /// Nothing follows what was pushed.
  absl::Status End();

  /// Before a launch that pulls from the queue: starts the pipeline's threads if they do not run yet.
  absl::Status EnsureRunning();
  /// Back to the first batch of the first pass, or to an empty queue.
  absl::Status Rewind() { return Seek(0); }
  /// Goes on behind `position` batches.
  absl::Status Seek(uint64_t position);
  /// Seek, in the shuffles of another seed.
  absl::Status Resume(uint64_t position, uint64_t seed);
  /// Batches that the loop took since the run began.
  uint64_t position() const { return base_ + queue_->consumed(); }

  /// Fills the whole ring and turns it into an endless supply, so that a benchmark sees compute alone.
  absl::Status MakeResident();

 private:
  class Turn;
  explicit Feed(const abi::Queue& description, uint64_t seed) : description_(description), seed_(seed) {}
  uint8_t* Acquire(uint64_t n) override;
  void Publish(uint64_t n) override;
  void Close(absl::Status status) override;
  absl::StatusOr<int64_t> BatchesLeft() const;
  absl::Status CheckRanges(const uint8_t* slot, uint64_t batch) const;
  void StopProducer();

  const abi::Queue& description_;
  uint64_t seed_;
  std::unique_ptr<Queue> queue_;
  std::unique_ptr<Pipeline> pipeline_;
  std::unique_ptr<BatchProducer> producer_;
  int64_t passes_ = -1;
  uint64_t base_ = 0;    // position at which the queue was empty and new
  uint64_t pushed_ = 0;  // by Push, since then
  std::atomic<bool> ended_{false};
  std::mutex turn_mutex_;
  std::condition_variable turn_over_;
  bool pushing_ = false;
};

}  // namespace plumb

#endif  // PLUMB_RUNTIME_SESSION_FEED_H_
