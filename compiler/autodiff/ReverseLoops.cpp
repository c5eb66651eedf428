// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reverse of loops. A loop takes n steps from a first state, s(0), to its last, s(n); its reverse takes the same
// steps from the last to the first, and each needs the state that its forward step started from. The forward loop is
// rewritten to keep its states on a tape (StateTape.h):
//
//   for m in 0 .. n:                                 for k in 0 .. n:
//     tape[m] = s                                      i = n - 1 - k
//     s = step(m, s)                                   s = tape[i]
//                                                      ds, dcaptured += reverse of step(i, s) on ds
//
// Where the tape has fewer slots than there are steps, the states between two that are kept are computed from the
// earlier one (StateWindow.h). What a step computes is computed again from its state, but for what is kept beside it
// (KeptResults.h), so this is right only for loops that write nothing; reads of parameters that a loop does not write
// have been hoisted out of it before. Prints and assertions stand in the forward loop alone.
// Test: test/compiler/autodiff/expand_gradients_control_flow.mlir.

#include "compiler/auto_monad/Tokens.h"
#include "compiler/autodiff/KeptResults.h"
#include "compiler/autodiff/ReverseWalk.h"
#include "compiler/autodiff/StateWindow.h"
#include "dialects/check/ir/Check.h"
#include "dialects/net/ir/NetBinaryOps.h"
#include "dialects/net/ir/NetElementwiseOps.h"
#include "dialects/net/ir/NetShapeOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace plumb;

/// Clones the ops of `block` but its terminator with `arguments` for its arguments, which `map` tells then; returns its
/// terminator's operands.
static SmallVector<Value> cloneBlock(OpBuilder &builder, Block &block, ValueRange arguments, IRMapping &map) {
  map.map(block.getArguments(), arguments);
  for (Operation &op : block.without_terminator())
    builder.clone(op, map);
  return llvm::map_to_vector(block.getTerminator()->getOperands(), [&](Value v) { return map.lookupOrDefault(v); });
}

/// Removes the prints and assertions in `op`, so that it only computes.
static void silence(Operation *op) {
  op->walk([](check::AssertOp assertion) { assertion.erase(); });
  op->walk([](net::PrintOp print) {
    if (Value token = print.getToken())
      print.getOutToken().replaceAllUsesWith(token);
    print.erase();
  });
}

/// The same without what prints and asserts.
static SmallVector<Value> cloneSilently(OpBuilder &builder, Block &block, ValueRange arguments, IRMapping &map) {
  map.map(block.getArguments(), arguments);
  for (Operation &op : block.without_terminator()) {
    auto print = dyn_cast<net::PrintOp>(op);
    if (isa<check::AssertOp>(op))
      continue;
    if (!print)
      silence(builder.clone(op, map));
    else if (Value token = print.getToken())
      map.map(print.getOutToken(), map.lookupOrDefault(token));
  }
  return llvm::map_to_vector(block.getTerminator()->getOperands(), [&](Value v) { return map.lookupOrDefault(v); });
}

/// Whether a step of `loop` does more than compute and print. A token that is merely carried is no effect.
static bool writesState(Operation *loop) {
  WalkResult walk = loop->walk([](Operation *op) {
    bool called = isa<func::CallOp>(op) && llvm::any_of(op->getOperandTypes(), isTokenType);
    bool writes = isa<net::StateOpInterface>(op) && !isa<net::PrintOp>(op);
    return called || writes ? WalkResult::interrupt() : WalkResult::advance();
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

/// Whether `op` moves and adds the elements of an operand, so that its rule does not need them.
static bool isLinearIn(OpOperand &operand) {
  if (isa<net::SelectOp>(operand.getOwner()))
    return operand.getOperandNumber() > 0;
  return isa<net::RowOp, net::RowUpdateOp, net::SliceOp, net::SliceUpdateOp, net::AddOp, net::SubOp, net::ReshapeOp>(
      operand.getOwner());
}

/// Whether the steps of a loop only move and add the elements of the state's part `number`, and nothing of them gets
/// into other parts: as into a tensor that each step writes a row of.
static bool isOnlyPassedOn(LoopLikeOpInterface loop, unsigned number) {
  SmallVector<Value> worklist{loop.getRegionIterArgs()[number]};
  llvm::SmallDenseSet<Value> known;
  while (!worklist.empty())
    for (OpOperand &use : worklist.pop_back_val().getUses()) {
      Operation *user = use.getOwner();
      SmallVector<Value> next(user->getResults());
      if (auto condition = dyn_cast<scf::ConditionOp>(user); condition && use.getOperandNumber() > 0)
        next.push_back(cast<scf::WhileOp>(loop).getAfterArguments()[use.getOperandNumber() - 1]);
      else if (isa<scf::YieldOp>(user) && user->getParentOp() == loop) {
        if (use.getOperandNumber() != number)
          return false;
      } else if (auto branch = dyn_cast<scf::IfOp>(user->getParentOp()); branch && isa<scf::YieldOp>(user)) {
        next.push_back(branch.getResult(use.getOperandNumber()));
      } else if (!isLinearIn(use))
        return false;
      for (Value value : next)
        if (known.insert(value).second)
          worklist.push_back(value);
    }
  return true;
}

/// The types of the state's parts that the reverse of `loop` may need.
static SmallVector<Type> getNeededTypes(LoopLikeOpInterface loop) {
  SmallVector<Type> types;
  for (auto [number, argument] : llvm::enumerate(loop.getRegionIterArgs()))
    if (!isOnlyPassedOn(loop, number))
      types.push_back(argument.getType());
  return types;
}

/// What has an adjoint that each reverse step hands to the next.
struct ReverseWalk::LoopAdjoints {
  SmallVector<unsigned> parts; ///< Numbers of the state's parts.
  SmallVector<Value> captured; ///< Values from outside that steps use.

  unsigned size() const { return parts.size() + captured.size(); }
};

ReverseWalk::LoopAdjoints ReverseWalk::findAdjoints(LoopLikeOpInterface loop, ArrayRef<Value> last) {
  LoopAdjoints found;
  for (auto [number, argument] : llvm::enumerate(loop.getRegionIterArgs()))
    if (last[number] || activity.isActive(argument))
      found.parts.push_back(number);
  llvm::SetVector<Value> used;
  getUsedValuesDefinedAbove(loop->getRegions(), used);
  found.captured = llvm::filter_to_vector(used, [&](Value value) { return activity.isActive(value); });
  return found;
}

FailureOr<SmallVector<Value>> ReverseWalk::reverseStep(Location loc, const LoopAdjoints &carried, ValueRange behind,
                                                       Value step, ValueRange state, StepBuilder buildStep,
                                                       OpBuilder &builder) {
  for (unsigned number : carried.parts)
    activity.markValue(state[number]);
  Operation *mark = lastInserted(builder);
  SmallVector<Value> next = buildStep(builder, step, state);
  SmallVector<Operation *> ops = insertedSince(builder, mark);
  activity.propagate(ops);
  Adjoints local;
  // Steps add to what there is of the adjoints of captured values: a row, where that is all that a step uses.
  for (auto [value, sum] : llvm::zip(carried.captured, behind.drop_front(carried.parts.size())))
    local.values[value] = sum;
  for (auto [number, adjoint] : llvm::zip(carried.parts, behind))
    local.add(builder, loc, next[number], adjoint);
  ++depth;
  if (failed(run(ops, builder, local)))
    return failure();
  --depth;
  SmallVector<Value> before;
  for (unsigned number : carried.parts)
    before.push_back(local.getOrZero(builder, loc, state[number]));
  for (Value value : carried.captured)
    before.push_back(local.get(value));
  return before;
}

LogicalResult ReverseWalk::reverseSteps(LoopLikeOpInterface loop, ValueRange init, const Record &record,
                                        ArrayRef<Value> last, StepBuilder buildStep, OpBuilder &builder,
                                        Adjoints &adjoints) {
  Location loc = loop->getLoc();
  LoopAdjoints carried = findAdjoints(loop, last);
  SmallVector<Value> inits;
  for (unsigned number : carried.parts)
    inits.push_back(last[number] ? last[number] : buildSplat(builder, loc, init[number].getType(), 0.0));
  for (Value value : carried.captured)
    inits.push_back(adjoints.getOrZero(builder, loc, value));
  StateWindow window(loc, init.getTypes(), record.tape, record.count, record.carried);
  llvm::append_range(inits, window.begin(builder));

  Value zero = buildIndex(builder, loc, 0), one = buildIndex(builder, loc, 1);
  auto reverse = scf::ForOp::create(builder, loc, zero, record.count, one, inits);
  OpBuilder inner = OpBuilder::atBlockBegin(reverse.getBody());
  Value before = arith::SubIOp::create(inner, loc, record.count, one);
  Value step = arith::SubIOp::create(inner, loc, before, reverse.getInductionVar());
  ValueRange behind = reverse.getRegionIterArgs();
  SmallVector<Value> stored(behind.drop_front(carried.size()));
  SmallVector<Value> state = window.find(inner, step, init, buildStep, stored);
  auto yielded = reverseStep(loc, carried, behind.take_front(carried.size()), step, state, buildStep, inner);
  if (failed(yielded))
    return failure();
  llvm::append_range(*yielded, stored);
  scf::YieldOp::create(inner, loc, *yielded);

  for (auto [value, result] : llvm::zip(carried.captured, reverse.getResults().drop_front(carried.parts.size())))
    adjoints.values[value] = result;
  for (auto [number, result] : llvm::zip(carried.parts, reverse.getResults()))
    if (activity.isActive(init[number]))
      adjoints.add(builder, loc, init[number], result);
  return success();
}

/// The number of steps of a loop whose bounds are constants, else 0.
static int64_t countKnownSteps(scf::ForOp op) {
  auto low = getConstantIntValue(op.getLowerBound()), high = getConstantIntValue(op.getUpperBound());
  auto step = getConstantIntValue(op.getStep());
  return low && high && step && *high > *low ? llvm::divideCeil(uint64_t(*high - *low), uint64_t(*step)) : 0;
}

/// Puts a loop before `op` that does the same and keeps its states and results, and gives its results to the users of
/// `op`. Returns what it has carried to its end for `tape`, then for `results`.
static SmallVector<Value> recordStates(scf::ForOp op, const StateTape &tape, const KeptResults &results) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  SmallVector<Value> inits(op.getInitArgs());
  unsigned count = inits.size();
  llvm::append_range(inits, tape.begin(builder));
  unsigned numKept = inits.size() - count;
  llvm::append_range(inits, results.begin(builder));
  auto build = [&](OpBuilder &b, Location loc, Value induction, ValueRange arguments) {
    ValueRange state = arguments.take_front(count);
    Value offset = arith::SubIOp::create(b, loc, induction, op.getLowerBound());
    Value number = arith::DivUIOp::create(b, loc, offset, op.getStep());
    SmallVector<Value> kept = tape.store(b, number, state, arguments.slice(count, numKept));
    SmallVector<Value> inner = {induction};
    llvm::append_range(inner, state);
    IRMapping map;
    SmallVector<Value> next = cloneBlock(b, *op.getBody(), inner, map);
    llvm::append_range(next, kept);
    llvm::append_range(next, results.store(b, number, map, arguments.drop_front(count + numKept)));
    scf::YieldOp::create(b, loc, next);
  };
  auto recording = scf::ForOp::create(builder, loc, op.getLowerBound(), op.getUpperBound(), op.getStep(), inits, build);
  op->replaceAllUsesWith(recording.getResults().take_front(count));
  return recording.getResults().drop_front(count);
}

/// The adjoints of a loop's results, which are taken out of `adjoints`.
static SmallVector<Value> takeAdjoints(Operation *loop, Adjoints &adjoints) {
  SmallVector<Value> taken =
      llvm::map_to_vector(loop->getResults(), [&](Value result) { return adjoints.get(result); });
  for (Value result : loop->getResults())
    adjoints.values.erase(result);
  return taken;
}

LogicalResult ReverseWalk::visitFor(scf::ForOp op, OpBuilder &builder, Adjoints &adjoints) {
  if (writesState(op))
    return fail(op, "writes state, so its steps cannot be run again for a gradient");
  Location loc = op.getLoc();
  Value span = arith::SubIOp::create(builder, loc, op.getUpperBound(), op.getLowerBound());
  Value count = arith::CeilDivSIOp::create(builder, loc, span, op.getStep());
  count = arith::MaxSIOp::create(builder, loc, count, buildIndex(builder, loc, 0));
  SmallVector<Value> last = takeAdjoints(op, adjoints);
  StateTape tape(loc, op.getInitArgs().getTypes(), getNeededTypes(op), countKnownSteps(op));
  KeptResults results(op, tape);
  SmallVector<Value> kept = recordStates(op, tape, results);
  unsigned numResults = results.size();
  Record record{tape, SmallVector<Value>(ArrayRef(kept).drop_back(numResults)), count};
  IRMapping map;
  Value stepBack;
  auto buildStep = [&](OpBuilder &inner, Value number, ValueRange state) {
    stepBack = number;
    map.clear(); // Of an earlier step that was built.
    Value offset = arith::MulIOp::create(inner, loc, number, op.getStep());
    SmallVector<Value> arguments = {arith::AddIOp::create(inner, loc, op.getLowerBound(), offset)};
    llvm::append_range(arguments, state);
    return cloneSilently(inner, *op.getBody(), arguments, map);
  };
  if (failed(reverseSteps(op, op.getInitArgs(), record, last, buildStep, builder, adjoints)))
    return failure();
  results.replace(stepBack, map, ArrayRef(kept).take_back(numResults));
  activity.forget(op.getOperation());
  op->erase();
  return success();
}

/// Puts a loop before `op` that does the same, keeps its states, and yields its last state, as its condition saw it,
/// too. Its further results are the last state, the number of steps, and what the tape carries.
static scf::WhileOp recordStates(scf::WhileOp op, const StateTape &tape) {
  OpBuilder builder(op);
  unsigned numResults = op.getNumResults(), numStates = op.getInits().size();
  SmallVector<Value> inits(op.getInits());
  inits.push_back(buildIndex(builder, op.getLoc(), 0));
  llvm::append_range(inits, tape.begin(builder));
  SmallVector<Type> types(op.getResultTypes());
  llvm::append_range(types, ValueRange(inits).getTypes());
  auto test = [&](OpBuilder &b, Location loc, ValueRange arguments) {
    IRMapping map;
    SmallVector<Value> passed = cloneBlock(b, *op.getBeforeBody(), arguments.take_front(numStates), map);
    llvm::append_range(passed, arguments);
    scf::ConditionOp::create(b, loc, passed.front(), ValueRange(passed).drop_front());
  };
  auto body = [&](OpBuilder &b, Location loc, ValueRange arguments) {
    ValueRange state = arguments.slice(numResults, numStates), carried = arguments.drop_front(numResults + numStates);
    SmallVector<Value> kept = tape.store(b, carried.front(), state, carried.drop_front());
    IRMapping map;
    SmallVector<Value> next = cloneBlock(b, *op.getAfterBody(), arguments.take_front(numResults), map);
    next.push_back(arith::AddIOp::create(b, loc, carried.front(), buildIndex(b, loc, 1)));
    llvm::append_range(next, kept);
    scf::YieldOp::create(b, loc, next);
  };
  auto recording = scf::WhileOp::create(builder, op.getLoc(), types, inits, test, body);
  op->replaceAllUsesWith(recording->getResults().take_front(numResults));
  return recording;
}

LogicalResult ReverseWalk::reverseCondition(scf::WhileOp op, ValueRange lastState, ArrayRef<Value> results,
                                            OpBuilder &builder, Adjoints &adjoints) {
  for (auto [value, argument] : llvm::zip(lastState, op.getBeforeArguments()))
    if (activity.isActive(argument))
      activity.markValue(value);
  Operation *mark = lastInserted(builder);
  IRMapping tested;
  SmallVector<Value> yielded = cloneSilently(builder, *op.getBeforeBody(), lastState, tested);
  SmallVector<Operation *> ops = insertedSince(builder, mark);
  activity.propagate(ops);
  for (auto [value, adjoint] : llvm::zip(ValueRange(yielded).drop_front(), results))
    if (adjoint)
      adjoints.add(builder, op.getLoc(), value, adjoint);
  return run(ops, builder, adjoints);
}

LogicalResult ReverseWalk::visitWhile(scf::WhileOp op, OpBuilder &builder, Adjoints &adjoints) {
  if (writesState(op))
    return fail(op, "writes state, so its steps cannot be run again for a gradient");
  unsigned numResults = op.getNumResults(), numStates = op.getInits().size();
  SmallVector<Value> results = takeAdjoints(op, adjoints);
  StateTape tape(op.getLoc(), op.getInits().getTypes(), getNeededTypes(op), /*bound=*/0);
  scf::WhileOp recording = recordStates(op, tape);
  ValueRange lastState = recording.getResults().slice(numResults, numStates);
  ValueRange further = recording.getResults().drop_front(numResults + numStates);
  Record record{tape, SmallVector<Value>(further.drop_front()), further.front()};
  if (failed(reverseCondition(op, lastState, results, builder, adjoints)))
    return failure();
  SmallVector<Value> last = llvm::map_to_vector(lastState, [&](Value value) { return adjoints.get(value); });
  auto buildStep = [&](OpBuilder &inner, Value, ValueRange state) {
    IRMapping map;
    SmallVector<Value> passed = cloneSilently(inner, *op.getBeforeBody(), state, map);
    return cloneSilently(inner, *op.getAfterBody(), ValueRange(passed).drop_front(), map);
  };
  if (failed(reverseSteps(op, op.getInits(), record, last, buildStep, builder, adjoints)))
    return failure();
  activity.forget(op.getOperation());
  op->erase();
  return success();
}
