// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/net/ir/Inference.h"

#include "dialects/types/ir/Types.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace plumb::net {

RankedTensorType tensorType(Value value) { return llvm::cast<RankedTensorType>(value.getType()); }

int64_t addExtents(int64_t a, int64_t b) {
  int64_t sum;
  return llvm::AddOverflow(a, b, sum) ? std::numeric_limits<int64_t>::max() : sum;
}

int64_t multiplyExtents(int64_t a, int64_t b) {
  int64_t product;
  return llvm::MulOverflow(a, b, product) ? std::numeric_limits<int64_t>::max() : product;
}

/// Broadcasts `type` into `shape`; returns the pair of extents that clash, if any.
static std::optional<std::pair<int64_t, int64_t>> widen(Shape &shape, RankedTensorType type) {
  int64_t missing = type.getRank() - static_cast<int64_t>(shape.size());
  if (missing > 0)
    shape.insert(shape.begin(), missing, 1);
  int64_t offset = static_cast<int64_t>(shape.size()) - type.getRank();
  for (auto [axis, extent] : llvm::enumerate(type.getShape())) {
    int64_t &current = shape[offset + axis];
    if (current != extent && current != 1 && extent != 1)
      return std::pair(current, extent);
    if (current == 1)
      current = extent;
  }
  return std::nullopt;
}

LogicalResult verifyElementTypes(OptionalLocation loc, Value x, Value y) {
  if (tensorType(x).getElementType() == tensorType(y).getElementType())
    return success();
  return emitOptionalError(loc, "TypeError: element types differ: ", x.getType(), " and ", y.getType(),
                           "; ops.cast converts one");
}

FailureOr<Shape> inferBroadcast(OptionalLocation loc, ValueRange operands) {
  Shape shape;
  for (auto [index, operand] : llvm::enumerate(operands)) {
    auto clash = widen(shape, tensorType(operand));
    if (!clash)
      continue;
    return emitOptionalError(loc, "shapes do not broadcast: ", operands[index - 1].getType(), " and ",
                             operand.getType(), " have extents ", clash->first, " and ", clash->second, " on one axis");
  }
  return shape;
}

int64_t normalizeAxis(int64_t axis, int64_t rank) { return axis < 0 ? axis + rank : axis; }

Shape normalizeAxes(ArrayRef<int64_t> axes, int64_t rank) {
  if (axes.empty() || rank == 0)
    return llvm::to_vector(llvm::seq<int64_t>(0, rank));
  Shape result;
  for (int64_t axis : axes)
    result.push_back(normalizeAxis(axis, rank));
  llvm::sort(result);
  return result;
}

FailureOr<int64_t> inferAxis(OptionalLocation loc, int64_t axis, RankedTensorType type) {
  int64_t rank = type.getRank();
  if (axis < -rank || axis >= rank)
    return emitOptionalError(loc, "axis ", axis, " is out of range for ", type, " of ", rank, " axes");
  return normalizeAxis(axis, rank);
}

FailureOr<RankedTensorType> inferPositions(OptionalLocation loc, int64_t extent, RankedTensorType type) {
  if (extent > std::numeric_limits<int32_t>::max())
    return emitOptionalError(loc, "positions along an axis of ", extent, " elements are no 32-bit integers");
  return type.clone(IntegerType::get(type.getContext(), 32));
}

FailureOr<Shape> inferAxes(OptionalLocation loc, ArrayRef<int64_t> axes, RankedTensorType type) {
  // A scalar takes the axes of a vector, 0 and -1, and has none to reduce.
  RankedTensorType counted = type.getRank() == 0 ? type.clone({1}) : type;
  for (int64_t axis : axes)
    if (failed(inferAxis(loc, axis, counted)))
      return failure();
  Shape result = normalizeAxes(axes, type.getRank());
  if (auto twice = std::adjacent_find(result.begin(), result.end()); twice != result.end())
    return emitOptionalError(loc, "axis ", *twice, " of ", type, " is named twice");
  return result;
}

Shape spread(ArrayRef<int64_t> numbers, size_t count) {
  if (numbers.size() == 1)
    return Shape(count, numbers.front());
  return Shape(numbers);
}

Window Window::get(ArrayRef<int64_t> kernel, ArrayRef<int64_t> stride, ArrayRef<int64_t> pad,
                   ArrayRef<int64_t> dilation) {
  Window window{spread(kernel, 2), spread(stride, 2), spread(dilation, 2), spread(pad, 4)};
  // [vertical, horizontal] pads both sides alike.
  if (pad.size() == 2)
    window.pad = {pad[0], pad[0], pad[1], pad[1]};
  return window;
}

LogicalResult Window::verify(OptionalLocation loc, StringRef what) const {
  auto refuse = [&](StringRef name, size_t count, ArrayRef<int64_t> numbers, int64_t least) {
    if (numbers.size() == count && llvm::all_of(numbers, [&](int64_t n) { return n >= least; }))
      return success();
    std::string shown;
    llvm::raw_string_ostream stream(shown);
    llvm::interleaveComma(numbers, stream);
    return emitOptionalError(loc, what, " needs ", count, " numbers of at least ", least, " for ", name, ", but has [",
                             shown, "]");
  };
  return success(succeeded(refuse("kernel", 2, kernel, 1)) && succeeded(refuse("stride", 2, stride, 1)) &&
                 succeeded(refuse("dilation", 2, dilation, 1)) && succeeded(refuse("pad", 4, pad, 0)));
}

FailureOr<Shape> Window::infer(OptionalLocation loc, StringRef what, RankedTensorType image) const {
  if (image.getRank() != 4)
    return emitOptionalError(loc, what, " needs an image of four axes (NCHW), but has ", image);
  if (failed(verify(loc, what)))
    return failure();
  Shape result;
  for (unsigned dim : {0u, 1u}) {
    int64_t extent = image.getDimSize(2 + dim);
    int64_t whole = padded(dim, extent);
    if (reach(dim) > whole)
      return emitOptionalError(loc, what, ": a kernel of ", kernel[0], "x", kernel[1], " that reaches over ",
                               reach(dim), " elements does not fit into ", image, " padded to ", whole);
    result.push_back(count(dim, extent));
  }
  // Where windows are read from an image with its pads, that image is a tensor, too.
  auto whole = image.clone(
      {image.getDimSize(0), image.getDimSize(1), padded(0, image.getDimSize(2)), padded(1, image.getDimSize(3))});
  if (std::string size = describeImpossibleSize(whole); !size.empty())
    return emitOptionalError(loc, what, ": the padded image ", size);
  return result;
}

} // namespace plumb::net
