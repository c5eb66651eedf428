// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a loop on a tensor carries: the names that it assigns, and the contents of the lists, dicts, attributes and
// names of outer functions that it changes.
//
//   sums = [x, y]                     %s:2 = scf.while (%a = %x, %b = %y) { … condition(%goes_on) %a, %b }
//   while sums[0].sum() < 10:    =>   do (%a, %b) { %a1 = net.add %a, … ; yield %a1, %b }
//       sums[0] = sums[0] + 1         sums is the same list behind the loop, and holds %s#0, %s#1
//
// Which containers a loop changes is only known once its body was interpreted: an attempt to write the loop finds them,
// and the next one carries them. A container from outside of the loop stays the object that it is, inside of others and
// under all its names. Where an iteration puts another one in its place, that place is carried by what it holds, as a
// container that cannot be changed; a loop that does both to one container is refused. Sizes and keys stay.
//
// Of the names only those are carried that an iteration, or what is behind the loop, may read as they were before it
// (LiveNames.h); the others are local to an iteration.
//
// The condition may change names and containers as well (`while (y := f(x)) > 0`): it passes on what it leaves. A name
// that it makes is carried from zeros, which are never read.

#include "compiler/specialize/run/LoopState.h"
#include "compiler/specialize/run/Joins.h"
#include "compiler/specialize/tensors/Reports.h"
#include "compiler/specialize/tensors/WeakTypes.h"
#include "dialects/net/ir/Folding.h"
#include "dialects/net/ir/NetConstantOps.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace plumb::specialize {

static llvm::SetVector<StringAttr> getAssignedNames(Operation *loop) {
  llvm::SetVector<StringAttr> names;
  loop->walk([&](Operation *op) {
    if (auto store = dyn_cast<net::PythonStoreOp>(op))
      names.insert(store.getNameAttr());
    if (auto inner = dyn_cast<net::PythonForOp>(op))
      names.insert(inner.getTargetAttr());
  });
  return names;
}

LoopState::LoopState(Workspace &workspace, Run &run, TensorWriter &writer, MadeObjects &made, Changes &changes,
                     const LiveNames &liveNames, net::PythonWhileOp op)
    : Part(workspace), run(run), writer(writer), made(made), changes(changes), op(op), outer(depth) {
  for (StringAttr name : getAssignedNames(op)) {
    // Temporaries of the front end never live from one statement to the next.
    bool temporary = name.getValue().starts_with("$");
    auto known = run.state.names.find(name);
    bool hasValue = known != run.state.names.end() && !known->second.isUndefined();
    if (hasValue && !temporary && liveNames.isCarried(op, name)) {
      slots.push_back(Slot{name, {}, findStore(op, op.getBody(), name)});
      continue;
    }
    locals.push_back(name);
    if (hasValue && !temporary)
      endLocal(name);
  }
}

/// A name that only iterations know has no value elsewhere.
void LoopState::endLocal(StringAttr name) {
  run.state.names[name] = AbstractValue::getUndefined(
      context(),
      "'" + name.getValue() + "' may be undefined here: it is assigned only inside a loop that may run no iteration",
      findStore(op, op.getBody(), name));
}

/// A name's value, or what a container holds.
AbstractValue LoopState::getNow(const Slot &slot) const {
  return slot.name ? run.state.names[slot.name] : AbstractValue::getTuple(slot.container.getElements());
}

/// Marks new containers as such of which a tensor decides which objects they are.
static void markChosen(const AbstractValue &value) {
  if (value.isContainer())
    value.markChosen();
  if (value.isSequence() || value.isContainer())
    llvm::for_each(value.getParts(), markChosen);
}

/// The same structure, of containers that nothing else holds and nothing changes; which objects they are, a tensor
/// decides.
static AbstractValue copy(const AbstractValue &value) {
  SmallVector<Value> tensors = value.getTensors();
  ValueRange range(tensors);
  AbstractValue made = value.withTensors(range);
  markChosen(made);
  return made;
}

/// The same structure with zeros for its tensors.
static AbstractValue getZeros(OpBuilder &builder, Location location, const AbstractValue &value) {
  SmallVector<Value> zeros;
  value.walkTensors([&](Value tensor) {
    auto type = llvm::cast<RankedTensorType>(tensor.getType());
    zeros.push_back(net::ConstantOp::create(builder, location, net::splatOf(type, 0)));
  });
  ValueRange range(zeros);
  return value.withTensors(range);
}

/// Whether the loop changes a container and puts another one in its place.
bool LoopState::isTorn(const Slot &slot) const {
  return slot.isCopied &&
         llvm::any_of(slots, [&](const Slot &other) { return !other.name && getNow(slot).reaches(other.container); });
}

LogicalResult LoopState::start(SmallVectorImpl<Value> &operands) {
  again = false;
  culprit = std::nullopt;
  replacing.clear();
  for (Slot &slot : slots) {
    if (isTorn(slot))
      return refuse(slot.location)
             << "RuntimeError: a loop whose end depends on a tensor cannot both change a list or dict and put another "
             << "one in its place; change it in place, or make a new one in every iteration";
    if (slot.container.isIterator())
      continue;
    AbstractValue now = slot.made.isUndefined() ? getNow(slot) : getZeros(builder, op.getLoc(), slot.made);
    if (slot.isCopied != std::exchange(slot.wasCopied, slot.isCopied)) {
      // Leaves inside of copies count, too: all have other positions now.
      slot.widened.clear();
      slot.remade.clear();
    }
    unsigned leaf = 0;
    auto value = widen(slot, slot.isCopied ? copy(now) : now, leaf);
    if (failed(value))
      return failure();
    slot.start = *value;
    slot.keys = slot.container.isDictionary() ? slot.container.getKeys() : Keys();
    value->walkTensors(outer, [&](Value tensor) { operands.push_back(tensor); });
  }
  return success();
}

/// The value with those of its leaves made tensors that change: numbers of an element type, and tensors of a tensor's
/// type for the others.
FailureOr<AbstractValue> LoopState::widen(const Slot &slot, const AbstractValue &value, unsigned &leaf) {
  if (value.isOutside(outer))
    return value;
  if (value.isSequence() || value.isDictionary()) {
    SmallVector<AbstractValue> elements;
    for (const AbstractValue &element : value.getElements()) {
      auto wide = widen(slot, element, leaf);
      if (failed(wide))
        return failure();
      elements.push_back(*wide);
    }
    return value.withElements(elements);
  }
  auto found = slot.widened.find(++leaf);
  if (found == slot.widened.end())
    return slot.remade.contains(leaf) && value.getObjectNumber() ? value.withElements(value.getElements()).setOrigin(0)
                                                                 : value;
  auto type = dyn_cast_or_null<RankedTensorType>(found->second);
  auto tensor = writer.toTensor(op.getLoc(), value, type ? type.getElementType() : found->second);
  if (failed(tensor))
    return failure();
  if (!type || !isWeak(*tensor))
    return AbstractValue::getTensor(*tensor);
  return writer.emit(op.getLoc(), "cast", *tensor, builder.getNamedAttr("dtype", TypeAttr::get(type.getElementType())));
}

void LoopState::bind(ValueRange arguments) {
  for (const Slot &slot : slots) {
    if (slot.container.isIterator()) {
      changes.spoil(slot.location, slot.container);
      continue;
    }
    AbstractValue value = slot.start.withTensors(arguments, outer);
    if (slot.name) {
      run.state.names[slot.name] = value;
      continue;
    }
    changes.remember(slot.location, slot.container);
    slot.container.setElements(value.getElements(), slot.keys);
  }
}

bool LoopState::fail(const Slot &slot, const AbstractValue &start, const AbstractValue &end) {
  culprit = slot.location;
  isSized = false;
  mismatch = "TypeError: Type Join Failed: " +
             (slot.name ? "'" + slot.name.getValue().str() + "'" : "what this loop changes") + " is " +
             describeBeside(start, end, true) + " before this loop and " + describeBeside(end, start, false) +
             " after an iteration; a loop whose condition depends on a tensor needs fixed types";
  if (isNone(start) || isNone(end))
    mismatch += ": give it a tensor of that type before the loop, with a flag that says whether it is meant";
  if (isForeign(start) && isForeign(end))
    mismatch += ": set the attributes of the one object instead of making another";
  return false;
}

bool LoopState::failForm(const Slot &slot, const Twine &what) {
  culprit = slot.location;
  isSized = true;
  mismatch =
      (StringRef(slot.container.isList()  ? "a list"
                 : slot.container.isSet() ? "a set"
                                          : "a dict") +
       " has " + what +
       " after an iteration of a loop whose end depends on a tensor; it must keep its size and keys: fill one of "
       "that size, store into a tensor, or give the loop a number of iterations that is known while compiling")
          .str();
  return false;
}

/// An attribute that iterations set first is one that the loop carries, once the first iteration is written before it.
bool LoopState::failFirstSet(const Slot &slot) {
  culprit = slot.location;
  isSized = false;
  for (Attribute key : slot.container.getKeys())
    if (!llvm::is_contained(slot.keys, key))
      mismatch = ("RuntimeError: the attribute '" + llvm::cast<StringAttr>(llvm::cast<ArrayAttr>(key)[1]).getValue() +
                  "' is set for the first time in a loop whose end depends on a tensor; set it before the loop")
                     .str();
  return false;
}

/// Whether a container has the size and the keys that it had; a set's elements are such, too.
bool LoopState::keepsForm(const Slot &slot) {
  if (run.state.areAttributes(slot.container) && slot.container.getKeys() != slot.keys)
    return failFirstSet(slot);
  ArrayRef<AbstractValue> before = slot.start.getElements(), now = slot.container.getElements();
  if (now.size() != before.size())
    return failForm(slot, Twine(now.size()) + " elements instead of " + Twine(before.size()));
  bool isOther = slot.container.isDictionary() && slot.container.getKeys() != slot.keys;
  if (isOther || (slot.container.isSet() && !llvm::equal(before, now, isIdentical)))
    return failForm(slot, isOther ? "other keys" : "other elements");
  return true;
}

/// The attributes of objects that an iteration makes end with it.
void LoopState::dropMade(const Slot &slot) {
  Change now{slot.location, slot.container, SmallVector<AbstractValue>(slot.container.getElements()),
             slot.container.getKeys()};
  made.drop(now, slot.keys, run.countConditions() - 1);
  slot.container.setElements(now.elements, now.keys);
}

FailureOr<bool> LoopState::yield(SmallVectorImpl<Value> &yields) {
  for (Slot &slot : slots) {
    if (slot.container.isIterator())
      continue;
    if (slot.container.isDictionary() && run.state.areAttributes(slot.container))
      dropMade(slot);
    if (!slot.name && !keepsForm(slot))
      return false;
    unsigned leaf = 0;
    auto fits = carry(slot, slot.start, getNow(slot), leaf, yields);
    if (failed(fits) || !*fits)
      return fits;
  }
  return true;
}

/// Compares what a slot holds with what an iteration begins with, and enters the tensors to hand to the next one. True
/// in `again` requires another attempt, with a leaf made a tensor. False if no attempt can succeed.
FailureOr<bool> LoopState::carry(Slot &slot, const AbstractValue &start, const AbstractValue &end, unsigned &leaf,
                                 SmallVectorImpl<Value> &yields) {
  if (start.isOutside(outer))
    return carryContainer(slot, start, end);
  if (!start.isSequence() && !start.isDictionary()) {
    ++leaf;
    if (start.isTensor())
      return carryTensor(slot, start, end, leaf, yields);
    auto number = start.getObjectNumber(), other = end.getObjectNumber();
    if (number.value_or(0) && other && number != other)
      again |= slot.remade.insert(leaf).second;
    return start.isConstant() ? carryConstant(slot, start, end, leaf) : carryFixed(slot, start, end, yields);
  }
  if (start.getKind() != end.getKind() || start.getElements().size() != end.getElements().size() ||
      start.getConstant() != end.getConstant())
    return fail(slot, start, end);
  if (end.isOutside(outer))
    replacing.push_back(end);
  for (auto [one, other] : llvm::zip(start.getElements(), end.getElements())) {
    auto fits = carry(slot, one, other, leaf, yields);
    if (failed(fits) || !*fits)
      return fits;
  }
  return llvm::all_of(llvm::zip(start.getKeyObjects(), end.getKeyObjects()),
                      [&](auto pair) { return carryFixed(slot, std::get<0>(pair), std::get<1>(pair), yields); });
}

/// A container from outside of the loop stays where it is, or what stands there is carried by what it holds.
bool LoopState::carryContainer(Slot &slot, const AbstractValue &start, const AbstractValue &end) {
  if (start.getIdentity() != end.getIdentity())
    slot.isCopied = again = true;
  return true;
}

FailureOr<bool> LoopState::carryTensor(Slot &slot, const AbstractValue &start, const AbstractValue &end, unsigned leaf,
                                       SmallVectorImpl<Value> &yields) {
  auto number = getNumber(end);
  auto type = start.getTensorType();
  if (number ? !canBeElement(*number, type.getElementType()) : !isTensorLike(end))
    return fail(slot, start, end);
  auto tensor = writer.toTensor(op.getLoc(), end, type.getElementType());
  if (failed(tensor))
    return failure();
  if (tensor->getType() != type)
    return fail(slot, start, end);
  if (start.isWeak() && !isWeak(*tensor)) {
    slot.widened[leaf] = type;
    again = true;
  }
  yields.push_back(*tensor);
  return true;
}

bool LoopState::carryConstant(Slot &slot, const AbstractValue &start, const AbstractValue &end, unsigned leaf) {
  if (end.isConstant() && end.getConstant() == start.getConstant())
    return true;
  auto number = getNumber(start);
  RankedTensorType type = getTypeOf(end);
  bool fits = !number || !type || (type.getRank() == 0 && canBeElement(*number, type.getElementType()));
  if ((!number && !start.getTensorType()) || !fits)
    return fail(slot, start, end);
  Type wanted = number && type ? type.getElementType() : Type();
  slot.widened[leaf] = wanted && end.isTensor() && !end.isWeak() ? Type(type) : wanted;
  again = true;
  return true;
}

/// Functions, views and the like: of what they hold only tensors may change.
bool LoopState::carryFixed(Slot &slot, const AbstractValue &start, const AbstractValue &end,
                           SmallVectorImpl<Value> &yields) {
  if (start.isOutside(outer))
    return carryContainer(slot, start, end);
  if (start.isTensor() && end.isTensor() && start.getTensorType() == end.getTensorType() &&
      start.isWeak() == end.isWeak()) {
    yields.push_back(end.getTensor());
    return true;
  }
  if (start.isTensor() || start.getKind() != end.getKind() || start.getConstant() != end.getConstant() ||
      start.getElements().size() != end.getElements().size())
    return fail(slot, start, end);
  return llvm::all_of(llvm::zip(start.getElements(), end.getElements()),
                      [&](auto pair) { return carryFixed(slot, std::get<0>(pair), std::get<1>(pair), yields); });
}

bool LoopState::addMade() {
  size_t before = slots.size();
  op.getConditionRegion().walk([&](net::PythonStoreOp store) {
    auto *local = llvm::find(locals, store.getNameAttr());
    auto known = run.state.names.find(store.getNameAttr());
    if (local == locals.end() || store.getName().starts_with("$") || known == run.state.names.end() ||
        known->second.isUndefined())
      return;
    slots.push_back(Slot{store.getNameAttr(), {}, store.getLoc(), makePlaceholders(known->second)});
    locals.erase(local);
  });
  return slots.size() > before;
}

AbstractValue LoopState::makePlaceholders(const AbstractValue &value) {
  SmallVector<Value> arguments;
  value.walkTensors(
      [&](Value tensor) { arguments.push_back(placeholders.addArgument(tensor.getType(), op.getLoc())); });
  ValueRange tensors = arguments;
  return value.withTensors(tensors);
}

bool LoopState::addChanged(const Journal &left) {
  size_t known = slots.size();
  for (const Change &change : left)
    if (llvm::none_of(slots, [&](const Slot &slot) {
          return !slot.name && slot.container.getIdentity() == change.container.getIdentity();
        }))
      slots.push_back(Slot{StringAttr(), change.container, change.location});
  return slots.size() > known;
}

/// Behind a loop that puts other containers in the place of one, these cannot be changed: a tensor has decided which of
/// them it was.
void LoopState::freeze(const AbstractValue &value) {
  if (value.isOutside(outer))
    value.growableAt(~0u);
  for (const AbstractValue &element : value.getElements())
    if (value.isSequence() || value.isContainer())
      freeze(element);
}

LogicalResult LoopState::finish(ValueRange results) {
  for (const Slot &slot : slots) {
    if (slot.container.isIterator()) {
      changes.spoil(slot.location, slot.container);
      continue;
    }
    AbstractValue value = slot.start.withTensors(results, outer);
    if (slot.isCopied)
      freeze(getNow(slot));
    if (slot.name)
      run.state.names[slot.name] = value;
    else if (failed(changes.change(slot.location, slot.container, value.getElements(), slot.keys)))
      return failure();
  }
  for (const AbstractValue &container : replacing)
    freeze(container);
  for (StringAttr name : locals)
    endLocal(name);
  return success();
}

LogicalResult LoopState::failMismatch(Location location) const {
  if (isSized)
    return refuse(*culprit) << "RuntimeError: " << mismatch;
  if (!culprit)
    return refuse(location)
           << "TypeError: Type Join Failed: what this loop returns changes its type from one `return` to another";
  auto diagnostic = refuse(location) << mismatch;
  diagnostic.attachNote(*culprit) << "assigned here";
  return diagnostic;
}

} // namespace plumb::specialize
