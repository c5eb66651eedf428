// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What keeps a run of days safe: checkpoints while it goes on, a time limit, and an end when the loss is NaN or nobody
// can read what is printed.

#ifndef PLUMB_RUNTIME_TOOLS_RUN_GUARD_H_
#define PLUMB_RUNTIME_TOOLS_RUN_GUARD_H_

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/callback/trainer.h"
#include "runtime/checkpoint/checkpoint_folder.h"
#include "runtime/tools/console.h"
#include "runtime/tools/reporter.h"

namespace plumb {

struct RunGuardOptions {
  std::string folder;        // of checkpoints; empty: none
  int64_t every_steps = 0;   // 0: not by steps
  double every_seconds = 0;  // 0: not by time
  size_t keep = 3;
  std::string best;  // a report, of whose means over an interval the best one is kept; empty: none
  bool best_is_largest = false;
  double max_seconds = 0;  // 0: no limit
  int64_t max_steps = 0;   // of the run; 0: no limit
  std::vector<GuardRule> rules;
};

/// Reads `1000` (steps) or `30s` (seconds).
absl::Status ReadInterval(const std::string& text, RunGuardOptions* options);
/// Reads `loss` (the smallest is best) or `max:accuracy`.
void ReadBest(const std::string& text, RunGuardOptions* options);

class RunGuard : public StepBoundary, public Callback {
 public:
  using Clock = std::chrono::steady_clock;

  /// `console` hears what does not end the run.
  RunGuard(const RunGuardOptions& options, Console* console);

  /// Before the first step: makes the folder, tries whether files can be written, finds the report of `best`.
  absl::Status Prepare(const abi::Loop& loop);
  /// Adds the rules that the user gave, and, for a loop that trains, that its loss stays finite.
  absl::Status AddRules(Session& session, size_t loop);
  /// Sets `session` to the newest sound checkpoint of the folder, if there is one.
  absl::Status Resume(Session& session, const LoadOptions& options);

  int64_t StepsToNext(int64_t done) override;
  bool OnRecord(const uint8_t* record) override;
  absl::Status AtBoundary(Session& session, const TrainingState& state) override;
  absl::Status OnStepEnd(const TrainingState& state) override;

  /// After training, however it ended: writes the last state unless it is not sane, and waits for the disk.
  absl::Status Finish(const Session& session);

  /// False once a loss, or what a guard watches, was NaN or infinite: then the state is only worth a look.
  bool sane() const { return sane_; }
  /// The flag whose limit ended the run; null: none.
  const char* limit() const { return limit_; }

 private:
  bool TimeIsUp() const;
  absl::Status Checkpoint(const Session& session);
  bool IsBest(double mean) const;
  void ReadBestSoFar();
  absl::Status KeepInvalid(const Session& session);

  const RunGuardOptions options_;
  Console* const console_;
  std::unique_ptr<CheckpointFolder> folder_;
  const Clock::time_point begin_ = Clock::now();
  Clock::time_point last_time_ = begin_;
  uint64_t last_steps_ = 0;  // of the newest checkpoint
  NumberReport best_report_;
  double sum_ = 0;  // of the best report since the newest checkpoint
  int64_t count_ = 0;
  double best_so_far_ = 0;
  bool has_best_ = false;
  bool sane_ = true;
  const char* limit_ = nullptr;
};

}  // namespace plumb

#endif  // PLUMB_RUNTIME_TOOLS_RUN_GUARD_H_
