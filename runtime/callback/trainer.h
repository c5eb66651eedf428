// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop over epochs that stands on the host: launches, callbacks between them, and the records of every step on the
// way.

#ifndef PLUMB_RUNTIME_CALLBACK_TRAINER_H_
#define PLUMB_RUNTIME_CALLBACK_TRAINER_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/callback/callback.h"
#include "runtime/session/session.h"

namespace plumb {

/// What the host does between two steps while epochs run: checkpoints, limits. A launch is split there, which changes
/// no result.
class StepBoundary {
 public:
  virtual ~StepBoundary() = default;
  /// Steps until the next boundary that is wanted at a fixed step, `done` of the run being made; at least 1.
  virtual int64_t StepsToNext(int64_t done) = 0;
  /// Hears every step's record while the loop runs; true asks for a boundary before the next step.
  virtual bool OnRecord(const uint8_t* record) = 0;
  /// The session is idle; `state` says what was done. An error ends training.
  virtual absl::Status AtBoundary(Session& session, const TrainingState& state) = 0;
};

struct TrainerOptions {
  size_t loop = 0;
  int64_t epochs = 1;
  /// Steps of an epoch; -1: those of one pass over the data.
  int64_t sink_size = -1;
  /// False: the same steps, one launch each, and a step end after each.
  bool sink = true;
  /// Steps that the run has made before, which count as part of `epochs`.
  int64_t steps_done = 0;
  /// May be null.
  StepBoundary* boundary = nullptr;
};

/// One step's reports, seen while the loop runs: epoch from 1, step within the epoch from 1, the record's bytes.
using StepHandler = std::function<void(int64_t epoch, int64_t step, const uint8_t* record)>;

struct TrainingResult {
  int64_t epochs = 0;  // begun here
  int64_t steps = 0;   // made here
  plumb_end_reason_t reason = PLUMB_END_SINK_SIZE;
};

/// Trains until all epochs are done, the data ends, a stop is asked for or a guard trips.
absl::StatusOr<TrainingResult> Train(Session& session, const TrainerOptions& options,
                                     const std::vector<Callback*>& callbacks, const StepHandler& on_step);

/// Steps of an epoch under `options`. Fails where `sink_size` is 0 or below -1, or -1 without data whose size is known.
absl::StatusOr<int64_t> StepsPerEpoch(Session& session, const TrainerOptions& options);

/// The report a loss monitor shows: the one called "loss", or else the first of one element; null if there is none.
const abi::Report* LossReport(const abi::Loop& loop);

}  // namespace plumb

#endif  // PLUMB_RUNTIME_CALLBACK_TRAINER_H_
