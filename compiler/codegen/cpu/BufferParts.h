// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one grain of a kernel sees of a buffer.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_BUFFERPARTS_H
#define PLUMB_COMPILER_CODEGEN_CPU_BUFFERPARTS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace plumb {

/// What one grain sees of an operand.
struct BufferPart {
  mlir::Type type;
  /// Bytes from one grain's part to the next one's; 0 where all see the same.
  int64_t step = 0;
  /// Whether the loop alone moves along the dimension that is cut.
  bool isOwn = false;

  bool operator==(const BufferPart &other) const {
    return type == other.type && step == other.step;
  }
};

/// Bytes of one element of a buffer.
int64_t getElementBytes(mlir::MemRefType type);

/// The part of `operand` for a grain of `1 / grains` of `loop`; failure where grains
/// cannot be told apart by an address.
mlir::FailureOr<BufferPart> getPart(mlir::linalg::LinalgOp op,
                                    mlir::OpOperand &operand, unsigned loop,
                                    int64_t grains);

/// The argument of the kernel that `value` is, or is another shape or a halo of; or
/// null.
mlir::BlockArgument getKernelArgument(mlir::Value value);

/// The type of what `value` is a halo of, where the halo's is `part`; or `part`.
mlir::Type getSourceType(mlir::Value value, mlir::Type part);

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_BUFFERPARTS_H
