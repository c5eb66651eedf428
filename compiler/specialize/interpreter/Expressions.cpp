// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Python-level operations without control flow, one by one.

#include "compiler/specialize/interpreter/Expressions.h"
#include "compiler/specialize/interpreter/Interpreter.h"
#include "compiler/specialize/tensors/PackageLocation.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace plumb::specialize {

LogicalResult Expressions::evaluate(Operation &op) {
  Result result = compute(op);
  if (failed(result))
    return failure();
  if (op.getNumResults() == 1)
    run.state.enter(op.getResult(0), *result);
  return success();
}

/// What an operation yields; None where it is a statement.
Result Expressions::compute(Operation &op) {
  Location location = op.getLoc();
  State &state = run.state;
  return TypeSwitch<Operation *, Result>(&op)
      .Case<net::PythonLoadOp>([&](auto load) { return evaluateLoad(load); })
      .Case<net::PythonConstantOp>([&](auto constant) { return AbstractValue::getConstant(constant.getValue()); })
      .Case<net::PythonStoreOp>([&](auto store) -> Result {
        state.names[store.getNameAttr()] = state.getKept(store.getValue());
        return none();
      })
      .Case<net::PythonGetattrOp>([&](auto getattr) {
        return interpreter.attributes.get(location, state.get(getattr.getObject()), getattr.getNameAttr());
      })
      .Case<net::PythonSetattrOp>([&](auto setattr) {
        return yieldNone(interpreter.attributes.store(location, state.get(setattr.getObject()), setattr.getNameAttr(),
                                                      state.getKept(setattr.getValue())));
      })
      .Case<net::PythonCallOp>([&](auto call) { return evaluateCall(call); })
      .Case<net::PythonOperatorOp>([&](auto operation) { return evaluateOperator(operation); })
      .Case<net::PythonSubscriptOp>([&](auto read) {
        return interpreter.subscripts.get(location, state.get(read.getObject()), state.get(read.getIndex()));
      })
      .Case<net::PythonSetitemOp>([&](auto store) {
        return interpreter.subscripts.store(location, state.get(store.getObject()), state.get(store.getIndex()),
                                            state.getKept(store.getValue()), store.getBare());
      })
      .Case<net::PythonSliceOp>(
          [&](auto slice) { return AbstractValue::getSlice(state.getAllKept(slice->getOperands())); })
      .Case<net::PythonTupleOp>(
          [&](auto tuple) { return AbstractValue::getTuple(state.getAllKept(tuple.getElements())); })
      .Case<net::PythonDictOp>([&](auto dict) {
        return AbstractValue::getDictionary(dict.getKeys(), state.getAllKept(dict.getValues())).growableAt(depth);
      })
      .Case<net::PythonAssertOp>([&](auto check) { return yieldNone(interpreter.raiseStatements.runAssert(check)); })
      .Default([&](Operation *unknown) -> Result {
        return error(location) << "'" << unknown->getName() << "' has no meaning in a Python function";
      });
}

Result Expressions::evaluateOperator(net::PythonOperatorOp op) {
  SmallVector<AbstractValue> operands;
  for (Value operand : op.getArgs())
    operands.push_back(run.state.get(operand));
  return interpreter.operators.apply(op.getLoc(), op.getName(), operands);
}

/// An undefined name explains itself when it is used, not when it arises.
Result Expressions::evaluateLoad(net::PythonLoadOp op) {
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
    if (Location place = llvm::cast<LocationAttr>(note); !isInPackage(place))
      diagnostic.attachNote(place) << "assigned here";
  return diagnostic;
}

/// Whether a callee may keep what it is given: a function that the interpreter runs, a list that is made or grows.
static bool keepsArguments(const AbstractValue &callee) {
  auto primitive = callee.getAs<net::PrimitiveAttr>();
  bool grows = callee.getKind() == AbstractValue::Kind::Method && callee.getElements()[0].isList() &&
               llvm::cast<StringAttr>(callee.getConstant()) == "append";
  return grows || callee.isClosure() || callee.getAs<net::MethodAttr>() || callee.getAs<FlatSymbolRefAttr>() ||
         (primitive && llvm::is_contained<StringRef>({"builtins.make_list", "builtins.boxed"}, primitive.getName()));
}

/// Adds what stands behind `**` in a call.
LogicalResult Expressions::addKeywords(Location location, const AbstractValue &given, Arguments &arguments) {
  Result made = isForeign(given) ? interpreter.builtins.call(location, "dict", {{given}, {}}) : Result(given);
  if (failed(made))
    return failure();
  const AbstractValue &value = *made;
  if (!value.isDictionary())
    return error(location) << "TypeError: the argument after ** must be a dict, not " << value.describe();
  for (auto [key, element] : llvm::zip(value.getKeys(), value.getElements())) {
    auto keyword = llvm::dyn_cast<StringAttr>(key);
    if (!keyword)
      return error(location) << "TypeError: keywords must be strings";
    arguments.keywords.emplace_back(keyword, element);
  }
  return success();
}

/// Unpacks * and ** so that callees see plain arguments only.
FailureOr<Arguments> Expressions::getArguments(net::PythonCallOp op) {
  Arguments arguments;
  ArrayAttr names = op.getArgNamesAttr();
  bool keeps = keepsArguments(run.state.get(op.getCallee()));
  for (auto [index, operand] : llvm::enumerate(op.getArgs())) {
    const AbstractValue &value = keeps ? run.state.getKept(operand) : run.state.get(operand);
    auto name = names ? llvm::cast<StringAttr>(names[index]) : StringAttr::get(context());
    if (name.empty()) {
      arguments.positional.push_back(value);
    } else if (name == "*") {
      Result items = interpreter.iterators.getIterated(op.getLoc(), value);
      if (failed(items))
        return failure();
      arguments.positional.append(items->getElements().begin(), items->getElements().end());
    } else if (name != "**") {
      arguments.keywords.emplace_back(name, value);
    } else if (failed(addKeywords(op.getLoc(), value, arguments))) {
      return failure();
    }
  }
  return arguments;
}

Result Expressions::evaluateCall(net::PythonCallOp op) {
  FailureOr<Arguments> arguments = getArguments(op);
  if (failed(arguments))
    return failure();
  if (AbstractValue view = interpreter.iterators.makeView(run.state.get(op.getCallee()), *arguments); view.isView())
    return view;
  Result made = interpreter.calls.call(op.getLoc(), run.state.get(op.getCallee()), *arguments);
  return failed(made) ? made : interpreter.iterators.keep(op, *arguments, *made);
}

} // namespace plumb::specialize
