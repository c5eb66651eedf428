// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `object.name`: members of cells and modules, what a tensor says about itself,
// and methods, which stay bound to their object until they are called.

#include "compiler/specialize/Interpreter.h"

#include "compiler/resolve/Suggestions.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;

namespace plumb::specialize {

/// Refuses an attribute that compiled functions do not offer of tensors; a method that changes one in place mostly has
/// a counterpart that gives a new one.
Result Interpreter::refuseTensorAttribute(Location location, const AbstractValue &object, StringRef name) {
  auto diagnostic = refuse(location) << "AttributeError: a tensor has no attribute '" << name
                                     << "' in compiled functions";
  StringRef counterpart = name;
  if (counterpart.consume_back("_") && !counterpart.empty() && methods.has(object, counterpart))
    diagnostic << ", where tensors do not change in place; assign the result of '" << counterpart << "' instead";
  return diagnostic;
}

Result Interpreter::getAttribute(Location location, const AbstractValue &object, StringAttr name) {
  if (isTensorLike(object)) {
    if (auto result = getTensorAttribute(location, object, name))
      return *result;
    if (methods.has(object, name))
      return AbstractValue::getMethod(object, name);
    bool isOfNumbers = llvm::is_contained(
        {"bit_length", "bit_count", "conjugate", "is_integer", "as_integer_ratio", "hex"}, name.getValue());
    if (isOfNumbers && getTypeOf(object).getRank() == 0)
      return refuse(location) << "TypeError: '" << name.getValue()
                              << "' needs a number that is known while compiling; one that "
                              << "a loop or a branch on a tensor changes is a tensor";
    return refuseTensorAttribute(location, object, name.getValue());
  }
  if (auto symbol = object.getAs<FlatSymbolRefAttr>())
    return getSymbolAttribute(location, symbol, name);
  if (object.isText())
    return llvm::is_contained<StringRef>({"format", "format_map", "join"}, name.getValue())
               ? Result(AbstractValue::getMethod(object, name))
               : Result(refuseLetters(location));
  if (isLive() && !object.isUndefined()) {
    if (live.askMethod(location, object, name))
      return AbstractValue::getMethod(object, name);
    return live.ask(location, "getattr", {{object, AbstractValue::getConstant(name)}, {}});
  }
  if (methods.has(object, name))
    return AbstractValue::getMethod(object, name);
  return error(location) << "AttributeError: " << object.describe() << " has no attribute '" << name.getValue() << "'";
}

static void collectNames(DictionaryAttr dictionary, SmallVectorImpl<StringRef> &names) {
  for (NamedAttribute entry : dictionary)
    names.push_back(entry.getName().getValue());
}

/// A member of a namespace or a cell; a cell's method is bound to the cell.
Result Interpreter::getSymbolAttribute(Location location, FlatSymbolRefAttr object, StringAttr name) {
  SmallVector<StringRef> known;
  std::string owner = "'" + object.getValue().str() + "'";
  if (auto space = symbols.lookup<net::NamespaceOp>(object.getValue())) {
    if (Attribute member = space.getMembers().get(name))
      return AbstractValue::getConstant(member);
    collectNames(space.getMembers(), known);
    owner = "the module " + owner;
  } else if (auto cell = symbols.lookup<net::CellOp>(object.getValue())) {
    if (const AbstractValue *value = findSetAttribute(object, name))
      return *value;
    if (!cell->hasAttr("made")) // One that this run makes lives no longer than it.
      attributesRead.try_emplace(builder.getArrayAttr({object, name}), location);
    if (Attribute member = cell.getMembers().get(name))
      return AbstractValue::getConstant(member);
    if (auto method = llvm::dyn_cast_or_null<FlatSymbolRefAttr>(cell.getMethods().get(name)))
      return AbstractValue::getConstant(net::MethodAttr::get(context(), method, object));
    collectNames(cell.getMembers(), known);
    collectNames(cell.getMethods(), known);
    owner = "the " + cell.getClassName().str() + " " + owner;
  }
  if (isLive())
    return live.ask(location, "getattr", {{AbstractValue::getConstant(object), AbstractValue::getConstant(name)}, {}});
  auto diagnostic = error(location) << "AttributeError: " << owner << " has no attribute '" << name.getValue() << "'";
  if (auto similar = findSimilar(name, known); !similar.empty())
    diagnostic << "; did you mean '" << similar << "'?";
  return diagnostic;
}

/// Bytes of one element; a boolean takes one.
static int64_t getItemSize(Type element) {
  if (auto complex = llvm::dyn_cast<ComplexType>(element))
    return 2 * getItemSize(complex.getElementType());
  return (element.getIntOrFloatBitWidth() + 7) / 8;
}

/// What a tensor or a Parameter says about itself, all known now.
std::optional<Result> Interpreter::getTensorAttribute(Location location, const AbstractValue &object, StringRef name) {
  RankedTensorType type = getTypeOf(object);
  if (name == "shape") {
    SmallVector<AbstractValue> sizes;
    for (int64_t size : type.getShape())
      sizes.push_back(integer(size));
    return AbstractValue::getTuple(sizes);
  }
  if (name == "dtype")
    return AbstractValue::getConstant(TypeAttr::get(type.getElementType()));
  if (name == "ndim")
    return integer(type.getRank());
  if (name == "size")
    return integer(type.getNumElements());
  if (name == "itemsize")
    return integer(getItemSize(type.getElementType()));
  if (name == "nbytes")
    return integer(type.getNumElements() * getItemSize(type.getElementType()));
  if (name == "strides") {
    SmallVector<AbstractValue> steps;
    for (int64_t step : computeStrides(type.getShape()))
      steps.push_back(integer(step * getItemSize(type.getElementType())));
    return AbstractValue::getTuple(steps);
  }
  if (name == "T")
    return methods.callTensorMethod(location, object, "transpose", {});
  if (name == "mT" || name == "mH" || name == "H") {
    Arguments axes;
    axes.positional = {integer(-1), integer(-2)};
    Result swapped = name == "H" ? methods.callTensorMethod(location, object, "transpose", {})
                                 : methods.call(location, object, "swapaxes", axes);
    return failed(swapped) || name == "mT" ? swapped : methods.call(location, *swapped, "conj", {});
  }
  net::ParameterOp parameter = getParameter(object);
  if (parameter && name == "name")
    return string(parameter.getSymName());
  if (parameter && name == "requires_grad")
    return makeBool(parameter.getRequiresGrad());
  return std::nullopt;
}

bool Interpreter::hasAttribute(const AbstractValue &object, StringAttr name) {
  if (isTensorLike(object))
    return llvm::is_contained({"shape", "dtype", "ndim", "size", "itemsize", "nbytes", "strides", "T", "mT", "H", "mH"},
                              name.getValue()) ||
           (getParameter(object) && (name == "name" || name == "requires_grad")) || methods.has(object, name);
  auto symbol = object.getAs<FlatSymbolRefAttr>();
  if (!symbol)
    return methods.has(object, name);
  if (auto space = symbols.lookup<net::NamespaceOp>(symbol.getValue()))
    return static_cast<bool>(space.getMembers().get(name));
  auto cell = symbols.lookup<net::CellOp>(symbol.getValue());
  return cell && (cell.getMembers().get(name) || cell.getMethods().get(name));
}

} // namespace plumb::specialize
