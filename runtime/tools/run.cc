// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/tools/run.h"

#include <chrono>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/base/exceptions.h"
#include "runtime/base/new_file.h"
#include "runtime/base/status.h"
#include "runtime/callback/trainer.h"
#include "runtime/session/session.h"
#include "runtime/tools/arguments.h"
#include "runtime/tools/interrupt.h"
#include "runtime/tools/loops.h"
#include "runtime/tools/progress.h"
#include "runtime/tools/reporter.h"
#include "runtime/tools/run_guard.h"
#include "runtime/tools/run_options.h"
#include "runtime/tools/watcher.h"

namespace plumb {
namespace {

using Clock = std::chrono::steady_clock;

/// One handler that calls all of them.
StepHandler Together(std::vector<StepHandler> handlers) {
  if (handlers.empty()) return nullptr;
  return [handlers = std::move(handlers)](int64_t epoch, int64_t step, const uint8_t* record) {
    for (const StepHandler& handler : handlers) handler(epoch, step, record);
  };
}

absl::StatusOr<TrainingResult> RunTraining(Session& session, size_t loop, const RunOptions& options, RunGuard& guard,
                                           Console& console) {
  const abi::Loop& description = LoopAt(session.executable(), loop);
  TrainerOptions trainer;
  trainer.loop = loop;
  trainer.epochs = options.epochs >= 0 ? options.epochs : description.epochs();
  trainer.sink_size = options.sink_size != 0 ? options.sink_size : description.sink_size();
  trainer.sink = options.sink;
  trainer.boundary = &guard;
  if (options.resume) trainer.steps_done = static_cast<int64_t>(session.total_steps());
  Reporter reporter(description, options.json);
  const LineSink lines = [&console](absl::string_view line) { console.PrintLine(line); };
  LossMonitor loss(lines);
  TimeMonitor time(lines);
  Progress progress(&console, LossReport(description), trainer.epochs);
  std::vector<Callback*> callbacks = {&guard};
  if (options.progress) callbacks.push_back(&progress);
  if (options.json) {
    callbacks.push_back(&reporter);
  } else {
    callbacks.push_back(&loss);
    if (options.time) callbacks.push_back(&time);
  }
  std::vector<StepHandler> handlers;
  if (options.json) handlers.push_back(reporter.steps());
  if (options.progress) handlers.push_back(progress.steps());
  auto result = Train(session, trainer, callbacks, Together(std::move(handlers)));
  console.HideBar();
  return result;
}

/// One pass (or `--sink-size` steps) over the data, and the mean of each number that the loop reports.
absl::StatusOr<TrainingResult> RunEvaluation(Session& session, size_t loop, const RunOptions& options) {
  Means means(LoopAt(session.executable(), loop));
  const int64_t steps = options.sink_size > 0 ? options.sink_size : INT64_MAX;
  PLUMB_ASSIGN_OR_RETURN(LaunchResult launch,
                         session.Launch(loop, steps, [&](uint64_t, const uint8_t* record) { means.Add(record); }));
  means.Print(options.json);
  TrainingResult result;
  result.steps = static_cast<int64_t>(launch.steps);
  result.reason = launch.reason == PLUMB_END_OF_DATA ? PLUMB_END_SINK_SIZE : launch.reason;
  return result;
}

/// How the run ended: an error unless all steps were made, and the exit code that tells kinds of ends apart.
struct Ending {
  absl::Status status;
  int code = kExitOk;
};

Ending Judge(const absl::StatusOr<TrainingResult>& result, const Session& session, const RunGuard& guard) {
  if (!result.ok()) {
    return {result.status(), !guard.sane() ? kExitGuard : session.data_failed() ? kExitData : kExitFailure};
  }
  switch (result->reason) {
    case PLUMB_END_SINK_SIZE: return {};
    case PLUMB_END_OF_DATA:
      return {absl::OutOfRangeError(absl::StrCat("the data ended after ", result->steps, " steps")), kExitData};
    case PLUMB_END_STOPPED: {
      std::string by = guard.limit() == nullptr ? "" : absl::StrCat(" by ", guard.limit());
      if (const int number = InterruptGuard::signal()) by = absl::StrCat(" by ", strsignal(number));
      return {
          absl::CancelledError(absl::StrCat("stopped", by, " after ", result->steps, " steps; the state is intact")),
          kExitStopped};
    }
    default:
      if (session.strike().has_value()) {
        return {absl::FailedPreconditionError(
                    absl::StrCat(session.strike()->Text(), "; the run ends after ", result->steps, " steps")),
                kExitGuard};
      }
      return {absl::FailedPreconditionError(
                  absl::StrCat("a stop rule of the program ended it after ", result->steps, " steps")),
              kExitGuard};
  }
}

/// Finds out before any data is read what could not be written at the end.
absl::Status ProbeOutputs(const Executable& executable, size_t loop, const RunOptions& options, RunGuard& guard,
                          Watcher& watcher) {
  const abi::Loop& description = LoopAt(executable, loop);
  if (!options.save.empty()) PLUMB_RETURN_IF_ERROR(Annotate(NewFile::Probe(options.save), "--save"));
  if (!options.guard.folder.empty() && !Trains(description)) {
    return absl::InvalidArgumentError(
        absl::StrCat("--checkpoint is for loops that train, and '", description.name()->str(), "' does not"));
  }
  PLUMB_RETURN_IF_ERROR(watcher.Prepare());
  return guard.Prepare(description);
}

/// Sets `session` to the state where the run begins, and says what a file lacks.
absl::Status LoadState(Session& session, const RunOptions& options, RunGuard& guard, Console& console) {
  if (options.resume) return guard.Resume(session, options.loading);
  if (options.load.empty()) return absl::OkStatus();
  std::vector<std::string> notes;
  LoadOptions loading = options.loading;
  NameMap names;
  if (!options.names.empty()) {
    PLUMB_ASSIGN_OR_RETURN(names, NameMap::Read(options.names));
    loading.names = &names;
  }
  PLUMB_RETURN_IF_ERROR(session.Load(options.load, loading, &notes));
  for (const std::string& note : notes) console.Note(note);
  return absl::OkStatus();
}

/// Keeps the state, however training ended, unless it is not worth it.
absl::Status SaveState(const Session& session, const RunOptions& options, RunGuard& guard) {
  absl::Status status = guard.Finish(session);
  if (options.save.empty()) return status;
  if (!guard.sane() || session.step_failed()) {
    const char* end = session.step_failed() ? "a step out of range" : "an invalid number";
    status.Update(absl::FailedPreconditionError(
        absl::StrCat("'", options.save, "' was not written: the state after ", end, " is not worth keeping")));
    return status;
  }
  status.Update(session.Save(options.save));
  return status;
}

/// Data that are missing or damaged, not a flag that is wrong.
bool IsDataError(const absl::Status& status) {
  return status.code() == absl::StatusCode::kNotFound || status.code() == absl::StatusCode::kDataLoss;
}

absl::StatusOr<Ending> RunExecutable(std::shared_ptr<const Executable> executable, const RunOptions& options,
                                     const char* tool) {
  Console console(tool, options.log);
  RunGuard guard(options.guard, &console);
  Watcher watcher(options.watcher, &console);
  PLUMB_ASSIGN_OR_RETURN(size_t loop, ChooseLoop(*executable, options.loop));
  PLUMB_RETURN_IF_ERROR(ProbeOutputs(*executable, loop, options, guard, watcher));
  PLUMB_ASSIGN_OR_RETURN(std::unique_ptr<Session> session, Session::Create(std::move(executable), options.session));
  PLUMB_RETURN_IF_ERROR(guard.AddRules(*session, loop));
  PLUMB_RETURN_IF_ERROR(watcher.Start(*session, loop));
  PLUMB_RETURN_IF_ERROR(LoadState(*session, options, guard, console));
  const bool trains = Trains(LoopAt(session->executable(), loop));
  PipelineOptions data;
  data.cache = options.cache;
  PLUMB_RETURN_IF_ERROR(CheckDataNames(*session, options.data));
  const absl::Status bound = BindLoopData(*session, loop, options.data, trains ? -1 : 1, data);
  if (IsDataError(bound)) return Ending{bound, kExitData};
  PLUMB_RETURN_IF_ERROR(bound);
  InterruptGuard interrupts(session.get());
  const Clock::time_point begin = Clock::now();
  console.Debug(absl::StrCat("the first launch begins; ", session->threads(), " thread(s) run a step"));
  auto result = CatchExceptions([&] {
    return trains ? RunTraining(*session, loop, options, guard, console) : RunEvaluation(*session, loop, options);
  });
  watcher.Finish();
  if (options.time || options.json) PrintWaits(*session, loop, Clock::now() - begin, options.json);
  Ending ending = Judge(result, *session, guard);
  const absl::Status saved = SaveState(*session, options, guard);
  if (!saved.ok() && ending.status.ok()) return saved;
  if (!saved.ok()) Fail(tool, saved);
  return ending;
}

/// What was printed may still wait in a buffer; a full disk is noticed only now.
absl::Status FlushOutput() {
  if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return absl::OkStatus();
  return absl::UnavailableError("not everything could be written to the standard output");
}

int RunUnguarded(int argc, const char* const* argv, const TrainingTool& tool) {
  const char* name = tool.name.c_str();
  std::vector<FlagSpec> flags = RunFlags();
  flags.insert(flags.end(), tool.flags.begin(), tool.flags.end());
  auto arguments = Arguments::Parse(argc, argv, flags);
  if (!arguments.ok()) return FailUsage(name, arguments.status());
  const std::string help = RunUsage(tool.takes_file ? absl::StrCat(tool.name, " FILE.plumb") : tool.name, tool.help);
  if (AnswerCommon(*arguments, name, help.c_str())) return kExitOk;
  if (arguments->operands().size() != (tool.takes_file ? 1 : 0)) {
    return FailUsage(name, absl::InvalidArgumentError(tool.takes_file ? "one executable is wanted"
                                                                      : "this program takes flags only"));
  }
  auto options = ReadRunOptions(*arguments);
  if (!options.ok()) return FailUsage(name, options.status());
  auto executable = tool.load(*arguments);
  if (!executable.ok()) return Fail(name, executable.status());
  auto ending = RunExecutable(std::move(executable).value(), *options, name);
  if (!ending.ok()) return Fail(name, ending.status());
  const absl::Status printed = FlushOutput();
  if (!ending->status.ok()) Fail(name, ending->status);
  if (!printed.ok()) Fail(name, printed);
  return ending->code != kExitOk ? ending->code : printed.ok() ? kExitOk : kExitFailure;
}

}  // namespace

/// Where the system has no memory or no thread to give, that is the message.
int RunTrainingTool(int argc, const char* const* argv, const TrainingTool& tool) {
  IgnoreWriteSignals();
  try {
    return RunUnguarded(argc, argv, tool);
  } catch (...) {
    return Fail(tool.name.c_str(), StatusOfException());
  }
}

int RunLinkedMain(int argc, const char* const* argv, const char* tool, plumb_executable_query_fn query,
                  absl::Span<const uint8_t> manifest) {
  TrainingTool program;
  program.name = tool;
  program.load = [&](const Arguments&) { return Executable::FromLinked(query, manifest); };
  return RunTrainingTool(argc, argv, program);
}

}  // namespace plumb
