// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of a block's operations while they are moved. MLIR counts a block anew when it is asked for the order after a
// move, so that a pass which moves and asks takes time with the square of the block's length. Here a moved operation gets a
// number between its new neighbours', and the block is counted anew only when there is none.

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

  void moveBefore(mlir::Operation *op, mlir::Operation *place);
  void moveAfter(mlir::Operation *op, mlir::Operation *place);

private:
  void renumber();
  void number(mlir::Operation *op);

  mlir::Block &block;
  llvm::DenseMap<mlir::Operation *, int64_t> numbers;
};

} // namespace plumb

#endif // PLUMB_COMPILER_LOWER_MOVABLEORDER_H
