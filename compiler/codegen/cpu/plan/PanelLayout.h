// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layout of packed inputs. Elements that a register tile uses together are contiguous: lanes are innermost, then
// the iterations of tiles, then reductions, then the tiles. An input that is broadcast along the lanes and contiguous
// along a reduction keeps its rows, so that copying needs no transposition.
//
//   b[k, n]: 256 × 512, blocks of 48 lanes    →  panel[n / 48][k][n % 48]
//   a[m, k]: 512 × 256, tiles of 8 rows       →  panel[m][k]

#ifndef PLUMB_COMPILER_CODEGEN_CPU_PLAN_PANELLAYOUT_H
#define PLUMB_COMPILER_CODEGEN_CPU_PLAN_PANELLAYOUT_H

#include "compiler/codegen/cpu/plan/KernelPlan.h"

namespace plumb {

/// Iterations of `loop` in one register tile.
int64_t getTileStep(const KernelPlan &plan, unsigned loop);

/// The offset of each element of one panel.
struct PanelLayout {
  /// By loop: the stride per iteration of the loops around register tiles, and the stride within a tile.
  llvm::SmallVector<int64_t> outer, inner;
  int64_t elements = 1;

  /// `extents`: iterations by loop that the panel covers.
  static PanelLayout get(const LinearNest &nest, const KernelPlan &plan, unsigned operand,
                         llvm::ArrayRef<int64_t> extents);
};

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_PLAN_PANELLAYOUT_H
