// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Positions of operations in a step's program order.
//
// Every operation of a loop's body, including nested ones, has an interval [start, end] of pre-order numbers. The
// position of a use in the value's own block is the start of the user. The position of a use inside a region is the end
// of the enclosing operation in the value's block, since the region may run again. `mayFollow` is more precise: it
// distinguishes branches from loops.

#ifndef PLUMB_COMPILER_LOWER_STEPORDER_H
#define PLUMB_COMPILER_LOWER_STEPORDER_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

namespace plumb {

class StepOrder {
public:
  explicit StepOrder(mlir::Block &step);

  unsigned start(mlir::Operation *op) const { return intervals.lookup(op).first; }
  unsigned end(mlir::Operation *op) const { return intervals.lookup(op).second; }

  /// The position where `value` is defined: results after the regions of their operation, region arguments at its
  /// start.
  unsigned definition(mlir::Value value) const;

  /// The position of the last use of `value`; right after the definition if there is none.
  unsigned lastUse(mlir::Value value) const;

  /// Whether `later` may run after `earlier` in one execution of `scope`, a block that contains both: because of their
  /// order, because `later` is inside of `earlier`, or because a loop around both iterates. The branches of an `scf.if`
  /// exclude each other.
  bool mayFollow(mlir::Operation *later, mlir::Operation *earlier, mlir::Block *scope) const;

private:
  void number(mlir::Block &block);

  llvm::DenseMap<mlir::Operation *, std::pair<unsigned, unsigned>> intervals;
  unsigned next = 0;
};

} // namespace plumb

#endif // PLUMB_COMPILER_LOWER_STEPORDER_H
