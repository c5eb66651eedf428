// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns program order of effects into data flow. Before, reads, writes and prints are ordered by where they stand:
//
//   func.func @bump(%x: tensor<f32>) -> tensor<f32> {
//     %v = net.read @w : tensor<f32>
//     net.assign @w, %x : tensor<f32>
//     return %v : tensor<f32>
//   }
//
// after, by the token that each takes and yields, so that every later stage may treat the function as a pure graph:
//
//   func.func @bump(%x: tensor<f32>, %u: !net.u) -> (tensor<f32>, !net.u) {
//     %v, %u1 = net.read @w after %u : tensor<f32>
//     %u2 = net.assign @w, %x after %u1 : tensor<f32>
//     return %v, %u2 : tensor<f32>, !net.u
//   }
//
// Effects are inferred first for all functions (EffectInference.h). Then each function's body is walked in order with
// the latest token of each kind at hand. A region op passes its tokens as a value of each region: an `scf.if` yields
// them, loops carry them. Entry functions make their first tokens themselves, since a device loop starts them with
// nothing but the batch. Test: test/compiler/auto_monad/insert_state_tokens.mlir.

#include "compiler/auto_monad/EffectInference.h"
#include "compiler/auto_monad/Passes.h"
#include "dialects/net/ir/NetModuleOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace plumb {
#define GEN_PASS_DEF_INSERTSTATETOKENSPASS
#include "compiler/auto_monad/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

namespace {

/// The latest token of each kind at a point of a block; null where the code around has no effect of that kind.
struct TokenState {
  Value memory;
  Value io;

  Value &operator[](net::TokenKind kind) { return kind == net::TokenKind::Memory ? memory : io; }

  /// The tokens of `set`, memory first.
  SmallVector<Value, 2> select(EffectSet set) {
    return llvm::map_to_vector<2>(set.kinds(), [&](net::TokenKind kind) { return (*this)[kind]; });
  }
  /// Makes `values`, given in the order of `set`, the latest tokens.
  void update(EffectSet set, ValueRange values) {
    for (auto [kind, value] : llvm::zip_equal(set.kinds(), values))
      (*this)[kind] = value;
  }
};

/// Rewrites the functions of one module.
class TokenThreader {
public:
  explicit TokenThreader(ModuleOp module) : effects(module) {}

  /// Threads tokens through `function`. An entry makes its own first tokens.
  LogicalResult run(func::FuncOp function, bool isEntry);

private:
  LogicalResult threadBlock(Block &block, TokenState &state);
  LogicalResult threadOp(Operation *op, TokenState &state);
  LogicalResult threadCall(Operation *op, EffectSet set, TokenState &state);
  LogicalResult threadIf(scf::IfOp op, EffectSet set, TokenState &state);
  LogicalResult threadWhile(scf::WhileOp op, EffectSet set, TokenState &state);
  LogicalResult threadFor(scf::ForOp op, EffectSet set, TokenState &state);

  /// Threads the only block of `region`, entered with `state`, and appends the last tokens of `set` to its terminator.
  LogicalResult threadRegion(Region &region, EffectSet set, TokenState state);
  /// As above, for a region that gets its tokens as new trailing block arguments.
  LogicalResult threadLoopRegion(Region &region, EffectSet set);

  EffectInference effects;
  SymbolTableCollection symbols;
};

} // namespace

/// Replaces the first results of `op` by those of `replacement`, which has its new tokens last, and erases `op`.
static void replaceKeepingTokensLast(Operation *op, Operation *replacement) {
  for (auto [before, after] : llvm::zip(op->getResults(), replacement->getResults()))
    before.replaceAllUsesWith(after);
  op->erase();
}

/// The last `count` results of `op`.
static ValueRange lastResults(Operation *op, unsigned count) { return op->getResults().take_back(count); }

LogicalResult TokenThreader::run(func::FuncOp function, bool isEntry) {
  EffectSet set = effects.of(function);
  if (set.empty() || function.isExternal())
    return success();
  OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
  SmallVector<Value> first;
  for (Type type : set.tokenTypes(function.getContext())) {
    if (failed(function.insertResult(function.getNumResults(), type, DictionaryAttr())))
      return failure();
    if (isEntry) {
      first.push_back(net::TokenOp::create(builder, function.getLoc(), type));
      continue;
    }
    if (failed(function.insertArgument(function.getNumArguments(), type, DictionaryAttr(), function.getLoc())))
      return failure();
    first.push_back(function.getArguments().back());
  }
  TokenState state;
  state.update(set, first);
  return threadRegion(function.getBody(), set, state);
}

LogicalResult TokenThreader::threadRegion(Region &region, EffectSet set, TokenState state) {
  if (!region.hasOneBlock())
    return region.getParentOp()->emitOpError("has effects, but a region of more than one block");
  Block &block = region.front();
  if (failed(threadBlock(block, state)))
    return failure();
  Operation *terminator = block.getTerminator();
  terminator->insertOperands(terminator->getNumOperands(), state.select(set));
  return success();
}

LogicalResult TokenThreader::threadLoopRegion(Region &region, EffectSet set) {
  TokenState state;
  for (net::TokenKind kind : set.kinds())
    state[kind] = region.addArgument(getTokenType(region.getContext(), kind), region.getLoc());
  return threadRegion(region, set, state);
}

LogicalResult TokenThreader::threadBlock(Block &block, TokenState &state) {
  for (Operation &op : llvm::make_early_inc_range(block))
    if (failed(threadOp(&op, state)))
      return failure();
  return success();
}

LogicalResult TokenThreader::threadOp(Operation *op, TokenState &state) {
  if (auto stateOp = dyn_cast<net::StateOpInterface>(op)) {
    if (stateOp.hasToken())
      return op->emitOpError("already has a state token");
    OpBuilder builder(op);
    net::TokenKind kind = stateOp.getTokenKind();
    Operation *replacement = stateOp.cloneWithToken(builder, state[kind]);
    state[kind] = replacement->getResults().back();
    replaceKeepingTokensLast(op, replacement);
    return success();
  }
  EffectSet set = effects.of(op);
  if (set.empty())
    return success();
  if (lookupCallee(op, symbols))
    return threadCall(op, set, state);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return threadIf(branch, set, state);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return threadWhile(loop, set, state);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return threadFor(loop, set, state);
  return op->emitOpError("has effects in its regions, but state cannot be threaded through it");
}

/// Calls and gradients take the callee's tokens after the callee's own operands and yield them after its results. A
/// gradient's seeds stand behind its tokens, and its gradients behind the tokens that it yields.
LogicalResult TokenThreader::threadCall(Operation *op, EffectSet set, TokenState &state) {
  func::FuncOp callee = lookupCallee(op, symbols);
  // The callee may have been rewritten already or not yet; its effects tell how many tokens are to be left out.
  unsigned tokenCount = set.size();
  unsigned numInputs = llvm::count_if(callee.getArgumentTypes(), [](Type type) { return !isTokenType(type); });
  unsigned numResults = llvm::count_if(callee.getResultTypes(), [](Type type) { return !isTokenType(type); });

  SmallVector<Value> operands(op->getOperands());
  SmallVector<Value, 2> tokens = state.select(set);
  operands.insert(operands.begin() + numInputs, tokens.begin(), tokens.end());
  SmallVector<Type> types(op->getResultTypes());
  SmallVector<Type, 2> tokenTypes = set.tokenTypes(op->getContext());
  types.insert(types.begin() + numResults, tokenTypes.begin(), tokenTypes.end());

  OperationState description(op->getLoc(), op->getName(), operands, types, op->getAttrs());
  OpBuilder builder(op);
  Operation *replacement = builder.create(description);
  for (unsigned i = 0, e = op->getNumResults(); i < e; ++i)
    op->getResult(i).replaceAllUsesWith(replacement->getResult(i < numResults ? i : i + tokenCount));
  state.update(set, replacement->getResults().slice(numResults, tokenCount));
  op->erase();
  return success();
}

LogicalResult TokenThreader::threadIf(scf::IfOp op, EffectSet set, TokenState &state) {
  OpBuilder builder(op);
  SmallVector<Type> types(op.getResultTypes());
  llvm::append_range(types, set.tokenTypes(op.getContext()));
  auto replacement = scf::IfOp::create(builder, op.getLoc(), types, op.getCondition(), /*addElseBlock=*/false);
  replacement->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  replacement.getThenRegion().takeBody(op.getThenRegion());
  if (op.getElseRegion().empty()) {
    builder.createBlock(&replacement.getElseRegion());
    scf::YieldOp::create(builder, op.getLoc());
  } else {
    replacement.getElseRegion().takeBody(op.getElseRegion());
  }
  for (Region &region : replacement->getRegions())
    if (failed(threadRegion(region, set, state)))
      return failure();
  state.update(set, lastResults(replacement, set.size()));
  replaceKeepingTokensLast(op, replacement);
  return success();
}

LogicalResult TokenThreader::threadWhile(scf::WhileOp op, EffectSet set, TokenState &state) {
  OpBuilder builder(op);
  SmallVector<Type> types(op.getResultTypes());
  llvm::append_range(types, set.tokenTypes(op.getContext()));
  SmallVector<Value> inits(op.getInits());
  llvm::append_range(inits, state.select(set));
  auto replacement = scf::WhileOp::create(builder, op.getLoc(), types, inits);
  replacement->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  replacement.getBefore().takeBody(op.getBefore());
  replacement.getAfter().takeBody(op.getAfter());
  for (Region &region : replacement->getRegions())
    if (failed(threadLoopRegion(region, set)))
      return failure();
  state.update(set, lastResults(replacement, set.size()));
  replaceKeepingTokensLast(op, replacement);
  return success();
}

LogicalResult TokenThreader::threadFor(scf::ForOp op, EffectSet set, TokenState &state) {
  OpBuilder builder(op);
  SmallVector<Value> inits(op.getInitArgs());
  llvm::append_range(inits, state.select(set));
  auto replacement =
      scf::ForOp::create(builder, op.getLoc(), op.getLowerBound(), op.getUpperBound(), op.getStep(), inits);
  replacement->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  replacement.getRegion().takeBody(op.getRegion());
  if (failed(threadLoopRegion(replacement.getRegion(), set)))
    return failure();
  state.update(set, lastResults(replacement, set.size()));
  replaceKeepingTokensLast(op, replacement);
  return success();
}

/// The functions that the module's entries start.
static llvm::SmallPtrSet<Operation *, 4> collectEntryFunctions(ModuleOp module) {
  llvm::SmallPtrSet<Operation *, 4> entries;
  for (auto entry : module.getOps<net::EntryOp>())
    if (auto callee = dyn_cast_or_null<FlatSymbolRefAttr>(entry.getCallee()))
      if (auto function = module.lookupSymbol<func::FuncOp>(callee.getAttr()))
        entries.insert(function);
  return entries;
}

/// Gives each entry function that is called, too, a private twin for its callers, since the two differ in signature
/// once the entry makes its own tokens.
static void splitCalledEntries(ModuleOp module, const llvm::SmallPtrSetImpl<Operation *> &entries) {
  SymbolTable table(module);
  SymbolTableCollection symbols;
  llvm::DenseMap<Operation *, func::FuncOp> twins;
  module.walk([&](Operation *op) {
    func::FuncOp callee = lookupCallee(op, symbols);
    if (!callee || !entries.contains(callee))
      return;
    func::FuncOp &twin = twins[callee];
    if (!twin) {
      twin = callee.clone();
      twin.setPrivate();
      table.insert(twin, Block::iterator(callee));
    }
    auto symbol = FlatSymbolRefAttr::get(twin.getSymNameAttr());
    if (auto call = dyn_cast<func::CallOp>(op))
      call.setCalleeAttr(symbol);
    else
      cast<net::ValueAndGradOp>(op).setCalleeAttr(symbol);
  });
}

namespace {

struct InsertStateTokensPass : public plumb::impl::InsertStateTokensPassBase<InsertStateTokensPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    llvm::SmallPtrSet<Operation *, 4> entries = collectEntryFunctions(module);
    splitCalledEntries(module, entries);
    TokenThreader threader(module);
    for (auto function : module.getOps<func::FuncOp>())
      if (failed(threader.run(function, entries.contains(function))))
        return signalPassFailure();
  }
};

} // namespace
