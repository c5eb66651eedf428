// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes what later work needs of a costly function where the function is computed.
//
//   %y = generic ins(%x) { t = erf(x); x * (t + 1) }                  %y, %d = generic ins(%x) {
//   …                                                           =>      t = erf(x); x * (t + 1), t + x * exp(-x * x) }
//   %g = generic ins(%dy, %x) {                                       …
//     t = erf(x); dy * (t + x * exp(-x * x)) }                        %g = generic ins(%dy, %d) { dy * d }
//
// The slope of an activation is such: it takes the place of the activation's input in memory, so nothing more is read, and
// the function is computed once. What is left of the later operation is light enough for the end of a product.
//
// The two walk the same space and have at least one function of `math` in common, with equal operands; all that the later
// one computes of shared inputs alone enters the rest as one value, and at least one large input is not read any more.
// Test: test/compiler/lower/share_functions.mlir

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
// Facts
//===----------------------------------------------------------------------===//

/// Functions that take many instructions.
static bool isCostly(Operation &op) {
  return isa_and_nonnull<math::MathDialect>(op.getDialect()) &&
         !isa<math::SqrtOp, math::RsqrtOp, math::AbsFOp, math::AbsIOp, math::FmaOp, math::CopySignOp, math::FloorOp,
              math::CeilOp, math::RoundEvenOp, math::TruncOp>(op);
}

static bool hasCostly(GenericOp op) { return llvm::any_of(op.getBody()->without_terminator(), isCostly); }

/// Element by element, results in the order of the loops.
static bool isMap(GenericOp op) {
  return op.hasPureTensorSemantics() && !op.hasDynamicShape() && !op.hasIndexSemantics() &&
         op.getNumParallelLoops() == op.getNumLoops() && op.getNumLoops() > 0 &&
         llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
           return op.getMatchingIndexingMap(&init).isIdentity() && op.getMatchingBlockArgument(&init).use_empty();
         });
}

/// The input of `op` that is walked as input `other` of another map is.
static OpOperand *findInput(GenericOp op, OpOperand *other) {
  AffineMap map = cast<GenericOp>(other->getOwner()).getMatchingIndexingMap(other);
  for (OpOperand *input : op.getDpsInputOperands())
    if (input->get() == other->get() && op.getMatchingIndexingMap(input) == map)
      return input;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// What is shared
//===----------------------------------------------------------------------===//

namespace {

/// What `later` can have computed by `earlier`.
class Sharing {
public:
  Sharing(GenericOp earlier, GenericOp later) : earlier(earlier), later(later) {}

  /// Finds the part of `later` that needs nothing but inputs of `earlier`; false where moving it does not pay.
  bool find();
  /// Moves it. Both operations are gone then; returns what `later` became.
  GenericOp apply(RewriterBase &rewriter) { return shrinkLater(rewriter, extendEarlier(rewriter)); }

private:
  bool isThereBefore(Value captured);
  bool dependsOnShared(Operation &op);
  bool findResult();
  bool findPartners();
  bool savesInput();
  Value extendEarlier(RewriterBase &rewriter);
  GenericOp shrinkLater(RewriterBase &rewriter, Value moved);

  GenericOp earlier, later;
  /// By argument of the later body: the earlier one's.
  DenseMap<Value, Value> arguments;
  /// The part that moves, in order, and its one value that the rest needs.
  llvm::SetVector<Operation *> part;
  Value result;
  /// By operation of the part: the earlier body's equal one.
  DenseMap<Operation *, Operation *> partners;
};

} // namespace

/// Whether `earlier` can use a value from outside that `later` captures.
bool Sharing::isThereBefore(Value captured) {
  Operation *definition = captured.getDefiningOp();
  return captured.getParentBlock() != earlier->getBlock() || !definition || definition->isBeforeInBlock(earlier);
}

bool Sharing::dependsOnShared(Operation &op) {
  return op.getNumRegions() == 0 && op.getNumResults() == 1 && llvm::all_of(op.getOperands(), [&](Value operand) {
           if (operand.getParentBlock() != later.getBody())
             return isThereBefore(operand);
           Operation *definition = operand.getDefiningOp();
           return definition ? part.contains(definition) : arguments.contains(operand);
         });
}

/// The one value of the part that the rest, which is something, needs.
bool Sharing::findResult() {
  for (Operation *op : part) {
    bool leaves = llvm::any_of(op->getUsers(), [&](Operation *user) { return !part.contains(user); });
    if (leaves && result)
      return false;
    if (leaves)
      result = op->getResult(0);
  }
  return result && result.getType().isIntOrFloat() &&
         !llvm::is_contained(later.getBody()->getTerminator()->getOperands(), result);
}

/// Finds equal operations of the two bodies; whether a costly one is among them.
bool Sharing::findPartners() {
  bool found = false;
  for (Operation *op : part)
    for (Operation &other : earlier.getBody()->without_terminator()) {
      auto isSame = [&](Value ours, Value theirs) {
        if (Operation *definition = ours.getDefiningOp(); definition && part.contains(definition))
          return partners.lookup(definition) && partners.lookup(definition) == theirs.getDefiningOp();
        Value argument = arguments.lookup(ours);
        return argument ? argument == theirs : ours == theirs;
      };
      if (!OperationEquivalence::isEquivalentTo(
              op, &other, [&](Value ours, Value theirs) { return success(isSame(ours, theirs)); }, nullptr,
              OperationEquivalence::IgnoreLocations))
        continue;
      partners[op] = &other;
      found |= isCostly(*op);
      break;
    }
  return found;
}

/// Whether the rest does without an input as large as the result.
bool Sharing::savesInput() {
  return llvm::any_of(later.getDpsInputOperands(), [&](OpOperand *input) {
    Value argument = later.getMatchingBlockArgument(input);
    return arguments.contains(argument) && later.getMatchingIndexingMap(input).isPermutation() &&
           llvm::all_of(argument.getUsers(), [&](Operation *user) { return part.contains(user); });
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
      part.insert(&op);
  return findResult() && findPartners() && savesInput();
}

//===----------------------------------------------------------------------===//
// The surgery
//===----------------------------------------------------------------------===//

/// Gives `earlier` one result more, the part's.
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
  for (Operation *op : part)
    if (Operation *partner = partners.lookup(op))
      mapping.map(op->getResult(0), mapping.lookup(partner->getResult(0)));
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
  for (Operation *op : llvm::reverse(part))
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

/// The earlier operation that can do part of `later`, if there is one.
static std::optional<Sharing> findSharing(GenericOp later) {
  for (OpOperand *input : later.getDpsInputOperands())
    for (Operation *user : input->get().getUsers()) {
      auto earlier = dyn_cast<GenericOp>(user);
      if (!earlier || earlier->getBlock() != later->getBlock() || !earlier->isBeforeInBlock(later) || !isMap(earlier) ||
          !hasCostly(earlier))
        continue;
      Sharing sharing(earlier, later);
      if (sharing.find())
        return sharing;
    }
  return std::nullopt;
}

/// Shares in one block, the last operation first: one that goes has no part in what another one shares. Every step to the
/// operation before looks at the block as it is now, since both operations of a sharing are replaced.
static void shareInBlock(RewriterBase &rewriter, Block &block) {
  for (Operation *op = block.empty() ? nullptr : &block.back(); op; op = op->getPrevNode()) {
    auto later = dyn_cast<GenericOp>(op);
    if (!later || !isMap(later) || !hasCostly(later))
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
