// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes a small slice of a product before the product, from slices of its inputs, where a reduction needs both.
//
//   %y = generic ins(%x, %w : 128x32x32x16, …) outs(%z : 128x32x32x16) {mulf, addf}
//   %o = extract_slice %y[0, 0, 0, 0] [1, 1, 1, 16]
//   %s = generic {… reduction} ins(%y, %o) {subf, addf}       // batch statistics: distances to a value among them
//   becomes
//   %o = generic ins(%x0, %w : 1x1x1x16, …) outs(%z0 : 1x1x1x16) {mulf, addf}
//   %y = generic ins(%x, %w : 128x32x32x16, …) outs(%z : 128x32x32x16) {mulf, addf}
//   %s = generic {… reduction} ins(%y, %o) {subf, addf}
//
// What the reduction needs beside the product's elements is then there before the first of them, so that it can be done
// while they are in registers. The slice's sums may be added up in another order than the product's. Slices of what is
// computed element by element are computed again: product and input can then be made part by part.
// Test: test/compiler/lower/slice_products.mlir

#include "compiler/lower/Passes.h"
#include "dialects/device/ir/Device.h"
#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

namespace plumb {
#define GEN_PASS_DEF_SLICEPRODUCTSPASS
#include "compiler/lower/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;
using linalg::GenericOp;

/// A slice is small where the product is this many times larger.
static constexpr int64_t muchLarger = 256;

namespace {

/// `size` places from `begin` on, along one axis or loop.
struct Stretch {
  int64_t begin, size;
};

/// An input's part that a slice needs, and how its loops walk it.
struct Part {
  SmallVector<Stretch> ranges;
  AffineMap map;
};

} // namespace

//===----------------------------------------------------------------------===//
// The choice
//===----------------------------------------------------------------------===//

/// Whether a reduction reads the slice and what it is a slice of.
static bool servesReduction(tensor::ExtractSliceOp slice) {
  return llvm::any_of(slice->getUsers(), [&](Operation *user) {
    auto generic = dyn_cast<GenericOp>(user);
    return generic && generic.getNumReductionLoops() > 0 && llvm::is_contained(generic.getInputs(), slice.getSource());
  });
}

/// The product that `slice` is a small part of, or null.
static GenericOp findProduct(tensor::ExtractSliceOp slice) {
  auto product = slice.getSource().getDefiningOp<GenericOp>();
  bool fits = product && product.getNumReductionLoops() > 0 && product->getNumResults() == 1 &&
              product.hasPureTensorSemantics() && !product.hasDynamicShape() && !product.hasIndexSemantics() &&
              product.getIndexingMapsArray().back().isProjectedPermutation() &&
              product.getOutputs()[0].getDefiningOp<linalg::FillOp>() && slice.hasUnitStride() &&
              llvm::none_of(slice.getStaticOffsets(), ShapedType::isDynamic) && slice.getDroppedDims().none();
  bool isSmall = fits && slice.getType().hasStaticShape() &&
                 slice.getType().getNumElements() * muchLarger <= slice.getSourceType().getNumElements();
  return isSmall && servesReduction(slice) ? product : nullptr;
}

/// Which iterations of the product make the slice.
static SmallVector<Stretch> findIterations(GenericOp product, tensor::ExtractSliceOp slice) {
  SmallVector<Stretch> loops;
  for (int64_t size : product.getStaticLoopRanges())
    loops.push_back({0, size});
  for (auto [axis, loop] : llvm::enumerate(product.getIndexingMapsArray().back().getResults()))
    loops[cast<AffineDimExpr>(loop).getPosition()] = {slice.getStaticOffset(axis), slice.getStaticSize(axis)};
  return loops;
}

/// What those iterations read of an input, and the map from loops that begin at zero to places in that part.
static FailureOr<Part> findPart(AffineMap map, ArrayRef<Stretch> loops) {
  Part part;
  SmallVector<AffineExpr> places;
  for (AffineExpr expr : map.getResults()) {
    SmallVector<int64_t> factors;
    if (failed(getFlattenedAffineExpr(expr, map.getNumDims(), 0, &factors)) || factors.size() != loops.size() + 1)
      return failure();
    int64_t first = factors.back(), least = first, reach = 0;
    AffineExpr place = getAffineConstantExpr(0, map.getContext());
    for (auto [number, loop] : llvm::enumerate(loops)) {
      int64_t last = factors[number] * (loop.size - 1);
      first += factors[number] * loop.begin;
      least += factors[number] * loop.begin + std::min<int64_t>(last, 0);
      reach += std::abs(last);
      place = place + getAffineDimExpr(number, map.getContext()) * factors[number];
    }
    part.ranges.push_back({least, reach + 1});
    places.push_back(place + (first - least));
  }
  part.map = AffineMap::get(map.getNumDims(), 0, places, map.getContext());
  return part;
}

//===----------------------------------------------------------------------===//
// The surgery
//===----------------------------------------------------------------------===//

static Value takeSlice(OpBuilder &builder, Location location, Value value, ArrayRef<Stretch> ranges) {
  SmallVector<OpFoldResult> offsets, sizes, strides(ranges.size(), builder.getIndexAttr(1));
  bool isWhole = true;
  for (auto [range, extent] : llvm::zip_equal(ranges, cast<RankedTensorType>(value.getType()).getShape())) {
    offsets.push_back(builder.getIndexAttr(range.begin));
    sizes.push_back(builder.getIndexAttr(range.size));
    isWhole &= range.size == extent;
  }
  return isWhole ? value : tensor::ExtractSliceOp::create(builder, location, value, offsets, sizes, strides).getResult();
}

/// Whether `map` computes its result element by element, from its inputs alone.
static bool isElementwise(GenericOp map) {
  return map && map.getNumReductionLoops() == 0 && map->getNumResults() == 1 && map.hasPureTensorSemantics() &&
         !map.hasDynamicShape() && !map.hasIndexSemantics() && map.getRegionOutputArgs()[0].use_empty() &&
         map.getIndexingMapsArray().back().isProjectedPermutation();
}

/// The part of a value. One that is computed element by element is computed again: it need not be there before.
static Value takePart(OpBuilder &builder, Location location, Value value, ArrayRef<Stretch> ranges) {
  auto map = value.getDefiningOp<GenericOp>();
  if (!isElementwise(map))
    return takeSlice(builder, location, value, ranges);
  SmallVector<AffineMap> maps = map.getIndexingMapsArray();
  SmallVector<Stretch> loops(map.getNumLoops(), Stretch{0, 1});
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

/// The part of a padded tensor: a padded slice of what is inside.
static Value takePadded(OpBuilder &builder, tensor::PadOp pad, ArrayRef<Stretch> ranges) {
  SmallVector<Stretch> inside;
  SmallVector<OpFoldResult> low, high;
  for (auto [range, before, extent] :
       llvm::zip_equal(ranges, pad.getStaticLow(), pad.getSourceType().getShape())) {
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

/// Whether a part of `value` begins or ends beside all that is inside of a pad.
static bool missesInside(Value value, ArrayRef<Stretch> ranges) {
  auto pad = value.getDefiningOp<tensor::PadOp>();
  return pad && isStatic(pad) &&
         llvm::any_of(llvm::zip_equal(ranges, pad.getStaticLow(), pad.getSourceType().getShape()), [](auto axis) {
           auto [range, before, extent] = axis;
           return range.begin + range.size <= before || range.begin >= before + extent;
         });
}

/// Computes the slice before the product. Returns whether it could.
static bool compute(RewriterBase &rewriter, tensor::ExtractSliceOp slice, GenericOp product) {
  SmallVector<Stretch> loops = findIterations(product, slice);
  SmallVector<Part> parts;
  SmallVector<AffineMap> maps = product.getIndexingMapsArray();
  for (OpOperand *input : product.getDpsInputOperands()) {
    AffineMap &map = maps[input->getOperandNumber()];
    FailureOr<Part> part = findPart(map, loops);
    if (failed(part) || missesInside(input->get(), part->ranges))
      return false;
    map = part->map;
    parts.push_back(*part);
  }
  rewriter.setInsertionPoint(product);
  SmallVector<Value> inputs;
  for (auto [value, part] : llvm::zip_equal(product.getInputs(), parts)) {
    auto pad = value.getDefiningOp<tensor::PadOp>();
    inputs.push_back(pad && isStatic(pad) ? takePadded(rewriter, pad, part.ranges)
                                          : takePart(rewriter, product.getLoc(), value, part.ranges));
  }
  auto fill = product.getOutputs()[0].getDefiningOp<linalg::FillOp>();
  Value empty = tensor::EmptyOp::create(rewriter, product.getLoc(), slice.getType().getShape(),
                                        slice.getType().getElementType());
  Value start = linalg::FillOp::create(rewriter, product.getLoc(), fill.getInputs(), empty).getResult(0);
  auto small = GenericOp::create(rewriter, product.getLoc(), start.getType(), inputs, start, maps,
                                 product.getIteratorTypesArray());
  IRMapping mapping;
  product.getRegion().cloneInto(&small.getRegion(), mapping);
  rewriter.replaceOp(slice, small->getResults());
  return true;
}

namespace {

struct SliceProductsPass : public plumb::impl::SliceProductsPassBase<SliceProductsPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<std::pair<tensor::ExtractSliceOp, GenericOp>> found;
    getOperation()->walk([&](device::LoopOp loop) {
      loop.walk([&](tensor::ExtractSliceOp slice) {
        if (GenericOp product = findProduct(slice))
          found.push_back({slice, product});
      });
    });
    for (auto [slice, product] : found)
      compute(rewriter, slice, product);
  }
};

} // namespace
