// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/callback/trainer.h"

#include <algorithm>

#include "runtime/base/element_type.h"
#include "runtime/base/status.h"

namespace plumb {
namespace {

const abi::Loop& LoopOf(const Session& session, size_t index) {
  return *session.executable().manifest().loops()->Get(static_cast<flatbuffers::uoffset_t>(index));
}

/// Training in progress: what the functions below share.
struct Training {
  Session& session;
  const TrainerOptions& options;
  const std::vector<Callback*>& callbacks;
  const StepHandler& on_step;
  const abi::Report* loss;
  TrainingState state;
  TrainingResult result;

  absl::Status Tell(absl::Status (Callback::*event)(const TrainingState&)) {
    for (Callback* callback : callbacks) PLUMB_RETURN_IF_ERROR((callback->*event)(state));
    return absl::OkStatus();
  }
};

void TakeLoss(Training& training, const uint8_t* record) {
  const abi::Report& report = *training.loss;
  training.state.loss = ReadNumber(report.type()->element(), record + report.offset());
  training.state.loss_text = ReadNumberText(report.type()->element(), record + report.offset());
  training.state.has_loss = true;
}

/// Launches at most `steps` steps, up to the next boundary; true while training goes on.
absl::StatusOr<bool> RunToBoundary(Training& training, int64_t steps) {
  StepBoundary* boundary = training.options.boundary;
  const int64_t before = training.state.cur_step_num;
  if (boundary != nullptr) steps = std::min(steps, boundary->StepsToNext(before));
  // Only the last record's text is wanted, so the loss is read when the launch is over.
  const uint64_t last_bytes = LoopOf(training.session, training.options.loop).record_bytes();
  std::vector<uint8_t> last(last_bytes);
  auto handler = [&](uint64_t step, const uint8_t* record) {
    std::copy(record, record + last_bytes, last.begin());
    if (boundary != nullptr && boundary->OnRecord(record)) training.session.RequestPause();
    if (!training.on_step) return;
    training.on_step(training.state.epoch, (before + static_cast<int64_t>(step)) % training.state.batch_num + 1,
                     record);
  };
  PLUMB_ASSIGN_OR_RETURN(LaunchResult launch, training.session.Launch(training.options.loop, steps, handler));
  training.result.steps += static_cast<int64_t>(launch.steps);
  training.result.reason = launch.paused ? PLUMB_END_SINK_SIZE : launch.reason;
  training.state.cur_step_num += static_cast<int64_t>(launch.steps);
  if (launch.steps > 0 && training.loss != nullptr) TakeLoss(training, last.data());
  if (boundary != nullptr) PLUMB_RETURN_IF_ERROR(boundary->AtBoundary(training.session, training.state));
  return training.result.reason == PLUMB_END_SINK_SIZE;
}

/// What a user calls a launch: `steps` steps and then a step end, however often the host looked in between.
absl::StatusOr<bool> RunLaunch(Training& training, int64_t steps) {
  const int64_t begin = training.state.cur_step_num;
  bool more = true;
  while (more && training.state.cur_step_num < begin + steps) {
    PLUMB_ASSIGN_OR_RETURN(more, RunToBoundary(training, begin + steps - training.state.cur_step_num));
  }
  if (training.state.cur_step_num > begin) PLUMB_RETURN_IF_ERROR(training.Tell(&Callback::OnStepEnd));
  return more;
}

/// The rest of an epoch, which is all of it unless a run goes on in its middle. True while training goes on.
absl::StatusOr<bool> RunEpoch(Training& training) {
  ++training.state.epoch;
  ++training.result.epochs;
  PLUMB_RETURN_IF_ERROR(training.Tell(&Callback::OnEpochBegin));
  const int64_t steps = training.state.batch_num - training.state.cur_step_num % training.state.batch_num;
  const int64_t launches = training.options.sink ? 1 : steps;
  bool more = true;
  for (int64_t i = 0; i < launches && more; ++i) {
    PLUMB_ASSIGN_OR_RETURN(more, RunLaunch(training, steps / launches));
  }
  PLUMB_RETURN_IF_ERROR(training.Tell(&Callback::OnEpochEnd));
  return more;
}

}  // namespace

const abi::Report* LossReport(const abi::Loop& loop) {
  const abi::Report* first = nullptr;
  for (size_t i = 0; loop.reports() != nullptr && i < loop.reports()->size(); ++i) {
    const abi::Report* report = loop.reports()->Get(static_cast<flatbuffers::uoffset_t>(i));
    absl::Span<const int64_t> shape = ShapeOf(*report->type());
    if (std::any_of(shape.begin(), shape.end(), [](int64_t size) { return size != 1; })) continue;
    if (report->name()->str() == "loss") return report;
    if (first == nullptr) first = report;
  }
  return first;
}

absl::StatusOr<int64_t> StepsPerEpoch(Session& session, const TrainerOptions& options) {
  if (options.sink_size == 0 || options.sink_size < -1) {
    return absl::InvalidArgumentError(
        absl::StrCat("The 'sink_size' must be -1 or positive, but got sink_size ", options.sink_size, "."));
  }
  if (options.sink_size > 0) return options.sink_size;
  const abi::Loop& loop = LoopOf(session, options.loop);
  if (loop.queue() < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("loop '", loop.name()->str(), "' pulls no data, so sink_size -1 (the whole data) says nothing"));
  }
  const auto* queues = session.executable().manifest().queues();
  PLUMB_ASSIGN_OR_RETURN(
      Feed * feed, session.FindFeed(queues->Get(static_cast<flatbuffers::uoffset_t>(loop.queue()))->name()->c_str()));
  PLUMB_ASSIGN_OR_RETURN(int64_t size, feed->DatasetSize());
  if (size > 0) return size;
  return absl::InvalidArgumentError("the data has no known size, so sink_size -1 (the whole data) says nothing");
}

absl::StatusOr<TrainingResult> Train(Session& session, const TrainerOptions& options,
                                     const std::vector<Callback*>& callbacks, const StepHandler& on_step) {
  if (options.epochs < 0) return absl::InvalidArgumentError(absl::StrCat("cannot train ", options.epochs, " epochs"));
  Training training = {session, options, callbacks, on_step, LossReport(LoopOf(session, options.loop)), {}, {}};
  PLUMB_ASSIGN_OR_RETURN(training.state.batch_num, StepsPerEpoch(session, options));
  training.state.cur_step_num = options.steps_done;
  training.state.epoch = options.steps_done / training.state.batch_num;
  for (bool more = true; more && training.state.epoch < options.epochs;) {
    PLUMB_ASSIGN_OR_RETURN(more, RunEpoch(training));
  }
  return training.result;
}

}  // namespace plumb
