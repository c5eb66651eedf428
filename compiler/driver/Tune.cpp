// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/driver/Tune.h"

#include "compiler/codegen/common/PlanFile.h"
#include "compiler/driver/KernelTimes.h"
#include "compiler/driver/OutputFile.h"
#include "compiler/emit/Tools.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <vector>

using namespace plumb;

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

/// The share of expected cycles that the kernels which take part have together, and how many take part at most.
static constexpr double kHeavyShare = 0.97;
static constexpr size_t kMaxKernels = 40;
/// The parts of the time after which no further variant is compiled, and after which the best plans are confirmed.
static constexpr double kCompileShare = 0.4, kSearchShare = 0.75;
/// Rounds that a median needs.
static constexpr unsigned kMinRounds = 3;
/// Seconds of steps in one run.
static constexpr double kRunSeconds = 0.2;
/// The ratio from which on a plan is faster than another one.
static constexpr double kFaster = 1.01;

namespace {

/// A plan of a kernel's heaviest operation.
struct Candidate {
  std::string plan;
  double cycles = 0;
  bool sameSums = true;
};

/// A kernel, its plans (the model's first), and the one that was found to be the best.
struct Kernel {
  std::string name, source, target, key;
  unsigned operation = 0;
  double runs = 0;
  std::vector<Candidate> plans;
  size_t best = 0;
  /// The model's time, and its ratio to that of the best plan.
  double ticks = 0, ratio = 1;

  double getCycles() const { return runs * plans[0].cycles; }
};

/// An executable, and the times of its runs, round by round.
struct Executable {
  Executable() : file("plumb") {}

  ScratchFile file;
  std::vector<KernelTimes> rounds;
};

class Tuner {
public:
  Tuner(double seconds, KernelBench bench, CompileVariant compile)
      : seconds(seconds), bench(std::move(bench)), compile(compile) {}

  Error run();
  Error keep(StringRef plansFile);
  std::string describe(StringRef plansFile);

private:
  using Clock = std::chrono::steady_clock;
  using Choose = llvm::function_ref<size_t(const Kernel &)>;

  /// The part of the time that is over.
  double getShare() const { return std::chrono::duration<double>(Clock::now() - start).count() / seconds; }
  Expected<std::unique_ptr<Executable>> build(StringRef plansFile, StringRef candidatesFile);
  Expected<std::unique_ptr<Executable>> buildWith(Choose choose);
  Error readCandidates(StringRef text);
  void chooseHeaviest();
  Error chooseSteps();
  Error runRounds(llvm::ArrayRef<std::unique_ptr<Executable>> executables, double until);
  double getRatio(const Executable &other, const Kernel &kernel) const;
  Error search();
  Error confirm();

  double seconds;
  KernelBench bench;
  CompileVariant compile;
  Clock::time_point start = Clock::now();
  int64_t steps = 1;
  unsigned rounds = 0;
  size_t variants = 1;
  double share = 0;
  std::vector<Kernel> kernels;
  /// The program with the model's plans.
  std::unique_ptr<Executable> model;
};

} // namespace

static Error makeError(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

static double getMedian(std::vector<double> values) {
  if (values.empty())
    return 0;
  auto middle = values.begin() + values.size() / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Compiles a variant into a file. The error has no text where the compiler has reported it.
Expected<std::unique_ptr<Executable>> Tuner::build(StringRef plansFile, StringRef candidatesFile) {
  llvm::SmallVector<char, 0> data;
  if (mlir::failed(compile({plansFile, candidatesFile}, data)))
    return makeError("");
  auto executable = std::make_unique<Executable>();
  if (Error error = writeOutputFile(executable->file.path, StringRef(data.data(), data.size()), /*executable=*/true))
    return error;
  return executable;
}

/// Compiles the program with plan `choose(kernel)` of each kernel.
Expected<std::unique_ptr<Executable>> Tuner::buildWith(Choose choose) {
  std::vector<PlanLine> lines;
  for (const Kernel &kernel : kernels)
    if (size_t number = choose(kernel))
      lines.push_back({kernel.target, kernel.key, kernel.operation, kernel.plans[number].plan, {}, 0});
  ScratchFile plans("plans");
  if (!plans.write([&](llvm::raw_ostream &os) { writePlanFile(lines, os); }))
    return makeError("cannot write a temporary file of plans");
  return build(plans.path, "");
}

Error Tuner::readCandidates(StringRef text) {
  Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value)
    return value.takeError();
  for (const llvm::json::Value &each : *value->getAsArray()) {
    const llvm::json::Object &object = *each.getAsObject();
    auto getText = [&](StringRef name) { return object.getString(name).value_or("").str(); };
    Kernel kernel{getText("name"), getText("source"), getText("target"), getText("kernel"), {}, {}, {}};
    kernel.operation = object.getInteger("operation").value_or(0);
    kernel.runs = object.getNumber("runs").value_or(1);
    for (const llvm::json::Value &plan : *object.getArray("plans")) {
      const llvm::json::Object &fields = *plan.getAsObject();
      kernel.plans.push_back({fields.getString("plan").value_or("").str(), fields.getNumber("cycles").value_or(0),
                              fields.getBoolean("same_sums").value_or(false)});
    }
    if (!kernel.plans.empty())
      kernels.push_back(std::move(kernel));
  }
  return Error::success();
}

/// Keeps the kernels with the most expected cycles.
void Tuner::chooseHeaviest() {
  llvm::stable_sort(kernels, [](const Kernel &a, const Kernel &b) { return a.getCycles() > b.getCycles(); });
  double all = 0;
  for (const Kernel &kernel : kernels)
    all += kernel.getCycles();
  size_t count = 0;
  double sum = 0;
  while (count < std::min(kernels.size(), kMaxKernels) && sum < kHeavyShare * all)
    sum += kernels[count++].getCycles();
  kernels.resize(count);
  share = all > 0 ? sum / all : 0;
}

/// Chooses the steps of a run.
Error Tuner::chooseSteps() {
  Expected<KernelTimes> times = bench.run(model->file.path, 5);
  if (!times)
    return times.takeError();
  if (times->ticks.empty())
    return makeError("--tune finds no times of kernels in what plumb-bench measured");
  steps = std::max<int64_t>(5, int64_t(kRunSeconds * 1e6 / std::max(times->stepMicroseconds, 1.0)));
  return Error::success();
}

/// Runs the executables in turn, each round in another order, until the share `until` of the time is over.
Error Tuner::runRounds(llvm::ArrayRef<std::unique_ptr<Executable>> executables, double until) {
  for (unsigned round = 0; round < kMinRounds || getShare() < until; ++round, ++rounds)
    for (size_t number = 0; number <= executables.size(); ++number) {
      size_t turn = (number + round) % (executables.size() + 1);
      Executable &executable = turn == 0 ? *model : *executables[turn - 1];
      Expected<KernelTimes> times = bench.run(executable.file.path, steps);
      if (!times)
        return times.takeError();
      executable.rounds.push_back(std::move(*times));
    }
  return Error::success();
}

/// The median, over rounds, of the model's time divided by that of `other`; 0 where the kernel did not run.
double Tuner::getRatio(const Executable &other, const Kernel &kernel) const {
  std::vector<double> ratios;
  for (auto [before, after] : llvm::zip(model->rounds, other.rounds)) {
    double ticks = before.ticks.lookup(kernel.name), others = after.ticks.lookup(kernel.name);
    if (ticks > 0 && others > 0)
      ratios.push_back(ticks / others);
  }
  return getMedian(std::move(ratios));
}

/// Finds the plan of each kernel with the largest ratio.
Error Tuner::search() {
  size_t most = 0;
  for (const Kernel &kernel : kernels)
    most = std::max(most, kernel.plans.size());
  std::vector<std::unique_ptr<Executable>> executables;
  for (size_t number = 1; number < most && (number == 1 || getShare() < kCompileShare); ++number) {
    auto executable = buildWith([&](const Kernel &kernel) { return number < kernel.plans.size() ? number : 0; });
    if (!executable)
      return executable.takeError();
    executables.push_back(std::move(*executable));
  }
  variants += executables.size();
  if (Error error = runRounds(executables, kSearchShare))
    return error;
  for (Kernel &kernel : kernels) {
    double best = kFaster;
    for (size_t number = 1; number < std::min(kernel.plans.size(), executables.size() + 1); ++number)
      if (double ratio = getRatio(*executables[number - 1], kernel); ratio > best) {
        best = ratio;
        kernel.best = number;
      }
  }
  return Error::success();
}

/// Measures the chosen plans together: the largest of several ratios is partly luck.
Error Tuner::confirm() {
  auto chosen = buildWith([](const Kernel &kernel) { return kernel.best; });
  if (!chosen)
    return chosen.takeError();
  model->rounds.clear();
  std::vector<std::unique_ptr<Executable>> executables;
  executables.push_back(std::move(*chosen));
  if (Error error = runRounds(executables, 1))
    return error;
  for (Kernel &kernel : kernels) {
    std::vector<double> ticks;
    for (const KernelTimes &times : model->rounds)
      ticks.push_back(times.ticks.lookup(kernel.name));
    kernel.ticks = getMedian(std::move(ticks));
    double ratio = kernel.best ? getRatio(*executables[0], kernel) : 1;
    if (ratio >= kFaster)
      kernel.ratio = ratio;
    else
      kernel.best = 0;
  }
  return Error::success();
}

Error Tuner::run() {
  ScratchFile candidates("json");
  auto first = build("", candidates.path);
  if (!first)
    return first.takeError();
  model = std::move(*first);
  auto text = candidates.read();
  if (!text)
    return makeError("cannot read the list of plans");
  if (Error error = readCandidates(StringRef(text->getBufferStart(), text->getBufferSize())))
    return error;
  chooseHeaviest();
  if (kernels.empty())
    return makeError("--tune finds no kernel with a plan");
  if (Error error = chooseSteps())
    return error;
  if (Error error = search())
    return error;
  return confirm();
}

/// Replaces the lines of the measured kernels, and leaves those of others.
Error Tuner::keep(StringRef plansFile) {
  std::vector<PlanLine> lines;
  llvm::StringSet<> measured;
  for (const Kernel &kernel : kernels)
    measured.insert(kernel.target + " " + kernel.key);
  if (llvm::sys::fs::exists(plansFile)) {
    Expected<std::vector<PlanLine>> old = readPlanFile(plansFile);
    if (!old)
      return old.takeError();
    for (PlanLine &line : *old)
      if (!measured.contains(line.target + " " + line.kernel))
        lines.push_back(std::move(line));
  }
  for (const Kernel &kernel : kernels) {
    if (kernel.best == 0)
      continue;
    const Candidate &plan = kernel.plans[kernel.best];
    std::string comment;
    llvm::raw_string_ostream(comment) << kernel.source << " " << kernel.name << ": "
                                      << llvm::format("%.1f", (kernel.ratio - 1) * 100)
                                      << " % faster than the model's plan"
                                      << (plan.sameSums ? "" : "; adds in another order");
    lines.push_back({kernel.target, kernel.key, kernel.operation, plan.plan, {StringRef(comment).ltrim().str()}, 0});
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  writePlanFile(lines, os);
  return writeOutputFile(plansFile, text, /*executable=*/false);
}

std::string Tuner::describe(StringRef plansFile) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << llvm::format("plans of %zu kernels, %.0f %% of the expected cycles: %zu variants, %u rounds of %lld steps\n",
                     kernels.size(), share * 100, variants, rounds, static_cast<long long>(steps));
  os << "     ticks  plans  faster\n";
  std::vector<double> distances;
  size_t kept = 0;
  for (const Kernel &kernel : kernels) {
    double distance = (kernel.ratio - 1) * 100;
    distances.push_back(distance);
    kept += kernel.best != 0;
    os << llvm::format("%10.0f %6zu %6.1f %%  ", kernel.ticks, std::min(kernel.plans.size(), variants), distance)
       << kernel.name << "  " << kernel.source
       << (kernel.plans[kernel.best].sameSums ? "" : "  (adds in another order)") << "\n";
  }
  double worst = *llvm::max_element(distances);
  os << llvm::format("the model's plans are behind the best ones by %.1f %% (median), %.1f %% (worst); ",
                     getMedian(distances), worst)
     << kept << " kept in " << plansFile << "\n";
  return text;
}

Expected<std::string> plumb::tunePlans(double seconds, StringRef plansFile, CompileVariant compile) {
  Expected<KernelBench> bench = KernelBench::find();
  if (!bench)
    return bench.takeError();
  Tuner tuner(seconds, *bench, compile);
  if (Error error = tuner.run())
    return error;
  if (Error error = tuner.keep(plansFile))
    return error;
  return tuner.describe(plansFile);
}
