// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The second part of a storage plan: joining storages for speed.

#include "compiler/lower/StoragePlan.h"

using namespace mlir;
using namespace plumb;

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

void StoragePlan::joinVariables() {
  for (auto &[name, list] : writes)
    for (device::WriteOp write : list)
      if (isSimple(write) && !joinVariable(write))
        snapshotReads(write);
}

/// Lets the written tensor be computed in the variable's memory: from its first definition on, nobody may need the old
/// value, except the defining operation element by element; and nothing may change the storage after the write.
bool StoragePlan::joinVariable(device::WriteOp write) {
  Storage *storage = lookup(write.getValue());
  if (!storage || storage->kind != Storage::Arena || storage->whole ||
      storage->type.getNumElements() != cast<ShapedType>(write.getValue().getType()).getNumElements())
    return false;
  auto earlier = [&](Value a, Value b) { return order.definition(a) < order.definition(b); };
  SmallVector<Value> values = getValues(*storage);
  Value first = *llvm::min_element(values, earlier), last = *llvm::max_element(values, earlier);
  Operation *definer = first.getDefiningOp();
  if (!definer || definer->getBlock() != write->getBlock() || order.definition(last) > order.start(write))
    return false;
  unsigned begin = order.definition(first);
  // The operand that `first` is tied to, for element-for-element reads of the old value.
  auto linalgOp = dyn_cast<linalg::LinalgOp>(definer);
  OpOperand *init = linalgOp ? linalgOp.getDpsInitOperand(cast<OpResult>(first).getResultNumber()) : nullptr;
  for (device::ReadOp read : reads[write.getVariableAttr().getAttr()]) {
    if (order.start(read) > order.start(write))
      continue;
    Storage *old = lookup(read.getValue());
    for (Value value : old->values)
      if (order.lastUse(value) > std::max(begin, order.definition(value) + 1))
        return false;
    if (order.start(read) > begin)
      return false;
    for (OpOperand &operand : definer->getOpOperands())
      if (lookup(operand.get()) == old && !(init && isElementForElement(definer, operand, *init)))
        return false;
  }
  storage->kind = Storage::Variable;
  storage->variable = write.getVariableAttr().getAttr();
  return true;
}

/// The write will be a copy: reads before it whose value is needed after it are copied away.
void StoragePlan::snapshotReads(device::WriteOp write) {
  for (device::ReadOp read : reads[write.getVariableAttr().getAttr()]) {
    Storage *storage = lookup(read.getValue());
    bool needed = llvm::any_of(storage->values, [&](Value value) { return order.lastUse(value) > order.start(write); });
    if (order.start(read) < order.start(write) && needed) {
      storage->kind = Storage::Arena;
      storage->variable = {};
    }
  }
}

//===----------------------------------------------------------------------===//
// Element by element
//===----------------------------------------------------------------------===//

void StoragePlan::joinElementwise() {
  for (linalg::LinalgOp op : elementwise)
    for (OpOperand &init : op.getDpsInitsMutable())
      joinElementwise(op, init);
}

/// Lets `op` compute into the storage of an input that dies here.
void StoragePlan::joinElementwise(linalg::LinalgOp op, OpOperand &init) {
  Storage *written = lookup(op.getTiedOpResult(&init));
  unsigned now = order.start(op);
  bool fresh = llvm::all_of(getValues(*written), [&](Value value) { return order.definition(value) >= now; });
  if (written->kind != Storage::Arena || written->whole || !fresh || copies.contains(&init))
    return;
  for (OpOperand *input : op.getDpsInputOperands()) {
    Storage *storage = lookup(input->get());
    if (!storage || storage == written || storage->kind != Storage::Arena || storage->whole ||
        storage->type.getNumElements() != written->type.getNumElements())
      continue;
    if (isElementForElement(op, *input, init) && mayOverwrite(storage, op, &init))
      return join(storage, written);
  }
}
