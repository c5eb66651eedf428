// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Step 3 of a storage plan: elementwise operations compute in place of an input that has its last use there.

#include "compiler/lower/StoragePlan.h"

using namespace mlir;
using namespace plumb;

void StoragePlan::joinElementwise() {
  for (linalg::LinalgOp op : elementwise)
    for (OpOperand &init : op.getDpsInitsMutable())
      joinElementwise(op, init);
}

/// Joins the result of `init` with an input of `op` that is not used later.
void StoragePlan::joinElementwise(linalg::LinalgOp op, OpOperand &init) {
  Storage *written = lookup(op.getTiedOpResult(&init));
  unsigned now = order.start(op);
  bool fresh = written->firstDefinition >= now;
  if (written->kind != Storage::Arena || written->parent || !fresh || copies.contains(&init))
    return;
  for (OpOperand *input : op.getDpsInputOperands()) {
    Storage *storage = lookup(input->get());
    if (!storage || storage == written || storage->kind != Storage::Arena || storage->parent ||
        storage->type.getNumElements() != written->type.getNumElements())
      continue;
    if (isElementForElement(op, *input, init) && mayOverwrite(storage, op, &init))
      return join(storage, written);
  }
}
