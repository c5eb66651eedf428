// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The emitter of contractions, reductions and elementwise operations. A plan says which loop provides the lanes of
// vectors and which loops are unrolled into registers; the emitter builds
//
//   for <parallel loops, by blocks of lanes and tiles, in the plan's order>
//     accumulators = fill value or output      (last block: masked or smaller)
//     for <reduction loops>
//       accumulators = body(inputs, accumulators)
//     output = accumulators
//
// A reduction loop among the outer ones is blocked: accumulators are stored at a block's end and loaded at the next
// one's start.
//
// Within a tile accumulators stay in registers: loops carry them as vectors of a power of two of lanes. A reduction may
// alternate between several sets of them, so that a sum does not wait for its previous addition; the sets are combined
// pairwise at the end. Where the lanes run along a reduction loop, the lanes of each accumulator are combined once, at
// the end.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_EMIT_KERNELEMITTER_H
#define PLUMB_COMPILER_CODEGEN_CPU_EMIT_KERNELEMITTER_H

#include "compiler/codegen/cpu/plan/Epilogue.h"
#include "compiler/target/CpuTarget.h"

namespace plumb {

/// Replaces `op`, the operations of `epilogue` and the fills of their outputs by vector code.
void emitKernel(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op, const LinearNest &nest, const KernelPlan &plan,
                const CpuTarget &target, const Epilogue &epilogue);

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_EMIT_KERNELEMITTER_H
