// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/lower/Slices.h"

using namespace mlir;
using namespace plumb;

bool plumb::isStatic(tensor::InsertSliceOp insert) {
  auto isKnown = [](ArrayRef<int64_t> values) { return llvm::none_of(values, ShapedType::isDynamic); };
  return isKnown(insert.getStaticOffsets()) && isKnown(insert.getStaticSizes()) && isKnown(insert.getStaticStrides()) &&
         llvm::all_of(insert.getStaticStrides(), [](int64_t stride) { return stride > 0; });
}

bool plumb::areDisjoint(tensor::InsertSliceOp a, tensor::InsertSliceOp b) {
  for (int64_t axis : llvm::seq<int64_t>(0, a.getResultType().getRank())) {
    int64_t beginA = a.getStaticOffset(axis), strideA = a.getStaticStride(axis);
    int64_t beginB = b.getStaticOffset(axis), strideB = b.getStaticStride(axis);
    int64_t lastA = beginA + (a.getStaticSize(axis) - 1) * strideA;
    int64_t lastB = beginB + (b.getStaticSize(axis) - 1) * strideB;
    bool interleave = strideA == strideB && beginA % strideA != beginB % strideB;
    if (lastA < beginB || lastB < beginA || interleave)
      return true;
  }
  return false;
}

/// The positions of the first and the last element along an axis.
static std::pair<int64_t, int64_t> getRange(tensor::InsertSliceOp insert, int64_t axis) {
  int64_t begin = insert.getStaticOffset(axis);
  return {begin, begin + (insert.getStaticSize(axis) - 1) * insert.getStaticStride(axis)};
}

void InsertedRegions::add(tensor::InsertSliceOp insert) {
  SmallVector<Axis> &places = axes[insert.getResultType()];
  places.resize(insert.getResultType().getRank());
  for (auto [number, axis] : llvm::enumerate(places)) {
    auto [first, last] = getRange(insert, number);
    axis.begins[first].push_back(insert);
    axis.longest = std::max(axis.longest, last - first + 1);
  }
  all.push_back(insert);
}

std::optional<SmallVector<tensor::InsertSliceOp>> InsertedRegions::getBetween(const Axis &axis, int64_t first,
                                                                              int64_t last, size_t limit) {
  SmallVector<tensor::InsertSliceOp> found;
  auto end = axis.begins.upper_bound(last);
  for (auto entry = axis.begins.lower_bound(first - axis.longest + 1); entry != end; ++entry) {
    if (found.size() + entry->second.size() > limit)
      return std::nullopt;
    llvm::append_range(found, entry->second);
  }
  return found;
}

SmallVector<tensor::InsertSliceOp> InsertedRegions::getOverlapping(tensor::InsertSliceOp insert) const {
  auto places = axes.find(insert.getResultType());
  if (axes.size() != 1 || places == axes.end())
    return all;
  // The axis along which the fewest lie beside it, looked for with a growing limit.
  std::optional<SmallVector<tensor::InsertSliceOp>> found;
  for (size_t limit = 8; !found && limit < all.size(); limit *= 4)
    for (auto [number, axis] : llvm::enumerate(places->second)) {
      auto [first, last] = getRange(insert, number);
      if (!found)
        found = getBetween(axis, first, last, limit);
    }
  SmallVector<tensor::InsertSliceOp> overlapping = found.value_or(all);
  llvm::erase_if(overlapping, [&](tensor::InsertSliceOp other) { return areDisjoint(other, insert); });
  return overlapping;
}
