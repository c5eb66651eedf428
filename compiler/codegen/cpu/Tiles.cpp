// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/codegen/cpu/Tiles.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace plumb;

namespace {

/// Enumerates tiles of one plan.
class TileEnumerator {
public:
  TileEnumerator(const LinearNest &nest, KernelPlan &plan,
                 const TileChoice &choice)
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
      if (choice.bothOrders ? second != first : second > first)
        trySteps({first, second});
  }
}

/// The loops that something behind the nest pools, and one more around or in them.
void TileEnumerator::tryPooled(ArrayRef<unsigned> loops) {
  SmallVector<unsigned> pooled;
  for (const LinearWindow &window : nest.windows)
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

/// All counts for the given tiled loops.
void TileEnumerator::trySteps(ArrayRef<unsigned> loops) {
  if (plan.tiles.size() == loops.size())
    return choice.consider(plan);
  unsigned loop = loops[plan.tiles.size()];
  int64_t most = std::min(choice.mostSteps, nest.sizes[loop]);
  const LinearWindow *pooled = nest.findWindow(loop);
  int64_t least = pooled ? pooled->size : 2, step = pooled ? pooled->size : 1;
  for (int64_t count = least; count <= most; count += step) {
    plan.tiles.push_back({loop, count});
    if (choice.fits(plan))
      trySteps(loops);
    plan.tiles.pop_back();
  }
}

void plumb::enumerateTiles(const LinearNest &nest, KernelPlan &plan,
                           const TileChoice &choice) {
  TileEnumerator(nest, plan, choice).run();
}

SmallVector<TileShape> plumb::findTileShapes(const LinearNest &nest,
                                             const KernelPlan &plan) {
  auto isTiled = [&](unsigned loop) {
    return llvm::any_of(plan.tiles, [&](const RegisterTile &tile) {
      return tile.loop == loop;
    });
  };
  double outer = 1;
  for (unsigned loop = 0; loop < nest.loops(); ++loop)
    if (nest.isParallel(loop) && loop != plan.laneLoop && !isTiled(loop))
      outer *= nest.sizes[loop];
  SmallVector<TileShape> shapes{{outer, {}}};
  for (const RegisterTile &tile : plan.tiles) {
    SmallVector<TileShape> next;
    int64_t size = nest.sizes[tile.loop], rest = size % tile.count;
    for (const TileShape &shape : shapes) {
      next.push_back({shape.repeats * (size / tile.count), shape.counts});
      next.back().counts.push_back(tile.count);
      if (rest == 0)
        continue;
      next.push_back(shape);
      next.back().counts.push_back(rest);
    }
    shapes = std::move(next);
  }
  return shapes;
}
