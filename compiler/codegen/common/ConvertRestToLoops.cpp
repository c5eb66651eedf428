// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The way out for operations that no emitter took. Visits these alone: the
// kernels beside them are large. Covered by convert_rest_to_loops.mlir.

#include "compiler/codegen/common/Passes.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

#define DEBUG_TYPE "plumb-convert-rest-to-loops"

namespace plumb {
#define GEN_PASS_DEF_CONVERTRESTTOLOOPSPASS
#include "compiler/codegen/common/Passes.h.inc"
} // namespace plumb

using namespace mlir;

namespace {
struct ConvertRestToLoops
    : plumb::impl::ConvertRestToLoopsPassBase<ConvertRestToLoops> {
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
  }
};
} // namespace
