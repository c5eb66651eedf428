// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Worker threads that fill a queue's slots from a pipeline, in place and in order.

#ifndef PLUMB_RUNTIME_DATA_PRODUCER_H_
#define PLUMB_RUNTIME_DATA_PRODUCER_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/data/pipeline.h"

namespace plumb {

/// Where batches go: implemented by whoever owns the queue. Acquire is called by one thread at a time, with n = 0, 1,
/// 2, …; Publish likewise, from any worker, and never before Acquire(n) returned. Several slots may be acquired and
/// unpublished.
class BatchTarget {
 public:
  virtual ~BatchTarget() = default;
  /// Waits until batch `n` has a slot and returns its memory; null when no more batches are wanted, and also, at once
  /// and for a call that waits already, after Close.
  virtual uint8_t* Acquire(uint64_t n) = 0;
  /// Batch `n` is complete.
  virtual void Publish(uint64_t n) = 0;
  /// No Publish follows: all batches are published (OK), a batch failed (the error), or Acquire returned null. Called
  /// once. Workers may still write to slots that are acquired and unpublished until the producer is destroyed.
  virtual void Close(absl::Status status) = 0;
};

struct ProducerOptions {
  uint64_t seed = 0;
  /// Batches already consumed by an earlier run: the first one made is the one after these.
  uint64_t first_batch = 0;
  /// Batches to make; negative: one epoch after the other without end.
  int64_t batches = -1;
  /// Threads; 0: as many as the pipeline asks for.
  uint32_t workers = 0;
  /// Offset of each column in a slot.
  std::vector<uint64_t> offsets;
};

/// Runs from Start until all batches are made, the target wants no more, or Stop.
class BatchProducer {
 public:
  /// `pipeline` is loaded; it and `target` outlive the producer.
  static absl::StatusOr<std::unique_ptr<BatchProducer>> Start(const Pipeline& pipeline, const ProducerOptions& options,
                                                              BatchTarget* target);
  /// Stops and joins. The target must answer a waiting Acquire with null by then (close the queue first).
  ~BatchProducer();
  /// Asks the workers to leave after their present batch; does not wait.
  void Stop();

 private:
  struct State;
  explicit BatchProducer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace plumb

#endif  // PLUMB_RUNTIME_DATA_PRODUCER_H_
