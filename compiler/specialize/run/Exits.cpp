// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How runs of statements end, and what follows them.
//
// A run ends in one way (it goes on, breaks, continues, returns), or in a way that tensors decide. Such a *mixed* exit
// has a boolean per way that is possible beside going on. What follows is then a branch on these booleans, written
// once:
//
//   for i in range(3):               %stop, %y = <first iteration>
//       if x[i] > 0: break     =>    %y1 = scf.if %stop { yield %y } else { <the other iterations> }
//       y = y + x[i]
//
// A side that raises ends the launch: the exit is the other side's, and what follows is no branch. Where a `try` around
// hears of it, each exception that is possible is a way of its own (Exceptions.cpp).
//
// Loops are where mixed exits are gathered: a loop hands on no break and no continue, so code behind it is interpreted
// once, however many ways lead there. The iterations of an unrolled loop stand one behind another, each in a branch on
// whether those before have left the loop, so that the program grows with their number alone:
//
//   %stop1, %y1 = <first>
//   %stop2, %y2 = scf.if %stop1 { yield %true, %y1 } else { <second> }
//   %stop3, %y3 = scf.if %stop2 { yield %true, %y2 } else { <third> }

#include "compiler/specialize/run/Exits.h"
#include "compiler/specialize/tensors/Reports.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace plumb::specialize {

/// The exit without one of its ways; with `goesOn` that way counts as going on.
static Exit dropWay(Exit exit, Flow way, bool goesOn) {
  if (exit.flow == way && goesOn)
    return Exit{Flow::Next, exit.where};
  if (exit.flow != Flow::Mixed || !exit.getTaken(way))
    return exit;
  exit.getTaken(way) = Value();
  exit.mayGoOn |= goesOn;
  return exit;
}

/// Whether a run may go on behind itself, and whether it may with the next iteration of a loop around.
static bool mayGoOn(const Exit &exit) { return exit.flow == Flow::Next || (exit.flow == Flow::Mixed && exit.mayGoOn); }
static bool mayContinue(const Exit &exit) { return exit.flow == Flow::Continue || exit.getTaken(Flow::Continue); }

Exit leaveIteration(Exit exit) {
  if (mayContinue(exit))
    exit.namesOnward.clear();
  return simplify(dropWay(exit, Flow::Continue, /*goesOn=*/true));
}

Exit leaveLoop(Exit exit) { return simplify(dropWay(leaveIteration(exit), Flow::Break, /*goesOn=*/true)); }

/// The booleans of the ways of a mixed exit.
static SmallVector<AbstractValue> getFlags(const Exit &exit) {
  SmallVector<AbstractValue> flags;
  for (Flow way : {Flow::Break, Flow::Continue, Flow::Return})
    if (Value taken = exit.getTaken(way))
      flags.push_back(AbstractValue::getTensor(taken));
  for (const Thrown &thrown : exit.thrown)
    flags.push_back(thrown.taken);
  return flags;
}

Result Exits::isAny(Location location, ArrayRef<AbstractValue> flags) {
  Result any = flags.front();
  for (const AbstractValue &flag : flags.drop_front())
    if (any = arithmetic.apply(location, "or", *any, flag); failed(any))
      return failure();
  return any;
}

Value Exits::extractFlag(Location location, const AbstractValue &flag) {
  return tensor::ExtractOp::create(builder, location, flag.getTensor(), ValueRange());
}

FailureOr<Exit> Exits::takePending(Exit exit) {
  if (run.frame.pending.empty())
    return exit;
  exit.thrown = std::exchange(run.frame.pending, {});
  if (exit.thrown.front().taken.isUndefined()) {
    exit.flow = Flow::Throw;
    return exit;
  }
  if (exit.flow == Flow::Return) {
    auto flags = llvm::map_to_vector(exit.thrown, [](const Thrown &thrown) { return thrown.taken; });
    Result any = isAny(exit.where, flags);
    Result none = failed(any) ? any : arithmetic.invert(exit.where, any->getTensor());
    if (failed(none))
      return failure();
    exit.getTaken(Flow::Return) = none->getTensor();
  }
  exit.mayGoOn = exit.flow == Flow::Next;
  exit.flow = Flow::Mixed;
  return exit;
}

/// A mixed exit where it does not go on.
static Exit getLeaving(Exit exit) {
  exit.mayGoOn = false;
  return simplify(exit);
}

FailureOr<Exit> Exits::proceed(Exit exit, Continuation next) {
  if (exit.flow != Flow::Mixed || !exit.mayGoOn)
    return next(exit);
  Result leaves = isAny(exit.where, getFlags(exit));
  if (failed(leaves))
    return failure();
  return runTwoWays(
      exit.where, extractFlag(exit.where, *leaves), [&] { return next(getLeaving(exit)); },
      [&] { return next(Exit{Flow::Next, exit.where}); });
}

bool isKnownBetter(const AbstractValue &side, const AbstractValue &joined) {
  return !side.isUndefined() && !(side.isTensor() && joined.isTensor()) && !isSame(side, joined);
}

void Iterations::takeTensors(ValueRange &results, unsigned depth, AbstractValue::Containers &known) {
  auto take = [&](AbstractValue &value) { value = value.withTensors(results, depth, known); };
  for (auto &entry : names)
    take(entry.second);
  for (Change &change : contents)
    llvm::for_each(change.elements, take);
}

/// The names of a side of a branch of which more is known, where it goes on, than the branch leaves, sorted.
static SmallVector<std::pair<StringAttr, AbstractValue>, 0> getKnownBetter(const Exit &exit, const State &side,
                                                                           const State &behind) {
  DenseMap<StringAttr, AbstractValue> onward = side.names;
  for (const auto &[name, value] : exit.namesOnward)
    onward[name] = value;
  SmallVector<std::pair<StringAttr, AbstractValue>, 0> known;
  for (auto &[name, value] : onward)
    if (isKnownBetter(value, behind.names.lookup(name)))
      known.emplace_back(name, value);
  llvm::sort(known, [](const auto &one, const auto &other) { return one.first.getValue() < other.first.getValue(); });
  return known;
}

/// Hands over what is known of the names of the one side that goes on.
void Exits::passOnward(Join &join, const Exit &left, const Exit &right, const State &leftState, const State &rightState,
                       Exit &exit) const {
  bool isLeft = mayGoOn(left);
  if (isLeft == mayGoOn(right) || mayContinue(left) || mayContinue(right))
    return;
  exit.namesOnward = getKnownBetter(isLeft ? left : right, isLeft ? leftState : rightState, run.state);
  llvm::erase_if(exit.namesOnward, [&](const auto &entry) { return made.holdsEnding(entry.second); });
  for (const auto &[name, value] : exit.namesOnward)
    joins.pass(join, isLeft, value);
}

/// Hands over what is known of the names and contents of the side that goes on, which is the right one.
void Exits::passKnown(Join &join, const Exit &right, const State &state) const {
  llvm::append_range(join.before->names, getKnownBetter(right, state, run.state));
  for (const auto &[name, value] : join.before->names)
    joins.pass(join, /*isLeft=*/false, value);
  for (const Change &contents : join.before->contents)
    for (const AbstractValue &element : contents.elements)
      joins.pass(join, /*isLeft=*/false, element);
}

/// Gives names and containers what is known where iterations have not left their loop.
void Exits::enterKnown(const Iterations &before) {
  for (const auto &[name, value] : before.names)
    run.state.names[name] = value;
  for (const Change &contents : before.contents) {
    SmallVector<AbstractValue> elements(contents.container.getElements());
    for (auto [index, element] : llvm::enumerate(contents.elements))
      if (!contents.isSpoilt && !element.isUndefined())
        elements[index] = element;
    changes.remember(contents.location, contents.container);
    contents.container.setElements(contents.isSpoilt ? contents.elements : elements, contents.keys);
  }
}

/// The booleans of many exceptions would all have to be kept until a handler asks which one was raised: a number is
/// kept instead. `known` has the booleans that are in it, or behind which it has begun.
LogicalResult Exits::numberThrown(Iterations &before, const DenseSet<Value> &known) {
  ArrayRef<Thrown> thrown = before.exit.thrown;
  for (size_t index = Iterations::kManyThrown; index < thrown.size(); ++index) {
    const AbstractValue &taken = thrown[index].taken;
    if (!taken.isTensor() || known.contains(taken.getTensor()))
      continue;
    auto makeNumber = [&](int64_t number) {
      return writer.makeScalar(thrown[index].where, Number{Number::Int, number}, builder.getI32Type());
    };
    Value others = before.raised.isTensor() ? before.raised.getTensor() : makeNumber(0);
    auto number =
        writer.emitValue(thrown[index].where, "select", {taken.getTensor(), makeNumber(int64_t(index) + 1), others});
    if (failed(number))
      return failure();
    before.raised = AbstractValue::getTensor(*number);
  }
  return success();
}

FailureOr<Exit> Exits::leaveIterations(Iterations &all) {
  Exit exit = all.exit;
  exit.raised = all.raised;
  exit.namesOnward.clear();
  for (auto [index, thrown] : llvm::enumerate(exit.thrown)) {
    bool isNumbered = all.raised.isTensor() && index >= Iterations::kManyThrown;
    thrown.number = isNumbered ? index + 1 : 0;
    if (!isNumbered)
      continue;
    Value number = writer.makeScalar(thrown.where, Number{Number::Int, thrown.number}, builder.getI32Type());
    Result taken = arithmetic.apply(thrown.where, "eq", all.raised, AbstractValue::getTensor(number));
    if (failed(taken))
      return failure();
    if (!thrown.taken.isUndefined())
      thrown.taken = *taken;
  }
  return leaveLoop(exit);
}

LogicalResult Exits::runUnlessLeft(Iterations &before, Side next) {
  DenseSet<Value> known;
  for (const AbstractValue &flag : getFlags(before.exit))
    if (flag.isTensor())
      known.insert(flag.getTensor());
  if (failed(runNext(before, next)))
    return failure();
  return numberThrown(before, known);
}

LogicalResult Exits::runNext(Iterations &before, Side next) {
  Exit exit = before.exit;
  if (exit.flow != Flow::Mixed) {
    auto reached = next();
    if (failed(reached))
      return failure();
    before.exit = *reached;
    if (reached->flow == Flow::Mixed)
      llvm::append_range(before.names, std::exchange(before.exit.namesOnward, {}));
    return success();
  }
  Result leaves = before.left.isUndefined() ? isAny(exit.where, getFlags(exit)) : Result(before.left);
  if (failed(leaves))
    return failure();
  auto stay = [&]() -> FailureOr<Exit> { return getLeaving(exit); };
  auto goOn = [&]() -> FailureOr<Exit> {
    enterKnown(before);
    before.names.clear();
    before.contents.clear();
    return next();
  };
  auto both = branch(exit.where, extractFlag(exit.where, *leaves), stay, goOn, /*source=*/nullptr, &before);
  if (failed(both))
    return failure();
  before.exit = *both;
  if (both->flow != Flow::Mixed)
    return success();
  DenseSet<Value> known;
  for (const AbstractValue &flag : getFlags(exit))
    known.insert(flag.getTensor());
  SmallVector<AbstractValue> all = getFlags(*both);
  size_t count = all.size(); // New flags hold where the iterations before have gone the same way, too.
  llvm::erase_if(all, [&](const AbstractValue &flag) { return known.contains(flag.getTensor()); });
  if (all.size() < count)
    all.push_back(*leaves);
  if (leaves = isAny(exit.where, all); failed(leaves))
    return failure();
  before.left = *leaves;
  return success();
}

/// Whether names matter behind the exit: to a handler, where it is one of this function.
bool Exits::mayReach(const Exit &exit) const {
  bool isHandledHere = !exit.thrown.empty() && run.frame.throwing == run.frame.number;
  if (exit.flow == Flow::Return || exit.flow == Flow::Raise || exit.flow == Flow::Throw)
    return isHandledHere;
  return exit.flow != Flow::Mixed || exit.mayGoOn || isHandledHere || exit.getTaken(Flow::Break) ||
         exit.getTaken(Flow::Continue);
}

/// The names that last blocks around read, and those that closures among them do.
static DenseSet<StringAttr> getNamesReadLast(const State &state) {
  DenseSet<StringAttr> names = state.readLast;
  for (StringAttr name : state.readLast)
    if (auto found = state.names.find(name); found != state.names.end() && found->second.isClosure())
      for (Attribute captured : llvm::cast<ArrayAttr>(found->second.getConstant()).getValue().drop_front())
        names.insert(llvm::cast<StringAttr>(captured));
  return names;
}

/// The names behind a branch of which only one side gets there, less those that `joinLast` joins.
void Exits::passNames(Join &join, const State &reached, const State &before, bool isLeft,
                      SmallVectorImpl<StringAttr> &joined) {
  DenseSet<StringAttr> last = getNamesReadLast(reached);
  SmallVector<StringAttr> changed;
  for (auto &[name, value] : reached.names) {
    auto old = before.names.find(name);
    if (!last.contains(name) && (old == before.names.end() || !isSame(old->second, value)))
      changed.push_back(name);
  }
  llvm::sort(changed, [](StringAttr a, StringAttr b) { return a.getValue() < b.getValue(); });
  for (StringAttr name : changed) {
    const AbstractValue &value = reached.names.find(name)->second;
    joins.pass(join, isLeft, value);
    run.state.names[name] = value;
    joined.push_back(name);
  }
}

/// The last block of a `try` (`finally`) runs behind what leaves, too, with the names as each side has left them.
void Exits::joinLast(Join &join, const State &left, const State &right, SmallVectorImpl<StringAttr> &joined) {
  DenseSet<StringAttr> last = getNamesReadLast(left);
  last.insert_range(getNamesReadLast(right));
  auto select = [&](const State &side) {
    State selected;
    for (StringAttr name : last)
      if (auto found = side.names.find(name); found != side.names.end())
        selected.names[name] = found->second;
    return selected;
  };
  joins.joinNames(join, select(left), select(right), run.state, joined);
}

/// The way of leaving as a known number for one side, or its tensor.
static AbstractValue getTakenOf(OpBuilder &builder, const Exit &exit, Flow way) {
  if (exit.flow == Flow::Mixed && exit.getTaken(way))
    return AbstractValue::getTensor(exit.getTaken(way));
  return AbstractValue::getConstant(builder.getBoolAttr(exit.flow == way));
}

static bool isFalse(const AbstractValue &taken) {
  auto known = taken.getAs<BoolAttr>();
  return known && !known.getValue();
}

/// Whether a side throws an exception, as a known boolean or its tensor.
static AbstractValue getThrownOf(OpBuilder &builder, const Exit &exit, const Thrown *thrown) {
  bool isDecided = thrown && exit.flow == Flow::Mixed;
  return isDecided ? thrown->taken : AbstractValue::getConstant(builder.getBoolAttr(thrown != nullptr));
}

/// An exception that was thrown before the branch, if at all, and that the right side does not throw: it stays.
static const Thrown *findKept(const Join &join, const Exit &right, const Thrown &thrown, size_t index) {
  if (!join.before || index >= join.before->exit.thrown.size())
    return nullptr;
  const Thrown &before = join.before->exit.thrown[index];
  return before.isLike(thrown) && !findThrown(right.thrown, thrown) ? &before : nullptr;
}

/// The exceptions of both sides; what only one raises has its tensors from there.
SmallVector<Thrown, 0> Exits::joinThrown(Join &join, const Exit &left, const Exit &right, bool inAnyCase) {
  SmallVector<Thrown, 0> all(left.thrown);
  llvm::append_range(all, llvm::make_filter_range(
                              right.thrown, [&](const Thrown &thrown) { return !findThrown(left.thrown, thrown); }));
  for (auto [index, thrown] : llvm::enumerate(all)) {
    if (const Thrown *kept = findKept(join, right, thrown, index)) {
      thrown.taken = inAnyCase ? AbstractValue() : kept->taken;
      continue;
    }
    const Thrown *one = findThrown(left.thrown, thrown), *other = findThrown(right.thrown, thrown);
    if (one && other) {
      thrown.values = *joins.join(join, one->values, other->values);
      thrown.unset = one->unset;
      for (const auto &[name, why] : other->unset)
        thrown.hide(name, why);
    } else {
      joins.pass(join, one != nullptr, thrown.values);
    }
    thrown.taken = inAnyCase ? AbstractValue()
                             : *joins.join(join, getThrownOf(builder, left, one), getThrownOf(builder, right, other));
  }
  return all;
}

/// Gives the names of the side that goes on their values behind a branch whose other side has ended with an exception:
/// those that the other has no value for, or one of another type, cannot be used where the exception is handled. A last
/// block that runs before a return finds none.
void Exits::passToOne(Join &join, const State &reached, bool isLeft, const Exit &ended, Exit &exit,
                      SmallVectorImpl<StringAttr> &joined) {
  DenseSet<StringAttr> last = mayReturn(ended) ? getNamesReadLast(reached) : DenseSet<StringAttr>();
  SmallVector<StringAttr> names;
  for (auto &[name, value] : run.state.names)
    if (auto found = reached.names.find(name);
        value.isUndefined() && found != reached.names.end() && !found->second.isUndefined() && !last.contains(name))
      names.push_back(name);
  llvm::sort(names, [](StringAttr a, StringAttr b) { return a.getValue() < b.getValue(); });
  for (StringAttr name : names) {
    for (Thrown &thrown : exit.thrown)
      if (findThrown(ended.thrown, thrown))
        thrown.hide(name, run.state.names[name]);
    const AbstractValue &value = reached.names.find(name)->second;
    joins.pass(join, isLeft, value);
    run.state.names[name] = value;
    joined.push_back(name);
  }
}

/// What both sides return, or the one that does.
FailureOr<AbstractValue> Exits::joinReturned(Join &join, const Exit &left, const Exit &right) {
  if (!mayReturn(left) && !mayReturn(right))
    return AbstractValue();
  if (!mayReturn(left) || !mayReturn(right)) {
    bool isLeft = mayReturn(left);
    joins.pass(join, isLeft, isLeft ? left.value : right.value);
    return isLeft ? left.value : right.value;
  }
  if (auto value = joins.join(join, left.value, right.value))
    return *value;
  auto diagnostic = refuse(join.location) << "TypeError: Type Join Failed: the function returns "
                                          << describeDifference(left.value, right.value);
  if (isNone(left.value) != isNone(right.value))
    diagnostic << "; return a tensor on both sides, for example ops.zeros_like of it with a flag beside it";
  diagnostic.attachNote(left.where) << "returned if the condition holds";
  diagnostic.attachNote(right.where) << "returned if it does not";
  return diagnostic;
}

FailureOr<Exit> Exits::runTwoWays(Location location, Value condition, Side runLeft, Side runRight, Operation *source) {
  return branch(location, condition, runLeft, runRight, source, /*before=*/nullptr);
}

/// Refuses that the right side of a branch has changed an object that only Python knows, where somebody may see it
/// behind the left one, which ran before.
LogicalResult Exits::checkUntouched(const Exit &left, unsigned since) const {
  bool isLeft = !mayStay(left) && left.thrown.empty() && run.state.readLast.empty();
  return isLeft ? success() : live.checkUntouched(since);
}

FailureOr<Exit> Exits::branch(Location location, Value condition, Side runLeft, Side runRight, Operation *source,
                              Iterations *iterations) {
  auto skeleton = scf::IfOp::create(builder, location, TypeRange(), condition, /*addThenBlock=*/true,
                                    /*addElseBlock=*/true);
  State before = run.state;
  auto runSide = [&](Block *block, Side side) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(block);
    return side();
  };
  ++depth;
  run.frame.journals.push_back(Journal());
  unsigned since = live.countQuestions();
  auto left = runSide(skeleton.thenBlock(), runLeft);
  if (failed(left) || failed(live.checkUntouched(since)))
    return failure();
  State leftState = std::exchange(run.state, before);
  Journal leftChanges = changes.take();
  run.frame.journals.back() = Journal();
  auto right = runSide(skeleton.elseBlock(), runRight);
  if (failed(right) || failed(checkUntouched(*left, since)))
    return failure(); // At this depth, as on the left: a `try` around the branch cannot go on.
  Journal rightChanges = changes.take();
  run.frame.journals.pop_back();
  --depth;
  State rightState = std::exchange(run.state, before);
  Join join{location, skeleton.thenBlock(), skeleton.elseBlock(), source, iterations};
  join.leftChanges = std::move(leftChanges);
  join.rightChanges = std::move(rightChanges);
  made.unify(join, *left, *right, leftState, rightState);
  return joinExits(std::move(join), skeleton, *left, *right, leftState, rightState, before);
}

/// How both sides together end; of a mixed exit `taken` gets the booleans of its ways, by results of the branch.
void Exits::joinFlow(Join &join, const Exit &left, const Exit &right, Exit &exit,
                     SmallVectorImpl<std::pair<Flow, AbstractValue>> &taken) {
  bool raises = left.flow == Flow::Raise || right.flow == Flow::Raise;
  if (raises && left.flow != Flow::Mixed && right.flow != Flow::Mixed) {
    exit.flow = left.flow == Flow::Raise ? right.flow : left.flow;
    return;
  }
  bool throwOthers = left.flow == Flow::Throw && right.flow == Flow::Throw && !left.thrown[0].isLike(right.thrown[0]);
  if (left.flow == right.flow && left.flow != Flow::Mixed && !throwOthers)
    return;
  exit.flow = Flow::Mixed;
  for (const Exit *side : {&left, &right})
    exit.mayGoOn |= side->flow == Flow::Next || (side->flow == Flow::Mixed && side->mayGoOn);
  for (Flow way : {Flow::Break, Flow::Continue, Flow::Return}) {
    AbstractValue one = getTakenOf(builder, left, way), other = getTakenOf(builder, right, way);
    if (Value kept = join.before ? join.before->exit.getTaken(way) : Value(); kept && isFalse(other)) {
      exit.getTaken(way) = kept;
      continue;
    }
    auto both = one.isTensor() || other.isTensor() || one.getConstant() != other.getConstant()
                    ? joins.join(join, one, other)
                    : std::nullopt;
    if (both)
      taken.push_back({way, *both});
  }
}

/// The names behind a branch, as far as its sides get there.
void Exits::joinStates(Join &join, const Exit &left, const Exit &right, const State &leftState, const State &rightState,
                       const State &before, Exit &exit, SmallVectorImpl<StringAttr> &joined) {
  bool isLeft = mayReach(left), isRight = mayReach(right);
  if (isLeft && isRight)
    joins.joinNames(join, leftState, rightState, run.state, joined);
  else if (isLeft || isRight)
    passNames(join, isLeft ? leftState : rightState, before, isLeft, joined);
  if (!isLeft || !isRight)
    joinLast(join, leftState, rightState, joined);
  else if (mayStay(left) != mayStay(right))
    passToOne(join, mayStay(left) ? leftState : rightState, mayStay(left), mayStay(left) ? right : left, exit, joined);
}

FailureOr<Exit> Exits::joinExits(Join join, scf::IfOp skeleton, const Exit &left, const Exit &right,
                                 const State &leftState, const State &rightState, const State &before) {
  auto value = joinReturned(join, left, right);
  if (failed(value))
    return failure();
  Exit exit{left.flow, join.location, *value};
  SmallVector<std::pair<Flow, AbstractValue>> taken;
  joinFlow(join, left, right, exit, taken);
  exit.thrown = joinThrown(join, left, right, exit.flow == Flow::Throw);
  SmallVector<StringAttr> joined;
  joinStates(join, left, right, leftState, rightState, before, exit, joined);
  Journal joinedChanges;
  if (failed(changes.join(join, left, right, exit, joinedChanges)))
    return failure();
  if (join.before)
    passKnown(join, right, rightState);
  else if (exit.flow == Flow::Mixed)
    passOnward(join, left, right, leftState, rightState, exit);

  SmallVector<Value> behind = joins.finish(skeleton, join);
  ValueRange results(behind);
  AbstractValue::Containers known;
  exit.value = exit.value.withTensors(results, depth, known);
  for (auto &[way, flag] : taken)
    exit.getTaken(way) = flag.withTensors(results).getTensor();
  for (auto [index, thrown] : llvm::enumerate(exit.thrown)) {
    if (findKept(join, right, thrown, index))
      continue;
    thrown.values = thrown.values.withTensors(results);
    thrown.taken = thrown.taken.withTensors(results);
  }
  for (StringAttr name : joined)
    run.state.names[name] = run.state.names[name].withTensors(results, depth, known);
  if (failed(changes.apply(joinedChanges, results, known)))
    return failure();
  if (join.before)
    join.before->takeTensors(results, depth, known);
  for (auto &entry : exit.namesOnward)
    entry.second = entry.second.withTensors(results, depth, known);
  for (const AbstractValue &container : join.copied)
    container.growableAt(~0u);
  return simplify(exit);
}

} // namespace plumb::specialize
