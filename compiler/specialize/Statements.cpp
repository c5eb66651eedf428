// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Control flow whose course is known while compiling: statement lists, ifs on
// constants, unrolled loops. Each runner calls `next` with the way in
// which its statement ended; the calls nest, so locals of a runner stay alive
// for everything that follows it.

#include "compiler/specialize/Interpreter.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace plumb::specialize {

FailureOr<Exit> Interpreter::runBlock(Block &block, Continuation next) {
  return runStatements(block.begin(), block.end(), next);
}

FailureOr<Exit> Interpreter::runStatements(Block::iterator from, Block::iterator end, Continuation next) {
  for (Block::iterator it = from; it != end; ++it) {
    Operation &op = *it;
    auto rest = [&](Exit exit) -> FailureOr<Exit> {
      return exits.proceed(exit, [&](Exit reached) -> FailureOr<Exit> {
        if (reached.flow != Flow::Next)
          return next(reached);
        return runStatements(std::next(it), end, next);
      });
    };
    if (auto ifOp = dyn_cast<net::PythonIfOp>(op))
      return runIf(ifOp, rest);
    if (auto forOp = dyn_cast<net::PythonForOp>(op))
      return runFor(forOp, rest);
    if (auto whileOp = dyn_cast<net::PythonWhileOp>(op))
      return runWhile(whileOp, rest);
    if (auto tryOp = dyn_cast<net::PythonTryOp>(op))
      return runTry(tryOp, rest);
    if (isa<net::PythonBreakOp>(op))
      return next(Exit{Flow::Break, op.getLoc()});
    if (isa<net::PythonContinueOp>(op))
      return next(Exit{Flow::Continue, op.getLoc()});
    if (auto condition = dyn_cast<net::PythonConditionOp>(op))
      return next(Exit{Flow::Next, op.getLoc(), run.state.get(condition.getValue())});
    if (auto returnOp = dyn_cast<net::PythonReturnOp>(op))
      return next(Exit{Flow::Return, op.getLoc(), run.state.getKept(returnOp.getValue())});
    auto raise = dyn_cast<net::PythonRaiseOp>(op);
    if (failed(raise ? raises.raise(op.getLoc(), escapeBraces(raise.getMessage())) : evaluate(op)))
      return failure();
    if (std::exchange(run.frame.hasRaised, false))
      return next(Exit{Flow::Raise, op.getLoc()});
    if (!run.frame.pending.empty()) {
      auto exit = exits.takePending(Exit{Flow::Next, op.getLoc()});
      return failed(exit) ? exit : rest(*exit);
    }
  }
  Location where = from == end ? UnknownLoc::get(context()) : end->getLoc();
  return next(Exit{Flow::Next, where});
}

FailureOr<Exit> Interpreter::runIf(net::PythonIfOp op, Continuation next) {
  auto truth = getTruth(op.getLoc(), run.state.get(op.getCondition()));
  if (failed(truth))
    return failure();
  if (auto *condition = std::get_if<Value>(&*truth)) {
    auto known = knownTensors.findTruth(*condition);
    if (!known)
      return runBranches(op, *condition, next);
    *truth = *known;
  }
  Region &region = std::get<bool>(*truth) ? op.getThenRegion() : op.getElseRegion();
  if (region.empty())
    return next(Exit{Flow::Next, op.getLoc()});
  return runBlock(region.front(), next);
}

/// Whether control may leave `op` other than past its end, also by raising what a `try` around hears of.
static bool mayEscape(Operation *op, bool throws) {
  auto result = op->walk([&](Operation *inner) {
    if (isa<net::PythonReturnOp>(inner) || (throws && isa<net::PythonRaiseOp>(inner)))
      return WalkResult::interrupt();
    if (!isa<net::PythonBreakOp, net::PythonContinueOp>(inner))
      return WalkResult::advance();
    Operation *loop = inner->getParentOp();
    while (loop != op && !isa<net::PythonForOp, net::PythonWhileOp>(loop))
      loop = loop->getParentOp();
    return loop == op ? WalkResult::interrupt() : WalkResult::advance();
  });
  return result.wasInterrupted();
}

/// Whether control may leave `region` past its end.
static bool fallsThrough(Region &region) {
  if (region.empty() || region.front().empty())
    return true;
  Operation &last = region.front().back();
  if (auto branch = dyn_cast<net::PythonIfOp>(last))
    return fallsThrough(branch.getThenRegion()) || fallsThrough(branch.getElseRegion());
  return !isa<net::PythonReturnOp, net::PythonBreakOp, net::PythonContinueOp, net::PythonRaiseOp>(last);
}

/// Where only one side goes on, what follows is written into that side; else both are joined first, so that it is
/// written once.
FailureOr<Exit> Interpreter::runBranches(net::PythonIfOp op, Value condition, Continuation next) {
  Region &then = op.getThenRegion(), &otherwise = op.getElseRegion();
  bool inside = mayEscape(op, run.frame.throwing.has_value()) && !(fallsThrough(then) && fallsThrough(otherwise));
  auto stay = [](Exit exit) -> FailureOr<Exit> { return exit; };
  Continuation follow = inside ? next : Continuation(stay);
  auto runSide = [&](Region &region) -> FailureOr<Exit> {
    return region.empty() ? follow(Exit{Flow::Next, op.getLoc()}) : runBlock(region.front(), follow);
  };
  auto exit =
      exits.runTwoWays(op.getLoc(), condition, [&] { return runSide(then); }, [&] { return runSide(otherwise); }, op);
  return failed(exit) || inside ? exit : exits.proceed(*exit, next);
}

/// The iterable of a loop: items that are known before it, a list or a view of a dict, which it sees as they are at
/// each iteration, or an iterator, which it takes the items from.
struct Iterated {
  /// A container behind `items`, with the contents from which these were made.
  struct Source {
    AbstractValue container;
    SmallVector<AbstractValue> contents;
    bool areKeys;   ///< Of a dict only the keys are seen.
    bool isInOrder; ///< The item at each place comes from the element there.
  };

  AbstractValue list, iterator, view;
  bool hasBegun = false;
  bool hasKeys = false; ///< The view is of pairs.
  SmallVector<AbstractValue> items;
  SmallVector<Source> sources;

  ArrayRef<AbstractValue> getItems() const { return list.isList() ? list.getElements() : ArrayRef(items); }

  /// The item at a place, a view's as it is now.
  AbstractValue getItem(size_t index) const {
    AbstractValue item = getItems()[index];
    if (!view.isDictionary())
      return item;
    const AbstractValue &value = view.getElements()[index];
    return hasKeys ? AbstractValue::getTuple({item.getElements()[0], value}) : value;
  }

  /// Whether the items from the place `index` on are still what the containers hold.
  bool holds(size_t index) const {
    return llvm::all_of(sources, [&](const Source &source) {
      ArrayRef<AbstractValue> now = source.container.getElements(), before = source.contents;
      size_t seen = source.isInOrder ? std::min(index, before.size()) : 0;
      return now.size() == before.size() &&
             (source.areKeys || llvm::equal(now.drop_front(seen), before.drop_front(seen), isIdentical));
    });
  }
};

/// Enters the containers that `iterable` yields the items of.
void Interpreter::addSources(Value iterable, Iterated &iterated) {
  walkSources(iterable, /*isInOrder=*/true, [&](const AbstractValue &container, bool areKeys, bool isInOrder) {
    iterated.sources.push_back({container, SmallVector<AbstractValue>(container.getElements()), areKeys, isInOrder});
  });
}

/// Has a loop over a view of a dict see the dict's values as they are at each iteration.
static void setView(const AbstractValue &view, Iterated &iterated) {
  auto name = view.isView() ? cast<StringAttr>(view.getConstant()).getValue() : StringRef("keys");
  if (name == "keys")
    return;
  iterated.hasKeys = name == "items";
  iterated.view = view.getElements()[0];
  for (Iterated::Source &source : iterated.sources)
    source.areKeys = true;
}

FailureOr<Exit> Interpreter::runFor(net::PythonForOp op, Continuation next) {
  Iterated iterated;
  AbstractValue iterable = run.state.get(op.getIterable());
  if (iterable.isList()) {
    iterated.list = iterable;
  } else if (iterable.isIterator()) {
    iterated.iterator = iterable;
  } else {
    Result items = getIterated(op.getLoc(), iterable);
    if (failed(items))
      return failure();
    iterated.items.assign(items->getElements().begin(), items->getElements().end());
    addSources(op.getIterable(), iterated);
    setView(run.state.findView(op.getIterable()), iterated);
  }
  auto exit = runIterations(op, iterated, 0);
  return failed(exit) ? exit : exits.proceed(*exit, next);
}

static FailureOr<Exit> stay(Exit exit) { return exit; }

/// Takes the next item from the iterator that a loop goes through, if one is left. Behind an end that a tensor decides
/// the loop, which has begun before, goes on with a copy of what was left.
FailureOr<std::optional<AbstractValue>> Interpreter::takeItem(Location location, Iterated &iterated) {
  if (iterated.hasBegun && iterated.iterator.getDepth() != depth && iterated.iterator.isGrowable()) {
    auto left = getRest(location, iterated.iterator);
    if (failed(left))
      return failure();
    AbstractValue copy =
        AbstractValue::getIterator(iterated.iterator.getElements(), depth, iterated.iterator.getConstant());
    changes.spoil(location, iterated.iterator);
    iterated.iterator = copy;
  }
  auto left = getRest(location, iterated.iterator);
  if (failed(left))
    return failure();
  if (left->empty())
    return std::optional<AbstractValue>();
  Result item = callNext(location, {{iterated.iterator}, {}});
  if (failed(item))
    return failure();
  return std::optional<AbstractValue>(*item);
}

/// Runs the body once per item, up to an end that tensors decide; the other iterations are a branch behind that.
FailureOr<Exit> Interpreter::runIterations(net::PythonForOp op, Iterated &iterated, size_t index) {
  for (;; ++index) {
    if (index > 0 && !iterated.holds(index))
      return refuse(op.getLoc())
             << "RuntimeError: what this loop goes through is changed inside of the loop; loop over a copy";
    if (iterated.iterator.isIterator()) {
      iterated.hasBegun = index > 0;
      auto item = takeItem(op.getLoc(), iterated);
      if (failed(item))
        return failure();
      iterated.items.assign(index, AbstractValue());
      if (*item)
        iterated.items.push_back(**item);
    }
    auto items = iterated.getItems();
    if (index >= items.size())
      return Exit{Flow::Next, op.getLoc()};
    if (items.size() > kMaxUnrolled)
      return refuse(op.getLoc()) << "this loop runs " << items.size() << " times, but at most " << kMaxUnrolled
                                 << " iterations are unrolled; use `while` with a tensor as its condition";
    run.state.names[op.getTargetAttr()] = iterated.getItem(index);
    auto ended = runBlock(op.getBody().front(), stay);
    if (failed(ended))
      return failure();
    Exit exit = leaveIteration(*ended);
    if (exit.flow == Flow::Next)
      continue;
    auto rest = exits.proceed(exit, [&](Exit reached) -> FailureOr<Exit> {
      return reached.flow == Flow::Next ? runIterations(op, iterated, index + 1) : Exit(leaveLoop(reached));
    });
    if (failed(rest))
      return failure();
    return leaveLoop(*rest);
  }
}

/// Erases what was written to `block` after `mark` (null: everything).
static void rollBack(Block *block, Operation *mark) {
  while (!block->empty() && &block->back() != mark)
    block->back().erase();
}

/// Runs the condition of a loop; nothing where it raises what a `try` around hears of. Where it ends the launch, the
/// loop ends.
FailureOr<std::optional<Interpreter::Truth>> Interpreter::testCondition(net::PythonWhileOp op) {
  std::optional<Truth> tested;
  bool throws = false;
  auto exit = runBlock(op.getConditionRegion().front(), [&](Exit exit) -> FailureOr<Exit> {
    throws |= !exit.thrown.empty();
    auto truth = exit.flow == Flow::Next ? getTruth(op.getLoc(), exit.value) : FailureOr<Truth>(Truth(false));
    if (failed(truth))
      return failure();
    tested = *truth;
    return exit;
  });
  if (failed(exit))
    return failure();
  return throws ? std::optional<Truth>() : tested;
}

/// The condition of a loop if it is known now. It has to be interpreted to learn
/// that; where it depends on a tensor, what was written for it is taken back.
FailureOr<std::optional<bool>> Interpreter::findCondition(net::PythonWhileOp op) {
  Block *block = builder.getInsertionBlock();
  Operation *mark = block->empty() ? nullptr : &block->back();
  State before = run.state;
  Trial trial(run);
  std::optional<bool> known;
  llvm::SaveAndRestore decides(knownTensors.isDecidingLoop, true);
  auto truth = testCondition(op);
  if (failed(truth))
    return failure();
  if (bool *constant = *truth ? std::get_if<bool>(&**truth) : nullptr)
    known = *constant;
  if (!known) {
    rollBack(block, mark);
    trial.undo();
    run.state = std::move(before);
  }
  return known;
}

FailureOr<Exit> Interpreter::runWhile(net::PythonWhileOp op, Continuation next) {
  auto exit = runTurns(op, 0);
  return failed(exit) ? exit : exits.proceed(*exit, next);
}

bool Interpreter::isEndless(net::PythonWhileOp op) {
  return llvm::all_of(op.getConditionRegion().front(),
                      [](Operation &inner) { return isa<net::PythonConstantOp, net::PythonConditionOp>(inner); });
}

/// Whether nothing but what the loop's own statements raise can end it.
static bool isLeftByRaise(net::PythonWhileOp op, bool isEndless) {
  auto leaves = op.getBody().walk([&](Operation *inner) {
    Operation *loop = isa<net::PythonBreakOp>(inner) ? inner->getParentOp() : nullptr;
    while (loop && !isa<net::PythonWhileOp, net::PythonForOp>(loop))
      loop = loop->getParentOp();
    return isa<net::PythonReturnOp>(inner) || loop == op ? WalkResult::interrupt() : WalkResult::advance();
  });
  return isEndless && !leaves.wasInterrupted();
}

/// Unrolls while the condition is known; what is left when it depends on a
/// tensor becomes an scf.while. So does `while True` that a tensor ends, by a `raise` as well.
FailureOr<Exit> Interpreter::runTurns(net::PythonWhileOp op, unsigned count) {
  for (;; ++count) {
    if (count > kMaxUnrolled)
      return refuse(op.getLoc()) << "this loop does not end within " << kMaxUnrolled
                                 << " iterations while compiling; a loop whose end depends on a "
                                 << "tensor must name the tensor in its condition";
    auto known = findCondition(op);
    if (failed(known))
      return failure();
    if (!*known)
      return runDynamicWhile(op);
    if (!**known)
      return Exit{Flow::Next, op.getLoc()};
    Block *block = builder.getInsertionBlock();
    Operation *mark = block->empty() ? nullptr : &block->back();
    State before = run.state;
    Trial trial(run);
    auto outerRaises = std::exchange(run.frame.raises, std::nullopt);
    auto ended = runBlock(op.getBody().front(), stay);
    bool mayRaise = run.frame.raises.has_value();
    if (outerRaises)
      run.frame.raises = outerRaises;
    if (failed(ended))
      return failure();
    Exit exit = leaveIteration(*ended);
    bool onlyRaises = exit.flow == Flow::Next && mayRaise && isLeftByRaise(op, isEndless(op));
    if (onlyRaises || (exit.flow == Flow::Mixed && exit.mayGoOn && isEndless(op))) {
      rollBack(block, mark);
      trial.undo();
      run.state = std::move(before);
      auto left = runDynamicWhile(op);
      return failed(left) || !onlyRaises ? left : Exit{Flow::Raise, op.getLoc()};
    }
    if (exit.flow == Flow::Next)
      continue;
    auto rest = exits.proceed(exit, [&](Exit reached) -> FailureOr<Exit> {
      return reached.flow == Flow::Next ? runTurns(op, count + 1) : Exit(leaveLoop(reached));
    });
    if (failed(rest))
      return failure();
    return leaveLoop(*rest);
  }
}

Result Interpreter::getBoolean(Location location, const AbstractValue &value) {
  auto truth = getTruth(location, value);
  if (failed(truth))
    return failure();
  if (auto *known = std::get_if<bool>(&*truth))
    return makeBool(*known);
  auto element = std::get<Value>(*truth).getDefiningOp<tensor::ExtractOp>();
  AbstractValue tensor = AbstractValue::getTensor(element.getTensor());
  element.erase();
  return tensor;
}

/// Python's bool(): known for everything but tensors, whose one element is
/// taken out as an i1.
FailureOr<Interpreter::Truth> Interpreter::getTruth(Location location, const AbstractValue &value) {
  if (isTensorLike(value)) {
    RankedTensorType type = getTypeOf(value);
    if (type.getNumElements() != 1)
      return error(location) << "ValueError: the truth of " << value.describe()
                             << " is ambiguous; a condition must be a tensor of one element";
    auto tensor = writer.toTensor(location, value);
    if (failed(tensor))
      return failure();
    if (!type.getElementType().isInteger(1)) {
      auto nonzero = operators.applyBinary(location, "ne", AbstractValue::getTensor(*tensor), integer(0));
      if (failed(nonzero))
        return failure();
      tensor = nonzero->getTensor();
    }
    if (type.getRank() != 0) {
      tensor = writer.reshape(location, *tensor, {});
      if (failed(tensor))
        return failure();
    }
    return Truth(tensor::ExtractOp::create(builder, location, *tensor, ValueRange()).getResult());
  }
  if (isForeign(value)) {
    Result truth = live.ask(location, "truth", {{value}, {}});
    if (failed(truth))
      return failure();
    return getTruth(location, *truth);
  }
  if (value.isIterator())
    return Truth(true);
  if (value.isSequence() || value.isContainer())
    return Truth(!value.getElements().empty());
  if (isNone(value))
    return Truth(false);
  if (auto text = value.getAs<StringAttr>())
    return Truth(!text.getValue().empty());
  if (value.isConstant())
    if (auto number = getNumber(value.getConstant()))
      return Truth(number->asReal() != 0);
  return Truth(true);
}

} // namespace plumb::specialize
