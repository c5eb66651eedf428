// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Partitions of a kernel into chunks. Every operation is partitioned along one of its parallel loops into ranges of
// equal length; chunk g of all operations is one call of a function on parts of their buffers. This is legal where no
// chunk reads what another one writes:
//
//   * each written buffer is partitioned by its operation's loop alone (y[.., i, ..]);
//   * other operations that access the buffer access the same part of it in each chunk;
//   * buffers that are only read may overlap between chunks, as sliding windows do;
//   * buffers that a body captures are read completely by each chunk, so none may be written.
//
// A sum can also be partitioned along its reduction: each chunk then has partial results of its own, which are added
// up, in their order, after all chunks.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_PARALLEL_KERNELPARTITION_H
#define PLUMB_COMPILER_CODEGEN_CPU_PARALLEL_KERNELPARTITION_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>

namespace plumb {

using LinalgOps = llvm::ArrayRef<mlir::linalg::LinalgOp>;

/// The loop along which each operation is partitioned. Where operation `sum` is partitioned along its reduction, only
/// its own loop counts.
struct KernelPartition {
  int64_t chunks = 0;
  llvm::SmallVector<unsigned> loops;
  std::optional<unsigned> sum;
};

/// Whether arguments `a` and `b` of the kernel cannot alias.
using NoAliasQuery = llvm::function_ref<bool(unsigned a, unsigned b)>;

/// Whether arguments `a` and `b` alias in none of `calls`.
bool cannotAliasInAny(llvm::ArrayRef<mlir::func::CallOp> calls, unsigned a, unsigned b);

/// Partitions `ops` of one function along `loop` of operation `main` and the corresponding loops of the others. Fails
/// where that is not legal.
mlir::FailureOr<KernelPartition> partitionAlong(LinalgOps ops, unsigned main, unsigned loop, int64_t chunks,
                                                NoAliasQuery cannotAlias);

/// Partitions operation `sum` of `ops` along its reduction `loop`. Fails where it is not a sum that allows partial
/// results.
mlir::FailureOr<KernelPartition> partitionSum(LinalgOps ops, unsigned sum, unsigned loop, int64_t chunks);

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_PARALLEL_KERNELPARTITION_H
