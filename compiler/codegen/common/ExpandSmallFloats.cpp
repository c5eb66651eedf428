// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic on f16 and bf16 in f32, and conversions by integers: a bf16 is the upper half of an f32, and f16 is left
// to the processor where it has instructions for it, since LLVM would call a function per element otherwise. Chains of
// operations stay in f32 and are rounded at their end. Covered by expand_small_floats.mlir.

#include "compiler/codegen/common/Passes.h"
#include "compiler/codegen/common/SmallFloatPatterns.h"
#include "compiler/target/FindTarget.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace plumb {
#define GEN_PASS_DEF_EXPANDSMALLFLOATSPASS
#include "compiler/codegen/common/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

/// Whether `op` computes on, or converts, floats of 16 bits.
static bool isSmall(Operation *op) {
  auto isSmallType = [](Type type) {
    Type element = getElementTypeOrSelf(type);
    return element.isF16() || element.isBF16();
  };
  return isa_and_nonnull<arith::ArithDialect, math::MathDialect>(op->getDialect()) &&
         (llvm::any_of(op->getOperandTypes(), isSmallType) || llvm::any_of(op->getResultTypes(), isSmallType));
}

/// Extends operands to f32, computes in f32 and truncates results.
static LogicalResult computeInF32(ModuleOp module) {
  MLIRContext *context = module.getContext();
  Type f16 = Float16Type::get(context), bf16 = BFloat16Type::get(context);
  Type f32 = Float32Type::get(context);
  TypeConverter forArith, forMath;
  arith::populateEmulateUnsupportedFloatsConversions(forArith, {f16, bf16}, f32);
  SetVector<Type> supported;
  supported.insert(Float64Type::get(context));
  math::populateExtendToSupportedTypesTypeConverter(forMath, supported, f32);
  ConversionTarget arithTarget(*context), mathTarget(*context);
  arith::populateEmulateUnsupportedFloatsLegality(arithTarget, forArith);
  math::populateExtendToSupportedTypesConversionTarget(mathTarget, forMath);
  RewritePatternSet arithPatterns(context), mathPatterns(context);
  arith::populateEmulateUnsupportedFloatsPatterns(arithPatterns, forArith);
  math::populateExtendToSupportedTypesPatterns(mathPatterns, forMath);
  if (failed(applyPartialConversion(module, mathTarget, std::move(mathPatterns))))
    return failure();
  return applyPartialConversion(module, arithTarget, std::move(arithPatterns));
}

/// Conversions as shifts and roundings of integers.
static LogicalResult convertByIntegers(ModuleOp module, const CpuTarget &target) {
  SmallVector<Operation *> conversions;
  module.walk([&](Operation *op) {
    if (isa<arith::ExtFOp, arith::TruncFOp>(op) && isSmall(op))
      conversions.push_back(op);
  });
  RewritePatternSet patterns(module.getContext());
  arith::populateExpandBFloat16Patterns(patterns);
  populateSmallDoublePatterns(patterns);
  if (!target.convertsHalves)
    populateHalfPatterns(patterns);
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
  return applyOpPatternsGreedily(conversions, std::move(patterns), config);
}

/// Drops fast-math flags, which have served when chains were joined and which LLVM's conversions do not have.
static void dropFlags(ModuleOp module) {
  module.walk([&](Operation *op) {
    if (auto extend = dyn_cast<arith::ExtFOp>(op))
      extend.removeFastmathAttr();
    else if (auto truncate = dyn_cast<arith::TruncFOp>(op))
      truncate.removeFastmathAttr();
  });
}

namespace {
struct ExpandSmallFloats : plumb::impl::ExpandSmallFloatsPassBase<ExpandSmallFloats> {
  using ExpandSmallFloatsPassBase::ExpandSmallFloatsPassBase;

  void runOnOperation() override {
    FailureOr<CpuTarget> target = findTarget(getOperation(), targetCpu);
    if (failed(target))
      return signalPassFailure();
    WalkResult found = getOperation().walk(
        [](Operation *op) { return isSmall(op) ? WalkResult::interrupt() : WalkResult::advance(); });
    if (!found.wasInterrupted())
      return;
    if (failed(computeInF32(getOperation())) || failed(convertByIntegers(getOperation(), *target)))
      return signalPassFailure();
    dropFlags(getOperation());
  }
};
} // namespace
