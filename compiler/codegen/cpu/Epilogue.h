// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is done with a nest's results while they are in registers.
//
//   y += x · w            the nest
//   y = max(y + b, 0)     stage 0: b is loaded, y is in registers
//   p = max of 2 × 2 y    stage 1: its loops are y's, two of them in pairs
//   s += y by column      stage 2: folds y into sums, which stay in memory
//
// Operations that FuseEpilogues has marked follow the nest's operation. Each is
// a stage: its loops are found among the nest's by how both walk the result
// that it reads, so that its other operands become accesses of the same nest.
// A stage whose operands do not lie as the plan's lanes do stays behind, and so
// do those after it.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_EPILOGUE_H
#define PLUMB_COMPILER_CODEGEN_CPU_EPILOGUE_H

#include "compiler/codegen/cpu/KernelEmitter.h"

namespace plumb {

/// The mark of an operation that is done in the end of the one before it.
constexpr llvm::StringLiteral kEpilogueMark = "device.epilogue";
/// The mark of an operation whose result only such operations read.
constexpr llvm::StringLiteral kTransientMark = "device.transient";

/// Whether two accesses of `nest` are the same wherever it goes.
bool walkAlike(const LinearNest &nest, const LinearAccess &a,
               const LinearAccess &b);

/// A result in registers.
struct EpilogueValue {
  /// The buffer that it is for.
  mlir::Value buffer;
  /// The number of its access in the nest.
  unsigned access;
  /// Whether there is one per window, at each window's first place.
  bool pooled = false;
  /// Whether nobody needs it in memory.
  bool transient = false;
  /// Whether it is what elements are folded into: in memory, not in registers.
  bool folded = false;
};

/// One operation of an epilogue.
struct EpilogueStage {
  mlir::linalg::LinalgOp op;
  /// By operand: the value in registers that it is, or -1 for memory.
  llvm::SmallVector<int> sources = {};
  /// Where its operands begin among the nest's accesses.
  unsigned firstAccess = 0;
  /// Where its results begin among the values.
  unsigned firstValue = 0;
  /// By loop of `op`: the number of the nest's window that it walks, or -1.
  llvm::SmallVector<int> windows = {};
  /// Whether it folds all elements along loops of the nest, tile by tile, into
  /// results in memory, which are filled before the nest.
  bool folds = false;

  bool pools() const {
    return llvm::any_of(windows, [](int window) { return window >= 0; });
  }
};

/// The stages after one nest.
class Epilogue {
public:
  /// No stage yet: only the results of `op`.
  explicit Epilogue(mlir::linalg::LinalgOp op);

  /// Adds all marked operations that follow, as far as they fit. `nest` is that
  /// of the operation, not yet simplified; it gets the stages' accesses.
  void addMarked(LinearNest &nest);
  /// Adds `follower`. Returns whether it fits.
  bool add(mlir::linalg::LinalgOp follower, LinearNest &nest);
  /// Takes the last stage back.
  void dropLast();
  /// Drops stages that cannot be emitted with `plan`.
  void restrictTo(const LinearNest &nest, const KernelPlan &plan);

  /// Whether value `number` must be stored: it is needed in memory, and no
  /// later value goes to the same place.
  bool isStored(unsigned number) const;
  /// Whether any value is stored in, or folded into, what `buffer` is.
  bool touches(mlir::Value buffer) const;

  mlir::linalg::LinalgOp op;
  llvm::SmallVector<EpilogueStage> stages;
  llvm::SmallVector<EpilogueValue> values;

private:
  bool addAs(mlir::linalg::LinalgOp follower, LinearNest &nest, bool folds);
  bool fits(const EpilogueStage &stage, const LinearNest &nest,
            const KernelPlan &plan) const;
  bool isLeftOver(mlir::Value buffer) const;
  int findSource(const LinearNest &nest, mlir::Value operand,
                 const LinearAccess &access) const;
};

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_EPILOGUE_H
