// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The register tiles that a plan may have, and the shapes that one takes on its
// way through a nest. What both searches for contractions need.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_TILES_H
#define PLUMB_COMPILER_CODEGEN_CPU_TILES_H

#include "compiler/codegen/cpu/KernelEmitter.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace plumb {

/// What a search wants of tiles.
struct TileChoice {
  /// Iterations of one loop at most.
  int64_t mostSteps;
  /// Tiles that do not fit are not made larger.
  llvm::function_ref<bool(const KernelPlan &)> fits;
  /// Takes a plan with the tiles in question; leaves it as it was.
  llvm::function_ref<void(KernelPlan &)> consider;
};

/// Gives `plan` no tile, tiles along each parallel loop beside the lanes, and along
/// each pair of them in both orders. Loops that are pooled behind the nest are always tiled, by
/// whole windows, and one more loop around or in them.
void enumerateTiles(const LinearNest &nest, KernelPlan &plan,
                    const TileChoice &choice);

/// Register tiles of one shape: iterations along each tiled loop, vectors along
/// the lanes, and how often it comes up.
struct TileShape {
  llvm::SmallVector<int64_t> counts;
  int64_t vectors;
  double repeats;

  /// Accumulators of one result.
  int64_t cells() const;
};

/// The shape of a whole tile, once.
TileShape getWholeShape(const KernelPlan &plan);

/// The shapes of the plan's tiles, whole or partial along each tiled loop and
/// along the lanes.
llvm::SmallVector<TileShape> findTileShapes(const LinearNest &nest,
                                            const KernelPlan &plan);

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_TILES_H
