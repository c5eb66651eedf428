// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes a small slice of a contraction separately and earlier, if a reduction reads the slice and the result.
//
//   %y = generic ins(%x, %w : 128x32x32x16, …) outs(%z : 128x32x32x16) {mulf, addf}
//   %o = extract_slice %y[0, 0, 0, 0] [1, 1, 1, 16]
//   %s = generic {… reduction} ins(%y, %o) {subf, addf}       // batch statistics: sums of differences to one row
//   becomes
//   %o = generic ins(%x0, %w : 1x1x1x16, …) outs(%z0 : 1x1x1x16) {mulf, addf}
//   %y = generic ins(%x, %w : 128x32x32x16, …) outs(%z : 128x32x32x16) {mulf, addf}
//   %s = generic {… reduction} ins(%y, %o) {subf, addf}
//
// The reduction can then be part of the contraction's epilogue, since its other operand is known before. The order of
// sums in the slice may differ from that in the contraction. Slices of elementwise operations are recomputed, so that
// the slice does not wait for them and they can be partitioned together with the contraction. Test:
// test/compiler/lower/slice_products.mlir

#include "compiler/lower/Passes.h"
#include "dialects/device/ir/Device.h"
#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

namespace plumb {
#define GEN_PASS_DEF_SLICECONTRACTIONSPASS
#include "compiler/lower/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;
using linalg::GenericOp;

/// A slice is small if the contraction's result has so many times its elements.
static constexpr int64_t kMinSizeRatio = 256;

namespace {

/// `size` indices from `begin` on, of one axis or loop.
struct Interval {
  int64_t begin, size;
};

/// The part of an input that a slice depends on, and the map from the slice's loops to indices in it.
struct Part {
  SmallVector<Interval> ranges;
  AffineMap map;
};

} // namespace

//===----------------------------------------------------------------------===//
// Analysis
//===----------------------------------------------------------------------===//

/// Whether a reduction reads the slice and its source.
static bool isReducedWithSource(tensor::ExtractSliceOp slice) {
  return llvm::any_of(slice->getUsers(), [&](Operation *user) {
    auto generic = dyn_cast<GenericOp>(user);
    return generic && generic.getNumReductionLoops() > 0 && llvm::is_contained(generic.getInputs(), slice.getSource());
  });
}

/// The contraction (or other reduction) whose result `slice` is a small part of, or null.
static GenericOp findContraction(tensor::ExtractSliceOp slice) {
  auto contraction = slice.getSource().getDefiningOp<GenericOp>();
  bool fits = contraction && contraction.getNumReductionLoops() > 0 && contraction->getNumResults() == 1 &&
              contraction.hasPureTensorSemantics() && !contraction.hasDynamicShape() &&
              !contraction.hasIndexSemantics() && contraction.getIndexingMapsArray().back().isProjectedPermutation() &&
              contraction.getOutputs()[0].getDefiningOp<linalg::FillOp>() && slice.hasUnitStride() &&
              llvm::none_of(slice.getStaticOffsets(), ShapedType::isDynamic) && slice.getDroppedDims().none();
  bool isSmall = fits && slice.getType().hasStaticShape() &&
                 slice.getType().getNumElements() * kMinSizeRatio <= slice.getSourceType().getNumElements();
  return isSmall && isReducedWithSource(slice) ? contraction : nullptr;
}

/// The iterations of the contraction that compute the slice.
static SmallVector<Interval> findIterations(GenericOp contraction, tensor::ExtractSliceOp slice) {
  SmallVector<Interval> loops;
  for (int64_t size : contraction.getStaticLoopRanges())
    loops.push_back({0, size});
  for (auto [axis, loop] : llvm::enumerate(contraction.getIndexingMapsArray().back().getResults()))
    loops[cast<AffineDimExpr>(loop).getPosition()] = {slice.getStaticOffset(axis), slice.getStaticSize(axis)};
  return loops;
}

/// The part of an input that iterations `loops` read. The loops of its map begin at zero.
static FailureOr<Part> findPart(AffineMap map, ArrayRef<Interval> loops) {
  Part part;
  SmallVector<AffineExpr> results;
  for (AffineExpr expr : map.getResults()) {
    SmallVector<int64_t> factors;
    if (failed(getFlattenedAffineExpr(expr, map.getNumDims(), 0, &factors)) || factors.size() != loops.size() + 1)
      return failure();
    int64_t first = factors.back(), lowest = first, span = 0;
    AffineExpr index = getAffineConstantExpr(0, map.getContext());
    for (auto [number, loop] : llvm::enumerate(loops)) {
      int64_t last = factors[number] * (loop.size - 1);
      first += factors[number] * loop.begin;
      lowest += factors[number] * loop.begin + std::min<int64_t>(last, 0);
      span += std::abs(last);
      index = index + getAffineDimExpr(number, map.getContext()) * factors[number];
    }
    part.ranges.push_back({lowest, span + 1});
    results.push_back(index + (first - lowest));
  }
  part.map = AffineMap::get(map.getNumDims(), 0, results, map.getContext());
  return part;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

static Value takeSlice(OpBuilder &builder, Location location, Value value, ArrayRef<Interval> ranges) {
  SmallVector<OpFoldResult> offsets, sizes, strides(ranges.size(), builder.getIndexAttr(1));
  bool isComplete = true;
  for (auto [range, extent] : llvm::zip_equal(ranges, cast<RankedTensorType>(value.getType()).getShape())) {
    offsets.push_back(builder.getIndexAttr(range.begin));
    sizes.push_back(builder.getIndexAttr(range.size));
    isComplete &= range.size == extent;
  }
  return isComplete ? value
                    : tensor::ExtractSliceOp::create(builder, location, value, offsets, sizes, strides).getResult();
}

/// Whether `map` is elementwise and does not read its destination.
static bool isElementwise(GenericOp map) {
  return map && map.getNumReductionLoops() == 0 && map->getNumResults() == 1 && map.hasPureTensorSemantics() &&
         !map.hasDynamicShape() && !map.hasIndexSemantics() && map.getRegionOutputArgs()[0].use_empty() &&
         map.getIndexingMapsArray().back().isProjectedPermutation();
}

/// A slice of `value`. Slices of elementwise operations are recomputed in front of the operation.
static Value takePart(OpBuilder &builder, Location location, Value value, ArrayRef<Interval> ranges) {
  auto map = value.getDefiningOp<GenericOp>();
  if (!isElementwise(map))
    return takeSlice(builder, location, value, ranges);
  SmallVector<AffineMap> maps = map.getIndexingMapsArray();
  SmallVector<Interval> loops(map.getNumLoops(), Interval{0, 1});
  SmallVector<int64_t> shape;
  for (auto [range, loop] : llvm::zip_equal(ranges, maps.back().getResults())) {
    loops[cast<AffineDimExpr>(loop).getPosition()] = range;
    shape.push_back(range.size);
  }
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(map);
  SmallVector<Value> inputs;
  for (OpOperand *input : map.getDpsInputOperands()) {
    FailureOr<Part> part = findPart(maps[input->getOperandNumber()], loops);
    if (failed(part))
      return takeSlice(builder, location, value, ranges);
    maps[input->getOperandNumber()] = part->map;
    bool isTensor = isa<RankedTensorType>(input->get().getType());
    inputs.push_back(isTensor ? takeSlice(builder, location, input->get(), part->ranges) : input->get());
  }
  Type element = getElementTypeOrSelf(value.getType());
  Value empty = tensor::EmptyOp::create(builder, location, shape, element);
  auto small = GenericOp::create(builder, location, empty.getType(), inputs, empty, maps, map.getIteratorTypesArray());
  IRMapping mapping;
  map.getRegion().cloneInto(&small.getRegion(), mapping);
  return small.getResult(0);
}

/// A slice of a padded tensor: a padded slice of the pad's source.
static Value takePadded(OpBuilder &builder, tensor::PadOp pad, ArrayRef<Interval> ranges) {
  SmallVector<Interval> inside;
  SmallVector<OpFoldResult> low, high;
  for (auto [range, before, extent] : llvm::zip_equal(ranges, pad.getStaticLow(), pad.getSourceType().getShape())) {
    int64_t begin = std::clamp<int64_t>(range.begin - before, 0, extent);
    int64_t end = std::clamp<int64_t>(range.begin + range.size - before, 0, extent);
    inside.push_back({begin, end - begin});
    low.push_back(builder.getIndexAttr(begin - (range.begin - before)));
    high.push_back(builder.getIndexAttr(range.begin + range.size - before - end));
  }
  Value source = takePart(builder, pad.getLoc(), pad.getSource(), inside);
  return tensor::PadOp::create(builder, pad.getLoc(), Type(), source, low, high, pad.getConstantPaddingValue());
}

static bool isStatic(tensor::PadOp pad) {
  return pad.getConstantPaddingValue() && pad.getResultType().hasStaticShape() &&
         llvm::none_of(pad.getStaticLow(), ShapedType::isDynamic);
}

/// Whether `value` is a padded tensor of which `ranges` contain padding only.
static bool hasOnlyPadding(Value value, ArrayRef<Interval> ranges) {
  auto pad = value.getDefiningOp<tensor::PadOp>();
  return pad && isStatic(pad) &&
         llvm::any_of(llvm::zip_equal(ranges, pad.getStaticLow(), pad.getSourceType().getShape()), [](auto axis) {
           auto [range, before, extent] = axis;
           return range.begin + range.size <= before || range.begin >= before + extent;
         });
}

/// Computes the slice before the contraction. Returns false if that is not possible.
static bool compute(RewriterBase &rewriter, tensor::ExtractSliceOp slice, GenericOp contraction) {
  SmallVector<Interval> loops = findIterations(contraction, slice);
  SmallVector<Part> parts;
  SmallVector<AffineMap> maps = contraction.getIndexingMapsArray();
  for (OpOperand *input : contraction.getDpsInputOperands()) {
    AffineMap &map = maps[input->getOperandNumber()];
    FailureOr<Part> part = findPart(map, loops);
    if (failed(part) || hasOnlyPadding(input->get(), part->ranges))
      return false;
    map = part->map;
    parts.push_back(*part);
  }
  rewriter.setInsertionPoint(contraction);
  SmallVector<Value> inputs;
  for (auto [value, part] : llvm::zip_equal(contraction.getInputs(), parts)) {
    auto pad = value.getDefiningOp<tensor::PadOp>();
    inputs.push_back(pad && isStatic(pad) ? takePadded(rewriter, pad, part.ranges)
                                          : takePart(rewriter, contraction.getLoc(), value, part.ranges));
  }
  auto fill = contraction.getOutputs()[0].getDefiningOp<linalg::FillOp>();
  Value empty = tensor::EmptyOp::create(rewriter, contraction.getLoc(), slice.getType().getShape(),
                                        slice.getType().getElementType());
  Value start = linalg::FillOp::create(rewriter, contraction.getLoc(), fill.getInputs(), empty).getResult(0);
  auto small = GenericOp::create(rewriter, contraction.getLoc(), start.getType(), inputs, start, maps,
                                 contraction.getIteratorTypesArray());
  IRMapping mapping;
  contraction.getRegion().cloneInto(&small.getRegion(), mapping);
  rewriter.replaceOp(slice, small->getResults());
  return true;
}

namespace {

struct SliceContractionsPass : public plumb::impl::SliceContractionsPassBase<SliceContractionsPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<std::pair<tensor::ExtractSliceOp, GenericOp>> found;
    getOperation()->walk([&](device::LoopOp loop) {
      loop.walk([&](tensor::ExtractSliceOp slice) {
        if (GenericOp contraction = findContraction(slice))
          found.push_back({slice, contraction});
      });
    });
    for (auto [slice, contraction] : found)
      compute(rewriter, slice, contraction);
  }
};

} // namespace
