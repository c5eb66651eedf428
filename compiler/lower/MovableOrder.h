// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of a block's operations while a pass moves them. MLIR's own `isBeforeInBlock` renumbers a block after
// moves, so that alternating moves and queries take quadratic time. Here a moved operation gets a number between those
// of its new neighbours, and the block is renumbered only if there is no such number.

#ifndef PLUMB_COMPILER_LOWER_MOVABLEORDER_H
#define PLUMB_COMPILER_LOWER_MOVABLEORDER_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

namespace plumb {

class MovableOrder {
public:
  explicit MovableOrder(mlir::Block &block) : block(block) { renumber(); }

  bool isBefore(mlir::Operation *a, mlir::Operation *b) const { return numbers.lookup(a) < numbers.lookup(b); }

  void moveBefore(mlir::Operation *op, mlir::Operation *position);
  void moveAfter(mlir::Operation *op, mlir::Operation *position);

private:
  void renumber();
  void number(mlir::Operation *op);

  mlir::Block &block;
  llvm::DenseMap<mlir::Operation *, int64_t> numbers;
};

} // namespace plumb

#endif // PLUMB_COMPILER_LOWER_MOVABLEORDER_H
