// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectorizes contractions. They come first, so that a fill which only starts their accumulators is merged into them
// before elementwise operations are vectorized. Covered by vectorize_contractions.mlir.

#include "compiler/codegen/cpu/Passes.h"
#include "compiler/codegen/cpu/emit/VectorizeModule.h"

namespace plumb {
#define GEN_PASS_DEF_VECTORIZECONTRACTIONSPASS
#include "compiler/codegen/cpu/Passes.h.inc"
} // namespace plumb

namespace {
class VectorizeContractions : public plumb::impl::VectorizeContractionsPassBase<VectorizeContractions> {
  using VectorizeContractionsPassBase::VectorizeContractionsPassBase;

  void runOnOperation() override {
    if (failed(plumb::vectorizeModule(getOperation(), targetCpu, plumb::isContraction)))
      signalPassFailure();
  }
};
} // namespace
