// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Math without libm: MLIR's own polynomials for what they cover, after the
// rewrites that bring other functions into their reach; own ones are in
// MathPatterns.h. Covered by
// expand_math.mlir.

#include "compiler/codegen/common/MathPatterns.h"
#include "compiler/codegen/common/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/Transforms/Approximation.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#define DEBUG_TYPE "plumb-expand-math"

namespace plumb {
#define GEN_PASS_DEF_EXPANDMATHPASS
#include "compiler/codegen/common/Passes.h.inc"
} // namespace plumb

using namespace mlir;

/// Functions that are written by others: powf by a constant, ….
/// What the processor has as an instruction (sqrt, fma, floor) stays.
static const StringRef expandedByOthers[] = {"fpowi", "powf", "exp2", "round",
                                             "rsqrt"};

namespace {
struct ExpandMath : plumb::impl::ExpandMathPassBase<ExpandMath> {
  void runOnOperation() override {
    // Walks only what holds math: most steps have a handful of such ops.
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
