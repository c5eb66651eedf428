// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Static memory allocation: offsets for blocks with known live ranges. PlanArena uses it; it knows no IR.

#ifndef PLUMB_COMPILER_LOWER_ARENALAYOUT_H
#define PLUMB_COMPILER_LOWER_ARENALAYOUT_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>

namespace plumb {

/// The distance, in positions, that is aimed at between the live ranges of two blocks that share bytes.
constexpr int64_t kReuseDistance = 64;

/// A block of memory, live from step position `first` to `last`, both included.
struct ArenaBlock {
  int64_t bytes = 0;
  int64_t first = 0;
  int64_t last = 0;
  int64_t offset = 0;
};

/// Sets the offsets, multiples of `alignment`, so that blocks with overlapping live ranges share no byte, and returns
/// the size of the arena. Among the smallest arenas it prefers one in which blocks that share bytes have distant live
/// ranges: later passes can then move their users.
int64_t layoutArena(llvm::MutableArrayRef<ArenaBlock> blocks, int64_t alignment);

/// A lower bound of the arena's size: the largest sum of the sizes, rounded up, of blocks that are live at one
/// position.
int64_t arenaLowerBound(llvm::ArrayRef<ArenaBlock> blocks, int64_t alignment);

} // namespace plumb

#endif // PLUMB_COMPILER_LOWER_ARENALAYOUT_H
