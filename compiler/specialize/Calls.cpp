// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of Python functions: arguments are bound as Python binds them, and the
// function is interpreted once for each signature that it is called with. The
// tensors among the arguments become arguments of the typed function; all else
// is part of the signature and vanishes.
//
//   net.python.func @scale(x, factor) {…}        func.func @scale(%x: tensor<4xf32>)
//   scale(x, 2.0)                           =>   func.call @scale(%x)

#include "compiler/specialize/Effects.h"
#include "compiler/specialize/Interpreter.h"
#include "compiler/specialize/WeakTypes.h"

#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace plumb::specialize {

Result Interpreter::call(Location location, const AbstractValue &callee, const Arguments &arguments) {
  switch (callee.getKind()) {
  case AbstractValue::Kind::Constant: return callObject(location, callee.getConstant(), arguments);
  case AbstractValue::Kind::Method:
    return methods.call(location, callee.getElements().front(), llvm::cast<StringAttr>(callee.getConstant()).getValue(),
                        arguments);
  case AbstractValue::Kind::Gradient: return gradients.call(location, callee, arguments);
  case AbstractValue::Kind::Choice: {
    auto functions = callee.getElements().drop_front();
    return choose(location, callee.getElements().front(), functions.size(),
                  [&](unsigned number) { return call(location, functions[number], arguments); });
  }
  case AbstractValue::Kind::Closure:
    return callFunction(location, closures.getFunction(callee), closures.addCaptured(callee, arguments));
  default: return error(location) << "TypeError: " << callee.describe() << " cannot be called";
  }
}

Result Interpreter::callObject(Location location, Attribute object, const Arguments &arguments) {
  if (auto primitive = llvm::dyn_cast<net::PrimitiveAttr>(object))
    return primitives.call(location, primitive, arguments);
  if (auto gradient = llvm::dyn_cast<net::GradAttr>(object))
    return gradients.call(location, gradients.make(gradient), arguments);
  auto callee = AbstractValue::getConstant(object);
  auto function = findFunction(callee);
  if (!function && isLive() && !getParameter(callee))
    return live.askCall(location, callee, arguments);
  if (!function)
    return error(location) << "TypeError: " << describeConstant(object) << " cannot be called";
  Arguments withSelf = arguments;
  if (function->self)
    withSelf.positional.insert(withSelf.positional.begin(), *function->self);
  return callFunction(location, function->function, withSelf);
}

/// Binds as Python does: positions, then keywords, then defaults; one value per
/// declared parameter, with *args and **kwargs last.
FailureOr<SmallVector<AbstractValue>> Interpreter::bindArguments(Location location, net::PythonFuncOp function,
                                                                 const Arguments &arguments) {
  auto fail = [&](const Twine &what) -> LogicalResult {
    auto diagnostic = error(location) << "TypeError: " << function.getSymName() << "() " << what;
    diagnostic.attachNote(function.getLoc()) << "the function is defined here";
    return diagnostic;
  };
  ArrayAttr params = function.getParams();
  SmallVector<std::optional<AbstractValue>> bound(params.size());
  unsigned given = arguments.positional.size();
  unsigned positional = params.size() - function.getKeywordOnly().value_or(0);
  unsigned direct = std::min<unsigned>(given, positional);
  for (unsigned i = 0; i < direct; ++i)
    bound[i] = arguments.positional[i];
  if (given > direct && !function.getStarArgs())
    return fail("takes " + Twine(positional) + " positional arguments but " + Twine(given) + " were given");

  SmallVector<Attribute> extraKeys;
  SmallVector<AbstractValue> extraValues;
  auto isCaptured = [captured = ArrayRef(arguments.keywords).take_front(arguments.captured)](StringAttr name) {
    return llvm::any_of(captured, [&](auto &keyword) { return keyword.first == name; });
  };
  for (auto [place, keyword] : llvm::enumerate(arguments.keywords)) {
    auto &[name, value] = keyword;
    auto *found = llvm::find(params, name);
    if (found == params.end() || (place >= arguments.captured && isCaptured(name))) {
      if (!function.getStarKwargs())
        return fail("got an unexpected keyword argument '" + name.getValue() + "'");
      extraKeys.push_back(name);
      extraValues.push_back(value);
      continue;
    }
    auto &slot = bound[found - params.begin()];
    if (slot)
      return fail("got multiple values for argument '" + name.getValue() + "'");
    slot = value;
  }

  SmallVector<AbstractValue> values;
  for (auto [param, slot] : llvm::zip(params, bound)) {
    StringRef name = llvm::cast<StringAttr>(param).getValue();
    Attribute fallback = function.getDefault(name);
    if (!slot && !fallback)
      return fail("is missing the argument '" + name + "'");
    values.push_back(slot ? *slot : AbstractValue::getConstant(fallback));
  }
  if (function.getStarArgs())
    values.push_back(AbstractValue::getTuple(ArrayRef(arguments.positional).drop_front(direct)));
  if (function.getStarKwargs())
    values.push_back(AbstractValue::getDictionary(ArrayAttr::get(context(), extraKeys), extraValues));
  return values;
}

/// The run-time tensors inside the arguments, and inside the attributes that
/// every call hands over, in the order of a typed signature.
SmallVector<Value> Interpreter::getTensors(ArrayRef<AbstractValue> arguments) {
  SmallVector<Value> tensors;
  AbstractValue::Containers known;
  auto add = [&](Value tensor) { tensors.push_back(tensor); };
  for (const AbstractValue &argument : arguments)
    argument.walkTensors(known, add);
  run.state.attributes.walkTensors(known, add);
  return tensors;
}

/// The lists, dicts and sets inside, each once, and the closures, in a fixed order.
static void collectContainers(const AbstractValue &value, SmallVectorImpl<AbstractValue> &found) {
  if (value.isContainer()) {
    if (llvm::any_of(found, [&](const AbstractValue &other) { return other.getIdentity() == value.getIdentity(); }))
      return;
    found.push_back(value);
  } else if (value.getOrigin()) {
    found.push_back(value);
  }
  for (const AbstractValue &element : value.getElements())
    collectContainers(element, found);
}

static SmallVector<AbstractValue> collectContainers(ArrayRef<AbstractValue> values, const AbstractValue &attributes) {
  SmallVector<AbstractValue> found;
  for (const AbstractValue &value : values)
    collectContainers(value, found);
  collectContainers(attributes, found);
  return found;
}

Result Interpreter::finishCall(Location location, const Specialization &specialization,
                               ArrayRef<AbstractValue> arguments, ValueRange results) {
  SmallVector<AbstractValue> outer = collectContainers(arguments, run.state.attributes);
  AbstractValue::Containers known;
  run.frame.hasRaised |= specialization.neverReturns;
  for (auto [inner, mine] : llvm::zip(specialization.containers, outer)) {
    known[inner.getIdentity()] = mine;
    if (auto origin = inner.getOrigin())
      known.origins[*origin] = *mine.getOrigin();
  }
  // A list that the callee found outside of compiled functions stays what it is.
  auto isMade = [](const AbstractValue &inner) { return inner.isGrowable(); };
  AbstractValue result = specialization.result.relocated(results, known, depth, isMade);
  for (const AbstractValue &inner : specialization.changed) {
    madeObjects.noteReturned(inner, known[inner.getIdentity()]);
    SmallVector<AbstractValue> elements;
    for (const AbstractValue &element : inner.getElements())
      elements.push_back(element.relocated(results, known, depth, isMade));
    if (failed(changes.change(location, known[inner.getIdentity()], elements,
                              inner.isDictionary() ? inner.getKeysFor(elements) : ArrayAttr())))
      return failure();
  }
  for (const Thrown &thrown : specialization.thrown) {
    run.frame.pending.push_back(thrown);
    run.frame.pending.back().taken = thrown.taken.withTensors(results);
    run.frame.pending.back().values = thrown.values.withTensors(results);
  }
  return result;
}

/// Whether a call does nothing but compute its result.
static bool isPure(const Specialization &specialization) {
  Effects effects = getEffects(specialization.function);
  return !effects.print && !effects.stateful && !specialization.raises && specialization.thrown.empty() &&
         specialization.changed.empty() && !specialization.neverReturns;
}

Result Interpreter::callFunction(Location location, net::PythonFuncOp function, const Arguments &arguments) {
  auto bound = bindArguments(location, function, arguments);
  if (failed(bound))
    return failure();
  net::PythonFuncOp rule = findRule(function, *bound);
  if (rule && failed(writer.readParameters(location, *bound)))
    return failure();
  auto specialization = specializeFunction(location, function, *bound, Use::Call);
  if (failed(specialization))
    return failure();
  func::FuncOp typed = (*specialization)->function;
  if (!run.frame.pending.empty() && !isPure(**specialization)) // Whether this call is reached, a tensor decides.
    return raises.refuseHandled(location, run.frame.pending.front().where);
  if (rule && failed(attachRule(location, rule, **specialization, *bound)))
    return failure();
  // A function that only computed with known values has left nothing to call.
  if (typed.getNumResults() == 0 && llvm::hasSingleElement(typed.front()))
    return finishCall(location, **specialization, *bound, {});
  auto callOp = func::CallOp::create(builder, location, typed, getTensors(*bound));
  passWeakMarks(typed.front().getTerminator()->getOperands(), callOp.getResults());
  return finishCall(location, **specialization, *bound, callOp.getResults());
}

/// The gradient rule of the cell whose `construct` is called: its method `bprop`. Hooks around it stand outside of the
/// rule.
net::PythonFuncOp Interpreter::findRule(net::PythonFuncOp function, ArrayRef<AbstractValue> arguments) {
  auto self = arguments.empty() ? FlatSymbolRefAttr() : arguments.front().getAs<FlatSymbolRefAttr>();
  auto cell = self ? symbols.lookup<net::CellOp>(self.getValue()) : net::CellOp();
  bool isHooked = cell && cell.getMethods().contains("unhooked");
  if (!cell ||
      cell.getMethods().get(isHooked ? "unhooked" : "construct") != FlatSymbolRefAttr::get(function.getSymNameAttr()))
    return {};
  auto rule = llvm::dyn_cast_or_null<FlatSymbolRefAttr>(cell.getMethods().get("bprop"));
  return rule ? symbols.lookup<net::PythonFuncOp>(rule.getValue()) : net::PythonFuncOp();
}

/// Writes the rule as a function from the tensors of inputs, results and their
/// adjoints to the adjoints of the inputs, for the autodiff stage.
LogicalResult Interpreter::attachRule(Location location, net::PythonFuncOp rule, Specialization &specialization,
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
  auto typed = specializeBody(
      location, key, function.getSymName() + ".bprop", all, rule.getLoc(),
      [&](ArrayRef<AbstractValue> inner) { return runRule(location, rule, inner); }, Use::Other);
  if (failed(typed))
    return failure();
  if (Operation *effect = getEffects((*typed)->function).stateful) {
    auto diagnostic = refuse(effect->getLoc())
                      << "RuntimeError: the gradient rule of a cell and a hook of a gradient cannot write "
                      << "Parameters or draw numbers; return what is to be kept";
    diagnostic.attachNote(location) << "the rule is used here";
    return diagnostic;
  }
  function->setAttr("custom_bprop", FlatSymbolRefAttr::get((*typed)->function));
  return success();
}

/// Runs a rule on self, inputs, result and adjoint; gives an adjoint for each
/// tensor of the inputs, in order.
Result Interpreter::runRule(Location location, net::PythonFuncOp rule, ArrayRef<AbstractValue> arguments) {
  Arguments all;
  all.positional.assign(arguments.begin(), arguments.end());
  auto bound = bindArguments(location, rule, all);
  Result result = failed(bound) ? Result(failure()) : interpretFunction(rule, *bound);
  if (failed(result))
    return failure();
  auto inputs = arguments.drop_front().drop_back(2);
  auto given = result->isSequence() ? result->getElements() : ArrayRef(*result);
  if (given.size() != inputs.size())
    return error(rule.getLoc()) << "bprop must return one gradient per input of construct, which are " << inputs.size()
                                << ", but returns " << given.size();
  SmallVector<AbstractValue> adjoints;
  std::function<LogicalResult(const AbstractValue &, const AbstractValue &)> add =
      [&](const AbstractValue &input, const AbstractValue &gradient) -> LogicalResult {
    if (input.isSequence() && gradient.isSequence() && input.getElements().size() == gradient.getElements().size()) {
      for (auto [one, other] : llvm::zip(input.getElements(), gradient.getElements()))
        if (failed(add(one, other)))
          return failure();
      return success();
    }
    if (!input.isTensor())
      return success(); // What is known now has no gradient.
    RankedTensorType type = input.getTensorType();
    auto tensor = writer.toTensor(location, gradient, type.getElementType());
    auto fitting = failed(tensor) ? tensor : writer.cast(location, *tensor, type.getElementType());
    if (succeeded(fitting) && llvm::cast<RankedTensorType>(fitting->getType()).getRank() == 0)
      fitting = writer.broadcast(location, *fitting, type.getShape());
    if (failed(fitting))
      return failure();
    if (fitting->getType() != type)
      return error(rule.getLoc()) << "bprop returns a gradient of " << describeType(fitting->getType())
                                  << " for an input of " << describeType(type);
    adjoints.push_back(AbstractValue::getTensor(*fitting));
    return success();
  };
  for (auto [input, gradient] : llvm::zip(inputs, given))
    if (failed(add(input, gradient)))
      return failure();
  return AbstractValue::getTuple(adjoints);
}

FailureOr<Specialization *> Interpreter::specializeFunction(Location location, net::PythonFuncOp function,
                                                            ArrayRef<AbstractValue> arguments, Use use,
                                                            bool asTensors) {
  Attribute key = FlatSymbolRefAttr::get(function.getSymNameAttr());
  if (asTensors)
    key = builder.getArrayAttr({key, builder.getStringAttr("differentiated")});
  return specializeBody(
      location, key, getSpecializedName(function, arguments), arguments, function.getLoc(),
      [&](ArrayRef<AbstractValue> inner) {
        Result made = interpretFunction(function, inner);
        return failed(made) || !asTensors ? made : gradients.makeDifferentiable(function.getLoc(), *made);
      },
      use);
}

/// A Python function is specialised directly; anything else gets a function
/// around its call. With `asTensors` it is one for `makeDifferentiable`.
FailureOr<Callee> Interpreter::specialize(Location location, const AbstractValue &callee, const Arguments &arguments,
                                          Use use, bool asTensors) {
  SmallVector<AbstractValue> bound = arguments.positional;
  FailureOr<Specialization *> result = failure();
  auto function = findFunction(callee);
  bool hasRule = function && function->self && findRule(function->function, *function->self);
  if (callee.isClosure()) {
    net::PythonFuncOp inner = closures.getFunction(callee);
    if (inner.getStarArgs())
      return refuse(location) << "TypeError: an inner function with '*" << *inner.getStarArgs()
                              << "' cannot be differentiated; name its inputs";
    auto values = bindArguments(location, inner, closures.addCaptured(callee, arguments));
    if (failed(values))
      return failure();
    bound = std::move(*values);
    result = specializeFunction(location, inner, bound, use, asTensors);
  } else if (function && !hasRule) {
    Arguments withSelf = arguments;
    if (function->self)
      withSelf.positional.insert(withSelf.positional.begin(), *function->self);
    auto values = bindArguments(location, function->function, withSelf);
    if (failed(values))
      return failure();
    bound = std::move(*values);
    result = specializeFunction(location, function->function, bound, use, asTensors);
  } else if (!arguments.keywords.empty()) {
    return error(location) << "the gradient of " << callee.describe() << " takes no keyword arguments";
  } else {
    // A rule of its own is for calls: the function around the call is differentiated.
    Attribute key = builder.getArrayAttr({callee.getSignature(context()), builder.getBoolAttr(asTensors)});
    auto interpret = [&](ArrayRef<AbstractValue> inner) {
      Arguments positional;
      positional.positional.assign(inner.begin(), inner.end());
      Result made = call(location, callee, positional);
      return failed(made) || !asTensors ? made : gradients.makeDifferentiable(location, *made);
    };
    result = specializeBody(location, key, "call", bound, location, interpret, use);
  }
  if (failed(result))
    return failure();
  return Callee{*result, bound, getTensors(bound)};
}

/// Whether both are the same object: equal lists are not.
static bool isSame(const AbstractValue &left, const AbstractValue &right) {
  if (left.isContainer() || right.isContainer())
    return left.getIdentity() == right.getIdentity();
  auto ones = left.getElements(), others = right.getElements();
  return left.getKind() == right.getKind() && left.getConstant() == right.getConstant() &&
         left.getOrigin() == right.getOrigin() && left.getTensor() == right.getTensor() &&
         ones.size() == others.size() &&
         llvm::all_of(llvm::zip(ones, others), [](auto pair) { return isSame(std::get<0>(pair), std::get<1>(pair)); });
}

static bool isUnchanged(const AbstractValue &before, const AbstractValue &now) {
  return before.getConstant() == now.getConstant() && llvm::equal(before.getElements(), now.getElements(), isSame);
}

static bool areUnchanged(ArrayRef<AbstractValue> before, ArrayRef<AbstractValue> now) {
  return llvm::all_of(llvm::zip(before, now),
                      [](auto pair) { return isUnchanged(std::get<0>(pair), std::get<1>(pair)); });
}

/// Looks up or writes the typed function of `key` for the arguments' signature;
/// `interpret` runs its body over its own arguments.
FailureOr<Specialization *> Interpreter::specializeBody(Location location, Attribute key, const Twine &name,
                                                        ArrayRef<AbstractValue> arguments, Location defined,
                                                        function_ref<Result(ArrayRef<AbstractValue>)> interpret,
                                                        Use use) {
  SmallVector<AbstractValue> all(arguments);
  all.push_back(run.state.attributes);
  for (const AbstractValue &argument : all)
    closures.refresh(argument);
  SmallVector<Attribute> parts = {key, AbstractValue::getTuple(all).getSignature(context())};
  bool throws = use != Use::Other && run.frame.throwing;
  if (throws)
    parts.push_back(builder.getUnitAttr());
  SmallVector<Value> tensors = getTensors(arguments);
  auto [known, isNew] = memo.try_emplace(ArrayAttr::get(context(), parts), nullptr);
  std::string text = name.str();
  if (!isNew && !known->second)
    return refuse(location) << "RecursionError: the recursion of '" << text
                            << "' never ends: it calls itself with the very "
                            << "same arguments";
  SmallVector<Value> operands = use == Use::Call ? tensors : SmallVector<Value>(tensors.size());
  Specialization *fitting = knownTensors.findFitting(known->second, operands);
  if (fitting)
    return failed(raises.noteRaises(location, *fitting)) ? FailureOr<Specialization *>(failure()) : fitting;
  Attribute signature = known->first;
  Specialization *others = std::exchange(known->second, nullptr);
  if (run.chain.sites.size() >= maxCallDepth)
    return refuse(location) << "RecursionError: Exceed function call depth limit " << maxCallDepth << " in '" << text
                            << "'";

  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(workspace.module.getBody());
  auto function = func::FuncOp::create(builder, defined, getUniqueName(text),
                                       FunctionType::get(context(), ValueRange(tensors).getTypes(), {}));
  function.setPrivate();
  Block *body = function.addEntryBlock();
  passWeakMarks(tensors, body->getArguments());
  builder.setInsertionPointToEnd(body);
  ValueRange blockArguments = body->getArguments();
  AbstractValue::Containers copies;
  SmallVector<AbstractValue> inner;
  for (const AbstractValue &argument : all)
    inner.push_back(argument.relocated(blockArguments, copies, 0,
                                       [&](const AbstractValue &container) { return changes.canChange(container); }));

  State outer = std::exchange(run.state, State());
  unsigned outerDepth = std::exchange(depth, 0);
  // Trials take back what the call leaves, not what its copy for others holds.
  Frame outerFrame = std::exchange(run.frame, Frame{++run.frames, run.countConditions() + outerDepth});
  run.frame.throwing = throws ? outerFrame.throwing : std::nullopt;
  run.state.attributes = inner.pop_back_val();
  Specialization made{function, {}, collectContainers(inner, run.state.attributes)};
  for (const AbstractValue &container : made.containers)
    run.frame.handedOver.insert(container.getIdentity());
  SmallVector<AbstractValue> before;
  for (const AbstractValue &container : made.containers)
    before.push_back(container.withElements(container.getElements()));
  run.chain.sites.push_back({location, text});
  knownTensors.pass(body->getArguments(), operands);
  Result result = interpret(inner);
  made.asked = knownTensors.takeAsked(body->getArguments());
  run.chain.sites.pop_back();
  if (succeeded(result)) {
    closures.refresh(*result);
    made.result = *result;
    made.thrown = run.frame.pending;
    finishBody(made, before, defined);
  } else { // A `try` around the call may go on.
    run.failsConditionally |= depth != 0 || !areUnchanged(before, made.containers);
    memo[signature] = others;
    if (!others)
      memo.erase(signature);
    function.erase();
  }
  made.neverReturns = run.frame.hasRaised;
  made.raises = run.frame.raises;
  run.state = std::move(outer);
  depth = outerDepth;
  run.frame = std::move(outerFrame);
  if (!run.frame.raises)
    run.frame.raises = made.raises;
  if (failed(result))
    return failure();
  made.others = others;
  specializations.push_back(std::move(made));
  return memo[signature] = &specializations.back();
}

/// Returns the tensors of the result, then those of what the body changed.
void Interpreter::finishBody(Specialization &made, ArrayRef<AbstractValue> before, Location defined) {
  AbstractValue::Containers known;
  for (auto [container, old] : llvm::zip(made.containers, before)) {
    known[container.getIdentity()] = container;
    if (!isUnchanged(old, container)) {
      closures.refresh(container);
      made.changed.push_back(container);
    }
  }
  SmallVector<Value> results;
  auto add = [&](Value tensor) { results.push_back(tensor); };
  made.result.walkTensors(known, add);
  made.ownResults = results.size();
  for (const AbstractValue &container : made.changed)
    for (const AbstractValue &element : container.getElements())
      element.walkTensors(known, add);
  for (const Thrown &thrown : made.thrown) {
    thrown.taken.walkTensors(add);
    thrown.values.walkTensors(add);
  }
  func::ReturnOp::create(builder, defined, results);
  made.function.setFunctionType(
      FunctionType::get(context(), made.function.getArgumentTypes(), llvm::to_vector(ValueRange(results).getTypes())));
}

Result Interpreter::interpretFunction(net::PythonFuncOp function, ArrayRef<AbstractValue> arguments) {
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
  auto exit = runBlock(function.getBody().front(), [&](Exit exit) -> FailureOr<Exit> {
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
std::string Interpreter::getSpecializedName(net::PythonFuncOp function, ArrayRef<AbstractValue> arguments) {
  StringRef name = function.getSymName();
  auto self = arguments.empty() ? FlatSymbolRefAttr() : arguments.front().getAs<FlatSymbolRefAttr>();
  bool method =
      self && symbols.lookup<net::CellOp>(self.getValue()) && llvm::cast<StringAttr>(function.getParams()[0]) == "self";
  if (!method)
    return name.str();
  return (self.getValue() + "." + name.rsplit('.').second).str();
}

std::string Interpreter::getUniqueName(const Twine &name) {
  std::string base = name.str(), unique;
  do {
    // Numbers go on where they stopped: thousands of cells share a `construct`.
    unsigned number = nextNumbers[base]++;
    unique = number == 0 ? base : base + "_" + std::to_string(number);
  } while (symbols.lookup(unique) || !names.insert(unique).second);
  return unique;
}

} // namespace plumb::specialize
