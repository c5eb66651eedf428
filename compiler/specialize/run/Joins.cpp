// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Branches on tensors. Both arms are interpreted, each into a region of an
// scf.if; where they meet again, names that differ are joined: tensors of one
// type become results of the scf.if, numbers become tensors first, and what
// cannot be joined is an error as soon as somebody uses it.
//
//   if x.sum() > 0:          %c = tensor.extract %positive[] : tensor<i1>
//     y = x + 1              %y = scf.if %c -> (tensor<4xf32>) {
//   else:             =>       %0 = net.add %x, %one …   scf.yield %0
//     y = x * 2              } else {
//   return y                   %1 = net.mul %x, %two …   scf.yield %1 }

#include "compiler/specialize/run/Joins.h"
#include "compiler/specialize/tensors/WeakTypes.h"

#include "dialects/net/ir/Folding.h"
#include "dialects/net/ir/NetConstantOps.h"
#include "dialects/net/ir/NetPythonOps.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace plumb::specialize {

Location findStore(Operation *op, Region &region, StringAttr name) {
  Location found = op->getLoc();
  region.walk([&](net::PythonStoreOp store) {
    if (store.getNameAttr() == name)
      found = store.getLoc();
  });
  return found;
}

/// Where the program's branch assigns `name` on its one side, and on the other.
static Location findLeftStore(const Join &join, StringAttr name) {
  auto op = llvm::dyn_cast_or_null<net::PythonIfOp>(join.source);
  return op ? findStore(op, op.getThenRegion(), name) : join.location;
}

static Location findRightStore(const Join &join, StringAttr name) {
  auto op = llvm::dyn_cast_or_null<net::PythonIfOp>(join.source);
  return op ? findStore(op, op.getElseRegion(), name) : join.location;
}

std::optional<Value> Joins::makeJoinable(Location location, Block *block, const AbstractValue &value,
                                         Type elementType) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(block);
  auto tensor = writer.toTensor(location, value, elementType);
  if (failed(tensor))
    return std::nullopt;
  return *tensor;
}

/// Joins two leaves that are tensors or can become tensors.
std::optional<AbstractValue> Joins::joinTensors(Join &join, const AbstractValue &left, const AbstractValue &right) {
  auto canBeTensor = [&](const AbstractValue &value) {
    return isTensorLike(value) || (value.isConstant() && getNumber(value.getConstant()));
  };
  if (!canBeTensor(left) || !canBeTensor(right))
    return std::nullopt;
  RankedTensorType leftType = getTypeOf(left), rightType = getTypeOf(right);
  Type element = leftType ? leftType.getElementType() : rightType ? rightType.getElementType() : Type();
  if (!element) {
    auto one = *getNumber(left.getConstant());
    auto other = *getNumber(right.getConstant());
    element = getDefaultElementType(context(), std::max(one.kind, other.kind));
  }
  if ((leftType && rightType && leftType != rightType) || (leftType && !rightType && leftType.getRank() != 0) ||
      (rightType && !leftType && rightType.getRank() != 0))
    return std::nullopt;
  for (const AbstractValue *side : {&left, &right})
    if (auto number = getNumber(*side); number && !canBeElement(*number, element))
      return std::nullopt;
  auto one = makeJoinable(join.location, join.leftBlock, left, element);
  auto other = makeJoinable(join.location, join.rightBlock, right, element);
  if (!one || !other || one->getType() != other->getType())
    return std::nullopt;
  join.left.push_back(*one);
  join.right.push_back(*other);
  return AbstractValue::getTensor(*one);
}

/// The functions that a value may be.
static ArrayRef<AbstractValue> getFunctions(const AbstractValue &value) {
  bool isChoice = value.getKind() == AbstractValue::Kind::Choice;
  return isChoice ? value.getElements().drop_front() : ArrayRef(value);
}

/// Joins two functions or cells: a choice among them, of which each side yields the number, and what only its own
/// functions hold.
std::optional<AbstractValue> Joins::joinCallables(Join &join, const AbstractValue &left, const AbstractValue &right) {
  bool leftChooses = left.getKind() == AbstractValue::Kind::Choice;
  bool rightChooses = right.getKind() == AbstractValue::Kind::Choice;
  if (!isCallable(left) || !isCallable(right) || (leftChooses && rightChooses))
    return std::nullopt;
  const AbstractValue &first = rightChooses ? right : left, &last = rightChooses ? left : right;
  AbstractValue number = leftChooses || rightChooses ? first.getElements().front() : integer(0);
  AbstractValue further = integer(getFunctions(first).size());
  auto joined = rightChooses ? joinTensors(join, further, number) : joinTensors(join, number, further);
  if (!joined)
    return std::nullopt;
  SmallVector<AbstractValue> choice = {*joined};
  for (const AbstractValue *side : {&first, &last})
    for (const AbstractValue &function : getFunctions(*side)) {
      pass(join, side == &left, function);
      choice.push_back(function);
    }
  return AbstractValue::getChoice(choice);
}

/// Whether a tensor was computed before the branch.
static bool isFromBefore(const Join &join, Value tensor) {
  return !join.leftBlock->getParentOp()->isAncestor(tensor.getParentBlock()->getParentOp());
}

void Joins::pass(Join &join, bool isLeft, const AbstractValue &value) {
  value.walkTensors(depth, [&](Value tensor) {
    if (isFromBefore(join, tensor)) {
      join.left.push_back(tensor);
      join.right.push_back(tensor);
      return;
    }
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(isLeft ? join.rightBlock : join.leftBlock);
    auto type = llvm::cast<RankedTensorType>(tensor.getType());
    Value zero = net::ConstantOp::create(builder, join.location, net::splatOf(type, 0));
    (isLeft ? join.left : join.right).push_back(tensor);
    (isLeft ? join.right : join.left).push_back(zero);
  });
}

/// A value as a side of the branch leaves it: containers hold again what they held before.
static AbstractValue asLeft(ArrayRef<Change> changes, const AbstractValue &value) {
  const Change *change = value.isContainer() ? findChange(changes, value) : nullptr;
  if (!change)
    return value;
  AbstractValue left = value.withElements(change->elements);
  left.setElements(change->elements, change->keys);
  return left;
}

std::optional<AbstractValue> Joins::join(Join &join, const AbstractValue &left, const AbstractValue &right) {
  if (!left.isTensor() && isSame(left, right)) {
    // Tensors inside, if any, come from before the branch; they are passed
    // through so that every leaf has its place among the results.
    left.walkTensors(depth, [&](Value tensor) {
      join.left.push_back(tensor);
      join.right.push_back(tensor);
    });
    return left;
  }
  if (left.isUndefined() || right.isUndefined())
    return std::nullopt;
  if (auto tensor = joinTensors(join, left, right))
    return tensor;
  AbstractValue one = asLeft(join.leftChanges, left), other = asLeft(join.rightChanges, right);
  bool sameShape = one.getKind() == other.getKind() && one.getConstant() == other.getConstant() &&
                   one.getElements().size() == other.getElements().size();
  bool areInner = left.getObjectNumber() && right.getObjectNumber();
  if (!sameShape || (left.isConstant() && !areInner) || left.isTensor())
    return joinCallables(join, left, right);
  SmallVector<AbstractValue> elements;
  for (auto [part, beside] : llvm::zip(one.getElements(), other.getElements())) {
    auto element = this->join(join, part, beside);
    if (!element)
      return std::nullopt;
    elements.push_back(*element);
  }
  for (const AbstractValue *side : {&left, &right})
    if (side->isOutside(depth))
      join.copied.push_back(*side);
  AbstractValue joined = one.withElements(elements);
  for (const AbstractValue &key : one.getKeyObjects()) // They are those of both sides.
    pass(join, /*isLeft=*/true, key);
  if (joined.isContainer())
    joined.markChosen();
  return areInner && left.getObjectNumber() != right.getObjectNumber() ? joined.setOrigin(0) : joined;
}

/// Where parts of two structures differ in what can be no tensor, or one of another type: these parts.
static std::pair<AbstractValue, AbstractValue> findDifference(const AbstractValue &left, const AbstractValue &right) {
  auto ones = left.getElements(), others = right.getElements();
  if (left.isSequence() && left.getKind() == right.getKind() && ones.size() == others.size())
    for (auto [one, other] : llvm::zip(ones, others)) {
      bool areTensors = one.getTensorType() && one.getTensorType() == other.getTensorType();
      bool areNumbers = getNumber(one) && getNumber(other);
      if (!areTensors && !areNumbers && !isIdentical(one, other))
        return findDifference(one, other);
    }
  return {left, right};
}

/// The keys of a dict as messages show them.
static std::string describeKeys(const AbstractValue &dictionary) {
  auto keys = dictionary.getKeyValues();
  return llvm::join(llvm::map_range(keys, [](const AbstractValue &key) { return key.describe(); }), ", ");
}

std::string describeBeside(const AbstractValue &value, const AbstractValue &other, bool isFirst) {
  auto symbol = value.getAs<FlatSymbolRefAttr>(), beside = other.getAs<FlatSymbolRefAttr>();
  if (symbol && beside && symbol.getValue().contains(".object$"))
    return (isFirst ? "an object of '" : "another one, of '") + symbol.getValue().split(".object$").first.str() + "'";
  if (!value.isDictionary() || !other.isDictionary() || value.getKeys() == other.getKeys())
    return value.describe();
  bool areAlike = describeKeys(value) == describeKeys(other); // other functions of the same name
  return (isFirst    ? "a dict with the keys ("
          : areAlike ? "one with other objects as keys, ("
                     : "one with the keys (") +
         describeKeys(value) + ")";
}

std::string describeDifference(const AbstractValue &left, const AbstractValue &right) {
  auto [one, other] = findDifference(left, right);
  bool isPart = !isIdentical(one, left) || !isIdentical(other, right);
  return (isPart ? left.describe() + " with " : "") + describeBeside(one, other, true) +
         " if the condition holds, but " + (isPart ? "with " : "") + describeBeside(other, one, false) +
         " if it does not";
}

/// A name as messages show it; the front end's own ones stand for a part of an expression.
static std::string describeName(StringAttr name) {
  return name.getValue().starts_with("$") ? "this expression" : "'" + name.str() + "'";
}

/// The value of a name that one side alone assigns.
AbstractValue Joins::refuseOneSided(const Join &join, StringAttr name, bool isLeft) const {
  return AbstractValue::getUndefined(context(),
                                     describeName(name) +
                                         " may be undefined here: it is assigned "
                                         "only on one side of a branch whose condition depends on a tensor",
                                     isLeft ? findLeftStore(join, name) : findRightStore(join, name));
}

/// How to mend that a name has values of two types.
static StringRef adviseOn(const AbstractValue &left, const AbstractValue &right, bool areObjects) {
  if (isNone(left) || isNone(right))
    return ", so give it a tensor of that type before, with a flag that says whether it is meant";
  if (left.getAs<StringAttr>() && right.getAs<StringAttr>())
    return ", so choose a number in its place and compare that; print or raise each text on its own side";
  return areObjects ? ", so make the object before, and set its attributes on both sides" : "";
}

/// The value of a name to which both sides give one, which cannot be joined.
AbstractValue Joins::refuseDifferent(const Join &join, StringAttr name, const AbstractValue &left,
                                     const AbstractValue &right) const {
  return AbstractValue::getUndefined(
      context(),
      "TypeError: Type Join Failed: " + describeName(name) + " is " + describeDifference(left, right) +
          "; both branches must give it the same type" + adviseOn(left, right, isForeign(left) && isForeign(right)),
      {findLeftStore(join, name), findRightStore(join, name)});
}

/// The names that either side knows, sorted.
static SmallVector<StringAttr> getNames(const State &left, const State &right) {
  SmallVector<StringAttr> all(llvm::make_first_range(left.names));
  for (auto &entry : right.names)
    if (!left.names.count(entry.first))
      all.push_back(entry.first);
  llvm::sort(all, [](StringAttr a, StringAttr b) { return a.getValue() < b.getValue(); });
  return all;
}

void Joins::joinNames(Join &join, const State &left, const State &right, State &behind,
                      SmallVectorImpl<StringAttr> &joined) {
  for (StringAttr name : getNames(left, right)) {
    auto one = left.names.find(name), other = right.names.find(name);
    if (one == left.names.end() || other == right.names.end()) {
      behind.names[name] = refuseOneSided(join, name, one != left.names.end());
      continue;
    }
    if (isSame(one->second, other->second)) {
      behind.names[name] = one->second;
      continue;
    }
    size_t size = join.left.size();
    auto value = this->join(join, one->second, other->second);
    bool isKnown = !one->second.isUndefined() && !other->second.isUndefined(); // Else the first reason is the best.
    behind.names[name] = value      ? *value
                         : !isKnown ? (one->second.isUndefined() ? one->second : other->second)
                                    : refuseDifferent(join, name, one->second, other->second);
    if (value) {
      joined.push_back(name);
    } else {
      join.left.resize(size);
      join.right.resize(size);
    }
  }
}

SmallVector<Value> Joins::finish(scf::IfOp skeleton, const Join &join) {
  SmallVector<Value> left, right, behind(join.left);
  for (auto [one, other] : llvm::zip(join.left, join.right))
    if (one != other) {
      left.push_back(one);
      right.push_back(other);
    }
  for (auto [block, values] : {std::pair(skeleton.thenBlock(), &left), std::pair(skeleton.elseBlock(), &right)}) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(block);
    scf::YieldOp::create(builder, skeleton.getLoc(), *values);
  }
  auto ifOp = scf::IfOp::create(builder, skeleton.getLoc(), ValueRange(left).getTypes(), skeleton.getCondition(),
                                /*addThenBlock=*/false, /*addElseBlock=*/false);
  ifOp.getThenRegion().takeBody(skeleton.getThenRegion());
  ifOp.getElseRegion().takeBody(skeleton.getElseRegion());
  skeleton.erase();
  auto next = ifOp.getResults().begin();
  for (auto [one, other, value] : llvm::zip(join.left, join.right, behind)) {
    if (one == other)
      continue;
    value = *next++;
    if (isWeak(one) && isWeak(other))
      markWeak(value);
  }
  return behind;
}

} // namespace plumb::specialize
