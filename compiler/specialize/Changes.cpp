// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lists, dicts, attributes and names of outer functions that change under a condition on a tensor: each side of a
// branch finds them as they were before it; behind it they hold what both sides have left, joined part by part.
//
//   if x.sum() > 0:          %y = scf.if %c -> (tensor<f32>) {
//     values[0] = a     =>     scf.yield %a                      values[0] is %y behind the branch
//                            } else {
//                              scf.yield %old }
//
// The size of a list and the keys of a dict stay known, so both sides must leave the same ones. Loops on tensors carry
// the contents that an iteration changes (LoopState.cpp).

#include "compiler/specialize/Interpreter.h"

using namespace mlir;

namespace plumb::specialize {

bool Interpreter::canChange(const AbstractValue &container) const {
  return container.isGrowable() && container.getDepth() <= depth;
}

const Change *findChange(ArrayRef<Change> journal, const AbstractValue &container) {
  auto *found = llvm::find_if(
      journal, [&](const Change &change) { return change.container.getIdentity() == container.getIdentity(); });
  return found == journal.end() ? nullptr : found;
}

static ArrayAttr getKeysOf(const AbstractValue &container) {
  return container.isDictionary() ? container.getKeys() : ArrayAttr();
}

void Interpreter::remember(Location location, const AbstractValue &container) {
  auto enter = [&](Journal &journal) {
    if (!findChange(journal, container))
      journal.push_back(
          Change{location, container, SmallVector<AbstractValue>(container.getElements()), getKeysOf(container)});
  };
  llvm::for_each(MutableArrayRef(journals).drop_front(std::min(container.getDepth(), depth)), enter);
  for (Journal *trial : trials)
    enter(*trial);
}

/// Gives containers what a journal says, and enters there what they held.
static void exchangeContents(Journal &journal) {
  for (Change &change : journal) {
    SmallVector<AbstractValue> now(change.container.getElements());
    ArrayAttr keys = getKeysOf(change.container);
    change.container.setElements(change.elements, change.keys);
    change.elements = std::move(now);
    change.keys = keys;
  }
}

/// Gives what the side of a branch, or an iteration, has changed its contents of before; returns what it has left.
Journal Interpreter::takeChanges() {
  Journal left = std::move(journals.back());
  exchangeContents(left);
  return left;
}

void Interpreter::Trial::undo() {
  exchangeContents(changes);
  changes.clear();
}

/// The contents that a side leaves in a container: those that it has set, or those that were there.
static Change getLeft(ArrayRef<Change> journal, const Change &wanted) {
  if (const Change *found = findChange(journal, wanted.container))
    return *found;
  const AbstractValue &container = wanted.container;
  return Change{wanted.location, container, SmallVector<AbstractValue>(container.getElements()), getKeysOf(container)};
}

/// A part of a container as messages show it.
std::string Interpreter::describePart(const Change &contents, size_t index) const {
  if (contents.container.getIdentity() != state.attributes.getIdentity())
    return "an element of " + contents.container.describe();
  return "the attribute '" + llvm::cast<StringAttr>(llvm::cast<ArrayAttr>(contents.keys[index])[1]).str() + "'";
}

/// Joins one container's contents; elements that both sides leave alike stay what they are.
LogicalResult Interpreter::joinContents(Join &join, const Change &left, const Change &right, Change &joined) {
  if (left.elements.size() != right.elements.size() || left.keys != right.keys)
    return refuse(left.location)
           << "RuntimeError: " << left.container.describe() << " cannot be changed under a condition that "
           << "depends on a tensor in a way that leaves it " << left.elements.size() << " or " << right.elements.size()
           << " elements, or other keys: sizes are known while compiling; give it as many on both "
           << "sides, with a boolean beside each that says whether it counts, store into a tensor "
           << "of a fixed size, or choose the values with ops.select";
  for (auto [one, other] : llvm::zip(left.elements, right.elements)) {
    bool same = isIdentical(one, other);
    auto element = same ? std::optional(one) : this->join(join, one, other);
    if (!element)
      return refuse(left.location) << "TypeError: Type Join Failed: " << describePart(left, joined.elements.size())
                                   << " is " << describeDifference(one, other)
                                   << "; both branches must give it the same type";
    joined.elements.push_back(*element);
    joined.isJoined.push_back(!same);
  }
  return success();
}

/// Whether both sides leave an iterator with items of the same containers, and as many.
static bool leaveAsMany(const Change &left, const Change &right) {
  auto isUndefined = [](const AbstractValue &element) { return element.isUndefined(); };
  return left.elements.size() == right.elements.size() && isIdentical(left.elements.front(), right.elements.front()) &&
         llvm::none_of(left.elements, isUndefined) && llvm::none_of(right.elements, isUndefined);
}

/// Joins what both sides have changed; of a side that raises nothing is left. Of one that throws an exception out of
/// the function, that is what others hold, too; in a handler of the function, what has another size on that side has
/// no value.
LogicalResult Interpreter::joinChanges(Join &join, const Journal &left, const Journal &right, const Exit &leftExit,
                                       const Exit &rightExit, Exit &exit, Journal &joined) {
  if (leftExit.flow == Flow::Raise && rightExit.flow == Flow::Raise)
    return success();
  Journal all = left;
  llvm::append_range(
      all, llvm::make_filter_range(right, [&](const Change &change) { return !findChange(left, change.container); }));
  for (const Change &change : all) {
    Change one = getLeft(left, change), other = getLeft(right, change);
    bool isOwn = !handedOver.contains(change.container.getIdentity());
    bool isHidden = isOwn && (one.elements.size() != other.elements.size() || one.keys != other.keys);
    auto ends = [&](const Exit &side) {
      return side.flow == Flow::Raise || (side.flow == Flow::Throw && (throwing == frame ? isHidden : isOwn));
    };
    bool leftEnds = ends(leftExit), rightEnds = ends(rightExit) && !leftEnds;
    bool areAttributes = change.container.getIdentity() == state.attributes.getIdentity();
    if (areAttributes && !leftEnds && !rightEnds) {
      ArrayAttr kept = one.keys;
      dropMade(one, other.keys, countConditions());
      dropMade(other, kept, countConditions());
    }
    Change both{change.location, change.container, {}, one.keys};
    if (isHidden && (leftEnds || rightEnds) && throwing == frame)
      hide(change.container, exit);
    if (leftEnds || rightEnds) {
      both = rightEnds ? one : other;
      for (const AbstractValue &element : both.elements) {
        OneSided{join, rightEnds, builder, depth}.pass(element);
        both.isJoined.push_back(true);
      }
    } else if (change.container.isIterator() && !leaveAsMany(one, other)) {
      both.isSpoilt = true;
    } else if (failed(joinContents(join, one, other, both))) {
      return failure();
    }
    if (areAttributes)
      keepMade(both.keys);
    joined.push_back(both);
  }
  return success();
}

/// Says that the names that hold a container cannot be used where an exception of `exit` is handled.
void Interpreter::hide(const AbstractValue &container, Exit &exit) {
  for (auto &[name, value] : state.names)
    for (Thrown &thrown : exit.thrown)
      if (value.reaches(container))
        thrown.unset.emplace_back(
            name,
            AbstractValue::getUndefined(context(), "RuntimeError: '" + name.getValue() +
                                                       "' has another size, or other keys, where the exception is "
                                                       "raised than at the end of the 'try', so it cannot be used "
                                                       "in a handler; make it before, and fill it behind the 'try'"));
}

/// Gives containers what was joined, by the results of the branch.
LogicalResult Interpreter::applyChanges(Journal &joined, ValueRange &results) {
  for (Change &change : joined) {
    if (change.isSpoilt) {
      spoil(change.location, change.container);
      continue;
    }
    for (auto [element, isJoined] : llvm::zip(change.elements, change.isJoined))
      if (isJoined)
        element = element.withTensors(results, depth);
    if (failed(this->change(change.location, change.container, change.elements, change.keys)))
      return failure();
  }
  return success();
}

} // namespace plumb::specialize
