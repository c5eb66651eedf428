// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The scalar body of a linalg operation on vectors: each elementwise operation is built again with vector types,
// scalars are broadcast where an operation has vector operands, and a multiplication with one use in an addition
// becomes a fused multiply-add where the target has it.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_EMIT_VECTORBODY_H
#define PLUMB_COMPILER_CODEGEN_CPU_EMIT_VECTORBODY_H

#include "compiler/target/CpuTarget.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/DenseSet.h"

namespace plumb {

/// Builds the body of one operation on vectors, any number of times.
class VectorBody {
public:
  VectorBody(mlir::linalg::LinalgOp op, const CpuTarget &target);

  /// Builds the body for `arguments`, a vector or scalar per block argument, null where the body does not use it.
  /// `index(loop)` yields a vector of indices. Returns the yielded values as vectors of `lanes` lanes.
  llvm::SmallVector<mlir::Value> replay(mlir::ImplicitLocOpBuilder &builder, mlir::ValueRange arguments, int64_t lanes,
                                        llvm::function_ref<mlir::Value(unsigned)> index) const;

private:
  mlir::linalg::LinalgOp op;
  /// Multiplications that become part of a fused multiply-add.
  llvm::DenseSet<mlir::Operation *> fused;
};

/// Broadcasts `value` to `lanes` lanes unless it is a vector already.
mlir::Value broadcastTo(mlir::ImplicitLocOpBuilder &builder, mlir::Value value, int64_t lanes);

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_EMIT_VECTORBODY_H
