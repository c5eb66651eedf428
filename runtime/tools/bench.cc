// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/tools/bench.h"

#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>

#include "absl/strings/numbers.h"
#include "absl/strings/str_format.h"
#include "runtime/base/element_type.h"
#include "runtime/base/json.h"
#include "runtime/base/status.h"
#include "runtime/session/session.h"
#include "runtime/tools/arguments.h"
#include "runtime/tools/empty_loop.h"
#include "runtime/tools/fma_peak.h"
#include "runtime/tools/kernel_profile.h"
#include "runtime/tools/loops.h"
#include "runtime/tools/sampler.h"

namespace plumb {
namespace {

constexpr char kTool[] = "plumb-bench";
constexpr char kHelp[] = R"(Usage: plumb-bench FILE.plumb [flags]
Runs steps of an executable and says how fast they were and what they cost.

  --steps=N          steps to measure, after one launch of one step to begin with (default: 1000)
  --sink-size=K      steps of one launch (default: all in one)
  --resident         prepares the queue's batches once and feeds them from memory for ever: compute alone
  --cache            keeps prepared rows in memory, so that later epochs only gather them
  --data=NAME=DIR    folder for the data of queue NAME, or --data=DIR (default: the program's own)
  --seed=S           of initial values and shuffles (default: the program's own)
  --loop=NAME        the loop to run (default: the one that trains, else the first)
  --kernels          a table of the step's kernels: times, GFLOP/s, bytes; for files of plumbc --symbols
  --threads=N        threads that run a step (default: PLUMB_THREADS, else one per core)
  --json             one JSON object instead of text
  --help, --version

It says: steps and images (rows of a batch) a second; launches; interactions of host and device (launches, waits for
data, waits for room in the report ring); which part of the time the device waited for data; the time of an iteration without compute (a hand-written loop with the same
protocol on resident data); peak resident memory; size of the file; time from the start of the process to the end of
the first step. Exit codes: 0 measured, 1 failed, 2 wrong usage.
)";

using Clock = std::chrono::steady_clock;

double Seconds(Clock::duration duration) { return std::chrono::duration<double>(duration).count(); }

struct BenchOptions {
  int64_t steps = 1000;
  int64_t sink_size = 1000;
  bool resident = false;
  bool cache = false;
  std::vector<std::string> data;
  std::string loop;
  SessionOptions session;
};

struct Measurement {
  double seconds = 0;
  double processor_seconds = 0;
  int64_t steps = 0;
  int64_t batch_rows = 0;
  uint32_t threads = 0;
  uint64_t launches = 0;
  uint64_t interactions = 0;
  double data_wait_seconds = 0;
  double ns_per_empty_iteration = 0;
  uint64_t peak_rss_bytes = 0;
  uint64_t binary_bytes = 0;
  double start_to_first_step_ms = 0;
};

/// Processor time that all threads of the process have spent; before main, about the time since its start. Unlike a
/// clock on the wall it does not count what other processes take of a shared machine.
Clock::duration ProcessorTime() {
  timespec used = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

uint64_t PeakResidentBytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    uint64_t kibibytes = 0;
    if (word == "VmHWM:" && status >> kibibytes) return kibibytes * 1024;
  }
  return 0;
}

/// Rows of a batch: the first dimension of the first column.
int64_t BatchRows(const Executable& executable, const abi::Loop& loop) {
  if (loop.queue() < 0) return 0;
  const abi::Queue& queue = *executable.manifest().queues()->Get(static_cast<flatbuffers::uoffset_t>(loop.queue()));
  absl::Span<const int64_t> shape = ShapeOf(*queue.columns()->Get(0)->type());
  return shape.empty() ? 1 : shape[0];
}

/// Runs `steps` steps in launches of `sink_size`; the number that ran.
absl::StatusOr<int64_t> RunSteps(Session& session, size_t loop, int64_t steps, int64_t sink_size) {
  int64_t done = 0;
  while (done < steps) {
    PLUMB_ASSIGN_OR_RETURN(LaunchResult launch,
                           session.Launch(loop, std::min(sink_size, steps - done), RecordHandler()));
    done += static_cast<int64_t>(launch.steps);
    if (launch.reason != PLUMB_END_SINK_SIZE) break;
  }
  return done;
}

absl::StatusOr<double> MeasureEmptyIteration() {
  constexpr int64_t kSteps = 1000000;
  PLUMB_ASSIGN_OR_RETURN(auto executable, MakeEmptyExecutable());
  PLUMB_ASSIGN_OR_RETURN(auto session, Session::Create(std::move(executable), SessionOptions()));
  PLUMB_ASSIGN_OR_RETURN(Feed * feed, session->FindFeed("data"));
  const float value = 0;
  const auto bytes = absl::MakeConstSpan(reinterpret_cast<const uint8_t*>(&value), sizeof(value));
  for (uint64_t i = 0; i < feed->queue().abi()->depth; ++i) {
    PLUMB_RETURN_IF_ERROR(feed->Push({bytes}, std::chrono::nanoseconds(0)));
  }
  PLUMB_RETURN_IF_ERROR(feed->queue().MakeResident());
  const Clock::time_point begin = Clock::now();
  PLUMB_RETURN_IF_ERROR(session->Launch(0, kSteps, RecordHandler()).status());
  return Seconds(Clock::now() - begin) * 1e9 / kSteps;
}

/// Resident data are the first rows of the files, just as many as fill the queue.
absl::Status BindData(Session& session, size_t loop, const BenchOptions& options) {
  const Executable& executable = session.executable();
  const std::string queue = QueueName(executable, LoopAt(executable, loop));
  PipelineOptions data;
  data.cache = options.cache;
  if (!options.resident || queue.empty()) return BindLoopData(session, loop, options.data, /*passes=*/-1, data);
  PLUMB_ASSIGN_OR_RETURN(Feed * feed, session.FindFeed(queue));
  const auto rows = static_cast<uint64_t>(std::max<int64_t>(BatchRows(executable, LoopAt(executable, loop)), 1));
  data.max_rows = rows * feed->queue().abi()->depth;
  PLUMB_RETURN_IF_ERROR(BindLoopData(session, loop, options.data, /*passes=*/-1, data));
  return feed->MakeResident();
}

absl::StatusOr<Measurement> Measure(const std::string& path, const BenchOptions& options, Clock::time_point start) {
  PLUMB_ASSIGN_OR_RETURN(auto executable, Executable::Load(path));
  PLUMB_ASSIGN_OR_RETURN(size_t loop, ChooseLoop(*executable, options.loop));
  PLUMB_ASSIGN_OR_RETURN(auto session, Session::Create(executable, options.session));
  PLUMB_RETURN_IF_ERROR(BindData(*session, loop, options));
  Measurement measured;
  PLUMB_RETURN_IF_ERROR(RunSteps(*session, loop, 1, 1).status());
  measured.start_to_first_step_ms = Seconds(Clock::now() - start) * 1e3;
  const uint64_t launches = session->launches();
  const uint64_t interactions = session->interactions();
  const std::chrono::nanoseconds data_wait = session->data_wait();
  const Clock::duration spent = ProcessorTime();
  const Clock::time_point begin = Clock::now();
  PLUMB_ASSIGN_OR_RETURN(measured.steps, RunSteps(*session, loop, options.steps, options.sink_size));
  measured.seconds = Seconds(Clock::now() - begin);
  measured.processor_seconds = Seconds(ProcessorTime() - spent);
  measured.data_wait_seconds = Seconds(session->data_wait() - data_wait);
  measured.launches = session->launches() - launches;
  measured.interactions = session->interactions() - interactions;
  measured.batch_rows = BatchRows(*executable, LoopAt(*executable, loop));
  measured.threads = session->threads();
  measured.peak_rss_bytes = PeakResidentBytes();
  measured.binary_bytes = executable->file_bytes();
  PLUMB_ASSIGN_OR_RETURN(measured.ns_per_empty_iteration, MeasureEmptyIteration());
  return measured;
}

/// The FMA peak for the longest vectors that the executable's code may use, at the clock of work that is fed from the
/// cache.
double PeakFor(const Executable& executable) {
  int bits = 128;
  if (executable.manifest().cpu_features() == nullptr) return 0;
  for (const flatbuffers::String* feature : *executable.manifest().cpu_features()) {
    if (feature->str() == "avx512f") bits = 512;
    if (feature->str() == "fma") bits = std::max(bits, 256);
  }
  return MeasureFmaPeak(std::min(bits, FmaVectorBits()), /*runs=*/10).fed;
}

/// Runs the steps twice: for the time of a step, then with samples taken, which cost some. Kernels with timers need no
/// samples.
absl::StatusOr<StepProfile> MeasureKernels(const std::string& path, const BenchOptions& options) {
  constexpr std::chrono::microseconds kPeriod(200);
  PLUMB_ASSIGN_OR_RETURN(auto executable, Executable::Load(path));
  PLUMB_ASSIGN_OR_RETURN(size_t loop, ChooseLoop(*executable, options.loop));
  StepProfile profile;
  PLUMB_ASSIGN_OR_RETURN(profile.kernels, ReadKernels(path, LoopAt(*executable, loop).name()->str()));
  PLUMB_ASSIGN_OR_RETURN(auto session, Session::Create(executable, options.session));
  PLUMB_RETURN_IF_ERROR(BindData(*session, loop, options));
  profile.peak_gflops = PeakFor(*executable);
  const auto base = reinterpret_cast<uintptr_t>(executable->load_address());
  PLUMB_RETURN_IF_ERROR(RunSteps(*session, loop, 1, 1).status());
  ClearTimers(base, profile.kernels);
  const Clock::duration spent = ProcessorTime();
  const Clock::time_point begin = Clock::now();
  const uint64_t ticks = ReadTickCounter();
  PLUMB_ASSIGN_OR_RETURN(int64_t steps, RunSteps(*session, loop, options.steps, options.sink_size));
  const double microseconds = Seconds(Clock::now() - begin) * 1e6;
  profile.step_microseconds = microseconds / static_cast<double>(std::max<int64_t>(steps, 1));
  profile.step_processor_microseconds =
      Seconds(ProcessorTime() - spent) * 1e6 / static_cast<double>(std::max<int64_t>(steps, 1));
  const double per_tick = microseconds / static_cast<double>(std::max<uint64_t>(ReadTickCounter() - ticks, 1));
  if (SetTimesFromTimers(base, steps, per_tick, profile.kernels)) return profile;
  Sampler sampler(kPeriod);
  const auto threads = static_cast<double>(sampler.threads());
  PLUMB_RETURN_IF_ERROR(RunSteps(*session, loop, options.steps, options.sink_size).status());
  std::vector<uint64_t> samples = sampler.Stop();
  for (uint64_t& address : samples) address -= base;
  const double all = std::max<double>(static_cast<double>(samples.size()), 1);
  SetTimes(samples, profile.step_microseconds * threads / all, profile.kernels);
  return profile;
}

double Rate(double count, double seconds) { return seconds > 0 ? count / seconds : 0; }

std::string ToJson(const Measurement& m, const BenchOptions& options) {
  const double steps = static_cast<double>(m.steps);
  JsonWriter json;
  json.BeginObject().Key("steps").Int(m.steps).Key("sink_size").Int(options.sink_size);
  json.Key("resident").Bool(options.resident).Key("threads").UInt(m.threads).Key("seconds").Double(m.seconds);
  json.Key("processor_seconds").Double(m.processor_seconds);
  json.Key("steps_per_second").Double(Rate(steps, m.seconds));
  json.Key("images_per_second").Double(Rate(steps * static_cast<double>(m.batch_rows), m.seconds));
  json.Key("launches").UInt(m.launches).Key("host_device_interactions").UInt(m.interactions);
  json.Key("data_wait_seconds").Double(m.data_wait_seconds);
  json.Key("data_wait_share").Double(Rate(m.data_wait_seconds, m.seconds));
  json.Key("ns_per_empty_iteration").Double(m.ns_per_empty_iteration);
  json.Key("peak_rss_bytes").UInt(m.peak_rss_bytes).Key("binary_bytes").UInt(m.binary_bytes);
  json.Key("start_to_first_step_ms").Double(m.start_to_first_step_ms);
  return json.EndObject().text();
}

std::string ToText(const Measurement& m) {
  const double steps = static_cast<double>(m.steps);
  return absl::StrFormat(
      "%d steps in %.3f s on %d threads: %.1f steps/s, %.1f images/s\n%d launches, %d host-device interactions, %.2f "
      "%% of the time waiting for data\n"
      "%.1f ns for an iteration without compute\n%.1f MiB peak resident memory, file of %.1f KiB\n"
      "%.1f ms from start to first step",
      m.steps, m.seconds, m.threads, Rate(steps, m.seconds), Rate(steps * static_cast<double>(m.batch_rows), m.seconds),
      m.launches, m.interactions, 100 * Rate(m.data_wait_seconds, m.seconds), m.ns_per_empty_iteration,
      static_cast<double>(m.peak_rss_bytes) / (1 << 20), static_cast<double>(m.binary_bytes) / 1024,
      m.start_to_first_step_ms);
}

absl::StatusOr<BenchOptions> ReadOptions(const Arguments& arguments) {
  BenchOptions options;
  PLUMB_ASSIGN_OR_RETURN(options.steps, arguments.GetInt("--steps", options.steps));
  if (options.steps < 1) return absl::InvalidArgumentError("--steps must be positive");
  PLUMB_ASSIGN_OR_RETURN(options.sink_size, arguments.GetInt("--sink-size", options.steps));
  if (options.sink_size < 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("The 'sink_size' must be positive here, but got sink_size ", options.sink_size, "."));
  }
  PLUMB_ASSIGN_OR_RETURN(options.session.seed, arguments.GetUInt("--seed", kSeedOfProgram));
  PLUMB_ASSIGN_OR_RETURN(options.session.threads, GetThreads(arguments));
  options.resident = arguments.Has("--resident");
  options.cache = arguments.Has("--cache");
  options.data = arguments.All("--data");
  options.loop = arguments.Get("--loop", "");
  return options;
}

}  // namespace

int BenchMain(int argc, const char* const* argv) {
  const Clock::time_point start = Clock::now() - ProcessorTime();
  // clang-format off
  auto arguments = Arguments::Parse(
      argc, argv,
      {{"--steps", true}, {"--sink-size", true}, {"--resident", false}, {"--cache", false}, {"--data", true},
       {"--seed", true}, {"--loop", true}, {"--kernels", false}, {"--threads", true}, {"--json", false}, {"--help", false},
       {"-h", false}, {"--version", false}});
  // clang-format on
  if (!arguments.ok()) return FailUsage(kTool, arguments.status());
  if (AnswerCommon(*arguments, kTool, kHelp)) return kExitOk;
  if (arguments->operands().size() != 1) {
    return FailUsage(kTool, absl::InvalidArgumentError("one executable is wanted"));
  }
  auto options = ReadOptions(*arguments);
  if (!options.ok()) return FailUsage(kTool, options.status());
  if (arguments->Has("--kernels")) {
    auto profile = MeasureKernels(arguments->operands()[0], *options);
    if (!profile.ok()) return Fail(kTool, profile.status());
    std::puts((arguments->Has("--json") ? ProfileToJson(*profile) : ProfileToText(*profile)).c_str());
    return kExitOk;
  }
  auto measured = Measure(arguments->operands()[0], *options, start);
  if (!measured.ok()) return Fail(kTool, measured.status());
  std::puts((arguments->Has("--json") ? ToJson(*measured, *options) : ToText(*measured)).c_str());
  return kExitOk;
}

}  // namespace plumb
