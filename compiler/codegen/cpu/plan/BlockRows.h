// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory that a block of iterations reads, as contiguous rows.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_PLAN_BLOCKROWS_H
#define PLUMB_COMPILER_CODEGEN_CPU_PLAN_BLOCKROWS_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>

namespace plumb {

/// Memory that a range of iterations reads: `count` rows of `elements` contiguous elements. `distance` is the number of
/// elements from the start of one row to the start of the next.
struct BlockRows {
  int64_t elements = 1, count = 1, distance = 0;

  /// One row that covers everything where the accesses do not form equal rows.
  static BlockRows get(llvm::ArrayRef<int64_t> strides, llvm::ArrayRef<int64_t> extents);
};

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_PLAN_BLOCKROWS_H
