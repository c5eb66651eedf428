// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Skips all effects behind an assertion that failed.
//
// A step has no way out in its middle: behind a `check.assert … at_once` that fails it computes on, with values that
// nobody will see. What others would see depends on a boolean, whether something has failed so far: variables keep
// their values, nothing is printed, loops on tensors end, and no later assertion fails, so that the host hears of the
// first.
//
//   check.assert %n, "…" at_once        check.assert %n, "…" at_once
//   device.write @w, %x            =>   %failed = net.not_equal %n, 0
//                                       %old = device.read @w
//                                       %new = net.select %failed, %old, %x
//                                       device.write @w, %new
//
// The boolean is a further result of branches and loops with assertions inside. A loop carries it, and starts with that
// of the code around it.
//
// Test: test/compiler/sink/wrap_asserted_effects.mlir

#include "compiler/sink/Passes.h"
#include "compiler/sink/RegionResults.h"
#include "dialects/check/ir/Check.h"
#include "dialects/device/ir/Device.h"
#include "dialects/net/ir/NetBinaryOps.h"
#include "dialects/net/ir/NetConstantOps.h"
#include "dialects/net/ir/NetElementwiseOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace plumb {
#define GEN_PASS_DEF_WRAPASSERTEDEFFECTSPASS
#include "compiler/sink/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

/// Whether an assertion in `op` ends what the step does at once.
static bool mayFail(Operation *op) {
  auto isAtOnce = [](check::AssertOp assertion) {
    return assertion.getAtOnce() ? WalkResult::interrupt() : WalkResult::advance();
  };
  return op->walk(isAtOnce).wasInterrupted();
}

/// Either of two booleans, of which the first may be null for `false`.
static Value buildOr(OpBuilder &builder, Location loc, Value left, Value right) {
  return left ? net::LogicalOrOp::create(builder, loc, left, right).getResult() : right;
}

/// The negation of a boolean, as a condition.
static Value buildNot(OpBuilder &builder, Location loc, Value failed) {
  Value holds = net::LogicalNotOp::create(builder, loc, failed);
  return tensor::ExtractOp::create(builder, loc, holds, ValueRange());
}

//===----------------------------------------------------------------------===//
// Effects
//===----------------------------------------------------------------------===//

static void wrapWrite(device::WriteOp write, Value failed) {
  OpBuilder builder(write);
  Value old = device::ReadOp::create(builder, write.getLoc(), write.getValue().getType(), write.getVariableAttr());
  write.getValueMutable().assign(
      net::SelectOp::create(builder, write.getLoc(), failed, old, write.getValue()).getResult());
}

static void wrapPrint(device::PrintOp print, Value failed) {
  OpBuilder builder(print);
  Value holds = buildNot(builder, print.getLoc(), failed);
  auto branch = scf::IfOp::create(builder, print.getLoc(), holds, /*withElseRegion=*/false);
  print->moveBefore(branch.thenBlock()->getTerminator());
}

/// Returns whether something has failed behind `assertion`.
static Value wrapAssertion(check::AssertOp assertion, Value failed) {
  OpBuilder builder(assertion);
  Location loc = assertion.getLoc();
  Value number = assertion.getFailure(), zero = makeZeros(builder, loc, number.getType());
  if (failed)
    assertion.getFailureMutable().assign(net::SelectOp::create(builder, loc, failed, zero, number).getResult());
  if (!assertion.getAtOnce())
    return failed;
  return buildOr(builder, loc, failed, net::NotEqualOp::create(builder, loc, number, zero));
}

//===----------------------------------------------------------------------===//
// Branches and loops
//===----------------------------------------------------------------------===//

static Value wrapBlock(Block &block, Value failed);

static Value wrapBranch(scf::IfOp op, Value failed) {
  SmallVector<RegionValue> values;
  for (Region &region : op->getRegions())
    if (!region.empty())
      if (Value after = wrapBlock(region.front(), failed); after != failed)
        values.push_back({after, region.getRegionNumber()});
  Location loc = op.getLoc();
  Operation *next = op->getNextNode();
  OpBuilder builder(next);
  for (Value result : addRegionResults(op, values, nullptr))
    failed = buildOr(builder, loc, failed, result);
  return failed;
}

/// Only assertions inside of a loop make it carry whether something has failed.
static Value wrapPlainLoop(Operation *op, Value failed) {
  for (Region &region : op->getRegions())
    wrapBlock(region.front(), failed);
  if (auto loop = dyn_cast<scf::WhileOp>(op); loop && failed) {
    scf::ConditionOp condition = loop.getConditionOp();
    OpBuilder builder(condition);
    Value holds = buildNot(builder, op->getLoc(), failed);
    condition.getConditionMutable().assign(
        arith::AndIOp::create(builder, op->getLoc(), condition.getCondition(), holds).getResult());
  }
  return failed;
}

/// What a block of a loop forwards as its last operand comes from its last argument.
static void wrapLoopBlock(Block &block, Value failed) {
  Value after = wrapBlock(block, failed);
  Operation *terminator = block.getTerminator();
  OpBuilder builder(terminator);
  if (!after)
    after = makeZeros(builder, terminator->getLoc(), block.getArguments().back().getType());
  terminator->setOperand(terminator->getNumOperands() - 1, after);
}

static Value wrapLoop(Operation *op, Value failed) {
  // A value for the loop to carry, which is replaced below.
  Block &first = op->getRegion(0).front();
  OpBuilder inside = OpBuilder::atBlockBegin(&first);
  Value none = makeZeros(inside, op->getLoc(), RankedTensorType::get({}, inside.getI1Type()));
  auto keep = [](OpBuilder &, unsigned, Value sofar, Value) { return sofar; };
  Value result = addRegionResults(op, RegionValue{none, 0}, keep).front();
  Operation *loop = result.getDefiningOp();
  if (failed)
    loop->setOperand(loop->getNumOperands() - 1, failed);
  wrapLoopBlock(first, first.getArguments().back());
  if (auto whileOp = dyn_cast<scf::WhileOp>(loop)) {
    scf::ConditionOp condition = whileOp.getConditionOp();
    OpBuilder builder(condition);
    Value holds = buildNot(builder, loop->getLoc(), condition.getArgs().back());
    condition.getConditionMutable().assign(
        arith::AndIOp::create(builder, loop->getLoc(), condition.getCondition(), holds).getResult());
    wrapLoopBlock(*whileOp.getAfterBody(), Value()); // which runs only where nothing has failed
  }
  return result;
}

/// Wraps what stands behind a failure; `failed` says whether there was one before the block, null that there was none.
/// Returns the same for the end of the block.
static Value wrapBlock(Block &block, Value failed) {
  for (Operation &op : llvm::make_early_inc_range(block.without_terminator())) {
    if (auto assertion = dyn_cast<check::AssertOp>(op))
      failed = wrapAssertion(assertion, failed);
    else if (auto write = dyn_cast<device::WriteOp>(op); write && failed)
      wrapWrite(write, failed);
    else if (auto print = dyn_cast<device::PrintOp>(op); print && failed)
      wrapPrint(print, failed);
    else if (auto branch = dyn_cast<scf::IfOp>(op))
      failed = wrapBranch(branch, failed);
    else if (canAddRegionResults(&op))
      failed = mayFail(&op) ? wrapLoop(&op, failed) : wrapPlainLoop(&op, failed);
  }
  return failed;
}

namespace {

struct WrapAssertedEffectsPass : public plumb::impl::WrapAssertedEffectsPassBase<WrapAssertedEffectsPass> {
  void runOnOperation() override {
    getOperation().walk([](device::LoopOp loop) {
      if (mayFail(loop))
        wrapBlock(loop.getBody().front(), Value());
    });
  }
};

} // namespace
