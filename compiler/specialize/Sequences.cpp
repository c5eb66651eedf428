// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lists and tuples as tensors: where an operator, a store or Tensor(…) takes one, its parts are stacked along a new
// axis.
//
//   x + [y, 2]   =>   %0 = net.reshape %y …   %1 = net.concat %0, %two …   net.add %x, %1

#include "compiler/specialize/Interpreter.h"

using namespace mlir;

namespace plumb::specialize {

/// The element type that the tensors and numbers of a sequence have in common; numbers take that of tensors, where it
/// holds them.
FailureOr<Type> Interpreter::getStackedType(Location location, const AbstractValue &value, Type known) {
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
  auto splat = DenseElementsAttr::get(RankedTensorType::get({}, known), builder.getZeroAttr(known));
  return getCommonType(location, AbstractValue::getConstant(splat), value);
}

/// A sequence as a tensor of elements of a type; one of numbers alone is a constant.
FailureOr<Value> Interpreter::stackParts(Location location, const AbstractValue &value, Type elementType) {
  if (!value.isSequence()) {
    auto tensor = toTensor(location, value, elementType);
    return failed(tensor) ? tensor : cast(location, *tensor, elementType);
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
    part = reshapeValue(location, *part, shape);
    if (failed(part))
      return failure();
    parts.push_back(*part);
  }
  if (parts.empty())
    return makeConstant(location,
                        DenseElementsAttr::get(RankedTensorType::get({0}, elementType), ArrayRef<Attribute>()));
  return emitValue(location, "concat", parts, builder.getNamedAttr("axis", builder.getI64IntegerAttr(0)));
}

Result Interpreter::makeStack(Location location, const AbstractValue &value, Type elementType) {
  bool isConstant = isKnown(value) && !holdsTensor(value);
  if (isConstant) {
    auto elements = makeElements(location, value, elementType);
    return failed(elements) ? Result(failure()) : Result(AbstractValue::getConstant(*elements));
  }
  auto common = getStackedType(location, value, {});
  auto stacked = failed(common) ? FailureOr<Value>(failure()) : stackParts(location, value, *common);
  return failed(stacked) ? Result(failure()) : Result(AbstractValue::getTensor(*stacked));
}

} // namespace plumb::specialize
