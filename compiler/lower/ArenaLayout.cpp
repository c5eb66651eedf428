// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/lower/ArenaLayout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

#include <map>
#include <optional>

using namespace llvm;
using namespace plumb;

static bool overlap(const ArenaBlock &a, const ArenaBlock &b) { return a.first <= b.last && b.first <= a.last; }

/// The offset for `block` among `neighbours`, which are sorted by offset: in the smallest gap that fits, else after
/// all.
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

/// The offset for `block` that avoids blocks which are live up to `distance` positions before or after it.
static int64_t findOffset(ArenaBlock block, ArrayRef<const ArenaBlock *> assigned, int64_t alignment,
                          int64_t distance) {
  block.first -= distance;
  block.last += distance;
  SmallVector<const ArenaBlock *> neighbours;
  copy_if(assigned, std::back_inserter(neighbours), [&](const ArenaBlock *other) { return overlap(block, *other); });
  return findGap(block, neighbours, alignment);
}

/// Sets all offsets and returns the size of the arena. Live ranges of blocks that share bytes have a distance of
/// `distance`; for a block that would exceed `limit` bytes this way, the distance is halved until it fits.
static int64_t assignOffsets(MutableArrayRef<ArenaBlock> blocks, int64_t alignment, int64_t distance, int64_t limit) {
  // Largest first; blocks of equal size in order of their live ranges, so that the result is deterministic.
  SmallVector<ArenaBlock *> order;
  for (ArenaBlock &block : blocks)
    order.push_back(&block);
  stable_sort(order, [](ArenaBlock *a, ArenaBlock *b) {
    return std::tuple(-a->bytes, a->first, a->last) < std::tuple(-b->bytes, b->first, b->last);
  });
  int64_t total = 0;
  SmallVector<const ArenaBlock *> assigned;
  for (ArenaBlock *block : order) {
    for (int64_t current = distance;; current /= 2) {
      block->offset = findOffset(*block, assigned, alignment, current);
      if (current == 0 || block->offset + block->bytes <= limit)
        break;
    }
    total = std::max(total, static_cast<int64_t>(alignTo(block->offset + block->bytes, alignment)));
    auto position =
        upper_bound(assigned, block, [](const ArenaBlock *a, const ArenaBlock *b) { return a->offset < b->offset; });
    assigned.insert(position, block);
  }
  return total;
}

int64_t plumb::layoutArena(MutableArrayRef<ArenaBlock> blocks, int64_t alignment) {
  int64_t bytes = assignOffsets(blocks, alignment, 0, 0);
  SmallVector<ArenaBlock> separated(blocks);
  for (int64_t distance = kReuseDistance; distance > 0; distance /= 2)
    if (int64_t total = assignOffsets(separated, alignment, distance, bytes); total <= bytes) {
      copy(separated, blocks.begin());
      return total;
    }
  return bytes;
}

int64_t plumb::arenaLowerBound(ArrayRef<ArenaBlock> blocks, int64_t alignment) {
  std::map<int64_t, int64_t> changes;
  for (const ArenaBlock &block : blocks) {
    int64_t bytes = alignTo(block.bytes, alignment);
    changes[block.first] += bytes;
    changes[block.last + 1] -= bytes;
  }
  int64_t live = 0, max = 0;
  for (auto [position, change] : changes)
    max = std::max(max, live += change);
  return max;
}
