// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers for the tensors of one loop, made on demand from a storage plan.

#ifndef PLUMB_COMPILER_LOWER_BUFFERBUILDER_H
#define PLUMB_COMPILER_LOWER_BUFFERBUILDER_H

#include "compiler/lower/StoragePlan.h"

namespace plumb {

class BufferBuilder {
public:
  BufferBuilder(device::LoopOp loop, const StoragePlan &plan);

  /// The buffer that holds `tensor`; a value that is no tensor is itself.
  mlir::Value get(mlir::OpBuilder &builder, mlir::Value tensor);

  /// The buffer that `tensor`, which something is about to define, goes to.
  mlir::Value define(mlir::OpBuilder &builder, mlir::Value tensor);

  /// The memory of the variable `name`.
  mlir::Value getVariable(mlir::StringAttr name, mlir::Location loc);

  /// Says where `tensor` lies.
  void set(mlir::Value tensor, mlir::Value buffer) { buffers[tensor] = buffer; }

  /// The part of the buffer `whole` that `slice` takes, or inserts into, as a tensor of `type`.
  static mlir::Value viewSlice(mlir::OpBuilder &builder, mlir::Value whole, mlir::OffsetSizeAndStrideOpInterface slice,
                               mlir::RankedTensorType type);

  /// Copies between buffers of one shape.
  static void copy(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value from, mlir::Value to);

  /// `buffer` seen as the contiguous `type` with the same number of elements.
  static mlir::Value viewAs(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value buffer, mlir::MemRefType type);

private:
  mlir::Value base(Storage *storage, mlir::Location loc);

  device::LoopOp loop;
  const StoragePlan &plan;
  llvm::DenseMap<mlir::Value, mlir::Value> buffers;
  llvm::DenseMap<Storage *, mlir::Value> bases;
  llvm::DenseMap<mlir::StringAttr, mlir::Value> variables;
};

} // namespace plumb

#endif // PLUMB_COMPILER_LOWER_BUFFERBUILDER_H
