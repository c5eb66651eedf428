// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the elements of a packed input lie. What register tiles read together
// is together: lanes are innermost, then the steps of tiles, then reductions,
// then the tiles; an input that is broadcast and whose neighbours lie along a
// reduction keeps rows along it, so that copying needs no transposition.
//
//   b[k, n]: 256 × 512, blocks of 48 lanes    →  panel[n / 48][k][n % 48]
//   a[m, k]: 512 × 256, tiles of 8 rows       →  panel[m][k]

#ifndef PLUMB_COMPILER_CODEGEN_CPU_PANELLAYOUT_H
#define PLUMB_COMPILER_CODEGEN_CPU_PANELLAYOUT_H

#include "compiler/codegen/cpu/KernelEmitter.h"

namespace plumb {

/// Iterations of `loop` that registers hold at once.
int64_t getHeld(const KernelPlan &plan, unsigned loop);

/// Whether every iteration of the loops that `operand` is walked by reads an
/// element of its own, so that copies need no more room than what they copy.
bool hasOwnPlaces(const LinearNest &nest, unsigned operand);

/// The place of each element of one panel.
struct PanelLayout {
  /// By loop: the step of the loops around register tiles, per iteration, and
  /// the step within a tile.
  llvm::SmallVector<int64_t> outer, inner;
  int64_t elements = 1;

  /// `extents`: iterations by loop that the panel covers.
  static PanelLayout get(const LinearNest &nest, const KernelPlan &plan,
                         unsigned operand, llvm::ArrayRef<int64_t> extents);
};

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_PANELLAYOUT_H
