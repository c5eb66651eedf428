// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Python's operators over abstract values: numbers fold, sequences concatenate
// and compare, tensors become ops of the net dialect. A number beside a tensor
// takes the tensor's element type (a float beside integers makes them f32); two
// tensors meet in the wider of their element types.

#include "compiler/specialize/Interpreter.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace plumb::specialize {

/// The tensor op of a binary operator, or empty.
static StringRef getTensorOp(StringRef name) {
  return llvm::StringSwitch<StringRef>(name)
      .Case("add", "add")
      .Case("sub", "sub")
      .Case("mul", "mul")
      .Case("truediv", "div")
      .Case("floordiv", "floor_div")
      .Case("mod", "mod")
      .Case("pow", "pow")
      .Case("matmul", "matmul")
      .Case("and", "logical_and")
      .Case("or", "logical_or")
      .Case("xor", "not_equal")
      .Case("eq", "equal")
      .Case("ne", "not_equal")
      .Case("lt", "less")
      .Case("le", "less_equal")
      .Case("gt", "greater")
      .Case("ge", "greater_equal")
      .Case("maximum", "maximum")
      .Case("minimum", "minimum")
      .Default("");
}

std::optional<StringRef> Interpreter::getOperatorOf(StringRef name) {
  for (StringRef symbol :
       {"add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "eq", "ne",
        "lt", "le", "gt", "ge", "maximum", "minimum"})
    if (getTensorOp(symbol) == name)
      return symbol;
  return std::nullopt;
}

/// The operator as the user wrote it.
static StringRef spell(StringRef name) {
  return llvm::StringSwitch<StringRef>(name)
      .Case("add", "+")
      .Case("sub", "-")
      .Case("mul", "*")
      .Case("truediv", "/")
      .Case("floordiv", "//")
      .Case("mod", "%")
      .Case("pow", "**")
      .Case("matmul", "@")
      .Case("lshift", "<<")
      .Case("rshift", ">>")
      .Case("and", "&")
      .Case("or", "|")
      .Case("xor", "^")
      .Case("neg", "unary -")
      .Case("pos", "unary +")
      .Case("invert", "~")
      .Case("eq", "==")
      .Case("ne", "!=")
      .Case("lt", "<")
      .Case("le", "<=")
      .Case("gt", ">")
      .Case("ge", ">=")
      .Default(name);
}

Result Interpreter::makeBool(bool value) {
  return AbstractValue::getConstant(builder.getBoolAttr(value));
}

Result Interpreter::applyOperator(Location location, StringRef name,
                                  ArrayRef<AbstractValue> operands) {
  if (operands.size() == 1)
    return applyUnary(location, name, operands[0]);
  return applyBinary(location, name, operands[0], operands[1]);
}

Result Interpreter::applyUnary(Location location, StringRef name,
                               const AbstractValue &operand) {
  if (name == "not") {
    auto truth = getTruth(location, operand);
    if (failed(truth))
      return failure();
    if (auto *known = std::get_if<bool>(&*truth))
      return makeBool(!*known);
    auto value = toTensor(location, operand);
    if (failed(value))
      return failure();
    if (!getElementTypeOrSelf(*value).isInteger(1))
      return applyBinary(location, "eq", AbstractValue::getTensor(*value),
                         integer(0));
    return emit(location, "logical_not", *value);
  }
  if (isTensorLike(operand)) {
    auto value = toTensor(location, operand);
    if (failed(value))
      return failure();
    if (name == "pos")
      return AbstractValue::getTensor(*value);
    return emit(location, name == "neg" ? "neg" : "logical_not", *value);
  }
  auto number = operand.isConstant() ? getNumber(operand.getConstant())
                                     : std::nullopt;
  if (number && name == "pos")
    return number->kind == Number::Float ? real(number->real)
                                         : integer(number->integer);
  if (number && name == "neg")
    return number->kind == Number::Float ? real(-number->real)
                                         : integer(-number->integer);
  if (number && name == "invert" && number->kind != Number::Float)
    return integer(~number->integer);
  return error(location) << "unsupported operand for " << spell(name) << ": "
                         << operand.describe();
}

Result Interpreter::applyBinary(Location location, StringRef name,
                                const AbstractValue &left,
                                const AbstractValue &right) {
  if (name == "is" || name == "is_not")
    return makeBool(isIdentical(left, right) == (name == "is"));
  if (name == "in" || name == "not_in") {
    if (right.getAs<StringAttr>())
      return applySequenceOperator(location, name, left, right);
    Result items = getIterated(location, right);
    if (failed(items))
      return failure();
    bool found = llvm::any_of(items->getElements(), [&](auto &element) {
      return areEqual(left, element);
    });
    return makeBool(found == (name == "in"));
  }
  // A number against None, a string against a tuple, …: comparable, unequal.
  bool equality = name == "eq" || name == "ne";
  if (equality && (isNone(left) || isNone(right)))
    return makeBool((isNone(left) && isNone(right)) == (name == "eq"));
  if (isTensorLike(left) || isTensorLike(right))
    return applyTensorOperator(location, name, left, right);
  auto one = left.isConstant() ? getNumber(left.getConstant()) : std::nullopt;
  auto other =
      right.isConstant() ? getNumber(right.getConstant()) : std::nullopt;
  if (one && other)
    return foldNumbers(location, name, *one, *other);
  return applySequenceOperator(location, name, left, right);
}

/// Python's ==, for values known now.
bool Interpreter::areEqual(const AbstractValue &left,
                           const AbstractValue &right) {
  if (left.isConstant() && right.isConstant()) {
    auto one = getNumber(left.getConstant());
    auto other = getNumber(right.getConstant());
    if (one && other)
      return one->asReal() == other->asReal();
    return left.getConstant() == right.getConstant();
  }
  if (!left.isSequence() || !right.isSequence())
    return isIdentical(left, right);
  auto ones = left.getElements(), others = right.getElements();
  return ones.size() == others.size() &&
         llvm::all_of(llvm::zip(ones, others), [&](auto pair) {
           return areEqual(std::get<0>(pair), std::get<1>(pair));
         });
}

/// Strings, tuples and lists.
Result Interpreter::applySequenceOperator(Location location, StringRef name,
                                          const AbstractValue &left,
                                          const AbstractValue &right) {
  if (name == "eq" || name == "ne")
    return makeBool(areEqual(left, right) == (name == "eq"));
  auto text = left.getAs<StringAttr>(), other = right.getAs<StringAttr>();
  if (text && other && name == "add")
    return string(text.getValue() + other.getValue());
  if (text && other && (name == "in" || name == "not_in"))
    return makeBool(other.getValue().contains(text.getValue()) ==
                    (name == "in"));
  if (left.isSequence() && right.isSequence() && name == "add") {
    SmallVector<AbstractValue> elements(left.getElements());
    elements.append(right.getElements().begin(), right.getElements().end());
    return AbstractValue::getList(elements, depth);
  }
  const AbstractValue &sequence = left.isSequence() ? left : right;
  auto count = getInteger(left.isSequence() ? right : left);
  if (sequence.isSequence() && count && name == "mul") {
    SmallVector<AbstractValue> elements;
    if (*count > 0 && sequence.getElements().size() * *count > kMaxUnrolled)
      return error(location) << "a tuple of more than " << kMaxUnrolled
                             << " elements is not supported";
    for (int64_t i = 0; i < *count; ++i)
      elements.append(sequence.getElements().begin(),
                      sequence.getElements().end());
    return AbstractValue::getList(elements, depth);
  }
  return error(location) << "unsupported operands for " << spell(name) << ": "
                         << left.describe() << " and " << right.describe();
}

static bool isArithmetic(StringRef name) {
  return llvm::is_contained(
      {"add", "sub", "mul", "floordiv", "mod", "pow", "matmul"}, name);
}

Result Interpreter::applyTensorOperator(Location location, StringRef name,
                                        const AbstractValue &left,
                                        const AbstractValue &right) {
  StringRef op = getTensorOp(name);
  if (op.empty())
    return error(location) << spell(name) << " is not offered for "
                           << left.describe() << " and " << right.describe();
  auto operands = promote(location, left, right);
  if (failed(operands))
    return failure();
  auto [one, other] = *operands;
  Type element = getElementTypeOrSelf(one);
  bool logical = name == "and" || name == "or" || name == "xor";
  if (logical && !element.isInteger(1))
    return error(location) << spell(name) << " is offered for bool tensors, "
                           << "but these are " << describeType(element);
  // Division yields floats, arithmetic on bools yields ints, as in Python.
  Type wanted = element;
  if (name == "truediv" && !isa<FloatType>(element))
    wanted = builder.getF32Type();
  else if (element.isInteger(1) && !logical && isArithmetic(name))
    wanted = builder.getI64Type();
  if (wanted != element) {
    auto first = cast(location, one, wanted);
    auto second = cast(location, other, wanted);
    if (failed(first) || failed(second))
      return failure();
    one = *first;
    other = *second;
  }
  return emit(location, op, {one, other});
}

/// Order of element types: the later one wins when two tensors meet.
static unsigned getRank(Type type) {
  if (auto floating = dyn_cast<FloatType>(type))
    return 1000 + floating.getWidth() + (type.isBF16() ? 0 : 1);
  return cast<IntegerType>(type).getWidth();
}

FailureOr<std::pair<Value, Value>>
Interpreter::promote(Location location, const AbstractValue &left,
                     const AbstractValue &right) {
  auto check = [&](const AbstractValue &value) -> LogicalResult {
    if (isTensorLike(value) ||
        (value.isConstant() && getNumber(value.getConstant())))
      return success();
    return error(location) << "an operator on a tensor cannot take "
                           << value.describe();
  };
  if (failed(check(left)) || failed(check(right)))
    return failure();
  RankedTensorType leftType = getTypeOf(left), rightType = getTypeOf(right);
  Type element;
  if (leftType && rightType) {
    Type one = leftType.getElementType(), other = rightType.getElementType();
    element = getRank(one) >= getRank(other) ? one : other;
    if ((one.isBF16() && other.isF16()) || (one.isF16() && other.isBF16()))
      element = builder.getF32Type();
  } else {
    // A number meets a tensor, or two numbers meet.
    Number::Kind kind = Number::Bool;
    for (const AbstractValue *value : {&left, &right})
      if (value->isConstant())
        if (auto number = getNumber(value->getConstant()))
          kind = std::max(kind, number->kind);
    Type scalar = getDefaultElementType(context(), kind);
    RankedTensorType type = leftType ? leftType : rightType;
    element = type ? type.getElementType() : scalar;
    bool lower = (kind == Number::Float && !isa<FloatType>(element)) ||
                 (kind == Number::Int && element.isInteger(1));
    if (lower)
      element = scalar;
  }
  auto convert = [&](const AbstractValue &value) -> FailureOr<Value> {
    auto tensor = toTensor(location, value, element);
    if (failed(tensor))
      return failure();
    return cast(location, *tensor, element);
  };
  auto one = convert(left);
  if (failed(one))
    return failure();
  auto other = convert(right);
  if (failed(other))
    return failure();
  return std::pair(*one, *other);
}

} // namespace plumb::specialize
