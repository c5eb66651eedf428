// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Selects the plan of one operation: the one with the fewest cycles according to the cost model (cost/KernelCost.h).

#ifndef PLUMB_COMPILER_CODEGEN_CPU_SELECT_KERNELPLANNER_H
#define PLUMB_COMPILER_CODEGEN_CPU_SELECT_KERNELPLANNER_H

#include "compiler/codegen/cpu/cost/KernelCost.h"

namespace plumb {

/// Plans any operation whose body maps to vectors. Fails where no loop can provide the lanes; ConvertRemainingToLoops
/// converts such operations.
mlir::FailureOr<CostedPlan> planKernel(mlir::linalg::LinalgOp op, const LinearNest &nest, const CpuTarget &target);

/// Estimated cycles of `op` when its operands are in L1; nothing where planKernel fails.
std::optional<double> estimateKernelCycles(mlir::linalg::LinalgOp op, const CpuTarget &target);

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_SELECT_KERNELPLANNER_H
