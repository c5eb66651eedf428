// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/codegen/cpu/plan/Tiles.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace plumb;

namespace {

/// Enumerates tiles of one plan.
class TileEnumerator {
public:
  TileEnumerator(const LinearNest &nest, KernelPlan &plan, const TileChoice &choice)
      : nest(nest), plan(plan), choice(choice) {}

  void run();

private:
  void tryPairs(ArrayRef<unsigned> loops);
  void tryPooled(ArrayRef<unsigned> loops);
  void trySteps(ArrayRef<unsigned> loops);

  const LinearNest &nest;
  KernelPlan &plan;
  const TileChoice &choice;
};

} // namespace

void TileEnumerator::run() {
  SmallVector<unsigned> loops;
  for (unsigned loop = 0; loop < nest.loops(); ++loop)
    if (nest.isParallel(loop) && loop != plan.laneLoop)
      loops.push_back(loop);
  nest.windows.empty() ? tryPairs(loops) : tryPooled(loops);
}

/// No tile, each loop, and each pair of them.
void TileEnumerator::tryPairs(ArrayRef<unsigned> loops) {
  trySteps({});
  for (unsigned first : loops) {
    trySteps({first});
    for (unsigned second : loops)
      if (second != first)
        trySteps({first, second});
  }
}

/// The pooled loops, and each of the others outside or inside of them.
void TileEnumerator::tryPooled(ArrayRef<unsigned> loops) {
  SmallVector<unsigned> pooled;
  for (const PoolingWindow &window : nest.windows)
    pooled.push_back(window.loop);
  trySteps(pooled);
  for (unsigned loop : loops) {
    if (nest.findWindow(loop))
      continue;
    SmallVector<unsigned> outside{loop}, inside(pooled);
    outside.append(pooled);
    inside.push_back(loop);
    trySteps(outside);
    trySteps(inside);
  }
}

/// All counts for the given loops.
void TileEnumerator::trySteps(ArrayRef<unsigned> loops) {
  if (plan.tiles.size() == loops.size())
    return choice.consider(plan);
  unsigned loop = loops[plan.tiles.size()];
  int64_t maxCount = std::min(choice.maxSteps, nest.sizes[loop]);
  const PoolingWindow *pooled = nest.findWindow(loop);
  int64_t minCount = pooled ? pooled->size : 2, step = pooled ? pooled->size : 1;
  for (int64_t count = minCount; count <= maxCount; count += step) {
    plan.tiles.push_back({loop, count});
    if (choice.fits(plan))
      trySteps(loops);
    plan.tiles.pop_back();
  }
}

void plumb::enumerateTiles(const LinearNest &nest, KernelPlan &plan, const TileChoice &choice) {
  TileEnumerator(nest, plan, choice).run();
}

int64_t TileShape::accumulators() const {
  int64_t product = vectors;
  for (int64_t count : counts)
    product *= count;
  return product;
}

TileShape plumb::getFullShape(const KernelPlan &plan) {
  TileShape shape{{}, plan.vectors, 1};
  for (const RegisterTile &tile : plan.tiles)
    shape.counts.push_back(tile.count);
  return shape;
}

/// The product of the trip counts of loops that are not tiled.
static double countRepeats(const LinearNest &nest, const KernelPlan &plan) {
  double repeats = 1;
  for (unsigned loop = 0; loop < nest.loops(); ++loop)
    if (nest.isParallel(loop) && loop != plan.laneLoop &&
        llvm::none_of(plan.tiles, [&](const RegisterTile &tile) { return tile.loop == loop; }))
      repeats *= nest.sizes[loop];
  return repeats;
}

SmallVector<TileShape> plumb::findTileShapes(const LinearNest &nest, const KernelPlan &plan) {
  int64_t blocks = 1;
  if (nest.isParallel(plan.laneLoop))
    blocks = llvm::divideCeil(nest.sizes[plan.laneLoop], plan.lanes);
  SmallVector<TileShape> shapes;
  auto add = [&](const TileShape &shape, int64_t repeats) {
    if (repeats == 0)
      return;
    shapes.push_back(shape);
    shapes.back().repeats *= repeats;
  };
  double outer = countRepeats(nest, plan);
  add({{}, plan.vectors, outer}, blocks / plan.vectors);
  add({{}, blocks % plan.vectors, outer}, blocks % plan.vectors != 0);
  for (const RegisterTile &tile : plan.tiles) {
    SmallVector<TileShape> parts;
    std::swap(parts, shapes);
    int64_t size = nest.sizes[tile.loop], remainder = size % tile.count;
    for (TileShape &shape : parts) {
      shape.counts.push_back(tile.count);
      add(shape, size / tile.count);
      shape.counts.back() = remainder;
      add(shape, remainder != 0);
    }
  }
  return shapes;
}
