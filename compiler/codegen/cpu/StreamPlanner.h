// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which inputs a plan asks for ahead of time. A processor fetches neighbours by
// itself; rows that lie apart, and panels that come from the second cache faster
// than it looks ahead, it does not: each iteration of the innermost reduction
// reads other lines there.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_STREAMPLANNER_H
#define PLUMB_COMPILER_CODEGEN_CPU_STREAMPLANNER_H

#include "compiler/codegen/cpu/KernelPricing.h"

namespace plumb {

/// The inputs of which `plan` should ask for lines ahead: those that do not stay
/// in the nearest cache from one register tile to the next.
llvm::SmallVector<unsigned> findStreams(const KernelPricing &pricing,
                                        const KernelPlan &plan);

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_STREAMPLANNER_H
