// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/lower/StepOrder.h"

#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;
using namespace plumb;

StepOrder::StepOrder(Block &step) { number(step); }

void StepOrder::number(Block &block) {
  for (Operation &op : block) {
    unsigned first = next++;
    for (Region &region : op.getRegions())
      for (Block &nested : region)
        number(nested);
    intervals[&op] = {first, next++};
  }
}

unsigned StepOrder::definition(Value value) const {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return start(argument.getOwner()->getParentOp());
  Operation *op = value.getDefiningOp();
  return isa<RegionBranchOpInterface>(op) ? end(op) : start(op);
}

unsigned StepOrder::lastUse(Value value) const {
  unsigned last = definition(value) + 1;
  Block *home = value.getParentBlock();
  for (Operation *user : value.getUsers()) {
    Operation *ancestor = home->findAncestorOpInBlock(*user);
    last = std::max(last, ancestor == user ? start(user) : end(ancestor));
  }
  return last;
}
