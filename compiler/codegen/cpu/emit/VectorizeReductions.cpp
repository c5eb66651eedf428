// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectorizes sums, maxima and pooling: operations with reduction loops that are no contractions. Covered by
// vectorize_reductions.mlir.

#include "compiler/codegen/cpu/Passes.h"
#include "compiler/codegen/cpu/emit/VectorizeModule.h"

namespace plumb {
#define GEN_PASS_DEF_VECTORIZEREDUCTIONSPASS
#include "compiler/codegen/cpu/Passes.h.inc"
} // namespace plumb

namespace {
class VectorizeReductions : public plumb::impl::VectorizeReductionsPassBase<VectorizeReductions> {
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
