// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moves the update of one row behind the branch that it stands in:
//
//   %y = scf.if %c {                                    %r:2 = scf.if %c {
//     %0 = net.row_update %row into %x[%i]                yield %row, %i
//     yield %0                                   ->     } else {
//   } else {                                              %0 = net.row %x[%zero]
//     yield %x                                            yield %0, %zero
//   }                                                   }
//                                                       %y = net.row_update %r#0 into %x[%r#1]
//
// The results of a branch have memory of their own, so both sides would copy the whole tensor; now the side that
// leaves it alone writes a row that is there. So programs store into a tensor that a loop fills (`if x > 0: y[i] = x`),
// and gradients reach tensors of which a branch reads a row: a loop of n steps takes time n for it, not n². All bits
// are as before. Test: test/compiler/optimize/hoist_row_updates.mlir.

#include "compiler/optimize/Passes.h"
#include "compiler/support/StructuredRewrites.h"
#include "dialects/net/ir/NetShapeOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

namespace plumb {
#define GEN_PASS_DEF_HOISTROWUPDATESPASS
#include "compiler/optimize/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

/// The update of a row that `branch` does last to what it yields as its result `number`, if there is one.
static net::RowUpdateOp findUpdate(scf::IfOp branch, Region &region, unsigned number) {
  auto update = region.front().getTerminator()->getOperand(number).getDefiningOp<net::RowUpdateOp>();
  bool isInside = update && update->getBlock() == &region.front() && update->hasOneUse();
  return isInside && !branch->isAncestor(update.getX().getParentBlock()->getParentOp()) ? update : nullptr;
}

/// An update whose tensor both sides of `branch` yield as its result `number`, with or without one of its rows changed.
static net::RowUpdateOp findSharedUpdate(scf::IfOp branch, unsigned number) {
  net::RowUpdateOp left = findUpdate(branch, branch.getThenRegion(), number);
  net::RowUpdateOp right = findUpdate(branch, branch.getElseRegion(), number);
  if (left && right)
    return left.getX() == right.getX() && left.getAxis() == right.getAxis() ? left : nullptr;
  Value other = (left ? branch.elseYield() : branch.thenYield()).getOperand(number);
  net::RowUpdateOp update = left ? left : right;
  return update && other == update.getX() ? update : nullptr;
}

/// Has one side of a branch yield a row and its index instead of the tensor: those of its update, or of the row that
/// `update` would find first.
static void yieldRow(RewriterBase &rewriter, Region &region, unsigned number, net::RowUpdateOp update) {
  Operation *yield = region.front().getTerminator();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(yield);
  Value row, index;
  if (auto own = yield->getOperand(number).getDefiningOp<net::RowUpdateOp>();
      own && own->getBlock() == yield->getBlock()) {
    row = own.getRow();
    index = own.getIndex();
  } else {
    index = arith::ConstantIndexOp::create(rewriter, update.getLoc(), 0);
    row = net::RowOp::create(rewriter, update.getLoc(), update.getX(), index, update.getAxis());
  }
  SmallVector<Value> yielded(yield->getOperands());
  yielded[number] = row;
  yielded.push_back(index);
  rewriter.replaceOpWithNewOp<scf::YieldOp>(yield, yielded);
}

namespace {

/// The rule above.
struct HoistRowUpdate : OpRewritePattern<scf::IfOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(scf::IfOp op, PatternRewriter &rewriter) const override {
    for (unsigned number = 0; number < op.getNumResults(); ++number)
      if (net::RowUpdateOp update = findSharedUpdate(op, number)) {
        hoist(rewriter, op, number, update);
        return success();
      }
    return rewriter.notifyMatchFailure(op, "yields no tensor with at most one row changed");
  }

  static void hoist(PatternRewriter &rewriter, scf::IfOp op, unsigned number, net::RowUpdateOp update) {
    Location loc = update.getLoc();
    Value tensor = update.getX();
    int64_t axis = update.getAxis();
    SmallVector<Type> types(op.getResultTypes());
    types[number] = update.getRow().getType();
    types.push_back(rewriter.getIndexType());
    for (Region *region : {&op.getThenRegion(), &op.getElseRegion()})
      yieldRow(rewriter, *region, number, update);
    auto branch = scf::IfOp::create(rewriter, op.getLoc(), types, op.getCondition(), /*addElseBlock=*/false);
    branch.getThenRegion().takeBody(op.getThenRegion());
    branch.getElseRegion().takeBody(op.getElseRegion());
    SmallVector<Value> results(branch.getResults().drop_back());
    results[number] =
        net::RowUpdateOp::create(rewriter, loc, results[number], tensor, branch.getResults().back(), axis);
    rewriter.replaceOp(op, results);
  }
};

struct HoistRowUpdatesPass : public plumb::impl::HoistRowUpdatesPassBase<HoistRowUpdatesPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<HoistRowUpdate>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns), getStructuredConfig())))
      signalPassFailure();
  }
};

} // namespace
