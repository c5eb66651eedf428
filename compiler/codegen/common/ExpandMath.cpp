// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expands math functions without libm: MLIR's polynomials for the functions that they cover, after rewrites of other
// functions in terms of these; our own expansions are in MathPatterns.h. Covered by expand_math.mlir.

#include "compiler/codegen/common/MathPatterns.h"
#include "compiler/codegen/common/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/Transforms/Approximation.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace plumb {
#define GEN_PASS_DEF_EXPANDMATHPASS
#include "compiler/codegen/common/Passes.h.inc"
} // namespace plumb

using namespace mlir;

/// Functions that are rewritten in terms of others, such as powf of a constant. Functions that the processor has as an
/// instruction (sqrt, fma, floor) stay.
static const StringRef expandedByOthers[] = {"fpowi", "powf", "exp2", "round", "rsqrt"};

namespace {
struct ExpandMath : plumb::impl::ExpandMathPassBase<ExpandMath> {
  void runOnOperation() override {
    // Visits math operations only: most steps have few of them.
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (isa_and_nonnull<math::MathDialect>(op->getDialect()))
        ops.push_back(op);
    });
    if (ops.empty())
      return;
    RewritePatternSet patterns(&getContext());
    populateMathAlgebraicSimplificationPatterns(patterns);
    math::populateExpansionPatterns(patterns, expandedByOthers);
    plumb::populateTrigonometricPatterns(patterns);
    plumb::populateWidePatterns(patterns);
    plumb::populateExpPattern(patterns);
    plumb::populateErfPattern(patterns);
    populateMathPolynomialApproximationPatterns(patterns);
    GreedyRewriteConfig config;
    config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
    if (failed(applyOpPatternsGreedily(ops, std::move(patterns), config)))
      signalPassFailure();
  }
};
} // namespace
