// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/autodiff/KeptResults.h"

#include "dialects/net/ir/NetBase.h"
#include "dialects/net/ir/NetShapeOps.h"

using namespace mlir;
using namespace plumb;

static int64_t countElements(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.getNumElements() : 1;
}

/// Whether the one result of `op` is cheaper to keep than to compute: its elements are made of many, and it is no
/// larger than what it is made of.
static bool isWorthKeeping(Operation &op) {
  if (!op.hasTrait<net::Accumulates>() || op.getNumResults() != 1)
    return false;
  int64_t used = 0;
  for (Type type : op.getOperandTypes())
    used += countElements(type);
  return countElements(op.getResult(0).getType()) <= used;
}

KeptResults::KeptResults(scf::ForOp loop, const StateTape &tape) : loc(loop.getLoc()), slots(tape.getSlots()) {
  int64_t left = tape.keepsAll() ? tape.countBytesLeft() : 0;
  for (Operation &op : loop.getBody()->without_terminator()) {
    int64_t bytes = isWorthKeeping(op) ? slots * StateRows(loc, op.getResultTypes()).countBytes() : left + 1;
    if (bytes > left)
      continue;
    left -= bytes;
    results.push_back(op.getResult(0));
  }
}

SmallVector<Value> KeptResults::begin(OpBuilder &builder) const {
  return StateRows(loc, ValueRange(results).getTypes()).makeEmpty(builder, slots);
}

SmallVector<Value> KeptResults::store(OpBuilder &builder, Value number, const IRMapping &step,
                                      ValueRange carried) const {
  SmallVector<Value> values = llvm::map_to_vector(results, [&](Value result) { return step.lookup(result); });
  return StateRows(loc, ValueRange(values).getTypes()).store(builder, values, carried, number);
}

void KeptResults::replace(Value number, const IRMapping &step, ValueRange carried) const {
  for (auto [result, tensor] : llvm::zip_equal(results, carried)) {
    Value again = step.lookup(result);
    if (again.use_empty())
      continue;
    OpBuilder builder(again.getDefiningOp());
    again.replaceAllUsesWith(net::RowOp::create(builder, loc, tensor, number));
  }
}
