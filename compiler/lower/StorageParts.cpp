// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The third part of a storage plan: tensors that are only made to be inserted into another are computed in their place.
//
//   %p = linalg.generic … -> 4x4                                     generic … outs(%view : 4x4, strides [16, 2])
//   %w = tensor.insert_slice %p into %e[0, 1] [4, 4] [1, 2]     =>   (nothing)
//
// From the first write to the part on, its place in the whole must not be needed: in that time, whatever else lies in the
// whole may only be handed on by insertions, and be written only by parts that have no element in common with this one.

#include "compiler/lower/Slices.h"
#include "compiler/lower/StoragePlan.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace plumb;

/// Operations that cope with strides.
static bool takesStrides(Operation *op) { return isa<linalg::LinalgOp, tensor::ExtractOp, tensor::InsertSliceOp>(op); }

/// Whether all that lies in `part` may lie in a strided view of the type of the insertion's source until then.
bool StoragePlan::mayBePart(const Storage &part, tensor::InsertSliceOp insert) const {
  if (part.kind != Storage::Arena || part.insertion)
    return false;
  return llvm::all_of(part.values, [&](Value value) {
    Operation *definition = value.getDefiningOp();
    return definition && isa<linalg::LinalgOp, tensor::InsertSliceOp>(definition) &&
           definition->getBlock() == insert->getBlock() && value.getType() == insert.getSourceType() &&
           order.lastUse(value) <= order.start(insert) && llvm::all_of(value.getUsers(), takesStrides);
  });
}

/// Whether `value`, which lies in the whole, leaves the insertion's place alone from `begin` on until the insertion.
bool StoragePlan::leavesPlace(Value value, unsigned begin, tensor::InsertSliceOp insert) const {
  unsigned now = order.start(insert);
  if (value == insert.getResult() || order.definition(value) >= now || order.lastUse(value) <= begin)
    return true;
  for (OpOperand &use : value.getUses()) {
    if (order.start(use.getOwner()) <= begin)
      continue;
    auto handsOn = dyn_cast<tensor::InsertSliceOp>(use.getOwner());
    if (!handsOn || &handsOn.getDestMutable() != &use || copies.contains(&use))
      return false;
  }
  if (order.definition(value) <= begin)
    return true;
  auto earlier = value.getDefiningOp<tensor::InsertSliceOp>();
  return earlier && isInPlace(earlier) && areDisjoint(earlier, insert);
}

void StoragePlan::placePart(tensor::InsertSliceOp insert) {
  Storage *part = lookup(insert.getSource()), *whole = lookup(insert.getResult());
  if (!part || part == whole || copies.contains(&insert.getDestMutable()) || !isStatic(insert) || !mayBePart(*part, insert))
    return;
  unsigned begin = order.start(insert);
  for (Value value : getValues(*part))
    begin = std::min(begin, order.definition(value));
  for (Value value : whole->values)
    if (!leavesPlace(value, begin, insert))
      return;
  for (Storage *other : whole->parts)
    for (Value value : getValues(*other))
      if (order.lastUse(value) > begin && !areDisjoint(other->insertion, insert))
        return;
  part->insertion = insert;
  part->whole = whole;
  whole->parts.push_back(part);
}

SmallVector<Value> StoragePlan::getValues(const Storage &storage) {
  SmallVector<Value> values = storage.values;
  for (const Storage *part : storage.parts)
    llvm::append_range(values, getValues(*part));
  return values;
}
