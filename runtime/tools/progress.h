// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far a run is: `epoch 3/90 [=====>    ] 24.7 % 1234/5000 loss 0.0312 1:23:45 left 812.4 steps/s`.

#ifndef PLUMB_RUNTIME_TOOLS_PROGRESS_H_
#define PLUMB_RUNTIME_TOOLS_PROGRESS_H_

#include <chrono>
#include <cstdint>
#include <deque>
#include <string>
#include <utility>

#include "runtime/callback/trainer.h"
#include "runtime/tools/console.h"

namespace plumb {

/// `59 s`, `12:05`, `1:23:45`, `3 d 04:10`.
std::string DurationText(double seconds);

/// Draws the bar, a few times a second, while steps are made.
class Progress : public Callback {
 public:
  using Clock = std::chrono::steady_clock;

  /// `loss` may be null; `epochs` is the number at which the run ends.
  Progress(Console* console, const abi::Report* loss, int64_t epochs);

  /// Takes every step's record.
  StepHandler steps();
  absl::Status OnEpochBegin(const TrainingState& state) override;

  /// What is shown after `done` steps in a line of `columns`: the bar between brackets takes what the rest leaves.
  std::string Text(int64_t done, double steps_per_second, const std::string& loss, size_t columns) const;

 private:
  void OnStep(int64_t epoch, int64_t step, const uint8_t* record);
  double Rate(int64_t done, Clock::time_point now);

  Console* const console_;
  const abi::Report* const loss_;
  const int64_t epochs_;
  int64_t batch_num_ = 1;
  Clock::time_point shown_;
  std::deque<std::pair<Clock::time_point, int64_t>> recent_;  // (time, steps done) of the last seconds
};

}  // namespace plumb

#endif  // PLUMB_RUNTIME_TOOLS_PROGRESS_H_
