// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory that a block of iterations reads, as rows of neighbours.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_PLAN_BLOCKROWS_H
#define PLUMB_COMPILER_CODEGEN_CPU_PLAN_BLOCKROWS_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>

namespace plumb {

/// Memory that a range of iterations reads: `count` rows of `elements` neighbours, at a distance of `apart` elements.
struct BlockRows {
  int64_t elements = 1, count = 1, apart = 0;

  /// One row that covers everything where the accesses do not form equal rows.
  static BlockRows get(llvm::ArrayRef<int64_t> strides, llvm::ArrayRef<int64_t> extents);
};

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_PLAN_BLOCKROWS_H
