// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reverse of loops. A loop takes n steps from a first state, s(0), to its last, s(n); its reverse takes the same
// steps from the last to the first, and each needs the state that its forward step started from. Memory is static in a
// device loop, so there is no tape that could grow with n. Instead the reverse step recomputes its state from the
// first one:
//
//   for k in 0 .. n:
//     i = n - 1 - k
//     s = s(0); for m in 0 .. i: s = step(m, s)
//     ds, dcaptured += reverse of step(i, s) on ds
//
// That needs no bound on n, at the price of n/2 forward steps per reverse step. It is right only for loops without
// effects; reads of parameters that a loop does not write have been hoisted out of it before.
// Test: test/compiler/autodiff/expand_gradients_control_flow.mlir.

#include "compiler/auto_monad/Tokens.h"
#include "compiler/autodiff/ReverseWalk.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace plumb;

static Value buildIndex(OpBuilder &builder, Location loc, int64_t number) {
  return arith::ConstantIndexOp::create(builder, loc, number);
}

/// Clones the ops of `block` but its terminator with `arguments` for its arguments; returns its terminator's operands.
static SmallVector<Value> cloneBlock(OpBuilder &builder, Block &block, ValueRange arguments) {
  IRMapping map;
  map.map(block.getArguments(), arguments);
  for (Operation &op : block.without_terminator())
    builder.clone(op, map);
  return llvm::map_to_vector(block.getTerminator()->getOperands(), [&](Value v) { return map.lookupOrDefault(v); });
}

/// Whether a step of `loop` does more than compute. A token that merely goes round is no effect.
static bool hasEffects(Operation *loop) {
  WalkResult walk = loop->walk([](Operation *op) {
    bool called = isa<func::CallOp>(op) && llvm::any_of(op->getOperandTypes(), isTokenType);
    return called || isa<net::StateOpInterface>(op) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return walk.wasInterrupted();
}

/// The op behind which `builder` inserts, or null at the start of a block.
static Operation *lastInserted(OpBuilder &builder) {
  Block::iterator point = builder.getInsertionPoint();
  return point == builder.getBlock()->begin() ? nullptr : &*std::prev(point);
}

/// The ops that were inserted at `builder` since `before` was its last one.
static SmallVector<Operation *> insertedSince(OpBuilder &builder, Operation *before) {
  SmallVector<Operation *> ops;
  for (Operation *op = lastInserted(builder); op != before; op = op->getPrevNode())
    ops.push_back(op);
  std::reverse(ops.begin(), ops.end());
  return ops;
}

LogicalResult ReverseWalk::reverseSteps(Operation *loop, ValueRange init, Value count, ArrayRef<Value> last,
                                        StepBuilder buildStep, OpBuilder &builder, Adjoints &adjoints) {
  Location loc = loop->getLoc();
  llvm::SetVector<Value> used;
  getUsedValuesDefinedAbove(loop->getRegions(), used);
  SmallVector<Value> captured =
      llvm::filter_to_vector(used, [&](Value value) { return activity.isActive(value); });
  SmallVector<unsigned> active; // Numbers of the state's parts that have an adjoint.
  SmallVector<Value> carried;
  ValueRange arguments = cast<LoopLikeOpInterface>(loop).getRegionIterArgs();
  for (auto [number, value] : llvm::enumerate(init))
    if (last[number] || activity.isActive(arguments[number])) {
      active.push_back(number);
      carried.push_back(last[number] ? last[number] : buildSplat(builder, loc, value.getType(), 0.0));
    }
  for (Value value : captured)
    carried.push_back(buildSplat(builder, loc, value.getType(), 0.0));

  Value zero = buildIndex(builder, loc, 0), one = buildIndex(builder, loc, 1);
  auto reverse = scf::ForOp::create(builder, loc, zero, count, one, carried);
  OpBuilder inner = OpBuilder::atBlockBegin(reverse.getBody());
  Value before = arith::SubIOp::create(inner, loc, count, one);
  Value step = arith::SubIOp::create(inner, loc, before, reverse.getInductionVar());
  auto recompute = scf::ForOp::create(inner, loc, zero, step, one, init);
  OpBuilder again = OpBuilder::atBlockBegin(recompute.getBody());
  scf::YieldOp::create(again, loc, buildStep(again, recompute.getInductionVar(), recompute.getRegionIterArgs()));

  for (unsigned number : active)
    activity.markValue(recompute.getResult(number));
  Operation *mark = lastInserted(inner);
  SmallVector<Value> next = buildStep(inner, step, recompute.getResults());
  SmallVector<Operation *> ops = insertedSince(inner, mark);
  activity.propagate(ops);
  Adjoints local;
  for (auto [number, adjoint] : llvm::zip(active, reverse.getRegionIterArgs()))
    local.add(inner, loc, next[number], adjoint);
  ++depth;
  if (failed(run(ops, inner, local)))
    return failure();
  --depth;

  SmallVector<Value> yielded;
  for (unsigned number : active)
    yielded.push_back(local.getOrZero(inner, loc, recompute.getResult(number)));
  for (auto [value, sum] : llvm::zip(captured, reverse.getRegionIterArgs().drop_front(active.size()))) {
    Value adjoint = local.get(value);
    yielded.push_back(adjoint ? buildSum(inner, loc, sum, adjoint) : Value(sum));
  }
  scf::YieldOp::create(inner, loc, yielded);
  for (auto [number, result] : llvm::zip(active, reverse.getResults()))
    if (activity.isActive(init[number]))
      adjoints.add(builder, loc, init[number], result);
  for (auto [value, result] : llvm::zip(captured, reverse.getResults().drop_front(active.size())))
    adjoints.add(builder, loc, value, result);
  return success();
}

LogicalResult ReverseWalk::visitFor(scf::ForOp op, OpBuilder &builder, Adjoints &adjoints) {
  if (hasEffects(op))
    return fail(op, "writes state or prints, so its steps cannot be run again for a gradient");
  Location loc = op.getLoc();
  Value span = arith::SubIOp::create(builder, loc, op.getUpperBound(), op.getLowerBound());
  Value count = arith::CeilDivSIOp::create(builder, loc, span, op.getStep());
  count = arith::MaxSIOp::create(builder, loc, count, buildIndex(builder, loc, 0));
  SmallVector<Value> last =
      llvm::map_to_vector(op.getResults(), [&](Value result) { return adjoints.get(result); });
  auto buildStep = [&](OpBuilder &inner, Value number, ValueRange state) {
    Value offset = arith::MulIOp::create(inner, loc, number, op.getStep());
    SmallVector<Value> arguments = {arith::AddIOp::create(inner, loc, op.getLowerBound(), offset)};
    llvm::append_range(arguments, state);
    return cloneBlock(inner, *op.getBody(), arguments);
  };
  return reverseSteps(op, op.getInitArgs(), count, last, buildStep, builder, adjoints);
}

/// Rebuilds `op` so that it also yields its last state, as its condition saw it, and how many steps it took.
static scf::WhileOp countSteps(scf::WhileOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Type index = builder.getIndexType();
  SmallVector<Value> inits(op.getInits());
  inits.push_back(buildIndex(builder, loc, 0));
  SmallVector<Type> types(op.getResultTypes());
  llvm::append_range(types, ValueRange(inits).getTypes());
  auto counting = scf::WhileOp::create(builder, loc, types, inits);
  counting.getBefore().takeBody(op.getBefore());
  counting.getAfter().takeBody(op.getAfter());

  Block &before = counting.getBefore().front(), &after = counting.getAfter().front();
  before.addArgument(index, loc);
  Operation *condition = before.getTerminator();
  condition->insertOperands(condition->getNumOperands(), before.getArguments());
  for (Value value : before.getArguments())
    after.addArgument(value.getType(), loc);
  Operation *yield = after.getTerminator();
  builder.setInsertionPoint(yield);
  Value one = buildIndex(builder, loc, 1);
  Value next = arith::AddIOp::create(builder, loc, after.getArguments().back(), one);
  yield->insertOperands(yield->getNumOperands(), next);
  op->replaceAllUsesWith(counting->getResults().take_front(op->getNumResults()));
  op->erase();
  return counting;
}

LogicalResult ReverseWalk::visitWhile(scf::WhileOp op, OpBuilder &builder, Adjoints &adjoints) {
  if (hasEffects(op))
    return fail(op, "writes state or prints, so its steps cannot be run again for a gradient");
  unsigned numResults = op.getNumResults(), numStates = op.getInits().size();
  SmallVector<Value> results =
      llvm::map_to_vector(op.getResults(), [&](Value result) { return adjoints.get(result); });
  for (Value result : op.getResults())
    adjoints.values.erase(result);
  scf::WhileOp loop = countSteps(op);
  ValueRange lastState = loop.getResults().slice(numResults, numStates);
  for (auto [value, argument] : llvm::zip(lastState, loop.getBeforeArguments()))
    if (activity.isActive(argument))
      activity.markValue(value);

  // What the loop yields is computed once more from its last state, to be walked back.
  Operation *mark = lastInserted(builder);
  auto stateOf = [&](ValueRange state) {
    SmallVector<Value> arguments(state);
    arguments.push_back(loop.getResults().back()); // The count, which nothing here reads.
    return arguments;
  };
  SmallVector<Value> yielded = cloneBlock(builder, *loop.getBeforeBody(), stateOf(lastState));
  SmallVector<Operation *> ops = insertedSince(builder, mark);
  activity.propagate(ops);
  for (auto [value, adjoint] : llvm::zip(ValueRange(yielded).drop_front(), results))
    if (adjoint)
      adjoints.add(builder, loop.getLoc(), value, adjoint);
  if (failed(run(ops, builder, adjoints)))
    return failure();

  SmallVector<Value> last =
      llvm::map_to_vector(lastState, [&](Value value) { return adjoints.get(value); });
  auto buildStep = [&](OpBuilder &inner, Value, ValueRange state) {
    SmallVector<Value> passed = cloneBlock(inner, *loop.getBeforeBody(), stateOf(state));
    SmallVector<Value> next = cloneBlock(inner, *loop.getAfterBody(), ValueRange(passed).drop_front());
    next.resize(numStates);
    return next;
  };
  return reverseSteps(loop, loop.getInits().drop_back(), loop.getResults().back(), last, buildStep, builder, adjoints);
}
