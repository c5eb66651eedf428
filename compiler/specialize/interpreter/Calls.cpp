// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of Python functions and of all else that can be called. A Python function is called as a typed one
// (Specializations.cpp).

#include "compiler/specialize/interpreter/Calls.h"
#include "compiler/specialize/interpreter/Binding.h"
#include "compiler/specialize/interpreter/Effects.h"
#include "compiler/specialize/interpreter/Interpreter.h"
#include "compiler/specialize/tensors/WeakTypes.h"

using namespace mlir;

namespace plumb::specialize {

Result Calls::call(Location location, const AbstractValue &callee, const Arguments &arguments) {
  switch (callee.getKind()) {
  case AbstractValue::Kind::Constant: return callObject(location, callee.getConstant(), arguments);
  case AbstractValue::Kind::Method:
    return interpreter.methods.call(location, callee.getElements().front(),
                                    llvm::cast<StringAttr>(callee.getConstant()).getValue(), arguments);
  case AbstractValue::Kind::Gradient: return interpreter.gradients.call(location, callee, arguments);
  case AbstractValue::Kind::Choice: {
    auto functions = callee.getElements().drop_front();
    return interpreter.subscripts.choose(location, callee.getElements().front(), functions.size(),
                                         [&](unsigned number) { return call(location, functions[number], arguments); });
  }
  case AbstractValue::Kind::Closure:
    return callFunction(location, closures.getFunction(callee), closures.addCaptured(callee, arguments));
  default: return error(location) << "TypeError: " << callee.describe() << " cannot be called";
  }
}

/// What a call of a method passes to its function.
static Arguments addSelf(const BoundFunction &method, const Arguments &arguments) {
  Arguments all = arguments;
  if (method.self)
    all.positional.insert(all.positional.begin(), *method.self);
  return all;
}

Result Calls::callObject(Location location, Attribute object, const Arguments &arguments) {
  if (auto primitive = llvm::dyn_cast<net::PrimitiveAttr>(object))
    return interpreter.primitives.call(location, primitive, arguments);
  if (auto gradient = llvm::dyn_cast<net::GradAttr>(object))
    return interpreter.gradients.call(location, interpreter.gradients.make(gradient), arguments);
  auto callee = AbstractValue::getConstant(object);
  auto function = findFunction(callee);
  if (!function && isLive() && !getParameter(callee))
    return live.askCall(location, callee, arguments);
  if (!function)
    return error(location) << "TypeError: " << describeConstant(object) << " cannot be called";
  return callFunction(location, function->function, addSelf(*function, arguments));
}

/// Whether a call does nothing but compute its result, and ends.
static bool isPure(const Specialization &specialization) {
  Effects effects = getEffects(specialization.function);
  return !effects.print && !effects.stateful && !effects.unsafe && !specialization.raises &&
         specialization.thrown.empty() && specialization.changed.empty() && !specialization.neverReturns;
}

Result Calls::callFunction(Location location, net::PythonFuncOp function, const Arguments &arguments) {
  auto bound = bindArguments(location, function, arguments);
  if (failed(bound))
    return failure();
  net::PythonFuncOp rule = interpreter.gradientRules.find(function, *bound);
  if (rule && failed(writer.readParameters(location, *bound)))
    return failure();
  auto specialization = specializeFunction(location, function, *bound, Use::Call);
  if (failed(specialization))
    return failure();
  if (!run.frame.pending.empty() && !isPure(**specialization)) // Whether this call is reached, a tensor decides.
    return raises.refuseHandled(location, run.frame.pending.front().where);
  if (rule && failed(interpreter.gradientRules.attach(location, rule, **specialization, *bound)))
    return failure();
  return interpreter.specializations.writeCall(location, **specialization, *bound);
}

FailureOr<Specialization *> Calls::specializeFunction(Location location, net::PythonFuncOp function,
                                                      ArrayRef<AbstractValue> arguments, Use use, bool asTensors) {
  Attribute key = FlatSymbolRefAttr::get(function.getSymNameAttr());
  if (asTensors)
    key = builder.getArrayAttr({key, builder.getStringAttr("differentiated")});
  return interpreter.specializations.specialize(
      location, key, getName(function, arguments), arguments, function.getLoc(),
      [&](ArrayRef<AbstractValue> inner) {
        Result made = interpret(function, inner);
        return failed(made) || !asTensors ? made : interpreter.gradients.makeDifferentiable(function.getLoc(), *made);
      },
      use);
}

/// The typed function of a Python function, with what to pass to it.
FailureOr<Callee> Calls::specializeBound(Location location, net::PythonFuncOp function, const Arguments &arguments,
                                         Use use, bool asTensors) {
  auto bound = bindArguments(location, function, arguments);
  auto made = failed(bound) ? FailureOr<Specialization *>(failure())
                            : specializeFunction(location, function, *bound, use, asTensors);
  if (failed(made))
    return failure();
  return Callee{*made, *bound, interpreter.specializations.getTensors(*bound)};
}

/// A typed function around the call of something else.
FailureOr<Specialization *> Calls::specializeCall(Location location, const AbstractValue &callee,
                                                  ArrayRef<AbstractValue> arguments, Use use, bool asTensors) {
  Attribute key = builder.getArrayAttr({callee.getSignature(context()), builder.getBoolAttr(asTensors)});
  auto interpretCall = [&](ArrayRef<AbstractValue> inner) {
    Arguments positional;
    positional.positional.assign(inner.begin(), inner.end());
    Result made = call(location, callee, positional);
    return failed(made) || !asTensors ? made : interpreter.gradients.makeDifferentiable(location, *made);
  };
  return interpreter.specializations.specialize(location, key, "call", arguments, location, interpretCall, use);
}

/// A Python function is specialised directly; anything else gets a function around its call. So does a cell with a rule
/// of its own, which is for calls: the function around the call is differentiated.
FailureOr<Callee> Calls::specialize(Location location, const AbstractValue &callee, const Arguments &arguments, Use use,
                                    bool asTensors) {
  if (callee.isClosure()) {
    net::PythonFuncOp inner = closures.getFunction(callee);
    if (inner.getStarArgs())
      return refuse(location) << "TypeError: an inner function with '*" << *inner.getStarArgs()
                              << "' cannot be differentiated; name its inputs";
    return specializeBound(location, inner, closures.addCaptured(callee, arguments), use, asTensors);
  }
  auto function = findFunction(callee);
  bool hasRule = function && function->self && interpreter.gradientRules.find(function->function, *function->self);
  if (function && !hasRule)
    return specializeBound(location, function->function, addSelf(*function, arguments), use, asTensors);
  if (!arguments.keywords.empty())
    return error(location) << "the gradient of " << callee.describe() << " takes no keyword arguments";
  auto made = specializeCall(location, callee, arguments.positional, use, asTensors);
  if (failed(made))
    return failure();
  return Callee{*made, arguments.positional, interpreter.specializations.getTensors(arguments.positional)};
}

Result Calls::interpret(net::PythonFuncOp function, ArrayRef<AbstractValue> arguments) {
  SmallVector<StringAttr> params;
  for (Attribute param : function.getParams())
    params.push_back(llvm::cast<StringAttr>(param));
  if (StringAttr name = function.getStarArgsAttr())
    params.push_back(name);
  if (StringAttr name = function.getStarKwargsAttr())
    params.push_back(name);
  for (auto [name, value] : llvm::zip(params, arguments))
    run.state.names[name] = value;
  // A function that reaches its end returns None.
  auto exit = blocks.runBlock(function.getBody().front(), [&](Exit exit) -> FailureOr<Exit> {
    return exits.proceed(exit, [&](Exit reached) -> FailureOr<Exit> {
      if (reached.flow != Flow::Next)
        return reached;
      run.chain.withoutReturn = function;
      return Exit{Flow::Return, function.getLoc(), none()};
    });
  });
  if (failed(exit))
    return failure();
  run.frame.hasRaised = exit->flow == Flow::Raise;
  run.frame.pending = exit->thrown;
  bool mayReturn = exit->flow == Flow::Return || exit->getTaken(Flow::Return);
  return mayReturn ? exit->value : none();
}

/// Methods are named after the cell they are bound to: `network.fc1.construct`.
std::string Calls::getName(net::PythonFuncOp function, ArrayRef<AbstractValue> arguments) const {
  StringRef name = function.getSymName();
  auto self = arguments.empty() ? FlatSymbolRefAttr() : arguments.front().getAs<FlatSymbolRefAttr>();
  bool method =
      self && symbols.lookup<net::CellOp>(self.getValue()) && llvm::cast<StringAttr>(function.getParams()[0]) == "self";
  if (!method)
    return name.str();
  return (self.getValue() + "." + name.rsplit('.').second).str();
}

} // namespace plumb::specialize
