// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The register tiles that a plan may have, and the shapes of its tiles, remainders included.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_PLAN_TILES_H
#define PLUMB_COMPILER_CODEGEN_CPU_PLAN_TILES_H

#include "compiler/codegen/cpu/plan/KernelPlan.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace plumb {

/// Limits and callback of an enumeration of tiles.
struct TileChoice {
  /// The largest count of a tile.
  int64_t maxSteps;
  /// Tiles that do not fit are not enlarged.
  llvm::function_ref<bool(const KernelPlan &)> fits;
  /// Called with each plan; must leave it unchanged.
  llvm::function_ref<void(KernelPlan &)> consider;
};

/// Enumerates the tiles of `plan`: none, tiles along each parallel loop other than the lane loop, and along each
/// ordered pair of them. Pooled loops are always tiled, by multiples of the window, together with at most one more loop
/// outside or inside of them.
void enumerateTiles(const LinearNest &nest, KernelPlan &plan, const TileChoice &choice);

/// Register tiles of one shape: iterations along each tiled loop, vectors along the lanes, and the number of such
/// tiles.
struct TileShape {
  llvm::SmallVector<int64_t> counts;
  int64_t vectors;
  double repeats;

  /// Accumulators per result.
  int64_t accumulators() const;
};

/// The shape of a full tile.
TileShape getFullShape(const KernelPlan &plan);

/// The shapes of the plan's tiles: full ones and remainders along each tiled loop and along the lanes.
llvm::SmallVector<TileShape> findTileShapes(const LinearNest &nest, const KernelPlan &plan);

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_PLAN_TILES_H
