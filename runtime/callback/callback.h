// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What hears of training on the host: the callbacks that users of MindSpore know, with its words. An *epoch* is, when
// sinking, one launch; a *step end* comes once per launch then, with the outputs of its last step.

#ifndef PLUMB_RUNTIME_CALLBACK_CALLBACK_H_
#define PLUMB_RUNTIME_CALLBACK_CALLBACK_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "runtime/abi/manifest_generated.h"
#include "runtime/base/number.h"

namespace plumb {

/// Where training stands.
struct TrainingState {
  int64_t epoch = 0;         // the present one, from 1
  int64_t batch_num = 1;     // steps of an epoch
  int64_t cur_step_num = 0;  // steps made since training began
  bool has_loss = false;     // whether the loop reports one
  double loss = 0;           // of the last step made
  std::string loss_text;     // the same as NumPy prints it

  /// The last step made, counted within its epoch from 1.
  int64_t step_in_epoch() const { return cur_step_num == 0 ? 0 : (cur_step_num - 1) % batch_num + 1; }
};

/// Each function may end training with an error.
class Callback {
 public:
  virtual ~Callback() = default;
  virtual absl::Status OnEpochBegin(const TrainingState&) { return absl::OkStatus(); }
  virtual absl::Status OnStepEnd(const TrainingState&) { return absl::OkStatus(); }
  virtual absl::Status OnEpochEnd(const TrainingState&) { return absl::OkStatus(); }
};

/// Takes one finished line without its newline.
using LineSink = std::function<void(absl::string_view line)>;

/// Says `epoch: E step: S, loss is L` every `per_print_times` steps (or as soon after as a launch ends), and ends
/// training when the loss is NaN.
class LossMonitor : public Callback {
 public:
  explicit LossMonitor(LineSink sink, int64_t per_print_times = 1);
  absl::Status OnStepEnd(const TrainingState& state) override;

 private:
  LineSink sink_;
  int64_t per_print_times_;
  int64_t last_print_ = 0;
};

/// Says `epoch time: T ms, per step time: P ms` at the end of each epoch that made a step.
class TimeMonitor : public Callback {
 public:
  explicit TimeMonitor(LineSink sink);
  absl::Status OnEpochBegin(const TrainingState& state) override;
  absl::Status OnEpochEnd(const TrainingState& state) override;

 private:
  LineSink sink_;
  int64_t steps_before_ = 0;
  std::chrono::steady_clock::time_point begin_;
};

}  // namespace plumb

#endif  // PLUMB_RUNTIME_CALLBACK_CALLBACK_H_
