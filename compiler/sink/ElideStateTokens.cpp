// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Removes state tokens.
//
// Three sweeps. First each effect is made anew without its token, and who used the token it gave now uses the token it
// took: in the end every token is `net.token` or a region's argument. Then nothing is forwarded any more: token
// operands of terminators and initial values go. Last, operations with regions are made anew without token results and
// arguments.
//
//   %w, %u1 = net.read @w after %u : tensor<f32>     =>     %w = net.read @w : tensor<f32>
//
// Tests: test/compiler/sink/elide_state_tokens*.mlir

#include "compiler/sink/Passes.h"
#include "dialects/net/ir/NetStateOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

namespace plumb {
#define GEN_PASS_DEF_ELIDESTATETOKENSPASS
#include "compiler/sink/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

static bool isTokenType(Type type) { return isa<net::UType, net::IOType>(type); }
static bool isToken(Value value) { return isTokenType(value.getType()); }

/// Makes an effect anew without its token.
static void dropToken(net::StateOpInterface state) {
  Operation *op = state.getOperation();
  OpBuilder builder(op);
  if (auto read = dyn_cast<net::ReadOp>(op)) {
    auto fresh = net::ReadOp::create(builder, op->getLoc(), read.getValue().getType(), read.getParameter());
    read.getValue().replaceAllUsesWith(fresh.getValue());
  } else if (auto assign = dyn_cast<net::AssignOp>(op)) {
    net::AssignOp::create(builder, op->getLoc(), assign.getParameter(), assign.getValue());
  } else if (auto print = dyn_cast<net::PrintOp>(op)) {
    net::PrintOp::create(builder, op->getLoc(), print.getFormat(), print.getValues());
  } else {
    return;
  }
  state.getOutToken().replaceAllUsesWith(state.getInToken());
  op->erase();
}

static void eraseTokenOperands(Operation *op) {
  llvm::BitVector tokens(op->getNumOperands());
  for (auto [number, operand] : llvm::enumerate(op->getOperands()))
    tokens[number] = isToken(operand);
  op->eraseOperands(tokens);
}

/// Makes an operation with regions anew, without token results and arguments.
static void stripTokens(Operation *op) {
  OperationState state(op->getLoc(), op->getName());
  SmallVector<Value> results;
  state.addOperands(op->getOperands());
  for (Value result : op->getResults())
    if (!isToken(result)) {
      results.push_back(result);
      state.types.push_back(result.getType());
    }
  state.attributes = op->getAttrs();
  for (Region &region : op->getRegions()) {
    Region *fresh = state.addRegion();
    fresh->takeBody(region);
    for (Block &block : *fresh)
      block.eraseArguments([](BlockArgument argument) { return isToken(argument); });
  }
  Operation *stripped = OpBuilder(op).create(state);
  for (auto [old, fresh] : llvm::zip(results, stripped->getResults()))
    old.replaceAllUsesWith(fresh);
  op->erase();
}

/// A function keeps its identity; only its type and its block's arguments change.
static void stripFunction(func::FuncOp function) {
  SmallVector<Type> inputs, results;
  auto isPlain = [](Type type) { return !isTokenType(type); };
  llvm::copy_if(function.getArgumentTypes(), std::back_inserter(inputs), isPlain);
  llvm::copy_if(function.getResultTypes(), std::back_inserter(results), isPlain);
  if (!function.isExternal())
    function.getBody().front().eraseArguments([](BlockArgument argument) { return isToken(argument); });
  function.setType(FunctionType::get(function.getContext(), inputs, results));
}

static void elideTokens(func::FuncOp function) {
  SmallVector<net::StateOpInterface> effects;
  SmallVector<net::DependOp> depends;
  SmallVector<Operation *> terminators, owners, tokens;
  function.walk([&](Operation *op) { // Inner operations first.
    if (auto state = dyn_cast<net::StateOpInterface>(op); state && state.hasToken())
      effects.push_back(state);
    else if (auto depend = dyn_cast<net::DependOp>(op))
      depends.push_back(depend);
    else if (isa<net::TokenOp>(op))
      tokens.push_back(op);
    else if (op->hasTrait<OpTrait::IsTerminator>())
      terminators.push_back(op);
    else if (isa<RegionBranchOpInterface>(op) &&
             (llvm::any_of(op->getResults(), isToken) || llvm::any_of(op->getOperands(), isToken)))
      owners.push_back(op);
  });
  for (net::StateOpInterface effect : effects)
    dropToken(effect);
  for (net::DependOp depend : depends) {
    depend.getResult().replaceAllUsesWith(depend.getValue());
    depend.erase();
  }
  // All uses go before the first operation that yields a token does: it may flow into a neighbour or an inner one.
  for (Operation *user : llvm::concat<Operation *>(terminators, owners))
    eraseTokenOperands(user);
  for (Operation *owner : owners)
    stripTokens(owner);
  for (Operation *token : tokens)
    if (token->use_empty())
      token->erase();
  stripFunction(function);
}

/// Whether the tokens of `op` can be taken away.
static bool mayLoseTokens(Operation *op) {
  auto hasToken = [](auto types) { return llvm::any_of(types, isTokenType); };
  bool regions = llvm::all_of(op->getRegions(), [&](Region &region) { return region.empty() || region.hasOneBlock(); });
  if (op->hasTrait<OpTrait::IsTerminator>())
    return op->getNumSuccessors() == 0;
  if (!hasToken(op->getOperandTypes()) && !hasToken(op->getResultTypes()))
    return regions;
  return regions && isa<net::StateOpInterface, net::DependOp, net::TokenOp, RegionBranchOpInterface>(op);
}

/// Fails at an operation that would need its tokens: calls, gradients and unstructured control flow are other stages'
/// business.
static LogicalResult checkOperations(ModuleOp module) {
  WalkResult walk = module.walk([](Operation *op) -> WalkResult {
    if (isa<func::CallOp>(op))
      return op->emitOpError() << "is left in the step; only inlined programs can be sunk";
    if (!mayLoseTokens(op))
      return op->emitOpError() << "is left in the step; its state tokens cannot be taken away";
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

namespace {

struct ElideStateTokensPass : public plumb::impl::ElideStateTokensPassBase<ElideStateTokensPass> {
  void runOnOperation() override {
    if (failed(checkOperations(getOperation())))
      return signalPassFailure();
    for (auto function : getOperation().getOps<func::FuncOp>())
      elideTokens(function);
  }
};

} // namespace
