// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/tools/run.h"

#include <chrono>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/base/json.h"
#include "runtime/base/new_file.h"
#include "runtime/base/status.h"
#include "runtime/callback/trainer.h"
#include "runtime/session/session.h"
#include "runtime/tools/arguments.h"
#include "runtime/tools/interrupt.h"
#include "runtime/tools/loops.h"
#include "runtime/tools/reporter.h"
#include "runtime/tools/run_guard.h"

namespace plumb {
namespace {

using Clock = std::chrono::steady_clock;

constexpr char kUsage[] = R"(Usage: %s [flags]
Trains with an executable that plumbc made. No compiler and no Python take part.

  --epochs=N         epochs to train; an epoch is one launch (default: the program's own number)
  --sink-size=K      steps of an epoch, run by one launch; -1: one pass over the data (default: the program's own)
  --no-sink          the same steps with one launch each
  --data=NAME=DIR    folder for the data of queue NAME, or --data=DIR for the loop's own (default: the program's own)
  --cache            keeps prepared rows in memory: from the second epoch on batches are only gathered. The same batches
  --seed=S           of initial values and shuffles (default: the program's own, or that of the file given to --load)
  --load=FILE        begins with the state in this safetensors file
  --save=FILE        writes the state to this safetensors file at the end, however training ends
  --checkpoint=DIR   writes the state to DIR while training goes on, and at the end
  --every=N|Ns       after N steps, or N seconds (default: 60s); --keep=N: the newest N stay (default: 3)
  --best=[max:]NAME  also keeps DIR/best.safetensors, for the smallest (largest) mean of report NAME over an interval
  --resume           goes on from the newest sound checkpoint in DIR; --epochs counts from the beginning of the run
  --max-time=SECONDS ends the run at the next step after that time
  --reports=FORM     text: the lines of LossMonitor (default); json: one object for each step and each epoch
  --time             with text: the lines of TimeMonitor too, and how long the device waited for data
  --loop=NAME        the loop to run (default: the one that trains, else the first)
  --threads=N        threads that run a step (default: PLUMB_THREADS, else 1); results are the same
  --timeout=SECONDS  limit of a wait for data; 0: none (default: 600)
  --help, --version

Ctrl-C, SIGTERM and SIGHUP end the run at the next step with its state intact, a second one at once. Exit codes: 0 done,
1 failed, 2 wrong usage, 3 stopped by a signal or the time limit, 4 by a rule of the program or a loss that is NaN, 5 by its data.
)";

const std::vector<FlagSpec>& Flags() {
  static const std::vector<FlagSpec> flags = {
      {"--epochs", true}, {"--sink-size", true}, {"--no-sink", false}, {"--data", true},    {"--seed", true},
      {"--cache", false}, {"--load", true},   {"--save", true},      {"--reports", true},  {"--time", false},   {"--loop", true},
      {"--checkpoint", true}, {"--every", true}, {"--keep", true}, {"--best", true}, {"--resume", false}, {"--max-time", true},
      {"--threads", true}, {"--timeout", true}, {"--help", false},    {"-h", false},        {"--version", false}};
  return flags;
}

/// What the command line asks for, before the executable is known.
struct RunOptions {
  int64_t epochs = -1;     // -1: the program's own
  int64_t sink_size = 0;   // 0: the program's own
  bool sink = true;
  bool json = false;
  bool time = false;
  bool cache = false;
  std::vector<std::string> data;
  std::string load, save, loop;
  bool resume = false;
  RunGuardOptions guard;
  LoadOptions loading;
  SessionOptions session;
};

/// The flags of checkpoints and limits.
absl::Status ReadGuardOptions(const Arguments& arguments, RunOptions* options) {
  RunGuardOptions& guard = options->guard;
  guard.folder = arguments.Get("--checkpoint", "");
  options->resume = arguments.Has("--resume");
  for (const char* flag : {"--every", "--keep", "--best", "--resume"}) {
    if (guard.folder.empty() && arguments.Has(flag)) {
      return absl::InvalidArgumentError(absl::StrCat(flag, " needs --checkpoint=DIR"));
    }
  }
  if (options->resume && arguments.Has("--load")) {
    return absl::InvalidArgumentError("--resume and --load both say where to begin; give one of them");
  }
  PLUMB_RETURN_IF_ERROR(ReadInterval(arguments.Get("--every", "60s"), &guard));
  PLUMB_ASSIGN_OR_RETURN(guard.keep, arguments.GetUInt("--keep", guard.keep));
  if (guard.keep == 0) return absl::InvalidArgumentError("--keep must be at least 1");
  if (arguments.Has("--best")) ReadBest(arguments.Get("--best", ""), &guard);
  PLUMB_ASSIGN_OR_RETURN(uint64_t limit, arguments.GetUInt("--max-time", 0));
  if (arguments.Has("--max-time") && limit == 0) return absl::InvalidArgumentError("--max-time must be at least 1");
  guard.max_seconds = static_cast<double>(limit);
  return absl::OkStatus();
}

absl::StatusOr<RunOptions> ReadOptions(const Arguments& arguments) {
  RunOptions options;
  PLUMB_RETURN_IF_ERROR(ReadGuardOptions(arguments, &options));
  PLUMB_ASSIGN_OR_RETURN(uint64_t epochs, arguments.GetUInt("--epochs", 0));
  if (arguments.Has("--epochs")) options.epochs = static_cast<int64_t>(epochs);
  PLUMB_ASSIGN_OR_RETURN(options.sink_size, arguments.GetInt("--sink-size", 0));
  if (arguments.Has("--sink-size") && (options.sink_size == 0 || options.sink_size < -1)) {
    return absl::InvalidArgumentError(
        absl::StrCat("The 'sink_size' must be -1 or positive, but got sink_size ", options.sink_size, "."));
  }
  PLUMB_ASSIGN_OR_RETURN(options.session.seed, arguments.GetUInt("--seed", kSeedOfProgram));
  options.loading.keep_seed = arguments.Has("--seed");
  PLUMB_ASSIGN_OR_RETURN(options.session.threads, GetThreads(arguments));
  PLUMB_ASSIGN_OR_RETURN(uint64_t timeout, arguments.GetUInt("--timeout", 600));
  options.session.wait_limit = std::chrono::seconds(std::min<uint64_t>(timeout, 1000000000));
  const std::string reports = arguments.Get("--reports", "text");
  if (reports != "text" && reports != "json") {
    return absl::InvalidArgumentError(absl::StrCat("--reports is json or text, not '", reports, "'"));
  }
  options.json = reports == "json";
  if (options.json) options.session.print = &Reporter::PrintAsJson;
  options.sink = !arguments.Has("--no-sink");
  options.time = arguments.Has("--time");
  options.cache = arguments.Has("--cache");
  options.data = arguments.All("--data");
  options.load = arguments.Get("--load", "");
  options.save = arguments.Get("--save", "");
  options.loop = arguments.Get("--loop", "");
  return options;
}

absl::StatusOr<TrainingResult> RunTraining(Session& session, size_t loop, const RunOptions& options, RunGuard& guard) {
  const abi::Loop& description = LoopAt(session.executable(), loop);
  TrainerOptions trainer;
  trainer.loop = loop;
  trainer.epochs = options.epochs >= 0 ? options.epochs : description.epochs();
  trainer.sink_size = options.sink_size != 0 ? options.sink_size : description.sink_size();
  trainer.sink = options.sink;
  trainer.boundary = &guard;
  if (options.resume) trainer.steps_done = static_cast<int64_t>(session.total_steps());
  Reporter reporter(description, options.json);
  LossMonitor loss(reporter.lines());
  TimeMonitor time(reporter.lines());
  std::vector<Callback*> callbacks = {&guard};
  if (options.json) {
    callbacks.push_back(&reporter);
  } else {
    callbacks.push_back(&loss);
    if (options.time) callbacks.push_back(&time);
  }
  return Train(session, trainer, callbacks, options.json ? reporter.steps() : StepHandler());
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
    case PLUMB_END_SINK_SIZE:
      return {};
    case PLUMB_END_OF_DATA:
      return {absl::OutOfRangeError(absl::StrCat("the data ended after ", result->steps, " steps")), kExitData};
    case PLUMB_END_STOPPED: {
      std::string by = guard.out_of_time() ? " by --max-time" : "";
      if (const int number = InterruptGuard::signal()) by = absl::StrCat(" by ", strsignal(number));
      return {absl::CancelledError(absl::StrCat("stopped", by, " after ", result->steps, " steps; the state is intact")),
              kExitStopped};
    }
    default:
      return {absl::FailedPreconditionError(
                  absl::StrCat("a stop rule of the program ended it after ", result->steps, " steps")),
              kExitGuard};
  }
}

/// Says which part of `elapsed` the device spent waiting for data.
void PrintDataWait(const Session& session, Clock::duration elapsed, bool json) {
  const double seconds = std::chrono::duration<double>(elapsed).count();
  const double waited = std::chrono::duration<double>(session.data_wait()).count();
  JsonWriter object;
  object.BeginObject().Key("event").String("data_wait").Key("seconds").Double(seconds);
  object.Key("waited_seconds").Double(waited).EndObject();
  std::puts(json ? object.text().c_str()
                 : absl::StrFormat("device waited for data: %.2f %% of %.3f s", seconds > 0 ? 100 * waited / seconds : 0,
                                   seconds)
                       .c_str());
}

/// Finds out before any data is read what could not be written at the end.
absl::Status ProbeOutputs(const Executable& executable, size_t loop, const RunOptions& options, RunGuard& guard) {
  const abi::Loop& description = LoopAt(executable, loop);
  if (!options.save.empty()) PLUMB_RETURN_IF_ERROR(Annotate(NewFile::Probe(options.save), "--save"));
  if (!options.guard.folder.empty() && !Trains(description)) {
    return absl::InvalidArgumentError(
        absl::StrCat("--checkpoint is for loops that train, and '", description.name()->str(), "' does not"));
  }
  return guard.Prepare(description);
}

/// Sets `session` to the state where the run begins, and says what a file lacks.
absl::Status LoadState(Session& session, const RunOptions& options, RunGuard& guard, const char* tool) {
  if (options.resume) return guard.Resume(session, options.loading);
  if (options.load.empty()) return absl::OkStatus();
  std::vector<std::string> notes;
  PLUMB_RETURN_IF_ERROR(session.Load(options.load, options.loading, &notes));
  for (const std::string& note : notes) std::fprintf(stderr, "%s: note: %s\n", tool, note.c_str());
  return absl::OkStatus();
}

/// Keeps the state, however training ended, unless it is not worth it.
absl::Status SaveState(const Session& session, const RunOptions& options, RunGuard& guard) {
  absl::Status status = guard.Finish(session);
  if (options.save.empty()) return status;
  if (!guard.sane() || session.step_failed()) {
    const char* end = guard.sane() ? "a step out of range" : "an invalid loss";
    status.Update(absl::FailedPreconditionError(
        absl::StrCat("'", options.save, "' was not written: the state after ", end, " is not worth keeping")));
    return status;
  }
  status.Update(session.Save(options.save));
  return status;
}

absl::StatusOr<Ending> RunExecutable(std::shared_ptr<const Executable> executable, const RunOptions& options,
                                     const char* tool) {
  RunGuard guard(options.guard, tool);
  PLUMB_ASSIGN_OR_RETURN(size_t loop, ChooseLoop(*executable, options.loop));
  PLUMB_RETURN_IF_ERROR(ProbeOutputs(*executable, loop, options, guard));
  PLUMB_ASSIGN_OR_RETURN(std::unique_ptr<Session> session, Session::Create(std::move(executable), options.session));
  PLUMB_RETURN_IF_ERROR(LoadState(*session, options, guard, tool));
  const bool trains = Trains(LoopAt(session->executable(), loop));
  PipelineOptions data;
  data.cache = options.cache;
  PLUMB_RETURN_IF_ERROR(BindLoopData(*session, loop, options.data, trains ? -1 : 1, data));
  InterruptGuard interrupts(session.get());
  const Clock::time_point begin = Clock::now();
  auto result = trains ? RunTraining(*session, loop, options, guard) : RunEvaluation(*session, loop, options);
  if (result.ok() && (options.time || options.json)) PrintDataWait(*session, Clock::now() - begin, options.json);
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

using Loader = std::function<absl::StatusOr<std::shared_ptr<const Executable>>(const std::string& operand)>;

int RunTool(int argc, const char* const* argv, const char* tool, bool takes_operand, const Loader& load) {
  auto arguments = Arguments::Parse(argc, argv, Flags());
  if (!arguments.ok()) return FailUsage(tool, arguments.status());
  const std::string help = absl::StrFormat(absl::ParsedFormat<'s'>(kUsage),
                                           takes_operand ? absl::StrCat(tool, " FILE.plumb") : std::string(tool));
  if (AnswerCommon(*arguments, tool, help.c_str())) return kExitOk;
  if (arguments->operands().size() != (takes_operand ? 1 : 0)) {
    return FailUsage(tool, absl::InvalidArgumentError(takes_operand ? "one executable is wanted"
                                                                    : "this program takes flags only"));
  }
  auto options = ReadOptions(*arguments);
  if (!options.ok()) return FailUsage(tool, options.status());
  auto executable = load(takes_operand ? arguments->operands()[0] : std::string());
  if (!executable.ok()) return Fail(tool, executable.status());
  auto ending = RunExecutable(std::move(executable).value(), *options, tool);
  if (!ending.ok()) return Fail(tool, ending.status());
  const absl::Status printed = FlushOutput();
  if (!ending->status.ok()) Fail(tool, ending->status);
  if (!printed.ok()) Fail(tool, printed);
  return ending->code != kExitOk ? ending->code : printed.ok() ? kExitOk : kExitFailure;
}

}  // namespace

int RunMain(int argc, const char* const* argv) {
  return RunTool(argc, argv, "plumb-run", /*takes_operand=*/true,
                 [](const std::string& path) { return Executable::Load(path); });
}

int RunLinkedMain(int argc, const char* const* argv, const char* tool, plumb_executable_query_fn query,
                  absl::Span<const uint8_t> manifest) {
  return RunTool(argc, argv, tool, /*takes_operand=*/false,
                 [&](const std::string&) { return Executable::FromLinked(query, manifest); });
}

}  // namespace plumb
