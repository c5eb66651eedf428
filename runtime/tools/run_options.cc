// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/tools/run_options.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_format.h"
#include "runtime/base/status.h"
#include "runtime/tools/loops.h"
#include "runtime/tools/reporter.h"

namespace plumb {
namespace {

constexpr char kUsage[] = R"(Usage: %s [flags]
Trains with an executable that plumbc made. No compiler and no Python take part.

  --epochs=N, --sink-size=K  epochs, and steps of one, run by one launch; -1: a pass over the data (default: the program's)
  --no-sink          the same steps with one launch each;  --loop=NAME: the loop to run (default: the one that trains)
  --data=NAME=DIR    folder for the data of queue NAME, or --data=DIR for the loop's own (default: the program's own)
  --cache            keeps prepared rows in memory: from the second epoch on batches are only gathered. The same batches
  --seed=S           of initial values and shuffles (default: the program's own, or that of the file given to --load)
  --load=FILE        begins with the state in this safetensors file; --names=MAP: what its tensors are called here
  --save=FILE        writes the state to this safetensors file at the end, however training ends
  --checkpoint=DIR   writes the state to DIR while training goes on, and at the end
  --every=N|Ns       after N steps, or N seconds (default: 60s); --keep=N: the newest N stay (default: 3)
  --best=[max:]NAME  also keeps DIR/best.safetensors, for the smallest (largest) mean of report NAME over an interval
  --resume           goes on from the newest sound checkpoint in DIR; --epochs counts from the beginning of the run
  --max-time=SECONDS, --max-steps=N   end the run at the next step after that time, after so many steps of the run
  --guard=RULE       ends the run right after the step that breaks RULE: finite:NAME (report or variable), NAME<X, NAME>X,
                     each perhaps with ,every=N; several may be given. finite:loss is always on
  --watch=NAME       says how the numbers of a report or variable lie (`*` in NAME: any characters) every 100 steps, or ,every=N;
                     with --watch-to=DIR in files for TensorBoard; values:NAME writes all of them there
  --reports=FORM     text: the lines of LossMonitor (default); json: one object for each step and each epoch
  --time             with text: the lines of TimeMonitor too, and how data queue and device waited for each other
  --progress=WHEN    a bar on the standard error: auto (default: on a terminal, with text), always, never
  --log=LEVEL        messages to print: error, warning, note (default), debug
  --threads=N        threads that run a step (default: PLUMB_THREADS, else one per core); results are the same
  --timeout=SECONDS  limit of a wait for data; 0: none (default: 600)
%s  --help, --version

Ctrl-C, SIGTERM and SIGHUP end the run at the next step with its state intact, a second one at once. Exit codes: 0 done, 1 failed,
2 wrong usage, 3 stopped by a signal or a limit, 4 by a rule, a guard or a loss that is NaN, 5 by its data.
)";

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
  PLUMB_ASSIGN_OR_RETURN(uint64_t steps, arguments.GetUInt("--max-steps", 0));
  if (arguments.Has("--max-steps") && steps == 0) return absl::InvalidArgumentError("--max-steps must be at least 1");
  guard.max_steps = static_cast<int64_t>(std::min<uint64_t>(steps, INT64_MAX));
  for (const std::string& text : arguments.All("--guard")) {
    auto rule = ParseGuardRule(text);
    if (!rule.ok()) return Annotate(rule.status(), "--guard");
    guard.rules.push_back(std::move(rule).value());
  }
  return absl::OkStatus();
}

/// The flags about values that are looked at; after those about output.
absl::Status ReadWatchOptions(const Arguments& arguments, RunOptions* options) {
  WatcherOptions& watcher = options->watcher;
  watcher.json = options->json;
  watcher.folder = arguments.Get("--watch-to", "");
  for (const std::string& text : arguments.All("--watch")) {
    auto rule = ReadWatch(text);
    if (!rule.ok()) return Annotate(rule.status(), "--watch");
    if (rule->takes_values && watcher.folder.empty()) {
      return absl::InvalidArgumentError(absl::StrCat("--watch=", text, " needs --watch-to=DIR, for the files"));
    }
    watcher.rules.push_back(std::move(rule).value());
  }
  if (!watcher.folder.empty() && watcher.rules.empty())
    return absl::InvalidArgumentError("--watch-to needs --watch=NAME");
  return absl::OkStatus();
}

/// The flags about what is said, and where.
absl::Status ReadOutputOptions(const Arguments& arguments, RunOptions* options) {
  const std::string reports = arguments.Get("--reports", "text");
  if (reports != "text" && reports != "json") {
    return absl::InvalidArgumentError(absl::StrCat("--reports is json or text, not '", reports, "'"));
  }
  options->json = reports == "json";
  if (options->json) options->session.print = &Reporter::PrintAsJson;
  options->time = arguments.Has("--time");
  const std::string progress = arguments.Get("--progress", "auto");
  if (progress != "auto" && progress != "always" && progress != "never") {
    return absl::InvalidArgumentError(absl::StrCat("--progress is auto, always or never, not '", progress, "'"));
  }
  options->progress = progress == "always" || (progress == "auto" && !options->json && Console::HasTerminal());
  PLUMB_ASSIGN_OR_RETURN(options->log, ParseLogLevel(arguments.Get("--log", "note")));
  return absl::OkStatus();
}

}  // namespace

const std::vector<FlagSpec>& RunFlags() {
  static const std::vector<FlagSpec> flags = {
      {"--epochs", true},  {"--sink-size", true}, {"--no-sink", false},   {"--data", true},      {"--seed", true},
      {"--cache", false},  {"--load", true},      {"--names", true},      {"--save", true},      {"--reports", true},
      {"--time", false},   {"--loop", true},      {"--checkpoint", true}, {"--every", true},     {"--keep", true},
      {"--best", true},    {"--resume", false},   {"--max-time", true},   {"--max-steps", true}, {"--guard", true},
      {"--watch", true},   {"--watch-to", true},  {"--progress", true},   {"--log", true},       {"--threads", true},
      {"--timeout", true}, {"--help", false},     {"-h", false},          {"--version", false}};
  return flags;
}

std::string RunUsage(const std::string& tool, const std::string& more) {
  return absl::StrFormat(absl::ParsedFormat<'s', 's'>(kUsage), tool, more);
}

absl::StatusOr<RunOptions> ReadRunOptions(const Arguments& arguments) {
  RunOptions options;
  PLUMB_RETURN_IF_ERROR(ReadGuardOptions(arguments, &options));
  PLUMB_RETURN_IF_ERROR(ReadOutputOptions(arguments, &options));
  PLUMB_RETURN_IF_ERROR(ReadWatchOptions(arguments, &options));
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
  options.sink = !arguments.Has("--no-sink");
  options.cache = arguments.Has("--cache");
  options.data = arguments.All("--data");
  options.load = arguments.Get("--load", "");
  options.names = arguments.Get("--names", "");
  if (!options.names.empty() && options.load.empty()) return absl::InvalidArgumentError("--names needs --load=FILE");
  options.save = arguments.Get("--save", "");
  options.loop = arguments.Get("--loop", "");
  return options;
}

}  // namespace plumb
