// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/tools/run.h"

#include <chrono>
#include <csignal>
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
#include "runtime/tools/loops.h"
#include "runtime/tools/reporter.h"

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
  --save=FILE        writes the state to this safetensors file at the end, also after Ctrl-C
  --reports=FORM     text: the lines of LossMonitor (default); json: one object for each step and each epoch
  --time             with text: the lines of TimeMonitor too, and how long the device waited for data
  --loop=NAME        the loop to run (default: the one that trains, else the first)
  --threads=N        threads that run a step (default: PLUMB_THREADS, else 1); results are the same
  --timeout=SECONDS  limit of a wait for data; 0: none (default: 600)
  --help, --version

Ctrl-C ends the run at the next step with its state intact. Exit codes: 0 done, 1 failed or stopped, 2 wrong usage.
)";

const std::vector<FlagSpec>& Flags() {
  static const std::vector<FlagSpec> flags = {
      {"--epochs", true}, {"--sink-size", true}, {"--no-sink", false}, {"--data", true},    {"--seed", true},
      {"--cache", false}, {"--load", true},   {"--save", true},      {"--reports", true},  {"--time", false},   {"--loop", true},
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
  LoadOptions loading;
  SessionOptions session;
};

absl::StatusOr<RunOptions> ReadOptions(const Arguments& arguments) {
  RunOptions options;
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
  options.sink = !arguments.Has("--no-sink");
  options.time = arguments.Has("--time");
  options.cache = arguments.Has("--cache");
  options.data = arguments.All("--data");
  options.load = arguments.Get("--load", "");
  options.save = arguments.Get("--save", "");
  options.loop = arguments.Get("--loop", "");
  return options;
}

// The session that Ctrl-C stops. A second Ctrl-C ends the program as usual.
std::atomic<Session*> interrupted_session{nullptr};

void OnInterrupt(int) {
  if (Session* session = interrupted_session.load()) session->RequestStop();
}

/// Catches Ctrl-C while it lives.
class InterruptGuard {
 public:
  explicit InterruptGuard(Session* session) {
    interrupted_session = session;
    struct sigaction action;
    std::memset(&action, 0, sizeof(action));
    action.sa_handler = OnInterrupt;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
  }
  ~InterruptGuard() {
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
    interrupted_session = nullptr;
  }
};

absl::StatusOr<TrainingResult> RunTraining(Session& session, size_t loop, const RunOptions& options) {
  const abi::Loop& description = LoopAt(session.executable(), loop);
  TrainerOptions trainer;
  trainer.loop = loop;
  trainer.epochs = options.epochs >= 0 ? options.epochs : description.epochs();
  trainer.sink_size = options.sink_size != 0 ? options.sink_size : description.sink_size();
  trainer.sink = options.sink;
  Reporter reporter(description, options.json);
  LossMonitor loss(reporter.lines());
  TimeMonitor time(reporter.lines());
  std::vector<Callback*> callbacks;
  if (options.json) {
    callbacks = {&reporter};
  } else {
    callbacks = {&loss};
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

/// What ended the run, as an error unless all steps were made.
absl::Status Judge(const TrainingResult& result) {
  switch (result.reason) {
    case PLUMB_END_SINK_SIZE:
      return absl::OkStatus();
    case PLUMB_END_OF_DATA:
      return absl::OutOfRangeError(absl::StrCat("the data ended after ", result.steps, " steps"));
    case PLUMB_END_STOPPED:
      return absl::CancelledError(absl::StrCat("stopped after ", result.steps, " steps; the state is intact"));
    default:
      return absl::FailedPreconditionError(
          absl::StrCat("a stop rule of the program ended it after ", result.steps, " steps"));
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

/// Sets `session` to the state in the file of --load, and says what the file lacks.
absl::Status LoadState(Session& session, const RunOptions& options, const char* tool) {
  if (options.load.empty()) return absl::OkStatus();
  std::vector<std::string> notes;
  PLUMB_RETURN_IF_ERROR(session.Load(options.load, options.loading, &notes));
  for (const std::string& note : notes) std::fprintf(stderr, "%s: note: %s\n", tool, note.c_str());
  return absl::OkStatus();
}

absl::Status RunExecutable(std::shared_ptr<const Executable> executable, const RunOptions& options, const char* tool) {
  if (!options.save.empty()) PLUMB_RETURN_IF_ERROR(Annotate(NewFile::Probe(options.save), "--save"));
  PLUMB_ASSIGN_OR_RETURN(size_t loop, ChooseLoop(*executable, options.loop));
  PLUMB_ASSIGN_OR_RETURN(std::unique_ptr<Session> session, Session::Create(std::move(executable), options.session));
  PLUMB_RETURN_IF_ERROR(LoadState(*session, options, tool));
  const bool trains = Trains(LoopAt(session->executable(), loop));
  PipelineOptions data;
  data.cache = options.cache;
  PLUMB_RETURN_IF_ERROR(BindLoopData(*session, loop, options.data, trains ? -1 : 1, data));
  InterruptGuard guard(session.get());
  const Clock::time_point begin = Clock::now();
  auto result = trains ? RunTraining(*session, loop, options) : RunEvaluation(*session, loop, options);
  PLUMB_RETURN_IF_ERROR(result.status());
  if (options.time || options.json) PrintDataWait(*session, Clock::now() - begin, options.json);
  if (!options.save.empty()) PLUMB_RETURN_IF_ERROR(session->Save(options.save));
  return Judge(*result);
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
  absl::Status status = RunExecutable(std::move(executable).value(), *options, tool);
  return status.ok() ? kExitOk : Fail(tool, status);
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
