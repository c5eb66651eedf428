// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/lower/MovableOrder.h"

using namespace mlir;
using namespace plumb;

/// Between neighbours at first: room for as many moves to one place as this has bits.
static constexpr int64_t gap = int64_t(1) << 32;

void MovableOrder::renumber() {
  int64_t next = 0;
  for (Operation &op : block)
    numbers[&op] = next += gap;
}

/// Gives `op`, which has just been moved, its number.
void MovableOrder::number(Operation *op) {
  Operation *before = op->getPrevNode(), *after = op->getNextNode();
  int64_t low = before ? numbers.lookup(before) : numbers.lookup(after) - 2 * gap;
  int64_t high = after ? numbers.lookup(after) : low + 2 * gap;
  if (high - low < 2)
    return renumber();
  numbers[op] = low + (high - low) / 2;
}

void MovableOrder::moveBefore(Operation *op, Operation *place) {
  if (op == place)
    return;
  op->moveBefore(place);
  number(op);
}

void MovableOrder::moveAfter(Operation *op, Operation *place) {
  if (op == place)
    return;
  op->moveAfter(place);
  number(op);
}
