// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads facts off the body of an operation and the operations before it.

#include "compiler/codegen/cpu/analysis/OpFacts.h"

#include "compiler/codegen/common/Aliasing.h"
#include "compiler/support/UsedValues.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace plumb;
using vector::CombiningKind;

/// The combining kind of a scalar operation that is commutative and associative enough to combine lanes in any order.
static std::optional<CombiningKind> getCombiningKind(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<CombiningKind>>(op)
      .Case<arith::AddFOp, arith::AddIOp>([](auto) { return CombiningKind::ADD; })
      .Case<arith::MulFOp, arith::MulIOp>([](auto) { return CombiningKind::MUL; })
      .Case([](arith::MaximumFOp) { return CombiningKind::MAXIMUMF; })
      .Case([](arith::MinimumFOp) { return CombiningKind::MINIMUMF; })
      .Case([](arith::MaxNumFOp) { return CombiningKind::MAXNUMF; })
      .Case([](arith::MinNumFOp) { return CombiningKind::MINNUMF; })
      .Case([](arith::MaxSIOp) { return CombiningKind::MAXSI; })
      .Case([](arith::MinSIOp) { return CombiningKind::MINSI; })
      .Case([](arith::MaxUIOp) { return CombiningKind::MAXUI; })
      .Case([](arith::MinUIOp) { return CombiningKind::MINUI; })
      .Case([](arith::AndIOp) { return CombiningKind::AND; })
      .Case([](arith::OrIOp) { return CombiningKind::OR; })
      .Case([](arith::XOrIOp) { return CombiningKind::XOR; })
      .Default([](Operation *) { return std::nullopt; });
}

std::optional<CombiningKinds> plumb::getReductionKinds(linalg::LinalgOp op) {
  CombiningKinds kinds;
  for (unsigned result = 0; result < op.getNumDpsInits(); ++result) {
    Operation *combiner = findCombiner(op, result);
    std::optional<CombiningKind> kind = combiner ? getCombiningKind(combiner) : std::nullopt;
    if (!kind)
      return std::nullopt;
    kinds.push_back(*kind);
  }
  return kinds;
}

/// Whether `op`, or an operation inside it, accesses the buffer `root`.
static bool accesses(Operation *op, Value root) {
  WalkResult result = op->walk([&](Operation *inner) {
    bool found = llvm::any_of(inner->getOperands(), [&](Value operand) {
      return isa<BaseMemRefType>(operand.getType()) && getRoot(operand) == root;
    });
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return result.wasInterrupted();
}

linalg::FillOp plumb::findInitialFill(linalg::LinalgOp op, unsigned result) {
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(result));
  if (op.getRegionOutputArgs()[result].use_empty() || !map.isProjectedPermutation())
    return nullptr;
  Value output = op.getDpsInits()[result];
  Value root = getRoot(output);
  for (OpOperand *input : op.getDpsInputOperands())
    if (isa<BaseMemRefType>(input->get().getType()) && getRoot(input->get()) == root)
      return nullptr;
  for (Value buffer : getCapturedBuffers(op))
    if (getRoot(buffer) == root)
      return nullptr;
  for (Operation *before = op->getPrevNode(); before; before = before->getPrevNode()) {
    auto fill = dyn_cast<linalg::FillOp>(before);
    if (fill && fill.getOutputs()[0] == output)
      return fill;
    if (isa<ViewLikeOpInterface>(before) && before->getNumRegions() == 0)
      continue;
    if (accesses(before, root))
      return nullptr;
  }
  return nullptr;
}

/// Whether vectors of this element type have the memory layout of scalars.
static bool isLaneType(Type type) {
  return isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(type) || type.isIndex() ||
         (type.isInteger() && type.getIntOrFloatBitWidth() <= 64);
}

bool plumb::isVectorizable(linalg::LinalgOp op) {
  for (Operation &inner : op.getBlock()->without_terminator()) {
    if (isa<linalg::IndexOp, arith::ConstantOp>(inner))
      continue;
    if (!OpTrait::hasElementwiseMappableTraits(&inner) || !llvm::all_of(inner.getResultTypes(), isLaneType) ||
        !llvm::all_of(inner.getOperandTypes(), isLaneType))
      return false;
  }
  return llvm::all_of(op.getBlock()->getArgumentTypes(), isLaneType);
}

int plumb::findFusedMultiply(arith::AddFOp add) {
  if (!add.getType().isF32() && !add.getType().isF64())
    return -1;
  for (int operand : {0, 1}) {
    auto mul = add->getOperand(operand).getDefiningOp<arith::MulFOp>();
    if (mul && mul->hasOneUse() && mul->getBlock() == add->getBlock())
      return operand;
  }
  return -1;
}

int64_t plumb::countOperations(linalg::LinalgOp op) {
  int64_t count = 0;
  for (Operation &inner : op.getBlock()->without_terminator()) {
    if (isa<arith::ConstantOp, linalg::IndexOp>(inner))
      continue;
    auto add = dyn_cast<arith::AddFOp>(inner);
    if (isa_and_nonnull<math::MathDialect>(inner.getDialect()))
      count += 12;
    else if (!add || findFusedMultiply(add) < 0)
      ++count;
  }
  return count;
}
