// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// save_graphs: one file of IR per stage or pass, numbered, in the naming that users of MindSpore know.

#ifndef PLUMB_COMPILER_SUPPORT_GRAPHDUMPER_H
#define PLUMB_COMPILER_SUPPORT_GRAPHDUMPER_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>

namespace mlir {
class PassInstrumentation;
} // namespace mlir

namespace plumb {

/// Writes IR files into one folder.
///
/// | level | files |
/// |---|---|
/// | 0 | none |
/// | 1 | `NN_<stage>_<serial>.ir` after each stage |
/// | 2 | also `hwopt_<pass>_<serial>.ir` after each pass of `lower` and `codegen` |
/// | 3 | also `opt_pass_<i>_<pass>_<serial>.ir` in `optimize`, `opt_substep_<stage>_r1_<i>_<pass>_<serial>.ir` in the
/// other
///      stages, and a `.dot` beside each stage's file of up to 2000 operations |
///
/// NN is the stage's index, the serial of four digits counts files over the whole compilation. Large constants are
/// elided. When a stage fails, the IR it failed on is written to `analyze_fail.ir`.
class GraphDumper {
public:
  GraphDumper(int level, std::string folder) : level(level), folder(std::move(folder)) {}

  /// Makes the folder; an error names it.
  llvm::Error prepare();

  /// Writes the module as the result of the stage.
  llvm::Error dumpStage(unsigned index, llvm::StringRef stage, mlir::ModuleOp module);

  /// Writes the module on which a stage failed.
  llvm::Error dumpFailure(llvm::StringRef stage, mlir::ModuleOp module);

  /// An instrumentation that dumps after each pass of `stage`, or null when the level asks for none.
  std::unique_ptr<mlir::PassInstrumentation> createInstrumentation(llvm::StringRef stage);

  /// Writes one numbered file named `<prefix>_<serial>.ir`. A file that cannot be written is left out: the stage's own
  /// dump goes to the same folder and reports it.
  void dumpPass(llvm::StringRef prefix, mlir::Operation *op);

private:
  std::string nextPath(llvm::StringRef prefix);

  int level;
  std::string folder;
  unsigned serial = 0;
};

} // namespace plumb

#endif // PLUMB_COMPILER_SUPPORT_GRAPHDUMPER_H
