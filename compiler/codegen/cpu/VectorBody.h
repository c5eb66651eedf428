// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The scalar body of a linalg operation, replayed on vectors: each operation
// that maps elementwise is built again with vector types, scalars are broadcast
// where a vector meets them, and a multiplication that only feeds an addition
// becomes one fused multiply-add where the target has it.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_VECTORBODY_H
#define PLUMB_COMPILER_CODEGEN_CPU_VECTORBODY_H

#include "compiler/codegen/common/CpuTarget.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/DenseSet.h"

namespace plumb {

/// Replays the body of one operation, any number of times.
class VectorBody {
public:
  VectorBody(mlir::linalg::LinalgOp op, const CpuTarget &target);

  /// Whether every operation of the body has a vector form.
  static bool isVectorizable(mlir::linalg::LinalgOp op);

  /// Multiplications and additions of one replay, for cost models.
  static int64_t countOperations(mlir::linalg::LinalgOp op);

  /// Builds the body for `arguments` (vector or scalar, by block argument; null
  /// where the body does not use it). `index(loop)` yields a vector of indices.
  /// Returns what the body yields, as vectors of `lanes` lanes.
  llvm::SmallVector<mlir::Value>
  replay(mlir::ImplicitLocOpBuilder &builder, mlir::ValueRange arguments,
         int64_t lanes, llvm::function_ref<mlir::Value(unsigned)> index) const;

private:
  mlir::linalg::LinalgOp op;
  /// Multiplications that are swallowed by an addition.
  llvm::DenseSet<mlir::Operation *> fused;
};

/// Broadcasts `value` to `lanes` lanes unless it is a vector already.
mlir::Value broadcastTo(mlir::ImplicitLocOpBuilder &builder, mlir::Value value,
                        int64_t lanes);

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_VECTORBODY_H
