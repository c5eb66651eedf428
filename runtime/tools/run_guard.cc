// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/tools/run_guard.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "runtime/base/status.h"
#include "runtime/tools/loops.h"

namespace plumb {
namespace {

constexpr char kBestKey[] = "plumb.best";

double SecondsSince(RunGuard::Clock::time_point begin) {
  return std::chrono::duration<double>(RunGuard::Clock::now() - begin).count();
}

/// A checkpoint that cannot be read is passed over; one that is whole and does not fit is the user's mistake.
bool IsDamage(const absl::Status& status) {
  return status.code() == absl::StatusCode::kDataLoss || status.code() == absl::StatusCode::kUnimplemented;
}

}  // namespace

absl::Status ReadInterval(const std::string& text, RunGuardOptions* options) {
  absl::string_view number = text;
  if (absl::ConsumeSuffix(&number, "s")) {
    if (absl::SimpleAtod(number, &options->every_seconds) && options->every_seconds > 0) return absl::OkStatus();
  } else if (absl::SimpleAtoi(number, &options->every_steps) && options->every_steps > 0) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat("--every takes steps (1000) or seconds (30s), not '", text, "'"));
}

void ReadBest(const std::string& text, RunGuardOptions* options) {
  absl::string_view name = text;
  options->best_is_largest = absl::ConsumePrefix(&name, "max:");
  if (!options->best_is_largest) absl::ConsumePrefix(&name, "min:");
  options->best = std::string(name);
}

RunGuard::RunGuard(const RunGuardOptions& options, Console* console) : options_(options), console_(console) {
  if (!options_.folder.empty()) folder_ = std::make_unique<CheckpointFolder>(options_.folder, options_.keep);
}

absl::Status RunGuard::Prepare(const abi::Loop& loop) {
  if (folder_ == nullptr) return absl::OkStatus();
  PLUMB_RETURN_IF_ERROR(Annotate(folder_->Prepare(), "--checkpoint"));
  if (options_.best.empty()) return absl::OkStatus();
  std::vector<std::string> names;
  for (const NumberReport& report : NumberReports(loop)) {
    names.push_back(report.name);
    if (report.name == options_.best) best_report_ = report;
  }
  if (!best_report_.name.empty()) return absl::OkStatus();
  return absl::NotFoundError(absl::StrCat("--best: the loop reports no number '", options_.best, "'; it reports ",
                                          names.empty() ? "none" : absl::StrJoin(names, ", ")));
}

absl::Status RunGuard::Resume(Session& session, const LoadOptions& options) {
  for (const std::string& path : folder_->NewestFirst()) {
    std::vector<std::string> notes;
    const absl::Status status = session.Load(path, options, &notes);
    if (!status.ok() && !IsDamage(status)) return status;
    for (const std::string& note : notes) console_->Note(note);
    if (!status.ok()) {
      console_->Warning(absl::StrCat(status.message(), "; an older checkpoint is taken"));
      continue;
    }
    last_steps_ = session.total_steps();
    ReadBestSoFar();
    console_->Note(absl::StrCat("goes on after step ", last_steps_, ", from ", path));
    return absl::OkStatus();
  }
  console_->Note(absl::StrCat("there is no checkpoint in '", options_.folder, "'; the run begins"));
  return absl::OkStatus();
}

/// The value that the best checkpoint of the folder was kept for, if it is one of the same report.
void RunGuard::ReadBestSoFar() {
  if (options_.best.empty()) return;
  auto checkpoint = Checkpoint::Read(folder_->best_path());
  if (!checkpoint.ok()) return;
  auto entry = checkpoint->metadata().find(kBestKey);
  if (entry == checkpoint->metadata().end()) return;
  absl::string_view value = entry->second;
  has_best_ = absl::ConsumePrefix(&value, absl::StrCat(options_.best, "=")) && absl::SimpleAtod(value, &best_so_far_);
}

bool RunGuard::TimeIsUp() const { return options_.max_seconds > 0 && SecondsSince(begin_) >= options_.max_seconds; }

int64_t RunGuard::StepsToNext(int64_t done) {
  int64_t steps = std::numeric_limits<int64_t>::max();
  if (folder_ != nullptr && options_.every_steps > 0) steps = options_.every_steps - done % options_.every_steps;
  if (options_.max_steps > 0) steps = std::min(steps, std::max<int64_t>(options_.max_steps - done, 1));
  return steps;
}

absl::Status RunGuard::AddRules(Session& session, size_t loop) {
  const abi::Loop& description = LoopAt(session.executable(), loop);
  const abi::Report* loss = Trains(description) ? LossReport(description) : nullptr;
  GuardRule finite;
  if (loss != nullptr) finite.name = loss->name()->str();
  // A loss of integers is always finite: nothing is to be watched.
  if (loss != nullptr) (void)session.AddGuard(loop, finite);
  for (const GuardRule& rule : options_.rules) PLUMB_RETURN_IF_ERROR(Annotate(session.AddGuard(loop, rule), "--guard"));
  return absl::OkStatus();
}

bool RunGuard::OnRecord(const uint8_t* record) {
  if (!best_report_.name.empty()) {
    sum_ += ReadNumber(best_report_.element, record + best_report_.offset);
    ++count_;
  }
  if (TimeIsUp()) return true;
  return folder_ != nullptr && options_.every_seconds > 0 && SecondsSince(last_time_) >= options_.every_seconds;
}

absl::Status RunGuard::AtBoundary(Session& session, const TrainingState& state) {
  if (state.has_loss && !std::isfinite(state.loss)) sane_ = false;
  if (session.strike().has_value() && session.strike()->invalid()) sane_ = false;
  if (!sane_) return absl::OkStatus();  // OnStepEnd, or the loss monitor, ends the run
  const bool by_steps = options_.every_steps > 0 && state.cur_step_num % options_.every_steps == 0;
  const bool by_time = options_.every_seconds > 0 && SecondsSince(last_time_) >= options_.every_seconds;
  if (folder_ != nullptr && (by_steps || by_time)) PLUMB_RETURN_IF_ERROR(Checkpoint(session));
  if (TimeIsUp()) limit_ = "--max-time";
  if (options_.max_steps > 0 && state.cur_step_num >= options_.max_steps) limit_ = "--max-steps";
  if (limit_ != nullptr) session.RequestStop();
  return absl::OkStatus();
}

absl::Status RunGuard::OnStepEnd(const TrainingState& state) {
  if (state.has_loss && !std::isfinite(state.loss)) {
    sane_ = false;
    return absl::FailedPreconditionError(absl::StrCat("epoch: ", state.epoch, " step: ", state.step_in_epoch(),
                                                      ". Invalid loss, terminating training."));
  }
  if (std::ferror(stdout)) return absl::UnavailableError("nothing can be written to the standard output any more");
  return absl::OkStatus();
}

bool RunGuard::IsBest(double mean) const {
  if (count_ == 0 || !std::isfinite(mean)) return false;
  return !has_best_ || (options_.best_is_largest ? mean > best_so_far_ : mean < best_so_far_);
}

/// A checkpoint that cannot be written is said, and the run goes on: the older ones are still there.
absl::Status RunGuard::Checkpoint(const Session& session) {
  if (absl::Status failed = folder_->TakeError(); !failed.ok()) {
    console_->Warning(absl::StrCat("a checkpoint is missing: ", failed.message()));
  }
  Snapshot* snapshot = folder_->Acquire();
  PLUMB_RETURN_IF_ERROR(session.TakeSnapshot(snapshot));
  const double mean = count_ == 0 ? 0 : sum_ / static_cast<double>(count_);
  const bool best = !options_.best.empty() && IsBest(mean);
  if (best) {
    has_best_ = true;
    best_so_far_ = mean;
    snapshot->metadata[kBestKey] = absl::StrCat(options_.best, "=", NumpyText(mean));
  }
  sum_ = 0;
  count_ = 0;
  last_steps_ = snapshot->steps;
  last_time_ = Clock::now();
  console_->Debug(absl::StrCat("checkpoint after step ", last_steps_, best ? ", the best so far" : ""));
  folder_->Submit(best);
  return absl::OkStatus();
}

/// The state that a NaN left behind, for a look: a run does not go on from it.
absl::Status RunGuard::KeepInvalid(const Session& session) {
  PLUMB_RETURN_IF_ERROR(session.Save(folder_->invalid_path()));
  console_->Note(absl::StrCat("the state of that step is in ", folder_->invalid_path()));
  return absl::OkStatus();
}

absl::Status RunGuard::Finish(const Session& session) {
  if (folder_ == nullptr) return absl::OkStatus();
  if (!sane_) PLUMB_RETURN_IF_ERROR(KeepInvalid(session));
  if (sane_ && !session.step_failed() && session.total_steps() != last_steps_)
    PLUMB_RETURN_IF_ERROR(Checkpoint(session));
  return folder_->Flush();
}

}  // namespace plumb
