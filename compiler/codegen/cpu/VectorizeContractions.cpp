// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products and convolutions. They come first: a fill that only starts their
// accumulators is swallowed here, before elementwise work is emitted.
// Covered by vectorize_contractions.mlir.

#include "compiler/codegen/cpu/Passes.h"
#include "compiler/codegen/cpu/VectorizeModule.h"

#define DEBUG_TYPE "plumb-vectorize-contractions"

namespace plumb {
#define GEN_PASS_DEF_VECTORIZECONTRACTIONSPASS
#include "compiler/codegen/cpu/Passes.h.inc"
} // namespace plumb

namespace {
class VectorizeContractions
    : public plumb::impl::VectorizeContractionsPassBase<VectorizeContractions> {
  using VectorizeContractionsPassBase::VectorizeContractionsPassBase;

  void runOnOperation() override {
    if (failed(plumb::vectorizeModule(getOperation(), targetCpu,
                                      plumb::isContraction)))
      signalPassFailure();
  }
};
} // namespace
