// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that run one chunk of a kernel (KernelPartition.h).

#ifndef PLUMB_COMPILER_CODEGEN_CPU_PARALLEL_CHUNKFUNCTION_H
#define PLUMB_COMPILER_CODEGEN_CPU_PARALLEL_CHUNKFUNCTION_H

#include "compiler/codegen/cpu/parallel/KernelPartition.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace plumb {

/// The function of one chunk. Each of its arguments is an argument of the kernel whose address grows by `steps` bytes
/// per chunk. The number after the kernel's last argument stands for the partial results of a sum.
struct ChunkFunction {
  mlir::func::FuncOp function;
  llvm::SmallVector<unsigned> arguments;
  llvm::SmallVector<int64_t> steps;
};

/// Builds a function, in no module yet, that runs one chunk of `ops`, operations of `kernel`; or all of them where the
/// partition has no chunks.
ChunkFunction buildChunkFunction(mlir::func::FuncOp kernel, LinalgOps ops, const KernelPartition &partition);

/// Builds a function that runs after all chunks of a sum: it adds up their partial results and runs the operations
/// after the sum.
ChunkFunction buildSumFunction(mlir::func::FuncOp kernel, LinalgOps ops, const KernelPartition &partition);

/// The buffer of a sum's partial results: one set of results per chunk.
mlir::MemRefType getPartialsType(LinalgOps ops, const KernelPartition &partition);

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_PARALLEL_CHUNKFUNCTION_H
