// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/driver/Options.h"

#include "compiler/support/RemarkPrinter.h"
#include "compiler/target/CpuTarget.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Regex.h"

using namespace plumb;

using llvm::Error;
using llvm::StringRef;

namespace {

/// A flag's name and what its value does to the options.
struct Flag {
  StringRef name;
  /// Whether the flag may stand alone, meaning the empty value.
  bool valueOptional;
  Error (*apply)(StringRef value, CompileOptions &options);
};

template <typename T> struct Choice {
  StringRef name;
  T value;
};

} // namespace

static Error makeError(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

template <typename T, size_t N>
static Error choose(StringRef flag, StringRef value, const Choice<T> (&choices)[N], T &result) {
  for (const Choice<T> &choice : choices) {
    if (choice.name != value)
      continue;
    result = choice.value;
    return Error::success();
  }
  std::string names = llvm::join(llvm::map_range(choices, [](auto &choice) { return choice.name.str(); }), ", ");
  return makeError("--" + flag + " takes one of " + names + "; got '" + value + "'");
}

static Error chooseStage(StringRef flag, StringRef value, std::optional<Stage> &result) {
  result = lookupStage(value);
  if (result)
    return Error::success();
  std::string names = llvm::join(llvm::map_range(getStages(), [](auto &info) { return info.name.str(); }), ", ");
  return makeError("--" + flag + " takes a stage, one of " + names + "; got '" + value + "'");
}

static Error applyEmit(StringRef value, CompileOptions &options) {
  static const Choice<OutputKind> kinds[] = {{"plumb", OutputKind::Plumb}, {"exe", OutputKind::Exe},
                                             {"obj", OutputKind::Obj},     {"asm", OutputKind::Asm},
                                             {"llvm", OutputKind::LLVM},   {"mlir", OutputKind::MLIR}};
  return choose("emit", value, kinds, options.emit);
}

static Error applySaveGraphs(StringRef value, CompileOptions &options) {
  if (value.getAsInteger(10, options.saveGraphs) || options.saveGraphs < 0 || options.saveGraphs > 3)
    return makeError("--save-graphs takes 0, 1, 2 or 3; got '" + value + "'");
  return Error::success();
}

static Error applyTiming(StringRef value, CompileOptions &options) {
  static const Choice<TimingFormat> formats[] = {
      {"", TimingFormat::Text}, {"text", TimingFormat::Text}, {"json", TimingFormat::Json}};
  return choose("timing", value, formats, options.timing);
}

static Error applyString(StringRef flag, StringRef value, std::string &result) {
  if (value.empty())
    return makeError("--" + flag + " needs a value");
  result = value.str();
  return Error::success();
}

static Error applyRemarks(StringRef value, CompileOptions &options) {
  std::string error;
  if (value.empty())
    value = ".*";
  if (!llvm::Regex(value).isValid(error))
    return makeError("--remarks takes a category or a regular expression for several; got '" + value + "': " + error);
  llvm::Regex wanted(value);
  if (llvm::none_of(remarkCategories, [&](StringRef category) { return wanted.match(category); }))
    return makeError("--remarks knows no category that matches '" + value + "'; there is " +
                     llvm::join(llvm::ArrayRef(remarkCategories), ", "));
  options.remarks = value.str();
  return Error::success();
}

static Error applySymbols(StringRef value, CompileOptions &options) {
  options.symbols = true;
  options.timers = value == "timers";
  bool isKnown = value.empty() || options.timers;
  return isKnown ? Error::success() : makeError("--symbols takes timers or no value; got '" + value + "'");
}

static Error applyTune(StringRef value, CompileOptions &options) {
  if (value.getAsDouble(options.tuneSeconds) || !(options.tuneSeconds > 0))
    return makeError("--tune takes a number of seconds; got '" + value + "'");
  return Error::success();
}

static Error applyTargetCpu(StringRef value, CompileOptions &options) {
  if (Error error = applyString("target-cpu", value, options.targetCpu))
    return error;
  if (CpuTarget::get(value))
    return Error::success();
  return makeError("--target-cpu knows no processor '" + value +
                   "'; take native, x86-64-v2, x86-64-v3, x86-64-v4 or LLVM's name of one");
}

static Error applyCacheData(StringRef value, CompileOptions &options) {
  if (!value.empty())
    return makeError("--cache-data takes no value; got '" + value + "'");
  options.cacheData = true;
  return Error::success();
}

static const Flag flags[] = {
    {"emit", false, applyEmit},
    {"compile-to", false, [](StringRef v, CompileOptions &o) { return chooseStage("compile-to", v, o.compileTo); }},
    {"compile-from", false,
     [](StringRef v, CompileOptions &o) { return chooseStage("compile-from", v, o.compileFrom); }},
    {"target-cpu", false, applyTargetCpu},
    {"cache-data", true, applyCacheData},
    {"symbols", true, applySymbols},
    {"plans", false, [](StringRef v, CompileOptions &o) { return applyString("plans", v, o.plansFile); }},
    {"tune", false, applyTune},
    {"save-graphs", false, applySaveGraphs},
    {"save-graphs-path", false,
     [](StringRef v, CompileOptions &o) { return applyString("save-graphs-path", v, o.saveGraphsPath); }},
    {"timing", true, applyTiming},
    {"remarks", true, applyRemarks},
    {"crash-reproducer", false,
     [](StringRef v, CompileOptions &o) { return applyString("crash-reproducer", v, o.crashReproducer); }},
};

/// The known flag nearest to `name`, when it is near enough to be meant.
static StringRef findNearest(StringRef name) {
  StringRef nearest;
  unsigned best = 4;
  for (const Flag &flag : flags) {
    unsigned distance = name.edit_distance(flag.name, /*AllowReplacements=*/true, best);
    if (distance >= best)
      continue;
    best = distance;
    nearest = flag.name;
  }
  return nearest;
}

Error plumb::applyFlag(StringRef text, CompileOptions &options) {
  StringRef body = text;
  if (!body.consume_front("--"))
    return makeError("expected a flag that starts with --, got '" + text + "'");
  auto [name, value] = body.split('=');
  bool hasValue = body.contains('=');
  for (const Flag &flag : flags) {
    if (flag.name != name)
      continue;
    if (!hasValue && !flag.valueOptional)
      return makeError("--" + name + " needs a value: --" + name + "=…");
    return flag.apply(value, options);
  }
  StringRef nearest = findNearest(name);
  return makeError("unknown flag --" + name + (nearest.empty() ? "" : "; did you mean --" + nearest.str() + "?"));
}

StringRef plumb::getFlagsHelp() {
  return R"(  --emit=KIND             plumb (default), exe, obj, asm, llvm or mlir
  --compile-to=STAGE      stop after STAGE and print its IR
  --compile-from=STAGE    the source is IR as STAGE left it
  --target-cpu=CPU        native (default), x86-64-v2, x86-64-v3, x86-64-v4, neoverse-n1, …
  --symbols               keep the kernels' names and costs in the executable, for perf and plumb-bench --kernels
  --symbols=timers        and let kernels measure their own times for plumb-bench --kernels
  --plans=FILE            use the measured plans in FILE
  --tune=SECONDS          measure plans of the heaviest kernels on this machine and keep the best in the file of --plans
  --save-graphs=0..3      write the IR of stages (1), back-end passes (2), all passes and .dot (3)
  --save-graphs-path=DIR  where to write them (default: the current folder)
  --timing[=text|json]    print the TotalTime table
  --remarks[=CATEGORY]    say what was chosen for speed and what it should cost, at your lines: layout, plan
  --cache-data            the executable keeps prepared rows of its data sets in memory
  --crash-reproducer=F    on a failing pass, write pipeline and IR to F for plumb-opt --run-reproducer
)";
}
