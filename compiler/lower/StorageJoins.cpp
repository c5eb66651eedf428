// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of a storage plan that joins storages with dying inputs, element by element.

#include "compiler/lower/StoragePlan.h"

using namespace mlir;
using namespace plumb;

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
