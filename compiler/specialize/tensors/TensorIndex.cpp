// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the items of an index to the box and the choices that they name in a tensor (TensorIndex.h).

#include "compiler/specialize/tensors/TensorIndex.h"
#include "compiler/specialize/tensors/Reports.h"
#include "compiler/specialize/tensors/SliceRange.h"
#include "compiler/specialize/tensors/TensorAccess.h"

using namespace mlir;

namespace plumb::specialize {

using Shape = SmallVector<int64_t>;

unsigned TensorIndex::countChosen() const {
  return llvm::count_if(entries, [](const Entry &entry) { return entry.kind == Chosen; });
}

/// Ints count as tensors of integers here, as in NumPy: x[0, :, rows] puts the rows in front.
bool TensorIndex::isTogether() const {
  auto indexes = [](const Entry &entry) { return entry.kind == Chosen || entry.kind == Dropped; };
  auto first = llvm::find_if(entries, indexes);
  auto apart = std::find_if_not(first, entries.end(), indexes);
  return std::none_of(apart, entries.end(), indexes);
}

Shape TensorIndex::getBoxShape() const {
  Shape shape;
  for (const Entry &entry : entries)
    if (entry.kind != New)
      shape.push_back(entry.extent);
  return shape;
}

std::pair<Shape, Shape> TensorIndex::getKept() const {
  Shape before, behind;
  bool passed = !isTogether();
  for (const Entry &entry : entries) {
    passed |= entry.kind == Chosen;
    if (entry.kind == Kept)
      (passed ? behind : before).push_back(entry.extent);
  }
  return {before, behind};
}

Shape TensorIndex::getOrder() const {
  Shape before, chosen, behind;
  bool passed = !isTogether();
  int64_t axis = 0;
  for (const Entry &entry : entries) {
    passed |= entry.kind == Chosen;
    if (entry.kind == Chosen)
      chosen.push_back(axis++);
    else if (entry.kind == Kept)
      (passed ? behind : before).push_back(axis++);
  }
  before.append(chosen);
  before.append(behind);
  return before;
}

int64_t TensorIndex::getChoices() const {
  int64_t product = 1;
  for (const Entry &entry : entries)
    product *= entry.kind == Chosen ? entry.extent : 1;
  return product;
}

Shape TensorIndex::getResultShape(ArrayRef<int64_t> chosen, bool withNew) const {
  Shape shape;
  bool placed = countChosen() == 0;
  auto place = [&] {
    if (!std::exchange(placed, true))
      shape.append(chosen.begin(), chosen.end());
  };
  if (!isTogether())
    place();
  for (const Entry &entry : entries) {
    if (entry.kind == Chosen)
      place();
    else if (entry.kind == Kept || (entry.kind == New && withNew))
      shape.push_back(entry.extent);
  }
  return shape;
}

static bool isEllipsis(const AbstractValue &value) {
  auto primitive = value.getAs<net::PrimitiveAttr>();
  return primitive && (primitive.getName() == "builtins.Ellipsis" || primitive.getName() == "builtins.ellipsis");
}

/// A constant mask, if that is what the value is.
static DenseElementsAttr getMask(const AbstractValue &value) {
  auto elements = value.getAs<DenseElementsAttr>();
  return elements && elements.getElementType().isInteger(1) ? elements : DenseElementsAttr();
}

/// How many axes of the tensor an item indexes.
static int64_t countAxes(const AbstractValue &item) {
  if (auto mask = getMask(item))
    return mask.getType().getRank();
  return item.getAs<net::NoneAttr>() || item.getAs<BoolAttr>() || isEllipsis(item) ? 0 : 1;
}

/// Enters one range for the axis at index.begin.size().
static void enterRange(TensorIndex &index, int64_t size, SliceRange range, TensorIndex::Kind kind) {
  if (range.size() == 0)
    range = {0, 0, 1};
  if (range.step < 0 && range.size() > 1)
    index.reversed.push_back(index.begin.size());
  range = range.ascending();
  index.begin.push_back(range.start);
  index.end.push_back(range.stop);
  index.strides.push_back(range.step);
  index.isWhole &= range.size() == size && range.step == 1;
  index.entries.push_back({kind, range.size()});
}

/// The positions at which a mask holds, as one list of numbers per axis.
static SmallVector<DenseElementsAttr> findPositions(DenseElementsAttr mask) {
  ArrayRef<int64_t> shape = mask.getType().getShape();
  SmallVector<SmallVector<int64_t>> positions(shape.size());
  for (auto [number, holds] : llvm::enumerate(mask.getValues<bool>())) {
    int64_t rest = number;
    for (int64_t axis = shape.size() - 1; holds && axis >= 0; rest /= shape[axis--])
      positions[axis].push_back(rest % shape[axis]);
  }
  Type i64 = IntegerType::get(mask.getContext(), 64);
  return llvm::map_to_vector(positions, [&](const SmallVector<int64_t> &numbers) {
    return DenseElementsAttr::get(RankedTensorType::get({int64_t(numbers.size())}, i64), ArrayRef(numbers));
  });
}

/// Refuses a known number outside of its axis.
LogicalResult TensorAccess::checkIndices(Location location, const AbstractValue &item, int64_t axis, int64_t size) {
  auto elements = item.getAs<DenseElementsAttr>();
  if (!elements)
    return success();
  bool isSigned = !elements.getElementType().isUnsignedInteger();
  for (const APInt &number : elements.getValues<APInt>()) {
    int64_t position = isSigned ? number.getSExtValue() : int64_t(number.getZExtValue());
    if (position < -size || position >= size)
      return error(location) << "IndexError: index " << position << " is out of bounds for axis " << axis << " of size "
                             << size;
  }
  return success();
}

LogicalResult TensorAccess::enterMask(Location location, TensorIndex &index, RankedTensorType type,
                                      const AbstractValue &item) {
  int64_t first = index.begin.size();
  DenseElementsAttr mask = getMask(item);
  ArrayRef<int64_t> shape = mask.getType().getShape();
  if (shape != type.getShape().slice(first, shape.size()))
    return error(location) << "IndexError: a mask of " << describeType(mask.getType()) << " does not fit the axes from "
                           << first << " on of a tensor of " << describeType(type);
  for (auto [size, positions] : llvm::zip(shape, findPositions(mask))) {
    enterRange(index, size, {0, size, 1}, TensorIndex::Chosen);
    index.entries.back().index = AbstractValue::getConstant(positions);
  }
  return success();
}

LogicalResult TensorAccess::enterIndex(Location location, TensorIndex &index, RankedTensorType type,
                                       const AbstractValue &item) {
  int64_t axis = index.begin.size(), size = type.getDimSize(axis);
  if (getMask(item))
    return enterMask(location, index, type, item);
  if (isTensorLike(item)) {
    Type element = getTypeOf(item).getElementType();
    if (element.isInteger(1))
      return refuse(location, DiagnosticKind::Value)
             << "how many elements a mask of " << item.describe() << " takes depends on its values, and "
             << "shapes are known while compiling; use ops.select or ops.where, or multiply by the mask";
    if (!isa<IntegerType>(element))
      return error(location) << "IndexError: a tensor can be indexed by a tensor of integers, but this one is "
                             << item.describe();
    if (failed(checkIndices(location, item, axis, size)))
      return failure();
    enterRange(index, size, {0, size, 1}, TensorIndex::Chosen);
    index.entries.back().index = item;
    return success();
  }
  if (item.isSlice()) {
    auto bounds = knownTensors.getSliceBounds(location, item);
    if (failed(bounds))
      return failure();
    enterRange(index, size, SliceRange::get((*bounds)[0], (*bounds)[1], (*bounds)[2].value_or(1), size),
               TensorIndex::Kept);
    return success();
  }
  auto position = knownTensors.getIndex(item);
  if (!position)
    return error(location) << "IndexError: a tensor cannot be indexed by " << item.describe();
  if (*position < -size || *position >= size)
    return error(location) << "IndexError: index " << *position << " is out of bounds for axis " << axis << " of size "
                           << size;
  int64_t start = *position < 0 ? *position + size : *position;
  enterRange(index, size, {start, start + 1, 1}, TensorIndex::Dropped);
  return success();
}

/// An item of an index, as a tensor where it is a list, a tuple or one of NumPy's arrays: as indices they are the same.
Result TensorAccess::convertItem(Location location, const AbstractValue &given) {
  AbstractValue item = isForeign(given) ? asNumbers(given) : given;
  if (isForeign(item)) {
    Result tensor = live.askTensor(location, item);
    return failed(tensor) || !isNone(*tensor) ? tensor : Result(item);
  }
  if (!item.isSequence())
    return item;
  auto tensor = AbstractValue::getConstant(net::PrimitiveAttr::get(context(), "builtins.Tensor"));
  return isLive() && !holdsTensor(item) ? live.askCall(location, tensor, {{item}, {}})
                                        : arithmetic.stack(location, item, /*elementType=*/{});
}

FailureOr<TensorIndex> TensorAccess::getIndex(Location location, RankedTensorType type, ArrayRef<AbstractValue> given) {
  SmallVector<AbstractValue> items;
  for (const AbstractValue &item : given) {
    Result converted = convertItem(location, item);
    if (failed(converted))
      return failure();
    items.push_back(*converted);
  }
  int64_t consumed = 0;
  for (const AbstractValue &item : items)
    consumed += countAxes(item);
  if (consumed > type.getRank())
    return error(location) << "IndexError: too many indices: " << consumed << " for a tensor of " << describeType(type);
  TensorIndex index;
  auto takeWhole = [&](int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      int64_t size = type.getDimSize(index.begin.size());
      enterRange(index, size, {0, size, 1}, TensorIndex::Kept);
    }
  };
  bool ellipsis = false;
  for (const AbstractValue &item : items) {
    auto truth = item.getAs<BoolAttr>();
    if (truth && !truth.getValue())
      return error(location) << "IndexError: a tensor cannot be indexed by False: nothing would be left";
    if (isNone(item) || truth) {
      index.entries.push_back({TensorIndex::New});
    } else if (isEllipsis(item)) {
      if (std::exchange(ellipsis, true))
        return error(location) << "IndexError: an index can hold only one `...`";
      takeWhole(type.getRank() - consumed);
    } else if (failed(enterIndex(location, index, type, item))) {
      return failure();
    }
  }
  takeWhole(type.getRank() - index.begin.size());
  return index;
}

} // namespace plumb::specialize
