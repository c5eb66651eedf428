// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans from a file (common/PlanFile.h), applied to the kernels that they were measured for.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_SELECT_STOREDPLANS_H
#define PLUMB_COMPILER_CODEGEN_CPU_SELECT_STOREDPLANS_H

#include "compiler/codegen/common/PlanFile.h"
#include "compiler/target/CpuTarget.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/MapVector.h"

namespace plumb {

/// The hash of what a kernel computes: its operations, types, layouts and arguments' aliasing, but neither its name nor
/// its lines nor its plans.
std::string getKernelKey(mlir::func::FuncOp kernel);

/// The linalg operations of a kernel, in order.
llvm::SmallVector<mlir::linalg::LinalgOp> getOperations(mlir::func::FuncOp kernel);

/// The plans of one file for one target.
class StoredPlans {
public:
  /// Reads the file that `module` names; no plans where it names none. Reports a file that cannot be read.
  static mlir::FailureOr<StoredPlans> read(mlir::ModuleOp module, const CpuTarget &target);

  /// Sets the plans of the kernels in `root`, except on operations that have one. Reports plans that are none.
  mlir::LogicalResult apply(mlir::Operation *root);
  /// Whether the plan of `op` is one of the file's.
  bool contains(mlir::Operation *op) const { return applied.contains(op); }
  /// Reports that the file's plan of `op` does not fit.
  void refuse(mlir::Operation *op) const;
  /// The file and line of the plan of `op`.
  std::string getSource(mlir::Operation *op) const;

private:
  mlir::LogicalResult apply(mlir::func::FuncOp kernel);

  std::string path;
  /// By hash of the kernel.
  llvm::StringMap<llvm::SmallVector<PlanLine, 1>> lines;
  llvm::DenseMap<mlir::Operation *, unsigned> applied;
};

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_SELECT_STOREDPLANS_H
