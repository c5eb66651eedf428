// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes that the program sets under conditions on tensors. Where only one side of a branch sets one, it is partial
// behind the branch: its value, and a boolean tensor that says whether it is set.
//
//   if x.sum() > 0:            %set, %seen = scf.if %c -> (tensor<i1>, tensor<f32>) { yield %true, %x }
//     net.seen = x      =>                   else { yield %false, %zero }
//
// Nothing in the program may read a partial attribute, with one exception: a functools.cached_property, which is
// computed where it is not set (Attributes.cpp). Behind the call the Python process sets the attribute if the boolean
// says so.
//
// An object that the run has made may have an attribute in Python alone, as a number that its constructor sets. The
// side that does not set it leaves that. What an object from outside has may be another one before the next call, so it
// is not read.

#include "compiler/specialize/run/SetAttributes.h"
#include "compiler/specialize/tensors/Reports.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace plumb::specialize {

void SetAttributes::note(Attribute key, Location location) {
  if (run.countConditions() > 0)
    conditional.insert_or_assign(key, location);
}

std::optional<Location> SetAttributes::findConditional(Attribute key) const {
  auto found = conditional.find(key);
  return found == conditional.end() ? std::nullopt : std::optional(found->second);
}

/// The value that an object which the run has made has in Python alone; undefined where it has none.
AbstractValue SetAttributes::findKept(Attribute key) const {
  auto parts = llvm::cast<ArrayAttr>(key);
  auto object = symbols.lookup<net::CellOp>(llvm::cast<FlatSymbolRefAttr>(parts[0]).getValue());
  if (!isLive() || !object || !object->hasAttr("made"))
    return AbstractValue();
  Result kept = live.ask(builder.getUnknownLoc(), "kept",
                         {{AbstractValue::getConstant(parts[0]), AbstractValue::getConstant(parts[1])}, {}});
  bool isKept = succeeded(kept) && kept->isSequence() && kept->getElements().size() == 1;
  return isKept ? kept->getElements().front() : AbstractValue();
}

void SetAttributes::align(Change &left, Change &right) {
  if (left.keys == right.keys)
    return;
  llvm::SetVector<Attribute> keys(left.keys.begin(), left.keys.end());
  keys.insert_range(right.keys);
  auto arrange = [&](Change &side) {
    auto values = getElementsByKey(side);
    side.elements.clear();
    for (Attribute key : keys) {
      auto found = values.find(key);
      side.elements.push_back(found == values.end() ? findKept(key) : found->second);
    }
    side.keys = builder.getArrayAttr(keys.getArrayRef());
  };
  arrange(left);
  arrange(right);
}

std::optional<AbstractValue> SetAttributes::join(Join &join, const AbstractValue &left, const AbstractValue &right,
                                                 Attribute key) {
  auto getFlag = [&](const AbstractValue &side) {
    return side.isPartial() ? side.getElements()[0] : makeBool(!side.isUndefined());
  };
  auto getValue = [](const AbstractValue &side) { return side.isPartial() ? side.getElements()[1] : side; };
  auto isSet = joins.join(join, getFlag(left), getFlag(right));
  AbstractValue one = getValue(left), other = getValue(right);
  std::optional<AbstractValue> value = one.isUndefined() ? other : one;
  if (!one.isUndefined() && !other.isUndefined())
    value = joins.join(join, one, other);
  else
    joins.pass(join, other.isUndefined(), *value);
  if (!isSet || !value)
    return std::nullopt;
  Location set = findConditional(key).value_or(join.location);
  auto name = llvm::cast<StringAttr>(llvm::cast<ArrayAttr>(key)[1]);
  return AbstractValue::getPartial(
      AbstractValue::getUndefined(
          context(),
          "the attribute '" + name.getValue() +
              "' may be missing here, or be an older one: it is set only on one side of a branch "
              "whose condition depends on a tensor; set it on both sides, or before the branch",
          {set, join.location}),
      *isSet, *value);
}

InFlightDiagnostic SetAttributes::refuseUse(Location location, const AbstractValue &partial) const {
  auto diagnostic = refuse(location) << partial.getWhy();
  static constexpr StringRef kWhat[] = {"it is set here", "this is the branch"};
  for (auto [note, what] : llvm::zip(partial.getNotes(), kWhat))
    diagnostic.attachNote(llvm::cast<LocationAttr>(note)) << what;
  return diagnostic;
}

} // namespace plumb::specialize
