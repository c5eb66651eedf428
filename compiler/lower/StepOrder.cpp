// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/lower/StepOrder.h"

#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

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

bool StepOrder::mayFollow(Operation *later, Operation *earlier, Block *scope) const {
  for (Block *block = scope;;) {
    Operation *first = block->findAncestorOpInBlock(*earlier), *second = block->findAncestorOpInBlock(*later);
    if (first != second)
      return start(first) < start(second);
    if (first == earlier || first == later)
      return first == earlier && later != earlier;
    Region *one = nullptr, *other = nullptr;
    for (Region &region : first->getRegions()) {
      one = region.isAncestor(earlier->getParentRegion()) ? &region : one;
      other = region.isAncestor(later->getParentRegion()) ? &region : other;
    }
    if (isa<LoopLikeOpInterface>(first))
      return true;
    if (one != other || !one->hasOneBlock())
      return !one->hasOneBlock();
    block = &one->front();
  }
}
