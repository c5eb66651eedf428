// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Entries, and what they return.

#include "compiler/specialize/interpreter/Interpreter.h"
#include "compiler/specialize/interpreter/Effects.h"

#include "dialects/net/ir/NetMathOps.h"

using namespace mlir;

namespace plumb::specialize {

Interpreter::Interpreter(Workspace &workspace, unsigned maxCallDepth)
    : Part(workspace), live(workspace, *this), knownTensors(workspace, live), identities(workspace, live),
      writer(workspace, live), arithmetic(workspace, writer), access(workspace, live, knownTensors, writer, arithmetic),
      run(workspace), joins(workspace, writer), madeObjects(workspace, run, live),
      setAttributes(workspace, run, live, joins), changes(workspace, run, joins, madeObjects, setAttributes),
      closures(workspace, run), exits(workspace, run, live, writer, arithmetic, joins, madeObjects, changes),
      raises(workspace, run, live, writer), operators(workspace, *this), builtins(workspace, *this),
      numberBuiltins(workspace, *this), conversions(workspace, *this), texts(workspace, *this),
      methods(workspace, *this), primitives(workspace, *this), gradients(workspace, *this),
      conditions(workspace, *this), iterators(workspace, *this), containers(workspace, *this),
      subscripts(workspace, *this), attributes(workspace, *this), displays(workspace, *this),
      raiseStatements(workspace, *this), specializations(workspace, *this, maxCallDepth),
      calls(workspace, *this, statements), gradientRules(workspace, *this), expressions(workspace, *this),
      statements(workspace, *this), exceptions(workspace, *this, statements),
      unrolledLoops(workspace, *this, statements), loops(workspace, *this, conditions, statements) {
  run.state.attributes = AbstractValue::getDictionary(builder.getArrayAttr({}), {}).growableAt(0);
}

LogicalResult Interpreter::runEntry(net::EntryOp entry) {
  auto symbol = llvm::dyn_cast<FlatSymbolRefAttr>(entry.getCallee());
  if (symbol && symbols.lookup<func::FuncOp>(symbol.getValue()))
    return success(); // Written in typed form already.
  run.chain.entry = entry.getLoc();
  OpBuilder::InsertionGuard guard(builder);
  auto step = writeStep(entry);
  if (failed(step))
    return failure();
  step->setPublic();
  entry->removeAttr("net.structured");
  entry.setCalleeAttr(FlatSymbolRefAttr::get(*step));
  if (failed(tellComplex(*step)) || failed(tellEffects(*step)))
    return failure();
  return nameReports(entry, step->getNumResults());
}

/// The entry's function takes the batch and returns plain tensors: what its callee returns, flattened, with numbers and
/// Parameters made tensors.
FailureOr<func::FuncOp> Interpreter::writeStep(net::EntryOp entry) {
  Location location = entry.getLoc();
  // Placeholders that give the batch's types to the signature.
  Block batch;
  SmallVector<AbstractValue> arguments;
  for (Type type : entry.getInputs())
    arguments.push_back(AbstractValue::getTensor(batch.addArgument(type, location)));
  identities.setInputs(&batch);
  auto interpret = [&](ArrayRef<AbstractValue> inner) -> Result {
    Arguments positional;
    positional.positional.assign(inner.begin(), inner.end());
    Result result = calls.call(location, AbstractValue::getConstant(entry.getCallee()), positional);
    if (failed(result))
      return failure();
    SmallVector<AbstractValue> tensors;
    bool structured = isLive() && entry->hasAttr("net.structured");
    if (failed(structured ? tellResult(location, *result, tensors) : flattenResult(location, *result, tensors)))
      return failure();
    if (!structured && failed(attributes.checkNoneMissed()))
      return failure();
    run.state.attributes.setElements({}, builder.getArrayAttr({})); // Nobody calls the entry who would see them.
    return AbstractValue::getTuple(tensors);
  };
  auto key = builder.getArrayAttr({entry.getSymNameAttr(), entry.getCallee()});
  auto step = specializations.specialize(location, key, entry.getSymName() + ".step", arguments, location, interpret,
                                         Use::Other);
  return failed(step) ? FailureOr<func::FuncOp>(failure()) : (*step)->function;
}

/// The host gets complex results as pairs of real numbers.
LogicalResult Interpreter::tellComplex(func::FuncOp function) {
  SmallVector<AbstractValue> complex;
  for (auto [number, type] : llvm::enumerate(function.getResultTypes()))
    if (net::isComplexTensor(type))
      complex.push_back(integer(number));
  if (!isLive() || complex.empty())
    return success();
  return live.ask(run.chain.entry.value_or(function.getLoc()), "complex", {{AbstractValue::getTuple(complex)}, {}});
}

/// The process keeps the values of Parameters that are written, and may leave what prints to Python.
LogicalResult Interpreter::tellEffects(func::FuncOp function) {
  if (!isLive())
    return success();
  Effects effects = getEffects(function);
  Location location = effects.print ? effects.print->getLoc() : function.getLoc();
  bool onlyCompiled = effects.hasRule || access.hasStored();
  return live.ask(location, "effects",
                  {{makeBool(effects.print), makeBool(effects.stateful), makeBool(onlyCompiled)}, {}});
}

/// Every result of the step is a report; those without a name of their own are
/// numbered.
LogicalResult Interpreter::nameReports(net::EntryOp entry, unsigned results) {
  SmallVector<Attribute> names;
  if (auto reports = entry.getReportsAttr())
    names.assign(reports.begin(), reports.end());
  if (names.size() > results)
    return error(entry.getLoc()) << "the entry names " << names.size() << " results, but its function returns "
                                 << results << " tensors";
  while (names.size() < results)
    names.push_back(builder.getStringAttr("output" + (names.empty() ? "" : std::to_string(names.size()))));
  entry.setReportsAttr(builder.getArrayAttr(names));
  return success();
}

LogicalResult Interpreter::flattenResult(Location location, const AbstractValue &value,
                                         SmallVectorImpl<AbstractValue> &tensors) {
  if (isNone(value))
    return success();
  if (value.isSequence() || value.isContainer()) {
    for (const AbstractValue &element : value.getElements())
      if (failed(flattenResult(location, element, tensors)))
        return failure();
    return success();
  }
  auto tensor = writer.toTensor(location, value);
  if (failed(tensor))
    return failure();
  tensors.push_back(AbstractValue::getTensor(*tensor));
  return success();
}

/// Enters the objects of the program in a value.
static void collectObjects(const AbstractValue &value, llvm::DenseSet<Attribute> &found) {
  if (value.isConstant()) {
    auto method = dyn_cast<net::MethodAttr>(value.getConstant());
    found.insert(method ? Attribute(method.getSelf()) : value.getConstant());
  }
  for (const AbstractValue &element : value.getElements())
    collectObjects(element, found);
  if (value.isDictionary())
    for (const AbstractValue &key : value.getKeyValues())
      collectObjects(key, found);
}

/// The attributes that outlive the call: less those of objects that it has made and does not return.
AbstractValue Interpreter::getKeptAttributes(const AbstractValue &result) const {
  llvm::DenseSet<Attribute> objects;
  collectObjects(result, objects);
  SmallVector<Attribute> keys;
  SmallVector<AbstractValue> values;
  for (size_t before = ~size_t(0); before != values.size();) { // An object that is kept may hold further ones.
    before = values.size();
    keys.clear();
    values.clear();
    for (auto [key, value] : llvm::zip(run.state.attributes.getKeys(), run.state.attributes.getElements())) {
      Attribute owner = llvm::cast<ArrayAttr>(key)[0];
      auto object = symbols.lookup<net::CellOp>(llvm::cast<FlatSymbolRefAttr>(owner).getValue());
      bool isMade = madeObjects.contains(owner) || (object && object->hasAttr("made"));
      if (isMade && !objects.contains(owner))
        continue;
      collectObjects(value, objects);
      keys.push_back(key);
      values.push_back(value);
    }
  }
  return AbstractValue::getDictionary(ArrayAttr::get(context(), keys), values);
}

LogicalResult Interpreter::tellResult(Location location, const AbstractValue &result,
                                      SmallVectorImpl<AbstractValue> &tensors) {
  Result told = iterators.withoutIterators(location, result);
  auto tokens = failed(told) ? FailureOr<SmallVector<AbstractValue>>(failure())
                             : live.tellResult(location, *told, getKeptAttributes(result));
  if (failed(tokens))
    return failure();
  for (const AbstractValue &token : *tokens) {
    auto tensor = writer.toTensor(location, token);
    if (failed(tensor))
      return failure();
    tensors.push_back(AbstractValue::getTensor(*tensor));
  }
  return success();
}

} // namespace plumb::specialize
