// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shape ops: what shape comes out, and why it cannot.

#include "dialects/net/ir/NetShapeOps.h"

#include "dialects/net/ir/Inference.h"
#include "dialects/net/ir/SliceBounds.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "dialects/net/ir/NetShapeOps.cpp.inc"

namespace plumb::net {

void NetDialect::registerShapeOps() {
  addTheme<
#define GET_OP_LIST
#include "dialects/net/ir/NetShapeOps.cpp.inc"
      >();
}

/// The most results of one operation: each costs the compiler some memory.
static constexpr int64_t kMaxResults = 65536;

/// Shows a list of numbers in an error.
static std::string show(ArrayRef<int64_t> numbers) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << "[";
  llvm::interleaveComma(numbers, stream);
  stream << "]";
  return text;
}

LogicalResult ReshapeOp::inferReturnTypes(MLIRContext *, OptionalLocation loc, Adaptor adaptor,
                                          SmallVectorImpl<Type> &types) {
  RankedTensorType type = tensorType(adaptor.getX());
  Shape shape(adaptor.getShape());
  int64_t known = 1;
  int64_t *open = nullptr;
  for (int64_t &extent : shape) {
    // reshape_c2
    if (extent < -1 || (extent == -1 && open))
      return emitOptionalError(loc, "cannot reshape ", type, " to ", show(adaptor.getShape()),
                               ": at most one extent may be -1, none less");
    if (extent == -1)
      open = &extent;
    else
      known = multiplyExtents(known, extent);
  }
  if (open && known != 0)
    *open = type.getNumElements() / known;
  // reshape_c1
  if ((open && known == 0) || multiplyExtents(known, open ? *open : 1) != type.getNumElements())
    return emitOptionalError(loc, "cannot reshape ", type, " of ", type.getNumElements(), " elements to ",
                             show(adaptor.getShape()));
  types.push_back(type.clone(shape));
  return success();
}

LogicalResult FlattenOp::inferReturnTypes(MLIRContext *, OptionalLocation, Adaptor adaptor,
                                          SmallVectorImpl<Type> &types) {
  RankedTensorType type = tensorType(adaptor.getX());
  int64_t rows = type.getRank() == 0 ? 1 : type.getDimSize(0);
  int64_t columns = 1;
  for (int64_t extent : type.getShape().drop_front(type.getRank() == 0 ? 0 : 1))
    columns *= extent;
  types.push_back(type.clone({rows, columns}));
  return success();
}

LogicalResult ExpandDimsOp::inferReturnTypes(MLIRContext *, OptionalLocation loc, Adaptor adaptor,
                                             SmallVectorImpl<Type> &types) {
  RankedTensorType type = tensorType(adaptor.getX());
  int64_t rank = type.getRank() + 1, axis = adaptor.getAxis();
  if (axis < -rank || axis >= rank)
    return emitOptionalError(loc, "cannot insert an axis at ", axis, " into ", type, " of ", type.getRank(), " axes");
  Shape shape(type.getShape());
  shape.insert(shape.begin() + normalizeAxis(axis, rank), 1);
  types.push_back(type.clone(shape));
  return success();
}

LogicalResult SqueezeOp::inferReturnTypes(MLIRContext *, OptionalLocation loc, Adaptor adaptor,
                                          SmallVectorImpl<Type> &types) {
  RankedTensorType type = tensorType(adaptor.getX());
  FailureOr<Shape> axes = inferAxes(loc, adaptor.getAxis(), type);
  if (failed(axes))
    return failure();
  Shape shape;
  for (auto [axis, extent] : llvm::enumerate(type.getShape())) {
    bool isNamed = llvm::is_contained(*axes, static_cast<int64_t>(axis));
    // squeeze_c1
    if (isNamed && extent != 1 && !adaptor.getAxis().empty())
      return emitOptionalError(loc, "cannot squeeze axis ", axis, " of ", type, ": its extent is ", extent, ", not 1");
    if (!isNamed || extent != 1)
      shape.push_back(extent);
  }
  types.push_back(type.clone(shape));
  return success();
}

LogicalResult TransposeOp::inferReturnTypes(MLIRContext *, OptionalLocation loc, Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  RankedTensorType type = tensorType(adaptor.getX());
  ArrayRef<int64_t> perm = adaptor.getPerm();
  Shape shape;
  llvm::SmallBitVector seen(type.getRank());
  for (int64_t axis : perm) {
    int64_t from = normalizeAxis(axis, type.getRank());
    if (from < 0 || from >= type.getRank() || seen.test(from))
      break;
    seen.set(from);
    shape.push_back(type.getDimSize(from));
  }
  // transpose_c1
  if (!seen.all() || perm.size() != shape.size())
    return emitOptionalError(loc, "cannot transpose ", type, " by ", show(perm), ": it must name each of the ",
                             type.getRank(), " axes once");
  types.push_back(type.clone(shape));
  return success();
}

LogicalResult BroadcastToOp::inferReturnTypes(MLIRContext *, OptionalLocation loc, Adaptor adaptor,
                                              SmallVectorImpl<Type> &types) {
  RankedTensorType type = tensorType(adaptor.getX());
  Shape shape(adaptor.getShape());
  auto refuse = [&] { return emitOptionalError(loc, "cannot broadcast ", type, " to ", show(adaptor.getShape())); };
  int64_t offset = static_cast<int64_t>(shape.size()) - type.getRank();
  if (offset < 0)
    return refuse();
  for (auto [axis, extent] : llvm::enumerate(shape)) {
    int64_t from = static_cast<int64_t>(axis) - offset;
    int64_t have = from < 0 ? 1 : type.getDimSize(from);
    if (extent == -1 && from >= 0)
      extent = have;
    // broadcast_to_c1
    if (extent < 0 || (have != 1 && have != extent))
      return refuse();
  }
  types.push_back(type.clone(shape));
  return success();
}

LogicalResult SliceOp::inferReturnTypes(MLIRContext *, OptionalLocation loc, Adaptor adaptor,
                                        SmallVectorImpl<Type> &types) {
  RankedTensorType type = tensorType(adaptor.getX());
  size_t count = adaptor.getBegin().size();
  ArrayRef<int64_t> strides = adaptor.getStrides();
  // slice_c1
  if (adaptor.getEnd().size() != count || (!strides.empty() && strides.size() != count) ||
      static_cast<int64_t>(count) > type.getRank())
    return emitOptionalError(loc, "cannot slice ", type, " from ", show(adaptor.getBegin()), " to ",
                             show(adaptor.getEnd()), " by ", show(strides),
                             ": the lists differ in length or are too long");
  // slice_c2
  if (llvm::any_of(strides, [](int64_t stride) { return stride < 1; }))
    return emitOptionalError(loc, "cannot slice ", type, " by ", show(strides), ": strides must be positive");
  SliceBounds bounds = SliceBounds::get(type.getShape(), adaptor.getBegin(), adaptor.getEnd(), strides);
  types.push_back(type.clone(bounds.sizes));
  return success();
}

LogicalResult SliceGradOp::inferReturnTypes(MLIRContext *, OptionalLocation loc, Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  RankedTensorType type = tensorType(adaptor.getDy());
  size_t rank = type.getRank();
  if (adaptor.getShape().size() != rank || adaptor.getBegin().size() != rank || adaptor.getStrides().size() != rank)
    return emitOptionalError(loc, "needs one extent, begin and stride per axis of ", type);
  for (size_t axis = 0; axis < rank; ++axis) {
    int64_t extent = type.getDimSize(axis), begin = adaptor.getBegin()[axis];
    int64_t last = addExtents(begin, multiplyExtents(extent - 1, adaptor.getStrides()[axis]));
    if (begin < 0 || adaptor.getStrides()[axis] < 1 || (extent > 0 && last >= adaptor.getShape()[axis]))
      return emitOptionalError(loc, "cannot put ", type, " into ", show(adaptor.getShape()), " from ",
                               show(adaptor.getBegin()), " by ", show(adaptor.getStrides()));
  }
  types.push_back(type.clone(adaptor.getShape()));
  return success();
}

LogicalResult SliceUpdateOp::inferReturnTypes(MLIRContext *, OptionalLocation loc, Adaptor adaptor,
                                              SmallVectorImpl<Type> &types) {
  RankedTensorType update = tensorType(adaptor.getUpdate()), type = tensorType(adaptor.getX());
  size_t rank = type.getRank();
  ArrayRef<int64_t> begin = adaptor.getBegin(), strides = adaptor.getStrides();
  bool fits = size_t(update.getRank()) == rank && begin.size() == rank && strides.size() == rank;
  for (size_t axis = 0; fits && axis < rank; ++axis) {
    int64_t extent = update.getDimSize(axis),
            last = addExtents(begin[axis], multiplyExtents(extent - 1, strides[axis]));
    fits = begin[axis] >= 0 && strides[axis] >= 1 && (extent == 0 || last < type.getDimSize(axis));
  }
  // slice_update_c1
  if (!fits)
    return emitOptionalError(loc, "cannot put ", update, " into ", type, " from ", show(begin), " by ", show(strides));
  types.push_back(type);
  return success();
}

/// The type of the rows of `type` along `axis`; null if it has no such axis.
static RankedTensorType getRowType(RankedTensorType type, int64_t axis) {
  if (axis < 0 || axis >= type.getRank())
    return {};
  Shape row(type.getShape());
  row.erase(row.begin() + axis);
  return type.clone(row);
}

LogicalResult RowOp::inferReturnTypes(MLIRContext *, OptionalLocation loc, Adaptor adaptor,
                                      SmallVectorImpl<Type> &types) {
  RankedTensorType type = tensorType(adaptor.getX()), row = getRowType(type, adaptor.getAxis());
  // row_c1
  if (!row)
    return emitOptionalError(loc, type, " has no rows along axis ", int64_t(adaptor.getAxis()));
  types.push_back(row);
  return success();
}

LogicalResult RowUpdateOp::inferReturnTypes(MLIRContext *, OptionalLocation loc, Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  RankedTensorType row = tensorType(adaptor.getRow()), type = tensorType(adaptor.getX());
  // row_update_c1
  if (row != getRowType(type, adaptor.getAxis()))
    return emitOptionalError(loc, row, " is no row of ", type, " along axis ", int64_t(adaptor.getAxis()));
  types.push_back(type);
  return success();
}

LogicalResult ConcatOp::inferReturnTypes(MLIRContext *, OptionalLocation loc, Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  if (adaptor.getXs().empty())
    return emitOptionalError(loc, "cannot concatenate no tensors");
  RankedTensorType first = tensorType(adaptor.getXs().front());
  FailureOr<int64_t> axis = inferAxis(loc, adaptor.getAxis(), first);
  if (failed(axis))
    return failure();
  Shape shape(first.getShape());
  for (Value x : adaptor.getXs().drop_front()) {
    RankedTensorType type = tensorType(x);
    Shape others(type.getShape()), expected(shape);
    if (type.getRank() == first.getRank())
      others[*axis] = expected[*axis] = 0;
    // concat_c1
    if (failed(verifyElementTypes(loc, adaptor.getXs().front(), x)))
      return failure();
    if (others != expected)
      return emitOptionalError(loc, "cannot concatenate ", first, " and ", type, " along axis ", *axis);
    shape[*axis] = addExtents(shape[*axis], type.getDimSize(*axis));
  }
  types.push_back(first.clone(shape));
  return success();
}

LogicalResult StackOp::inferReturnTypes(MLIRContext *, OptionalLocation loc, Adaptor adaptor,
                                        SmallVectorImpl<Type> &types) {
  if (adaptor.getXs().empty())
    return emitOptionalError(loc, "cannot stack no tensors");
  RankedTensorType first = tensorType(adaptor.getXs().front());
  // stack_c1
  for (Value x : adaptor.getXs()) {
    if (failed(verifyElementTypes(loc, adaptor.getXs().front(), x)))
      return failure();
    if (x.getType() != first)
      return emitOptionalError(loc, "cannot stack ", first, " and ", x.getType());
  }
  int64_t rank = first.getRank() + 1, axis = adaptor.getAxis();
  if (axis < -rank || axis >= rank)
    return emitOptionalError(loc, "cannot stack ", first, " along a new axis ", axis);
  Shape shape(first.getShape());
  shape.insert(shape.begin() + normalizeAxis(axis, rank), adaptor.getXs().size());
  types.push_back(first.clone(shape));
  return success();
}

LogicalResult SplitOp::inferReturnTypes(MLIRContext *, OptionalLocation loc, Adaptor adaptor,
                                        SmallVectorImpl<Type> &types) {
  RankedTensorType type = tensorType(adaptor.getX());
  FailureOr<int64_t> axis = inferAxis(loc, adaptor.getAxis(), type);
  if (failed(axis))
    return failure();
  int64_t parts = adaptor.getOutputNum();
  // split_c2
  if (parts > kMaxResults)
    return emitOptionalError(loc, "cannot split ", type, " into ", parts, " parts: an operation has at most ",
                             kMaxResults);
  // split_c1
  if (parts < 1 || type.getDimSize(*axis) % parts != 0)
    return emitOptionalError(loc, "cannot split axis ", *axis, " of ", type, " into ", parts, " equal parts");
  Shape shape(type.getShape());
  shape[*axis] /= parts;
  types.assign(parts, type.clone(shape));
  return success();
}

LogicalResult PadOp::inferReturnTypes(MLIRContext *, OptionalLocation loc, Adaptor adaptor,
                                      SmallVectorImpl<Type> &types) {
  RankedTensorType type = tensorType(adaptor.getX());
  auto fits = [&](ArrayRef<int64_t> counts) {
    return static_cast<int64_t>(counts.size()) == type.getRank() &&
           llvm::all_of(counts, [](int64_t count) { return count >= 0; });
  };
  // pad_c1
  if (!fits(adaptor.getLow()) || !fits(adaptor.getHigh()))
    return emitOptionalError(loc, "cannot pad ", type, " low ", show(adaptor.getLow()), " high ",
                             show(adaptor.getHigh()), ": one count of at least 0 is needed per axis");
  Shape shape(type.getShape());
  for (auto [extent, low, high] : llvm::zip_equal(shape, adaptor.getLow(), adaptor.getHigh()))
    extent = addExtents(extent, addExtents(low, high));
  types.push_back(type.clone(shape));
  return success();
}

LogicalResult TileOp::inferReturnTypes(MLIRContext *, OptionalLocation loc, Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  RankedTensorType type = tensorType(adaptor.getX());
  ArrayRef<int64_t> multiples = adaptor.getMultiples();
  int64_t missing = static_cast<int64_t>(multiples.size()) - type.getRank();
  // tile_c1
  if (missing < 0 || llvm::any_of(multiples, [](int64_t multiple) { return multiple < 1; }))
    return emitOptionalError(loc, "cannot tile ", type, " by ", show(multiples),
                             ": one multiple of at least 1 is needed per axis");
  Shape shape(missing, 1);
  llvm::append_range(shape, type.getShape());
  for (auto [extent, multiple] : llvm::zip_equal(shape, multiples))
    extent = multiplyExtents(extent, multiple);
  types.push_back(type.clone(shape));
  return success();
}

} // namespace plumb::net
