// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/auto_monad/EffectInference.h"

using namespace mlir;
using namespace plumb;

void EffectSet::join(EffectSet other) {
  memory |= other.memory;
  io |= other.io;
}

void EffectSet::add(net::TokenKind kind) { (kind == net::TokenKind::Memory ? memory : io) = true; }

SmallVector<net::TokenKind, 2> EffectSet::kinds() const {
  SmallVector<net::TokenKind, 2> result;
  if (memory)
    result.push_back(net::TokenKind::Memory);
  if (io)
    result.push_back(net::TokenKind::IO);
  return result;
}

SmallVector<Type, 2> EffectSet::tokenTypes(MLIRContext *context) const {
  return llvm::map_to_vector<2>(kinds(), [&](net::TokenKind kind) { return getTokenType(context, kind); });
}

func::FuncOp plumb::lookupCallee(Operation *op, SymbolTableCollection &symbols) {
  FlatSymbolRefAttr callee;
  if (auto call = dyn_cast<func::CallOp>(op))
    callee = call.getCalleeAttr();
  else if (auto gradient = dyn_cast<net::ValueAndGradOp>(op))
    callee = gradient.getCalleeAttr();
  return callee ? symbols.lookupNearestSymbolFrom<func::FuncOp>(op, callee) : nullptr;
}

EffectInference::EffectInference(ModuleOp module) {
  bool changed = true;
  while (changed) {
    changed = false;
    for (auto function : module.getOps<func::FuncOp>()) {
      EffectSet found = of(function.getOperation());
      changed |= !(found == effects.lookup(function));
      effects[function] = found;
    }
  }
}

EffectSet EffectInference::of(Operation *op) const {
  EffectSet found;
  op->walk([&](Operation *nested) {
    // Where a function is differentiated, its rule runs.
    if (auto rule = nested->getAttrOfType<FlatSymbolRefAttr>("custom_bprop"))
      found.join(effects.lookup(symbols.lookupNearestSymbolFrom<func::FuncOp>(nested, rule)));
    if (auto state = dyn_cast<net::StateOpInterface>(nested))
      found.add(state.getTokenKind());
    else if (func::FuncOp callee = lookupCallee(nested, symbols))
      found.join(effects.lookup(callee));
  });
  return found;
}
