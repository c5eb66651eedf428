// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gradient rules that cells bring along: methods `bprop`, which become the attribute `custom_bprop` of what they
// are for.

#include "compiler/specialize/interpreter/GradientRules.h"
#include "compiler/specialize/interpreter/Binding.h"
#include "compiler/specialize/interpreter/Effects.h"
#include "compiler/specialize/interpreter/Interpreter.h"

using namespace mlir;

namespace plumb::specialize {

/// Hooks around a `construct` stand outside of the rule.
net::PythonFuncOp GradientRules::find(net::PythonFuncOp function, ArrayRef<AbstractValue> arguments) const {
  auto self = arguments.empty() ? FlatSymbolRefAttr() : arguments.front().getAs<FlatSymbolRefAttr>();
  auto cell = self ? symbols.lookup<net::CellOp>(self.getValue()) : net::CellOp();
  bool isHooked = cell && cell.getMethods().contains("unhooked");
  if (!cell ||
      cell.getMethods().get(isHooked ? "unhooked" : "construct") != FlatSymbolRefAttr::get(function.getSymNameAttr()))
    return {};
  auto rule = llvm::dyn_cast_or_null<FlatSymbolRefAttr>(cell.getMethods().get("bprop"));
  return rule ? symbols.lookup<net::PythonFuncOp>(rule.getValue()) : net::PythonFuncOp();
}

/// A rule is pure: autodiff puts it where the gradient is needed.
LogicalResult GradientRules::checkEffects(Location location, func::FuncOp rule) const {
  Operation *effect = getEffects(rule).stateful;
  if (!effect)
    return success();
  auto diagnostic = refuse(effect->getLoc())
                    << "RuntimeError: the gradient rule of a cell and a hook of a gradient cannot write "
                    << "Parameters or draw numbers; return what is to be kept";
  diagnostic.attachNote(location) << "the rule is used here";
  return diagnostic;
}

LogicalResult GradientRules::attach(Location location, net::PythonFuncOp rule, Specialization &specialization,
                                    ArrayRef<AbstractValue> arguments) {
  func::FuncOp function = specialization.function;
  if (!function || function->hasAttr("custom_bprop"))
    return success();
  if (!specialization.thrown.empty())
    return raises.refuseHandled(location, specialization.thrown.front().where);
  if (!specialization.changed.empty() || !isKnown(run.state.attributes))
    return refuse(location) << "RuntimeError: a cell with a 'bprop' cannot be called where "
                            << "attributes have been set to tensors, nor change lists, dicts or "
                            << "attributes itself";
  SmallVector<AbstractValue> all(arguments);
  all.append({specialization.result, specialization.result});
  auto key = builder.getArrayAttr({FlatSymbolRefAttr::get(rule.getSymNameAttr()), builder.getStringAttr("rule")});
  auto typed = interpreter.specializations.specialize(
      location, key, (function.getSymName() + ".bprop").str(), all, rule.getLoc(),
      [&](ArrayRef<AbstractValue> inner) { return runRule(location, rule, inner); }, Use::Other);
  if (failed(typed) || failed(checkEffects(location, (*typed)->function)))
    return failure();
  function->setAttr("custom_bprop", FlatSymbolRefAttr::get((*typed)->function));
  return success();
}

/// A rule's gradient as a tensor of the type of its input.
FailureOr<Value> GradientRules::fit(Location location, net::PythonFuncOp rule, const AbstractValue &gradient,
                                    RankedTensorType type) {
  auto tensor = writer.toTensor(location, gradient, type.getElementType());
  auto fitting = failed(tensor) ? tensor : writer.cast(location, *tensor, type.getElementType());
  if (succeeded(fitting) && llvm::cast<RankedTensorType>(fitting->getType()).getRank() == 0)
    fitting = writer.broadcast(location, *fitting, type.getShape());
  if (succeeded(fitting) && fitting->getType() != type)
    return error(rule.getLoc()) << "bprop returns a gradient of " << describeType(fitting->getType())
                                << " for an input of " << describeType(type);
  return fitting;
}

/// Adds an adjoint for each tensor of an input of the rule.
LogicalResult GradientRules::addAdjoints(Location location, net::PythonFuncOp rule, const AbstractValue &input,
                                         const AbstractValue &gradient, SmallVectorImpl<AbstractValue> &adjoints) {
  if (input.isSequence() && gradient.isSequence() && input.getElements().size() == gradient.getElements().size()) {
    for (auto [one, other] : llvm::zip(input.getElements(), gradient.getElements()))
      if (failed(addAdjoints(location, rule, one, other, adjoints)))
        return failure();
    return success();
  }
  if (!input.isTensor())
    return success(); // What is known now has no gradient.
  auto fitting = fit(location, rule, gradient, input.getTensorType());
  if (failed(fitting))
    return failure();
  adjoints.push_back(AbstractValue::getTensor(*fitting));
  return success();
}

/// Runs a rule on self, inputs, result and adjoint; gives an adjoint for each
/// tensor of the inputs, in order.
Result GradientRules::runRule(Location location, net::PythonFuncOp rule, ArrayRef<AbstractValue> arguments) {
  Arguments all;
  all.positional.assign(arguments.begin(), arguments.end());
  auto bound = bindArguments(location, rule, all);
  Result result = failed(bound) ? Result(failure()) : interpreter.calls.interpret(rule, *bound);
  if (failed(result))
    return failure();
  auto inputs = arguments.drop_front().drop_back(2);
  auto given = result->isSequence() ? result->getElements() : ArrayRef(*result);
  if (given.size() != inputs.size())
    return error(rule.getLoc()) << "bprop must return one gradient per input of construct, which are " << inputs.size()
                                << ", but returns " << given.size();
  SmallVector<AbstractValue> adjoints;
  for (auto [input, gradient] : llvm::zip(inputs, given))
    if (failed(addAdjoints(location, rule, input, gradient, adjoints)))
      return failure();
  return AbstractValue::getTuple(adjoints);
}

} // namespace plumb::specialize
