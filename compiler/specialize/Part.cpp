// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/specialize/Part.h"
#include "compiler/specialize/Reports.h"

#include "dialects/net/ir/NetConstantOps.h"

#include "llvm/ADT/SmallPtrSet.h"

#include <functional>

using namespace mlir;

namespace plumb::specialize {

AbstractValue Part::none() const { return AbstractValue::getConstant(net::NoneAttr::get(context())); }

AbstractValue Part::integer(int64_t value) const {
  return AbstractValue::getConstant(builder.getI64IntegerAttr(value));
}

AbstractValue Part::real(double value) const { return AbstractValue::getConstant(builder.getF64FloatAttr(value)); }

AbstractValue Part::string(const Twine &value) const {
  return AbstractValue::getConstant(builder.getStringAttr(value));
}

AbstractValue Part::makeBool(bool value) const { return AbstractValue::getConstant(builder.getBoolAttr(value)); }

bool Part::isForeign(const AbstractValue &value) const {
  auto symbol = value.getAs<FlatSymbolRefAttr>();
  return isLive() && symbol && symbols.lookup<net::CellOp>(symbol.getValue());
}

net::ParameterOp Part::getParameter(const AbstractValue &value) const {
  auto symbol = value.getAs<FlatSymbolRefAttr>();
  return symbol ? symbols.lookup<net::ParameterOp>(symbol.getValue()) : net::ParameterOp();
}

bool Part::isTensorLike(const AbstractValue &value) const { return value.getTensorType() || getParameter(value); }

RankedTensorType Part::getTypeOf(const AbstractValue &value) const {
  if (net::ParameterOp parameter = getParameter(value))
    return llvm::cast<RankedTensorType>(parameter.getType());
  return value.getTensorType();
}

bool Part::holdsTensor(const AbstractValue &value) const {
  llvm::SmallPtrSet<const void *, 8> known; // a function may see the list that holds it
  std::function<bool(const AbstractValue &)> holds = [&](const AbstractValue &part) {
    if (isTensorLike(part))
      return true;
    if (part.getIdentity() && !known.insert(part.getIdentity()).second)
      return false;
    return llvm::any_of(part.getElements(), holds);
  };
  return holds(value);
}

FailureOr<SmallVector<int64_t>> Part::getIntegers(Location location, StringRef what, const AbstractValue &value) const {
  SmallVector<int64_t> integers;
  for (const AbstractValue &element : value.isSequence() ? value.getElements() : ArrayRef(value)) {
    auto number = getInteger(element);
    if (!number)
      return errorOn(location, element) << "TypeError: " << what << " must be ints known while compiling, "
                                        << "but one is " << element.describe();
    integers.push_back(*number);
  }
  return integers;
}

InFlightDiagnostic Part::errorOn(Location location, const AbstractValue &value, DiagnosticKind kind) const {
  return holdsTensor(value) ? refuse(location, kind) : error(location);
}

} // namespace plumb::specialize
