// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/auto_monad/SharedForward.h"
#include "compiler/auto_monad/EffectInference.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace plumb;

void ParameterUse::join(const ParameterUse &other) {
  accessed.insert(other.accessed.begin(), other.accessed.end());
  written.insert(other.written.begin(), other.written.end());
  isOpen |= other.isOpen;
}

bool ParameterUse::disturbs(const ParameterUse &other) const {
  if (isOpen || (other.isOpen && !written.empty()))
    return true;
  return llvm::any_of(written, [&](StringAttr parameter) { return other.accessed.contains(parameter); });
}

const ParameterUse &SharedForwards::useOf(func::FuncOp function) {
  auto [found, isNew] = uses.try_emplace(function);
  if (!isNew)
    return found->second;
  // What calls itself finds this.
  found->second.isOpen = true;
  ParameterUse use = useOf(function.getOperation());
  return uses[function] = std::move(use);
}

ParameterUse SharedForwards::useOf(Operation *op) {
  ParameterUse use;
  op->walk([&](Operation *nested) {
    // Where a function is differentiated, its rule runs.
    if (auto rule = nested->getAttrOfType<FlatSymbolRefAttr>("custom_bprop"))
      use.join(useOf(symbols.lookupNearestSymbolFrom<func::FuncOp>(nested, rule)));
    if (auto read = dyn_cast<net::ReadOp>(nested)) {
      use.accessed.insert(read.getParameterAttr().getAttr());
    } else if (auto write = dyn_cast<net::AssignOp>(nested)) {
      use.accessed.insert(write.getParameterAttr().getAttr());
      use.written.insert(write.getParameterAttr().getAttr());
    } else if (auto state = dyn_cast<net::StateOpInterface>(nested)) {
      use.isOpen |= state.getTokenKind() == net::TokenKind::Memory;
    } else if (func::FuncOp callee = lookupCallee(nested, symbols)) {
      use.join(useOf(callee));
    } else if (isa<CallOpInterface, net::ValueAndGradOp>(nested)) {
      use.isOpen = true;
    }
  });
  return use;
}

/// Whether `argument` of a gradient is what a call was given at that place; what orders the two is no argument.
static bool isSame(Value given, Value argument) {
  Attribute first, second;
  return given == argument || (isTokenType(given.getType()) && given.getType() == argument.getType()) ||
         (matchPattern(given, m_Constant(&first)) && matchPattern(argument, m_Constant(&second)) && first == second);
}

/// Whether `op` is a call of what `gradient` differentiates, with the same arguments.
static bool isSameRun(Operation *op, net::ValueAndGradOp gradient) {
  auto call = dyn_cast<func::CallOp>(op);
  return call && call.getCalleeAttr() == gradient.getCalleeAttr() &&
         llvm::all_of(llvm::zip(call.getOperands(), gradient.getArgs()),
                      [](auto pair) { return isSame(std::get<0>(pair), std::get<1>(pair)); });
}

func::CallOp SharedForwards::find(net::ValueAndGradOp gradient) {
  if (llvm::none_of(gradient.getArgs().getTypes(), isTokenType))
    return nullptr;
  Operation *call = gradient->getPrevNode();
  while (call && !isSameRun(call, gradient))
    call = call->getPrevNode();
  func::FuncOp callee = call ? lookupCallee(call, symbols) : nullptr;
  if (!callee)
    return nullptr;
  const ParameterUse use = useOf(callee);
  for (Operation *between = call->getNextNode(); between != gradient; between = between->getNextNode())
    if (useOf(between).disturbs(use))
      return nullptr;
  return cast<func::CallOp>(call);
}
