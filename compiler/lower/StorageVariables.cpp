// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Step 2 of a storage plan: which written tensors are computed in a variable's memory, and which reads must copy the
// variable.
//
//   %w = device.read @w                                      %w = device.variable.view @w
//   scf.if %c {                                              scf.if %c {
//     %n = linalg.generic ins(%w, %g) outs(%e)         =>      linalg.generic ins(%g) outs(%w)
//     device.write @w, %n                                    }
//   }
//
// A *change* is an operation that writes to a storage's memory. A read can be a view of its variable, and a written
// tensor can be computed there, if no change may run between the definition and a use of another tensor in that memory.
// Changes and uses may be in branches and loops; StepOrder determines which may run after which. The writes of a
// variable are decided one after the other, each against all others.

#include "compiler/lower/StoragePlan.h"

using namespace mlir;
using namespace plumb;

/// Adds the operations that write the memory of `value`, which is not a view.
static void collectChanges(Value value, SmallVectorImpl<Operation *> &changes) {
  Operation *owner = value.getDefiningOp();
  if (!owner || isa<LoopLikeOpInterface>(owner)) { // Written before the loop, and at the end of each iteration.
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

/// Whether `value` is a view, whose definition does not write memory.
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

/// Whether the owner of `use` reads it before it overwrites the same memory.
static bool readsBeforeWriting(OpOperand &use, llvm::function_ref<bool(Value)> isSameMemory) {
  Operation *op = use.getOwner();
  // Terminators copy through new buffers where that is needed, and a write from the variable's own memory does nothing.
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
    // First the reads that a write overwrites in any case: once copied, they restrict no write.
    for (device::ReadOp read : reads[name])
      snapshotRead(read, list);
    VariableState state;
    for (device::WriteOp write : list)
      if (!joinVariable(write, state))
        state.changes.push_back(write);
  }
}

/// Whether a read of the variable may run between the changes and the write, when the memory holds parts of the next
/// value.
bool StoragePlan::isReadBetween(ArrayRef<Operation *> changes, device::WriteOp write) {
  Block *block = write->getBlock();
  return llvm::any_of(reads[write.getVariableAttr().getAttr()], [&](device::ReadOp read) {
    Operation *ancestor = block->findAncestorOpInBlock(*read);
    return ancestor && order.start(ancestor) < order.start(write) &&
           llvm::any_of(changes, [&](Operation *change) { return order.mayFollow(read, change, block); });
  });
}

/// Joins the written tensor with the variable if that is legal: all its changes come before the write in the same
/// block, so that they do not run without it, and overwrite nothing that has a later use.
bool StoragePlan::joinVariable(device::WriteOp write, VariableState &state) {
  StringAttr name = write.getVariableAttr().getAttr();
  Storage *storage = lookup(write.getValue());
  if (!storage || storage->kind != Storage::Arena || storage->parent ||
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

/// Assigns the value of `read` to the arena if it has a use after one of the variable's writes.
void StoragePlan::snapshotRead(device::ReadOp read, ArrayRef<device::WriteOp> writes) {
  Storage *storage = lookup(read.getValue());
  bool isOverwritten = llvm::any_of(getValues(*storage), [&](Value value) {
    return llvm::any_of(writes, [&](Operation *write) { return destroys(write, value, [](Value) { return true; }); });
  });
  if (!isOverwritten)
    return;
  storage->kind = Storage::Arena;
  storage->variable = {};
}
