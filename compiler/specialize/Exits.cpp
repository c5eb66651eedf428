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
// A side that raises ends the launch: the exit is the other side's, and what follows is no branch.
//
// Loops are where mixed exits are gathered: a loop hands on no break and no continue, so code behind it is interpreted
// once, however many ways lead there.

#include "compiler/specialize/Interpreter.h"

#include "dialects/net/ir/Folding.h"
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

/// A mixed exit that only one way is left of is that way.
static Exit simplify(Exit exit) {
  if (exit.flow != Flow::Mixed)
    return exit;
  SmallVector<Flow> left;
  for (Flow way : {Flow::Break, Flow::Continue, Flow::Return})
    if (exit.getTaken(way))
      left.push_back(way);
  if (left.empty())
    return Exit{Flow::Next, exit.where};
  if (left.size() > 1 || exit.mayGoOn)
    return exit;
  return Exit{left.front(), exit.where, exit.value};
}

Exit Interpreter::leaveIteration(Exit exit) { return simplify(dropWay(exit, Flow::Continue, /*goesOn=*/true)); }

Exit Interpreter::leaveLoop(Exit exit) { return simplify(dropWay(leaveIteration(exit), Flow::Break, /*goesOn=*/true)); }

/// Whether one of the ways of a mixed exit is taken, as an i1.
FailureOr<Value> Interpreter::isLeaving(Location location, Exit exit) {
  Result any = AbstractValue();
  for (Flow way : {Flow::Break, Flow::Continue, Flow::Return}) {
    Value taken = exit.getTaken(way);
    if (!taken)
      continue;
    AbstractValue flag = AbstractValue::getTensor(taken);
    any = any->isTensor() ? arithmetic.apply(location, "or", *any, flag) : Result(flag);
    if (failed(any))
      return failure();
  }
  return tensor::ExtractOp::create(builder, location, any->getTensor(), ValueRange()).getResult();
}

FailureOr<Exit> Interpreter::proceed(Exit exit, Continuation next) {
  if (exit.flow != Flow::Mixed || !exit.mayGoOn)
    return next(exit);
  auto leaves = isLeaving(exit.where, exit);
  if (failed(leaves))
    return failure();
  Exit left = exit;
  left.mayGoOn = false;
  left = simplify(left);
  return runTwoWays(
      exit.where, *leaves, [&] { return next(left); }, [&] { return next(Exit{Flow::Next, exit.where}); });
}

void OneSided::pass(const AbstractValue &value) {
  value.walkTensors(depth, [&](Value tensor) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(isLeft ? join.rightBlock : join.leftBlock);
    auto type = llvm::cast<RankedTensorType>(tensor.getType());
    Value zero = net::ConstantOp::create(builder, join.location, net::splatOf(type, 0));
    (isLeft ? join.left : join.right).push_back(tensor);
    (isLeft ? join.right : join.left).push_back(zero);
  });
}

/// Whether names matter behind the exit.
static bool mayReach(const Exit &exit) {
  return exit.flow != Flow::Return && exit.flow != Flow::Raise &&
         (exit.flow != Flow::Mixed || exit.mayGoOn || exit.getTaken(Flow::Break) || exit.getTaken(Flow::Continue));
}

static bool mayReturn(const Exit &exit) {
  return exit.flow == Flow::Return || (exit.flow == Flow::Mixed && exit.getTaken(Flow::Return));
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
void Interpreter::passNames(Join &join, State &reached, const State &before, bool isLeft,
                            SmallVectorImpl<StringAttr> &joined) {
  DenseSet<StringAttr> last = getNamesReadLast(reached);
  SmallVector<StringAttr> changed;
  for (auto &[name, value] : reached.names) {
    auto old = before.names.find(name);
    if (!last.contains(name) && (old == before.names.end() || !isIdentical(old->second, value)))
      changed.push_back(name);
  }
  llvm::sort(changed, [](StringAttr a, StringAttr b) { return a.getValue() < b.getValue(); });
  OneSided side{join, isLeft, builder, depth};
  for (StringAttr name : changed) {
    side.pass(reached.names[name]);
    state.names[name] = reached.names[name];
    joined.push_back(name);
  }
}

/// The last block of a `try` (`finally`) runs behind what leaves, too, with the names as each side has left them.
void Interpreter::joinLast(Join &join, const State &left, const State &right, SmallVectorImpl<StringAttr> &joined) {
  DenseSet<StringAttr> last = getNamesReadLast(left);
  last.insert_range(getNamesReadLast(right));
  auto select = [&](const State &side) {
    State selected;
    for (StringAttr name : last)
      if (auto found = side.names.find(name); found != side.names.end())
        selected.names[name] = found->second;
    return selected;
  };
  State one = select(left), other = select(right);
  joinNames(join, one, other, joined);
}

/// The way of leaving as a known number for one side, or its tensor.
static AbstractValue getTakenOf(OpBuilder &builder, const Exit &exit, Flow way) {
  if (exit.flow == Flow::Mixed && exit.getTaken(way))
    return AbstractValue::getTensor(exit.getTaken(way));
  return AbstractValue::getConstant(builder.getBoolAttr(exit.flow == way));
}

/// What both sides return, or the one that does.
FailureOr<AbstractValue> Interpreter::joinReturned(Join &join, const Exit &left, const Exit &right) {
  if (!mayReturn(left) && !mayReturn(right))
    return AbstractValue();
  if (!mayReturn(left) || !mayReturn(right)) {
    bool isLeft = mayReturn(left);
    OneSided{join, isLeft, builder, depth}.pass(isLeft ? left.value : right.value);
    return isLeft ? left.value : right.value;
  }
  if (auto value = this->join(join, left.value, right.value))
    return *value;
  auto diagnostic = refuse(join.location)
                    << "TypeError: Type Join Failed: the function returns " << left.value.describe()
                    << " if the condition holds, but " << right.value.describe() << " if it does not";
  if (isNone(left.value) != isNone(right.value))
    diagnostic << "; return a tensor on both sides, for example ops.zeros_like of it with a flag beside it";
  diagnostic.attachNote(left.where) << "returned if the condition holds";
  diagnostic.attachNote(right.where) << "returned if it does not";
  return diagnostic;
}

/// Writes a branch whose two sides run to an end, and joins the ends.
FailureOr<Exit> Interpreter::runTwoWays(Location location, Value condition, Side runLeft, Side runRight,
                                        Operation *source) {
  auto skeleton = scf::IfOp::create(builder, location, TypeRange(), condition, /*addThenBlock=*/true,
                                    /*addElseBlock=*/true);
  State before = state;
  auto run = [&](Block *block, Side side) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(block);
    return side();
  };
  ++depth;
  journals.push_back(Journal());
  auto left = run(skeleton.thenBlock(), runLeft);
  if (failed(left))
    return failure();
  State leftState = std::exchange(state, before);
  Journal leftChanges = takeChanges();
  journals.back() = Journal();
  auto right = run(skeleton.elseBlock(), runRight);
  if (failed(right))
    return failure(); // At this depth, as on the left: a `try` around the branch cannot go on.
  Journal rightChanges = takeChanges();
  journals.pop_back();
  --depth;
  State rightState = std::exchange(state, before);
  Join join{location, skeleton.thenBlock(), skeleton.elseBlock(), source};
  join.leftChanges = std::move(leftChanges);
  join.rightChanges = std::move(rightChanges);
  return joinExits(std::move(join), skeleton, *left, *right, leftState, rightState, before);
}

FailureOr<Exit> Interpreter::joinExits(Join join, scf::IfOp skeleton, const Exit &left, const Exit &right,
                                       State &leftState, State &rightState, const State &before) {
  auto value = joinReturned(join, left, right);
  if (failed(value))
    return failure();
  Exit exit{left.flow, join.location, *value};
  SmallVector<std::pair<Flow, AbstractValue>> taken;
  bool raises = left.flow == Flow::Raise || right.flow == Flow::Raise;
  if (raises && left.flow != Flow::Mixed && right.flow != Flow::Mixed) {
    exit.flow = left.flow == Flow::Raise ? right.flow : left.flow;
  } else if (left.flow != right.flow || left.flow == Flow::Mixed) {
    exit.flow = Flow::Mixed;
    for (const Exit *side : {&left, &right})
      exit.mayGoOn |= side->flow == Flow::Next || (side->flow == Flow::Mixed && side->mayGoOn);
    for (Flow way : {Flow::Break, Flow::Continue, Flow::Return}) {
      AbstractValue one = getTakenOf(builder, left, way), other = getTakenOf(builder, right, way);
      auto both = one.isTensor() || other.isTensor() || one.getConstant() != other.getConstant()
                      ? this->join(join, one, other)
                      : std::nullopt;
      if (both)
        taken.push_back({way, *both});
    }
  }
  SmallVector<StringAttr> joined;
  if (mayReach(left) && mayReach(right))
    joinNames(join, leftState, rightState, joined);
  else if (mayReach(left) || mayReach(right))
    passNames(join, mayReach(left) ? leftState : rightState, before, mayReach(left), joined);
  if (!(mayReach(left) && mayReach(right)))
    joinLast(join, leftState, rightState, joined);
  Journal changes;
  if (failed(joinChanges(join, join.leftChanges, join.rightChanges, left.flow == Flow::Raise, right.flow == Flow::Raise,
                         changes)))
    return failure();

  scf::IfOp branch = finishBranches(skeleton, join);
  ValueRange results = branch.getResults();
  exit.value = exit.value.withTensors(results, depth);
  for (auto &[way, flag] : taken)
    exit.getTaken(way) = flag.withTensors(results).getTensor();
  for (StringAttr name : joined)
    state.names[name] = state.names[name].withTensors(results, depth);
  if (failed(applyChanges(changes, results)))
    return failure();
  for (const AbstractValue &container : join.copied)
    container.growableAt(~0u);
  return simplify(exit);
}

} // namespace plumb::specialize
