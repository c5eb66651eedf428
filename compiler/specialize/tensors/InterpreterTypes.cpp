// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/specialize/tensors/InterpreterTypes.h"

#include "dialects/net/ir/NetBase.h"

using namespace mlir;

namespace plumb::specialize {

const AbstractValue *Arguments::find(unsigned index, StringRef name) const {
  if (index < positional.size())
    return &positional[index];
  for (auto &[keyword, value] : keywords)
    if (keyword == name)
      return &value;
  return nullptr;
}

bool isNone(const AbstractValue &value) { return static_cast<bool>(value.getAs<net::NoneAttr>()); }

bool isKnown(const AbstractValue &value) {
  bool known = true;
  AbstractValue::Containers seen; // a function may see the list that holds it
  value.walkTensors(seen, [&](Value) { known = false; });
  return known;
}

bool isKnown(const Arguments &arguments) {
  return llvm::all_of(arguments.positional, [](auto &value) { return isKnown(value); }) &&
         llvm::all_of(arguments.keywords, [](auto &entry) { return isKnown(entry.second); });
}

bool areEqual(const AbstractValue &left, const AbstractValue &right) {
  if (left.getOrigin() && right.getOrigin())
    return left.getOrigin() == right.getOrigin();
  if (left.isConstant() && right.isConstant()) {
    if (left.getConstant() == right.getConstant())
      return true; // One object is equal to itself where containers compare, also if it is NaN.
    auto one = getNumber(left.getConstant());
    auto other = getNumber(right.getConstant());
    if (one && other)
      return areEqualNumbers(*one, *other);
    return left.getConstant() == right.getConstant();
  }
  auto ones = left.getElements(), others = right.getElements();
  if (left.isSet() && right.isSet())
    return ones.size() == others.size() && llvm::all_of(ones, [&](const AbstractValue &one) {
             return llvm::any_of(others, [&](const AbstractValue &other) { return areEqual(one, other); });
           });
  if (!left.isSequence() || !right.isSequence() || left.isList() != right.isList())
    return isIdentical(left, right);
  return ones.size() == others.size() && llvm::all_of(llvm::zip(ones, others), [&](auto pair) {
           return areEqual(std::get<0>(pair), std::get<1>(pair));
         });
}

std::string escapeBraces(StringRef text) {
  std::string escaped;
  for (char letter : text)
    escaped += letter == '{' || letter == '}' ? std::string(2, letter) : std::string(1, letter);
  return escaped;
}

Result toResult(FailureOr<Value> tensor) {
  return failed(tensor) ? Result(failure()) : Result(AbstractValue::getTensor(*tensor));
}

/// The exit of what raises an exception in any case.
static Exit makeThrow(const Thrown &thrown) {
  Exit exit{Flow::Throw, thrown.where};
  exit.thrown = {thrown};
  exit.thrown.front().taken = AbstractValue();
  return exit;
}

bool Thrown::isLike(const Thrown &other) const {
  if (where != other.where || format != other.format)
    return false;
  SmallVector<Value> own = values.getTensors(), others = other.values.getTensors();
  return llvm::equal(ValueRange(own).getTypes(), ValueRange(others).getTypes());
}

void Thrown::hide(StringAttr name, const AbstractValue &why) {
  if (llvm::none_of(unset, [&](const auto &entry) { return entry.first == name; }))
    unset.emplace_back(name, why);
}

const Thrown *findThrown(ArrayRef<Thrown> among, const Thrown &wanted) {
  const auto *found = llvm::find_if(among, [&](const Thrown &thrown) { return thrown.isLike(wanted); });
  return found == among.end() ? nullptr : found;
}

bool mayReturn(const Exit &exit) {
  return exit.flow == Flow::Return || (exit.flow == Flow::Mixed && exit.getTaken(Flow::Return));
}

bool mayStay(const Exit &exit) {
  if (exit.flow == Flow::Mixed)
    return exit.mayGoOn || exit.getTaken(Flow::Break) || exit.getTaken(Flow::Continue);
  return exit.flow == Flow::Next || exit.flow == Flow::Break || exit.flow == Flow::Continue;
}

Exit simplify(Exit exit) {
  if (exit.flow != Flow::Mixed)
    return exit;
  SmallVector<Flow> left;
  for (Flow way : {Flow::Break, Flow::Continue, Flow::Return})
    if (exit.getTaken(way))
      left.push_back(way);
  if (left.empty() && exit.thrown.empty())
    return Exit{Flow::Next, exit.where};
  if (left.size() + exit.thrown.size() > 1 || exit.mayGoOn)
    return exit;
  if (left.empty())
    return makeThrow(exit.thrown.front());
  return Exit{left.front(), exit.where, exit.value};
}

} // namespace plumb::specialize
