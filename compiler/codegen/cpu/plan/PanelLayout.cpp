// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a plan's loops to strides.

#include "compiler/codegen/cpu/plan/PanelLayout.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace plumb;

/// Rows at a distance of a multiple of this share few cache sets.
constexpr int64_t kRowElements = 64;
constexpr int64_t kRowPadding = 16;

int64_t plumb::getTileStep(const KernelPlan &plan, unsigned loop) {
  if (loop == plan.laneLoop)
    return plan.lanes * plan.vectors;
  for (const RegisterTile &tile : plan.tiles)
    if (tile.loop == loop)
      return tile.count;
  return 1;
}

/// The reduction along which the operand is contiguous, if the operand is broadcast along the lanes, so that rows along
/// the reduction suit the register tiles; else nothing.
static std::optional<unsigned> findRow(const LinearNest &nest, const KernelPlan &plan, unsigned operand) {
  if (nest.stride(operand, plan.laneLoop) != 0)
    return std::nullopt;
  for (unsigned loop : plan.reductions)
    if (nest.stride(operand, loop) == 1)
      return loop;
  return std::nullopt;
}

PanelLayout PanelLayout::get(const LinearNest &nest, const KernelPlan &plan, unsigned operand,
                             ArrayRef<int64_t> extents) {
  PanelLayout layout;
  layout.outer.assign(nest.loops(), 0);
  layout.inner.assign(nest.loops(), 0);
  auto addLoop = [&](unsigned loop, int64_t extent) {
    layout.outer[loop] = layout.inner[loop] = layout.elements;
    layout.elements *= extent;
  };
  std::optional<unsigned> row = findRow(nest, plan, operand);
  if (row) {
    addLoop(*row, extents[*row]);
    if (layout.elements % kRowElements == 0)
      layout.elements += kRowPadding;
  } else {
    if (nest.stride(operand, plan.laneLoop) != 0)
      addLoop(plan.laneLoop, getTileStep(plan, plan.laneLoop));
    for (const RegisterTile &tile : plan.tiles)
      if (nest.stride(operand, tile.loop) != 0)
        addLoop(tile.loop, tile.count);
  }
  for (unsigned loop : llvm::reverse(plan.reductions))
    if (nest.stride(operand, loop) != 0 && loop != row)
      addLoop(loop, extents[loop]);
  for (const OuterLoop &entry : llvm::reverse(plan.order)) {
    unsigned loop = entry.loop;
    bool seen = layout.outer[loop] != layout.inner[loop];
    if (!nest.isParallel(loop) || nest.stride(operand, loop) == 0 || seen)
      continue;
    if (layout.inner[loop] == 0) {
      addLoop(loop, extents[loop]);
    } else if (extents[loop] > getTileStep(plan, loop)) {
      layout.outer[loop] = layout.elements / getTileStep(plan, loop);
      layout.elements *= llvm::divideCeil(extents[loop], getTileStep(plan, loop));
    }
  }
  return layout;
}
