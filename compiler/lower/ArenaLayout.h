// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Placing blocks that live for a while into one stretch of memory: the arithmetic behind PlanArena, free of IR.

#ifndef PLUMB_COMPILER_LOWER_ARENALAYOUT_H
#define PLUMB_COMPILER_LOWER_ARENALAYOUT_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>

namespace plumb {

/// Positions between two lives at one place, at best.
constexpr int64_t kArenaRest = 64;

/// A block of memory, alive from step position `first` to `last`, both included.
struct ArenaBlock {
  int64_t bytes = 0;
  int64_t first = 0;
  int64_t last = 0;
  int64_t offset = 0;
};

/// Sets the offsets, multiples of `alignment`, so that blocks alive together share no byte. Those that share bytes live as
/// far apart as that takes no more bytes: what uses them can then be done earlier or later. Returns the bytes taken.
int64_t layoutArena(llvm::MutableArrayRef<ArenaBlock> blocks, int64_t alignment);

/// The most bytes, rounded up per block, that are alive at one position: no layout takes less.
int64_t arenaLowerBound(llvm::ArrayRef<ArenaBlock> blocks, int64_t alignment);

} // namespace plumb

#endif // PLUMB_COMPILER_LOWER_ARENALAYOUT_H
