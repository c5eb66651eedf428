// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Puts the body of each function in the place of its calls, callees before callers.
//
// Functions are one block each, since control flow is structured. A call's body is written in front of the call, which
// costs as much as the body is long. MLIR's inliner splits the caller's block behind each call, which moves all that
// follows: quadratic for a step with thousands of calls, as an unrolled loop makes them.
// Test: test/compiler/inline/inline_calls.mlir

#include "compiler/inline/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace plumb {
#define GEN_PASS_DEF_INLINECALLSPASS
#include "compiler/inline/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

namespace {

/// Locations of a body that stands in the place of a call: each says from where it was called.
class CalledLocations {
public:
  explicit CalledLocations(Location caller) : caller(caller) {}

  void set(Operation *body) {
    body->walk([&](Operation *op) {
      op->setLoc(get(op->getLoc()));
      for (Region &region : op->getRegions())
        for (BlockArgument argument : region.getArguments())
          argument.setLoc(get(argument.getLoc()));
    });
  }

private:
  /// The caller stands behind the last call of the chain that the location has.
  Location stack(Location location) const {
    if (auto call = dyn_cast<CallSiteLoc>(location))
      return CallSiteLoc::get(call.getCallee(), stack(call.getCaller()));
    return CallSiteLoc::get(location, caller);
  }

  Location get(Location location) {
    auto [entry, isNew] = known.try_emplace(LocationAttr(location), location);
    if (isNew)
      entry->second = stack(location);
    return entry->second;
  }

  Location caller;
  llvm::DenseMap<Attribute, Location> known;
};

class CallInliner {
public:
  explicit CallInliner(ModuleOp module);

  /// Inlines the calls in `function`, and first those in the functions that it calls.
  void visit(func::FuncOp function);

private:
  /// The function that a call is replaced by the body of; null where the call stays.
  func::FuncOp getInlined(func::CallOp call);
  void inlineCall(func::CallOp call, func::FuncOp callee);
  /// Puts a callee's body before a call, and returns the values that stand for the call's results.
  SmallVector<Value> moveBody(func::CallOp call, func::FuncOp callee);
  SmallVector<Value> copyBody(func::CallOp call, func::FuncOp callee);

  SymbolTable symbols;
  /// How often each function is named, in calls or otherwise.
  llvm::DenseMap<StringAttr, unsigned> uses;
  llvm::DenseSet<Operation *> begun, finished;
};

} // namespace

CallInliner::CallInliner(ModuleOp module) : symbols(module) {
  if (auto all = SymbolTable::getSymbolUses(&module.getBodyRegion()))
    for (SymbolTable::SymbolUse use : *all)
      ++uses[use.getSymbolRef().getRootReference()];
}

func::FuncOp CallInliner::getInlined(func::CallOp call) {
  auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
  bool stays = !callee || call.getNoInline() || callee.getNoInline() || !callee.getBody().hasOneBlock();
  return stays ? func::FuncOp() : callee;
}

SmallVector<Value> CallInliner::moveBody(func::CallOp call, func::FuncOp callee) {
  Block &body = callee.getBody().front();
  for (auto [argument, operand] : llvm::zip(body.getArguments(), call.getOperands()))
    argument.replaceAllUsesWith(operand);
  CalledLocations locations(call.getLoc());
  for (Operation &op : body.without_terminator())
    locations.set(&op);
  Operation *end = body.getTerminator();
  SmallVector<Value> results(end->getOperands());
  call->getBlock()->getOperations().splice(call->getIterator(), body.getOperations(), body.begin(), end->getIterator());
  symbols.erase(callee);
  return results;
}

SmallVector<Value> CallInliner::copyBody(func::CallOp call, func::FuncOp callee) {
  Block &body = callee.getBody().front();
  IRMapping values;
  values.map(body.getArguments(), call.getOperands());
  CalledLocations locations(call.getLoc());
  OpBuilder builder(call);
  for (Operation &op : body.without_terminator())
    locations.set(builder.clone(op, values));
  return llvm::map_to_vector(body.getTerminator()->getOperands(), [&](Value result) { return values.lookup(result); });
}

void CallInliner::inlineCall(func::CallOp call, func::FuncOp callee) {
  bool isOnlyUse = callee.isPrivate() && uses.lookup(callee.getSymNameAttr()) == 1;
  call.replaceAllUsesWith(isOnlyUse ? moveBody(call, callee) : copyBody(call, callee));
  call.erase();
}

void CallInliner::visit(func::FuncOp function) {
  if (!begun.insert(function).second)
    return;
  SmallVector<func::CallOp> calls;
  function.walk([&](func::CallOp call) { calls.push_back(call); });
  for (func::CallOp call : calls) {
    func::FuncOp callee = getInlined(call);
    if (!callee)
      continue;
    visit(callee);
    if (finished.contains(callee)) // Else it calls itself.
      inlineCall(call, callee);
  }
  finished.insert(function);
}

namespace {

struct InlineCallsPass : public plumb::impl::InlineCallsPassBase<InlineCallsPass> {
  void runOnOperation() override {
    CallInliner inliner(getOperation());
    // A function whose only call is inlined is gone, but was visited before.
    for (func::FuncOp function : llvm::to_vector(getOperation().getOps<func::FuncOp>()))
      inliner.visit(function);
  }
};

} // namespace
