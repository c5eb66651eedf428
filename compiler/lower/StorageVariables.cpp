// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of a storage plan that is about variables: which written tensors are computed in a variable's memory, and which
// reads must be copied away.
//
//   %w = device.read @w                                      %w = device.variable.view @w
//   scf.if %c {                                              scf.if %c {
//     %n = linalg.generic ins(%w, %g) outs(%e)         =>      linalg.generic ins(%g) outs(%w)
//     device.write @w, %n                                    }
//   }
//
// A *change* is an operation that writes to a storage's memory. A read may stay a view of its variable, and a written
// tensor may lie there, as long as no change comes between the definition and a use of a tensor in that memory. Changes
// and uses may stand in branches and loops; StepOrder tells which may run after which. A variable may be written by several
// operations: each is decided by itself, against all others.

#include "compiler/lower/StoragePlan.h"

using namespace mlir;
using namespace plumb;

/// Adds the places where `value`, which is no view, gets its content.
static void collectChanges(Value value, SmallVectorImpl<Operation *> &changes) {
  Operation *owner = value.getDefiningOp();
  if (!owner || isa<LoopLikeOpInterface>(owner)) { // The initial value comes before the loop, the others at each end.
    owner = owner ? owner : value.getParentBlock()->getParentOp();
    changes.push_back(owner);
  } else if (!isa<RegionBranchOpInterface>(owner)) {
    changes.push_back(owner);
    return;
  }
  for (Region &region : owner->getRegions())
    if (!region.empty())
      changes.push_back(region.front().getTerminator());
}

/// Whether `value` is only another name for what lies in its storage already.
bool StoragePlan::isView(Value value) const {
  Operation *op = value.getDefiningOp();
  if (auto read = dyn_cast_or_null<device::ReadOp>(op))
    return !needsSnapshot(read);
  return isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::BitcastOp, tensor::ExtractSliceOp,
                         tensor::PadOp>(op) &&
         lookup(op->getOperand(0)) == lookup(value);
}

SmallVector<Operation *> StoragePlan::getChanges(const Storage &storage) const {
  SmallVector<Operation *> changes;
  for (Value value : getValues(storage))
    if (!isView(value))
      collectChanges(value, changes);
  return changes;
}

/// Whether `op` copes with `use` being an operand of its own while it writes to the same memory.
static bool readsBeforeWriting(OpOperand &use, llvm::function_ref<bool(Value)> isSameMemory) {
  Operation *op = use.getOwner();
  // Terminators hand values on through fresh buffers where that matters; what is written already is not written again.
  if (op->hasTrait<OpTrait::IsTerminator>() || isa<device::WriteOp>(op))
    return true;
  if (isa<tensor::InsertSliceOp, tensor::InsertOp>(op))
    return use.getOperandNumber() == 1;
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp)
    return false;
  return llvm::all_of(linalgOp.getDpsInitsMutable(), [&](OpOperand &init) {
    return !isSameMemory(linalgOp.getTiedOpResult(&init)) || &use == &init || isElementForElement(op, use, init);
  });
}

bool StoragePlan::destroys(Operation *change, Value value, llvm::function_ref<bool(Value)> isSameMemory) const {
  Block *scope = value.getParentBlock();
  Operation *ancestor = scope->findAncestorOpInBlock(*change);
  Operation *definition = value.getDefiningOp();
  if (!ancestor || (definition && order.start(ancestor) <= order.start(definition)))
    return false;
  return llvm::any_of(value.getUses(), [&](OpOperand &use) {
    return order.mayFollow(use.getOwner(), change, scope) ||
           (use.getOwner() == change && !readsBeforeWriting(use, isSameMemory));
  });
}

void StoragePlan::joinVariables() {
  for (auto &[name, list] : writes) {
    // What is needed after a write must be copied away in any case; then it is in nobody's way.
    for (device::ReadOp read : reads[name])
      snapshotRead(read, list);
    VariableState state;
    for (device::WriteOp write : list)
      if (!joinVariable(write, state))
        state.changes.push_back(write);
  }
}

/// Whether a read of the variable stands where its memory holds a part of the next value already.
bool StoragePlan::isReadBetween(ArrayRef<Operation *> changes, device::WriteOp write) {
  Block *block = write->getBlock();
  return llvm::any_of(reads[write.getVariableAttr().getAttr()], [&](device::ReadOp read) {
    Operation *ancestor = block->findAncestorOpInBlock(*read);
    return ancestor && order.start(ancestor) < order.start(write) &&
           llvm::any_of(changes, [&](Operation *change) { return order.mayFollow(read, change, block); });
  });
}

/// Lets the written tensor be computed in the variable's memory: what computes it stands before the write in the same
/// block, so that the one does not run without the other, and destroys nothing that is needed.
bool StoragePlan::joinVariable(device::WriteOp write, VariableState &state) {
  StringAttr name = write.getVariableAttr().getAttr();
  Storage *storage = lookup(write.getValue());
  if (!storage || storage->kind != Storage::Arena || storage->whole ||
      storage->type.getNumElements() != cast<ShapedType>(write.getValue().getType()).getNumElements())
    return false;
  SmallVector<Operation *> changes = getChanges(*storage);
  for (Operation *change : changes) {
    Operation *ancestor = write->getBlock()->findAncestorOpInBlock(*change);
    if (!ancestor || order.start(ancestor) >= order.start(write))
      return false;
  }
  SmallVector<Value> values = getValues(*storage), others;
  for (device::ReadOp read : reads[name])
    if (!needsSnapshot(read))
      llvm::append_range(others, getValues(*lookup(read.getValue())));
  for (Storage *joined : state.joined)
    llvm::append_range(others, getValues(*joined));
  SmallVector<Operation *> otherChanges = state.changes;
  for (device::WriteOp other : writes[name])
    if (other != write)
      otherChanges.push_back(other);

  auto isSameMemory = [&](Value value) {
    Storage *other = lookup(value);
    return other == storage || llvm::is_contained(state.joined, other);
  };
  auto clash = [&](ArrayRef<Operation *> changes, ArrayRef<Value> values) {
    return llvm::any_of(values, [&](Value value) {
      return llvm::any_of(changes, [&](Operation *change) { return destroys(change, value, isSameMemory); });
    });
  };
  if (isReadBetween(changes, write) || clash(changes, others) || clash(otherChanges, values))
    return false;
  storage->kind = Storage::Variable;
  storage->variable = name;
  state.joined.push_back(storage);
  llvm::append_range(state.changes, changes);
  return true;
}

/// Lets the value of `read` be copied away when it is needed after one of the variable's writes.
void StoragePlan::snapshotRead(device::ReadOp read, ArrayRef<device::WriteOp> writes) {
  Storage *storage = lookup(read.getValue());
  bool needed = llvm::any_of(getValues(*storage), [&](Value value) {
    return llvm::any_of(writes, [&](Operation *write) { return destroys(write, value, [](Value) { return true; }); });
  });
  if (!needed)
    return;
  storage->kind = Storage::Arena;
  storage->variable = {};
}
