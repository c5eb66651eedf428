// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Estimated cycles of a kernel on one thread and of its partitions into chunks. The choice among them depends on the
// step as a whole (PartitionKernels.cpp, SharingModel.h).

#ifndef PLUMB_COMPILER_CODEGEN_CPU_PARALLEL_PARTITIONCOST_H
#define PLUMB_COMPILER_CODEGEN_CPU_PARALLEL_PARTITIONCOST_H

#include "compiler/codegen/cpu/cost/SharingModel.h"
#include "compiler/codegen/cpu/parallel/KernelPartition.h"
#include "compiler/target/CpuTarget.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace plumb {

/// A partition, the cycles of all its chunks on one thread, those that one thread runs after them, and the shares of
/// the kernel's arguments.
struct CostedPartition {
  KernelPartition partition;
  double cycles = 0, remainder = 0;
  /// Cycles of the barrier after them.
  double barrier = 0;
  BufferShares shares;

  /// Cycles on two threads, plus a weight of those on many.
  double getTime() const;
};

/// Operations of a kernel that are partitioned together, or run on one thread together.
struct KernelSection {
  LinalgOps ops;
  /// Cycles on one thread; zero where the section is too short for a partition.
  double alone = 0;
  /// Partitions that are faster on two threads and not much slower on one.
  llvm::SmallVector<CostedPartition> partitions;
  /// The chosen partition.
  std::optional<unsigned> choice;

  /// Whether an operation has a plan. Before SelectPlans these are plans written by hand, for all iterations of their
  /// operations: a section with one has no partitions.
  bool hasPlan() const;
  double getTime(std::optional<unsigned> partition) const;
  /// The shares of a partition; null where one thread runs the section.
  const BufferShares *getShares(std::optional<unsigned> partition) const {
    return partition ? &partitions[*partition].shares : nullptr;
  }
};

/// Estimates `ops` of `kernel` and their partitions.
KernelSection estimatePartitions(mlir::func::FuncOp kernel, LinalgOps ops, NoAliasQuery cannotAlias,
                                 const CpuTarget &target);

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_PARALLEL_PARTITIONCOST_H
