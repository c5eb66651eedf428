// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replaces each `net.value_and_grad @fn(…)` by the body of @fn and, behind it, the reverse of that body:
//
//   %y, %dx = net.value_and_grad @fn(%x) {argnums = [0]}        %y = net.square %x
//                                                        ->     %one = net.constant dense<1.0>
//   func.func private @fn(%x) { return (net.square %x) }        %dx = … rule of net.square on %one …
//
// The forward code stands there once, so its effects happen once, and what it computed is at hand for the reverse.
// Where a call of the same function was kept for it (`KeepSharedForwards`), it stands in the place of that call.
// Functions are taken callees first: by the time a function is differentiated, the gradients inside it have become
// plain code, which is how gradients of gradients work. The walk itself is ReverseWalk.h.
//
// Each argument goes through a placeholder cast while the reverse is built: a value that is passed twice, f(x, x), must
// get two adjoints. Test: test/compiler/autodiff/expand_gradients.mlir.

#include "compiler/auto_monad/EffectInference.h"
#include "compiler/auto_monad/SharedForward.h"
#include "compiler/autodiff/Passes.h"
#include "compiler/autodiff/ReverseWalk.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace plumb {
#define GEN_PASS_DEF_EXPANDGRADIENTSPASS
#include "compiler/autodiff/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

namespace {

/// The forward code of one gradient op, standing before it.
struct ForwardCode {
  /// One placeholder per argument of the function.
  SmallVector<Value> arguments;
  /// The code, in program order.
  SmallVector<Operation *> ops;
  /// What the function returns.
  SmallVector<Value> results;
};

/// Expands the gradients of one module.
class GradientExpander {
public:
  explicit GradientExpander(ModuleOp module) : module(module) {}

  /// Expands every gradient in `function`, after those in the functions that it names.
  LogicalResult visit(func::FuncOp function);

private:
  LogicalResult expand(net::ValueAndGradOp op);
  ForwardCode placeForward(Operation *place, ValueRange operands, func::FuncOp callee);
  ForwardCode placeForward(net::ValueAndGradOp op, func::FuncOp callee);
  void inlineCalls(func::FuncOp function);

  ModuleOp module;
  SymbolTableCollection symbols;
  SharedForwards forwards;
  llvm::DenseSet<Operation *> visited;
  /// Functions whose callees are being visited: one that names them is recursive.
  llvm::DenseSet<Operation *> active;
};

} // namespace

LogicalResult GradientExpander::visit(func::FuncOp function) {
  if (!visited.insert(function).second)
    return success();
  active.insert(function);
  SmallVector<net::ValueAndGradOp> gradients;
  WalkResult walk = function.walk([&](Operation *op) {
    func::FuncOp callee = lookupCallee(op, symbols);
    if (callee && active.contains(callee))
      return WalkResult(op->emitOpError("calls '")
                        << callee.getSymName() << "', which calls the function that this stands in");
    if (callee && failed(visit(callee)))
      return WalkResult::interrupt();
    if (auto gradient = dyn_cast<net::ValueAndGradOp>(op))
      gradients.push_back(gradient);
    return WalkResult::advance();
  });
  active.erase(function);
  if (walk.wasInterrupted())
    return failure();
  for (net::ValueAndGradOp gradient : gradients)
    if (failed(expand(gradient)))
      return failure();
  return success();
}

/// Inlines the calls of `function`, which stands in no module, but those of functions with a rule of their own: what is
/// marked `no_inline` must be seen through where it is differentiated.
void GradientExpander::inlineCalls(func::FuncOp function) {
  SmallVector<func::CallOp> calls;
  function.walk([&](func::CallOp call) { calls.push_back(call); });
  while (!calls.empty()) {
    func::CallOp call = calls.pop_back_val();
    auto callee = symbols.lookupSymbolIn<func::FuncOp>(module, call.getCalleeAttr().getAttr());
    if (!callee || callee.isExternal() || callee->hasAttr("custom_bprop"))
      continue;
    IRMapping map;
    Block &body = callee.getBody().front();
    map.map(body.getArguments(), call.getOperands());
    OpBuilder builder(call);
    for (Operation &op : body.without_terminator())
      builder.clone(op, map)->walk([&](func::CallOp nested) { calls.push_back(nested); });
    for (auto [result, value] : llvm::zip(call.getResults(), body.getTerminator()->getOperands()))
      result.replaceAllUsesWith(map.lookup(value));
    call.erase();
  }
}

/// Puts a copy of the body of `callee` before `place`.
ForwardCode GradientExpander::placeForward(Operation *place, ValueRange operands, func::FuncOp callee) {
  func::FuncOp copy = callee.clone();
  inlineCalls(copy);
  ForwardCode code;
  OpBuilder builder(place);
  Block &body = copy.getBody().front();
  for (auto [argument, operand] : llvm::zip(body.getArguments(), operands)) {
    auto placeholder = UnrealizedConversionCastOp::create(builder, place->getLoc(), argument.getType(), operand);
    code.arguments.push_back(placeholder.getResult(0));
    argument.replaceAllUsesWith(code.arguments.back());
  }
  code.results.assign(body.getTerminator()->operand_begin(), body.getTerminator()->operand_end());
  for (Operation &nested : llvm::make_early_inc_range(body.without_terminator())) {
    nested.moveBefore(place);
    code.ops.push_back(&nested);
  }
  copy.erase();
  return code;
}

/// Puts a copy of the body of `callee` before `op`, or in the place of the call that was kept for it. What stands
/// between that call and `op` continues its tokens, so that those of `op` are the latest.
ForwardCode GradientExpander::placeForward(net::ValueAndGradOp op, func::FuncOp callee) {
  func::CallOp call = forwards.find(op);
  if (!call || !call.getNoInline())
    return placeForward(op, op.getArgs(), callee);
  ForwardCode code = placeForward(call, call.getOperands(), callee);
  call.replaceAllUsesWith(code.results);
  call.erase();
  for (Value &result : code.results)
    if (isTokenType(result.getType()))
      result = *llvm::find_if(op.getArgs(), [&](Value value) { return value.getType() == result.getType(); });
  return code;
}

/// Marks what `op` differentiates by.
static Activity findActivity(net::ValueAndGradOp op, const ForwardCode &forward) {
  Activity activity;
  for (int64_t argument : op.getArgnumValues())
    activity.markValue(forward.arguments[argument]);
  for (StringRef weight : op.getWeightNames())
    activity.markParameter(StringAttr::get(op.getContext(), weight));
  activity.propagate(forward.ops);
  return activity;
}

/// The adjoints that the walk starts from: those given as last operands, or ones. With `has_aux` only the first result
/// is differentiated; the others are just returned.
static Adjoints seedAdjoints(net::ValueAndGradOp op, const ForwardCode &forward, const Activity &activity,
                             OpBuilder &builder) {
  Adjoints adjoints;
  ValueRange given = ValueRange(op.getArgs()).drop_front(forward.arguments.size());
  for (Value result : forward.results) {
    if (!isa<RankedTensorType>(result.getType()))
      continue;
    Value seed;
    if (op.getSens()) {
      seed = given.front();
      given = given.drop_front();
    }
    if (!activity.isDifferentiable(result.getType()))
      continue;
    adjoints.add(builder, op.getLoc(), result, seed ? seed : buildSplat(builder, op.getLoc(), result.getType(), 1.0));
    if (op->hasAttr("has_aux"))
      break;
  }
  return adjoints;
}

/// The values that replace the results of `op`, whose last operands are what the forward code yields.
static SmallVector<Value> collectResults(net::ValueAndGradOp op, const ForwardCode &forward, const Adjoints &adjoints,
                                         OpBuilder &builder) {
  SmallVector<Value> results(op->getOperands().take_back(forward.results.size()));
  for (int64_t argument : op.getArgnumValues())
    results.push_back(adjoints.getOrZero(builder, op.getLoc(), forward.arguments[argument]));
  for (StringRef weight : op.getWeightNames()) {
    Value gradient = adjoints.get(StringAttr::get(op.getContext(), weight));
    Type type = op.getResult(results.size()).getType();
    results.push_back(gradient ? gradient : buildSplat(builder, op.getLoc(), type, 0.0));
  }
  return results;
}

LogicalResult GradientExpander::expand(net::ValueAndGradOp op) {
  func::FuncOp callee = lookupCallee(op, symbols);
  if (!callee || callee.isExternal())
    return op.emitOpError("differentiates '") << op.getCallee() << "', which has no body here";
  if (!callee.getBody().hasOneBlock())
    return op.emitOpError("differentiates '") << op.getCallee() << "', whose control flow is not structured";
  ForwardCode forward = placeForward(op, callee);
  Activity activity = findActivity(op, forward);
  OpBuilder builder(op);
  Adjoints adjoints = seedAdjoints(op, forward, activity, builder);

  // From here on the op holds what the forward code yields, which the walk may rebuild.
  op->insertOperands(op->getNumOperands(), forward.results);
  ReverseWalk walk(op, forward.results.size(), module, activity);
  if (failed(walk.run(forward.ops, builder, adjoints)))
    return failure();
  op.replaceAllUsesWith(collectResults(op, forward, adjoints, builder));
  op.erase();
  for (Value argument : forward.arguments) {
    Operation *placeholder = argument.getDefiningOp();
    argument.replaceAllUsesWith(placeholder->getOperand(0));
    placeholder->erase();
  }
  return success();
}

namespace {

struct ExpandGradientsPass : public plumb::impl::ExpandGradientsPassBase<ExpandGradientsPass> {
  void runOnOperation() override {
    GradientExpander expander(getOperation());
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (failed(expander.visit(function)))
        return signalPassFailure();
  }
};

} // namespace
