// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/callback/callback.h"

#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace plumb {

LossMonitor::LossMonitor(LineSink sink, int64_t per_print_times)
    : sink_(std::move(sink)), per_print_times_(per_print_times) {}

absl::Status LossMonitor::OnStepEnd(const TrainingState& state) {
  if (!state.has_loss) return absl::OkStatus();
  const int64_t step = state.step_in_epoch();
  if (!std::isfinite(state.loss)) {
    return absl::FailedPreconditionError(
        absl::StrCat("epoch: ", state.epoch, " step: ", step, ". Invalid loss, terminating training."));
  }
  if (per_print_times_ <= 0 || state.cur_step_num - last_print_ < per_print_times_) return absl::OkStatus();
  last_print_ = state.cur_step_num;
  sink_(absl::StrFormat("epoch: %d step: %d, loss is %s", state.epoch, step, state.loss_text));
  return absl::OkStatus();
}

TimeMonitor::TimeMonitor(LineSink sink) : sink_(std::move(sink)) {}

absl::Status TimeMonitor::OnEpochBegin(const TrainingState& state) {
  steps_before_ = state.cur_step_num;
  begin_ = std::chrono::steady_clock::now();
  return absl::OkStatus();
}

absl::Status TimeMonitor::OnEpochEnd(const TrainingState& state) {
  const double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin_).count();
  // An epoch that was stopped has fewer steps than it should.
  const int64_t steps = state.cur_step_num - steps_before_;
  if (steps == 0) return absl::OkStatus();
  sink_(absl::StrFormat("epoch time: %5.3f ms, per step time: %5.3f ms", ms, ms / static_cast<double>(steps)));
  return absl::OkStatus();
}

}  // namespace plumb
