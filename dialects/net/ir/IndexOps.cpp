// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops that address by integers: shape rules.

#include "dialects/net/ir/NetIndexOps.h"

#include "dialects/net/ir/Inference.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "dialects/net/ir/NetIndexOps.cpp.inc"

namespace plumb::net {

void NetDialect::registerIndexOps() {
  addTheme<
#define GET_OP_LIST
#include "dialects/net/ir/NetIndexOps.cpp.inc"
      >();
}

LogicalResult OneHotOp::inferReturnTypes(MLIRContext *, OptionalLocation loc, Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  RankedTensorType type = tensorType(adaptor.getIndices());
  int64_t depth = adaptor.getDepth();
  if (depth < 1 || !isElementType(adaptor.getDtype()))
    return emitOptionalError(loc, "one_hot of ", type,
                             " needs a depth of at least 1 and a number "
                             "type, but has ",
                             depth, " and ", adaptor.getDtype());
  Shape shape(type.getShape());
  shape.push_back(depth);
  types.push_back(RankedTensorType::get(shape, adaptor.getDtype()));
  return success();
}

LogicalResult FromFrontOp::inferReturnTypes(MLIRContext *context, OptionalLocation loc, Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  RankedTensorType type = tensorType(adaptor.getIndices());
  // from_front_c1
  if (static_cast<int64_t>(adaptor.getExtent()) < 0)
    return emitOptionalError(loc, "from_front needs an extent of at least 0, but has ",
                             static_cast<int64_t>(adaptor.getExtent()));
  // from_front_c2
  unsigned width = std::max(type.getElementTypeBitWidth(), 32u);
  if (width == 32 && static_cast<int64_t>(adaptor.getExtent()) > std::numeric_limits<int32_t>::max())
    return emitOptionalError(loc, "indices of an axis of ", static_cast<int64_t>(adaptor.getExtent()),
                             " need 64 bits, but are ", type);
  types.push_back(type.clone(IntegerType::get(context, width)));
  return success();
}

void FromFrontOp::getIndexRanges(SmallVectorImpl<IndexRange> &ranges) {
  int64_t extent = getExtent();
  ranges.push_back(
      {getIndices(), getWrap() ? -extent : 0, extent - 1, "indices of an axis of " + std::to_string(extent)});
}

/// Of constants, unless one is out of range: that is found when the program runs.
OpFoldResult FromFrontOp::fold(FoldAdaptor adaptor) {
  auto indices = dyn_cast_or_null<DenseIntElementsAttr>(adaptor.getIndices());
  int64_t extent = getExtent(), lowest = getWrap() ? -extent : 0;
  auto isInside = [&](const APInt &index) { return index.getSExtValue() >= lowest && index.getSExtValue() < extent; };
  if (!indices || !llvm::all_of(indices.getValues<APInt>(), isInside))
    return {};
  auto result = getType().getElementType();
  return indices.mapValues(result, [&](const APInt &index) {
    int64_t number = index.getSExtValue();
    return APInt(result.getIntOrFloatBitWidth(), number < 0 ? number + extent : number, /*isSigned=*/true);
  });
}

/// Returns `shape` with its axis replaced by the shape of the indices, less their batch axes.
static Shape replaceAxis(ArrayRef<int64_t> shape, int64_t axis, ArrayRef<int64_t> indices, int64_t batch) {
  Shape result(shape.take_front(axis));
  llvm::append_range(result, indices.drop_front(batch));
  llvm::append_range(result, shape.drop_front(axis + 1));
  return result;
}

/// Infers the type of slices of `type`.
static FailureOr<Shape> inferSlices(OptionalLocation loc, RankedTensorType type, RankedTensorType indices, int64_t axis,
                                    int64_t batch) {
  // gather_c1
  FailureOr<int64_t> normal = inferAxis(loc, axis, type);
  if (failed(normal))
    return failure();
  // gather_c2
  if (batch < 0 || batch > *normal || batch > indices.getRank() ||
      type.getShape().take_front(batch) != indices.getShape().take_front(batch))
    return emitOptionalError(loc, type, " and indices ", indices, " have no ", batch, " axes in common before axis ",
                             *normal);
  return replaceAxis(type.getShape(), *normal, indices.getShape(), batch);
}

LogicalResult GatherOp::inferReturnTypes(MLIRContext *, OptionalLocation loc, Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  RankedTensorType type = tensorType(adaptor.getX());
  auto shape = inferSlices(loc, type, tensorType(adaptor.getIndices()), adaptor.getAxis(), adaptor.getBatch());
  if (failed(shape))
    return failure();
  int64_t axis = normalizeAxis(adaptor.getAxis(), type.getRank());
  // gather_c3
  if (type.getDimSize(axis) == 0 && tensorType(adaptor.getIndices()).getNumElements() != 0)
    return emitOptionalError(loc, "nothing lies along axis ", axis, " of ", type, ", so no index of ",
                             adaptor.getIndices().getType(), " names anything");
  types.push_back(type.clone(*shape));
  return success();
}

LogicalResult GatherGradOp::inferReturnTypes(MLIRContext *, OptionalLocation loc, Adaptor adaptor,
                                             SmallVectorImpl<Type> &types) {
  RankedTensorType dy = tensorType(adaptor.getDy());
  if (llvm::any_of(adaptor.getShape(), [](int64_t extent) { return extent < 0; }))
    return emitOptionalError(loc, "no shape has negative extents: [", adaptor.getShape(), "]");
  RankedTensorType type = dy.clone(adaptor.getShape());
  auto shape = inferSlices(loc, type, tensorType(adaptor.getIndices()), adaptor.getAxis(), adaptor.getBatch());
  if (failed(shape))
    return failure();
  int64_t axis = normalizeAxis(adaptor.getAxis(), type.getRank());
  if (ArrayRef(*shape) != dy.getShape() ||
      (type.getDimSize(axis) == 0 && tensorType(adaptor.getIndices()).getNumElements() != 0))
    return emitOptionalError(loc, "gathering from ", type, " by ", adaptor.getIndices().getType(), " yields no ", dy);
  types.push_back(type);
  return success();
}

/// The numbers of slices along `axis` of a tensor of `shape`.
static IndexRange getAxisRange(Value indices, RankedTensorType type, int64_t axis, bool wrap) {
  axis += axis < 0 ? type.getRank() : 0;
  int64_t extent = type.getDimSize(axis);
  std::string use;
  llvm::raw_string_ostream stream(use);
  stream << "indices along axis " << axis << " of a tensor of shape (";
  llvm::interleaveComma(type.getShape(), stream);
  stream << (type.getRank() == 1 ? ",)" : ")");
  return {indices, wrap ? -extent : 0, extent - 1, std::move(use)};
}

void GatherOp::getIndexRanges(SmallVectorImpl<IndexRange> &ranges) {
  ranges.push_back(getAxisRange(getIndices(), tensorType(getX()), getAxis(), getWrap()));
}

void GatherGradOp::getIndexRanges(SmallVectorImpl<IndexRange> &ranges) {
  ranges.push_back(getAxisRange(getIndices(), getType(), getAxis(), getWrap()));
}

LogicalResult ScatterOp::inferReturnTypes(MLIRContext *, OptionalLocation loc, Adaptor adaptor,
                                          SmallVectorImpl<Type> &types) {
  RankedTensorType x = tensorType(adaptor.getX()), indices = tensorType(adaptor.getIndices());
  RankedTensorType updates = tensorType(adaptor.getUpdates());
  int64_t batch = adaptor.getBatch();
  // scatter_c1
  bool fits = batch >= 0 && batch < x.getRank() && indices.getRank() == batch + 1 &&
              x.getShape().take_front(batch) == indices.getShape().take_front(batch) &&
              ArrayRef(replaceAxis(x.getShape(), batch, indices.getShape(), batch)) == updates.getShape();
  if (!fits)
    return emitOptionalError(loc, "updates ", updates, " at indices ", indices, " do not fit into ", x, " with ", batch,
                             " batch axes");
  // scatter_c2
  if (failed(verifyElementTypes(loc, adaptor.getX(), adaptor.getUpdates())))
    return failure();
  // scatter_c3
  static constexpr StringRef modes[] = {"update", "add", "sub", "mul", "div", "max", "min"};
  if (!llvm::is_contained(modes, adaptor.getMode()))
    return emitOptionalError(loc, "scatter knows the modes update, add, sub, mul, div, max and min, but not \"",
                             adaptor.getMode(), "\"");
  types.push_back(x);
  return success();
}

} // namespace plumb::net
