// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vector loads and stores. Buffers are flat arrays, positions are a dynamic part plus a constant, and the lanes of a
// vector have a constant stride: 0 is a broadcast, 1 a contiguous load, 2 two loads and a shuffle, and other strides
// are scalar loads. The last vector of a row may have fewer elements than lanes (`width`); no byte outside them is
// accessed.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_EMIT_VECTORMEMORY_H
#define PLUMB_COMPILER_CODEGEN_CPU_EMIT_VECTORMEMORY_H

#include "compiler/target/CpuTarget.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace plumb {

/// A position: `dynamic` (may be null) plus `constant`, in elements.
struct Position {
  mlir::Value dynamic;
  int64_t constant = 0;

  /// The position as one index value.
  mlir::Value materialize(mlir::ImplicitLocOpBuilder &builder) const;
};

/// The shape of one vector access.
struct LaneShape {
  /// Lanes of the vector type.
  int64_t lanes;
  /// Lanes in use, 1 ≤ width ≤ lanes.
  int64_t width;
  /// Elements between neighbouring lanes in memory.
  int64_t stride;
};

/// A view of a memref with static strides as a flat array.
mlir::Value flattenBuffer(mlir::ImplicitLocOpBuilder &builder, mlir::Value memref);

/// Loads a vector; lanes past `width` are zero. Booleans are bytes in memory.
mlir::Value loadLanes(mlir::ImplicitLocOpBuilder &builder, mlir::Value flat, Position position, LaneShape shape,
                      const CpuTarget &target);

/// Stores the first `width` lanes of `value`.
void storeLanes(mlir::ImplicitLocOpBuilder &builder, mlir::Value value, mlir::Value flat, Position position,
                LaneShape shape, const CpuTarget &target);

/// Interleaves two vectors and stores `width` lanes of each: e0 o0 e1 o1 ….
void storeInterleaved(mlir::ImplicitLocOpBuilder &builder, mlir::Value even, mlir::Value odd, mlir::Value flat,
                      Position position, int64_t width, const CpuTarget &target);

/// A constant mask of the first `width` of `lanes` lanes.
mlir::Value makeMask(mlir::ImplicitLocOpBuilder &builder, int64_t lanes, int64_t width);

/// Transposes a square of vectors in registers: result[i][j] = rows[j][i].
/// The number of rows equals the number of lanes, a power of two.
llvm::SmallVector<mlir::Value> transposeSquare(mlir::ImplicitLocOpBuilder &builder, mlir::ValueRange rows);

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_EMIT_VECTORMEMORY_H
