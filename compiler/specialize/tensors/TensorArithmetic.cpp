// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators on tensors, and on numbers, lists and tuples beside them.
//
// Element types meet by MindSpore's rules: a number beside a tensor takes the tensor's (but a float
// beside integers makes both f32, an int beside booleans makes both i32); of two
// tensors' types the later wins in
//   bool < ui8 < i8 < i16 < i32 < i64 < f16 < f32 < f64 < complex<f32> < complex<f64>,
// f64 beside complex<f32> gives complex<f64>, ui8 beside i8 i16, and wider unsigned integers meet only themselves,
// booleans and floats.
//
// The parts of a list or tuple are stacked along a new axis:
//
//   x + [y, 2]   =>   %0 = net.reshape %y …   %1 = net.concat %0, %two …   net.add %x, %1

#include "compiler/specialize/tensors/TensorArithmetic.h"
#include "compiler/specialize/tensors/Reports.h"
#include "compiler/specialize/tensors/WeakTypes.h"
#include "dialects/net/ir/Folding.h"

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

std::optional<StringRef> getOperatorOf(StringRef name) {
  for (StringRef symbol : {"add", "sub", "mul", "truediv", "floordiv", "mod", "rem", "pow", "eq",     "ne",    "lt",
                           "le",  "gt",  "ge",  "maximum", "minimum",  "and", "or",  "xor", "lshift", "rshift"})
    if (getTensorOp(symbol) == name)
      return symbol;
  return std::nullopt;
}

StringRef spellOperator(StringRef name) {
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

FailureOr<Type> TensorArithmetic::getCommonType(Location location, const AbstractValue &left,
                                                const AbstractValue &right) {
  RankedTensorType leftType = getTypeOf(left), rightType = getTypeOf(right);
  if (leftType && rightType) {
    Type one = leftType.getElementType(), other = rightType.getElementType();
    Type common = left.isWeak() == right.isWeak() ? joinTypes(one, other)
                  : left.isWeak()                 ? joinNumber(one, other)
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

FailureOr<std::pair<Value, Value>> TensorArithmetic::promote(Location location, const AbstractValue &left,
                                                             const AbstractValue &right) {
  for (const AbstractValue *value : {&left, &right})
    if (!isTensorLike(*value) && !(value->isConstant() && getNumber(value->getConstant())))
      return error(location) << "TypeError: an operator on a tensor cannot take " << value->describe();
  FailureOr<Type> common = getCommonType(location, left, right);
  if (failed(common))
    return failure();
  Type element = *common;
  auto convert = [&](const AbstractValue &value) -> FailureOr<Value> {
    auto tensor = writer.toTensor(location, value, element);
    if (failed(tensor))
      return failure();
    auto converted = writer.cast(location, *tensor, element);
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

/// The element type that the tensors and numbers of a sequence have in common; numbers take that of tensors, where it
/// holds them.
FailureOr<Type> TensorArithmetic::getStackedType(Location location, const AbstractValue &value, Type known) {
  if (value.isSequence()) {
    for (const AbstractValue &element : value.getElements()) {
      auto type = getStackedType(location, element, known);
      if (failed(type))
        return failure();
      known = *type;
    }
    return known;
  }
  if (!isTensorLike(value) && !getNumber(value))
    return errorOn(location, value)
           << "TypeError: a tensor can be made of numbers and tensors in evenly nested lists and tuples, "
           << "not of " << value.describe();
  if (!known)
    return getCommonType(location, value, value);
  auto splat = net::splatOf(RankedTensorType::get({}, known), 0);
  return getCommonType(location, AbstractValue::getConstant(splat), value);
}

/// A sequence as a tensor of elements of a type; one of numbers alone is a constant.
FailureOr<Value> TensorArithmetic::stackParts(Location location, const AbstractValue &value, Type elementType) {
  if (!value.isSequence()) {
    auto tensor = writer.toTensor(location, value, elementType);
    return failed(tensor) ? tensor : writer.cast(location, *tensor, elementType);
  }
  SmallVector<Value> parts;
  for (const AbstractValue &element : value.getElements()) {
    auto part = stackParts(location, element, elementType);
    if (failed(part))
      return failure();
    SmallVector<int64_t> shape(llvm::cast<RankedTensorType>(part->getType()).getShape());
    if (!parts.empty() && shape != llvm::cast<RankedTensorType>(parts[0].getType()).getShape().drop_front())
      return error(location) << "ValueError: a tensor cannot be made of a sequence whose parts have several shapes";
    shape.insert(shape.begin(), 1);
    part = writer.reshape(location, *part, shape);
    if (failed(part))
      return failure();
    parts.push_back(*part);
  }
  if (parts.empty())
    return writer.makeConstant(location,
                               DenseElementsAttr::get(RankedTensorType::get({0}, elementType), ArrayRef<Attribute>()));
  return writer.emitValue(location, "concat", parts, builder.getNamedAttr("axis", builder.getI64IntegerAttr(0)));
}

Result TensorArithmetic::stack(Location location, const AbstractValue &value, Type elementType) {
  bool isConstant = isKnown(value) && !holdsTensor(value);
  if (isConstant) {
    auto elements = writer.makeElements(location, value, elementType);
    return failed(elements) ? Result(failure()) : Result(AbstractValue::getConstant(*elements));
  }
  auto common = getStackedType(location, value, {});
  auto stacked = failed(common) ? FailureOr<Value>(failure()) : stackParts(location, value, *common);
  return failed(stacked) ? Result(failure()) : Result(AbstractValue::getTensor(*stacked));
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

/// The operators that take a list or tuple beside a tensor.
static bool takesSequence(StringRef name) {
  return llvm::is_contained({"add", "sub", "mul", "truediv", "floordiv", "mod", "pow"}, name);
}

/// Beside a tensor, a list or tuple is a tensor, too; numbers in it are of the tensor's element type, as in MindSpore.
Result TensorArithmetic::applyToSequence(Location location, StringRef name, const AbstractValue &left,
                                         const AbstractValue &right) {
  if (!isTensorLike(left) && !isTensorLike(right)) { // What an operation is called with, such as ops.pow([1, 2], 2).
    Result one = left.isSequence() ? stack(location, left, /*elementType=*/{}) : Result(left);
    Result other = right.isSequence() && succeeded(one) ? stack(location, right, /*elementType=*/{}) : Result(right);
    return failed(one) || failed(other) ? Result(failure()) : apply(location, name, *one, *other);
  }
  const AbstractValue &tensor = isTensorLike(left) ? left : right;
  const AbstractValue &items = isTensorLike(left) ? right : left;
  Result made = stack(location, items, getTypeOf(tensor).getElementType());
  if (failed(made))
    return failure();
  return isTensorLike(left) ? apply(location, name, left, *made) : apply(location, name, *made, right);
}

Result TensorArithmetic::apply(Location location, StringRef name, const AbstractValue &left,
                               const AbstractValue &right) {
  if (takesSequence(name) && (left.isSequence() || right.isSequence()))
    return applyToSequence(location, name, left, right);
  StringRef op = getTensorOp(name);
  if (op.empty())
    return refuse(location) << "TypeError: " << spellOperator(name) << " is not offered for " << left.describe()
                            << " and " << right.describe();
  auto operands = name == "matmul" ? getFactors(location, left, right) : promote(location, left, right);
  if (failed(operands))
    return failure();
  auto [one, other] = *operands;
  bool areNumbers = isWeak(one) && isWeak(other);
  Type element = getElementTypeOrSelf(one);
  if (isBitwise(name) && !isa<IntegerType>(element))
    return refuse(location) << "TypeError: " << spellOperator(name) << " is offered for tensors of bool "
                            << "and integers, but these are of " << describeType(element);
  Type wanted = getComputedType(name, element);
  if (wanted != element) {
    auto first = writer.cast(location, one, wanted);
    auto second = writer.cast(location, other, wanted);
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
  Result result = writer.emit(location, op, {one, other});
  if (areNumbers && succeeded(result))
    markWeak(result->getTensor());
  return result;
}

/// The operands of x @ y. As MindSpore's, those of several element types are of f32 where one is a vector or their
/// ranks differ, and have no product else.
FailureOr<std::pair<Value, Value>> TensorArithmetic::getFactors(Location location, const AbstractValue &left,
                                                                const AbstractValue &right) {
  RankedTensorType one = getTypeOf(left), other = getTypeOf(right);
  if (!one || !other || one.getElementType() == other.getElementType())
    return promote(location, left, right);
  if (one.getRank() == other.getRank() && one.getRank() > 1)
    return error(location) << "TypeError: @ takes matrices of one element type, but these are of "
                           << describeType(one.getElementType()) << " and of " << describeType(other.getElementType())
                           << "; cast one of them with ops.cast";
  Type element = builder.getF32Type();
  auto first = writer.toTensor(location, left, element), second = writer.toTensor(location, right, element);
  if (failed(first) || failed(second))
    return failure();
  first = writer.cast(location, *first, element);
  second = writer.cast(location, *second, element);
  if (failed(first) || failed(second))
    return failure();
  return std::pair(*first, *second);
}

/// x @ y: a vector is a row on the left and a column on the right, and the axis
/// that makes it a matrix is not in the result.
Result TensorArithmetic::multiplyMatrices(Location location, Value left, Value right) {
  auto getTensorRank = [](Value value) { return llvm::cast<RankedTensorType>(value.getType()).getRank(); };
  bool isRow = getTensorRank(left) == 1, isColumn = getTensorRank(right) == 1;
  auto addAxis = [&](Value vector, int64_t axis) {
    return writer.emit(location, "expand_dims", vector, builder.getNamedAttr("axis", builder.getI64IntegerAttr(axis)));
  };
  Result one = isRow ? addAxis(left, 0) : Result(AbstractValue::getTensor(left));
  Result other = isColumn ? addAxis(right, 1) : Result(AbstractValue::getTensor(right));
  if (failed(one) || failed(other))
    return failure();
  Result product = writer.emit(location, "matmul", {one->getTensor(), other->getTensor()});
  SmallVector<int64_t> axes;
  if (isColumn)
    axes.push_back(-1);
  if (isRow)
    axes.push_back(-2);
  if (failed(product) || axes.empty())
    return product;
  return writer.emit(location, "squeeze", product->getTensor(),
                     builder.getNamedAttr("axis", builder.getDenseI64ArrayAttr(axes)));
}

/// The complement of an integer; `not` of a boolean.
Result TensorArithmetic::invert(Location location, Value value) {
  Type element = getElementTypeOrSelf(value);
  if (element.isInteger(1))
    return writer.emit(location, "logical_not", value);
  if (!isa<IntegerType>(element))
    return refuse(location) << "TypeError: invert is offered for tensors of bool and integers, "
                            << "but this one is of " << describeType(element);
  Value ones = writer.makeScalar(location, Number{Number::Int, -1}, element);
  return writer.emit(location, "bitwise_xor", {value, ones});
}

} // namespace plumb::specialize
