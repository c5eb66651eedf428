// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the stages one after another, each as a pass manager of its own, so that times, dumps and failures carry the
// stage's name.

#include "compiler/driver/Compile.h"

#include "compiler/codegen/common/PlanFile.h"
#include "compiler/driver/PythonCapture.h"
#include "compiler/driver/Resources.h"
#include "compiler/driver/SourceCheck.h"
#include "compiler/driver/Tune.h"
#include "compiler/emit/Emit.h"
#include "compiler/support/CrashReporter.h"
#include "compiler/support/GraphDumper.h"
#include "compiler/support/RemarkPrinter.h"
#include "compiler/support/TimeTable.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using namespace plumb;

using llvm::StringRef;
using mlir::failure;
using mlir::LogicalResult;
using mlir::success;

StringRef plumb::getVersion() { return "plumb 0.1 (LLVM " LLVM_VERSION_STRING ")"; }

namespace {

/// The state of one compilation.
class Compilation {
public:
  Compilation(const CompileSource &source, const CompileOptions &options, const DiagnosticSink &sink,
              const ConfigurePassManager &configure)
      : options(options), configure(configure), crashes(source.name, source.text),
        context(makeRegistry(), mlir::MLIRContext::Threading::DISABLED), diagnostics(sources, &context, sink),
        dumper(options.saveGraphs, options.saveGraphsPath) {
    // An error is a paragraph for the user; the operation behind it may be the whole program.
    context.printOpOnDiagnostic(false);
    LivePython::attach(context, source.python);
  }

  LogicalResult run(const CompileSource &source, CompileResult &result);

private:
  static mlir::DialectRegistry makeRegistry() {
    mlir::DialectRegistry registry;
    registerAllDialects(registry);
    return registry;
  }

  LogicalResult readSource(const CompileSource &source);
  LogicalResult runStages(const CompileSource &source, CompileResult &result);
  LogicalResult runStage(const StageInfo &info);
  LogicalResult produce(const CompileSource &source, CompileResult &result);
  EmitOptions getEmitOptions(const CompileSource &source) const;
  LogicalResult checkTuning();
  LogicalResult preparePlans(const CompileSource &source, CompileResult &result);
  LogicalResult tune(const CompileSource &source, CompileResult &result);
  LogicalResult compileVariant(const CompileSource &source, const Variant &variant, llvm::SmallVectorImpl<char> &data);
  LogicalResult printIR(CompileResult &result);
  LogicalResult report(llvm::Error error);
  void warnOfFault(StringRef stage);
  Stage lastStage() const;
  bool yieldsIR() const {
    return options.compileTo ? *options.compileTo != Stage::Emit : options.emit == OutputKind::MLIR;
  }

  const CompileOptions &options;
  const ConfigurePassManager &configure;
  CrashReporter crashes;
  llvm::SourceMgr sources;
  mlir::MLIRContext context;
  RenderedDiagnostics diagnostics;
  GraphDumper dumper;
  TimeTable times;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

} // namespace

/// Turns an error that has no place in the source into a diagnostic.
LogicalResult Compilation::report(llvm::Error error) {
  if (!error)
    return success();
  return mlir::emitError(mlir::UnknownLoc::get(&context)) << llvm::toString(std::move(error));
}

Stage Compilation::lastStage() const {
  if (options.compileTo && *options.compileTo != Stage::Emit)
    return *options.compileTo;
  return Stage::Codegen;
}

LogicalResult Compilation::readSource(const CompileSource &source) {
  // A captured program's text is not the file of that name: diagnostics show lines of the user's file.
  std::string name = source.name.str() + (isCaptured(source.name) ? " (captured)" : "");
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(source.text, name), llvm::SMLoc());
  StringRef text = sources.getMemoryBuffer(sources.getMainFileID())->getBuffer();
  if (std::optional<SourceFault> fault = findSourceFault(text)) {
    auto [line, column] = sources.getLineAndColumn(fault->place);
    return mlir::emitError(mlir::FileLineColLoc::get(&context, name, line, column)) << fault->message;
  }
  module = mlir::parseSourceFile<mlir::ModuleOp>(sources, mlir::ParserConfig(&context));
  if (!module || source.resources.empty())
    return success(static_cast<bool>(module));
  return report(attachResources(context, source.resources));
}

LogicalResult Compilation::runStage(const StageInfo &info) {
  auto scope = times.enter(info.name);
  crashes.enterStage(info.name);
  mlir::PassManager pm(&context);
  buildStagePipeline(pm, info.stage, PipelineOptions{options.targetCpu, /*candidatesFile=*/"", options.timers});
  // What a user gets wrong is found before lower. There, IR is verified once, at the end of the stage: behind each of
  // its passes, that takes up to a fifth of all time. Codegen's IR is a hundred times as large, and LLVM's verifier
  // reads it next. Tests check each pass.
  bool isChecked = info.stage < Stage::Lower || llvm::sys::Process::GetEnv("PLUMB_VERIFY_PASSES");
  pm.enableVerifier(isChecked);
  if (configure && mlir::failed(configure(pm)))
    return failure();
  if (!options.crashReproducer.empty())
    pm.enableCrashReproducerGeneration(options.crashReproducer);
  pm.addInstrumentation(crashes.createInstrumentation());
  pm.addInstrumentation(times.createInstrumentation());
  if (auto dumps = dumper.createInstrumentation(info.name))
    pm.addInstrumentation(std::move(dumps));
  if (mlir::succeeded(pm.run(*module)) &&
      (info.stage != Stage::Lower || isChecked || mlir::succeeded(mlir::verify(*module))))
    return report(dumper.dumpStage(static_cast<unsigned>(info.stage), info.name, *module));
  (void)report(dumper.dumpFailure(info.name, *module));
  // What a user gets wrong is found before.
  if (info.stage >= Stage::Lower)
    warnOfFault(info.name);
  return failure();
}

void Compilation::warnOfFault(StringRef stage) {
  std::string path = crashes.writeReproducer();
  auto warning = mlir::emitWarning(mlir::UnknownLoc::get(&context));
  warning << "the stage '" << stage
          << "' failed on a program that the stages before had accepted; unless the error above names "
          << "a limit or a file of plans, this is a fault of plumb";
  if (!path.empty())
    warning << ": please report it with the file " << path;
}

LogicalResult Compilation::runStages(const CompileSource &source, CompileResult &result) {
  for (const StageInfo &info : getStages()) {
    if (options.compileFrom && info.stage <= *options.compileFrom)
      continue;
    if (info.stage > lastStage())
      break;
    if (info.stage == Stage::Codegen && mlir::failed(preparePlans(source, result)))
      return failure();
    if (mlir::failed(runStage(info)))
      return failure();
  }
  return success();
}

/// Names the file of measured plans that codegen reads.
static void setPlansFile(mlir::ModuleOp module, StringRef path) {
  if (!path.empty())
    module->setAttr(kPlansFileName, mlir::StringAttr::get(module.getContext(), path));
}

/// Compiles the program, as the stages before codegen left it, into an executable with timers.
LogicalResult Compilation::compileVariant(const CompileSource &source, const Variant &variant,
                                          llvm::SmallVectorImpl<char> &data) {
  mlir::OwningOpRef<mlir::ModuleOp> copy = module->clone();
  mlir::PassManager pm(&context);
  pm.enableVerifier(false);
  setPlansFile(*copy, variant.plansFile);
  buildStagePipeline(pm, Stage::Codegen, {options.targetCpu, variant.candidatesFile.str(), /*timers=*/true});
  if (mlir::failed(pm.run(*copy)))
    return failure();
  EmitOptions emit = getEmitOptions(source);
  emit.kind = EmitKind::Plumb;
  emit.symbols = true;
  llvm::raw_svector_ostream os(data);
  return emitExecutable(*copy, emit, os);
}

/// The file of --plans, the flags that --tune needs, and those that it does not go with.
LogicalResult Compilation::checkTuning() {
  if (options.tuneSeconds == 0)
    return options.plansFile.empty() ? success() : report(readPlanFile(options.plansFile).takeError());
  if (options.plansFile.empty())
    return report(llvm::createStringError("--tune needs --plans=FILE, where the best plans are kept"));
  if (options.remarks)
    return report(
        llvm::createStringError("--remarks would speak of each plan that --tune measures: take them in turn"));
  if (lastStage() != Stage::Codegen || options.compileFrom == Stage::Codegen)
    return report(llvm::createStringError("--tune measures in codegen, which this compilation leaves out"));
  return success();
}

/// Measures plans where that is wanted, and names the file of plans.
LogicalResult Compilation::preparePlans(const CompileSource &source, CompileResult &result) {
  if (options.tuneSeconds > 0 && mlir::failed(tune(source, result)))
    return failure();
  setPlansFile(*module, options.plansFile);
  return success();
}

LogicalResult Compilation::tune(const CompileSource &source, CompileResult &result) {
  auto scope = times.enter("tune");
  crashes.enterStage("tune");
  auto compile = [&](const Variant &variant, llvm::SmallVectorImpl<char> &data) {
    return compileVariant(source, variant, data);
  };
  llvm::Expected<std::string> found = tunePlans(options.tuneSeconds, options.plansFile, compile);
  if (!found) {
    // A variant that cannot be compiled has said why.
    std::string message = llvm::toString(found.takeError());
    return message.empty() ? failure() : report(llvm::createStringError(message));
  }
  result.tuning = std::move(*found);
  return success();
}

LogicalResult Compilation::printIR(CompileResult &result) {
  llvm::raw_svector_ostream os(result.data);
  module->print(os, mlir::OpPrintingFlags().useLocalScope());
  os << "\n";
  printResources(context, os); // local scope leaves them out
  return success();
}

EmitOptions Compilation::getEmitOptions(const CompileSource &source) const {
  EmitOptions emit;
  emit.targetCpu = options.targetCpu;
  emit.sourceName = source.name.str();
  emit.sourceText = source.text.str();
  emit.compilerVersion = getVersion().str();
  emit.symbols = options.symbols;
  emit.cacheData = options.cacheData;
  return emit;
}

LogicalResult Compilation::produce(const CompileSource &source, CompileResult &result) {
  if (yieldsIR())
    return printIR(result);
  auto scope = times.enter(getStageName(Stage::Emit));
  crashes.enterStage(getStageName(Stage::Emit));
  EmitOptions emit = getEmitOptions(source);
  switch (options.emit) {
  case OutputKind::Exe: emit.kind = EmitKind::Exe; break;
  case OutputKind::Obj: emit.kind = EmitKind::Obj; break;
  case OutputKind::Asm: emit.kind = EmitKind::Asm; break;
  case OutputKind::LLVM: emit.kind = EmitKind::LLVM; break;
  case OutputKind::MLIR:
  case OutputKind::Plumb: emit.kind = EmitKind::Plumb; break;
  }
  result.executable = emit.kind == EmitKind::Exe || emit.kind == EmitKind::Plumb;
  llvm::raw_svector_ostream os(result.data);
  return emitExecutable(*module, emit, os);
}

LogicalResult Compilation::run(const CompileSource &source, CompileResult &result) {
  if (options.remarks && mlir::failed(printRemarks(context, *options.remarks)))
    return failure();
  if (mlir::failed(checkTuning()) || mlir::failed(report(dumper.prepare())) || mlir::failed(readSource(source)) ||
      mlir::failed(runStages(source, result)) || mlir::failed(produce(source, result)))
    return failure();
  llvm::raw_string_ostream os(result.timing);
  if (options.timing == TimingFormat::Text)
    times.printText(os);
  if (options.timing == TimingFormat::Json)
    times.printJson(os);
  return success();
}

LogicalResult plumb::compile(const CompileSource &source, const CompileOptions &options, const DiagnosticSink &sink,
                             CompileResult &result, const ConfigurePassManager &configure) {
  return Compilation(source, options, sink, configure).run(source, result);
}
