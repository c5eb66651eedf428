// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elementwise work, fills, copies, transposes: a few vectors at once.

#include "compiler/codegen/cpu/KernelPricing.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace plumb;

/// Vectors of one turn: enough to hide what a loop costs.
static int64_t mostVectors(const KernelPricing &pricing) {
  return pricing.operations <= 8 ? 4 : 1;
}

/// Turns squares of `input` in registers where its neighbours lie along another
/// loop than the lanes. All such inputs share one loop.
static void turnSquares(const KernelPricing &pricing, unsigned input,
                        KernelPlan &plan) {
  const LinearNest &nest = pricing.nest;
  for (unsigned loop = 0; loop < nest.loops(); ++loop) {
    bool taken = !plan.tiles.empty() && plan.tiles[0].loop != loop;
    if (nest.stride(input, loop) != 1 || nest.sizes[loop] < 3 || taken)
      continue;
    plan.lanes = pricing.target.lanes(pricing.elementBits);
    plan.vectors = 1;
    plan.tiles.assign(1, {loop, std::min(plan.lanes, nest.sizes[loop])});
    plan.transposed.push_back(input);
    return;
  }
}

/// Holds several rows at once where a row is too short to fill a turn.
static void holdRows(const KernelPricing &pricing, KernelPlan &plan) {
  int64_t vectors = llvm::divideCeil(pricing.nest.sizes[plan.laneLoop], plan.lanes);
  int64_t rows = mostVectors(pricing) / plan.vectors;
  if (!plan.tiles.empty() || vectors > plan.vectors || rows < 2)
    return;
  for (unsigned loop = pricing.nest.loops(); loop-- > 0;)
    if (loop != plan.laneLoop && pricing.nest.sizes[loop] >= rows) {
      plan.tiles.assign(1, {loop, rows});
      return;
    }
}

/// A few vectors along the lanes.
static void planLanes(const KernelPricing &pricing, unsigned loop,
                      BestPlan &best) {
  KernelPlan plan = pricing.startPlan(loop);
  int64_t vectors = llvm::divideCeil(pricing.nest.sizes[loop], plan.lanes);
  plan.vectors = std::min(vectors, mostVectors(pricing));
  for (unsigned input = 0; input < pricing.inputs; ++input) {
    int64_t stride = pricing.nest.stride(input, loop);
    if (stride != 0 && stride != 1 && !pricing.usesIndices &&
        !pricing.unused.contains(input))
      turnSquares(pricing, input, plan);
  }
  holdRows(pricing, plan);
  best.offer(plan, pricing.price(plan));
}

/// Whether every output lies two apart along `loop`, with the other halves
/// along `pair`, a loop of two.
static bool canZip(const KernelPricing &pricing, unsigned loop, unsigned pair) {
  const LinearNest &nest = pricing.nest;
  linalg::LinalgOp op = pricing.op;
  if (nest.sizes[loop] <= 2 || nest.sizes[pair] != 2)
    return false;
  for (unsigned output = 0; output < pricing.outputs; ++output)
    if (nest.stride(pricing.inputs + output, loop) != 2 ||
        nest.stride(pricing.inputs + output, pair) != 1 ||
        !op.getRegionOutputArgs()[output].use_empty())
      return false;
  return true;
}

/// Both halves are computed and zipped. The places of a pooling window, spread
/// over the image, are such.
static void planZipped(const KernelPricing &pricing, unsigned loop,
                       BestPlan &best) {
  KernelPlan plan = pricing.startPlan(loop);
  plan.zipsOutputs = true;
  for (unsigned pair = 0; pair < pricing.nest.loops(); ++pair) {
    if (!canZip(pricing, loop, pair))
      continue;
    plan.tiles.assign(1, {pair, 2});
    best.offer(plan, pricing.price(plan));
  }
}

void plumb::planElementwise(const KernelPricing &pricing, BestPlan &best) {
  for (unsigned loop = 0; loop < pricing.nest.loops(); ++loop)
    if (pricing.canBeLanes(loop))
      planLanes(pricing, loop, best);
    else
      planZipped(pricing, loop, best);
}
