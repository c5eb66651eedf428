// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/specialize/tensors/Part.h"
#include "compiler/specialize/tensors/Reports.h"

#include "dialects/net/ir/NetConstantOps.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVectorExtras.h"

#include <functional>

using namespace mlir;

namespace plumb::specialize {

AbstractValue Part::none() const { return AbstractValue::getConstant(net::NoneAttr::get(context())); }

Result Part::yieldNone(LogicalResult result) const {
  if (failed(result))
    return failure();
  return none();
}

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

/// What the Python process says that an object is beside what it is else.
static AbstractValue getBeside(const SymbolTable &symbols, const AbstractValue &value, StringRef what) {
  auto symbol = value.getAs<FlatSymbolRefAttr>();
  auto object = symbol ? symbols.lookup<net::CellOp>(symbol.getValue()) : net::CellOp();
  Attribute known = object ? object->getAttr(what) : Attribute();
  return known ? AbstractValue::getConstant(known) : value;
}

AbstractValue Part::asNumber(const AbstractValue &value) const { return getBeside(symbols, value, "number"); }

AbstractValue Part::asNumbers(const AbstractValue &value) const {
  if (value.isConstant())
    return getBeside(symbols, asNumber(value), "items");
  if (!value.isSequence() && !value.isSlice())
    return value;
  auto items = llvm::map_to_vector(value.getElements(), [&](const AbstractValue &item) { return asNumbers(item); });
  bool isSame = llvm::all_of(llvm::zip(items, value.getElements()),
                             [](auto pair) { return isIdentical(std::get<0>(pair), std::get<1>(pair)); });
  return isSame ? value : value.isSlice() ? AbstractValue::getSlice(items) : value.withElements(items);
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
    return llvm::any_of(part.getParts(), holds);
  };
  return holds(value);
}

FailureOr<SmallVector<int64_t>> Part::getIntegers(Location location, StringRef what, const AbstractValue &value) const {
  SmallVector<int64_t> integers;
  for (const AbstractValue &element : value.isSequence() ? value.getElements() : ArrayRef(value)) {
    auto number = getInteger(asNumber(element));
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

std::optional<BoundFunction> Part::findFunction(const AbstractValue &callee) const {
  if (auto method = callee.getAs<net::MethodAttr>()) {
    auto function = symbols.lookup<net::PythonFuncOp>(method.getFunction().getValue());
    if (!function)
      return std::nullopt;
    return BoundFunction{function, AbstractValue::getConstant(method.getSelf())};
  }
  auto symbol = callee.getAs<FlatSymbolRefAttr>();
  if (!symbol)
    return std::nullopt;
  if (auto function = symbols.lookup<net::PythonFuncOp>(symbol.getValue()))
    return BoundFunction{function, std::nullopt};
  auto cell = symbols.lookup<net::CellOp>(symbol.getValue());
  if (!cell)
    return std::nullopt;
  auto construct = llvm::dyn_cast_or_null<FlatSymbolRefAttr>(cell.getMethods().get("construct"));
  if (!construct)
    return std::nullopt;
  auto function = symbols.lookup<net::PythonFuncOp>(construct.getValue());
  if (!function)
    return std::nullopt;
  return BoundFunction{function, callee};
}

bool Part::isCallable(const AbstractValue &value) const {
  using Kind = AbstractValue::Kind;
  return llvm::is_contained({Kind::Method, Kind::Gradient, Kind::Choice, Kind::Closure}, value.getKind()) ||
         value.getAs<net::PrimitiveAttr>() || value.getAs<net::GradAttr>() || findFunction(value).has_value();
}

bool Part::isTensorToPython(const AbstractValue &value) const { return isTensorLike(value) && !value.isWeak(); }

} // namespace plumb::specialize
