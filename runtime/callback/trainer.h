// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop over epochs that stands on the host: launches, callbacks between them, and the records of every step on the way.

#ifndef PLUMB_RUNTIME_CALLBACK_TRAINER_H_
#define PLUMB_RUNTIME_CALLBACK_TRAINER_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/callback/callback.h"
#include "runtime/session/session.h"

namespace plumb {

struct TrainerOptions {
  size_t loop = 0;
  int64_t epochs = 1;
  /// Steps of an epoch; -1: those of one pass over the data.
  int64_t sink_size = -1;
  /// False: the same steps, one launch each, and a step end after each.
  bool sink = true;
};

/// One step's reports, seen while the loop runs: epoch from 1, step within the epoch from 1, the record's bytes.
using StepHandler = std::function<void(int64_t epoch, int64_t step, const uint8_t* record)>;

struct TrainingResult {
  int64_t epochs = 0;  // begun
  int64_t steps = 0;
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
