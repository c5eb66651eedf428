// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Python's bool(): known for everything but tensors, whose one element is taken out as an i1.

#include "compiler/specialize/interpreter/Conditions.h"
#include "compiler/specialize/interpreter/Interpreter.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace plumb::specialize {

Result Conditions::getBoolean(Location location, const AbstractValue &value) {
  auto truth = getTruth(location, value);
  if (failed(truth))
    return failure();
  if (auto *known = std::get_if<bool>(&*truth))
    return makeBool(*known);
  auto element = std::get<Value>(*truth).getDefiningOp<tensor::ExtractOp>();
  AbstractValue tensor = AbstractValue::getTensor(element.getTensor());
  element.erase();
  return tensor;
}

FailureOr<Truth> Conditions::getTensorTruth(Location location, const AbstractValue &value) {
  RankedTensorType type = getTypeOf(value);
  if (type.getNumElements() != 1)
    return error(location) << "ValueError: the truth of " << value.describe()
                           << " is ambiguous; a condition must be a tensor of one element";
  auto tensor = writer.toTensor(location, value);
  if (failed(tensor))
    return failure();
  if (!type.getElementType().isInteger(1)) {
    auto nonzero = interpreter.operators.applyBinary(location, "ne", AbstractValue::getTensor(*tensor), integer(0));
    if (failed(nonzero))
      return failure();
    tensor = nonzero->getTensor();
  }
  if (type.getRank() != 0) {
    tensor = writer.reshape(location, *tensor, {});
    if (failed(tensor))
      return failure();
  }
  return Truth(tensor::ExtractOp::create(builder, location, *tensor, ValueRange()).getResult());
}

FailureOr<Truth> Conditions::getTruth(Location location, const AbstractValue &value) {
  if (isTensorLike(value))
    return getTensorTruth(location, value);
  if (isForeign(value)) {
    Result truth = live.ask(location, "truth", {{value}, {}});
    if (failed(truth))
      return failure();
    return getTruth(location, *truth);
  }
  if (value.isIterator())
    return Truth(true);
  if (value.isSequence() || value.isContainer())
    return Truth(!value.getElements().empty());
  if (isNone(value))
    return Truth(false);
  if (auto text = value.getAs<StringAttr>())
    return Truth(!text.getValue().empty());
  if (value.isConstant())
    if (auto number = getNumber(value.getConstant()))
      return Truth(number->asReal() != 0);
  return Truth(true);
}

} // namespace plumb::specialize
