// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops whose iterations are known while compiling: `for`, and `while` as long as its condition is known.

#include "compiler/specialize/interpreter/UnrolledLoops.h"
#include "compiler/specialize/interpreter/Interpreter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace plumb::specialize {

/// The iterable of a loop: items that are known before it, a list or a view of a dict, which it sees as they are at
/// each iteration, or an iterator, which it takes the items from.
struct UnrolledLoops::Iterated {
  /// A container behind `items`, with the contents from which these were made.
  struct Source {
    AbstractValue container;
    SmallVector<AbstractValue> contents;
    bool areKeys;   ///< Of a dict only the keys are seen.
    bool isInOrder; ///< The item at each place comes from the element there.
  };

  AbstractValue list, iterator, view;
  bool hasKeys = false; ///< The view is of pairs.
  SmallVector<AbstractValue> items;
  SmallVector<Source> sources;

  void setView(const AbstractValue &made);

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
void UnrolledLoops::addSources(Value iterable, Iterated &iterated) {
  interpreter.iterators.walkSources(
      iterable, /*isInOrder=*/true, [&](const AbstractValue &container, bool areKeys, bool isInOrder) {
        iterated.sources.push_back(
            {container, SmallVector<AbstractValue>(container.getElements()), areKeys, isInOrder});
      });
}

/// Has a loop over a view of a dict see the dict's values as they are at each iteration.
void UnrolledLoops::Iterated::setView(const AbstractValue &made) {
  auto name = made.isView() ? cast<StringAttr>(made.getConstant()).getValue() : StringRef("keys");
  if (name == "keys")
    return;
  hasKeys = name == "items";
  view = made.getElements()[0];
  for (Source &source : sources)
    source.areKeys = true;
}

FailureOr<UnrolledLoops::Iterated> UnrolledLoops::getIterated(net::PythonForOp op) {
  Iterated iterated;
  AbstractValue iterable = run.state.get(op.getIterable());
  Result iterator = interpreter.iterators.findIterator(op.getLoc(), iterable);
  if (failed(iterator))
    return failure();
  if (iterable.isList()) {
    iterated.list = iterable;
  } else if (iterator->isIterator()) {
    iterated.iterator = *iterator;
  } else if (iterable.isIterator()) {
    iterated.iterator = iterable;
  } else {
    Result items = interpreter.iterators.getIterated(op.getLoc(), iterable);
    if (failed(items))
      return failure();
    iterated.items.assign(items->getElements().begin(), items->getElements().end());
    addSources(op.getIterable(), iterated);
    iterated.setView(run.state.findView(op.getIterable()));
  }
  return iterated;
}

FailureOr<Exit> UnrolledLoops::runFor(net::PythonForOp op, Continuation next) {
  auto iterated = getIterated(op);
  auto exit = failed(iterated) ? FailureOr<Exit>(failure()) : runIterations(op, *iterated);
  return failed(exit) ? exit : exits.proceed(*exit, next);
}

/// Behind an end that a tensor decides, a loop that has begun before goes on with a copy of what its iterator has left.
LogicalResult UnrolledLoops::copyIterator(Location location, Iterated &iterated) {
  if (failed(interpreter.iterators.checkEnds(location, iterated.iterator)))
    return failure();
  Result rest = interpreter.iterators.moveRest(location, iterated.iterator, depth);
  if (failed(rest))
    return failure();
  iterated.iterator = *rest;
  return success();
}

/// Takes the next item from the iterator that a loop goes through, if one is left.
LogicalResult UnrolledLoops::takeItem(Location location, Iterated &iterated, size_t index) {
  auto item = interpreter.iterators.takeNext(location, iterated.iterator);
  if (failed(item))
    return failure();
  iterated.items.assign(index, AbstractValue());
  if (*item)
    iterated.items.push_back(**item);
  return success();
}

/// Whether a loop has an item at the place `index`.
FailureOr<bool> UnrolledLoops::hasItem(net::PythonForOp op, Iterated &iterated, size_t index) {
  if (index > 0 && !iterated.holds(index))
    return refuse(op.getLoc())
           << "RuntimeError: what this loop goes through is changed inside of the loop; loop over a copy";
  if (iterated.iterator.isIterator() && failed(takeItem(op.getLoc(), iterated, index)))
    return failure();
  size_t size = iterated.getItems().size();
  if (index < size && size > kMaxUnrolled)
    return refuse(op.getLoc()) << "this loop runs " << size << " times, but at most " << kMaxUnrolled
                               << " iterations are unrolled; use `while` with a tensor as its condition";
  return index < size;
}

/// Whether the next iteration stands in a branch on whether those before have left the loop.
static bool isDecided(const Exit &exit) { return exit.flow == Flow::Mixed && exit.mayGoOn; }

/// Runs the body once per item, up to an end that is known.
FailureOr<Exit> UnrolledLoops::runIterations(net::PythonForOp op, Iterated &iterated) {
  Iterations before{Exit{Flow::Next, op.getLoc()}};
  for (size_t index = 0; before.exit.flow == Flow::Next || isDecided(before.exit); ++index) {
    bool wasDecided = isDecided(before.exit), isComputed = wasDecided && iterated.iterator.isGenerator();
    auto has = isComputed ? FailureOr<bool>(true) : hasItem(op, iterated, index);
    if (failed(has))
      return failure();
    if (!*has)
      break;
    auto done = exits.runUnlessLeft(before, [&]() -> FailureOr<Exit> {
      if (isComputed && failed(has = hasItem(op, iterated, index)))
        return failure();
      if (!*has)
        return Exit{Flow::Next, op.getLoc()};
      run.state.names[op.getTargetAttr()] = iterated.getItem(index);
      auto ended = blocks.runBlock(op.getBody().front());
      return failed(ended) ? ended : FailureOr<Exit>(leaveIteration(*ended));
    });
    if (failed(done))
      return failure();
    if (!*has)
      break;
    if (!wasDecided && isDecided(before.exit) && iterated.iterator.isGrowable() &&
        failed(copyIterator(op.getLoc(), iterated)))
      return failure();
  }
  return exits.leaveIterations(before);
}

/// The condition of a loop if it is known now. It has to be interpreted to learn that; where it depends on a tensor,
/// what was written for it is taken back.
FailureOr<std::optional<bool>> UnrolledLoops::findCondition(net::PythonWhileOp op) {
  Trial trial(run, builder);
  std::optional<bool> known;
  llvm::SaveAndRestore decides(knownTensors.isDecidingLoop, true);
  auto truth = interpreter.loops.testCondition(op);
  if (failed(truth))
    return failure();
  if (bool *constant = *truth ? std::get_if<bool>(&**truth) : nullptr)
    known = *constant;
  if (!known)
    trial.undo();
  return known;
}

FailureOr<Exit> UnrolledLoops::runWhile(net::PythonWhileOp op, Continuation next) {
  auto exit = runIterations(op);
  return failed(exit) ? exit : exits.proceed(*exit, next);
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

/// Runs the body once; `mayRaise` becomes whether it may end the launch.
FailureOr<Exit> UnrolledLoops::runBody(net::PythonWhileOp op, bool &mayRaise) {
  auto outer = std::exchange(run.frame.raises, std::nullopt);
  auto ended = blocks.runBlock(op.getBody().front());
  mayRaise = run.frame.raises.has_value();
  if (outer)
    run.frame.raises = outer;
  return failed(ended) ? ended : leaveIteration(*ended);
}

/// Runs the next iteration. Where the condition is known no more, it is followed by the others as an scf.while; so is
/// one of `while True` that a tensor ends, by a `raise` as well.
FailureOr<Exit> UnrolledLoops::runIteration(net::PythonWhileOp op, unsigned count, bool &isLast) {
  if (count > kMaxUnrolled)
    return refuse(op.getLoc()) << "this loop does not end within " << kMaxUnrolled
                               << " iterations while compiling; a loop whose end depends on a "
                               << "tensor must name the tensor in its condition";
  auto known = findCondition(op);
  if (failed(known))
    return failure();
  isLast = !*known || !**known;
  if (isLast)
    return *known ? FailureOr<Exit>(Exit{Flow::Next, op.getLoc()}) : interpreter.loops.write(op);
  Trial trial(run, builder);
  bool mayRaise = false;
  auto exit = runBody(op, mayRaise);
  if (failed(exit))
    return failure();
  bool onlyRaises = exit->flow == Flow::Next && mayRaise && isLeftByRaise(op, isEndless(op));
  if (!onlyRaises && !(isDecided(*exit) && isEndless(op)))
    return exit;
  trial.undo();
  isLast = true;
  auto left = interpreter.loops.write(op);
  return failed(left) || !onlyRaises ? left : FailureOr<Exit>(Exit{Flow::Raise, op.getLoc()});
}

/// Unrolls while the condition is known.
FailureOr<Exit> UnrolledLoops::runIterations(net::PythonWhileOp op) {
  Iterations before{Exit{Flow::Next, op.getLoc()}};
  bool isLast = false;
  for (unsigned count = 0; !isLast && (before.exit.flow == Flow::Next || isDecided(before.exit)); ++count)
    if (failed(exits.runUnlessLeft(before, [&] { return runIteration(op, count, isLast); })))
      return failure();
  return exits.leaveIterations(before);
}

} // namespace plumb::specialize
