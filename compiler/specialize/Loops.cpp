// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops whose condition depends on a tensor become scf.while.
//
// The names that the loop assigns and that exist before it are carried. Their
// types must not change from one iteration to the next: a number that does
// change becomes a tensor, and since that may change other types in turn, the
// body is interpreted again until nothing is widened any more. A tensor whose
// type changes is an error. Names that exist only inside the loop are undefined
// after it, since the body may never run.

#include "compiler/specialize/Interpreter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace plumb::specialize {

/// What one dynamic loop carries.
struct Interpreter::Carried {
  SmallVector<StringAttr> names;           ///< Carried, in order of assignment.
  SmallVector<StringAttr> locals;          ///< Assigned, but new in the loop.
  llvm::DenseSet<StringAttr> widened = {}; ///< Numbers that became tensors.
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

static Location locate(net::PythonWhileOp op, StringAttr name) {
  return findStore(op, op.getBody(), name);
}

/// Gives `block` arguments for the carried tensors and binds the names to them.
static void bindCarried(Block *block, ArrayRef<StringAttr> names,
                        ArrayRef<AbstractValue> initial, State &state) {
  ValueRange arguments = block->getArguments();
  for (auto [name, value] : llvm::zip(names, initial))
    state.names[name] = value.withTensors(arguments);
}

FailureOr<Value> Interpreter::runWhileCondition(net::PythonWhileOp op) {
  std::optional<Value> condition;
  auto exit = runBlock(
      op.getConditionRegion().front(), [&](Exit exit) -> FailureOr<Exit> {
        auto truth = getTruth(op.getLoc(), exit.value);
        if (failed(truth))
          return failure();
        if (auto *known = std::get_if<bool>(&*truth))
          condition = arith::ConstantIntOp::create(builder, op.getLoc(),
                                                   int64_t(*known), 1);
        else
          condition = std::get<Value>(*truth);
        return exit;
      });
  if (failed(exit))
    return failure();
  return *condition;
}

LogicalResult Interpreter::runWhileBody(net::PythonWhileOp op) {
  auto exit = runBlock(op.getBody().front(),
                       [](Exit exit) -> FailureOr<Exit> { return exit; });
  if (failed(exit))
    return failure();
  if (exit->flow == Flow::Next || exit->flow == Flow::Continue)
    return success();
  return error(exit->where)
         << (exit->flow == Flow::Break ? "break" : "return")
         << " inside a loop whose condition depends on a tensor is not "
         << "supported; make it part of the loop's condition";
}

/// Compares what a carried name is at the end of the body with what it was at
/// the start. Yields the tensors to hand to the next iteration; true in
/// `again` asks for another attempt with the name widened to a tensor.
LogicalResult Interpreter::carry(net::PythonWhileOp op, Carried &carried,
                                 StringAttr name, const AbstractValue &start,
                                 const AbstractValue &end,
                                 SmallVectorImpl<Value> &yields, bool &again) {
  auto mismatch = [&]() -> LogicalResult {
    auto diagnostic = error(op.getLoc())
                      << "Type Join Failed: '" << name.getValue() << "' is "
                      << start.describe() << " before this loop and "
                      << end.describe() << " after an iteration; a loop whose "
                      << "condition depends on a tensor needs fixed types";
    diagnostic.attachNote(locate(op, name)) << "assigned here";
    return diagnostic;
  };
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
    yields.push_back(*tensor);
    return success();
  }
  if (start.isConstant()) {
    if (end.isConstant() && end.getConstant() == start.getConstant())
      return success();
    if (!getNumber(start.getConstant()) && !start.getTensorType())
      return mismatch();
    carried.widened.insert(name);
    again = true;
    return success();
  }
  if (start.getKind() != end.getKind() ||
      start.getElements().size() != end.getElements().size())
    return mismatch();
  for (auto [one, other] : llvm::zip(start.getElements(), end.getElements()))
    if (failed(carry(op, carried, name, one, other, yields, again)))
      return failure();
  return success();
}

/// A value with every number or constant tensor inside made a tensor.
FailureOr<AbstractValue> Interpreter::widen(Location location,
                                            const AbstractValue &value) {
  bool number = value.isConstant() && getNumber(value.getConstant());
  if (number || (value.isConstant() && value.getTensorType())) {
    auto tensor = toTensor(location, value);
    if (failed(tensor))
      return failure();
    return AbstractValue::getTensor(*tensor);
  }
  if (!value.isSequence() && !value.isDictionary())
    return value;
  SmallVector<AbstractValue> elements;
  for (const AbstractValue &element : value.getElements()) {
    auto wide = widen(location, element);
    if (failed(wide))
      return failure();
    elements.push_back(*wide);
  }
  return value.withElements(elements);
}

/// One attempt to write the loop; false if a name had to be widened.
FailureOr<bool> Interpreter::tryDynamicWhile(net::PythonWhileOp op,
                                             Carried &carried) {
  Location location = op.getLoc();
  SmallVector<AbstractValue> initial;
  SmallVector<Value> operands;
  for (StringAttr name : carried.names) {
    AbstractValue value = state.names[name];
    if (carried.widened.contains(name)) {
      auto wide = widen(location, value);
      if (failed(wide))
        return failure();
      value = *wide;
    }
    value.walkTensors([&](Value tensor) { operands.push_back(tensor); });
    initial.push_back(value);
  }

  State before = state;
  auto loop = scf::WhileOp::create(builder, location,
                                   ValueRange(operands).getTypes(), operands);
  SmallVector<Location> locations(operands.size(), location);
  TypeRange types = ValueRange(operands).getTypes();
  OpBuilder::InsertionGuard guard(builder);
  Block *test = builder.createBlock(&loop.getBefore(), {}, types, locations);
  bindCarried(test, carried.names, initial, state);
  auto condition = runWhileCondition(op);
  if (failed(condition))
    return failure();
  scf::ConditionOp::create(builder, location, *condition,
                           test->getArguments());

  Block *body = builder.createBlock(&loop.getAfter(), {}, types, locations);
  state = before;
  bindCarried(body, carried.names, initial, state);
  if (failed(runWhileBody(op)))
    return failure();
  SmallVector<Value> yields;
  bool again = false;
  for (auto [name, start] : llvm::zip(carried.names, initial))
    if (failed(carry(op, carried, name, start, state.names[name], yields,
                     again)))
      return failure();
  state = before;
  if (again) {
    loop.erase();
    return false;
  }
  scf::YieldOp::create(builder, location, yields);
  ValueRange results = loop.getResults();
  for (auto [name, start] : llvm::zip(carried.names, initial))
    state.names[name] = start.withTensors(results);
  return true;
}

FailureOr<Exit> Interpreter::runDynamicWhile(net::PythonWhileOp op,
                                             Continuation next) {
  Carried carried;
  for (StringAttr name : getAssignedNames(op)) {
    // Temporaries of the front end never live from one statement to the next.
    bool temporary = name.getValue().starts_with("$");
    auto known = state.names.find(name);
    bool carry = !temporary && known != state.names.end() && !known->second.isUndefined();
    (carry ? carried.names : carried.locals).push_back(name);
  }
  ++depth;
  FailureOr<bool> done = false;
  while (succeeded(done) && !*done)
    done = tryDynamicWhile(op, carried);
  --depth;
  if (failed(done))
    return failure();
  for (StringAttr name : carried.locals)
    state.names[name] = AbstractValue::getUndefined(
        context(),
        "'" + name.getValue() + "' may be undefined here: it is assigned only "
        "inside a loop that may run no iteration",
        locate(op, name));
  return next(Exit{Flow::Next, op.getLoc()});
}

} // namespace plumb::specialize
