// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Removes what loops carry for nothing. A part of a loop's state that only its own next value depends on looks used,
// for each step reads it, so no local rule removes it. Gradients of loops leave such parts: the tape keeps every part
// of the forward loop's state, and the reverse computes all of it again between the states that are kept, though the
// step's gradient may need little of it:
//
//   %a = tape of h, %b = tape of outputs         for m: a[m] = h, b[m] = outputs; h, outputs = step(h, outputs)
//   for i: h, outputs = a[i], b[i], and          only h is needed: outputs hang on b alone, and b is not needed
//          steps up to i; gradient of step(h)
//
// A value is needed if an op with an effect or the end of a function uses it, or an op whose result is needed, through
// loops and branches. A part that is not needed hands itself on, unchanged; the canonicalizer removes it then with all
// that led to it. Test: test/compiler/optimize/remove_dead_states.mlir.

#include "compiler/optimize/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseSet.h"

namespace plumb {
#define GEN_PASS_DEF_REMOVEDEADSTATESPASS
#include "compiler/optimize/Passes.h.inc"
} // namespace plumb

using namespace mlir;

namespace {

/// Loops and branches whose results are judged one by one.
bool isStructured(Operation *op) { return isa_and_nonnull<scf::ForOp, scf::WhileOp, scf::IfOp>(op); }

/// The values whose content matters.
class NeededValues {
public:
  explicit NeededValues(Operation *root) {
    root->walk([&](Operation *op) { visit(op); });
    while (!worklist.empty())
      follow(worklist.pop_back_val());
  }

  bool contains(Value value) const { return needed.contains(value); }

private:
  void need(Value value) {
    if (needed.insert(value).second)
      worklist.push_back(value);
  }
  void need(ValueRange values) {
    for (Value value : values)
      need(value);
  }

  void visit(Operation *op);
  void follow(Value value);
  void followResult(OpResult result);
  void followArgument(BlockArgument argument);

  llvm::DenseSet<Value> needed;
  SmallVector<Value> worklist;
};

/// What needs its operands whoever uses its results: effects, ends of regions, and which steps and branches run.
void NeededValues::visit(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return need({loop.getLowerBound(), loop.getUpperBound(), loop.getStep()});
  if (auto condition = dyn_cast<scf::ConditionOp>(op))
    return need(condition.getCondition());
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return need(branch.getCondition());
  if (isa<scf::WhileOp>(op) || (isa<scf::YieldOp>(op) && isStructured(op->getParentOp())))
    return;
  Operation *parent = op->getParentOp();
  bool isInside = parent && !isStructured(parent) && !parent->hasTrait<OpTrait::IsIsolatedFromAbove>();
  if (isInside || op->getNumRegions() != 0 || op->hasTrait<OpTrait::IsTerminator>() || !isMemoryEffectFree(op))
    need(op->getOperands());
}

void NeededValues::follow(Value value) {
  if (auto result = dyn_cast<OpResult>(value))
    followResult(result);
  else
    followArgument(cast<BlockArgument>(value));
}

void NeededValues::followResult(OpResult result) {
  Operation *op = result.getOwner();
  unsigned number = result.getResultNumber();
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    need({loop.getInitArgs()[number], loop.getYieldedValues()[number]});
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    need(loop.getConditionOp().getArgs()[number]);
  } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
    need(branch.thenYield().getOperand(number));
    need(branch.elseYield().getOperand(number));
  } else {
    need(op->getOperands());
  }
}

void NeededValues::followArgument(BlockArgument argument) {
  Operation *op = argument.getOwner()->getParentOp();
  unsigned number = argument.getArgNumber();
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    if (number > 0)
      need({loop.getInitArgs()[number - 1], loop.getYieldedValues()[number - 1]});
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    if (argument.getOwner() == loop.getAfterBody())
      need(loop.getConditionOp().getArgs()[number]);
    else
      need({loop.getInits()[number], loop.getYieldedValues()[number]});
  }
}

/// Has the parts of the state that are not needed keep their first value.
void freezeDeadParts(scf::ForOp loop, const NeededValues &needed) {
  for (auto [result, argument, yielded] :
       llvm::zip(loop.getResults(), loop.getRegionIterArgs(), loop.getBody()->getTerminator()->getOpOperands()))
    if (!needed.contains(result) && !needed.contains(argument))
      yielded.set(argument);
}

void freezeDeadParts(scf::WhileOp loop, const NeededValues &needed) {
  for (auto [init, argument, yielded] :
       llvm::zip(loop.getInits(), loop.getBeforeArguments(), loop.getYieldOp()->getOpOperands()))
    if (!needed.contains(argument))
      yielded.set(init);
}

struct RemoveDeadStatesPass : public plumb::impl::RemoveDeadStatesPassBase<RemoveDeadStatesPass> {
  void runOnOperation() override {
    NeededValues needed(getOperation());
    getOperation()->walk([&](scf::ForOp loop) { freezeDeadParts(loop, needed); });
    getOperation()->walk([&](scf::WhileOp loop) { freezeDeadParts(loop, needed); });
  }
};

} // namespace
