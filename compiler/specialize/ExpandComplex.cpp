// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rewrites complex numbers to pairs of real ones, so that no later stage knows of them: gradients, folds, fusion and
// code are those of real tensors. Each complex value becomes two, in functions' arguments and results, branches and
// loops alike; each op of the dialect has its rule (net::expandComplex).
//
//   %z = net.mul %x, %y : tensor<4xcomplex<f32>>   =>   %a = net.mul %x.re, %y.re …   %z.re = net.sub %a, %b
//                                                       %c = net.mul %x.re, %y.im …   %z.im = net.add %c, %d
//
// A gradient by a complex value z = x + iy is then the pair of those by x and y, dL/dx + i dL/dy, as in other
// frameworks. What the host sees is real already (InsertComplexLayouts). docs/rationale/complex_numbers.md says why it
// is done here. Tests: test/compiler/specialize/expand_complex*.mlir.

#include "compiler/specialize/Passes.h"

#include "dialects/net/ir/NetConstantOps.h"
#include "dialects/net/ir/NetGradOps.h"
#include "dialects/net/ir/NetMathOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Transforms/DialectConversion.h"

namespace plumb {
#define GEN_PASS_DEF_EXPANDCOMPLEXPASS
#include "compiler/specialize/Passes.h.inc"

namespace {

using namespace mlir;

/// A complex tensor is its real and its imaginary part.
LogicalResult convertComplex(Type type, SmallVectorImpl<Type> &parts) {
  if (net::isComplexTensor(type)) {
    auto tensor = cast<RankedTensorType>(type);
    parts.assign(2, tensor.clone(cast<ComplexType>(tensor.getElementType()).getElementType()));
  } else {
    parts.push_back(type);
  }
  return success();
}

/// An op by its own rule.
struct ExpandOp : ConversionPattern {
  ExpandOp(const TypeConverter &converter, MLIRContext *context)
      : ConversionPattern(converter, MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op, ArrayRef<ValueRange> operands,
                                ConversionPatternRewriter &rewriter) const override {
    if (!net::hasComplexRule(op))
      return rewriter.notifyMatchFailure(op, "the op has no rule");
    FailureOr<SmallVector<Value>> values = net::expandComplex(op, rewriter, operands);
    if (failed(values))
      return rewriter.notifyMatchFailure(op, "the op's rule has failed");
    SmallVector<SmallVector<Value>> results;
    ValueRange left(*values);
    for (Type type : op->getResultTypes()) {
      unsigned count = net::isComplexTensor(type) ? 2 : 1;
      results.emplace_back(left.take_front(count));
      left = left.drop_front(count);
    }
    rewriter.replaceOpWithMultiple(op, std::move(results));
    return success();
  }
};

/// A gradient by the parts, of the parts.
struct ExpandGradient : OpConversionPattern<net::ValueAndGradOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(net::ValueAndGradOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> operands;
    SmallVector<Attribute> argnums;
    auto wanted = op.getArgnumValues();
    for (auto [number, values] : llvm::enumerate(adaptor.getArgs())) {
      if (llvm::is_contained(wanted, number))
        for (size_t part = 0; part < values.size(); ++part)
          argnums.push_back(rewriter.getI64IntegerAttr(operands.size() + part));
      llvm::append_range(operands, values);
    }
    bool isSeeded = op.getSens() || op->hasAttr("has_aux");
    if (!isSeeded)
      addAdjoints(op, operands, rewriter);
    SmallVector<Type> types;
    if (failed(getTypeConverter()->convertTypes(op.getResultTypes(), types)))
      return failure();
    auto gradient = net::ValueAndGradOp::create(rewriter, op.getLoc(), types, op.getCalleeAttr(), operands,
                                                rewriter.getArrayAttr(argnums), op.getWeightsAttr(),
                                                rewriter.getBoolAttr(op.getSens() || !isSeeded));
    if (Attribute aux = op->getAttr("has_aux"))
      gradient->setAttr("has_aux", aux);
    replace(op, gradient.getResults(), rewriter);
    return success();
  }

  /// Without adjoints all results would get ones, imaginary parts, too.
  static void addAdjoints(net::ValueAndGradOp op, SmallVectorImpl<Value> &operands, OpBuilder &builder) {
    size_t count = op.getNumResults() - op.getArgnums().size() - op.getWeights().size();
    for (Value result : op->getResults().take_front(count)) {
      SmallVector<Type> parts;
      (void)convertComplex(result.getType(), parts);
      for (auto [number, part] : llvm::enumerate(parts)) {
        auto tensor = cast<RankedTensorType>(part);
        Attribute one =
            number ? builder.getZeroAttr(tensor.getElementType()) : builder.getOneAttr(tensor.getElementType());
        operands.push_back(net::ConstantOp::create(builder, op.getLoc(), DenseElementsAttr::get(tensor, one)));
      }
    }
  }

  static void replace(net::ValueAndGradOp op, ValueRange values, ConversionPatternRewriter &rewriter) {
    SmallVector<SmallVector<Value>> results;
    for (Type type : op.getResultTypes()) {
      unsigned count = net::isComplexTensor(type) ? 2 : 1;
      results.emplace_back(values.take_front(count));
      values = values.drop_front(count);
    }
    rewriter.replaceOpWithMultiple(op, std::move(results));
  }
};

bool hasComplex(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), net::isComplexTensor) ||
         llvm::any_of(op->getResultTypes(), net::isComplexTensor);
}

bool mentionsComplex(ModuleOp module) {
  WalkResult walk = module.walk([](Operation *op) {
    bool found = hasComplex(op);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        found |= llvm::any_of(block.getArgumentTypes(), net::isComplexTensor);
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return walk.wasInterrupted();
}

/// Names each op that has a complex value and no rule for it.
LogicalResult verifyRules(ModuleOp module) {
  bool isValid = true;
  module.walk([&](Operation *op) {
    bool isKnown = net::hasComplexRule(op) || isa<net::ValueAndGradOp>(op) ||
                   isa<func::FuncDialect, scf::SCFDialect>(op->getDialect());
    if (isKnown || !hasComplex(op))
      return;
    op->emitOpError("is not offered for complex numbers");
    isValid = false;
  });
  return success(isValid);
}

struct ExpandComplex : impl::ExpandComplexPassBase<ExpandComplex> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (!mentionsComplex(module))
      return;
    if (failed(verifyRules(module)))
      return signalPassFailure();
    TypeConverter converter;
    converter.addConversion(convertComplex);
    RewritePatternSet patterns(&getContext());
    ConversionTarget target(getContext());
    patterns.add<ExpandOp, ExpandGradient>(converter, &getContext());
    populateFunctionOpInterfaceTypeConversionPattern<func::FuncOp>(patterns, converter);
    populateCallOpTypeConversionPattern(patterns, converter);
    populateReturnOpTypeConversionPattern(patterns, converter);
    scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns, target);
    target.markUnknownOpDynamicallyLegal([&](Operation *op) {
      auto function = dyn_cast<func::FuncOp>(op);
      return function ? converter.isSignatureLegal(function.getFunctionType()) && converter.isLegal(&function.getBody())
                      : converter.isLegal(op);
    });
    ConversionConfig config;
    config.foldingMode = DialectConversionFoldingMode::Never;
    if (failed(applyFullConversion(module, target, std::move(patterns), config)))
      signalPassFailure();
  }
};

} // namespace
} // namespace plumb
