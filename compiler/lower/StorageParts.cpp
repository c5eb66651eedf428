// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Step 4 of a storage plan: tensors that are computed only to be inserted into another one are computed there.
//
//   %p = linalg.generic … -> 4x4                                     generic … outs(%view : 4x4, strides [16, 2])
//   %w = tensor.insert_slice %p into %e[0, 1] [4, 4] [1, 2]     =>   (nothing)
//
// The storage of the destination (the parent) must not be used where the part is, between the first write to the part
// and the insertion: in that time, tensors in the parent may only be destinations of insertions, whose own regions are
// disjoint from the part's.

#include "compiler/lower/Slices.h"
#include "compiler/lower/StoragePlan.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace plumb;

/// Whether `op` accepts strided buffers.
static bool acceptsStrides(Operation *op) {
  return isa<linalg::LinalgOp, tensor::ExtractOp, tensor::InsertSliceOp>(op);
}

/// Whether all tensors in `part` can be in a strided view, and have their last use at the insertion.
bool StoragePlan::canBePart(const Storage &part, tensor::InsertSliceOp insert) const {
  if (part.kind != Storage::Arena || part.insertion)
    return false;
  return llvm::all_of(part.values, [&](Value value) {
    Operation *definition = value.getDefiningOp();
    return definition && isa<linalg::LinalgOp, tensor::InsertSliceOp>(definition) &&
           definition->getBlock() == insert->getBlock() && value.getType() == insert.getSourceType() &&
           order.lastUse(value) <= order.start(insert) && llvm::all_of(value.getUsers(), acceptsStrides);
  });
}

/// Whether no use of `value`, which is in the parent, accesses the region of the insertion between `begin` and the
/// insertion.
bool StoragePlan::avoidsRegion(Value value, unsigned begin, tensor::InsertSliceOp insert) const {
  unsigned now = order.start(insert);
  if (value == insert.getResult() || order.definition(value) >= now || order.lastUse(value) <= begin)
    return true;
  for (OpOperand &use : value.getUses()) {
    if (order.start(use.getOwner()) <= begin)
      continue;
    auto forwards = dyn_cast<tensor::InsertSliceOp>(use.getOwner());
    if (!forwards || &forwards.getDestMutable() != &use || copies.contains(&use))
      return false;
  }
  if (order.definition(value) <= begin)
    return true;
  auto earlier = value.getDefiningOp<tensor::InsertSliceOp>();
  return earlier && isInPlace(earlier) && areDisjoint(earlier, insert);
}

/// The position of the last definition of `value`, which is in a parent, or use of it that is no insertion in place.
unsigned StoragePlan::getLastOther(Value value) const {
  auto inserted = value.getDefiningOp<tensor::InsertSliceOp>();
  unsigned last = inserted && isInPlace(inserted) ? 0 : order.definition(value);
  for (OpOperand &use : value.getUses()) {
    auto forwards = dyn_cast<tensor::InsertSliceOp>(use.getOwner());
    if (!forwards || &forwards.getDestMutable() != &use || copies.contains(&use))
      last = std::max(last, order.start(use.getOwner()));
  }
  return last;
}

/// Whether nothing accesses the region of the insertion in `parent` between `begin` and the insertion. Most parents are
/// chains of insertions into other regions, whose tensors need not be looked at one by one.
bool StoragePlan::hasFreeRegion(Storage &parent, unsigned begin, tensor::InsertSliceOp insert) {
  for (; parent.counted < parent.values.size() && parent.values[parent.counted] != insert.getResult(); ++parent.counted)
    parent.lastOther = std::max(parent.lastOther, getLastOther(parent.values[parent.counted]));
  bool isChain = parent.counted + 1 == parent.values.size() && parent.lastOther <= begin;
  if (isChain && parent.regions.getOverlapping(insert).empty())
    return true;
  auto isApart = [&](Storage *part) {
    return areDisjoint(part->insertion, insert) ||
           llvm::all_of(getValues(*part), [&](Value value) { return order.lastUse(value) <= begin; });
  };
  return llvm::all_of(parent.values, [&](Value value) { return avoidsRegion(value, begin, insert); }) &&
         llvm::all_of(parent.parts, isApart);
}

void StoragePlan::joinPart(tensor::InsertSliceOp insert) {
  Storage *part = lookup(insert.getSource()), *parent = lookup(insert.getResult());
  if (!part || part == parent || copies.contains(&insert.getDestMutable()) || !isStatic(insert) ||
      !canBePart(*part, insert))
    return;
  unsigned begin = order.start(insert);
  for (Value value : getValues(*part))
    begin = std::min(begin, order.definition(value));
  if (!hasFreeRegion(*parent, begin, insert))
    return;
  part->insertion = insert;
  part->parent = parent;
  parent->parts.push_back(part);
  parent->regions.add(insert);
  for (Storage *whole = parent; whole; whole = whole->parent) {
    whole->firstDefinition = std::min(whole->firstDefinition, part->firstDefinition);
    whole->lastUse = std::max(whole->lastUse, part->lastUse);
  }
}

SmallVector<Value> StoragePlan::getValues(const Storage &storage) {
  SmallVector<Value> values = storage.values;
  for (const Storage *part : storage.parts)
    llvm::append_range(values, getValues(*part));
  return values;
}
