// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// plumb-opt: runs passes over IR, with mlir-opt's command line.

#include "compiler/driver/Compile.h"
#include "compiler/driver/SourceCheck.h"
#include "compiler/pipeline/Stages.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

/// Refuses a file that the parser would not survive. What cannot be read, and standard input, is left to who reads it.
static bool isSound(llvm::StringRef path) {
  std::unique_ptr<llvm::MemoryBuffer> file = path == "-" ? nullptr : mlir::openInputFile(path);
  std::optional<plumb::SourceFault> fault = file ? plumb::findSourceFault(file->getBuffer()) : std::nullopt;
  if (!fault) return true;
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(file), llvm::SMLoc());
  sources.PrintMessage(fault->place, llvm::SourceMgr::DK_Error, fault->message);
  return false;
}

int main(int argc, char** argv) {
  llvm::InitLLVM init(argc, argv);
  mlir::DialectRegistry registry;
  plumb::registerAllDialects(registry);
  plumb::registerAllPasses();
  mlir::registerTransformsPasses();
  auto [input, output] = mlir::registerAndParseCLIOptions(argc, argv, "Plumb's pass driver\n", registry);
  return isSound(input) ? mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, input, output, registry)) : 1;
}
