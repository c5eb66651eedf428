// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans convolutions within pads: contractions in which a parallel and a
// reduction loop move an input together, so that windows overlap. Beyond what
// products need,
//
// * a window that is unrolled under a tile of its parallel loop loads what its
//   steps share once: 16 pixels and 3 taps read 18 elements, not 48;
// * where registers are too few for that beside accumulators that hide latencies,
//   each tap is a product whose sum runs over channels; only its ends know of edges;
// * tiles should part a row without a rest, as short tiles wait for latencies;
// * backward weights of neighbouring taps share elements too. Counted by pixels
//   of the image (LinearNest::slide), one broadcast serves all taps of a row;
// * backward weights read whole images for a small result: images are taken one
//   block after the other, each small enough to stay in a cache for all passes
//   over it, the next one is fetched meanwhile, and the result waits in memory
//   between the blocks.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_WINDOWPLANNER_H
#define PLUMB_COMPILER_CODEGEN_CPU_WINDOWPLANNER_H

#include "compiler/codegen/cpu/KernelPricing.h"

namespace plumb {

/// Offers the best plan of a contraction with bounds: a convolution within pads.
void planWindow(const KernelPricing &pricing, BestPlan &best);

/// Offers the best plan of a contraction counted by the places of its innermost
/// row, if it has one.
void planSlide(const KernelPricing &pricing, BestPlan &best);

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_WINDOWPLANNER_H
