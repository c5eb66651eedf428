// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a plan asks for ahead of time.
//
// Lines: a processor fetches neighbours by itself; rows that lie apart, and panels
// that come from the second cache faster than it looks ahead, it does not: each
// iteration of the innermost reduction reads other lines there.
//
// Blocks: what a loop around register tiles comes to next, where the loops inside
// have time for it. It comes from memory while this block is computed.
//
// Writes: a store waits until its line has come, and a few at most wait at once.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_STREAMPLANNER_H
#define PLUMB_COMPILER_CODEGEN_CPU_STREAMPLANNER_H

#include "compiler/codegen/cpu/KernelPricing.h"

namespace plumb {

/// The inputs of which `plan` should ask for lines ahead: those that do not stay
/// in the nearest cache from one register tile to the next.
llvm::SmallVector<unsigned> findStreams(const KernelPricing &pricing,
                                        const KernelPlan &plan);

/// The next blocks that `plan`, of a product without bounds, should ask for: of
/// each input that the nearest cache does not hold, the largest that fits beside
/// the others in the second one.
llvm::SmallVector<BlockAhead> findBlocksAhead(const KernelPricing &pricing,
                                              const KernelPlan &plan);

/// Memory that some iterations read, as `count` rows of neighbours, `apart` from
/// each other.
struct BlockRows {
  int64_t elements = 1, count = 1, apart = 0;

  /// One row that holds it all, where there is no such order.
  static BlockRows get(llvm::ArrayRef<int64_t> strides,
                       llvm::ArrayRef<int64_t> extents);
};

/// Outputs of elementwise `plan` that are more than the nearest cache holds and are
/// written in order.
llvm::SmallVector<unsigned> findWritesAhead(const KernelPricing &pricing,
                                            const KernelPlan &plan);

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_STREAMPLANNER_H
