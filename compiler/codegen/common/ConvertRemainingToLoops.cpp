// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fallback for operations without vector code. Visits only these, as the vectorized kernels beside them are large.
// Covered by convert_remaining_to_loops.mlir.

#include "compiler/codegen/common/Passes.h"

#include "dialects/device/ir/Device.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

namespace plumb {
#define GEN_PASS_DEF_CONVERTREMAININGTOLOOPSPASS
#include "compiler/codegen/common/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

/// Loads elements of `halo` from its source, and zero where the source has none; erases the halo.
static void guardLoads(device::HaloOp halo) {
  SmallVector<memref::LoadOp> loads;
  for (Operation *user : halo->getUsers())
    if (auto load = dyn_cast<memref::LoadOp>(user))
      loads.push_back(load);
  for (memref::LoadOp load : loads) {
    ImplicitLocOpBuilder b(load.getLoc(), load);
    auto constant = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(b, value); };
    Value isInside = arith::ConstantIntOp::create(b, true, 1);
    SmallVector<Value> indices;
    for (auto [index, low, extent] :
         llvm::zip_equal(load.getIndices(), halo.getLow(), halo.getSource().getType().getShape())) {
      indices.push_back(arith::SubIOp::create(b, index, constant(low)));
      // Negative indices are large as unsigned numbers.
      Value fits = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, indices.back(), constant(extent));
      isInside = arith::AndIOp::create(b, isInside, fits);
    }
    auto ifOp = scf::IfOp::create(b, load.getType(), isInside, true);
    OpBuilder inner = ifOp.getThenBodyBuilder();
    Value element = memref::LoadOp::create(inner, load.getLoc(), halo.getSource(), indices);
    scf::YieldOp::create(inner, load.getLoc(), element);
    OpBuilder outer = ifOp.getElseBodyBuilder();
    Value zero = arith::ConstantOp::create(outer, load.getLoc(), outer.getZeroAttr(load.getType()));
    scf::YieldOp::create(outer, load.getLoc(), zero);
    load.replaceAllUsesWith(ifOp.getResult(0));
    load.erase();
  }
  halo.erase();
}

namespace {
struct ConvertRemainingToLoops : plumb::impl::ConvertRemainingToLoopsPassBase<ConvertRemainingToLoops> {
  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> rest;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (op.hasPureBufferSemantics())
        rest.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : rest) {
      rewriter.setInsertionPoint(op);
      if (failed(linalg::linalgOpToLoops(rewriter, op))) {
        op.emitOpError("cannot be written as loops");
        return signalPassFailure();
      }
      rewriter.eraseOp(op);
    }
    getOperation().walk([](device::HaloOp halo) { guardLoads(halo); });
  }
};
} // namespace
