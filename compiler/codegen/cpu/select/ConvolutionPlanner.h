// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans convolutions with padding: contractions in which a parallel and a reduction loop move an input together, so
// that sliding windows overlap. Beyond what other contractions need,
//
// * a window that is unrolled under a tile of its parallel loop loads shared elements once: 16 pixels and 3 taps read
// 18 elements, not 48;
// * where there are too few registers for that beside enough accumulators to hide latencies, each tap is a contraction
// of its own over channels, and only its ends depend on the bounds;
// * tiles should divide a row without remainder, as latencies dominate short tiles;
// * backward weights of neighbouring taps share elements, too: after loop skewing (LinearNest::skew), one broadcast
// serves all taps of a row;
// * backward weights read complete images for a small result: the reduction over images is blocked so that a block fits
// in a cache for all passes over it; the next block is prefetched meanwhile, and the result is stored between blocks.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_SELECT_CONVOLUTIONPLANNER_H
#define PLUMB_COMPILER_CODEGEN_CPU_SELECT_CONVOLUTIONPLANNER_H

#include "compiler/codegen/cpu/select/Planners.h"

namespace plumb {

/// Offers the best plan of a contraction with bounds: a convolution with padding.
void planConvolution(const KernelCost &cost, BestPlans &best);

/// Offers the best plan of a contraction whose innermost row is skewed, if it has one.
void planSkewed(const KernelCost &cost, BestPlans &best);

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_SELECT_CONVOLUTIONPLANNER_H
