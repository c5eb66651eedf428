// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Removes data movement around contractions: they read operands and write results in the layout that these have.
//
//   %t = transpose %qkv            : 16x64x3x4x32 -> 3x16x4x64x32
//   %q = extract_slice %t[0, …]    : -> 16x4x64x32
//   %s = generic (b, h, i, j, d) ins(%q (b, h, i, d), …)
//   becomes
//   %q = extract_slice %qkv[0, 0, 0, …] : -> 16x64x4x32
//   %s = generic ins(%q (b, i, h, d), …)
//
// * slices of a transpose become transposes of slices, and transposes of insertions become insertions of transposes;
// * a transpose that only contractions read is folded into their indexing maps, and a transpose of a contraction's
//   result into the result's map;
// * a sum of insertions into zeros becomes one chain of insertions, in which insertions of one region are added; a fill
//   that a chain overwrites completely is removed.
//
// Slices become views and insertions are computed in place later, so that no copy is left.
// Test: test/compiler/lower/simplify_movements.mlir

#include "compiler/lower/Passes.h"
#include "compiler/lower/Slices.h"
#include "compiler/lower/Transposes.h"
#include "compiler/support/StructuredRewrites.h"
#include "dialects/device/ir/Device.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace plumb {
#define GEN_PASS_DEF_SIMPLIFYMOVEMENTSPASS
#include "compiler/lower/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;
using linalg::GenericOp;

using Order = SmallVector<int64_t>;

//===----------------------------------------------------------------------===//
// Transposes
//===----------------------------------------------------------------------===//

template <typename T> static SmallVector<T> permute(ArrayRef<T> items, ArrayRef<int64_t> order) {
  return llvm::map_to_vector(order, [&](int64_t axis) { return items[axis]; });
}

static Value transpose(RewriterBase &rewriter, Location loc, Value value, ArrayRef<int64_t> order) {
  if (isIdentityPermutation(order))
    return value;
  auto fill = value.getDefiningOp<linalg::FillOp>();
  if (!fill && !value.getDefiningOp<tensor::EmptyOp>())
    return createTranspose(rewriter, loc, value, order).getResult(0);
  // Empty and filled tensors are the same in any order.
  auto from = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape = permute(from.getShape(), order);
  Value empty = tensor::EmptyOp::create(rewriter, loc, shape, from.getElementType());
  return fill ? linalg::FillOp::create(rewriter, loc, fill.getInputs(), empty).getResult(0) : empty;
}

/// The order of the axes that are left when the axes in `dropped` of the transposed tensor are removed.
static Order dropAxes(ArrayRef<int64_t> order, const llvm::SmallBitVector &dropped) {
  Order kept;
  for (auto [axis, from] : llvm::enumerate(order))
    if (!dropped[axis])
      kept.push_back(from);
  Order sorted = llvm::to_vector(kept);
  llvm::sort(sorted);
  return llvm::map_to_vector(kept, [&](int64_t from) -> int64_t { return llvm::find(sorted, from) - sorted.begin(); });
}

/// A reduction without sliding windows, for whose operands AssignLayouts chooses the layout.
static bool isPlainReduction(GenericOp op) {
  return op && op.getNumReductionLoops() > 0 && op.hasPureTensorSemantics() &&
         llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) { return map.isProjectedPermutation(); });
}

namespace {

struct SliceOfTranspose : OpRewritePattern<tensor::ExtractSliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::ExtractSliceOp slice, PatternRewriter &rewriter) const override {
    auto source = slice.getSource().getDefiningOp<GenericOp>();
    std::optional<Order> order = matchTranspose(source);
    if (!order || !llvm::all_of(source->getUsers(), llvm::IsaPred<tensor::ExtractSliceOp>))
      return failure();
    Order back = invertPermutationVector(*order), kept = dropAxes(*order, slice.getDroppedDims());
    auto type = slice.getType().clone(permute(slice.getType().getShape(), invertPermutationVector(kept)));
    Value before = tensor::ExtractSliceOp::create(
        rewriter, slice.getLoc(), type, source.getInputs()[0], permute(ArrayRef(slice.getMixedOffsets()), back),
        permute(ArrayRef(slice.getMixedSizes()), back), permute(ArrayRef(slice.getMixedStrides()), back));
    rewriter.replaceOp(slice, transpose(rewriter, slice.getLoc(), before, kept));
    return success();
  }
};

struct TransposeOfInsert : OpRewritePattern<GenericOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(GenericOp op, PatternRewriter &rewriter) const override {
    std::optional<Order> order = matchTranspose(op);
    auto insert = order ? op.getInputs()[0].getDefiningOp<tensor::InsertSliceOp>() : nullptr;
    if (!insert || !insert->hasOneUse())
      return failure();
    Operation *dest = insert.getDest().getDefiningOp();
    if (!isa_and_nonnull<tensor::EmptyOp, linalg::FillOp>(dest) &&
        !(isa_and_nonnull<tensor::InsertSliceOp>(dest) && dest->hasOneUse()))
      return failure();
    Value source = transpose(rewriter, op.getLoc(), insert.getSource(), dropAxes(*order, getDropped(insert, *order)));
    Value whole = transpose(rewriter, op.getLoc(), insert.getDest(), *order);
    rewriter.replaceOpWithNewOp<tensor::InsertSliceOp>(
        op, source, whole, permute(ArrayRef(insert.getMixedOffsets()), *order),
        permute(ArrayRef(insert.getMixedSizes()), *order), permute(ArrayRef(insert.getMixedStrides()), *order));
    return success();
  }

private:
  /// The axes of the transposed destination that the source does not have.
  static llvm::SmallBitVector getDropped(tensor::InsertSliceOp insert, ArrayRef<int64_t> order) {
    llvm::SmallBitVector inWhole = insert.getDroppedDims(), dropped(order.size());
    for (auto [axis, from] : llvm::enumerate(order))
      dropped[axis] = inWhole[from];
    return dropped;
  }
};

struct TransposeIntoReaders : OpRewritePattern<GenericOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(GenericOp op, PatternRewriter &rewriter) const override {
    std::optional<Order> order = matchTranspose(op);
    auto reads = [](OpOperand &use) {
      auto reader = dyn_cast<GenericOp>(use.getOwner());
      return isPlainReduction(reader) && reader.isDpsInput(&use);
    };
    if (!order || op->use_empty() || !llvm::all_of(op->getUses(), reads))
      return failure();
    Order back = invertPermutationVector(*order);
    for (OpOperand &use : llvm::make_early_inc_range(op->getUses())) {
      auto reader = cast<GenericOp>(use.getOwner());
      SmallVector<AffineMap> maps = reader.getIndexingMapsArray();
      AffineMap &map = maps[use.getOperandNumber()];
      map = AffineMap::get(map.getNumDims(), 0, permute(map.getResults(), back), op.getContext());
      rewriter.modifyOpInPlace(reader, [&] {
        reader.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
        use.set(op.getInputs()[0]);
      });
    }
    rewriter.eraseOp(op);
    return success();
  }
};

struct TransposeOfContraction : OpRewritePattern<GenericOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(GenericOp op, PatternRewriter &rewriter) const override {
    std::optional<Order> order = matchTranspose(op);
    auto contraction = order ? op.getInputs()[0].getDefiningOp<GenericOp>() : nullptr;
    if (!isPlainReduction(contraction) || !contraction->hasOneUse() || contraction.getNumDpsInits() != 1 ||
        !contraction.getDpsInits()[0].getDefiningOp<linalg::FillOp>())
      return failure();
    SmallVector<AffineMap> maps = contraction.getIndexingMapsArray();
    maps.back() =
        AffineMap::get(maps.back().getNumDims(), 0, permute(maps.back().getResults(), *order), op.getContext());
    rewriter.setInsertionPoint(contraction);
    Value init = transpose(rewriter, op.getLoc(), contraction.getDpsInits()[0], *order);
    auto transposed = GenericOp::create(rewriter, contraction.getLoc(), init.getType(), contraction.getInputs(), init,
                                        maps, contraction.getIteratorTypesArray());
    rewriter.inlineRegionBefore(contraction.getRegion(), transposed.getRegion(), transposed.getRegion().end());
    rewriter.replaceOp(op, transposed);
    rewriter.eraseOp(contraction);
    return success();
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Insertions
//===----------------------------------------------------------------------===//

static bool isZeroFill(Value value) {
  auto fill = value.getDefiningOp<linalg::FillOp>();
  return fill && matchPattern(fill.getInputs()[0], m_AnyZeroFloat());
}

/// The chain of insertions that computes `value`, the last one first, and the tensor that it starts from. Only the last
/// insertion may have several users.
static std::pair<SmallVector<tensor::InsertSliceOp>, Value> getChain(Value value) {
  SmallVector<tensor::InsertSliceOp> chain;
  for (auto insert = value.getDefiningOp<tensor::InsertSliceOp>();
       insert && isStatic(insert) && (chain.empty() || insert->hasOneUse());
       insert = value.getDefiningOp<tensor::InsertSliceOp>()) {
    chain.push_back(insert);
    value = insert.getDest();
  }
  return {chain, value};
}

/// Whether `op` adds two tensors of its own shape.
static bool isSum(GenericOp op) {
  auto sum = dyn_cast<arith::AddFOp>(op.getBody()->front());
  return op.getNumDpsInputs() == 2 && op.getNumDpsInits() == 1 && op.getBody()->getOperations().size() == 2 && sum &&
         sum.getLhs() != sum.getRhs() && op.getBody()->getTerminator()->getOperand(0) == sum.getResult() &&
         llvm::is_contained(sum->getOperands(), op.getBody()->getArgument(0)) &&
         llvm::is_contained(sum->getOperands(), op.getBody()->getArgument(1)) &&
         llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) { return map.isIdentity(); });
}

namespace {

/// A sum whose operands are what was summed before, and an insertion into zeros.
struct PartialSum {
  GenericOp op;
  tensor::InsertSliceOp insert;
  Value rest;
};

/// Sums of insertions are rewritten from the last one on: a long sum, as gradients of many slices make it, is one chain
/// after one step.
struct SumOfInsertions : OpRewritePattern<GenericOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(GenericOp op, PatternRewriter &rewriter) const override {
    auto last = matchSum(op);
    if (!last || isSummedFurther(op))
      return failure();
    SmallVector<PartialSum> sums = {*last};
    while (auto sum = matchSum(sums.back().rest.getDefiningOp<GenericOp>())) {
      if (!sum->op->hasOneUse())
        break;
      sums.push_back(*sum);
    }
    auto [chain, bottom] = getChain(sums.back().rest);
    if (chain.empty())
      return failure();
    SmallVector<Region> regions;
    InsertedRegions known;
    for (tensor::InsertSliceOp part : llvm::reverse(chain))
      addRegion(part, regions, known);
    GenericOp replaced;
    for (const PartialSum &sum : llvm::reverse(sums)) {
      if (!addToRegions(sum, isZeroFill(bottom), regions, known))
        break;
      replaced = sum.op;
    }
    if (!replaced)
      return failure();
    rewriter.setInsertionPoint(replaced);
    for (Region &region : regions) {
      Value source = region.first.getSource();
      for (PartialSum &sum : region.sums)
        source = addAlike(rewriter, sum.op, source, sum.insert.getSource());
      bottom = insertLike(rewriter, region.first, source, bottom);
    }
    rewriter.replaceOp(replaced, bottom);
    return success();
  }

private:
  /// A region, and the insertions that are added there to the first one.
  struct Region {
    tensor::InsertSliceOp first;
    SmallVector<PartialSum> sums;
  };

  static std::optional<PartialSum> matchSum(GenericOp op) {
    if (!op || !isSum(op))
      return std::nullopt;
    for (unsigned last : {1, 0}) {
      auto insert = op.getInputs()[last].getDefiningOp<tensor::InsertSliceOp>();
      if (insert && insert->hasOneUse() && isStatic(insert) && isZeroFill(insert.getDest()))
        return PartialSum{op, insert, op.getInputs()[1 - last]};
    }
    return std::nullopt;
  }

  static bool isSummedFurther(GenericOp op) {
    auto user = op->hasOneUse() ? dyn_cast<GenericOp>(*op->user_begin()) : GenericOp();
    auto sum = matchSum(user);
    return sum && sum->rest == op.getResult(0);
  }

  static void addRegion(tensor::InsertSliceOp insert, SmallVector<Region> &regions, InsertedRegions &known) {
    regions.push_back({insert, {}});
    known.add(insert);
  }

  /// Adds the insertion of a sum as a region of its own where zeros were, or to the one that it overlaps; fails where
  /// that is another.
  static bool addToRegions(const PartialSum &sum, bool isIntoZeros, SmallVector<Region> &regions,
                           InsertedRegions &known) {
    SmallVector<tensor::InsertSliceOp> overlapping = known.getOverlapping(sum.insert);
    if (overlapping.empty() && isIntoZeros)
      return addRegion(sum.insert, regions, known), true;
    if (overlapping.size() != 1 || !isSameRegion(overlapping[0], sum.insert))
      return false;
    auto same = llvm::find_if(regions, [&](const Region &region) { return region.first == overlapping[0]; });
    same->sums.push_back(sum);
    return true;
  }

  static bool isSameRegion(tensor::InsertSliceOp a, tensor::InsertSliceOp b) {
    return a.getSourceType() == b.getSourceType() && a.getStaticOffsets() == b.getStaticOffsets() &&
           a.getStaticSizes() == b.getStaticSizes() && a.getStaticStrides() == b.getStaticStrides();
  }

  static Value insertLike(PatternRewriter &rewriter, tensor::InsertSliceOp like, Value source, Value dest) {
    return tensor::InsertSliceOp::create(rewriter, like.getLoc(), source, dest, like.getMixedOffsets(),
                                         like.getMixedSizes(), like.getMixedStrides());
  }

  /// The sum of two tensors of one shape, as `op` adds.
  static Value addAlike(PatternRewriter &rewriter, GenericOp op, Value a, Value b) {
    auto type = cast<RankedTensorType>(a.getType());
    Value empty = tensor::EmptyOp::create(rewriter, op.getLoc(), type.getShape(), type.getElementType());
    SmallVector<AffineMap> maps(3, rewriter.getMultiDimIdentityMap(type.getRank()));
    SmallVector<utils::IteratorType> kinds(type.getRank(), utils::IteratorType::parallel);
    auto sum = GenericOp::create(rewriter, op.getLoc(), type, ValueRange{a, b}, empty, maps, kinds);
    rewriter.cloneRegionBefore(op.getRegion(), sum.getRegion(), sum.getRegion().end());
    return sum.getResult(0);
  }
};

/// The insertion into the result of `insert` that is its only use; null if there is none.
static tensor::InsertSliceOp getNext(tensor::InsertSliceOp insert) {
  auto next = insert->hasOneUse() ? dyn_cast<tensor::InsertSliceOp>(*insert->user_begin()) : nullptr;
  return next && next.getDest() == insert.getResult() ? next : nullptr;
}

static bool areAllDisjoint(ArrayRef<tensor::InsertSliceOp> chain) {
  InsertedRegions regions;
  for (tensor::InsertSliceOp part : chain) {
    if (!regions.getOverlapping(part).empty())
      return false;
    regions.add(part);
  }
  return true;
}

/// Counts elements upwards from the fill, since parts are compared by pairs only where they may cover it.
struct CoveredFill : OpRewritePattern<tensor::InsertSliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::InsertSliceOp first, PatternRewriter &rewriter) const override {
    if (!first.getDest().getDefiningOp<linalg::FillOp>())
      return failure();
    RankedTensorType type = first.getResultType();
    SmallVector<tensor::InsertSliceOp> chain;
    int64_t left = type.getNumElements();
    for (auto insert = first; insert && isStatic(insert) && left > 0; insert = getNext(insert)) {
      chain.push_back(insert);
      left -= insert.getSourceType().getNumElements();
    }
    if (left != 0 || !areAllDisjoint(chain))
      return failure();
    rewriter.setInsertionPoint(first);
    Value empty = tensor::EmptyOp::create(rewriter, first.getLoc(), type.getShape(), type.getElementType());
    rewriter.modifyOpInPlace(first, [&] { first.getDestMutable().assign(empty); });
    return success();
  }
};

struct SimplifyMovementsPass : public plumb::impl::SimplifyMovementsPassBase<SimplifyMovementsPass> {
  void runOnOperation() override {
    // Axes of extent one are folded into slices and insertions first, so that transposes do not contain them.
    RewritePatternSet reshapes(&getContext()), patterns(&getContext());
    tensor::populateReassociativeReshapeFoldingPatterns(reshapes);
    patterns.add<SliceOfTranspose, TransposeOfInsert, TransposeIntoReaders, TransposeOfContraction, SumOfInsertions,
                 CoveredFill>(&getContext());
    FrozenRewritePatternSet first(std::move(reshapes)), second(std::move(patterns));
    getOperation()->walk([&](device::LoopOp loop) {
      (void)applyPatternsGreedily(loop, first, getStructuredConfig());
      (void)applyPatternsGreedily(loop, second, getStructuredConfig());
    });
  }
};

} // namespace
