// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Common subexpressions of elementwise operations that contain costly functions.
//
//   %y = generic ins(%x) { t = erf(x); x * (t + 1) }                  %y, %d = generic ins(%x) {
//   …                                                           =>      t = erf(x); x * (t + 1), t + x * exp(-x * x) }
//   %g = generic ins(%dy, %x) {                                       …
//     t = erf(x); dy * (t + x * exp(-x * x)) }                        %g = generic ins(%dy, %d) { dy * d }
//
// An example is the derivative of an activation. The earlier operation computes it as a second result, which the later
// one reads instead of the activation's input: it reads no more memory than before, the function is evaluated once, and
// the rest of the later operation is cheap enough for a contraction's epilogue.
//
// Both operations must have the same iteration space and a call of a `math` function with equal operands in common. The
// operations of the later body that depend on common inputs only are moved; they must have one result that the rest
// uses, and at least one large input of the later operation must become unused. Test:
// test/compiler/lower/share_functions.mlir

#include "compiler/lower/Passes.h"
#include "dialects/device/ir/Device.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

namespace plumb {
#define GEN_PASS_DEF_SHAREFUNCTIONSPASS
#include "compiler/lower/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;
using linalg::GenericOp;

//===----------------------------------------------------------------------===//
// Analysis
//===----------------------------------------------------------------------===//

/// Whether `op` is a function that takes many instructions.
static bool isCostly(Operation &op) {
  return isa_and_nonnull<math::MathDialect>(op.getDialect()) &&
         !isa<math::SqrtOp, math::RsqrtOp, math::AbsFOp, math::AbsIOp, math::FmaOp, math::CopySignOp, math::FloorOp,
              math::CeilOp, math::RoundEvenOp, math::TruncOp>(op);
}

static bool hasCostly(GenericOp op) { return llvm::any_of(op.getBody()->without_terminator(), isCostly); }

/// Whether `op` is elementwise, with the results in the order of the loops.
static bool isElementwise(GenericOp op) {
  return op.hasPureTensorSemantics() && !op.hasDynamicShape() && !op.hasIndexSemantics() &&
         op.getNumParallelLoops() == op.getNumLoops() && op.getNumLoops() > 0 &&
         llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
           return op.getMatchingIndexingMap(&init).isIdentity() && op.getMatchingBlockArgument(&init).use_empty();
         });
}

/// The input of `op` that is the same tensor with the same map as `other`, an input of another operation.
static OpOperand *findInput(GenericOp op, OpOperand *other) {
  AffineMap map = cast<GenericOp>(other->getOwner()).getMatchingIndexingMap(other);
  for (OpOperand *input : op.getDpsInputOperands())
    if (input->get() == other->get() && op.getMatchingIndexingMap(input) == map)
      return input;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Sharing
//===----------------------------------------------------------------------===//

namespace {

/// The part of `later` that `earlier` can compute.
class Sharing {
public:
  Sharing(GenericOp earlier, GenericOp later) : earlier(earlier), later(later) {}

  /// Finds the operations of `later` that depend on inputs of `earlier` only; false if moving them does not pay.
  bool find();
  /// Moves them. Replaces both operations and returns the later one.
  GenericOp apply(RewriterBase &rewriter) { return shrinkLater(rewriter, extendEarlier(rewriter)); }

private:
  bool isDefinedBefore(Value captured);
  bool dependsOnShared(Operation &op);
  bool findResult();
  bool findEquals();
  bool savesInput();
  Value extendEarlier(RewriterBase &rewriter);
  GenericOp shrinkLater(RewriterBase &rewriter, Value moved);

  GenericOp earlier, later;
  /// By argument of the later body: the equal argument of the earlier one.
  DenseMap<Value, Value> arguments;
  /// The operations that move, in order, and the value among their results that the rest uses.
  llvm::SetVector<Operation *> slice;
  Value result;
  /// By operation of the slice: the equal operation of the earlier body, if there is one.
  DenseMap<Operation *, Operation *> equals;
};

} // namespace

/// Whether a value that `later` captures is defined before `earlier`.
bool Sharing::isDefinedBefore(Value captured) {
  Operation *definition = captured.getDefiningOp();
  return captured.getParentBlock() != earlier->getBlock() || !definition || definition->isBeforeInBlock(earlier);
}

bool Sharing::dependsOnShared(Operation &op) {
  return op.getNumRegions() == 0 && op.getNumResults() == 1 && llvm::all_of(op.getOperands(), [&](Value operand) {
           if (operand.getParentBlock() != later.getBody())
             return isDefinedBefore(operand);
           Operation *definition = operand.getDefiningOp();
           return definition ? slice.contains(definition) : arguments.contains(operand);
         });
}

/// Finds the only value of the slice that the rest of the body uses; false if there are none or several.
bool Sharing::findResult() {
  for (Operation *op : slice) {
    bool leaves = llvm::any_of(op->getUsers(), [&](Operation *user) { return !slice.contains(user); });
    if (leaves && result)
      return false;
    if (leaves)
      result = op->getResult(0);
  }
  return result && result.getType().isIntOrFloat() &&
         !llvm::is_contained(later.getBody()->getTerminator()->getOperands(), result);
}

/// Finds equal operations of the two bodies; false if no costly one is among them.
bool Sharing::findEquals() {
  bool found = false;
  for (Operation *op : slice)
    for (Operation &other : earlier.getBody()->without_terminator()) {
      auto isSame = [&](Value ours, Value theirs) {
        if (Operation *definition = ours.getDefiningOp(); definition && slice.contains(definition))
          return equals.lookup(definition) && equals.lookup(definition) == theirs.getDefiningOp();
        Value argument = arguments.lookup(ours);
        return argument ? argument == theirs : ours == theirs;
      };
      if (!OperationEquivalence::isEquivalentTo(
              op, &other, [&](Value ours, Value theirs) { return success(isSame(ours, theirs)); }, nullptr,
              OperationEquivalence::IgnoreLocations))
        continue;
      equals[op] = &other;
      found |= isCostly(*op);
      break;
    }
  return found;
}

/// Whether an input as large as the result becomes unused.
bool Sharing::savesInput() {
  return llvm::any_of(later.getDpsInputOperands(), [&](OpOperand *input) {
    Value argument = later.getMatchingBlockArgument(input);
    return arguments.contains(argument) && later.getMatchingIndexingMap(input).isPermutation() &&
           llvm::all_of(argument.getUsers(), [&](Operation *user) { return slice.contains(user); });
  });
}

bool Sharing::find() {
  if (earlier.getStaticLoopRanges() != later.getStaticLoopRanges())
    return false;
  for (OpOperand *input : later.getDpsInputOperands())
    if (OpOperand *same = findInput(earlier, input))
      arguments[later.getMatchingBlockArgument(input)] = earlier.getMatchingBlockArgument(same);
  for (Operation &op : later.getBody()->without_terminator())
    if (dependsOnShared(op))
      slice.insert(&op);
  return findResult() && findEquals() && savesInput();
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// Adds the slice and its result to `earlier`.
Value Sharing::extendEarlier(RewriterBase &rewriter) {
  rewriter.setInsertionPoint(earlier);
  Location loc = earlier.getLoc();
  auto type = RankedTensorType::get(earlier.getStaticLoopRanges(), result.getType());
  SmallVector<Value> inits = llvm::to_vector(earlier.getDpsInits());
  inits.push_back(tensor::EmptyOp::create(rewriter, loc, type.getShape(), type.getElementType()));
  SmallVector<AffineMap> maps = earlier.getIndexingMapsArray();
  maps.push_back(rewriter.getMultiDimIdentityMap(earlier.getNumLoops()));
  auto extended = GenericOp::create(rewriter, loc, TypeRange(inits), earlier.getInputs(), inits, maps,
                                    earlier.getIteratorTypesArray());
  IRMapping mapping;
  rewriter.cloneRegionBefore(earlier.getRegion(), extended.getRegion(), extended.getRegion().end(), mapping);
  Block *body = extended.getBody();
  body->addArgument(type.getElementType(), loc);
  rewriter.setInsertionPoint(body->getTerminator());
  for (auto [ours, theirs] : arguments)
    mapping.map(ours, mapping.lookup(theirs));
  for (Operation *op : slice)
    if (Operation *equal = equals.lookup(op))
      mapping.map(op->getResult(0), mapping.lookup(equal->getResult(0)));
    else
      rewriter.clone(*op, mapping);
  body->getTerminator()->insertOperands(earlier.getNumDpsInits(), mapping.lookup(result));
  rewriter.replaceOp(earlier, extended.getResults().drop_back());
  return extended.getResults().back();
}

/// Makes `later` read `moved` instead of computing it.
GenericOp Sharing::shrinkLater(RewriterBase &rewriter, Value moved) {
  rewriter.setInsertionPoint(later);
  Block *body = later.getBody();
  unsigned inputs = later.getNumDpsInputs();
  SmallVector<Value> values(later.getInputs());
  SmallVector<AffineMap> maps = later.getIndexingMapsArray();
  values.push_back(moved);
  maps.insert(maps.begin() + inputs, rewriter.getMultiDimIdentityMap(later.getNumLoops()));
  result.replaceAllUsesWith(body->insertArgument(inputs, result.getType(), later.getLoc()));
  for (Operation *op : llvm::reverse(slice))
    rewriter.eraseOp(op);
  for (unsigned number = inputs; number-- > 0;) {
    if (!body->getArgument(number).use_empty())
      continue;
    body->eraseArgument(number);
    values.erase(values.begin() + number);
    maps.erase(maps.begin() + number);
  }
  auto rest = GenericOp::create(rewriter, later.getLoc(), later.getResultTypes(), values, later.getOutputs(), maps,
                                later.getIteratorTypesArray());
  rest.getRegion().takeBody(later.getRegion());
  rewriter.replaceOp(later, rest);
  return rest;
}

/// An earlier operation that can compute part of `later`, if there is one.
static std::optional<Sharing> findSharing(GenericOp later) {
  for (OpOperand *input : later.getDpsInputOperands())
    for (Operation *user : input->get().getUsers()) {
      auto earlier = dyn_cast<GenericOp>(user);
      if (!earlier || earlier->getBlock() != later->getBlock() || !earlier->isBeforeInBlock(later) ||
          !isElementwise(earlier) || !hasCostly(earlier))
        continue;
      Sharing sharing(earlier, later);
      if (sharing.find())
        return sharing;
    }
  return std::nullopt;
}

/// Shares in one block, from the last operation to the first. Both operations are replaced, so the iteration continues
/// from the new one.
static void shareInBlock(RewriterBase &rewriter, Block &block) {
  for (Operation *op = block.empty() ? nullptr : &block.back(); op; op = op->getPrevNode()) {
    auto later = dyn_cast<GenericOp>(op);
    if (!later || !isElementwise(later) || !hasCostly(later))
      continue;
    if (std::optional<Sharing> sharing = findSharing(later))
      op = sharing->apply(rewriter);
  }
}

namespace {

struct ShareFunctionsPass : public plumb::impl::ShareFunctionsPassBase<ShareFunctionsPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    getOperation()->walk([&](device::LoopOp loop) {
      loop.walk<WalkOrder::PreOrder>([&](Block *block) {
        if (!isa<linalg::LinalgOp>(block->getParentOp()))
          shareInBlock(rewriter, *block);
      });
    });
  }
};

} // namespace
