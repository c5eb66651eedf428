// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a plan fits a nest: what the emitters rely on.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_PLAN_PLANCHECKS_H
#define PLUMB_COMPILER_CODEGEN_CPU_PLAN_PLANCHECKS_H

#include "compiler/codegen/cpu/plan/KernelPlan.h"

#include "dialects/kernel/ir/Kernel.h"

namespace plumb {

/// Reports at `op` the first rule that `plan`, the plan of `attribute` for `nest`, breaks.
mlir::LogicalResult checkPlan(mlir::linalg::LinalgOp op, const LinearNest &nest, kernel::PlanAttr attribute,
                              const KernelPlan &plan);

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_PLAN_PLANCHECKS_H
