// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/autodiff/Activity.h"
#include "dialects/net/ir/NetAxisOps.h"
#include "dialects/net/ir/NetBinaryOps.h"
#include "dialects/net/ir/NetConstantOps.h"
#include "dialects/net/ir/NetContractionOps.h"
#include "dialects/net/ir/NetElementwiseOps.h"
#include "dialects/net/ir/NetIndexOps.h"
#include "dialects/net/ir/NetReduceOps.h"
#include "dialects/net/ir/NetShapeOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace plumb;

bool Activity::isDifferentiable(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && (isa<FloatType>(tensor.getElementType()) || isIntegerTensor(type));
}

void Activity::markValue(Value value) {
  if (isDifferentiable(value.getType()))
    changed |= values.insert(value).second;
}

bool Activity::isActive(ValueRange range) const {
  return llvm::any_of(range, [&](Value value) { return isActive(value); });
}

void Activity::forget(ValueRange range) {
  for (Value value : range)
    values.erase(value);
}

void Activity::forget(Operation *op) {
  op->walk([&](Operation *inner) {
    forget(inner->getResults());
    for (Region &region : inner->getRegions())
      for (Block &block : region)
        forget(block.getArguments());
  });
}

void Activity::propagate(ArrayRef<Operation *> ops) {
  for (Operation *op : ops)
    visit(op);
}

void Activity::propagate(Block &block) {
  for (Operation &op : block)
    visit(&op);
}

void Activity::flow(ValueRange from, ValueRange to) {
  for (auto [source, target] : llvm::zip(from, to))
    if (isActive(source))
      markValue(target);
}

/// Whether integers that `op` takes or gives are numbers whose rules hold for integers: no indices, and no operations
/// that only floating point has.
static bool passesIntegers(Operation *op) {
  return isa<net::AbsOp, net::AddOp, net::BroadcastToOp, net::CastOp, net::ConcatOp, net::CumsumOp, net::ExpandDimsOp,
             net::FlattenOp, net::MatmulOp, net::MaximumOp, net::MinimumOp, net::MulOp, net::NegOp, net::PadOp,
             net::PowOp, net::ReduceMaxOp, net::ReduceMinOp, net::ReduceSumOp, net::ReshapeOp, net::SelectOp,
             net::SliceOp, net::SliceUpdateOp, net::SplitOp, net::SquareOp, net::SqueezeOp, net::StackOp, net::SubOp,
             net::TileOp, net::TransposeOp>(op) ||
         isa<func::CallOp>(op);
}

/// Whether `op` takes numbers, of integers too, beside indices, which are its second operand.
static bool movesNumbers(Operation *op) {
  auto scatter = dyn_cast<net::ScatterOp>(op);
  return isa<net::GatherOp>(op) || (scatter && llvm::is_contained({"add", "sub", "update"}, scatter.getMode()));
}

/// Whether an active operand of `op` makes its results active: one of integers only where it is a number.
bool Activity::passesOn(Operation *op) const {
  bool ofIntegers = passesIntegers(op), moves = movesNumbers(op);
  return llvm::any_of(llvm::enumerate(op->getOperands()), [&](auto operand) {
    bool counts = ofIntegers || !isIntegerTensor(operand.value().getType()) || (moves && operand.index() != 1);
    return counts && isActive(operand.value());
  });
}

void Activity::visit(Operation *op) {
  // Steps are flat wherever they have a derivative, and the likes of a tensor look at its type alone.
  if (isa<net::StopGradientOp, net::FloorOp, net::CeilOp, net::RoundOp, net::TruncOp, net::SignOp, net::FloorDivOp,
          net::BitcastOp, net::ZerosLikeOp, net::OnesLikeOp>(op))
    return;
  if (isa<net::ReadOp>(op)) {
    if (parameters.contains(getParameterName(op)))
      markValue(op->getResult(0));
    return;
  }
  if (auto through = dyn_cast<net::StraightThroughOp>(op))
    return flow(through.getSource(), through.getResult());
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return visitIf(branch);
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op))
    return visitLoop(loop);
  bool ofIntegers = passesIntegers(op) || movesNumbers(op);
  if (passesOn(op))
    for (Value result : op->getResults())
      if (ofIntegers || !isIntegerTensor(result.getType()))
        markValue(result);
}

void Activity::visitIf(scf::IfOp op) {
  for (Region &region : op->getRegions()) {
    if (region.empty())
      continue;
    propagate(region.front());
    flow(region.front().getTerminator()->getOperands(), op.getResults());
  }
}

/// Repeats until nothing in the loop becomes active any more: what is active in one iteration is in the next.
void Activity::visitLoop(LoopLikeOpInterface op) {
  bool outer = changed;
  flow(op.getInits(), op.getRegionIterArgs());
  do {
    outer |= changed;
    changed = false;
    if (auto loop = dyn_cast<scf::WhileOp>(op.getOperation())) {
      propagate(*loop.getBeforeBody());
      flow(loop.getConditionOp().getArgs(), loop.getAfterArguments());
      flow(loop.getConditionOp().getArgs(), loop.getResults());
      propagate(*loop.getAfterBody());
      flow(loop.getYieldOp().getOperands(), loop.getBeforeArguments());
    } else if (auto loop = dyn_cast<scf::ForOp>(op.getOperation())) {
      propagate(*loop.getBody());
      flow(loop.getYieldedValues(), loop.getRegionIterArgs());
      flow(loop.getRegionIterArgs(), loop.getResults());
    }
  } while (changed);
  changed = outer;
}
