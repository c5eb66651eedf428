// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops whose condition depends on a tensor become scf.while.
//
// The names that the loop assigns and that exist before it are carried. Their
// types must not change from one iteration to the next: a number that does
// change becomes a tensor, and since that may change other types in turn, the
// body is interpreted again until nothing is widened any more. Where a type
// changes nevertheless, the first iteration is written before the loop, once:
// types that have settled then are those of the loop. Names that exist only
// inside the loop are undefined after it, since the body may never run.
//
// A body that may break or return carries two booleans and the value returned:
//
//   while i < n:                    scf.while (%i, %left, %returned, %value)
//       if x[i] > 0:                  condition(not %left and %i < %n)
//           return x[i]       =>    do { … yield %i1, %found, %found, %xi }
//       i = i + 1                   scf.if %returned { %value } else { … }

#include "compiler/specialize/Interpreter.h"
#include "compiler/specialize/WeakTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace plumb::specialize {

/// What one dynamic loop carries.
struct Interpreter::Carried {
  SmallVector<StringAttr> names;  ///< Carried, in order of assignment.
  SmallVector<StringAttr> locals; ///< Assigned, but new in the loop.
  /// Numbers that became tensors, by name and position among its leaves, with
  /// the element type that the loop gives them; null for their own.
  llvm::DenseMap<StringAttr, llvm::DenseMap<unsigned, Type>> widened;
  /// The body may leave the loop.
  bool leaves = false;
  /// What it returns then: the structure, and the types of its tensors.
  std::optional<AbstractValue> returned = {};
  SmallVector<Type> returnedTypes = {};
  /// Why the loop cannot be written, if a type changes.
  std::string mismatch = {};
  StringAttr culprit = {};
  bool isStuck = false; ///< No attempt can succeed.
};

static llvm::SetVector<StringAttr> getAssignedNames(Operation *loop) {
  llvm::SetVector<StringAttr> names;
  loop->walk([&](Operation *op) {
    if (auto store = dyn_cast<net::PythonStoreOp>(op))
      names.insert(store.getNameAttr());
    if (auto inner = dyn_cast<net::PythonForOp>(op))
      names.insert(inner.getTargetAttr());
  });
  return names;
}

static Location locate(net::PythonWhileOp op, StringAttr name) { return findStore(op, op.getBody(), name); }

/// Gives `block` arguments for the carried tensors and binds the names to them.
static void bindCarried(Block *block, ArrayRef<StringAttr> names, ArrayRef<AbstractValue> initial, State &state) {
  ValueRange arguments = block->getArguments();
  for (auto [name, value] : llvm::zip(names, initial))
    state.names[name] = value.withTensors(arguments);
}

FailureOr<Value> Interpreter::runWhileCondition(net::PythonWhileOp op) {
  std::optional<Value> condition;
  auto exit = runBlock(op.getConditionRegion().front(), [&](Exit exit) -> FailureOr<Exit> {
    if (exit.flow == Flow::Raise)
      exit.value = AbstractValue::getConstant(builder.getBoolAttr(false));
    auto truth = getTruth(op.getLoc(), exit.value);
    if (failed(truth))
      return failure();
    if (auto *known = std::get_if<bool>(&*truth))
      condition = arith::ConstantIntOp::create(builder, op.getLoc(), int64_t(*known), 1);
    else
      condition = std::get<Value>(*truth);
    return exit;
  });
  if (failed(exit))
    return failure();
  return *condition;
}

/// Compares what a carried name is at the end of the body with what it was at
/// the start. Yields the tensors to hand to the next iteration; true in
/// `again` asks for another attempt with a leaf of the name made a tensor.
/// False if no attempt can succeed.
FailureOr<bool> Interpreter::carry(net::PythonWhileOp op, Carried &carried, StringAttr name, const AbstractValue &start,
                                   const AbstractValue &end, unsigned &leaf, SmallVectorImpl<Value> &yields,
                                   bool &again) {
  auto mismatch = [&] {
    carried.culprit = name;
    carried.mismatch = "Type Join Failed: '" + name.getValue().str() + "' is " + start.describe() +
                       " before this loop and " + end.describe() +
                       " after an iteration; a loop whose "
                       "condition depends on a tensor needs fixed types";
    if (isNone(start) || isNone(end))
      carried.mismatch += ": give it a tensor of that type before the loop, "
                          "with a flag that says whether it is meant";
    return false;
  };
  if (!start.isSequence() && !start.isDictionary())
    ++leaf;
  if (start.isTensor()) {
    bool number = end.isConstant() && getNumber(end.getConstant());
    if (!number && !isTensorLike(end))
      return mismatch();
    auto type = start.getTensorType();
    auto tensor = toTensor(op.getLoc(), end, type.getElementType());
    if (failed(tensor))
      return failure();
    if (tensor->getType() != type)
      return mismatch();
    if (isWeak(start.getTensor()) && !isWeak(*tensor)) {
      carried.widened[name][leaf] = type;
      again = true;
    }
    yields.push_back(*tensor);
    return true;
  }
  if (start.isConstant()) {
    if (end.isConstant() && end.getConstant() == start.getConstant())
      return true;
    bool number = static_cast<bool>(getNumber(start.getConstant()));
    RankedTensorType type = getTypeOf(end);
    if ((!number && !start.getTensorType()) || (number && type && type.getRank() != 0))
      return mismatch();
    Type wanted = number && type ? type.getElementType() : Type();
    carried.widened[name][leaf] = wanted && end.isTensor() && !isWeak(end.getTensor()) ? Type(type) : wanted;
    again = true;
    return true;
  }
  if (start.getKind() != end.getKind() || start.getElements().size() != end.getElements().size() ||
      start.getConstant() != end.getConstant())
    return mismatch();
  for (auto [one, other] : llvm::zip(start.getElements(), end.getElements())) {
    auto fits = carry(op, carried, name, one, other, leaf, yields, again);
    if (failed(fits) || !*fits)
      return fits;
  }
  return true;
}

/// A value with the leaves of `which` made tensors: numbers of an element type, and tensors of a tensor's type for the
/// others.
FailureOr<AbstractValue> Interpreter::widen(Location location, const AbstractValue &value,
                                            const llvm::DenseMap<unsigned, Type> &which, unsigned &leaf) {
  if (!value.isSequence() && !value.isDictionary()) {
    auto found = which.find(++leaf);
    if (found == which.end())
      return value;
    auto type = dyn_cast_or_null<RankedTensorType>(found->second);
    auto tensor = toTensor(location, value, type ? type.getElementType() : found->second);
    if (failed(tensor))
      return failure();
    if (!type || !isWeak(*tensor))
      return AbstractValue::getTensor(*tensor);
    return emit(location, "cast", *tensor, builder.getNamedAttr("dtype", TypeAttr::get(type.getElementType())));
  }
  SmallVector<AbstractValue> elements;
  for (const AbstractValue &element : value.getElements()) {
    auto wide = widen(location, element, which, leaf);
    if (failed(wide))
      return failure();
    elements.push_back(*wide);
  }
  return value.withElements(elements);
}

/// The tensors that carry how the loop was left: left, returned, and the value.
static void addExit(OpBuilder &builder, Location location, TypeRange returned, SmallVectorImpl<Value> &operands) {
  auto flag = RankedTensorType::get({}, builder.getI1Type());
  SmallVector<Type> types = {flag, flag};
  types.append(returned.begin(), returned.end());
  for (Type type : types) {
    auto tensor = llvm::cast<RankedTensorType>(type);
    operands.push_back(net::ConstantOp::create(
        builder, location, DenseElementsAttr::get(tensor, builder.getZeroAttr(tensor.getElementType()))));
  }
}

/// The loop's condition, unless the body has left the loop.
FailureOr<Value> Interpreter::runExitCondition(net::PythonWhileOp op, Value left) {
  Location location = op.getLoc();
  Value leaves = tensor::ExtractOp::create(builder, location, left, ValueRange());
  auto branch = scf::IfOp::create(builder, location, builder.getI1Type(), leaves,
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(branch.thenBlock());
  Value no = arith::ConstantIntOp::create(builder, location, 0, 1);
  scf::YieldOp::create(builder, location, no);
  builder.setInsertionPointToEnd(branch.elseBlock());
  auto condition = runWhileCondition(op);
  if (failed(condition))
    return failure();
  scf::YieldOp::create(builder, location, *condition);
  return branch.getResult(0);
}

/// Yields how the body ended; asks for another attempt if the loop does not
/// carry that yet. False if what it returns changes its type.
FailureOr<bool> Interpreter::carryExit(net::PythonWhileOp op, Carried &carried, const Exit &exit,
                                       SmallVectorImpl<Value> &yields, bool &again) {
  bool returns = exit.flow == Flow::Return || (exit.flow == Flow::Mixed && exit.getTaken(Flow::Return));
  if (exit.flow != Flow::Next && !std::exchange(carried.leaves, true))
    again = true;
  if (returns && !carried.returned) {
    carried.returned = exit.value;
    exit.value.walkTensors([&](Value tensor) { carried.returnedTypes.push_back(tensor.getType()); });
    again = true;
  }
  if (again || !carried.leaves)
    return true;
  Value left, returned;
  for (Flow way : {Flow::Break, Flow::Return}) {
    AbstractValue taken = exit.flow == Flow::Mixed && exit.getTaken(way)
                              ? AbstractValue::getTensor(exit.getTaken(way))
                              : AbstractValue::getConstant(builder.getBoolAttr(exit.flow == way));
    auto flag = toTensor(op.getLoc(), taken);
    if (failed(flag))
      return failure();
    returned = *flag;
    if (left) {
      Result any =
          applyTensorOperator(op.getLoc(), "or", AbstractValue::getTensor(left), AbstractValue::getTensor(*flag));
      if (failed(any))
        return failure();
      left = any->getTensor();
    } else {
      left = *flag;
    }
  }
  yields.push_back(left);
  yields.push_back(returned);
  SmallVector<Value> values;
  if (returns)
    exit.value.walkTensors([&](Value tensor) { values.push_back(tensor); });
  if (!returns && carried.returned)
    addExit(builder, op.getLoc(), carried.returnedTypes, values), values.erase(values.begin(), values.begin() + 2);
  yields.append(values);
  return llvm::equal(ValueRange(values).getTypes(), carried.returnedTypes);
}

/// The ends of a loop: it goes on, and perhaps the function returns.
Exit Interpreter::getLoopExit(Location location, const Carried &carried, ValueRange results) {
  if (!carried.returned)
    return Exit{Flow::Next, location};
  Exit exit{Flow::Mixed, location};
  exit.mayGoOn = true;
  exit.getTaken(Flow::Return) = results[1];
  results = results.drop_front(2);
  exit.value = carried.returned->withTensors(results);
  return exit;
}

/// A loop without regions that carries `operands`; what is a number stays one.
static scf::WhileOp createLoop(OpBuilder &builder, Location location, ArrayRef<Value> operands) {
  auto loop = scf::WhileOp::create(builder, location, ValueRange(operands).getTypes(), operands);
  passWeakMarks(operands, loop.getResults());
  return loop;
}

/// One attempt to write the loop; nothing if a name had to be widened or its
/// type changes.
FailureOr<std::optional<Exit>> Interpreter::tryDynamicWhile(net::PythonWhileOp op, Carried &carried) {
  Location location = op.getLoc();
  SmallVector<AbstractValue> initial;
  SmallVector<Value> operands;
  for (StringAttr name : carried.names) {
    unsigned leaf = 0;
    auto value = widen(location, state.names[name], carried.widened[name], leaf);
    if (failed(value))
      return failure();
    value->walkTensors([&](Value tensor) { operands.push_back(tensor); });
    initial.push_back(*value);
  }
  unsigned count = operands.size();
  if (carried.leaves)
    addExit(builder, location, carried.returnedTypes, operands);

  State before = state;
  scf::WhileOp loop = createLoop(builder, location, operands);
  SmallVector<Location> locations(operands.size(), location);
  TypeRange types = ValueRange(operands).getTypes();
  OpBuilder::InsertionGuard guard(builder);
  Block *test = builder.createBlock(&loop.getBefore(), {}, types, locations);
  bindCarried(test, carried.names, initial, state);
  auto condition = carried.leaves ? runExitCondition(op, test->getArgument(count)) : runWhileCondition(op);
  if (failed(condition))
    return failure();
  scf::ConditionOp::create(builder, location, *condition, test->getArguments());

  Block *body = builder.createBlock(&loop.getAfter(), {}, types, locations);
  state = before;
  bindCarried(body, carried.names, initial, state);
  auto ended = runBlock(op.getBody().front(), [](Exit exit) -> FailureOr<Exit> { return exit; });
  if (failed(ended))
    return failure();
  Exit exit = leaveIteration(*ended);
  SmallVector<Value> yields;
  bool again = false;
  FailureOr<bool> fits = true;
  for (auto [name, start] : llvm::zip(carried.names, initial)) {
    unsigned leaf = 0;
    if (succeeded(fits) && *fits)
      fits = carry(op, carried, name, start, state.names[name], leaf, yields, again);
  }
  if (succeeded(fits) && *fits)
    fits = carryExit(op, carried, exit, yields, again);
  if (failed(fits))
    return failure();
  state = before;
  carried.isStuck = !*fits;
  if (again || !*fits) {
    loop.erase();
    return std::optional<Exit>();
  }
  scf::YieldOp::create(builder, location, yields);
  ValueRange results = loop.getResults();
  for (auto [name, start] : llvm::zip(carried.names, initial))
    state.names[name] = start.withTensors(results);
  return std::optional<Exit>(getLoopExit(location, carried, results));
}

LogicalResult Interpreter::failMismatch(net::PythonWhileOp op, const Carried &carried) {
  if (!carried.culprit)
    return error(op.getLoc())
           << "Type Join Failed: what this loop returns changes its type from one `return` to another";
  auto diagnostic = error(op.getLoc()) << carried.mismatch;
  diagnostic.attachNote(locate(op, carried.culprit)) << "assigned here";
  return diagnostic;
}

/// Writes the first iteration, and behind it the loop.
FailureOr<Exit> Interpreter::peelIteration(net::PythonWhileOp op) {
  auto condition = runWhileCondition(op);
  if (failed(condition))
    return failure();
  return runTwoWays(
      op.getLoc(), *condition,
      [&]() -> FailureOr<Exit> {
        auto ended = runBlock(op.getBody().front(), [](Exit exit) -> FailureOr<Exit> { return exit; });
        if (failed(ended))
          return failure();
        auto rest = proceed(leaveIteration(*ended), [&](Exit reached) -> FailureOr<Exit> {
          return reached.flow == Flow::Next ? runDynamicWhile(op, /*peeled=*/true) : reached;
        });
        return failed(rest) ? rest : FailureOr<Exit>(leaveLoop(*rest));
      },
      [&]() -> FailureOr<Exit> { return Exit{Flow::Next, op.getLoc()}; });
}

FailureOr<Exit> Interpreter::runDynamicWhile(net::PythonWhileOp op, bool peeled) {
  Carried carried;
  for (StringAttr name : getAssignedNames(op)) {
    // Temporaries of the front end never live from one statement to the next.
    bool temporary = name.getValue().starts_with("$");
    auto known = state.names.find(name);
    bool carry = !temporary && known != state.names.end() && !known->second.isUndefined();
    (carry ? carried.names : carried.locals).push_back(name);
  }
  ++depth;
  journals.push_back(std::nullopt);
  FailureOr<std::optional<Exit>> done = std::optional<Exit>();
  while (succeeded(done) && !*done && !carried.isStuck)
    done = tryDynamicWhile(op, carried);
  if (failed(done))
    return failure(); // At this depth: a `try` around the loop cannot go on.
  --depth;
  journals.pop_back();
  if (!*done && peeled)
    return failMismatch(op, carried);
  if (!*done)
    return peelIteration(op);
  for (StringAttr name : carried.locals)
    state.names[name] = AbstractValue::getUndefined(context(),
                                                    "'" + name.getValue() +
                                                        "' may be undefined here: it is assigned only "
                                                        "inside a loop that may run no iteration",
                                                    locate(op, name));
  return **done;
}

} // namespace plumb::specialize
