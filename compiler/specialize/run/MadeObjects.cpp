// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects of the program's classes that a run makes, whose attributes are among those that the program sets.
//
//   if x.sum() > 0:            %s = scf.if %c -> (tensor<f32>) {
//     box = Box(x)      =>       scf.yield %x               box is one object behind the branch,
//   else:                      } else {                     with %s as its attribute
//     box = Box(-x)              scf.yield %negative }
//
// An object ends with the branch or loop that makes it, unless both sides of a branch have made one in its place: two
// of one class that differ by attributes alone which the program has set. Those are joined like the contents of dicts.
// Where one side alone goes on behind the branch, its objects do, too.

#include "compiler/specialize/run/MadeObjects.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;

namespace plumb::specialize {

static Attribute getOwner(Attribute key) { return llvm::cast<ArrayAttr>(key)[0]; }

Change MadeObjects::drop(Change &attributes, const Keys &kept, unsigned conditions) const {
  Change all = attributes, dropped = attributes;
  llvm::DenseSet<Attribute> others(kept.begin(), kept.end());
  SmallVector<Attribute> left, gone;
  attributes.elements.clear();
  dropped.elements.clear();
  for (auto [key, element] : llvm::zip(all.keys, all.elements)) {
    auto known = made.find(getOwner(key));
    bool ends = known != made.end() && known->second > conditions && !others.contains(key);
    (ends ? gone : left).push_back(key);
    (ends ? dropped : attributes).elements.push_back(element);
  }
  attributes.keys = builder.getArrayAttr(left);
  dropped.keys = builder.getArrayAttr(gone);
  return dropped;
}

bool MadeObjects::holdsEnding(const AbstractValue &value) const {
  auto method = value.getAs<net::MethodAttr>();
  Attribute object = method ? Attribute(method.getSelf()) : value.isConstant() ? value.getConstant() : Attribute();
  auto known = object ? made.find(object) : made.end();
  return (known != made.end() && known->second > run.countConditions()) ||
         llvm::any_of(value.getElements(), [&](const AbstractValue &part) { return holdsEnding(part); });
}

void MadeObjects::keep(const Keys &keys) {
  for (Attribute key : keys)
    if (auto known = made.find(getOwner(key)); known != made.end())
      known->second = std::min(known->second, run.countConditions());
}

void MadeObjects::noteReturned(const AbstractValue &inner, const AbstractValue &outer) {
  if (!run.state.areAttributes(outer))
    return;
  llvm::DenseSet<Attribute> owners; // An object that the caller has attributes of, the callee has not made.
  for (Attribute key : outer.getKeys())
    owners.insert(getOwner(key));
  for (Attribute key : inner.getKeys())
    if (auto known = made.find(getOwner(key)); known != made.end() && !owners.contains(getOwner(key)))
      known->second = run.countConditions();
}

/// Finds objects that both sides of a branch have made in the same places, and puts those of the left side into the
/// places of the others.
class MadeObjects::Unifier {
public:
  Unifier(MadeObjects &objects, Join &join)
      : objects(objects), left(findAttributes(join.leftChanges)), right(findAttributes(join.rightChanges)) {}

  void visit(const AbstractValue &one, const AbstractValue &other);
  bool hasFound() const { return !lefts.empty(); }
  AbstractValue replace(const AbstractValue &value) const;
  void replaceIn(Journal &changes);

private:
  Change *findAttributes(Journal &changes) const;
  using Attributes = llvm::MapVector<StringAttr, AbstractValue>;
  static Attributes getAttributes(const Change *changes, Attribute owner);
  bool isMade(Attribute object) const;
  bool areAlike(Attribute one, Attribute other) const;
  void order(Change &attributes) const;

  MadeObjects &objects;
  Change *left, *right;                       ///< What the sides have set; null where they have not.
  llvm::DenseMap<Attribute, Attribute> lefts; ///< Objects of the left side by those of the right one.
};

Change *MadeObjects::Unifier::findAttributes(Journal &changes) const {
  const State &state = objects.run.state;
  auto *found = llvm::find_if(changes, [&](Change &change) { return state.areAttributes(change.container); });
  return found == changes.end() ? nullptr : found;
}

MadeObjects::Unifier::Attributes MadeObjects::Unifier::getAttributes(const Change *changes, Attribute owner) {
  Attributes found;
  for (auto [key, value] : llvm::zip(changes->keys, changes->elements))
    if (getOwner(key) == owner)
      found[llvm::cast<StringAttr>(llvm::cast<ArrayAttr>(key)[1])] = value;
  return found;
}

/// Whether an object was made on a side of the branch.
bool MadeObjects::Unifier::isMade(Attribute object) const {
  auto known = objects.made.find(object);
  return known != objects.made.end() && known->second > objects.run.countConditions();
}

/// Whether two objects are of one class and have the same attributes, and the same values of those that Python keeps.
bool MadeObjects::Unifier::areAlike(Attribute one, Attribute other) const {
  auto ours = getAttributes(left, one), theirs = getAttributes(right, other);
  SmallVector<AbstractValue> names;
  for (auto &[name, value] : ours) {
    if (!theirs.count(name))
      return false;
    names.push_back(AbstractValue::getConstant(name));
  }
  if (ours.size() != theirs.size() || !getAttributes(right, one).empty())
    return false;
  Result alike = objects.live.ask(
      objects.builder.getUnknownLoc(), "alike",
      {{AbstractValue::getConstant(one), AbstractValue::getConstant(other), AbstractValue::getTuple(names)}, {}});
  return succeeded(alike) && getInteger(*alike) == 1;
}

void MadeObjects::Unifier::visit(const AbstractValue &one, const AbstractValue &other) {
  if (!left || !right || one.getKind() != other.getKind())
    return;
  Attribute ours = one.getConstant(), theirs = other.getConstant();
  if (one.isConstant() && ours != theirs && isMade(ours) && isMade(theirs)) {
    bool isTaken = lefts.contains(theirs) || llvm::any_of(lefts, [&](auto &pair) { return pair.second == ours; });
    if (isTaken || !areAlike(ours, theirs))
      return;
    lefts[theirs] = ours;
    auto attributes = getAttributes(right, theirs);
    for (auto &[name, value] : getAttributes(left, ours))
      visit(value, attributes[name]);
  }
  bool isContainer = one.isSequence() || one.isDictionary();
  if (isContainer && one.getElements().size() == other.getElements().size() && one.getIdentity() != other.getIdentity())
    for (auto [part, counterpart] : llvm::zip(one.getElements(), other.getElements()))
      visit(part, counterpart);
}

AbstractValue MadeObjects::Unifier::replace(const AbstractValue &value) const {
  if (value.isConstant()) {
    auto found = lefts.find(value.getConstant());
    return found == lefts.end() ? value : AbstractValue::getConstant(found->second);
  }
  if ((!value.isSequence() && !value.isDictionary()) || value.isOutside(objects.depth))
    return value;
  auto parts = llvm::map_to_vector(value.getElements(), [&](const AbstractValue &part) { return replace(part); });
  bool isSame = llvm::all_of(llvm::zip(parts, value.getElements()),
                             [](auto pair) { return isIdentical(std::get<0>(pair), std::get<1>(pair)); });
  return isSame ? value : value.withElements(parts);
}

/// Gives the attributes of the right side the order that the left one has.
void MadeObjects::Unifier::order(Change &attributes) const {
  auto values = getElementsByKey(attributes);
  llvm::SetVector<Attribute> keys;
  keys.insert_range(llvm::make_filter_range(left->keys, [&](Attribute key) { return values.contains(key); }));
  keys.insert_range(attributes.keys);
  auto elements = llvm::map_to_vector(keys, [&](Attribute key) { return values.find(key)->second; });
  attributes.keys = objects.builder.getArrayAttr(keys.getArrayRef());
  attributes.elements = std::move(elements);
}

void MadeObjects::Unifier::replaceIn(Journal &changes) {
  for (Change &change : changes)
    for (AbstractValue &element : change.elements)
      element = replace(element);
  auto keys = llvm::map_to_vector(right->keys, [&](Attribute key) -> Attribute {
    auto found = lefts.find(getOwner(key));
    return found == lefts.end() ? key : objects.builder.getArrayAttr({found->second, llvm::cast<ArrayAttr>(key)[1]});
  });
  right->keys = objects.builder.getArrayAttr(keys);
  order(*right);
}

void MadeObjects::unify(Join &join, Exit &left, Exit &right, State &leftState, State &rightState) {
  if (!isLive())
    return;
  Unifier unifier(*this, join);
  unifier.visit(left.value, right.value);
  SmallVector<StringAttr> names(llvm::make_first_range(leftState.names));
  llvm::sort(names, [](StringAttr a, StringAttr b) { return a.getValue() < b.getValue(); });
  for (StringAttr name : names)
    if (auto other = rightState.names.find(name); other != rightState.names.end())
      unifier.visit(leftState.names[name], other->second);
  for (const Change &change : join.leftChanges)
    if (const Change *other = findChange(join.rightChanges, change.container))
      unifier.visit(AbstractValue::getTuple(change.elements), AbstractValue::getTuple(other->elements));
  if (!unifier.hasFound())
    return;
  right.value = unifier.replace(right.value);
  for (auto &[name, value] : rightState.names)
    value = unifier.replace(value);
  unifier.replaceIn(join.rightChanges);
}

} // namespace plumb::specialize
