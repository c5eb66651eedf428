// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts the net operations of every loop to linalg on tensors.
//
// Each operation implements its own lowering (LowerableOpInterface). Arithmetic on tensors, which folding leaves
// behind, and named linalg operations without reductions become `linalg.generic`, so that later passes match one form.
// Fills, copies and contractions keep the form that their lowering has given them. Tests:
// test/compiler/lower/convert_net_to_linalg*.mlir

#include "compiler/lower/Passes.h"
#include "compiler/support/StructuredRewrites.h"
#include "dialects/device/ir/Device.h"
#include "dialects/net/ir/Lowering.h"
#include "dialects/net/ir/NetConstantOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace plumb {
#define GEN_PASS_DEF_CONVERTNETTOLINALGPASS
#include "compiler/lower/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

/// Casts between signed, unsigned and signless elements, of which linalg operations use the last.
static Value withType(OpBuilder &builder, Value value, Type type) {
  if (value.getType() == type)
    return value;
  if (auto other = value.getDefiningOp<tensor::BitcastOp>(); other && other.getSource().getType() == type)
    return other.getSource();
  return tensor::BitcastOp::create(builder, value.getLoc(), type, value);
}

/// The linalg form of one net operation, over signless operands.
static FailureOr<SmallVector<Value>> lower(Operation *op, OpBuilder &builder) {
  if (auto constant = dyn_cast<net::ConstantOp>(op)) {
    auto elements = dyn_cast<DenseElementsAttr>(constant->getAttr("value"));
    auto value = cast<TypedAttr>(constant->getAttr("value"));
    if (elements && elements.getElementType().isUnsignedInteger())
      value = elements.bitcast(net::withoutSign(elements.getElementType()));
    return SmallVector<Value>{arith::ConstantOp::create(builder, op->getLoc(), value)};
  }
  auto lowerable = dyn_cast<net::LowerableOpInterface>(op);
  if (!lowerable)
    return op->emitOpError() << "has no lowering to linalg";
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(withType(builder, operand, net::withoutSign(operand.getType())));
  return lowerable.lowerToLinalg(builder, operands);
}

/// Replaces one net operation by its linalg form.
static LogicalResult convert(Operation *op) {
  OpBuilder builder(op);
  FailureOr<SmallVector<Value>> results = lower(op, builder);
  if (failed(results))
    return failure();
  for (auto [old, result] : llvm::zip_equal(op->getResults(), *results))
    old.replaceAllUsesWith(withType(builder, result, old.getType()));
  op->erase();
  return success();
}

/// Converts a select between tensors to signless elements, as for other operations.
static void dropSigns(arith::SelectOp select) {
  Type type = net::withoutSign(select.getType());
  if (type == select.getType())
    return;
  OpBuilder builder(select);
  Value one = withType(builder, select.getTrueValue(), type), other = withType(builder, select.getFalseValue(), type);
  Value chosen = arith::SelectOp::create(builder, select.getLoc(), select.getCondition(), one, other);
  select.replaceAllUsesWith(withType(builder, chosen, select.getType()));
  select.erase();
}

/// Converts named operations to generic ones, except for fills, copies and reductions.
static void generalize(device::LoopOp loop) {
  SmallVector<linalg::LinalgOp> named;
  loop.walk([&](linalg::LinalgOp op) {
    if (!isa<linalg::GenericOp, linalg::FillOp, linalg::CopyOp>(op) && op.getNumReductionLoops() == 0)
      named.push_back(op);
  });
  IRRewriter rewriter(loop.getContext());
  for (linalg::LinalgOp op : named) {
    rewriter.setInsertionPoint(op);
    (void)linalg::generalizeNamedOp(rewriter, op);
  }
}

namespace {

struct ConvertNetToLinalgPass : public plumb::impl::ConvertNetToLinalgPassBase<ConvertNetToLinalgPass> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](device::LoopOp loop) {
      loop.walk([&](Operation *op) {
        if (op->getName().getDialectNamespace() == "net")
          ops.push_back(op);
      });
    });
    for (Operation *op : ops)
      if (failed(convert(op)))
        return signalPassFailure();
    getOperation()->walk([](arith::SelectOp select) { dropSigns(select); });
    RewritePatternSet patterns(&getContext());
    linalg::populateElementwiseToLinalgConversionPatterns(patterns);
    FrozenRewritePatternSet frozen(std::move(patterns));
    getOperation()->walk([&](device::LoopOp loop) {
      (void)applyPatternsGreedily(loop, frozen, getStructuredConfig());
      generalize(loop);
    });
  }
};

} // namespace
