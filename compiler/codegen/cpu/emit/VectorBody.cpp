// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds scalar bodies again on vectors.

#include "compiler/codegen/cpu/emit/VectorBody.h"

#include "compiler/codegen/cpu/analysis/OpFacts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace plumb;

VectorBody::VectorBody(linalg::LinalgOp op, const CpuTarget &target) : op(op) {
  if (!target.hasFma)
    return;
  for (auto add : op.getBlock()->getOps<arith::AddFOp>()) {
    int operand = findFusedMultiply(add);
    if (operand >= 0)
      fused.insert(add->getOperand(operand).getDefiningOp());
  }
}

Value plumb::broadcastTo(ImplicitLocOpBuilder &builder, Value value, int64_t lanes) {
  if (isa<VectorType>(value.getType()))
    return value;
  auto type = VectorType::get({lanes}, value.getType());
  return vector::BroadcastOp::create(builder, type, value);
}

/// Builds `inner` again over the mapped operands.
static void replayElementwise(ImplicitLocOpBuilder &builder, Operation &inner, IRMapping &mapping, int64_t lanes) {
  SmallVector<Value> operands;
  for (Value operand : inner.getOperands())
    operands.push_back(mapping.lookupOrDefault(operand));
  bool isVector = llvm::any_of(operands, [](Value value) { return isa<VectorType>(value.getType()); });
  SmallVector<Type> types(inner.getResultTypes());
  if (isVector) {
    for (Value &operand : operands)
      operand = broadcastTo(builder, operand, lanes);
    for (Type &type : types)
      type = VectorType::get({lanes}, type);
  }
  OperationState state(builder.getLoc(), inner.getName(), operands, types, inner.getAttrs());
  state.propertiesAttr = inner.getPropertiesAsAttribute();
  mapping.map(inner.getResults(), builder.create(state)->getResults());
}

SmallVector<Value> VectorBody::replay(ImplicitLocOpBuilder &builder, ValueRange arguments, int64_t lanes,
                                      llvm::function_ref<Value(unsigned)> index) const {
  linalg::LinalgOp linalgOp = op;
  Block &body = *linalgOp.getBlock();
  IRMapping mapping;
  for (auto [argument, value] : llvm::zip(body.getArguments(), arguments))
    if (value)
      mapping.map(argument, value);
  for (Operation &inner : body.without_terminator()) {
    if (fused.contains(&inner))
      continue;
    if (auto indexOp = dyn_cast<linalg::IndexOp>(inner)) {
      mapping.map(indexOp.getResult(), index(indexOp.getDim()));
      continue;
    }
    auto add = dyn_cast<arith::AddFOp>(inner);
    int operand = add ? findFusedMultiply(add) : -1;
    Operation *mul = operand >= 0 ? add->getOperand(operand).getDefiningOp() : nullptr;
    if (!mul || !fused.contains(mul)) {
      replayElementwise(builder, inner, mapping, lanes);
      continue;
    }
    auto get = [&](Value value) { return broadcastTo(builder, mapping.lookupOrDefault(value), lanes); };
    Value sum = vector::FMAOp::create(builder, get(mul->getOperand(0)), get(mul->getOperand(1)),
                                      get(add->getOperand(1 - operand)));
    mapping.map(add.getResult(), sum);
  }
  SmallVector<Value> results;
  for (Value value : body.getTerminator()->getOperands())
    results.push_back(broadcastTo(builder, mapping.lookupOrDefault(value), lanes));
  return results;
}
