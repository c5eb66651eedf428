// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one emitter behind products, convolutions, reductions and elementwise
// work. A plan says which loop becomes the lanes of vectors and which loops are
// unrolled into registers; the emitter builds
//
//   for <parallel loops, by blocks of lanes and tiles, in the plan's order>
//     accumulators = fill value or output      (last block: masked or smaller)
//     for <reduction loops>
//       accumulators = body(inputs, accumulators)
//     output = accumulators
//
// A reduction loop among the outer ones is cut into blocks: accumulators are
// written at a block's end and read again at the next one's start.
//
// Accumulators never touch memory on the way: they are carried by the loops as
// vectors of a power of two of lanes. A reduction may feed several sets of them in
// turn, so that a sum does not wait for its last addition; the sets are combined
// pairwise at the end. When the lanes run along a reduction
// loop, each accumulator is summed across its lanes at the end, once.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_KERNELEMITTER_H
#define PLUMB_COMPILER_CODEGEN_CPU_KERNELEMITTER_H

#include "compiler/codegen/common/CpuTarget.h"
#include "compiler/codegen/cpu/LinearNest.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace plumb {

/// By result of an operation, how partial results combine.
using CombiningKinds = llvm::SmallVector<mlir::vector::CombiningKind, 2>;

/// `count` iterations of one parallel loop, held in registers at once.
struct RegisterTile {
  unsigned loop;
  int64_t count;
};

/// A loop around register tiles: `step` iterations of `loop` per turn.
struct OuterLoop {
  unsigned loop;
  int64_t step;
};

/// An input that is copied into a dense panel before the loops from
/// `order[depth]` on: what they read of it.
struct PackedPanel {
  unsigned operand;
  unsigned depth;
};

/// An input of which the next block, one turn of `order[depth]` on, is asked for
/// while the loops inside go over this one.
struct BlockAhead {
  unsigned operand;
  unsigned depth;
};

/// How one nest becomes vector code.
struct KernelPlan {
  /// What must be done to the nest first: the plan is one for the result.
  std::optional<WindowSlide> slide;
  /// The loop whose iterations are lanes.
  unsigned laneLoop = 0;
  /// Lanes of a vector, a power of two.
  int64_t lanes = 0;
  /// Vectors along `laneLoop` that are held at once (1 for a reduction).
  int64_t vectors = 1;
  /// Parallel loops that are held in registers.
  llvm::SmallVector<RegisterTile> tiles;
  /// All loops around a register tile, from outside in. Every parallel loop's
  /// last entry steps by what registers hold of it: the lanes of its vectors, a
  /// tile's count, or one iteration. Entries before that one, and entries of
  /// reduction loops, step by blocks, which are meant to stay in a cache.
  llvm::SmallVector<OuterLoop> order;
  llvm::SmallVector<PackedPanel> panels;
  /// Reduction loops within a register tile, from outside in; the lane loop, if
  /// it reduces, comes after them.
  llvm::SmallVector<unsigned> reductions;
  /// Inputs whose lines the innermost reduction asks for some iterations ahead.
  llvm::SmallVector<unsigned> ahead;
  llvm::SmallVector<BlockAhead> blocksAhead;
  /// Outputs of elementwise work whose lines are asked for before they are written.
  llvm::SmallVector<unsigned> writesAhead;
  /// By loop: iterations of a reduction loop per turn of its emitted loop.
  llvm::SmallVector<int64_t> unroll;
  /// Inputs that are read along the only tile's loop and turned in registers.
  llvm::SmallVector<unsigned> transposed;
  /// Whether the only tile's loop of two lies between the lanes in the outputs:
  /// pairs of vectors are then zipped and stored as neighbours.
  bool zipsOutputs = false;
  /// By result, how lanes combine; set when `laneLoop` is a reduction.
  std::optional<CombiningKinds> combining;
  /// Sets of accumulators that the innermost reduction feeds in turn.
  int64_t partials = 1;
  /// Whether the body leaves an accumulator alone when its inputs are zero, so
  /// that lanes which were masked out by a load need no second mask.
  bool zeroIsNeutral = false;
};

/// How `op` folds its inputs into its outputs, if it is such an operation: each
/// result is yield(combine(acc, f(inputs))).
std::optional<CombiningKinds> getReductionKinds(mlir::linalg::LinalgOp op);

/// Whether `op` adds a product of two inputs to its output.
bool isContraction(mlir::linalg::LinalgOp op);

/// The fill operation right before `op` whose value `op`'s output `result`
/// starts from and that nothing else sees; null if there is none.
mlir::linalg::FillOp findInitialFill(mlir::linalg::LinalgOp op,
                                     unsigned result);

class Epilogue;

/// Replaces `op`, the stages of `epilogue` and the fills of their outputs by
/// vector code.
void emitKernel(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op,
                const LinearNest &nest, const KernelPlan &plan,
                const CpuTarget &target, const Epilogue &epilogue);

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_KERNELEMITTER_H
