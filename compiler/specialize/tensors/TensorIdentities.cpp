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
// or a loop on a tensor chooses, here or in a function that is called, may be one of several: only the running program
// knows.

#include "compiler/specialize/tensors/TensorIdentities.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace plumb::specialize {

namespace {
/// The tensors that one may be which branches, loops and calls hand on.
struct Origins {
  llvm::SetVector<Value> values;
  bool isOpen = false; ///< Of a loop that is being written: others may come.
};
} // namespace

/// Enters the tensors that `argument` of a loop is in its iterations.
static void addCarried(scf::WhileOp loop, BlockArgument argument, SmallVectorImpl<Value> &pending, Origins &origins) {
  unsigned number = argument.getArgNumber();
  bool isBefore = argument.getOwner() == loop.getBeforeBody();
  if (isBefore)
    pending.push_back(loop.getInits()[number]);
  Block *block = isBefore ? loop.getAfterBody() : loop.getBeforeBody();
  bool isWritten = !block->empty() && block->back().hasTrait<OpTrait::IsTerminator>();
  origins.isOpen |= !isWritten;
  if (isWritten)
    pending.push_back(block->back().getOperand(isBefore ? number : number + 1)); // behind the condition
}

static Origins findOrigins(Value tensor);

/// Enters what a call gives: arguments that the function hands back, or a tensor of its own.
static void addReturned(func::CallOp call, OpResult result, SmallVectorImpl<Value> &pending, Origins &origins) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr());
  Block &body = callee.front();
  Origins inner = findOrigins(body.getTerminator()->getOperand(result.getResultNumber()));
  origins.isOpen |= inner.isOpen;
  for (Value origin : inner.values) {
    auto argument = dyn_cast<BlockArgument>(origin);
    if (argument && argument.getOwner() == &body)
      pending.push_back(call.getOperand(argument.getArgNumber()));
    else
      origins.values.insert(result);
  }
}

/// Enters the tensors that one may be itself, or those that branches, loops and calls have it from.
static void addOrigins(Value tensor, SmallVectorImpl<Value> &pending, Origins &origins) {
  auto result = dyn_cast<OpResult>(tensor);
  Operation *op = result ? result.getOwner() : tensor.getParentBlock()->getParentOp();
  auto loop = dyn_cast_or_null<scf::WhileOp>(op);
  if (!result && loop)
    return addCarried(loop, cast<BlockArgument>(tensor), pending, origins);
  if (auto call = dyn_cast_or_null<func::CallOp>(op); call && result)
    return addReturned(call, result, pending, origins);
  if (auto branch = dyn_cast_or_null<scf::IfOp>(op); branch && result)
    for (scf::YieldOp yield : {branch.thenYield(), branch.elseYield()})
      pending.push_back(yield.getOperand(result.getResultNumber()));
  else if (loop)
    pending.push_back(loop.getConditionOp().getArgs()[result.getResultNumber()]);
  else
    origins.values.insert(tensor);
}

static Origins findOrigins(Value tensor) {
  Origins origins;
  SmallVector<Value> pending = {tensor};
  llvm::DenseSet<Value> seen;
  while (!pending.empty())
    if (Value next = pending.pop_back_val(); seen.insert(next).second)
      addOrigins(next, pending, origins);
  return origins;
}

/// What `areOne` says of all that a tensor may be.
static SameTensor areOneOf(const Origins &origins, function_ref<SameTensor(Value)> areOne) {
  if (origins.values.size() == 1 && !origins.isOpen)
    return areOne(origins.values.front());
  bool isNone = llvm::all_of(origins.values, [&](Value origin) { return areOne(origin) == SameTensor::No; });
  return isNone && !origins.isOpen ? SameTensor::No : SameTensor::Maybe;
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
  Origins ones = findOrigins(left), others = findOrigins(right);
  return areOneOf(ones,
                  [&](Value one) { return areOneOf(others, [&](Value other) { return areOneOrigin(one, other); }); });
}

SameTensor TensorIdentities::areOneOrigin(Value left, Value right) {
  if (left == right)
    return SameTensor::Yes;
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
  return areOneOf(findOrigins(tensor), [&](Value origin) { return areOneOrigin(origin, constant); });
}

SameTensor TensorIdentities::areOneOrigin(Value tensor, DenseElementsAttr constant) {
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
