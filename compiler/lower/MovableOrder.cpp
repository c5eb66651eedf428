// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/lower/MovableOrder.h"

using namespace mlir;
using namespace plumb;

/// The initial difference between neighbours: up to 32 moves to one position need no renumbering.
static constexpr int64_t kGap = int64_t(1) << 32;

void MovableOrder::renumber() {
  int64_t next = 0;
  for (Operation &op : block)
    numbers[&op] = next += kGap;
}

/// Numbers `op` after a move.
void MovableOrder::number(Operation *op) {
  Operation *before = op->getPrevNode(), *after = op->getNextNode();
  int64_t low = before ? numbers.lookup(before) : numbers.lookup(after) - 2 * kGap;
  int64_t high = after ? numbers.lookup(after) : low + 2 * kGap;
  if (high - low < 2)
    return renumber();
  numbers[op] = low + (high - low) / 2;
}

void MovableOrder::moveBefore(Operation *op, Operation *position) {
  if (op == position)
    return;
  op->moveBefore(position);
  number(op);
}

void MovableOrder::moveAfter(Operation *op, Operation *position) {
  if (op == position)
    return;
  op->moveAfter(position);
  number(op);
}
