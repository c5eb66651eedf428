// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The epilogue of a nest: operations on its results while they are in registers.
//
//   y += x · w            the nest
//   y = max(y + b, 0)     operation 0: b is loaded, y is in registers
//   p = max of 2 × 2 y    operation 1: its loops are y's, two of them in pairs
//   s += y by column      operation 2: reduces y into sums in memory, tile by tile
//
// The operations follow the nest's operation and were marked by FuseEpilogues. The loops of each are mapped to the
// nest's loops by comparing how both access the result that the operation reads; its other operands then become
// accesses of the same nest. An operation whose operands are not contiguous along the plan's lanes ends the epilogue:
// it and those after it are emitted by themselves.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_PLAN_EPILOGUE_H
#define PLUMB_COMPILER_CODEGEN_CPU_PLAN_EPILOGUE_H

#include "compiler/codegen/cpu/plan/KernelPlan.h"

#include "dialects/kernel/ir/Kernel.h"

namespace plumb {

/// Whether two accesses of `nest` are the same at every iteration.
bool isSameAccess(const LinearNest &nest, const LinearAccess &a, const LinearAccess &b);

/// A result in registers.
struct EpilogueValue {
  /// The buffer that it would be stored in.
  mlir::Value buffer;
  /// The number of its access in the nest.
  unsigned access;
  /// Whether it has one element per pooling window, in the register of the window's first element.
  bool pooled = false;
  /// Whether no later operation reads it from memory.
  bool transient = false;
  /// Whether it accumulates a reduction of other values: it is in memory, not in registers.
  bool folded = false;
};

/// One operation of an epilogue.
struct EpilogueOp {
  mlir::linalg::LinalgOp op;
  /// By operand: the value in registers that it is, or kMemory (-1).
  llvm::SmallVector<int> sources = {};
  /// The number of its first operand's access in the nest.
  unsigned firstAccess = 0;
  /// The number of its first result among the values.
  unsigned firstValue = 0;
  /// By loop of `op`: the number of the nest's pooling window that it enumerates, or -1.
  llvm::SmallVector<int> windows = {};
  /// Whether it reduces the value along loops of the nest, tile by tile, into results in memory, which are filled
  /// before the nest.
  bool folds = false;

  bool pools() const {
    return llvm::any_of(windows, [](int window) { return window >= 0; });
  }
};

/// The epilogue of one nest.
class Epilogue {
public:
  /// An empty epilogue: only the results of `op` are values.
  explicit Epilogue(mlir::linalg::LinalgOp op);

  /// Adds the marked operations after `op` until one does not fit. `nest` is the nest of `op` before simplification; it
  /// gets the accesses of the added operations.
  void addMarked(LinearNest &nest);
  /// Adds `follower`. Returns whether it fits.
  bool add(mlir::linalg::LinalgOp follower, LinearNest &nest);
  /// Removes the last operation.
  void dropLast();
  /// Removes the operations that cannot be emitted with `plan`.
  void restrictTo(const LinearNest &nest, const KernelPlan &plan);

  /// Whether value `number` must be stored: it is read from memory later, and no later value overwrites it.
  bool isStored(unsigned number) const;
  /// Whether the epilogue writes memory of `buffer`.
  bool writes(mlir::Value buffer) const;
  /// Whether an operation of the epilogue reads what memory of `buffer` held before.
  bool reads(mlir::Value buffer) const;

  mlir::linalg::LinalgOp op;
  llvm::SmallVector<EpilogueOp> ops;
  llvm::SmallVector<EpilogueValue> values;

private:
  void append(EpilogueOp fused, bool pooled, llvm::ArrayRef<LinearAccess> accesses, LinearNest &nest);
  bool addAs(mlir::linalg::LinalgOp follower, LinearNest &nest, bool folds);
  bool fits(const EpilogueOp &fused, const LinearNest &nest, const KernelPlan &plan) const;
  bool isLeftOver(mlir::Value buffer) const;
  int findSource(const LinearNest &nest, mlir::Value operand, const LinearAccess &access) const;
};

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_PLAN_EPILOGUE_H
