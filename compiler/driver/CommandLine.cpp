// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/driver/CommandLine.h"

#include "compiler/driver/Compile.h"
#include "compiler/driver/OutputFile.h"
#include "compiler/driver/PythonCapture.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/Timing.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <optional>

using namespace plumb;

using llvm::StringRef;

static constexpr int kExitOk = 0;
static constexpr int kExitFailure = 1;
static constexpr int kExitUsage = 2;

namespace {

/// What the command line asked for.
struct Arguments {
  CompileOptions options;
  std::string input;
  /// Empty: the input's stem with the kind's suffix, in the current folder.
  std::string output;
  std::vector<StringRef> programArguments;
  /// MLIR's own flags, as argv for its parser.
  std::vector<const char *> mlirFlags;
  /// Set when the answer is known without compiling.
  std::optional<int> exitCode;
};

} // namespace

static void printHelp() {
  llvm::outs()
      << "plumbc compiles a training program into a sinkable executable.\n\n"
         "  plumbc train.py -o train.plumb             capture up to the first training call\n"
         "  plumbc net.onnx -o net.plumb -- --data digits.npz --loss softmax-cross-entropy --optimizer momentum\n"
         "  plumbc step.mlir --compile-to=optimize     print the IR of a stage\n"
         "  plumb-run train.plumb                      train; no compiler, no Python\n\n"
         "plumbc [flags] PROGRAM.py|X.onnx|X.mlir|- [-- program arguments]\n\n"
         "  -o FILE                 output; - is standard output\n"
      << getFlagsHelp()
      << "  --mlir-…                MLIR's own: --mlir-print-ir-after-all, --mlir-timing, …\n"
         "  --list-stages           name the stages and what each promises\n"
         "  --version, --help\n\n"
         "Compiling a .py runs it. Exit codes: 0 compiled, 1 the program is at fault, 2 the command line is.\n";
}

static void printStages() {
  for (const StageInfo &info : getStages())
    llvm::outs() << llvm::left_justify(info.name, 12) << info.promise << "\n";
}

static int reportUsage(const llvm::Twine &message) {
  llvm::errs() << "plumbc: " << message << "\nTry plumbc --help.\n";
  return kExitUsage;
}

static int reportFailure(const llvm::Twine &message) {
  llvm::errs() << "plumbc: " << message << "\n";
  return kExitFailure;
}

/// Handles `text` when it is a flag without a value of its own kind. Returns whether it was one.
static bool applySimpleFlag(StringRef text, Arguments &arguments) {
  if (text == "--help" || text == "-h")
    printHelp();
  else if (text == "--version")
    llvm::outs() << getVersion() << "\n";
  else if (text == "--list-stages")
    printStages();
  else
    return false;
  arguments.exitCode = kExitOk;
  return true;
}

static void parseArgument(StringRef text, StringRef next, bool &usedNext, Arguments &arguments) {
  if (applySimpleFlag(text, arguments))
    return;
  if (text == "-o") {
    usedNext = true;
    arguments.output = next.str();
    if (next.empty())
      arguments.exitCode = reportUsage("-o needs a file");
    return;
  }
  if (text.starts_with("--mlir-")) {
    arguments.mlirFlags.push_back(text.data());
    return;
  }
  if (text.starts_with("--")) {
    if (llvm::Error error = applyFlag(text, arguments.options))
      arguments.exitCode = reportUsage(llvm::toString(std::move(error)));
    return;
  }
  if (text.starts_with("-") && text != "-")
    arguments.exitCode = reportUsage("unknown flag " + text);
  else if (!arguments.input.empty())
    arguments.exitCode = reportUsage("one source at a time: got " + arguments.input + " and " + text);
  else
    arguments.input = text.str();
}

static Arguments parseArguments(int argc, char **argv) {
  Arguments arguments;
  for (int i = 1; i < argc && !arguments.exitCode; ++i) {
    if (StringRef(argv[i]) == "--") {
      arguments.programArguments.assign(argv + i + 1, argv + argc);
      break;
    }
    bool usedNext = false;
    parseArgument(argv[i], i + 1 < argc ? argv[i + 1] : "", usedNext, arguments);
    i += usedNext;
  }
  if (!arguments.exitCode && arguments.input.empty())
    arguments.exitCode = reportUsage("no source given");
  return arguments;
}

static StringRef getSuffix(const CompileOptions &options) {
  switch (options.emit) {
  case OutputKind::Plumb: return ".plumb";
  case OutputKind::Exe: return "";
  case OutputKind::Obj: return ".o";
  case OutputKind::Asm: return ".s";
  case OutputKind::LLVM: return ".ll";
  case OutputKind::MLIR: break;
  }
  return ".mlir";
}

/// IR goes to the terminal, programs to a file beside the source's name.
static std::string getOutputPath(const Arguments &arguments) {
  if (!arguments.output.empty())
    return arguments.output;
  bool isText = arguments.options.emit == OutputKind::MLIR || arguments.options.emit == OutputKind::LLVM ||
                arguments.options.emit == OutputKind::Asm;
  bool stops = arguments.options.compileTo && *arguments.options.compileTo != Stage::Emit;
  if (isText || stops || arguments.input == "-")
    return "-";
  return (llvm::sys::path::stem(arguments.input) + getSuffix(arguments.options)).str();
}

static llvm::Expected<CapturedProgram> readSource(StringRef executablePath, const Arguments &arguments) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(arguments.input);
  if (!buffer)
    return llvm::createStringError(buffer.getError(), "cannot read %s: %s", arguments.input.c_str(),
                                   buffer.getError().message().c_str());
  if (isCaptured(arguments.input))
    return capturePythonProgram(executablePath, arguments.input, arguments.programArguments);
  return CapturedProgram{(*buffer)->getBuffer().str(), nullptr};
}

/// MLIR keeps its own flags in process-wide state, which only a command line may change. Returns what is wrong with
/// them.
static std::string parseMlirFlags(const char *program, const std::vector<const char *> &flags) {
  mlir::registerAsmPrinterCLOptions();
  mlir::registerMLIRContextCLOptions();
  mlir::registerPassManagerCLOptions();
  mlir::registerDefaultTimingManagerCLOptions();
  std::vector<const char *> argv = {program};
  argv.insert(argv.end(), flags.begin(), flags.end());
  std::string wrong;
  llvm::raw_string_ostream errors(wrong);
  llvm::cl::ParseCommandLineOptions(argv.size(), argv.data(), "", &errors);
  return wrong;
}

static mlir::LogicalResult applyMlirFlags(mlir::PassManager &pm) {
  mlir::applyDefaultTimingPassManagerCLOptions(pm);
  return mlir::applyPassManagerCLOptions(pm);
}

int plumb::runCompilerMain(int argc, char **argv) {
  Arguments arguments = parseArguments(argc, argv);
  if (arguments.exitCode)
    return *arguments.exitCode;
  ConfigurePassManager configure;
  if (!arguments.mlirFlags.empty()) {
    if (std::string wrong = parseMlirFlags("plumbc", arguments.mlirFlags); !wrong.empty())
      return reportUsage(StringRef(wrong).trim());
    configure = applyMlirFlags;
  }
  std::string self = llvm::sys::fs::getMainExecutable(argv[0], reinterpret_cast<void *>(&runCompilerMain));
  llvm::Expected<CapturedProgram> program = readSource(self, arguments);
  if (!program)
    return reportFailure(llvm::toString(program.takeError()));
  auto sink = [](mlir::DiagnosticSeverity, DiagnosticKind, StringRef diagnostic) { llvm::errs() << diagnostic; };
  CompileResult result;
  StringRef resources = program->resources ? program->resources->getBuffer() : StringRef();
  if (mlir::failed(compile({arguments.input, program->text, resources, program->python}, arguments.options, sink,
                           result, configure)))
    return kExitFailure;
  StringRef data(result.data.data(), result.data.size());
  std::string output = getOutputPath(arguments);
  if (llvm::Error error = writeOutputFile(output, data, result.executable))
    return reportFailure(llvm::toString(std::move(error)));
  (output == "-" ? llvm::errs() : llvm::outs()) << result.tuning << result.timing;
  return kExitOk;
}
