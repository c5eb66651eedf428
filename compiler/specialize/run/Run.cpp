// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/specialize/run/Run.h"

using namespace mlir;

namespace plumb::specialize {

const AbstractValue &State::get(Value value) const {
  auto known = values.find(value);
  assert(known != values.end() && "operands are evaluated before users");
  return known->second;
}

const AbstractValue &State::getKept(Value value) const {
  auto view = views.find(value);
  return view == views.end() ? get(value) : view->second;
}

SmallVector<AbstractValue> State::getAllKept(ValueRange values) const {
  SmallVector<AbstractValue> all;
  for (Value value : values)
    all.push_back(getKept(value));
  return all;
}

AbstractValue State::findView(Value value) const {
  auto view = views.find(value);
  return view == views.end() ? AbstractValue() : view->second;
}

void State::enter(Value value, const AbstractValue &yielded) {
  if (yielded.isView())
    views[value] = yielded;
  else if (!views.empty())
    views.erase(value);
  values[value] = yielded.isView() ? getShown(yielded) : yielded;
}

AbstractValue getShown(const AbstractValue &view) {
  const AbstractValue &dictionary = view.getElements()[0];
  StringRef name = llvm::cast<StringAttr>(view.getConstant()).getValue();
  SmallVector<AbstractValue> shown;
  for (auto [first, value] : llvm::zip(dictionary.getKeyValues(), dictionary.getElements())) {
    shown.push_back(name == "keys" ? first : name == "values" ? value : AbstractValue::getTuple({first, value}));
  }
  return AbstractValue::getTuple(shown);
}

} // namespace plumb::specialize
