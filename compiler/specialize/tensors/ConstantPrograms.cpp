// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes, while a program is compiled, a tensor that constants decide but nothing folds: the operations behind it are
// written as a program of their own, which the live Python process compiles and runs, and whose result it sends back.
//
//   func.func @plumb.elements() -> tensor<i64> {
//     %0 = net.constant dense<[3, 4]> : tensor<2xi64>
//     %1 = net.prod …
//     return %1 : tensor<i64>
//   }
//   net.entry @plumb.value calls @plumb.elements () {mode = "predict"}
//
// Only pure operations without loops go into one: what draws, reads Parameters, prints or may raise does so when the
// program runs. Calls hand on the attributes that the program has set, used or not: zeros stand for those that are not.

#include "compiler/specialize/tensors/KnownTensors.h"

#include "dialects/net/ir/NetConstantOps.h"
#include "dialects/net/ir/NetStateOps.h"

#include "dialects/net/ir/Folding.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace plumb::specialize {

/// How many operations such a program has at most, and its result elements.
static constexpr unsigned kMaxOperations = 512;
static constexpr int64_t kMaxElements = 1 << 20;

namespace {
/// Collects the operations behind a tensor.
class Excerpt {
public:
  Excerpt(function_ref<DenseElementsAttr(BlockArgument)> findPassed) : findPassed(findPassed) {}

  /// Whether constants decide `value`, through operations that may run now.
  bool collect(Value value);
  /// The program that computes `value`, which is collected.
  std::string write(Value value);

private:
  bool collectOperation(Operation *op);
  bool collectOperands(Operation *op, Operation *around);
  bool collectFunction(func::FuncOp function);
  bool mayRun(Operation *op);

  function_ref<DenseElementsAttr(BlockArgument)> findPassed;
  unsigned count = 0;
  llvm::SetVector<Operation *> operations; ///< Each behind those that it uses.
  llvm::MapVector<Value, DenseElementsAttr> arguments;
  llvm::SetVector<Operation *> functions;
};
} // namespace

static bool isOfKnownDialect(Operation *op) {
  return llvm::is_contained<StringRef>({"net", "tensor", "arith", "scf", "func"}, op->getName().getDialectNamespace());
}

static bool namesSymbol(Operation *op) {
  bool names = false;
  op->getAttrDictionary().walk([&](SymbolRefAttr) { names = true; });
  return names;
}

static func::FuncOp getCallee(func::CallOp call) {
  return SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr());
}

/// Whether a call's operand is only handed on, if at all.
static bool isUnused(OpOperand &operand) {
  auto call = dyn_cast<func::CallOp>(operand.getOwner());
  func::FuncOp callee = call ? getCallee(call) : func::FuncOp();
  return callee && !callee.empty() && llvm::all_of(callee.getArgument(operand.getOperandNumber()).getUses(), isUnused);
}

/// Whether one operation, apart from those inside of it, may run while compiling.
bool Excerpt::mayRun(Operation *op) {
  if (++count > kMaxOperations || !isOfKnownDialect(op) || isa<LoopLikeOpInterface, net::StateOpInterface>(op))
    return false;
  if (auto call = dyn_cast<func::CallOp>(op))
    return collectFunction(getCallee(call));
  bool isInside = op->hasTrait<OpTrait::HasRecursiveMemoryEffects>();
  return (isInside || isMemoryEffectFree(op)) && !namesSymbol(op);
}

bool Excerpt::collectFunction(func::FuncOp function) {
  if (!function || function.empty() || function.front().empty() || function->hasAttr("custom_bprop"))
    return false;
  if (functions.contains(function))
    return true;
  functions.insert(function);
  auto result = function.getBody().walk(
      [&](Operation *op) { return mayRun(op) ? WalkResult::advance() : WalkResult::interrupt(); });
  return !result.wasInterrupted();
}

/// The operands of `op`, apart from those that `around` computes inside of it.
bool Excerpt::collectOperands(Operation *op, Operation *around) {
  return llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
    bool isInside = op != around && around->isAncestor(operand.get().getParentBlock()->getParentOp());
    return isInside || isUnused(operand) || collect(operand.get());
  });
}

bool Excerpt::collectOperation(Operation *op) {
  if (operations.contains(op))
    return true;
  auto result = op->walk([&](Operation *inner) {
    return mayRun(inner) && collectOperands(inner, op) ? WalkResult::advance() : WalkResult::interrupt();
  });
  return !result.wasInterrupted() && operations.insert(op);
}

bool Excerpt::collect(Value value) {
  if (Operation *op = value.getDefiningOp())
    return collectOperation(op);
  if (arguments.contains(value))
    return true;
  DenseElementsAttr elements = findPassed(cast<BlockArgument>(value));
  if (elements)
    arguments.insert({value, elements});
  return static_cast<bool>(elements);
}

/// Has zeros stand for what a call inside of `op` hands on for nothing; what is collected overwrites them.
static void mapUnused(Operation *op, OpBuilder &builder, IRMapping &copies) {
  op->walk([&](func::CallOp call) {
    for (OpOperand &operand : call->getOpOperands())
      if (isUnused(operand) && !copies.contains(operand.get()))
        copies.map(operand.get(),
                   net::ConstantOp::create(builder, builder.getUnknownLoc(),
                                           net::splatOf(cast<RankedTensorType>(operand.get().getType()), 0))
                       .getResult());
  });
}

std::string Excerpt::write(Value value) {
  Location location = UnknownLoc::get(value.getContext());
  OpBuilder builder(value.getContext());
  OwningOpRef<func::FuncOp> main =
      func::FuncOp::create(location, "plumb.elements", builder.getFunctionType({}, value.getType()));
  builder.setInsertionPointToEnd(main->addEntryBlock());
  IRMapping copies;
  for (auto &[argument, elements] : arguments)
    copies.map(argument, net::ConstantOp::create(builder, location, elements).getResult());
  for (Operation *op : operations) {
    mapUnused(op, builder, copies);
    builder.clone(*op, copies);
  }
  func::ReturnOp::create(builder, location, copies.lookup(value));

  std::string text;
  llvm::raw_string_ostream stream(text);
  OpPrintingFlags flags;
  flags.useLocalScope();
  stream << "module attributes {net.seed = 0 : i64} {\n";
  for (Operation *function : functions)
    function->print(stream, flags);
  main->getOperation()->print(stream, flags);
  stream << "net.entry @plumb.value calls @plumb.elements () {mode = \"predict\", sink_size = -1 : i64, "
            "epochs = 1 : i64}\n}\n";
  return text;
}

DenseElementsAttr KnownTensors::compute(Value tensor, FindPassed findPassed) {
  auto type = llvm::cast<RankedTensorType>(tensor.getType());
  Excerpt excerpt(findPassed);
  bool fits = type.getNumElements() <= kMaxElements && type.getElementType().isIntOrFloat();
  if (!isLive() || !fits || !excerpt.collect(tensor))
    return {};
  // Where it cannot be computed, it is not known.
  ScopedDiagnosticHandler quiet(context(), [](Diagnostic &) { return success(); });
  Result elements = live.ask(tensor.getLoc(), "evaluate", {{string(excerpt.write(tensor))}, {}});
  DenseElementsAttr found = failed(elements) ? DenseElementsAttr() : elements->getAs<DenseElementsAttr>();
  return found && found.getType() == type ? found : DenseElementsAttr();
}

} // namespace plumb::specialize
