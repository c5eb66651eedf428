// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops whose condition depends on a tensor become scf.while.
//
// The names that the loop assigns and that exist before it are carried, as far as they may be read later (LiveNames.h),
// and so is what it changes in containers (LoopState.cpp). Their types must not change from one iteration to the next:
// a number that does change becomes a tensor, and since that may change other types in turn, the body is interpreted
// again until nothing is widened any more. Where a type changes nevertheless, the first iteration is written before the
// loop, once: types that have settled then are those of the loop. Names that exist only inside the loop are undefined
// after it, since the body may never run.
//
// A body that may break or return carries two booleans and the value returned:
//
//   while i < n:                    scf.while (%i, %left, %returned, %value)
//       if x[i] > 0:                  condition(not %left and %i < %n)
//           return x[i]       =>    do { … yield %i1, %found, %found, %xi }
//       i = i + 1                   scf.if %returned { %value } else { … }

#include "compiler/specialize/interpreter/Loops.h"
#include "compiler/specialize/tensors/Reports.h"
#include "compiler/specialize/tensors/WeakTypes.h"
#include "dialects/net/ir/Folding.h"
#include "dialects/net/ir/NetConstantOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace plumb::specialize {

bool isEndless(net::PythonWhileOp op) {
  return llvm::all_of(op.getConditionRegion().front(),
                      [](Operation &inner) { return isa<net::PythonConstantOp, net::PythonConditionOp>(inner); });
}

FailureOr<std::optional<Truth>> Loops::testCondition(net::PythonWhileOp op) {
  std::optional<Truth> tested;
  bool throws = false;
  auto exit = blocks.runBlock(op.getConditionRegion().front(), [&](Exit exit) -> FailureOr<Exit> {
    throws |= !exit.thrown.empty();
    auto truth =
        exit.flow == Flow::Next ? conditions.getTruth(op.getLoc(), exit.value) : FailureOr<Truth>(Truth(false));
    if (failed(truth))
      return failure();
    tested = *truth;
    return exit;
  });
  if (failed(exit))
    return failure();
  return throws ? std::optional<Truth>() : tested;
}

/// Runs the condition and, where it holds, the body and what follows an iteration; where it does not, the exit is
/// `atEnd`.
FailureOr<Exit> Loops::runTestedIteration(net::PythonWhileOp op, Flow atEnd, Continuation next) {
  auto runBody = [&]() -> FailureOr<Exit> {
    auto ended = blocks.runBlock(op.getBody().front());
    return failed(ended) ? ended : exits.proceed(leaveIteration(*ended), next);
  };
  auto end = [&]() -> FailureOr<Exit> { return Exit{atEnd, op.getLoc()}; };
  return blocks.runBlock(op.getConditionRegion().front(), [&](Exit exit) -> FailureOr<Exit> {
    if (exit.flow != Flow::Next)
      return exit; // The condition raises.
    auto truth = conditions.getTruth(op.getLoc(), exit.value);
    if (failed(truth))
      return failure();
    if (auto *condition = std::get_if<Value>(&*truth))
      return exits.runTwoWays(op.getLoc(), *condition, runBody, end);
    return std::get<bool>(*truth) ? runBody() : end();
  });
}

static void addZeros(OpBuilder &builder, Location location, TypeRange types, SmallVectorImpl<Value> &operands) {
  for (Type type : types)
    operands.push_back(net::ConstantOp::create(builder, location, net::splatOf(llvm::cast<RankedTensorType>(type), 0)));
}

/// Zeros in the place of the tensors in `value`.
static void addZeros(OpBuilder &builder, Location location, const AbstractValue &value,
                     SmallVectorImpl<Value> &operands) {
  SmallVector<Value> tensors = value.getTensors();
  addZeros(builder, location, ValueRange(tensors).getTypes(), operands);
}

/// The tensors that carry how the loop was left: left, returned, and the value; for each exception whether it was
/// raised, and what its text shows.
static void addExit(OpBuilder &builder, Location location, TypeRange returned, ArrayRef<Thrown> thrown,
                    SmallVectorImpl<Value> &operands) {
  auto flag = RankedTensorType::get({}, builder.getI1Type());
  addZeros(builder, location, {flag, flag}, operands);
  addZeros(builder, location, returned, operands);
  for (const Thrown &one : thrown) {
    addZeros(builder, location, flag, operands);
    addZeros(builder, location, one.values, operands);
  }
}

/// Has the loop carry the exceptions of its body, in another attempt where there are new ones.
void Loops::carryThrown(LoopState &carried, const Exit &exit) {
  for (const Thrown &thrown : exit.thrown) {
    if (findThrown(carried.thrown, thrown))
      continue;
    carried.thrown.push_back(thrown);
    carried.thrown.back().values = carried.makePlaceholders(thrown.values);
    carried.again = true;
  }
}

/// Yields whether the body has raised each exception that the loop carries; `left` as well then holds.
LogicalResult Loops::yieldThrown(Location location, LoopState &carried, const Exit &exit, Value &left,
                                 SmallVectorImpl<Value> &yields) {
  for (const Thrown &known : carried.thrown) {
    const Thrown *thrown = findThrown(exit.thrown, known);
    bool isDecided = thrown && thrown->taken.isTensor();
    auto flag = writer.toTensor(
        location, isDecided ? thrown->taken : AbstractValue::getConstant(builder.getBoolAttr(thrown != nullptr)));
    if (failed(flag))
      return failure();
    Result any = exits.isAny(location, {AbstractValue::getTensor(left), AbstractValue::getTensor(*flag)});
    if (failed(any))
      return failure();
    left = any->getTensor();
    yields.push_back(*flag);
    if (thrown)
      llvm::append_range(yields, thrown->values.getTensors());
    else
      addZeros(builder, location, known.values, yields);
  }
  return success();
}

/// Whether the body has left the loop, and whether it returns, as tensors.
FailureOr<std::pair<Value, Value>> Loops::getLeftAndReturned(Location location, const Exit &exit) {
  Value left, returned;
  for (Flow way : {Flow::Break, Flow::Return}) {
    AbstractValue taken = exit.flow == Flow::Mixed && exit.getTaken(way)
                              ? AbstractValue::getTensor(exit.getTaken(way))
                              : AbstractValue::getConstant(builder.getBoolAttr(exit.flow == way));
    auto flag = writer.toTensor(location, taken);
    if (failed(flag))
      return failure();
    returned = *flag;
    Result any = left
                     ? arithmetic.apply(location, "or", AbstractValue::getTensor(left), AbstractValue::getTensor(*flag))
                     : AbstractValue::getTensor(*flag);
    if (failed(any))
      return failure();
    left = any->getTensor();
  }
  return std::pair(left, returned);
}

/// Yields how the body ended; asks for another attempt if the loop does not
/// carry that yet. False if what it returns changes its type.
FailureOr<bool> Loops::carryExit(net::PythonWhileOp op, LoopState &carried, const Exit &exit,
                                 SmallVectorImpl<Value> &yields) {
  bool returns = exit.flow == Flow::Return || (exit.flow == Flow::Mixed && exit.getTaken(Flow::Return));
  carried.breaks |= exit.flow == Flow::Break || exit.getTaken(Flow::Break);
  if (exit.flow != Flow::Next && !std::exchange(carried.leaves, true))
    carried.again = true;
  if (returns && !carried.returned) {
    carried.returned = exit.value;
    exit.value.walkTensors(depth - 1, [&](Value tensor) { carried.returnedTypes.push_back(tensor.getType()); });
    carried.again = true;
  }
  carryThrown(carried, exit);
  if (carried.again || !carried.leaves)
    return true;
  auto flags = getLeftAndReturned(op.getLoc(), exit);
  if (failed(flags))
    return failure();
  auto [left, returned] = *flags;
  SmallVector<Value> values, thrown;
  if (returns)
    exit.value.walkTensors(depth - 1, [&](Value tensor) { values.push_back(tensor); });
  else
    addZeros(builder, op.getLoc(), carried.returnedTypes, values);
  if (failed(yieldThrown(op.getLoc(), carried, exit, left, thrown)))
    return failure();
  yields.push_back(left);
  yields.push_back(returned);
  yields.append(values);
  yields.append(thrown);
  return llvm::equal(ValueRange(values).getTypes(), carried.returnedTypes);
}

/// The ends of a loop: it goes on, and perhaps the function returns or raises.
Exit Loops::getLoopExit(net::PythonWhileOp op, const LoopState &carried, ValueRange results) {
  if (!carried.returned && carried.thrown.empty())
    return Exit{Flow::Next, op.getLoc()};
  Exit exit{Flow::Mixed, op.getLoc()};
  exit.mayGoOn = carried.breaks || !isEndless(op);
  if (carried.returned)
    exit.getTaken(Flow::Return) = results[1];
  results = results.drop_front(2);
  if (carried.returned)
    exit.value = carried.returned->withTensors(results, depth - 1);
  for (const Thrown &thrown : carried.thrown) {
    exit.thrown.push_back(thrown);
    exit.thrown.back().taken = AbstractValue::getTensor(results.front());
    results = results.drop_front();
    exit.thrown.back().values = thrown.values.withTensors(results);
  }
  return simplify(exit);
}

/// A loop without regions that carries `operands`; what is a number stays one.
static scf::WhileOp createLoop(OpBuilder &builder, Location location, ArrayRef<Value> operands) {
  auto loop = scf::WhileOp::create(builder, location, ValueRange(operands).getTypes(), operands);
  passWeakMarks(operands, loop.getResults());
  return loop;
}

/// The condition, and what the loop carries behind it; nothing where another attempt must be made. A condition that
/// raises what a `try` around hears of is tested at the begin of the body, which carries exceptions.
FailureOr<std::optional<Value>> Loops::runCarriedCondition(net::PythonWhileOp op, LoopState &carried,
                                                           SmallVectorImpl<Value> &passed) {
  auto tested = carried.isTestedInside ? FailureOr<std::optional<Truth>>(Truth(true)) : testCondition(op);
  if (failed(tested))
    return failure();
  if (!*tested) {
    carried.isTestedInside = carried.again = true;
    return std::optional<Value>();
  }
  bool *known = std::get_if<bool>(&**tested);
  Value condition = known ? arith::ConstantIntOp::create(builder, op.getLoc(), int64_t(*known), 1).getResult()
                          : std::get<Value>(**tested);
  bool isNew = carried.addMade();
  FailureOr<bool> fits = isNew ? FailureOr<bool>(true) : carried.yield(passed);
  if (failed(fits))
    return failure();
  carried.again |= isNew;
  carried.isStuck = !*fits && !carried.again;
  return *fits && !carried.again ? std::optional<Value>(condition) : std::nullopt;
}

/// The condition unless the body has left the loop; what is carried then is what it was.
FailureOr<std::optional<Value>> Loops::runExitCondition(net::PythonWhileOp op, LoopState &carried, ValueRange arguments,
                                                        Value left, SmallVectorImpl<Value> &passed) {
  Location location = op.getLoc();
  Value leaves = tensor::ExtractOp::create(builder, location, left, ValueRange());
  auto skeleton = scf::IfOp::create(builder, location, TypeRange(), leaves, /*addThenBlock=*/true,
                                    /*addElseBlock=*/true);
  Join join{location, skeleton.thenBlock(), skeleton.elseBlock()};
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(skeleton.thenBlock());
  join.left.push_back(arith::ConstantIntOp::create(builder, location, 0, 1));
  builder.setInsertionPointToEnd(skeleton.elseBlock());
  auto condition = runCarriedCondition(op, carried, passed);
  if (failed(condition) || !*condition)
    return condition;
  join.right.push_back(**condition);
  bool isNew = !llvm::equal(passed, arguments);
  if (isNew) {
    llvm::append_range(join.left, arguments);
    llvm::append_range(join.right, passed);
  }
  builder.setInsertionPointAfter(skeleton);
  SmallVector<Value> results = joins.finish(skeleton, join);
  if (isNew)
    passed.assign(results.begin() + 1, results.end());
  return std::optional<Value>(results.front());
}

/// Writes the loop's test, which passes what is carried on to the body. False where another attempt must be made.
FailureOr<bool> Loops::writeTest(net::PythonWhileOp op, LoopState &carried, Block *test, unsigned count) {
  ValueRange arguments = test->getArguments(), flags = arguments.drop_front(count);
  carried.bind(arguments);
  SmallVector<Value> passed;
  auto condition = carried.leaves ? runExitCondition(op, carried, arguments.take_front(count), flags.front(), passed)
                                  : runCarriedCondition(op, carried, passed);
  if (failed(condition) || !*condition)
    return failed(condition) ? FailureOr<bool>(failure()) : false;
  llvm::append_range(passed, flags);
  builder.setInsertionPointToEnd(test);
  scf::ConditionOp::create(builder, op.getLoc(), **condition, passed);
  return true;
}

/// Writes the loop's body. False where another attempt must be made.
FailureOr<bool> Loops::writeBody(net::PythonWhileOp op, LoopState &carried, Block *body, std::optional<Exit> &exit) {
  carried.bind(body->getArguments());
  auto stay = [](Exit reached) -> FailureOr<Exit> { return reached; };
  auto ended =
      carried.isTestedInside ? runTestedIteration(op, Flow::Break, stay) : blocks.runBlock(op.getBody().front());
  if (failed(ended))
    return failure();
  exit = leaveIteration(*ended);
  SmallVector<Value> yields;
  FailureOr<bool> fits = carried.yield(yields);
  if (succeeded(fits) && *fits)
    fits = carryExit(op, carried, *exit, yields);
  if (failed(fits))
    return failure();
  carried.isStuck = !*fits && !carried.again;
  if (*fits && !carried.again)
    scf::YieldOp::create(builder, op.getLoc(), yields);
  return *fits && !carried.again;
}

/// What a loop leaves; of what no iteration changes, what it was before, which the loop then reads itself.
static SmallVector<Value> getLoopResults(scf::WhileOp loop, unsigned carried) {
  SmallVector<Value> results(loop.getResults());
  for (unsigned i = 0; i < carried; ++i) {
    BlockArgument before = loop.getBeforeArguments()[i], after = loop.getAfterArguments()[i];
    if (loop.getConditionOp().getArgs()[i] != before || loop.getYieldOp().getOperand(i) != after)
      continue;
    results[i] = loop.getInits()[i];
    before.replaceAllUsesWith(results[i]);
    after.replaceAllUsesWith(results[i]);
  }
  return results;
}

/// One attempt to write the loop; nothing if a name had to be widened or its
/// type changes.
FailureOr<std::optional<Exit>> Loops::attempt(net::PythonWhileOp op, LoopState &carried) {
  Location location = op.getLoc();
  SmallVector<Value> operands;
  if (failed(carried.start(operands)))
    return failure();
  unsigned count = operands.size();
  if (carried.leaves)
    addExit(builder, location, carried.returnedTypes, carried.thrown, operands);

  State before = run.state;
  run.frame.journals.back() = Journal();
  scf::WhileOp loop = createLoop(builder, location, operands);
  SmallVector<Location> locations(operands.size(), location);
  TypeRange types = ValueRange(operands).getTypes();
  OpBuilder::InsertionGuard guard(builder);
  auto fits = writeTest(op, carried, builder.createBlock(&loop.getBefore(), {}, types, locations), count);
  run.state = before;
  std::optional<Exit> exit;
  if (succeeded(fits) && *fits)
    fits = writeBody(op, carried, builder.createBlock(&loop.getAfter(), {}, types, locations), exit);
  if (failed(fits))
    return failure();
  bool isNew = carried.addChanged(changes.take());
  carried.isStuck &= !isNew;
  run.state = before;
  if (isNew || !*fits) {
    // The body may use what the test has put into a container that is not carried yet.
    loop.getAfter().dropAllReferences();
    loop.erase();
    return std::optional<Exit>();
  }
  SmallVector<Value> results = getLoopResults(loop, count);
  if (failed(carried.finish(results)))
    return failure();
  return std::optional<Exit>(getLoopExit(op, carried, ValueRange(results).drop_front(count)));
}

/// Writes the first iteration, and behind it the loop.
FailureOr<Exit> Loops::peelIteration(net::PythonWhileOp op) {
  return runTestedIteration(op, Flow::Next, [&](Exit reached) -> FailureOr<Exit> {
    auto rest = reached.flow == Flow::Next ? write(op, /*peeled=*/true) : FailureOr<Exit>(reached);
    return failed(rest) ? rest : FailureOr<Exit>(leaveLoop(*rest));
  });
}

FailureOr<Exit> Loops::write(net::PythonWhileOp op, bool peeled) {
  auto function = op->getParentOfType<net::PythonFuncOp>();
  const LiveNames &names = liveNames.try_emplace(function, function).first->second;
  LoopState carried(workspace, run, writer, madeObjects, changes, names, op);
  ++depth;
  run.frame.journals.push_back(Journal());
  unsigned since = live.countQuestions();
  FailureOr<std::optional<Exit>> done = std::optional<Exit>();
  while (succeeded(done) && !*done && !carried.isStuck)
    done = attempt(op, carried);
  if (failed(done) || failed(live.checkUntouched(since)))
    return failure(); // At this depth: a `try` around the loop cannot go on.
  --depth;
  run.frame.journals.pop_back();
  if (*done)
    return **done;
  if (peeled || carried.isSized)
    return carried.failMismatch(op.getLoc());
  return peelIteration(op);
}

} // namespace plumb::specialize
