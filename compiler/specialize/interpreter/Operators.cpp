// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Python's operators over abstract values: numbers fold, sequences concatenate
// and compare, tensors become ops of the net dialect (TensorArithmetic.h).

#include "compiler/specialize/interpreter/Operators.h"
#include "compiler/specialize/interpreter/Interpreter.h"

#include <complex>

using namespace mlir;

namespace plumb::specialize {

Result Operators::apply(Location location, StringRef name, ArrayRef<AbstractValue> operands) {
  if (operands.size() == 1)
    return applyUnary(location, name, operands[0]);
  return applyBinary(location, name, operands[0], operands[1]);
}

/// Whether the elements are zero: `not` and ~ of a tensor, of any element type, as in MindSpore.
Result Operators::findZeros(Location location, Value value) {
  if (!getElementTypeOrSelf(value).isInteger(1))
    return applyBinary(location, "eq", AbstractValue::getTensor(value), integer(0));
  return writer.emit(location, "logical_not", value);
}

Result Operators::applyUnary(Location location, StringRef name, const AbstractValue &operand) {
  if (name == "not" && isForeign(operand)) {
    Result truth = interpreter.conditions.getBoolean(location, operand);
    return failed(truth) ? truth : applyUnary(location, name, *truth);
  }
  if (name == "not") {
    auto truth = interpreter.conditions.getTruth(location, operand);
    if (failed(truth))
      return failure();
    if (auto *known = std::get_if<bool>(&*truth))
      return makeBool(!*known);
    auto value = writer.toTensor(location, operand);
    return failed(value) ? Result(failure()) : findZeros(location, *value);
  }
  if (isTensorLike(operand)) {
    auto value = writer.toTensor(location, operand);
    if (failed(value))
      return failure();
    if (name == "pos")
      return AbstractValue::getTensor(*value);
    if (name == "invert")
      return findZeros(location, *value);
    bool isTruth = getElementTypeOrSelf(*value).isInteger(1);
    auto number = isTruth ? writer.cast(location, *value, builder.getI32Type()) : value;
    if (failed(number))
      return failure();
    return writer.emit(location, "neg", *number);
  }
  if (isForeign(operand))
    return live.ask(location, "operator", {{string(name), operand}, {}});
  auto number = getNumber(operand);
  if (number && name == "pos")
    return number->kind == Number::Float ? real(number->real) : integer(number->integer);
  if (number && name == "neg")
    return number->kind == Number::Float ? real(-number->real) : integer(-number->integer);
  if (number && name == "invert" && number->kind != Number::Float)
    return integer(~number->integer);
  return error(location) << "TypeError: unsupported operand for " << spellOperator(name) << ": " << operand.describe();
}

/// Whether == takes `value` beside a tensor for elements to compare, or refuses it. All else is unequal to any tensor:
/// a string, a dict, a type.
bool Operators::hasElements(const AbstractValue &value) {
  return isTensorLike(value) || getNumber(value) || value.isSequence() || value.getAs<DenseElementsAttr>();
}

/// Whether two functions cannot be told apart, since a tensor decides which one is one of them.
static bool isUndecided(const AbstractValue &left, const AbstractValue &right) {
  auto mayBeFunction = [](const AbstractValue &value) {
    return value.isUndecided() || value.getOrigin() || value.getAs<FlatSymbolRefAttr>() ||
           value.getAs<net::MethodAttr>() || value.getAs<net::PrimitiveAttr>();
  };
  return (left.isUndecided() && mayBeFunction(right)) || (right.isUndecided() && mayBeFunction(left));
}

/// Whether two tensors are one object; nothing where one of the values is none.
std::optional<SameTensor> Operators::areOneTensor(const AbstractValue &left, const AbstractValue &right) {
  if (left.isTensor() && right.isTensor())
    return identities.areOne(left.getTensor(), right.getTensor());
  auto one = left.getAs<DenseElementsAttr>(), other = right.getAs<DenseElementsAttr>();
  if (left.isTensor() && other)
    return identities.areOne(left.getTensor(), other);
  if (right.isTensor() && one)
    return identities.areOne(right.getTensor(), one);
  return one && one == other ? std::optional(identities.areOne(one)) : std::nullopt;
}

/// Whether nobody knows while compiling whether two values are one object.
bool Operators::mayBeOne(const AbstractValue &left, const AbstractValue &right) {
  if (auto areOne = areOneTensor(left, right))
    return *areOne == SameTensor::Maybe;
  if (left.getKind() != right.getKind())
    return false;
  if (left.isContainer()) { // Equal contents do not make them one, but two from outside may be one.
    bool areFromOutside = !left.isGrowable() && !right.isGrowable() && !left.isFrozenSet() && isIdentical(left, right);
    return left.getIdentity() != right.getIdentity() && (left.isChosen() || right.isChosen() || areFromOutside);
  }
  return left.isSequence() && !isIdentical(left, right) && left.getElements().size() == right.getElements().size() &&
         llvm::all_of(llvm::zip(left.getElements(), right.getElements()), [&](auto pair) {
           auto [one, other] = pair;
           return isIdentical(one, other) || mayBeOne(one, other);
         });
}

LogicalResult Operators::refuseUndecided(Location location, const AbstractValue &left, const AbstractValue &right) {
  return failed(interpreter.containers.checkDecided(location, left))
             ? failure()
             : interpreter.containers.checkDecided(location, right);
}

/// `left is right` of bound methods: each evaluation of `object.method` gives another one.
FailureOr<bool> Operators::areOneMethod(Location location, const AbstractValue &left, const AbstractValue &right) {
  uint64_t number = *left.getObjectNumber(), other = *right.getObjectNumber();
  if ((number && other) || left.getConstant() != right.getConstant())
    return number && number == other;
  return refuse(location) << "RuntimeError: whether " << left.describe() << " of an object 'is' another one of it is "
                          << "not known while compiling: both come from outside, or a branch or loop on a tensor "
                          << "decides it; compare by '=='";
}

/// `left is right`.
FailureOr<bool> Operators::areOne(Location location, const AbstractValue &left, const AbstractValue &right) {
  if (isUndecided(left, right))
    return refuseUndecided(location, left, right);
  if (left.isBound() && right.isBound())
    return areOneMethod(location, left, right);
  if (mayBeOne(left, right))
    return refuse(location) << "RuntimeError: a branch or loop on a tensor decides whether " << left.describe()
                            << " 'is' the other one, or both are constants that may be made in one place or two; "
                            << "compare where it is chosen, or keep a number that says which one it is";
  if (auto areOne = areOneTensor(left, right))
    return *areOne == SameTensor::Yes;
  bool isAnother = left.isSequence() && left.getElements().data() != right.getElements().data();
  if (isAnother && holdsTensor(left) && isIdentical(left, right))
    return refuse(location)
           << "RuntimeError: whether two tuples that hold the same tensors are one object is not known "
           << "while compiling; compare the tensors, or keep a number that says which one it is";
  bool areInner = left.getOrigin() && right.getOrigin();
  bool containers = left.isContainer() && right.isContainer();
  return containers ? left.getIdentity() == right.getIdentity()
         : areInner ? areEqual(left, right)
                    : isIdentical(left, right);
}

/// Strings, tuples and lists, which a number repeats.
static bool isSequential(const AbstractValue &value) {
  return value.isSequence() || value.isText() || value.getAs<StringAttr>();
}

/// Refuses or reports an operator on a number that the run computes and a string, tuple or list.
InFlightDiagnostic Operators::refuseBesideNumber(Location location, StringRef name, const AbstractValue &left,
                                                 const AbstractValue &right) {
  if (name != "mul")
    return error(location) << "TypeError: unsupported operands for " << spellOperator(name) << ": " << left.describe()
                           << " and " << right.describe();
  return refuse(location) << "TypeError: how often " << (left.isWeak() ? right : left).describe()
                          << " is repeated must be known while compiling, but a branch or loop on a tensor decides the "
                          << "number; use ops.tile on a tensor, or choose among sequences of one length";
}

Result Operators::applyBinary(Location location, StringRef name, const AbstractValue &left,
                              const AbstractValue &right) {
  if (name == "is" || name == "is_not") {
    auto isOne = areOne(location, left, right);
    return failed(isOne) ? Result(failure()) : makeBool(*isOne == (name == "is"));
  }
  auto isString = [](const AbstractValue &value) { return value.isText() || value.getAs<StringAttr>(); };
  if ((left.isText() || right.isText()) && isString(left) && isString(right) && name == "add")
    return interpreter.texts.join(left, right);
  if (isString(left) && name == "mod" && interpreter.texts.mayShowTensors(right))
    return interpreter.texts.make(location, name, {{left, right}, {}});
  if (isForeign(left) || isForeign(right))
    return applyForeign(location, name, left, right);
  if ((name == "in" || name == "not_in") && isString(right) && (left.isText() || right.isText()))
    return refuseLetters(location);
  if (name == "in" || name == "not_in") {
    if (right.getAs<StringAttr>())
      return applySequenceOperator(location, name, left, right);
    return findIn(location, name, left, right);
  }
  // A number, also one that the run computes, against None or a list, a string against a tuple, …: comparable, unequal.
  bool equality = name == "eq" || name == "ne";
  if (equality && (isNone(left) || isNone(right)))
    return makeBool((isNone(left) && isNone(right)) == (name == "eq"));
  if (equality && ((left.isWeak() && right.isSequence()) || (right.isWeak() && left.isSequence())))
    return makeBool(name == "ne");
  if (!equality && ((left.isWeak() && isSequential(right)) || (right.isWeak() && isSequential(left))))
    return refuseBesideNumber(location, name, left, right);
  if (isTensorLike(left) || isTensorLike(right))
    return equality && !(hasElements(left) && hasElements(right)) ? makeBool(name == "ne")
                                                                  : arithmetic.apply(location, name, left, right);
  auto one = getNumber(left);
  auto other = getNumber(right);
  bool isRounded = one && other && isLive() && (one->kind == Number::Float || other->kind == Number::Float) &&
                   (name == "floordiv" || name == "mod" || name == "pow");
  if (isRounded)
    return live.ask(location, "operator", {{string(name), left, right}, {}});
  if (one && other)
    return foldNumbers(location, name, *one, *other);
  return applySequenceOperator(location, name, left, right);
}

/// A complex number beside a tensor is no wider than the tensor: complex<f64> beside f64 and complex<f64> alone.
static AbstractValue narrowComplex(const AbstractValue &number, RankedTensorType tensor) {
  auto elements = number.getAs<DenseElementsAttr>();
  MLIRContext *context = tensor.getContext();
  Type wide = ComplexType::get(Float64Type::get(context));
  Type beside = tensor.getElementType();
  if (!elements || elements.getElementType() != wide || elements.getType().getRank() != 0 || beside.isF64() ||
      beside == wide)
    return number;
  auto value = *elements.value_begin<std::complex<double>>();
  auto type = RankedTensorType::get({}, ComplexType::get(Float32Type::get(context)));
  return AbstractValue::getConstant(DenseElementsAttr::get(type, std::complex<float>(value)));
}

/// An operator on an object that only the live process knows; one that is an
/// array beside a tensor is a constant tensor.
Result Operators::applyForeign(Location location, StringRef name, const AbstractValue &left,
                               const AbstractValue &right) {
  if (isTensorLike(left) != isTensorLike(right)) {
    AbstractValue one = asNumbers(left), other = asNumbers(right);
    if (one.isSequence() || other.isSequence())
      return applyBinary(location, name, one, other);
    Result tensor = live.askTensor(location, isTensorLike(left) ? right : left);
    if (failed(tensor))
      return failure();
    if (isTensorLike(*tensor))
      return isTensorLike(left) ? arithmetic.apply(location, name, left, narrowComplex(*tensor, getTypeOf(left)))
                                : arithmetic.apply(location, name, narrowComplex(*tensor, getTypeOf(right)), right);
    if (!isNone(*tensor))
      return isTensorLike(left) ? applyBinary(location, name, left, *tensor)
                                : applyBinary(location, name, *tensor, right);
  }
  if (name == "minimum" || name == "maximum")
    return choose(location, name == "minimum" ? "min" : "max", left, right);
  return live.ask(location, "operator", {{string(name), left, right}, {}});
}

Result Operators::choose(Location location, StringRef name, const AbstractValue &first, const AbstractValue &second) {
  Result isSecond = applyBinary(location, name == "min" ? "lt" : "gt", second, first);
  if (failed(isSecond))
    return failure();
  auto truth = interpreter.conditions.getTruth(location, *isSecond);
  if (failed(truth))
    return failure();
  if (const bool *isKnown = std::get_if<bool>(&*truth))
    return *isKnown ? second : first;
  return refuse(location) << "TypeError: " << name << "() needs an order that is known while compiling, but a tensor "
                          << "decides that of " << first.describe() << " and " << second.describe();
}

Result Operators::compareParts(Location location, const AbstractValue &left, const AbstractValue &right) {
  if (isUndecided(left, right))
    return refuseUndecided(location, left, right);
  auto isString = [](const AbstractValue &value) { return value.isText() || value.getAs<StringAttr>(); };
  if ((left.isText() || right.isText()) && isString(left) && isString(right) && !isIdentical(left, right))
    return refuseLetters(location);
  if ((isForeign(left) || isForeign(right)) && !isIdentical(left, right))
    return applyBinary(location, "eq", left, right);
  if (left.getKind() == AbstractValue::Kind::Method && left.getKind() == right.getKind()) {
    auto areEqual = left.getConstant() == right.getConstant()
                        ? areOne(location, left.getElements().front(), right.getElements().front())
                        : FailureOr<bool>(false);
    return failed(areEqual) ? Result(failure()) : makeBool(*areEqual);
  }
  if (left.isDictionary() && right.isDictionary())
    return compareDictionaries(location, left, right);
  if (left.isSet() && right.isSet() && isLive())
    return live.ask(location, "operator", {{string("eq"), left, right}, {}});
  if (isIdentical(left, right) ||
      (isKnown(left) && isKnown(right) && !isTensorLike(left) && !isTensorLike(right) && !left.isSequence()))
    return makeBool(areEqual(left, right));
  if (isTensorLike(left) || isTensorLike(right))
    return compareTensors(location, left, right);
  bool areSequences = left.isSequence() && left.getKind() == right.getKind();
  if (!areSequences || left.getElements().size() != right.getElements().size())
    return makeBool(areEqual(left, right));
  return compareElements(location, left.getElements(), right.getElements());
}

/// `left == right` where one is a tensor: as a part of a container it must have a truth.
Result Operators::compareTensors(Location location, const AbstractValue &left, const AbstractValue &right) {
  const AbstractValue &other = isTensorLike(left) ? right : left;
  if (!isTensorLike(other) && !getNumber(other))
    return makeBool(false);
  Result equal = applyBinary(location, "eq", left, right);
  if (succeeded(equal) && failed(interpreter.conditions.getTruth(location, *equal)))
    return failure(); // Several elements have no truth.
  return equal;
}

/// Whether elements are equal, one by one.
Result Operators::compareElements(Location location, ArrayRef<AbstractValue> ones, ArrayRef<AbstractValue> others) {
  SmallVector<AbstractValue> parts;
  for (auto [one, other] : llvm::zip(ones, others)) {
    Result part = compareParts(location, one, other);
    if (failed(part))
      return failure();
    // What follows the first that differs is not compared.
    if (auto known = part->getAs<BoolAttr>(); known && !known.getValue())
      return *part;
    parts.push_back(*part);
  }
  return interpreter.builtins.callAnyAll(location, "all", {{AbstractValue::getTuple(parts)}, {}});
}

/// `left == right` of dicts: the same keys in any order, with equal values.
Result Operators::compareDictionaries(Location location, const AbstractValue &left, const AbstractValue &right) {
  SmallVector<AbstractValue> parts;
  if (left.getElements().size() != right.getElements().size())
    return makeBool(false);
  for (auto [key, value] : llvm::zip(left.getKeyValues(), left.getElements())) {
    size_t place = interpreter.containers.findKey(right, key);
    if (place == right.getElements().size())
      return makeBool(false);
    Result part = compareParts(location, value, right.getElements()[place]);
    if (failed(part))
      return failure();
    parts.push_back(*part);
  }
  return interpreter.builtins.callAnyAll(location, "all", {{AbstractValue::getTuple(parts)}, {}});
}

/// `left in right`: the items are compared one by one, tensors by their values.
Result Operators::findIn(Location location, StringRef name, const AbstractValue &left, const AbstractValue &right) {
  // A set looked up in a set is taken for a frozenset.
  if ((right.isDictionary() || (right.isSet() && !left.isSet())) &&
      failed(interpreter.containers.checkHashable(location, left)))
    return failure();
  if (right.isIterator())
    return findTaken(location, name, left, right);
  Result items = interpreter.iterators.getIterated(location, right);
  if (failed(items))
    return failure();
  auto isThere = [&](const AbstractValue &item) { return !left.getOrigin() && isIdentical(left, item); };
  if (llvm::any_of(items->getElements(), isThere))
    return makeBool(name == "in");
  SmallVector<AbstractValue> parts;
  for (const AbstractValue &item : items->getElements()) {
    Result part = compareParts(location, left, item);
    if (failed(part))
      return failure();
    parts.push_back(*part);
  }
  Result found = interpreter.builtins.callAnyAll(location, "any", {{AbstractValue::getTuple(parts)}, {}});
  return failed(found) || name == "in" ? found : applyUnary(location, "not", *found);
}

/// `left in iterator` takes items up to the first that is equal; where a tensor decides which one that is, nobody knows
/// how many it has taken.
Result Operators::findTaken(Location location, StringRef name, const AbstractValue &left,
                            const AbstractValue &iterator) {
  SmallVector<AbstractValue> parts;
  bool isKnown = true, isFound = false;
  while (!isFound) {
    if ((!isKnown || parts.size() > UnrolledLoops::kMaxUnrolled) &&
        failed(interpreter.iterators.checkEnds(location, iterator)))
      return failure();
    auto item = interpreter.iterators.takeNext(location, iterator);
    if (failed(item))
      return failure();
    if (!*item)
      break;
    bool isSame = !left.getOrigin() && isIdentical(left, **item);
    Result part = isSame ? Result(makeBool(true)) : compareParts(location, left, **item);
    if (failed(part))
      return failure();
    auto known = part->getAs<BoolAttr>();
    isKnown &= bool(known);
    isFound = known && known.getValue();
    parts.push_back(*part);
  }
  if (!isKnown)
    changes.spoil(location, iterator);
  Result found = interpreter.builtins.callAnyAll(location, "any", {{AbstractValue::getTuple(parts)}, {}});
  return failed(found) || name == "in" ? found : applyUnary(location, "not", *found);
}

/// Whether no tensor is part of a value, beside those that functions see.
static bool holdsNoTensor(const AbstractValue &value) {
  return value.getOrigin() || (!value.isTensor() && llvm::all_of(value.getElements(), holdsNoTensor));
}

/// Strings, tuples and lists.
Result Operators::applySequenceOperator(Location location, StringRef name, const AbstractValue &left,
                                        const AbstractValue &right) {
  bool isEquality = name == "eq" || name == "ne";
  if (isEquality && !(isLive() && left.isContainer() && holdsNoTensor(left) && holdsNoTensor(right))) {
    Result equal = compareParts(location, left, right);
    return failed(equal) || name == "eq" ? equal : applyUnary(location, "not", *equal);
  }
  auto text = left.getAs<StringAttr>(), other = right.getAs<StringAttr>();
  if (text && other && name == "add")
    return string(text.getValue() + other.getValue());
  if (text && other && (name == "in" || name == "not_in"))
    return makeBool(other.getValue().contains(text.getValue()) == (name == "in"));
  bool sameKind = left.getKind() == right.getKind();
  if (left.isSequence() && sameKind && name == "add") {
    SmallVector<AbstractValue> elements(left.getElements());
    elements.append(right.getElements().begin(), right.getElements().end());
    return left.isList() ? AbstractValue::getList(elements, depth) : AbstractValue::getTuple(elements);
  }
  const AbstractValue &sequence = left.isSequence() ? left : right;
  auto count = getInteger(left.isSequence() ? right : left);
  if (sequence.isSequence() && count && name == "mul") {
    SmallVector<AbstractValue> elements;
    if (*count > 0 && sequence.getElements().size() * *count > UnrolledLoops::kMaxUnrolled)
      return error(location) << "a tuple of more than " << UnrolledLoops::kMaxUnrolled << " elements is not supported";
    for (int64_t i = 0; i < *count; ++i)
      elements.append(sequence.getElements().begin(), sequence.getElements().end());
    return sequence.isList() ? AbstractValue::getList(elements, depth) : AbstractValue::getTuple(elements);
  }
  if (isLive())
    return live.ask(location, "operator", {{string(name), left, right}, {}});
  return error(location) << "TypeError: unsupported operands for " << spellOperator(name) << ": " << left.describe()
                         << " and " << right.describe();
}

} // namespace plumb::specialize
