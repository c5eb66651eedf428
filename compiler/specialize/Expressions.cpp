// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Python-level operations without control flow, one by one.

#include "compiler/specialize/Interpreter.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace plumb::specialize {

Result Interpreter::yieldNone(LogicalResult result) const {
  if (failed(result))
    return failure();
  return none();
}

/// Runs one operation and remembers what it yields.
LogicalResult Interpreter::evaluate(Operation &op) {
  Location location = op.getLoc();
  Result result =
      TypeSwitch<Operation *, Result>(&op)
          .Case<net::PythonLoadOp>([&](auto load) { return evaluateLoad(load); })
          .Case<net::PythonConstantOp>([&](auto constant) { return AbstractValue::getConstant(constant.getValue()); })
          .Case<net::PythonStoreOp>([&](auto store) -> Result {
            run.state.names[store.getNameAttr()] = run.state.getKept(store.getValue());
            return none();
          })
          .Case<net::PythonGetattrOp>([&](auto getattr) {
            return getAttribute(location, run.state.get(getattr.getObject()), getattr.getNameAttr());
          })
          .Case<net::PythonSetattrOp>([&](auto setattr) { return yieldNone(evaluateSetattr(setattr)); })
          .Case<net::PythonCallOp>([&](auto call) { return evaluateCall(call); })
          .Case<net::PythonOperatorOp>([&](auto operation) {
            SmallVector<AbstractValue> operands;
            for (Value operand : operation.getArgs())
              operands.push_back(run.state.get(operand));
            return operators.apply(location, operation.getName(), operands);
          })
          .Case<net::PythonSubscriptOp>([&](auto subscriptOp) {
            return subscript(location, run.state.get(subscriptOp.getObject()), run.state.get(subscriptOp.getIndex()));
          })
          .Case<net::PythonSliceOp>(
              [&](auto slice) { return AbstractValue::getSlice(run.state.getAllKept(slice->getOperands())); })
          .Case<net::PythonSetitemOp>([&](auto setitem) { return evaluateSetitem(setitem); })
          .Case<net::PythonTupleOp>(
              [&](auto tuple) { return AbstractValue::getTuple(run.state.getAllKept(tuple.getElements())); })
          .Case<net::PythonDictOp>([&](auto dict) { return evaluateDict(dict); })
          .Case<net::PythonAssertOp>([&](auto assertOp) { return yieldNone(runAssert(assertOp)); })
          .Default([&](Operation *unknown) -> Result {
            return error(location) << "'" << unknown->getName() << "' has no meaning in a Python function";
          });
  if (failed(result))
    return failure();
  if (op.getNumResults() == 1)
    run.state.enter(op.getResult(0), *result);
  return success();
}

/// An undefined name explains itself when it is used, not when it arises.
Result Interpreter::evaluateLoad(net::PythonLoadOp op) {
  auto known = run.state.names.find(op.getNameAttr());
  if (known == run.state.names.end()) {
    // Definitions that came late have not been through the resolve stage.
    auto function = op->getParentOfType<net::PythonFuncOp>();
    if (Attribute object = function.getNames().get(op.getNameAttr()))
      return AbstractValue::getConstant(object);
    return error(op.getLoc()) << "UnboundLocalError: '" << op.getName() << "' is used before it is assigned";
  }
  auto primitive = known->second.getAs<net::PrimitiveAttr>();
  if (primitive && primitive.getName() == "builtins.deleted")
    return error(op.getLoc()) << "UnboundLocalError: '" << op.getName() << "' is used after it was deleted";
  if (!known->second.isUndefined())
    return known->second;
  // Which side of a branch gave a name its value, only the running program knows.
  auto diagnostic = (known->second.isException() ? error(op.getLoc()) : refuse(op.getLoc())) << known->second.getWhy();
  for (Attribute note : known->second.getNotes())
    diagnostic.attachNote(llvm::cast<LocationAttr>(note)) << "assigned here";
  return diagnostic;
}

Result Interpreter::evaluateSetitem(net::PythonSetitemOp op) {
  return storeItem(op.getLoc(), run.state.get(op.getObject()), run.state.get(op.getIndex()),
                   run.state.getKept(op.getValue()), op.getBare());
}

Result Interpreter::evaluateDict(net::PythonDictOp op) {
  return AbstractValue::getDictionary(op.getKeys(), run.state.getAllKept(op.getValues())).growableAt(depth);
}

/// Whether a callee may keep what it is given: a function that the interpreter runs, a list that is made or grows.
bool Interpreter::keepsArguments(const AbstractValue &callee) {
  auto primitive = callee.getAs<net::PrimitiveAttr>();
  bool grows = callee.getKind() == AbstractValue::Kind::Method && callee.getElements()[0].isList() &&
               llvm::cast<StringAttr>(callee.getConstant()) == "append";
  return grows || callee.isClosure() || callee.getAs<net::MethodAttr>() || callee.getAs<FlatSymbolRefAttr>() ||
         (primitive && llvm::is_contained<StringRef>({"builtins.make_list", "builtins.boxed"}, primitive.getName()));
}

/// Unpacks * and ** so that callees see plain arguments only.
FailureOr<Arguments> Interpreter::getArguments(net::PythonCallOp op) {
  Arguments arguments;
  ArrayAttr names = op.getArgNamesAttr();
  bool keeps = keepsArguments(run.state.get(op.getCallee()));
  for (auto [index, operand] : llvm::enumerate(op.getArgs())) {
    const AbstractValue &value = keeps ? run.state.getKept(operand) : run.state.get(operand);
    auto name = names ? llvm::cast<StringAttr>(names[index]) : StringAttr::get(context());
    if (name.empty()) {
      arguments.positional.push_back(value);
    } else if (name == "*") {
      Result items = getIterated(op.getLoc(), value);
      if (failed(items))
        return failure();
      arguments.positional.append(items->getElements().begin(), items->getElements().end());
    } else if (name != "**") {
      arguments.keywords.emplace_back(name, value);
    } else if (value.isDictionary()) {
      for (auto [key, element] : llvm::zip(value.getKeys(), value.getElements())) {
        auto keyword = llvm::dyn_cast<StringAttr>(key);
        if (!keyword)
          return error(op.getLoc()) << "TypeError: keywords must be strings";
        arguments.keywords.emplace_back(keyword, element);
      }
    } else {
      return error(op.getLoc()) << "TypeError: the argument after ** must be a dict, not " << value.describe();
    }
  }
  return arguments;
}

Result Interpreter::evaluateCall(net::PythonCallOp op) {
  FailureOr<Arguments> arguments = getArguments(op);
  if (failed(arguments))
    return failure();
  if (AbstractValue view = makeView(run.state.get(op.getCallee()), *arguments); view.isView())
    return view;
  Result made = call(op.getLoc(), run.state.get(op.getCallee()), *arguments);
  return failed(made) ? made : Result(keepIterator(op, *made));
}

LogicalResult Interpreter::evaluateSetattr(net::PythonSetattrOp op) {
  return storeAttribute(op.getLoc(), run.state.get(op.getObject()), op.getNameAttr(), run.state.getKept(op.getValue()));
}

/// `setattr(object, name, value)`, and, as "set_entry", `vars(object)[name] = value`.
Result Interpreter::callSetattr(Location location, StringRef name, const Arguments &arguments) {
  auto attribute = arguments.positional[1].getAs<StringAttr>();
  if (!attribute)
    return errorOn(location, arguments.positional[1])
           << "TypeError: attribute name must be string, not " << arguments.positional[1].describe();
  return yieldNone(
      storeAttribute(location, arguments.positional[0], attribute, arguments.positional[2], name == "set_entry"));
}

/// The function of a property that sets an attribute, None for a plain one; `isEntry` for `vars(object)[name] = …`.
Result Interpreter::findSetter(Location location, FlatSymbolRefAttr object, StringAttr name, bool isEntry) {
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

/// `self.p = value` assigns the parameter that self holds under that name.
LogicalResult Interpreter::storeAttribute(Location location, const AbstractValue &object, StringAttr name,
                                          const AbstractValue &value, bool isEntry) {
  auto symbol = object.getAs<FlatSymbolRefAttr>();
  auto cell = symbol ? symbols.lookup<net::CellOp>(symbol.getValue()) : nullptr;
  auto member = cell ? llvm::dyn_cast_or_null<FlatSymbolRefAttr>(cell.getMembers().get(name)) : FlatSymbolRefAttr();
  if (!member || !symbols.lookup<net::ParameterOp>(member.getValue())) {
    Result setter = cell ? findSetter(location, symbol, name, isEntry) : none();
    if (failed(setter))
      return failure();
    if (!isNone(*setter))
      return success(succeeded(call(location, *setter, {{object, value}, {}})));
    if (cell)
      return setAttribute(location, symbol, name, value);
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

/// What a for loop or an unpacking sees of `value`: a sequence.
Result Interpreter::getIterated(Location location, const AbstractValue &value) {
  if (value.isSequence())
    return value;
  if (value.isIterator())
    return takeRest(location, value);
  if (value.isView())
    return getShown(value);
  if (value.isText())
    return refuseLetters(location);
  if (value.isSet())
    return AbstractValue::getTuple(value.getElements());
  if (isForeign(value))
    return live.ask(location, "iter", {{value}, {}});
  if (value.isDictionary())
    return AbstractValue::getTuple(value.getKeyValues());
  if (value.getAs<StringAttr>() && isLive())
    return live.ask(location, "iter", {{value}, {}});
  SmallVector<AbstractValue> items;
  if (auto text = value.getAs<StringAttr>()) {
    for (char letter : text.getValue())
      items.push_back(string(Twine(letter)));
    return AbstractValue::getTuple(items);
  }
  if (isTensorLike(value) && getTypeOf(value).getRank() > 0) {
    for (int64_t i = 0, e = getTypeOf(value).getDimSize(0); i < e; ++i) {
      Result item = subscript(location, value, integer(i));
      if (failed(item))
        return failure();
      items.push_back(*item);
    }
    return AbstractValue::getTuple(items);
  }
  if (isTensorLike(value))
    return error(location) << "TypeError: iteration over a 0-D tensor";
  return error(location) << "TypeError: " << value.describe() << " cannot be iterated over";
}

} // namespace plumb::specialize
