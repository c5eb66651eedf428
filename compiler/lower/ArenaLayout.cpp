// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/lower/ArenaLayout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

#include <map>
#include <optional>

using namespace llvm;
using namespace plumb;

static bool meet(const ArenaBlock &a, const ArenaBlock &b) { return a.first <= b.last && b.first <= a.last; }

/// The offset for `block` among `neighbours`, placed blocks alive with it in order of offset: the smallest gap that
/// fits, else behind the last.
static int64_t findGap(const ArenaBlock &block, ArrayRef<const ArenaBlock *> neighbours, int64_t alignment) {
  int64_t end = 0, bestBytes = 0;
  std::optional<int64_t> best;
  for (const ArenaBlock *neighbour : neighbours) {
    int64_t gap = neighbour->offset - end;
    if (gap >= block.bytes && (!best || gap < bestBytes)) {
      best = end;
      bestBytes = gap;
    }
    end = std::max(end, static_cast<int64_t>(alignTo(neighbour->offset + neighbour->bytes, alignment)));
  }
  return best.value_or(end);
}

int64_t plumb::layoutArena(MutableArrayRef<ArenaBlock> blocks, int64_t alignment) {
  // Largest first; equal ones in order of their lives, so that the layout does not depend on anything else.
  SmallVector<ArenaBlock *> order;
  for (ArenaBlock &block : blocks)
    order.push_back(&block);
  stable_sort(order, [](ArenaBlock *a, ArenaBlock *b) {
    return std::tuple(-a->bytes, a->first, a->last) < std::tuple(-b->bytes, b->first, b->last);
  });
  int64_t total = 0;
  SmallVector<const ArenaBlock *> placed;
  for (ArenaBlock *block : order) {
    SmallVector<const ArenaBlock *> neighbours;
    copy_if(placed, std::back_inserter(neighbours), [&](const ArenaBlock *other) { return meet(*block, *other); });
    block->offset = findGap(*block, neighbours, alignment);
    total = std::max(total, static_cast<int64_t>(alignTo(block->offset + block->bytes, alignment)));
    auto behind = upper_bound(placed, block, [](const ArenaBlock *a, const ArenaBlock *b) { return a->offset < b->offset; });
    placed.insert(behind, block);
  }
  return total;
}

int64_t plumb::arenaLowerBound(ArrayRef<ArenaBlock> blocks, int64_t alignment) {
  std::map<int64_t, int64_t> changes;
  for (const ArenaBlock &block : blocks) {
    int64_t bytes = alignTo(block.bytes, alignment);
    changes[block.first] += bytes;
    changes[block.last + 1] -= bytes;
  }
  int64_t alive = 0, most = 0;
  for (auto [position, change] : changes)
    most = std::max(most, alive += change);
  return most;
}
