// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/autodiff/ReverseWalk.h"
#include "compiler/auto_monad/Tokens.h"

using namespace mlir;
using namespace plumb;

LogicalResult ReverseWalk::fail(Operation *op, const Twine &message) {
  InFlightDiagnostic diagnostic = op->emitOpError(message);
  diagnostic.attachNote(gradient->getLoc()) << "the gradient is taken here";
  return diagnostic;
}

LogicalResult ReverseWalk::run(ArrayRef<Operation *> ops, OpBuilder &builder, Adjoints &adjoints) {
  for (Operation *op : llvm::reverse(ops))
    if (failed(visit(op, builder, adjoints)))
      return failure();
  return success();
}

LogicalResult ReverseWalk::visit(Operation *op, OpBuilder &builder, Adjoints &adjoints) {
  if (isa<net::ReadOp>(op)) {
    Value adjoint = adjoints.get(op->getResult(0));
    if (adjoint)
      adjoints.add(builder, op->getLoc(), getParameterName(op), adjoint);
    return success();
  }
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return visitIf(branch, builder, adjoints);
  if (!llvm::any_of(op->getResults(), [&](Value result) { return bool(adjoints.get(result)); }))
    return success();
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return visitWhile(loop, builder, adjoints);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return visitFor(loop, builder, adjoints);
  // A branch may yield what is flat beside what is not: its result then has an adjoint, this one no use for it.
  if (!activity.isActive(op->getResults()))
    return success();
  if (auto call = dyn_cast<func::CallOp>(op))
    return visitCall(call, builder, adjoints);
  return visitRule(op, builder, adjoints);
}

LogicalResult ReverseWalk::visitRule(Operation *op, OpBuilder &builder, Adjoints &adjoints) {
  auto rule = dyn_cast<net::DifferentiableOpInterface>(op);
  if (op->getName().getDialectNamespace() == "native")
    return fail(op, "calls the custom operator '" + cast<StringAttr>(op->getAttr("function")).getValue() +
                        "', which has no gradient; give it a bprop, or put stop_gradient before it");
  if (!rule)
    return fail(op, "has no gradient; keep it out of what is differentiated, or put stop_gradient before it");
  SmallVector<Value> results = llvm::map_to_vector(op->getResults(), [&](Value r) { return adjoints.get(r); });
  SmallVector<Value> found;
  if (failed(rule.buildAdjoint(builder, results, found)))
    return fail(op, "cannot be differentiated");
  return accumulate(op, op->getOperands(), found, builder, adjoints);
}

LogicalResult ReverseWalk::accumulate(Operation *op, ValueRange operands, ValueRange found, OpBuilder &builder,
                                      Adjoints &adjoints) {
  for (auto [operand, adjoint] : llvm::zip(operands, found)) {
    if (!adjoint || !activity.isActive(operand))
      continue;
    if (adjoint.getType() != operand.getType()) {
      InFlightDiagnostic diagnostic = op->emitOpError("has a gradient rule that yields ")
                                      << adjoint.getType() << " for an operand of " << operand.getType();
      diagnostic.attachNote(gradient->getLoc()) << "the gradient is taken here";
      return diagnostic;
    }
    adjoints.add(builder, op->getLoc(), operand, adjoint);
  }
  return success();
}

/// The values of `range` that are no tokens.
static SmallVector<Value> withoutTokens(ValueRange range) {
  return llvm::filter_to_vector(range, [](Value value) { return !isTokenType(value.getType()); });
}

OpOperand *ReverseWalk::findToken(Type type) {
  for (OpOperand &operand : gradient->getOpOperands().take_back(numResults))
    if (operand.get().getType() == type)
      return &operand;
  return nullptr;
}

/// Calls the rule of the called function: from its inputs, outputs and their adjoints to the adjoints of its inputs.
LogicalResult ReverseWalk::visitCall(func::CallOp call, OpBuilder &builder, Adjoints &adjoints) {
  auto callee = module.lookupSymbol<func::FuncOp>(call.getCallee());
  auto symbol = callee ? callee->getAttrOfType<FlatSymbolRefAttr>("custom_bprop") : nullptr;
  auto rule = symbol ? module.lookupSymbol<func::FuncOp>(symbol.getAttr()) : nullptr;
  if (!rule)
    return fail(call, "calls a function whose gradient rule is not known");

  SmallVector<Value> inputs = withoutTokens(call.getOperands());
  SmallVector<Value> operands = inputs;
  llvm::append_range(operands, withoutTokens(call.getResults()));
  for (Value result : withoutTokens(call.getResults()))
    operands.push_back(adjoints.getOrZero(builder, call.getLoc(), result));
  for (Type type : rule.getArgumentTypes())
    if (OpOperand *token = isTokenType(type) ? findToken(type) : nullptr)
      operands.push_back(token->get());

  SmallVector<Type> plainResults =
      llvm::filter_to_vector(rule.getResultTypes(), [](Type type) { return !isTokenType(type); });
  if (!llvm::equal(rule.getArgumentTypes(), TypeRange(operands)) || !llvm::equal(plainResults, TypeRange(inputs))) {
    InFlightDiagnostic diagnostic = rule.emitOpError("is a gradient rule of another signature than its function's "
                                                     "inputs, outputs and adjoints of the outputs");
    diagnostic.attachNote(call.getLoc()) << "it is needed for the function called here";
    return diagnostic;
  }
  if (depth != 0 && rule.getNumResults() != plainResults.size())
    return fail(call, "has a gradient rule with effects, which cannot run inside a branch or loop");
  auto adjointCall = func::CallOp::create(builder, call.getLoc(), rule, operands);
  for (Value result : adjointCall.getResults())
    if (isTokenType(result.getType()))
      findToken(result.getType())->set(result);
  return accumulate(call, inputs, adjointCall.getResults().take_front(inputs.size()), builder, adjoints);
}
