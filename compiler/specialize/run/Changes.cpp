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

#include "compiler/specialize/run/Changes.h"
#include "compiler/specialize/tensors/Reports.h"

#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;

namespace plumb::specialize {

bool Changes::canChange(const AbstractValue &container) const {
  return container.isGrowable() && container.getDepth() <= depth;
}

const Change *findChange(ArrayRef<Change> journal, const AbstractValue &container) {
  auto *found = llvm::find_if(
      journal, [&](const Change &change) { return change.container.getIdentity() == container.getIdentity(); });
  return found == journal.end() ? nullptr : found;
}

llvm::DenseMap<Attribute, AbstractValue> getElementsByKey(const Change &contents) {
  llvm::DenseMap<Attribute, AbstractValue> elements;
  for (auto [key, element] : llvm::zip(contents.keys, contents.elements))
    elements[key] = element;
  return elements;
}

static Keys getKeysOf(const AbstractValue &container) {
  return container.isDictionary() ? container.getKeys() : Keys();
}

void Changes::remember(Location location, const AbstractValue &container) {
  auto enter = [&](Journal &journal) {
    if (!findChange(journal, container))
      journal.push_back(
          Change{location, container, SmallVector<AbstractValue>(container.getElements()), getKeysOf(container)});
  };
  llvm::for_each(MutableArrayRef(run.frame.journals).drop_front(std::min(container.getDepth(), depth)), enter);
  for (Journal *trial : run.frame.trials)
    enter(*trial);
}

LogicalResult Changes::change(Location location, const AbstractValue &container, ArrayRef<AbstractValue> elements,
                              const Keys &keys) {
  if (!container.isGrowable())
    return refuse(location, DiagnosticKind::Outside)
           << "RuntimeError: " << container.describe() << " that was made "
           << "outside of the compiled function, that an object of the program "
           << "holds, or that a branch or loop on a tensor has put in the place of "
           << "another one, cannot be changed here; make a new one";
  if (!canChange(container))
    return refuse(location) << "RuntimeError: " << container.describe()
                            << " cannot be changed outside of the branch or loop on a tensor that made it; make a new "
                            << "one, or choose the values with ops.select";
  if (failed(checkNotWithin(location, container, elements)) ||
      failed(checkNotWithin(location, container, keys.getObjects())))
    return failure();
  remember(location, container);
  container.setElements(elements, keys);
  return success();
}

LogicalResult Changes::checkNotWithin(Location location, const AbstractValue &container,
                                      ArrayRef<AbstractValue> parts) const {
  if (llvm::none_of(parts, [&](const AbstractValue &part) { return part.reaches(container); }))
    return success();
  return refuse(location) << "ValueError: a list, dict or set that holds itself has no form in compiled functions";
}

void Changes::spoil(Location location, const AbstractValue &iterator) {
  remember(location, iterator);
  iterator.setElements({AbstractValue::getTuple({}),
                        AbstractValue::getUndefined(context(),
                                                    "how many items this iterator has left is not known while "
                                                    "compiling: a tensor decides it, or a function that has "
                                                    "taken some; make a list of the items, and index it",
                                                    {location})});
}

/// Gives containers what a journal says, and enters there what they held.
static void exchangeContents(Journal &journal) {
  for (Change &change : journal) {
    SmallVector<AbstractValue> now(change.container.getElements());
    Keys keys = getKeysOf(change.container);
    change.container.setElements(change.elements, change.keys);
    change.elements = std::move(now);
    change.keys = std::move(keys);
  }
}

Journal Changes::take() {
  Journal left = std::move(run.frame.journals.back());
  exchangeContents(left);
  return left;
}

Trial::Trial(Run &run, OpBuilder &builder)
    : run(run), block(builder.getInsertionBlock()), last(block->empty() ? nullptr : &block->back()), before(run.state) {
  run.frame.trials.push_back(&changes);
}

void Trial::undo() {
  while (!block->empty() && &block->back() != last)
    block->back().erase();
  exchangeContents(changes);
  changes.clear();
  run.state = std::move(before);
}

/// The contents that a side leaves in a container: those that it has set, or those that were there.
static Change getLeft(ArrayRef<Change> journal, const Change &wanted) {
  if (const Change *found = findChange(journal, wanted.container))
    return *found;
  const AbstractValue &container = wanted.container;
  return Change{wanted.location, container, SmallVector<AbstractValue>(container.getElements()), getKeysOf(container)};
}

/// A part of a container as messages show it.
std::string Changes::describePart(const Change &contents, size_t index) const {
  if (!run.state.areAttributes(contents.container))
    return "an element of " + contents.container.describe();
  return "the attribute '" + llvm::cast<StringAttr>(llvm::cast<ArrayAttr>(contents.keys[index])[1]).str() + "'";
}

/// Joins the elements of one place; an attribute may be set on one side alone.
std::optional<AbstractValue> Changes::joinElement(Join &join, const Change &left, const Change &right, size_t index) {
  const AbstractValue &one = left.elements[index], &other = right.elements[index];
  bool isPartial = one.isUndefined() || other.isUndefined();
  return isPartial && run.state.areAttributes(left.container) ? setAttributes.join(join, one, other, left.keys[index])
                                                              : joins.join(join, one, other);
}

/// Joins one container's contents; elements that both sides leave alike stay what they are.
LogicalResult Changes::joinContents(Join &join, const Change &left, const Change &right, Change &joined) {
  if (left.elements.size() != right.elements.size() || left.keys != right.keys)
    return refuse(left.location)
           << "RuntimeError: " << left.container.describe() << " cannot be changed under a condition that "
           << "depends on a tensor in a way that leaves it " << left.elements.size() << " or " << right.elements.size()
           << " elements, or other keys: sizes are known while compiling; give it as many on both "
           << "sides, with a boolean beside each that says whether it counts, store into a tensor "
           << "of a fixed size, or choose the values with ops.select";
  for (auto [index, one, other] : llvm::enumerate(left.elements, right.elements)) {
    bool areSame = isSame(one, other);
    auto element = areSame ? std::optional(one) : joinElement(join, left, right, index);
    if (!element)
      return refuse(left.location) << "TypeError: Type Join Failed: " << describePart(left, index) << " is "
                                   << describeDifference(one, other) << "; both branches must give it the same type";
    joined.elements.push_back(*element);
    joined.isJoined.push_back(!areSame);
  }
  return success();
}

/// Whether both sides leave an iterator with items of the same containers, and as many.
static bool leaveAsMany(const Change &left, const Change &right) {
  auto isUndefined = [](const AbstractValue &element) { return element.isUndefined(); };
  return left.elements.size() == right.elements.size() && isIdentical(left.elements.front(), right.elements.front()) &&
         llvm::none_of(left.elements, isUndefined) && llvm::none_of(right.elements, isUndefined);
}

/// Whether a value is, holds or sees a container; so may a function made in the frame of the number `frame`.
static bool shows(const AbstractValue &value, const AbstractValue &container, unsigned frame,
                  DenseSet<const void *> &seen) {
  if (value.getIdentity() == container.getIdentity() || (value.isClosure() && value.getFrame() == frame))
    return true;
  if (value.getIdentity() && !seen.insert(value.getIdentity()).second)
    return false;
  return llvm::any_of(value.getParts(), [&](const AbstractValue &part) { return shows(part, container, frame, seen); });
}

/// Whether the function that runs, or one that it has called, has made an object.
bool Changes::isMadeHere(Attribute object) const { return made.isMadeSince(object, run.frame.madeBefore); }

/// Whether a value is an object that has been made here, or holds one.
bool Changes::holdsMade(const AbstractValue &value, DenseSet<const void *> &seen) const {
  auto method = value.getAs<net::MethodAttr>();
  if (value.isConstant() && isMadeHere(method ? Attribute(method.getSelf()) : value.getConstant()))
    return true;
  if (value.getIdentity() && !seen.insert(value.getIdentity()).second)
    return false;
  return llvm::any_of(value.getElements(), [&](const AbstractValue &element) { return holdsMade(element, seen); });
}

/// Whether what the caller has handed over holds an object that has been made here.
bool Changes::hasHandedBack() const {
  DenseSet<const void *> seen;
  const AbstractValue &attributes = run.state.attributes;
  if (made.mayBeKept())
    return true;
  return llvm::any_of(llvm::zip(attributes.getKeys(), attributes.getElements()),
                      [&](auto entry) {
                        auto [key, element] = entry;
                        return !isMadeHere(llvm::cast<ArrayAttr>(key)[0]) && holdsMade(element, seen);
                      }) ||
         llvm::any_of(llvm::make_second_range(run.frame.handedOver), [&](const AbstractValue &other) {
           return !run.state.areAttributes(other) && holdsMade(other, seen);
         });
}

/// Whether attributes of objects hold a container; `isOfOthers` leaves out objects that only this function sees.
bool Changes::isAttribute(const AbstractValue &container, bool isOfOthers) const {
  DenseSet<const void *> seen;
  bool leavesOut = isOfOthers && !hasHandedBack();
  const AbstractValue &attributes = run.state.attributes;
  return llvm::any_of(llvm::zip(attributes.getKeys(), attributes.getElements()), [&](auto entry) {
    auto [key, element] = entry;
    bool isLeftOut = leavesOut && isMadeHere(llvm::cast<ArrayAttr>(key)[0]);
    return !isLeftOut && shows(element, container, run.frame.number, seen);
  });
}

/// Whether nobody but the function that runs can see a container.
bool Changes::isOwn(const AbstractValue &container) const {
  DenseSet<const void *> seen;
  return !run.frame.handedOver.contains(container.getIdentity()) && !isAttribute(container, /*isOfOthers=*/true) &&
         llvm::none_of(llvm::make_second_range(run.frame.handedOver), [&](const AbstractValue &other) {
           return !run.state.areAttributes(other) && shows(other, container, run.frame.number, seen);
         });
}

/// Whether what a side returns shows a container, or a name that a last block reads.
bool Changes::isSeenLast(const Exit &side, const AbstractValue &container) const {
  DenseSet<const void *> seen, objects;
  bool isOfObject = isAttribute(container, /*isOfOthers=*/false);
  auto isShown = [&](const AbstractValue &value) {
    return (isOfObject && holdsMade(value, objects)) || shows(value, container, run.frame.number, seen);
  };
  return isShown(side.value) || llvm::any_of(run.state.readLast, [&](StringAttr name) {
           auto found = run.state.names.find(name);
           return found != run.state.names.end() && isShown(found->second);
         });
}

/// Whether somebody may read the contents that a side leaves in a container where the other side leaves others: what
/// follows, a handler, which what has another size is hidden from, a caller, or a last block.
bool Changes::isSeenBehind(const Exit &side, const Change &change, const Change &other) const {
  if (side.flow == Flow::Raise)
    return false;
  if (mayStay(side))
    return true;
  bool isSized = change.elements.size() == other.elements.size() && change.keys == other.keys;
  bool isHandledHere = !side.thrown.empty() && run.frame.throwing == run.frame.number;
  if ((isSized && (isHandledHere || mayReturn(side))) || !isOwn(change.container))
    return true;
  if (isHandledHere && isAttribute(change.container, /*isOfOthers=*/false))
    return true;
  return mayReturn(side) && isSeenLast(side, change.container);
}

/// The contents that one side leaves, where nobody sees those of the other; what both have stays what it is.
void Changes::passChange(Join &join, const Change &ended, const Change &reached, bool isLeft, Change &both) {
  both = reached;
  both.isJoined.clear();
  for (auto [index, element] : llvm::enumerate(reached.elements)) {
    bool areSame = index < ended.elements.size() && isSame(element, ended.elements[index]);
    if (!areSame)
      joins.pass(join, isLeft, element);
    both.isJoined.push_back(!areSame);
  }
  both.passesKeys = reached.keys != ended.keys && reached.keys.hasObjects();
  if (both.passesKeys)
    for (const AbstractValue &key : reached.keys.getObjects())
      joins.pass(join, isLeft, key);
}

/// Notes what iterations that go on know of contents beyond what is joined.
void Changes::noteKnown(Join &join, const Change &right, const Change &both) const {
  Change known{both.location, both.container, {}, Keys()};
  for (auto [element, joined] : llvm::zip(right.elements, both.elements))
    known.elements.push_back(isKnownBetter(element, joined) ? element : AbstractValue());
  if (!llvm::all_of(known.elements, [](const AbstractValue &element) { return element.isUndefined(); }))
    join.before->contents.push_back(known);
}

/// Gives both sides the same attributes, less those of objects that one of them alone has made.
void Changes::alignAttributes(Change &left, Change &right, Change &leftAlone, Change &rightAlone) {
  Keys keys = left.keys;
  leftAlone = made.drop(left, right.keys, run.countConditions());
  rightAlone = made.drop(right, keys, run.countConditions());
  setAttributes.align(left, right);
}

/// Adds attributes of objects that only one side knows, which has made them.
void Changes::passMade(Join &join, const Change &made, bool isLeft, Change &both) {
  if (made.elements.empty())
    return;
  SmallVector<Attribute> keys(both.keys.begin(), both.keys.end());
  llvm::append_range(keys, made.keys);
  for (const AbstractValue &element : made.elements) {
    joins.pass(join, isLeft, element);
    both.elements.push_back(element);
    both.isJoined.push_back(true);
  }
  both.keys = builder.getArrayAttr(keys);
}

/// Joins the contents that both sides leave, of which somebody may read either.
LogicalResult Changes::joinSeen(Join &join, Change one, Change other, const Exit &left, const Exit &right,
                                Change &both) {
  Change whole = other, leftAlone{both.location, both.container, {}, builder.getArrayAttr({})}, rightAlone = leftAlone;
  if (run.state.areAttributes(both.container))
    alignAttributes(one, other, leftAlone, rightAlone);
  both.keys = one.keys;
  if (failed(joinContents(join, one, other, both)))
    return failure();
  if (!mayStay(left) || !mayStay(right)) { // Else no name has them behind the branch.
    passMade(join, leftAlone, /*isLeft=*/true, both);
    passMade(join, rightAlone, /*isLeft=*/false, both);
  }
  whole.isSpoilt = join.before && whole.keys != both.keys; // Objects that iterations have made.
  if (whole.isSpoilt)
    join.before->contents.push_back(whole);
  else if (join.before)
    noteKnown(join, other, both);
  return success();
}

/// Joins one container's contents.
FailureOr<Change> Changes::joinChange(Join &join, const Change &change, const Exit &left, const Exit &right,
                                      Exit &exit) {
  Change one = getLeft(join.leftChanges, change), other = getLeft(join.rightChanges, change);
  bool leftEnds = !isSeenBehind(left, one, other), rightEnds = !leftEnds && !isSeenBehind(right, other, one);
  Change both{change.location, change.container, {}, one.keys};
  if (leftEnds || rightEnds) {
    if (run.frame.throwing == run.frame.number)
      hide(change.container, leftEnds ? left : right, exit);
    passChange(join, leftEnds ? one : other, leftEnds ? other : one, rightEnds, both);
  } else if (change.container.isIterator() && !leaveAsMany(one, other)) {
    both.isSpoilt = true;
    bool isKnown = llvm::none_of(other.elements, [](auto &item) { return item.isUndefined(); });
    other.isSpoilt = true;
    if (join.before && isKnown)
      join.before->contents.push_back(other);
  } else if (failed(joinSeen(join, one, other, left, right, both))) {
    return failure();
  }
  return both;
}

LogicalResult Changes::join(Join &join, const Exit &left, const Exit &right, Exit &exit, Journal &joined) {
  if (left.flow == Flow::Raise && right.flow == Flow::Raise)
    return success();
  Journal all = join.leftChanges;
  llvm::append_range(all, llvm::make_filter_range(join.rightChanges, [&](const Change &change) {
                       return !findChange(join.leftChanges, change.container);
                     }));
  for (const Change &change : all) {
    auto both = joinChange(join, change, left, right, exit);
    if (failed(both))
      return failure();
    if (run.state.areAttributes(change.container))
      made.keep(both->keys);
    joined.push_back(*both);
  }
  return success();
}

/// Says that the names that hold a container cannot be used where an exception that has ended a side is handled.
void Changes::hide(const AbstractValue &container, const Exit &ended, Exit &exit) const {
  for (auto &[name, value] : run.state.names)
    for (Thrown &thrown : exit.thrown)
      if (findThrown(ended.thrown, thrown) && value.reaches(container))
        thrown.hide(name, AbstractValue::getUndefined(
                              context(), "RuntimeError: '" + name.getValue() +
                                             "' has another size, or other keys, where the exception is raised than "
                                             "at the end of the 'try', so it cannot be used in a handler; make it "
                                             "before, and fill it behind the 'try'"));
}

LogicalResult Changes::apply(Journal &joined, ValueRange &results, AbstractValue::Containers &known) {
  for (Change &change : joined) {
    if (change.isSpoilt) {
      spoil(change.location, change.container);
      continue;
    }
    for (auto [element, isJoined] : llvm::zip(change.elements, change.isJoined))
      if (isJoined)
        element = element.withTensors(results, depth, known);
    if (change.passesKeys)
      change.keys = change.keys.withObjects(llvm::map_to_vector(
          change.keys.getObjects(), [&](const AbstractValue &key) { return key.withTensors(results, depth); }));
    if (failed(this->change(change.location, change.container, change.elements, change.keys)))
      return failure();
  }
  return success();
}

} // namespace plumb::specialize
