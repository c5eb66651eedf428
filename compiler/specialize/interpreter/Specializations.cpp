// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Typed functions: a function is interpreted once for each signature that it is called with. The tensors among the
// arguments become arguments of the typed function; all else is part of the signature and vanishes.
//
//   net.python.func @scale(x, factor) {…}        func.func @scale(%x: tensor<4xf32>)
//   scale(x, 2.0)                           =>   func.call @scale(%x)
//
// What the function changes in the lists, dicts and sets that it is handed, it returns: the call puts that into the
// caller's.

#include "compiler/specialize/interpreter/Specializations.h"
#include "compiler/specialize/interpreter/Effects.h"
#include "compiler/specialize/interpreter/Interpreter.h"
#include "compiler/specialize/tensors/WeakTypes.h"

#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;

namespace plumb::specialize {

SmallVector<Value> Specializations::getTensors(ArrayRef<AbstractValue> arguments) const {
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
  } else if (value.getOrigin() || value.getObjectNumber().value_or(0)) {
    found.push_back(value);
  }
  value.walkParts([&](const AbstractValue &part) { collectContainers(part, found); });
}

static SmallVector<AbstractValue> collectContainers(ArrayRef<AbstractValue> values, const AbstractValue &attributes) {
  SmallVector<AbstractValue> found;
  for (const AbstractValue &value : values)
    collectContainers(value, found);
  collectContainers(attributes, found);
  return found;
}

static bool isUnchanged(const AbstractValue &before, const AbstractValue &now) {
  return before.getConstant() == now.getConstant() && llvm::equal(before.getElements(), now.getElements(), isSame);
}

static bool areUnchanged(ArrayRef<AbstractValue> before, ArrayRef<AbstractValue> now) {
  return llvm::all_of(llvm::zip(before, now),
                      [](auto pair) { return isUnchanged(std::get<0>(pair), std::get<1>(pair)); });
}

/// Whether a function that has been written up to an exception prints, writes Parameters or draws numbers before.
static bool hasEffects(func::FuncOp function) {
  Effects effects = getEffects(function);
  return effects.print || effects.stateful;
}

/// The arguments of `specialize`, and what it has found for them.
struct Specializations::Request {
  Location location;                 ///< Of the call.
  std::string name;                  ///< Of the function.
  SmallVector<AbstractValue> values; ///< The arguments and, last, the attributes that the program has set.
  Location defined;                  ///< Where the function stands.
  Body interpret;
  bool throws;                   ///< What it raises, a `try` around the call may hear of.
  bool runs;                     ///< It runs where it is asked for, in a call or a gradient, ...
  OpBuilder::InsertPoint caller; ///< and there.
  SmallVector<Value> tensors;    ///< What it is passed, ...
  SmallVector<Value> operands;   ///< and the same as far as the body may know their values.
};

/// A function of the tensors inside the arguments, without a body.
func::FuncOp Specializations::createFunction(const Request &request) {
  auto function = func::FuncOp::create(builder, request.defined, getUniqueName(request.name),
                                       FunctionType::get(context(), ValueRange(request.tensors).getTypes(), {}));
  function.setPrivate();
  passWeakMarks(request.tensors, function.addEntryBlock()->getArguments());
  return function;
}

/// The arguments of a call, and the attributes, as the body knows them.
SmallVector<AbstractValue> Specializations::relocate(ArrayRef<AbstractValue> values, ValueRange blockArguments) const {
  AbstractValue::Containers copies;
  SmallVector<AbstractValue> inner;
  for (const AbstractValue &value : values)
    inner.push_back(value.relocated(blockArguments, copies, 0,
                                    [&](const AbstractValue &container) { return changes.canChange(container); }));
  return inner;
}

/// What a call puts aside while its function's body is run.
struct Specializations::Caller {
  State state;
  unsigned depth;
  Frame frame;
};

/// Begins a frame of the body's own. No trial of the caller takes back the changes in it: they are those of copies.
Specializations::Caller Specializations::enterFrame(const Request &request) {
  State state = std::exchange(run.state, State());
  unsigned outerDepth = std::exchange(depth, 0);
  Frame frame = std::exchange(run.frame, Frame{++run.frames, run.countConditions() + outerDepth});
  run.frame.throwing = request.throws ? frame.throwing : std::nullopt;
  return Caller{std::move(state), outerDepth, std::move(frame)};
}

void Specializations::leaveFrame(Caller &&caller) {
  std::optional<Location> raised = run.frame.raises;
  run.state = std::move(caller.state);
  depth = caller.depth;
  run.frame = std::move(caller.frame);
  if (!run.frame.raises)
    run.frame.raises = raised;
}

/// Takes note of the containers that the body is handed; returns what they hold before.
SmallVector<AbstractValue> Specializations::handOver(ArrayRef<AbstractValue> containers) {
  SmallVector<AbstractValue> before;
  run.frame.madeBefore = madeObjects.count();
  run.frame.askedBefore = live.countQuestions();
  for (const AbstractValue &container : containers) {
    run.frame.handedOver.try_emplace(container.getIdentity(), container);
    before.push_back(container.withElements(container.getElements()));
  }
  return before;
}

/// Writes the body, up to where it fails.
Result Specializations::interpretBody(const Request &request, Specialization &made, ArrayRef<AbstractValue> inner) {
  Block &body = made.function.front();
  run.chain.sites.push_back({request.location, request.name});
  knownTensors.pass(body.getArguments(), request.operands);
  identities.pass(body.getArguments(), request.tensors);
  Result result = request.interpret(inner);
  made.asked = knownTensors.takeAsked(body.getArguments());
  made.askedIdentities = identities.takeAsked(body.getArguments());
  run.chain.sites.pop_back();
  return result;
}

/// Of a body that has failed: whether a `try` around the call goes on, with what it has changed, written and printed.
bool Specializations::leavesChanges(const Request &request, const Specialization &made,
                                    ArrayRef<AbstractValue> before) {
  bool leaves = !areUnchanged(before, made.containers) || hasEffects(made.function);
  run.failsConditionally |= depth != 0 || (leaves && !(request.runs && run.frame.pending.empty()));
  return leaves && run.attempted && !run.failsConditionally;
}

FailureOr<Specialization> Specializations::write(const Request &request, func::FuncOp function) {
  builder.setInsertionPointToEnd(&function.front());
  SmallVector<AbstractValue> inner = relocate(request.values, function.front().getArguments());
  Caller caller = enterFrame(request);
  run.state.attributes = inner.pop_back_val();
  Specialization made{function, {}, collectContainers(inner, run.state.attributes)};
  SmallVector<AbstractValue> before = handOver(made.containers);
  Result result = interpretBody(request, made, inner);
  bool isCaught = failed(result) && leavesChanges(request, made, before);
  made.result = succeeded(result) ? *result : none();
  if (succeeded(result) || isCaught)
    finishBody(made, before, request.defined);
  else
    function.erase();
  leaveFrame(std::move(caller));
  if (isCaught) {
    builder.restoreInsertionPoint(request.caller);
    run.failsConditionally |= failed(writeCall(request.location, made, ArrayRef(request.values).drop_back()));
  }
  return failed(result) ? FailureOr<Specialization>(failure()) : made;
}

/// Of the functions for one signature the one that fits what the call passes; null where none does.
Specialization *Specializations::findFitting(Specialization *made, const Request &request) {
  while (made && !(knownTensors.fits(*made, request.operands) && identities.fits(*made, request.tensors)))
    made = made->others;
  return made;
}

Specializations::Request Specializations::makeRequest(Location location, const Twine &name,
                                                      ArrayRef<AbstractValue> arguments, Location defined,
                                                      Body interpret, Use use) {
  SmallVector<AbstractValue> values(arguments);
  values.push_back(run.state.attributes);
  for (const AbstractValue &value : values)
    closures.refresh(value);
  SmallVector<Value> tensors = getTensors(arguments);
  SmallVector<Value> operands = use == Use::Call ? tensors : SmallVector<Value>(tensors.size());
  bool runs = use != Use::Other, throws = runs && run.frame.throwing;
  return {location, name.str(), std::move(values), defined, interpret, throws, runs, builder.saveInsertionPoint(),
          tensors,  operands};
}

/// The key of the functions that fit a request, but for what they know of the values of tensors.
FailureOr<Attribute> Specializations::getSignature(Attribute key, const Request &request) {
  SmallVector<Attribute> parts = {key, AbstractValue::getTuple(request.values).getSignature(context())};
  if (request.throws)
    parts.push_back(builder.getUnitAttr());
  if (isLive()) { // What a function knows of Python's objects holds until one changes, and new ones are made by each call.
    Result changes = live.askChanges(request.location);
    if (failed(changes))
      return failure();
    parts.push_back(changes->getConstant());
  }
  return Attribute(ArrayAttr::get(context(), parts));
}

/// Writes one more function of a signature.
FailureOr<Specialization *> Specializations::add(Attribute signature, const Request &request) {
  Specialization *others = std::exchange(memo[signature], nullptr); // No function yet: that is a recursion without end.
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(workspace.module.getBody());
  auto made = write(request, createFunction(request));
  if (failed(made)) {
    memo[signature] = others;
    if (!others)
      memo.erase(signature);
    return failure();
  }
  made->others = others;
  specializations.push_back(std::move(*made));
  return memo[signature] = &specializations.back();
}

FailureOr<Specialization *> Specializations::specialize(Location location, Attribute key, const Twine &name,
                                                        ArrayRef<AbstractValue> arguments, Location defined,
                                                        Body interpret, Use use) {
  Request request = makeRequest(location, name, arguments, defined, interpret, use);
  FailureOr<Attribute> signature = getSignature(key, request);
  if (failed(signature))
    return failure();
  Specialization *known = memo.lookup(*signature);
  bool isBeingWritten = !known && memo.contains(*signature);
  if (isBeingWritten)
    return refuse(location) << "RecursionError: the recursion of '" << request.name
                            << "' never ends: it calls itself with the very same arguments";
  if (Specialization *fitting = findFitting(known, request))
    return failed(raises.noteRaises(location, *fitting)) ? FailureOr<Specialization *>(failure()) : fitting;
  if (run.chain.sites.size() >= maxCallDepth)
    return refuse(location) << "RecursionError: Exceed function call depth limit " << maxCallDepth << " in '"
                            << request.name << "'";
  return add(*signature, request);
}

/// Returns the tensors of the result, then those of what the body changed, then those of what it raises.
void Specializations::finishBody(Specialization &made, ArrayRef<AbstractValue> before, Location defined) {
  closures.refresh(made.result);
  made.thrown = run.frame.pending;
  made.neverReturns = run.frame.hasRaised;
  made.raises = run.frame.raises;
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
    container.walkParts([&](const AbstractValue &part) { part.walkTensors(known, add); });
  for (const Thrown &thrown : made.thrown) {
    thrown.taken.walkTensors(add);
    thrown.values.walkTensors(add);
  }
  func::ReturnOp::create(builder, defined, results);
  made.function.setFunctionType(
      FunctionType::get(context(), made.function.getArgumentTypes(), llvm::to_vector(ValueRange(results).getTypes())));
}

/// A list that the callee found outside of compiled functions stays what it is.
static bool isMade(const AbstractValue &inner) { return inner.isGrowable(); }

/// Gives the caller's containers, which are `known` by the callee's, what the callee has left in its own.
LogicalResult Specializations::applyChanges(Location location, const Specialization &specialization,
                                            AbstractValue::Containers &known, ValueRange &results) {
  for (const AbstractValue &inner : specialization.changed) {
    madeObjects.noteReturned(inner, known[inner.getIdentity()]);
    auto relocate = [&](const AbstractValue &part) { return part.relocated(results, known, depth, isMade); };
    auto elements = llvm::map_to_vector(inner.getElements(), relocate);
    const AbstractValue mine = known[inner.getIdentity()];
    Keys keys = inner.isDictionary() ? inner.getKeys() : Keys();
    if (keys.hasObjects())
      keys = keys.withObjects(llvm::map_to_vector(keys.getObjects(), relocate));
    if (failed(changes.change(location, mine, elements, keys)))
      return failure();
  }
  return success();
}

Result Specializations::finishCall(Location location, const Specialization &specialization,
                                   ArrayRef<AbstractValue> arguments, ValueRange results) {
  SmallVector<AbstractValue> outer = collectContainers(arguments, run.state.attributes);
  AbstractValue::Containers known;
  run.frame.hasRaised |= specialization.neverReturns;
  for (auto [inner, mine] : llvm::zip(specialization.containers, outer)) {
    known[inner.getIdentity()] = mine;
    if (auto number = inner.getObjectNumber())
      known.origins[*number] = *mine.getObjectNumber();
  }
  AbstractValue result = specialization.result.relocated(results, known, depth, isMade);
  if (failed(applyChanges(location, specialization, known, results)))
    return failure();
  for (const Thrown &thrown : specialization.thrown) {
    run.frame.pending.push_back(thrown);
    run.frame.pending.back().taken = thrown.taken.withTensors(results);
    run.frame.pending.back().values = thrown.values.withTensors(results);
  }
  return result;
}

/// The results of a call. A tensor that a function is passed and returns stays the tensor that it is, and one that it
/// returns twice is one; but what a gradient rule stands for has results of its own.
static SmallVector<Value> getReturned(func::CallOp call, func::FuncOp function) {
  if (function->hasAttr("custom_bprop"))
    return call.getResults();
  llvm::DenseMap<Value, Value> known;
  SmallVector<Value> results;
  ValueRange returned = function.front().getTerminator()->getOperands();
  for (auto [inner, result] : llvm::zip(returned, call.getResults())) {
    auto argument = dyn_cast<BlockArgument>(inner);
    Value outer = argument ? call.getOperand(argument.getArgNumber()) : Value(result);
    results.push_back(known.try_emplace(inner, outer).first->second);
  }
  return results;
}

Result Specializations::writeCall(Location location, const Specialization &specialization,
                                  ArrayRef<AbstractValue> arguments) {
  func::FuncOp typed = specialization.function;
  // A function that only computed with known values has left nothing to call.
  if (typed.getNumResults() == 0 && llvm::hasSingleElement(typed.front()))
    return finishCall(location, specialization, arguments, {});
  auto callOp = func::CallOp::create(builder, location, typed, getTensors(arguments));
  passWeakMarks(typed.front().getTerminator()->getOperands(), callOp.getResults());
  return finishCall(location, specialization, arguments, getReturned(callOp, typed));
}

std::string Specializations::getUniqueName(const std::string &base) {
  std::string unique;
  do {
    // Numbers go on where they stopped: thousands of cells share a `construct`.
    unsigned number = nextNumbers[base]++;
    unique = number == 0 ? base : base + "_" + std::to_string(number);
  } while (symbols.lookup(unique) || !names.insert(unique).second);
  return unique;
}

} // namespace plumb::specialize
