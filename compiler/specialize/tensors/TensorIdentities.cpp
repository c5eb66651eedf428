// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which tensors are one object. In a typed function that are those of one SSA value, but for the arguments: a caller
// may pass one tensor for two of them.
//
//   def same(a, b): return a is b         same(x, x) and same(x, y) are calls of two typed functions
//
// A function whose body asks about two of its arguments stands there once per answer, which what a call passes gives;
// where that are arguments of the caller's, the caller asks, too. About the arguments of the program its Python
// process is asked: the answer holds for the calls that pass one object in the same places (_engine.py). What a branch
// or a loop on a tensor chooses may be one of several: only the running program knows.

#include "compiler/specialize/tensors/TensorIdentities.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace plumb::specialize {

/// The tensors that the result of a branch or a loop may be; nothing for the results of other operations.
static SmallVector<Value> getChoices(OpResult result) {
  unsigned number = result.getResultNumber();
  if (auto branch = dyn_cast<scf::IfOp>(result.getOwner()))
    return {branch.thenYield().getOperand(number), branch.elseYield().getOperand(number)};
  auto loop = dyn_cast<scf::WhileOp>(result.getOwner());
  if (!loop)
    return {};
  SmallVector<Value> choices = {loop.getConditionOp().getArgs()[number]};
  llvm::append_range(choices, loop.getInits());
  llvm::append_range(choices, loop.getYieldOp().getOperands());
  return choices;
}

/// Of a tensor that a branch or a loop gives: what `areOne` says of each that it may be.
static SameTensor areOneOf(OpResult result, Type type, function_ref<SameTensor(Value)> areOne) {
  bool isNone = llvm::all_of(getChoices(result), [&](Value choice) {
    auto carried = dyn_cast<BlockArgument>(choice);
    bool isOfLoop = carried && carried.getOwner()->getParentOp() == result.getOwner(); // Its others are among these.
    return choice.getType() != type || isOfLoop || areOne(choice) == SameTensor::No;
  });
  return isNone ? SameTensor::No : SameTensor::Maybe;
}

/// Whether a branch or a loop gives a tensor.
static OpResult getChosen(Value tensor) {
  auto result = dyn_cast<OpResult>(tensor);
  return result && !getChoices(result).empty() ? result : OpResult();
}

/// None of Python's is an answer that it does not know.
SameTensor TensorIdentities::ask(StringRef question, const Arguments &arguments) {
  Result same = live.ask(builder.getUnknownLoc(), question, arguments);
  if (failed(same) || isNone(*same))
    return SameTensor::Maybe;
  return getInteger(*same) == 1 ? SameTensor::Yes : SameTensor::No;
}

SameTensor TensorIdentities::areOne(Value left, Value right) {
  if (left == right)
    return SameTensor::Yes;
  if (left.getType() != right.getType())
    return SameTensor::No;
  for (auto [one, other] : {std::pair(left, right), std::pair(right, left)})
    if (OpResult chosen = getChosen(one))
      return areOneOf(chosen, other.getType(), [&, beside = other](Value choice) { return areOne(choice, beside); });
  auto one = dyn_cast<BlockArgument>(left), other = dyn_cast<BlockArgument>(right);
  if (one && other)
    return areOneArgument(one, other);
  // What an operation gives is new; what a loop carries may be anything.
  auto argument = one ? one : other;
  bool isCarried = argument && !passed.contains(argument) && argument.getOwner() != inputs;
  return isCarried ? SameTensor::Maybe : SameTensor::No;
}

SameTensor TensorIdentities::areOneArgument(BlockArgument left, BlockArgument right) {
  if (left.getOwner() == inputs && right.getOwner() == inputs)
    return isLive() ? ask("shared", {{integer(left.getArgNumber()), integer(right.getArgNumber())}, {}})
                    : SameTensor::No;
  auto one = passed.find(left), other = passed.find(right);
  if (one == passed.end() || other == passed.end() || left.getOwner() != right.getOwner())
    return SameTensor::Maybe;
  SameTensor answer = areOne(one->second, other->second);
  asked[left.getOwner()].push_back({left.getArgNumber(), right.getArgNumber(), {}, answer});
  return answer;
}

SameTensor TensorIdentities::areOne(Value tensor, DenseElementsAttr constant) {
  if (tensor.getType() != constant.getType())
    return SameTensor::No;
  if (OpResult chosen = getChosen(tensor))
    return areOneOf(chosen, tensor.getType(), [&](Value choice) { return areOne(choice, constant); });
  auto argument = dyn_cast<BlockArgument>(tensor);
  if (!argument)
    return SameTensor::No;
  if (argument.getOwner() == inputs)
    return isLive() ? ask("outside", {{integer(argument.getArgNumber()), AbstractValue::getConstant(constant)}, {}})
                    : SameTensor::No;
  auto operand = passed.find(argument);
  if (operand == passed.end())
    return SameTensor::Maybe;
  SameTensor answer = areOne(operand->second, constant);
  asked[argument.getOwner()].push_back({argument.getArgNumber(), 0, constant, answer});
  return answer;
}

SameTensor TensorIdentities::areOne(DenseElementsAttr constant) {
  return isLive() ? ask("alone", {{AbstractValue::getConstant(constant)}, {}}) : SameTensor::Yes;
}

void TensorIdentities::pass(ValueRange arguments, ArrayRef<Value> operands) {
  for (auto [argument, operand] : llvm::zip(arguments, operands))
    passed[argument] = operand;
}

SmallVector<AskedIdentity, 0> TensorIdentities::takeAsked(ValueRange arguments) {
  if (arguments.empty())
    return {};
  auto found = asked.find(cast<BlockArgument>(arguments.front()).getOwner());
  SmallVector<AskedIdentity, 0> taken = found == asked.end() ? SmallVector<AskedIdentity, 0>() : found->second;
  if (found != asked.end())
    asked.erase(found);
  for (Value argument : arguments)
    passed.erase(argument);
  return taken;
}

bool TensorIdentities::fits(const Specialization &made, ArrayRef<Value> operands) {
  return llvm::all_of(made.askedIdentities, [&](const AskedIdentity &asked) {
    Value one = operands[asked.one];
    return (asked.constant ? areOne(one, asked.constant) : areOne(one, operands[asked.other])) == asked.answer;
  });
}

} // namespace plumb::specialize
