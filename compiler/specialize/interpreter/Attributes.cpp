// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `object.name`: members of cells and modules, what a tensor says about itself, and methods, which stay bound to their
// object until they are called.
//
// Attributes that the program sets are one dict, which each call hands to the next: calls read what others wrote.

#include "compiler/specialize/interpreter/Attributes.h"
#include "compiler/specialize/interpreter/Interpreter.h"

#include "compiler/resolve/Suggestions.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;

namespace plumb::specialize {

/// Refuses an attribute that compiled functions do not offer of tensors; a method that changes one in place mostly has
/// a counterpart that gives a new one.
Result Attributes::refuseOfTensor(Location location, const AbstractValue &object, StringRef name) {
  auto diagnostic = refuse(location) << "AttributeError: a tensor has no attribute '" << name
                                     << "' in compiled functions";
  StringRef counterpart = name;
  if (counterpart.consume_back("_") && !counterpart.empty() && interpreter.methods.has(object, counterpart))
    diagnostic << ", where tensors do not change in place; assign the result of '" << counterpart << "' instead";
  return diagnostic;
}

Result Attributes::getOfTensorLike(Location location, const AbstractValue &object, StringAttr name) {
  if (auto result = getOfTensor(location, object, name))
    return *result;
  if (interpreter.methods.has(object, name))
    return AbstractValue::getMethod(object, name);
  bool isOfNumbers = llvm::is_contained(
      {"bit_length", "bit_count", "conjugate", "is_integer", "as_integer_ratio", "hex"}, name.getValue());
  if (isOfNumbers && getTypeOf(object).getRank() == 0)
    return refuse(location) << "TypeError: '" << name.getValue()
                            << "' needs a number that is known while compiling; one that "
                            << "a loop or a branch on a tensor changes is a tensor";
  return refuseOfTensor(location, object, name.getValue());
}

Result Attributes::get(Location location, const AbstractValue &object, StringAttr name) {
  if (isTensorLike(object))
    return getOfTensorLike(location, object, name);
  if (auto symbol = object.getAs<FlatSymbolRefAttr>())
    return getOfSymbol(location, symbol, name);
  if (object.isText())
    return llvm::is_contained<StringRef>({"format", "format_map", "join"}, name.getValue())
               ? Result(AbstractValue::getMethod(object, name))
               : Result(refuseLetters(location));
  if (isLive() && !object.isUndefined()) {
    if (live.askMethod(location, object, name))
      return AbstractValue::getMethod(object, name);
    return live.ask(location, "getattr", {{object, AbstractValue::getConstant(name)}, {}});
  }
  if (interpreter.methods.has(object, name))
    return AbstractValue::getMethod(object, name);
  return error(location) << "AttributeError: " << object.describe() << " has no attribute '" << name.getValue() << "'";
}

static void collectNames(DictionaryAttr dictionary, SmallVectorImpl<StringRef> &names) {
  for (NamedAttribute entry : dictionary)
    names.push_back(entry.getName().getValue());
}

/// A member of a namespace or a cell; a cell's method is bound to the cell.
Result Attributes::getOfSymbol(Location location, FlatSymbolRefAttr object, StringAttr name) {
  if (auto space = symbols.lookup<net::NamespaceOp>(object.getValue())) {
    if (Attribute member = space.getMembers().get(name))
      return AbstractValue::getConstant(member);
  } else if (auto cell = symbols.lookup<net::CellOp>(object.getValue())) {
    if (const AbstractValue *value = findSet(object, name))
      return value->isUndefined() ? getPartial(location, object, name, *value) : *value;
    Attribute member = cell.getMembers().get(name);
    auto method = llvm::dyn_cast_or_null<FlatSymbolRefAttr>(cell.getMethods().get(name));
    if ((member || method) && failed(noteRead(location, object, name)))
      return failure();
    if (member)
      return AbstractValue::getConstant(member);
    if (method)
      return AbstractValue::getBound(net::MethodAttr::get(context(), method, object));
  }
  if (!isLive())
    return failMissing(location, object, name);
  Result found =
      live.ask(location, "getattr", {{AbstractValue::getConstant(object), AbstractValue::getConstant(name)}, {}});
  bool isComputed = findSet(object, name); // a functools.cached_property, which every call stores
  if (succeeded(found) && !isComputed && failed(noteRead(location, object, name)))
    return failure();
  return found;
}

/// Whether an object lives longer than the run.
bool Attributes::isFromOutside(Attribute object) const {
  auto cell = symbols.lookup<net::CellOp>(llvm::cast<FlatSymbolRefAttr>(object).getValue());
  return cell && !cell->hasAttr("made");
}

/// Takes note that an attribute of an object from outside is read as it was before the call.
LogicalResult Attributes::noteRead(Location location, FlatSymbolRefAttr object, StringAttr name) {
  if (!isFromOutside(object))
    return success();
  Attribute key = builder.getArrayAttr({object, name});
  read.try_emplace(key, location);
  auto set = interpreter.setAttributes.findConditional(key);
  return set ? refuseState(*set, name, location) : success();
}

LogicalResult Attributes::refuseState(Location set, StringAttr name, Location readAt) const {
  auto diagnostic = refuse(set) << "RuntimeError: the attribute '" << name.getValue()
                                << "' is read before it is set, so its value would have to live from "
                                << "one call to the next; make it a Parameter, and write it with "
                                << "ops.assign";
  diagnostic.attachNote(readAt) << "it is read here";
  return diagnostic;
}

/// An attribute that may be set: a functools.cached_property is computed where it is not, all else is refused.
Result Attributes::getPartial(Location location, FlatSymbolRefAttr object, StringAttr name,
                              const AbstractValue &partial) {
  Result computed = none();
  if (isLive() && partial.isPartial())
    computed = live.ask(location, "again",
                        {{AbstractValue::getConstant(object), AbstractValue::getConstant(name),
                          partial.getElements()[0], partial.getElements()[1]},
                         {}});
  if (failed(computed) || !isNone(*computed))
    return computed;
  if (const AbstractValue *now = findSet(object, name); now && !now->isUndefined())
    return *now; // The property gives None.
  return interpreter.setAttributes.refuseUse(location, partial);
}

void Attributes::noteMissing(Location location, Attribute object, StringAttr name) {
  if (isFromOutside(object))
    missing.try_emplace(builder.getArrayAttr({object, name}), location);
}

LogicalResult Attributes::checkNoneMissed() const {
  for (Attribute key : run.state.attributes.getKeys())
    if (auto found = missing.find(key); found != missing.end())
      return refuseState(found->second, llvm::cast<StringAttr>(llvm::cast<ArrayAttr>(key)[1]), found->second);
  return success();
}

/// Says that a namespace or a cell has no attribute of a name, and which name was perhaps meant.
Result Attributes::failMissing(Location location, FlatSymbolRefAttr object, StringAttr name) const {
  SmallVector<StringRef> known;
  std::string owner = "'" + object.getValue().str() + "'";
  if (auto space = symbols.lookup<net::NamespaceOp>(object.getValue())) {
    collectNames(space.getMembers(), known);
    owner = "the module " + owner;
  } else if (auto cell = symbols.lookup<net::CellOp>(object.getValue())) {
    collectNames(cell.getMembers(), known);
    collectNames(cell.getMethods(), known);
    owner = "the " + cell.getClassName().str() + " " + owner;
  }
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

/// The transposes of a tensor: with all axes reversed (T, H) or the last two swapped, and conjugate (H, mH).
Result Attributes::swapAxes(Location location, const AbstractValue &object, StringRef name) {
  if (name == "T")
    return interpreter.methods.callTensorMethod(location, object, "transpose", {});
  Arguments axes;
  axes.positional = {integer(-1), integer(-2)};
  Result swapped = name == "H" ? interpreter.methods.callTensorMethod(location, object, "transpose", {})
                               : interpreter.methods.call(location, object, "swapaxes", axes);
  return failed(swapped) || name == "mT" ? swapped : interpreter.methods.call(location, *swapped, "conj", {});
}

std::optional<Result> Attributes::getOfTensor(Location location, const AbstractValue &object, StringRef name) {
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
  if (llvm::is_contained({"T", "mT", "mH", "H"}, name))
    return swapAxes(location, object, name);
  net::ParameterOp parameter = getParameter(object);
  if (parameter && name == "name")
    return string(parameter.getSymName());
  if (parameter && name == "requires_grad")
    return makeBool(parameter.getRequiresGrad());
  return std::nullopt;
}

bool Attributes::has(const AbstractValue &object, StringAttr name) {
  if (isTensorLike(object))
    return llvm::is_contained({"shape", "dtype", "ndim", "size", "itemsize", "nbytes", "strides", "T", "mT", "H", "mH"},
                              name.getValue()) ||
           (getParameter(object) && (name == "name" || name == "requires_grad")) ||
           interpreter.methods.has(object, name);
  auto symbol = object.getAs<FlatSymbolRefAttr>();
  if (!symbol)
    return interpreter.methods.has(object, name);
  if (auto space = symbols.lookup<net::NamespaceOp>(symbol.getValue()))
    return static_cast<bool>(space.getMembers().get(name));
  auto cell = symbols.lookup<net::CellOp>(symbol.getValue());
  return cell && (cell.getMembers().get(name) || cell.getMethods().get(name));
}

Result Attributes::callSetattr(Location location, StringRef name, const Arguments &arguments) {
  auto attribute = arguments.positional[1].getAs<StringAttr>();
  if (!attribute)
    return errorOn(location, arguments.positional[1])
           << "TypeError: attribute name must be string, not " << arguments.positional[1].describe();
  return yieldNone(store(location, arguments.positional[0], attribute, arguments.positional[2], name == "set_entry"));
}

/// The function of a property that sets an attribute, None for a plain one; `isEntry` for `vars(object)[name] = …`.
Result Attributes::findSetter(Location location, FlatSymbolRefAttr object, StringAttr name, bool isEntry) {
  if (!isLive())
    return none();
  Attribute key = builder.getArrayAttr({object, name, builder.getBoolAttr(isEntry)});
  if (auto known = setters.find(key); known != setters.end())
    return known->second;
  Result setter =
      live.ask(location, "setter",
               {{AbstractValue::getConstant(object), AbstractValue::getConstant(name), makeBool(isEntry)}, {}});
  if (succeeded(setter))
    setters[key] = *setter;
  return setter;
}

LogicalResult Attributes::store(Location location, const AbstractValue &object, StringAttr name,
                                const AbstractValue &value, bool isEntry) {
  auto symbol = object.getAs<FlatSymbolRefAttr>();
  auto cell = symbol ? symbols.lookup<net::CellOp>(symbol.getValue()) : nullptr;
  auto member = cell ? llvm::dyn_cast_or_null<FlatSymbolRefAttr>(cell.getMembers().get(name)) : FlatSymbolRefAttr();
  if (!member || !symbols.lookup<net::ParameterOp>(member.getValue())) {
    Result setter = cell ? findSetter(location, symbol, name, isEntry) : none();
    if (failed(setter))
      return failure();
    if (!isNone(*setter))
      return success(succeeded(interpreter.calls.call(location, *setter, {{object, value}, {}})));
    if (cell)
      return set(location, symbol, name, value);
    return refuse(location) << "AttributeError: cannot set the attribute '" << name.getValue() << "' of "
                            << object.describe() << ": inside a compiled function "
                            << "attributes of Cells and of other objects can be set"
                            << (isTensorLike(object) ? "; keep the value in a variable, or in an attribute of the Cell"
                                                     : "");
  }
  if (value.getAs<FlatSymbolRefAttr>() == member)
    return success(); // `self.p[0] = value` has assigned it.
  return writer.assign(location, member, value);
}

const AbstractValue *Attributes::findSet(Attribute object, StringAttr name) const {
  Attribute key = builder.getArrayAttr({object, name});
  for (auto [known, value] : llvm::zip(run.state.attributes.getKeys(), run.state.attributes.getElements()))
    if (known == key)
      return &value;
  return nullptr;
}

LogicalResult Attributes::set(Location location, Attribute object, StringAttr name, const AbstractValue &value) {
  ArrayAttr key = builder.getArrayAttr({object, name});
  if (auto before = read.find(key); before != read.end())
    return refuseState(location, name, before->second);
  SmallVector<Attribute> keys(run.state.attributes.getKeys().begin(), run.state.attributes.getKeys().end());
  SmallVector<AbstractValue> elements(run.state.attributes.getElements());
  auto *found = llvm::find(keys, key);
  interpreter.setAttributes.note(key, location);
  if (found == keys.end()) {
    keys.push_back(key);
    elements.push_back(value);
  } else {
    elements[found - keys.begin()] = value;
  }
  return changes.change(location, run.state.attributes, elements, builder.getArrayAttr(keys));
}

} // namespace plumb::specialize
