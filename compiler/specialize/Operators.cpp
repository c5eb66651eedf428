// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Python's operators over abstract values: numbers fold, sequences concatenate
// and compare, tensors become ops of the net dialect. Element types meet by
// MindSpore's rules: a number beside a tensor takes the tensor's (but a float
// beside integers makes both f32, an int beside booleans makes both i32); of two
// tensors' types the later wins in
//   bool < ui8 < i8 < i16 < i32 < i64 < f16 < f32 < f64 < complex<f32> < complex<f64>,
// f64 beside complex<f32> gives complex<f64>, ui8 beside i8 i16, and wider unsigned integers meet only themselves,
// booleans and floats.

#include "compiler/specialize/Interpreter.h"
#include "compiler/specialize/WeakTypes.h"

#include "llvm/ADT/StringSwitch.h"

#include <complex>

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
      .Case("rem", "rem")
      .Case("pow", "pow")
      .Case("matmul", "matmul")
      .Case("and", "bitwise_and")
      .Case("or", "bitwise_or")
      .Case("xor", "bitwise_xor")
      .Case("lshift", "left_shift")
      .Case("rshift", "right_shift")
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
  for (StringRef symbol : {"add", "sub", "mul", "truediv", "floordiv", "mod", "rem", "pow", "eq",     "ne",    "lt",
                           "le",  "gt",  "ge",  "maximum", "minimum",  "and", "or",  "xor", "lshift", "rshift"})
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

Result Interpreter::makeBool(bool value) { return AbstractValue::getConstant(builder.getBoolAttr(value)); }

Result Interpreter::applyOperator(Location location, StringRef name, ArrayRef<AbstractValue> operands) {
  if (operands.size() == 1)
    return applyUnary(location, name, operands[0]);
  return applyBinary(location, name, operands[0], operands[1]);
}

Result Interpreter::applyUnary(Location location, StringRef name, const AbstractValue &operand) {
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
      return applyBinary(location, "eq", AbstractValue::getTensor(*value), integer(0));
    return emit(location, "logical_not", *value);
  }
  if (isTensorLike(operand)) {
    auto value = toTensor(location, operand);
    if (failed(value))
      return failure();
    if (name == "pos")
      return AbstractValue::getTensor(*value);
    if (name == "invert")
      return invert(location, *value);
    bool isTruth = getElementTypeOrSelf(*value).isInteger(1);
    auto number = isTruth ? cast(location, *value, builder.getI32Type()) : value;
    if (failed(number))
      return failure();
    return emit(location, "neg", *number);
  }
  if (isForeign(operand))
    return ask(location, "operator", {{string(name), operand}, {}});
  auto number = getNumber(operand);
  if (number && name == "pos")
    return number->kind == Number::Float ? real(number->real) : integer(number->integer);
  if (number && name == "neg")
    return number->kind == Number::Float ? real(-number->real) : integer(-number->integer);
  if (number && name == "invert" && number->kind != Number::Float)
    return integer(~number->integer);
  return error(location) << "TypeError: unsupported operand for " << spell(name) << ": " << operand.describe();
}

/// ~x: the other truth value, or all bits of an integer the other way.
Result Interpreter::invert(Location location, Value value) {
  Type element = getElementTypeOrSelf(value);
  if (element.isInteger(1))
    return emit(location, "logical_not", value);
  if (!isa<IntegerType>(element))
    return refuse(location) << "TypeError: ~ is offered for tensors of bool and integers, "
                            << "but this one is of " << describeType(element);
  Value ones = makeScalar(location, Number{Number::Int, -1}, element);
  return emit(location, "bitwise_xor", {value, ones});
}

/// Whether == takes `value` beside a tensor for elements to compare, or refuses it. All else is unequal to any tensor:
/// a string, a dict, a type.
bool Interpreter::hasElements(const AbstractValue &value) {
  return isTensorLike(value) || getNumber(value) || value.isSequence() || value.getAs<DenseElementsAttr>();
}

Result Interpreter::applyBinary(Location location, StringRef name, const AbstractValue &left,
                                const AbstractValue &right) {
  if (name == "is" || name == "is_not") {
    bool containers = left.isContainer() && right.isContainer();
    bool same = containers ? left.getIdentity() == right.getIdentity() : isIdentical(left, right);
    return makeBool(same == (name == "is"));
  }
  if (isForeign(left) || isForeign(right))
    return applyForeignOperator(location, name, left, right);
  if (name == "in" || name == "not_in") {
    if (right.getAs<StringAttr>())
      return applySequenceOperator(location, name, left, right);
    return findIn(location, name, left, right);
  }
  // A number against None, a string against a tuple, …: comparable, unequal.
  bool equality = name == "eq" || name == "ne";
  if (equality && (isNone(left) || isNone(right)))
    return makeBool((isNone(left) && isNone(right)) == (name == "eq"));
  if (isTensorLike(left) || isTensorLike(right))
    return equality && !(hasElements(left) && hasElements(right)) ? makeBool(name == "ne")
                                                                  : applyTensorOperator(location, name, left, right);
  auto one = getNumber(left);
  auto other = getNumber(right);
  bool isRounded = one && other && isLive() && (one->kind == Number::Float || other->kind == Number::Float) &&
                   (name == "floordiv" || name == "mod" || name == "pow");
  if (isRounded)
    return ask(location, "operator", {{string(name), left, right}, {}});
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
Result Interpreter::applyForeignOperator(Location location, StringRef name, const AbstractValue &left,
                                         const AbstractValue &right) {
  if (isTensorLike(left) != isTensorLike(right)) {
    Result tensor = askTensor(location, isTensorLike(left) ? right : left);
    if (failed(tensor))
      return failure();
    if (isTensorLike(*tensor))
      return isTensorLike(left) ? applyTensorOperator(location, name, left, narrowComplex(*tensor, getTypeOf(left)))
                                : applyTensorOperator(location, name, narrowComplex(*tensor, getTypeOf(right)), right);
  }
  return ask(location, "operator", {{string(name), left, right}, {}});
}

/// Python's ==, for values known now.
bool Interpreter::areEqual(const AbstractValue &left, const AbstractValue &right) {
  if (left.isConstant() && right.isConstant()) {
    auto one = getNumber(left.getConstant());
    auto other = getNumber(right.getConstant());
    if (one && other)
      return areEqualNumbers(*one, *other);
    return left.getConstant() == right.getConstant();
  }
  if (!left.isSequence() || !right.isSequence() || left.isList() != right.isList())
    return isIdentical(left, right);
  auto ones = left.getElements(), others = right.getElements();
  return ones.size() == others.size() && llvm::all_of(llvm::zip(ones, others), [&](auto pair) {
           return areEqual(std::get<0>(pair), std::get<1>(pair));
         });
}

/// Python's ==, also of tensors inside of tuples and lists: a boolean known now, or a tensor.
Result Interpreter::compareParts(Location location, const AbstractValue &left, const AbstractValue &right) {
  if (isIdentical(left, right) || (isKnown(left) && isKnown(right) && !isTensorLike(left) && !isTensorLike(right)))
    return makeBool(areEqual(left, right));
  if (isTensorLike(left) || isTensorLike(right)) {
    const AbstractValue &other = isTensorLike(left) ? right : left;
    if (!isTensorLike(other) && !getNumber(other))
      return makeBool(false);
    Result equal = applyBinary(location, "eq", left, right);
    if (succeeded(equal) && failed(getTruth(location, *equal)))
      return failure(); // Several elements have no truth.
    return equal;
  }
  auto ones = left.getElements(), others = right.getElements();
  if (!left.isSequence() || left.getKind() != right.getKind() || ones.size() != others.size())
    return makeBool(areEqual(left, right));
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
  return callAnyAll(location, "all", {{AbstractValue::getTuple(parts)}, {}});
}

/// `left in right`: the items are compared one by one, tensors by their values.
Result Interpreter::findIn(Location location, StringRef name, const AbstractValue &left, const AbstractValue &right) {
  // A set looked up in a set is taken for a frozenset.
  if ((right.isDictionary() || (right.isSet() && !left.isSet())) && failed(checkHashable(location, left)))
    return failure();
  Result items = getIterated(location, right);
  if (failed(items))
    return failure();
  if (right.isIterator())
    spoil(location, right);
  auto isThere = [&](const AbstractValue &item) { return isIdentical(left, item); };
  if (llvm::any_of(items->getElements(), isThere))
    return makeBool(name == "in");
  SmallVector<AbstractValue> parts;
  for (const AbstractValue &item : items->getElements()) {
    Result part = compareParts(location, left, item);
    if (failed(part))
      return failure();
    parts.push_back(*part);
  }
  Result found = callAnyAll(location, "any", {{AbstractValue::getTuple(parts)}, {}});
  return failed(found) || name == "in" ? found : applyUnary(location, "not", *found);
}

/// Strings, tuples and lists.
Result Interpreter::applySequenceOperator(Location location, StringRef name, const AbstractValue &left,
                                          const AbstractValue &right) {
  bool isEquality = name == "eq" || name == "ne";
  if (isEquality && !(isLive() && left.isContainer() && isKnown(left) && isKnown(right))) {
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
    if (*count > 0 && sequence.getElements().size() * *count > kMaxUnrolled)
      return error(location) << "a tuple of more than " << kMaxUnrolled << " elements is not supported";
    for (int64_t i = 0; i < *count; ++i)
      elements.append(sequence.getElements().begin(), sequence.getElements().end());
    return sequence.isList() ? AbstractValue::getList(elements, depth) : AbstractValue::getTuple(elements);
  }
  if (isLive())
    return ask(location, "operator", {{string(name), left, right}, {}});
  return error(location) << "TypeError: unsupported operands for " << spell(name) << ": " << left.describe() << " and "
                         << right.describe();
}

static bool isBitwise(StringRef name) { return llvm::is_contained({"and", "or", "xor", "lshift", "rshift"}, name); }

static bool isComparison(StringRef name) { return llvm::is_contained({"eq", "ne", "lt", "le", "gt", "ge"}, name); }

/// The element type that an operator computes in, where its operands' will not
/// do: division yields floats, arithmetic on booleans integers.
static Type getComputedType(StringRef name, Type element) {
  bool isTruth = element.isInteger(1);
  if (name == "truediv" && !isa<FloatType, ComplexType>(element))
    return Float32Type::get(element.getContext());
  bool staysTruth =
      isComparison(name) || name == "and" || name == "or" || name == "xor" || name == "maximum" || name == "minimum";
  return isTruth && !staysTruth ? IntegerType::get(element.getContext(), 32) : element;
}

/// Beside a tensor, a list or tuple is a tensor, too; numbers in it are of the tensor's element type, as in MindSpore.
Result Interpreter::applyToSequence(Location location, StringRef name, const AbstractValue &left,
                                    const AbstractValue &right) {
  const AbstractValue &tensor = isTensorLike(left) ? left : right;
  const AbstractValue &items = isTensorLike(left) ? right : left;
  Result made = makeStack(location, items, getTypeOf(tensor).getElementType());
  if (failed(made))
    return failure();
  return isTensorLike(left) ? applyTensorOperator(location, name, left, *made)
                            : applyTensorOperator(location, name, *made, right);
}

/// The operators that take a list or tuple beside a tensor.
static bool takesSequence(StringRef name) {
  return llvm::is_contained({"add", "sub", "mul", "truediv", "floordiv", "mod", "pow"}, name);
}

Result Interpreter::applyTensorOperator(Location location, StringRef name, const AbstractValue &left,
                                        const AbstractValue &right) {
  if (takesSequence(name) && (left.isSequence() || right.isSequence()))
    return applyToSequence(location, name, left, right);
  StringRef op = getTensorOp(name);
  if (op.empty())
    return refuse(location) << "TypeError: " << spell(name) << " is not offered for " << left.describe() << " and "
                            << right.describe();
  auto operands = promote(location, left, right);
  if (failed(operands))
    return failure();
  auto [one, other] = *operands;
  bool areNumbers = isWeak(one) && isWeak(other);
  Type element = getElementTypeOrSelf(one);
  if (isBitwise(name) && !isa<IntegerType>(element))
    return refuse(location) << "TypeError: " << spell(name) << " is offered for tensors of bool "
                            << "and integers, but these are of " << describeType(element);
  Type wanted = getComputedType(name, element);
  if (wanted != element) {
    auto first = cast(location, one, wanted);
    auto second = cast(location, other, wanted);
    if (failed(first) || failed(second))
      return failure();
    one = *first;
    other = *second;
  }
  if (name == "matmul")
    return multiplyMatrices(location, one, other);
  bool isTruth = getElementTypeOrSelf(one).isInteger(1);
  if (isTruth && (name == "and" || name == "or"))
    op = name == "and" ? "logical_and" : "logical_or";
  else if (isTruth && name == "xor")
    op = "not_equal";
  Result result = emit(location, op, {one, other});
  if (areNumbers && succeeded(result))
    markWeak(result->getTensor());
  return result;
}

/// x @ y: a vector is a row on the left and a column on the right, and the axis
/// that makes it a matrix is not in the result.
Result Interpreter::multiplyMatrices(Location location, Value left, Value right) {
  auto getTensorRank = [](Value value) { return llvm::cast<RankedTensorType>(value.getType()).getRank(); };
  bool isRow = getTensorRank(left) == 1, isColumn = getTensorRank(right) == 1;
  auto addAxis = [&](Value vector, int64_t axis) {
    return emit(location, "expand_dims", vector, builder.getNamedAttr("axis", builder.getI64IntegerAttr(axis)));
  };
  Result one = isRow ? addAxis(left, 0) : Result(AbstractValue::getTensor(left));
  Result other = isColumn ? addAxis(right, 1) : Result(AbstractValue::getTensor(right));
  if (failed(one) || failed(other))
    return failure();
  Result product = emit(location, "matmul", {one->getTensor(), other->getTensor()});
  SmallVector<int64_t> axes;
  if (isColumn)
    axes.push_back(-1);
  if (isRow)
    axes.push_back(-2);
  if (failed(product) || axes.empty())
    return product;
  return emit(location, "squeeze", product->getTensor(),
              builder.getNamedAttr("axis", builder.getDenseI64ArrayAttr(axes)));
}

/// Order of element types: the later one wins when two tensors meet.
static unsigned getRank(Type type) {
  if (auto complex = dyn_cast<ComplexType>(type))
    return 2000 + complex.getElementType().getIntOrFloatBitWidth();
  if (auto floating = dyn_cast<FloatType>(type))
    return 1000 + floating.getWidth() + (type.isBF16() ? 0 : 1);
  return cast<IntegerType>(type).getWidth() + !type.isUnsignedInteger();
}

/// Whether the type meets no other integers.
static bool isWideUnsigned(Type type) { return type.isUnsignedInteger() && type.getIntOrFloatBitWidth() > 8; }

/// The element type that two meet in; null where they do not.
static Type joinTypes(Type left, Type right) {
  if (left == right)
    return left;
  Type high = getRank(left) >= getRank(right) ? left : right;
  Type low = high == left ? right : left;
  MLIRContext *context = high.getContext();
  if (isa<ComplexType>(high) && low.isF64())
    return ComplexType::get(low);
  if (high.isF16() && low.isBF16())
    return Float32Type::get(context);
  if (isa<FloatType, ComplexType>(high) || low.isInteger(1))
    return high;
  if (isWideUnsigned(high) || isWideUnsigned(low))
    return {};
  bool mixesBytes = high.isInteger(8) && low.isUnsignedInteger(8);
  return mixesBytes ? IntegerType::get(context, 16) : high;
}

/// The element type of a tensor beside a number that is a tensor of the type `weak`.
static Type joinNumber(Type weak, Type strong) {
  if (strong.isInteger(1))
    return weak;
  return isa<FloatType>(weak) && !isa<FloatType, ComplexType>(strong) ? weak : strong;
}

FailureOr<Type> Interpreter::getCommonType(Location location, const AbstractValue &left, const AbstractValue &right) {
  RankedTensorType leftType = getTypeOf(left), rightType = getTypeOf(right);
  if (leftType && rightType) {
    Type one = leftType.getElementType(), other = rightType.getElementType();
    bool isWeakLeft = left.isTensor() && isWeak(left.getTensor()),
         isWeakRight = right.isTensor() && isWeak(right.getTensor());
    Type common = isWeakLeft == isWeakRight ? joinTypes(one, other)
                  : isWeakLeft              ? joinNumber(one, other)
                                            : joinNumber(other, one);
    if (common)
      return common;
    return error(location) << "TypeError: tensors of " << describeType(one) << " and of " << describeType(other)
                           << " have no common element type; cast one of them "
                           << "with ops.cast";
  }
  Number::Kind kind = Number::Bool;
  for (const AbstractValue *value : {&left, &right})
    if (value->isConstant())
      if (auto number = getNumber(value->getConstant()))
        kind = std::max(kind, number->kind);
  Type scalar = getDefaultElementType(context(), kind);
  RankedTensorType type = leftType ? leftType : rightType;
  if (!type)
    return scalar; // Two numbers meet.
  Type element = type.getElementType();
  if (kind == Number::Float && !isa<FloatType, ComplexType>(element))
    return scalar;
  if (kind == Number::Int && element.isInteger(1))
    return Type(builder.getI32Type());
  return element;
}

FailureOr<std::pair<Value, Value>> Interpreter::promote(Location location, const AbstractValue &left,
                                                        const AbstractValue &right) {
  for (const AbstractValue *value : {&left, &right})
    if (!isTensorLike(*value) && !(value->isConstant() && getNumber(value->getConstant())))
      return error(location) << "TypeError: an operator on a tensor cannot take " << value->describe();
  FailureOr<Type> common = getCommonType(location, left, right);
  if (failed(common))
    return failure();
  Type element = *common;
  auto convert = [&](const AbstractValue &value) -> FailureOr<Value> {
    auto tensor = toTensor(location, value, element);
    if (failed(tensor))
      return failure();
    auto converted = cast(location, *tensor, element);
    if (succeeded(converted) && isWeak(*tensor))
      markWeak(*converted);
    return converted;
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
