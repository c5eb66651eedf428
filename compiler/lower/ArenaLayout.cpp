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

/// The offset for `block`, away from `placed` blocks that are alive up to `rest` positions before or after it.
static int64_t findPlace(ArenaBlock block, ArrayRef<const ArenaBlock *> placed, int64_t alignment, int64_t rest) {
  block.first -= rest;
  block.last += rest;
  SmallVector<const ArenaBlock *> neighbours;
  copy_if(placed, std::back_inserter(neighbours), [&](const ArenaBlock *other) { return meet(block, *other); });
  return findGap(block, neighbours, alignment);
}

/// Places the blocks, with up to `rest` positions between two that share bytes as far as `limit` bytes allow it. Returns
/// the bytes taken.
static int64_t place(MutableArrayRef<ArenaBlock> blocks, int64_t alignment, int64_t rest, int64_t limit) {
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
    for (int64_t apart = rest;; apart /= 2) {
      block->offset = findPlace(*block, placed, alignment, apart);
      if (apart == 0 || block->offset + block->bytes <= limit)
        break;
    }
    total = std::max(total, static_cast<int64_t>(alignTo(block->offset + block->bytes, alignment)));
    auto behind = upper_bound(placed, block, [](const ArenaBlock *a, const ArenaBlock *b) { return a->offset < b->offset; });
    placed.insert(behind, block);
  }
  return total;
}

int64_t plumb::layoutArena(MutableArrayRef<ArenaBlock> blocks, int64_t alignment) {
  int64_t least = place(blocks, alignment, 0, 0);
  SmallVector<ArenaBlock> resting(blocks);
  for (int64_t rest = kArenaRest; rest > 0; rest /= 2)
    if (int64_t total = place(resting, alignment, rest, least); total <= least) {
      copy(resting, blocks.begin());
      return total;
    }
  return least;
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
