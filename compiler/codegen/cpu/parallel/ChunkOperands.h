// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operands of one chunk.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_PARALLEL_CHUNKOPERANDS_H
#define PLUMB_COMPILER_CODEGEN_CPU_PARALLEL_CHUNKOPERANDS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace plumb {

/// An operand as one chunk accesses it.
struct ChunkOperand {
  mlir::Type type;
  /// Bytes from one chunk's operand to the next one's; 0 where all chunks access the same.
  int64_t step = 0;
  /// Whether the partitioned loop alone moves along the operand's partitioned dimension.
  bool isOwn = false;

  bool operator==(const ChunkOperand &other) const { return type == other.type && step == other.step; }
};

/// Bytes of one element of a buffer.
int64_t getElementBytes(mlir::MemRefType type);

/// The operand of a chunk of `1 / chunks` of `loop`. Fails where an address alone cannot select the chunk.
mlir::FailureOr<ChunkOperand> getPart(mlir::linalg::LinalgOp op, mlir::OpOperand &operand, unsigned loop,
                                      int64_t chunks);

/// The kernel's argument that `value` is, reshapes, or pads with a halo; or null.
mlir::BlockArgument getKernelArgument(mlir::Value value);

/// The type of the source of `value`, if that is a halo, where the halo's type is `part`; otherwise `part`.
mlir::Type getSourceType(mlir::Value value, mlir::Type part);

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_PARALLEL_CHUNKOPERANDS_H
