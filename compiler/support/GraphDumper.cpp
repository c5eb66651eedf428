// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/support/GraphDumper.h"

#include "compiler/support/TimeTable.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/ViewOpGraph.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace plumb;

/// Constants with more elements than this are elided.
static constexpr int64_t kElideAbove = 16;

/// Graphs of more operations get no picture: nobody could read it, and MLIR's printer takes time by their square.
static constexpr unsigned kMaxDrawn = 2000;

static llvm::Error writeFile(llvm::StringRef path, llvm::function_ref<void(llvm::raw_ostream &)> write) {
  std::error_code code;
  llvm::raw_fd_ostream os(path, code, llvm::sys::fs::OF_Text);
  if (!code) {
    write(os);
    os.flush();
    code = os.error();
    os.clear_error();
  }
  if (code)
    return llvm::createStringError(code, "cannot write the graph %s: %s", path.str().c_str(), code.message().c_str());
  return llvm::Error::success();
}

static unsigned countOperations(mlir::Operation *op) {
  unsigned count = 0;
  op->walk([&](mlir::Operation *) { ++count; });
  return count;
}

static void printGraph(llvm::raw_ostream &os, llvm::StringRef title, mlir::Operation *op) {
  os << "// " << title << "; operations: " << countOperations(op) << "\n";
  mlir::OpPrintingFlags flags;
  flags.elideLargeElementsAttrs(kElideAbove).elideLargeResourceString(kElideAbove);
  op->print(os, flags);
  os << "\n";
}

std::string GraphDumper::nextPath(llvm::StringRef prefix) {
  std::string name;
  llvm::raw_string_ostream(name) << prefix << llvm::format("_%04u.ir", serial++);
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, name);
  return std::string(path);
}

llvm::Error GraphDumper::prepare() {
  if (level == 0)
    return llvm::Error::success();
  if (std::error_code code = llvm::sys::fs::create_directories(folder))
    return llvm::createStringError(code, "cannot make the folder %s for saved graphs: %s", folder.c_str(),
                                   code.message().c_str());
  return llvm::Error::success();
}

/// MLIR's own printer works as a pass over a copy, so that the module under compilation stays untouched.
static llvm::Error writeDot(llvm::StringRef path, mlir::ModuleOp module) {
  return writeFile(path, [&](llvm::raw_ostream &os) {
    mlir::OwningOpRef<mlir::ModuleOp> copy = module.clone();
    mlir::PassManager pm(module.getContext());
    pm.addPass(mlir::createPrintOpGraphPass(os));
    (void)pm.run(*copy);
  });
}

llvm::Error GraphDumper::dumpStage(unsigned index, llvm::StringRef stage, mlir::ModuleOp module) {
  if (level == 0)
    return llvm::Error::success();
  std::string prefix;
  llvm::raw_string_ostream(prefix) << llvm::format("%02u_", index) << stage;
  std::string path = nextPath(prefix);
  auto print = [&](llvm::raw_ostream &os) { printGraph(os, "after " + stage.str(), module); };
  if (llvm::Error error = writeFile(path, print))
    return error;
  if (level < 3 || countOperations(module) > kMaxDrawn)
    return llvm::Error::success();
  llvm::SmallString<128> dot(path);
  llvm::sys::path::replace_extension(dot, "dot");
  return writeDot(dot, module);
}

llvm::Error GraphDumper::dumpFailure(llvm::StringRef stage, mlir::ModuleOp module) {
  if (level == 0)
    return llvm::Error::success();
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, "analyze_fail.ir");
  return writeFile(path, [&](llvm::raw_ostream &os) { printGraph(os, "failed in " + stage.str(), module); });
}

void GraphDumper::dumpPass(llvm::StringRef prefix, mlir::Operation *op) {
  std::string path = nextPath(prefix);
  // A dump that cannot be written must not fail a pass; the stage's own dump reports the folder.
  llvm::consumeError(writeFile(path, [&](llvm::raw_ostream &os) { printGraph(os, "after " + prefix.str(), op); }));
}

namespace {

/// Dumps the operation after each pass that has a flag, under a name of the stage's kind.
class DumpInstrumentation : public mlir::PassInstrumentation {
public:
  DumpInstrumentation(GraphDumper &dumper, llvm::StringRef stage) : dumper(dumper), stage(stage.str()) {}

  void runAfterPass(mlir::Pass *pass, mlir::Operation *op) override {
    if (pass->getArgument().empty())
      return;
    dumper.dumpPass(prefix(getPassDisplayName(pass->getArgument())), op);
  }

private:
  std::string prefix(const std::string &pass) {
    std::string index = std::to_string(count++);
    if (stage == "lower" || stage == "codegen")
      return "hwopt_" + pass;
    if (stage == "optimize")
      return "opt_pass_" + index + "_" + pass;
    return "opt_substep_" + stage + "_r1_" + index + "_" + pass;
  }

  GraphDumper &dumper;
  std::string stage;
  unsigned count = 0;
};

} // namespace

std::unique_ptr<mlir::PassInstrumentation> GraphDumper::createInstrumentation(llvm::StringRef stage) {
  bool backend = stage == "lower" || stage == "codegen";
  if (level < (backend ? 2 : 3))
    return nullptr;
  return std::make_unique<DumpInstrumentation>(*this, stage);
}
