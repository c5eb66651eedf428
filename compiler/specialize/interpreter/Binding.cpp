// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a call's arguments become the values of a function's parameters.

#include "compiler/specialize/interpreter/Binding.h"
#include "compiler/specialize/tensors/Reports.h"

using namespace mlir;

namespace plumb::specialize {

namespace {
/// Binds the arguments of one call.
class Binder {
public:
  Binder(Location location, net::PythonFuncOp function, const Arguments &arguments)
      : location(location), function(function), arguments(arguments), bound(function.getParams().size()) {}

  FailureOr<SmallVector<AbstractValue>> bind();

private:
  LogicalResult fail(const Twine &what);
  LogicalResult bindPositional();
  LogicalResult bindKeyword(StringAttr name, const AbstractValue &value, bool isCapture);
  bool isCaptured(StringAttr name) const;

  Location location;
  net::PythonFuncOp function;
  const Arguments &arguments;
  SmallVector<std::optional<AbstractValue>> bound; ///< By parameter.
  unsigned direct = 0;                             ///< How many arguments have a parameter by their position.
  SmallVector<Attribute> extraKeys;                ///< What `**kwargs` gets.
  SmallVector<AbstractValue> extraValues;
};
} // namespace

LogicalResult Binder::fail(const Twine &what) {
  auto diagnostic = error(location) << "TypeError: " << function.getSymName() << "() " << what;
  diagnostic.attachNote(function.getLoc()) << "the function is defined here";
  return diagnostic;
}

LogicalResult Binder::bindPositional() {
  unsigned given = arguments.positional.size();
  unsigned positional = bound.size() - function.getKeywordOnly().value_or(0);
  direct = std::min<unsigned>(given, positional);
  for (unsigned i = 0; i < direct; ++i)
    bound[i] = arguments.positional[i];
  if (given > direct && !function.getStarArgs())
    return fail("takes " + Twine(positional) + " positional arguments but " + Twine(given) + " were given");
  return success();
}

/// Whether a closure captures a name: a call cannot name it.
bool Binder::isCaptured(StringAttr name) const {
  return llvm::any_of(ArrayRef(arguments.keywords).take_front(arguments.captured),
                      [&](auto &keyword) { return keyword.first == name; });
}

LogicalResult Binder::bindKeyword(StringAttr name, const AbstractValue &value, bool isCapture) {
  ArrayAttr params = function.getParams();
  auto *found = llvm::find(params, name);
  if (found == params.end() || (!isCapture && isCaptured(name))) {
    if (!function.getStarKwargs())
      return fail("got an unexpected keyword argument '" + name.getValue() + "'");
    extraKeys.push_back(name);
    extraValues.push_back(value);
    return success();
  }
  auto &slot = bound[found - params.begin()];
  if (slot)
    return fail("got multiple values for argument '" + name.getValue() + "'");
  slot = value;
  return success();
}

FailureOr<SmallVector<AbstractValue>> Binder::bind() {
  if (failed(bindPositional()))
    return failure();
  for (auto [place, keyword] : llvm::enumerate(arguments.keywords))
    if (failed(bindKeyword(keyword.first, keyword.second, place < arguments.captured)))
      return failure();
  SmallVector<AbstractValue> values;
  for (auto [param, slot] : llvm::zip(function.getParams(), bound)) {
    StringRef name = llvm::cast<StringAttr>(param).getValue();
    Attribute fallback = function.getDefault(name);
    if (!slot && !fallback)
      return fail("is missing the argument '" + name.rtrim('/') + "'");
    values.push_back(slot ? *slot : AbstractValue::getConstant(fallback));
  }
  if (function.getStarArgs())
    values.push_back(AbstractValue::getTuple(ArrayRef(arguments.positional).drop_front(direct)));
  if (function.getStarKwargs())
    values.push_back(AbstractValue::getDictionary(ArrayAttr::get(function.getContext(), extraKeys), extraValues));
  return values;
}

FailureOr<SmallVector<AbstractValue>> bindArguments(Location location, net::PythonFuncOp function,
                                                    const Arguments &arguments) {
  return Binder(location, function, arguments).bind();
}

} // namespace plumb::specialize
