// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Selects plans and writes them to the operations.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_SELECT_SELECTION_H
#define PLUMB_COMPILER_CODEGEN_CPU_SELECT_SELECTION_H

#include "compiler/codegen/cpu/plan/PlannedOp.h"
#include "compiler/codegen/cpu/select/Planners.h"
#include "compiler/codegen/cpu/select/StoredPlans.h"

namespace plumb {

/// The best plans of `op`, whose nest has its pooling windows: in registers where that costs less than a separate pass.
std::vector<CostedPlan> rankSelections(mlir::linalg::LinalgOp op, const LinearNest &nest, const CpuTarget &target,
                                       PlanLimit limit);

/// `unplanned` with a plan, and the part of the epilogue that can be emitted with it.
PlannedOp makePlanned(const UnplannedOp &unplanned, const KernelPlan &plan);

/// Sets `kernel.plan` on each linalg operation inside of `root` that has none, that vector code can be emitted for, and
/// that belongs to no other operation's epilogue: one of `stored` where there is one. Reports an error where a plan
/// that is there does not fit.
mlir::LogicalResult selectPlans(mlir::Operation *root, const CpuTarget &target, StoredPlans &stored);

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_SELECT_SELECTION_H
