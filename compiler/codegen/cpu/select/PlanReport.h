// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Remarks of category `plan`: what was selected, what it should cost, and what came second and why.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_SELECT_PLANREPORT_H
#define PLUMB_COMPILER_CODEGEN_CPU_SELECT_PLANREPORT_H

#include "compiler/codegen/cpu/select/Planners.h"
#include "compiler/codegen/cpu/select/StoredPlans.h"

namespace plumb {

/// Reports the plan of `op`, the first of `ranked`, and the second one.
void reportPlan(mlir::linalg::LinalgOp op, const LinearNest &nest, const CpuTarget &target,
                llvm::ArrayRef<CostedPlan> ranked);

/// Reports the plan of `op` where it is one of `stored`.
void reportStoredPlan(mlir::linalg::LinalgOp op, const StoredPlans &stored);

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_SELECT_PLANREPORT_H
