// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The buffers of the tensors of one loop, created on demand from a storage plan.

#ifndef PLUMB_COMPILER_LOWER_BUFFERBUILDER_H
#define PLUMB_COMPILER_LOWER_BUFFERBUILDER_H

#include "compiler/lower/StoragePlan.h"

namespace plumb {

class BufferBuilder {
public:
  BufferBuilder(device::LoopOp loop, const StoragePlan &plan);

  /// The buffer of `tensor`; `tensor` itself if it is not a tensor.
  mlir::Value get(mlir::OpBuilder &builder, mlir::Value tensor);

  /// The buffer for `tensor`, whose definition is being converted.
  mlir::Value define(mlir::OpBuilder &builder, mlir::Value tensor);

  /// The memory of the variable `name`.
  mlir::Value getVariable(mlir::StringAttr name, mlir::Location loc);

  /// Sets the buffer of `tensor`.
  void set(mlir::Value tensor, mlir::Value buffer) { buffers[tensor] = buffer; }

  /// The subview of `whole` for an extraction or insertion of a tensor of `type`.
  static mlir::Value viewSlice(mlir::OpBuilder &builder, mlir::Value whole, mlir::OffsetSizeAndStrideOpInterface slice,
                               mlir::RankedTensorType type);

  /// Copies between buffers of one shape.
  static void copy(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value from, mlir::Value to);

  /// A view of `buffer` as the contiguous `type` with the same number of elements.
  static mlir::Value viewAs(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value buffer, mlir::MemRefType type);

private:
  mlir::Value base(Storage *storage, mlir::Location loc);

  device::LoopOp loop;
  mlir::SymbolTable symbols; ///< Of the loop's module.
  const StoragePlan &plan;
  llvm::DenseMap<mlir::Value, mlir::Value> buffers;
  llvm::DenseMap<Storage *, mlir::Value> bases;
  llvm::DenseMap<mlir::StringAttr, mlir::Value> variables;
};

} // namespace plumb

#endif // PLUMB_COMPILER_LOWER_BUFFERBUILDER_H
