// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The prefetches of a plan.
//
// Inputs: hardware prefetchers follow contiguous accesses. They do not follow rows that lie apart, or panels in L2,
// where each iteration of the innermost reduction reads other lines.
//
// Blocks: the operands of the next iteration of a loop around register tiles, where the loops inside take long enough
// to fetch them from memory.
//
// Outputs: a store waits for its line, and only a few stores can wait at once.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_SELECT_PREFETCHPLANNER_H
#define PLUMB_COMPILER_CODEGEN_CPU_SELECT_PREFETCHPLANNER_H

#include "compiler/codegen/cpu/cost/KernelCost.h"

namespace plumb {

/// The inputs whose lines `plan` should prefetch: those that do not stay in L1 from one register tile to the next.
llvm::SmallVector<unsigned> findPrefetchedInputs(const KernelCost &cost, const KernelPlan &plan);

/// The next blocks that `plan`, of a contraction without bounds, should prefetch: of each input that exceeds L1, the
/// largest block that fits in L2 beside the others.
llvm::SmallVector<BlockPrefetch> findBlockPrefetches(const KernelCost &cost, const KernelPlan &plan);

/// The outputs of elementwise `plan` that exceed L1 and are written in order.
llvm::SmallVector<unsigned> findPrefetchedOutputs(const KernelCost &cost, const KernelPlan &plan);

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_SELECT_PREFETCHPLANNER_H
