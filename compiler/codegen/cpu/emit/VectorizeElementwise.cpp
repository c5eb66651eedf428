// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectorizes elementwise operations, fills, copies and transposes. Covered by vectorize_elementwise.mlir.

#include "compiler/codegen/cpu/Passes.h"
#include "compiler/codegen/cpu/emit/VectorizeModule.h"

namespace plumb {
#define GEN_PASS_DEF_VECTORIZEELEMENTWISEPASS
#include "compiler/codegen/cpu/Passes.h.inc"
} // namespace plumb

namespace {
class VectorizeElementwise : public plumb::impl::VectorizeElementwisePassBase<VectorizeElementwise> {
  using VectorizeElementwisePassBase::VectorizeElementwisePassBase;

  void runOnOperation() override {
    auto isElementwise = [](mlir::linalg::LinalgOp op) { return op.getNumReductionLoops() == 0; };
    if (failed(plumb::vectorizeModule(getOperation(), targetCpu, isElementwise)))
      signalPassFailure();
  }
};
} // namespace
