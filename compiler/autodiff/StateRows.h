// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// States of a loop in memory: one tensor per part of the state, with one row per state. Scalars become tensors, and
// numbers of steps i64. Tokens are not kept.

#ifndef PLUMB_COMPILER_AUTODIFF_STATEROWS_H
#define PLUMB_COMPILER_AUTODIFF_STATEROWS_H

#include "mlir/IR/Builders.h"

namespace plumb {

/// Rows for states whose parts have the given types.
class StateRows {
public:
  StateRows(mlir::Location loc, mlir::TypeRange state) : loc(loc), state(state) {}

  /// The bytes of one state, at least one.
  int64_t countBytes() const;
  /// Tensors with `count` rows each, whose content does not matter.
  llvm::SmallVector<mlir::Value> makeEmpty(mlir::OpBuilder &builder, int64_t count) const;
  /// `tensors` with `values` as their row number `row`.
  llvm::SmallVector<mlir::Value> store(mlir::OpBuilder &builder, mlir::ValueRange values, mlir::ValueRange tensors,
                                       mlir::Value row) const;
  /// The state that is row number `row`; its tokens are those of `init`, since no step of a loop that is walked back
  /// has effects.
  llvm::SmallVector<mlir::Value> load(mlir::OpBuilder &builder, mlir::ValueRange tensors, mlir::Value row,
                                      mlir::ValueRange init) const;

private:
  mlir::Location loc;
  llvm::SmallVector<mlir::Type> state;
};

} // namespace plumb

#endif // PLUMB_COMPILER_AUTODIFF_STATEROWS_H
