// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectors to and from memory. Buffers are seen as flat arrays, positions as a
// run-time part plus a constant, and a vector's lanes lie a fixed stride apart:
// 0 is a broadcast, 1 a plain load, small strides are two loads and a shuffle,
// and any other one is put together from scalars. The last vector of a row may
// hold fewer elements than lanes (`width`); no byte outside them is touched.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_VECTORMEMORY_H
#define PLUMB_COMPILER_CODEGEN_CPU_VECTORMEMORY_H

#include "compiler/codegen/common/CpuTarget.h"

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
  /// Lanes that mean something, 1 ≤ width ≤ lanes.
  int64_t width;
  /// Distance of neighbouring lanes in memory, in elements.
  int64_t stride;
};

/// Elements from the first to the last of a memref of static strides, both included.
int64_t getSpan(mlir::MemRefType type);

/// Views a memref of static strides as a flat array over its elements.
mlir::Value flattenBuffer(mlir::ImplicitLocOpBuilder &builder,
                          mlir::Value memref);

/// Loads a vector; lanes past `width` are zero. Truth values are bytes in memory.
mlir::Value loadLanes(mlir::ImplicitLocOpBuilder &builder, mlir::Value flat,
                      Position position, LaneShape shape,
                      const CpuTarget &target);

/// Stores the first `width` lanes of `value`.
void storeLanes(mlir::ImplicitLocOpBuilder &builder, mlir::Value value,
                mlir::Value flat, Position position, LaneShape shape,
                const CpuTarget &target);

/// Stores the first `width` lanes of two vectors alternately: e0 o0 e1 o1 ….
void storeZipped(mlir::ImplicitLocOpBuilder &builder, mlir::Value even,
                 mlir::Value odd, mlir::Value flat, Position position,
                 int64_t width, const CpuTarget &target);

/// A constant mask of the first `width` of `lanes` lanes.
mlir::Value makeMask(mlir::ImplicitLocOpBuilder &builder, int64_t lanes,
                     int64_t width);

/// Transposes a square of vectors in registers: result[i][j] = rows[j][i].
/// The number of rows equals the number of lanes, a power of two.
llvm::SmallVector<mlir::Value>
transposeSquare(mlir::ImplicitLocOpBuilder &builder, mlir::ValueRange rows);

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_VECTORMEMORY_H
