// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Updates of a table by a gradient that is zero almost everywhere.
//
// The gradient of a lookup is zeros, to which a few rows are added. An update w - g * rate leaves an element as it is
// where the gradient is +0 and the rate is neither negative, infinite nor NaN. So three passes over the table become
// three passes over the rows: the elements that will be added to are cleared, the rows added as before, and for each
// element that was added to, the table is updated and the gradient is cleared again. An element that several rows reach
// is updated by their sum at its first visit, and by zero at the others. All numbers are those of the update of the
// complete table.
//
//   linalg.fill ins(%zero) outs(%g)                       scf.if %isRate { loops { store %zero, %g[…] } }
//   loops { … store (%g[…] + %row), %g[…] }          =>   else { linalg.fill ins(%zero) outs(%g) }
//   linalg.generic ins(%w, %g, %rate) outs(%w) {…}        loops { … store (%g[…] + %row), %g[…] }
//                                                         scf.if %isRate { loops {
//                                                           store (%w[…] - %g[…] * %rate), %w[…]
//                                                           store %zero, %g[…] } }
//                                                         else { linalg.generic ins(%w, %g, %rate) outs(%w) {…} }
//
// The operations must be neighbours but for views. Test: test/compiler/lower/elide_zero_updates.mlir

#include "compiler/lower/Passes.h"
#include "compiler/lower/ZeroUpdates.h"
#include "dialects/device/ir/Device.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace plumb {
#define GEN_PASS_DEF_ELIDEZEROUPDATESPASS
#include "compiler/lower/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

/// Whether all factors are finite and not negative; null if there are none.
static Value makeGuard(OpBuilder &builder, ZeroUpdate &found) {
  Location loc = found.update.getLoc();
  Value guard;
  for (Value factor : found.factors) {
    Value number = memref::LoadOp::create(builder, loc, factor, ValueRange());
    auto type = cast<FloatType>(number.getType());
    auto compare = [&](arith::CmpFPredicate predicate, llvm::APFloat bound) -> Value {
      Value constant = arith::ConstantOp::create(builder, loc, builder.getFloatAttr(type, bound));
      return arith::CmpFOp::create(builder, loc, predicate, number, constant);
    };
    const llvm::fltSemantics &semantics = type.getFloatSemantics();
    for (Value holds : {compare(arith::CmpFPredicate::OGE, llvm::APFloat::getZero(semantics)),
                        compare(arith::CmpFPredicate::OLT, llvm::APFloat::getInf(semantics))})
      guard = guard ? arith::AndIOp::create(builder, loc, guard, holds).getResult() : holds;
  }
  return guard;
}

/// Erases what only computed values that are not used any more.
static void eraseUnused(Operation *nest) {
  SmallVector<Operation *> ops;
  nest->walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : llvm::reverse(ops))
    if (isOpTriviallyDead(op))
      op->erase();
}

/// Emits the loops of `found` with another body: what `emit` stores in place of the sum.
static void visitElements(OpBuilder &builder, ZeroUpdate &found,
                          llvm::function_ref<void(OpBuilder &, ValueRange)> emit) {
  IRMapping mapping;
  Operation *nest = builder.clone(*found.loop, mapping);
  auto store = cast<memref::StoreOp>(mapping.lookup(found.store.getOperation()));
  OpBuilder inside(store);
  emit(inside, store.getIndices());
  Value zero = found.fill.getInputs()[0];
  memref::StoreOp::create(inside, store.getLoc(), zero, store.getMemRef(), store.getIndices());
  store.erase();
  eraseUnused(nest);
}

/// Emits the update of the element at `position`.
static void updateElement(OpBuilder &builder, ZeroUpdate &found, ValueRange position) {
  Location loc = found.update.getLoc();
  IRMapping mapping;
  for (OpOperand &operand : found.update->getOpOperands()) {
    BlockArgument argument = found.update.getMatchingBlockArgument(&operand);
    bool isScalar = found.update.getMatchingIndexingMap(&operand).getNumResults() == 0;
    Value value = operand.get();
    if (isa<MemRefType>(value.getType()))
      value = memref::LoadOp::create(builder, loc, value, isScalar ? ValueRange() : position);
    mapping.map(argument, value);
  }
  for (Operation &op : found.update.getBody()->without_terminator())
    builder.clone(op, mapping);
  Value updated = mapping.lookupOrDefault(found.update.getBody()->getTerminator()->getOperand(0));
  memref::StoreOp::create(builder, loc, updated, found.getTable(), position);
}

/// Replaces `dense` by `emit`, or chooses between them where there is a guard.
static void replace(Operation *dense, Value guard, llvm::function_ref<void(OpBuilder &)> emit) {
  OpBuilder builder(dense);
  if (!guard) {
    emit(builder);
    return dense->erase();
  }
  auto choice = scf::IfOp::create(builder, dense->getLoc(), guard, /*withElseRegion=*/true);
  OpBuilder then = choice.getThenBodyBuilder();
  emit(then);
  dense->moveBefore(choice.elseBlock()->getTerminator());
}

static void updateRows(ZeroUpdate &found) {
  OpBuilder builder(found.fill);
  Value guard = makeGuard(builder, found);
  replace(found.update, guard, [&](OpBuilder &then) {
    visitElements(then, found, [&](OpBuilder &inside, ValueRange at) { updateElement(inside, found, at); });
  });
  replace(found.fill, guard, [&](OpBuilder &then) { visitElements(then, found, [](OpBuilder &, ValueRange) {}); });
}

namespace {

struct ElideZeroUpdatesPass : public plumb::impl::ElideZeroUpdatesPassBase<ElideZeroUpdatesPass> {
  void runOnOperation() override {
    SmallVector<linalg::FillOp> fills;
    getOperation()->walk([&](linalg::FillOp fill) {
      if (fill->getParentOfType<device::LoopOp>())
        fills.push_back(fill);
    });
    for (linalg::FillOp fill : fills)
      if (std::optional<ZeroUpdate> found = findZeroUpdate(fill))
        updateRows(*found);
  }
};

} // namespace
