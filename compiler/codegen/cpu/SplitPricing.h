// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel costs on one thread, and what its cuts into grains cost, by the
// planner's prices. Which of them is chosen is a matter of the whole step
// (SplitKernels.cpp, SharingModel.h).

#ifndef PLUMB_COMPILER_CODEGEN_CPU_SPLITPRICING_H
#define PLUMB_COMPILER_CODEGEN_CPU_SPLITPRICING_H

#include "compiler/codegen/common/CpuTarget.h"
#include "compiler/codegen/cpu/KernelSplit.h"
#include "compiler/codegen/cpu/SharingModel.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace plumb {

/// A cut, the cycles of all its grains on one thread, those of what one thread does
/// behind them, and who touches which argument of the kernel.
struct PricedSplit {
  KernelSplit split;
  double cycles = 0, rest = 0;
  BufferShares shares;

  /// Cycles on two threads, with a little of those on many.
  double getTime() const;
};

/// Operations of a kernel that are cut, or left whole, together.
struct KernelPiece {
  LinalgOps ops;
  /// Cycles on one thread as a whole; zero where others cannot help in time.
  double alone = 0;
  /// Cuts that one thread does not pay for, and two gain by.
  llvm::SmallVector<PricedSplit> splits;
  /// The one that is chosen.
  std::optional<unsigned> choice;

  double getTime(std::optional<unsigned> split) const;
  /// Who touches what with a split; nothing where one thread does all.
  const BufferShares *getShares(std::optional<unsigned> split) const {
    return split ? &splits[*split].shares : nullptr;
  }
};

/// Prices `ops` of `kernel` and their cuts.
KernelPiece priceSplits(mlir::func::FuncOp kernel, LinalgOps ops,
                        AreApart areApart, const CpuTarget &target);

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_SPLITPRICING_H
