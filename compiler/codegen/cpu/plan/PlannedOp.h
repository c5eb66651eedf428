// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An operation with its plan, between the attribute `kernel.plan` and the structures that planners and emitters work
// on.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_PLAN_PLANNEDOP_H
#define PLUMB_COMPILER_CODEGEN_CPU_PLAN_PLANNEDOP_H

#include "compiler/codegen/cpu/plan/Epilogue.h"

namespace plumb {

/// An operation's nest and plan, and the epilogue that is emitted with it.
struct PlannedOp {
  LinearNest nest;
  KernelPlan plan;
  Epilogue epilogue;
};

/// The nest of `op` before a plan's skew, and the epilogue of all marked operations after it that fit the nest.
struct UnplannedOp {
  LinearNest nest;
  Epilogue epilogue;

  static mlir::FailureOr<UnplannedOp> get(mlir::linalg::LinalgOp op);
};

/// Sets `kernel.plan` on the operation of `planned`.
void writePlan(const PlannedOp &planned, double cycles);

/// Reads `kernel.plan` of `op`, which must have one. Reports an error where it does not fit the operation.
mlir::FailureOr<PlannedOp> readPlan(mlir::linalg::LinalgOp op);

/// Results of `op`, which has a plan, and of its epilogue operations that the emitted code keeps in registers: it does
/// not access their buffers.
llvm::SmallVector<mlir::Value> findUnstored(mlir::linalg::LinalgOp op);

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_PLAN_PLANNEDOP_H
