// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums, maxima, pooling windows: whatever has reduction loops and is not a
// contraction. Covered by vectorize_reductions.mlir.

#include "compiler/codegen/cpu/Passes.h"
#include "compiler/codegen/cpu/VectorizeModule.h"

#define DEBUG_TYPE "plumb-vectorize-reductions"

namespace plumb {
#define GEN_PASS_DEF_VECTORIZEREDUCTIONSPASS
#include "compiler/codegen/cpu/Passes.h.inc"
} // namespace plumb

namespace {
class VectorizeReductions
    : public plumb::impl::VectorizeReductionsPassBase<VectorizeReductions> {
  using VectorizeReductionsPassBase::VectorizeReductionsPassBase;

  void runOnOperation() override {
    auto isReduction = [](mlir::linalg::LinalgOp op) {
      return op.getNumReductionLoops() != 0 && !plumb::isContraction(op);
    };
    if (failed(plumb::vectorizeModule(getOperation(), targetCpu, isReduction)))
      signalPassFailure();
  }
};
} // namespace
