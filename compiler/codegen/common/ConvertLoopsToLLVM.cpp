// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One conversion of all dialects that kernels consist of to LLVM's dialect. A pass per dialect would walk thousands of
// operations a dozen times and insert casts between them. Views are expanded to address arithmetic first. Covered by
// convert_loops_to_llvm.mlir.

#include "compiler/codegen/common/Passes.h"

#include "dialects/kernel/ir/Kernel.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace plumb {
#define GEN_PASS_DEF_CONVERTLOOPSTOLLVMPASS
#include "compiler/codegen/common/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

namespace {
/// Adds the offset to the address, where `ConvertParallelToLLVM` finds it.
struct ConvertRebase : ConvertOpToLLVMPattern<kernel::RebaseOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(kernel::RebaseOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const final {
    Location loc = op.getLoc();
    auto type = cast<MemRefType>(op.getResult().getType());
    Value base = MemRefDescriptor(adaptor.getSource()).alignedPtr(rewriter, loc);
    // A constant index of a GEP has 29 bits, fewer than the offsets of an arena.
    Value distance = LLVM::ConstantOp::create(rewriter, loc, rewriter.getI64IntegerAttr(op.getDistance()));
    Type element = getTypeConverter()->convertType(type.getElementType());
    Value address = LLVM::GEPOp::create(rewriter, loc, base.getType(), element, base, ArrayRef<LLVM::GEPArg>{distance});
    rewriter.replaceOp(op, {MemRefDescriptor::fromStaticShape(rewriter, loc, *getTypeConverter(), type, address)});
    return success();
  }
};
} // namespace

/// Expands views to a base, an offset and strides.
static LogicalResult expandViews(ModuleOp module) {
  SmallVector<Operation *> views;
  module.walk([&](Operation *op) {
    if (isa<memref::SubViewOp, memref::ExpandShapeOp, memref::CollapseShapeOp, memref::ExtractStridedMetadataOp>(op))
      views.push_back(op);
  });
  if (views.empty())
    return success();
  RewritePatternSet patterns(module.getContext());
  memref::populateExpandStridedMetadataPatterns(patterns);
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
  return applyOpPatternsGreedily(views, std::move(patterns), config);
}

/// Calls libm for functions of f64 that LLVM has no intrinsic for, or whose expansions lose digits by cancellation
/// (expm1 as exp minus one); vectors are scalarized. Runs before the conversion, which then converts the extracts.
static LogicalResult callLibraryMath(ModuleOp module) {
  SmallVector<Operation *> calls;
  module.walk([&](Operation *op) {
    if (isa<math::ErfOp, math::ErfcOp, math::ExpM1Op, math::Log1pOp, math::AsinhOp, math::AcoshOp, math::AtanhOp>(op))
      calls.push_back(op);
  });
  RewritePatternSet patterns(module.getContext());
  populateMathToLibmConversionPatterns(patterns);
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
  return applyOpPatternsGreedily(calls, std::move(patterns), config);
}

/// The patterns of all dialects, in order of preference.
static void populatePatterns(const LLVMTypeConverter &converter, RewritePatternSet &patterns) {
  populateAffineToStdConversionPatterns(patterns);
  vector::populateVectorBitCastLoweringPatterns(patterns);
  vector::populateVectorBroadcastLoweringPatterns(patterns);
  vector::populateVectorMaskOpLoweringPatterns(patterns);
  vector::populateVectorStepLoweringPatterns(patterns);
  populateVectorToLLVMConversionPatterns(converter, patterns);
  // LLVM's instructions and intrinsics are preferred to calls of libm.
  populateMathToLLVMConversionPatterns(converter, patterns,
                                       /*approximateLog1p=*/true,
                                       /*benefit=*/2);
  populateMathToLibmConversionPatterns(patterns);
  index::populateIndexToLLVMConversionPatterns(converter, patterns);
  populateFinalizeMemRefToLLVMConversionPatterns(converter, patterns);
  populateFuncToLLVMConversionPatterns(converter, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
  patterns.add<ConvertRebase>(converter);
  arith::populateArithToLLVMConversionPatterns(converter, patterns);
  // Undefined lanes of shuffles and of padding are `ub.poison`.
  ub::populateUBToLLVMConversionPatterns(converter, patterns);
}

/// Converts all operations in functions.
static LogicalResult convertAll(ModuleOp module) {
  MLIRContext *context = module.getContext();
  LowerToLLVMOptions options(context);
  options.useBarePtrCallConv = true;
  LLVMTypeConverter converter(context, options);
  RewritePatternSet patterns(context);
  populatePatterns(converter, patterns);
  LLVMConversionTarget target(*context);
  target.addIllegalDialect<affine::AffineDialect, arith::ArithDialect, cf::ControlFlowDialect, func::FuncDialect,
                           index::IndexDialect, kernel::KernelDialect, math::MathDialect, memref::MemRefDialect,
                           ub::UBDialect, vector::VectorDialect>();
  ConversionConfig config;
  config.allowPatternRollback = false;
  return applyPartialConversion(module, target, std::move(patterns), config);
}

/// Folds pairs of opposite casts.
static void dissolveCasts(ModuleOp module) {
  SmallVector<UnrealizedConversionCastOp> casts;
  module.walk([&](UnrealizedConversionCastOp op) { casts.push_back(op); });
  reconcileUnrealizedCasts(casts);
}

namespace {
struct ConvertLoopsToLLVM : plumb::impl::ConvertLoopsToLLVMPassBase<ConvertLoopsToLLVM> {
  void runOnOperation() override {
    if (failed(expandViews(getOperation())) || failed(callLibraryMath(getOperation())) ||
        failed(convertAll(getOperation())))
      return signalPassFailure();
    dissolveCasts(getOperation());
  }
};
} // namespace
