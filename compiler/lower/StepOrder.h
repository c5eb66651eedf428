// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Positions in a step's program order.
//
// Every operation of a loop's body, nested ones too, covers an interval [start, end] of a pre-order count. A use counts at
// the start of the operation that has the value as operand, when that operation stands in the value's own block. A use
// inside a region counts at the end of the enclosing operation of the value's block: the region may run again. Where that is
// too coarse, `mayFollow` tells branches from loops.

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

  /// Where `value` comes into being: an operation's results after its regions, a region's arguments at its beginning.
  unsigned definition(mlir::Value value) const;

  /// Where `value` is needed for the last time; behind its definition even if nothing uses it.
  unsigned lastUse(mlir::Value value) const;

  /// Whether `later` may run after `earlier` while `scope`, a block around both, runs once: it stands behind it or inside
  /// it, or a loop runs it again, which may be `earlier` itself. The branches of an `scf.if` exclude each other.
  bool mayFollow(mlir::Operation *later, mlir::Operation *earlier, mlir::Block *scope) const;

private:
  void number(mlir::Block &block);

  llvm::DenseMap<mlir::Operation *, std::pair<unsigned, unsigned>> intervals;
  unsigned next = 0;
};

} // namespace plumb

#endif // PLUMB_COMPILER_LOWER_STEPORDER_H
