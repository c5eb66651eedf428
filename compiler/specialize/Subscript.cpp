// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `object[index]`. A tensor's index is normalised to one box (net.slice), a
// net.gather for each axis that is taken backwards, at most one net.gather for
// an index that is itself a tensor, and one net.reshape that drops axes indexed
// by a number and adds those asked for by None.

#include "compiler/specialize/Interpreter.h"

using namespace mlir;

namespace plumb::specialize {

/// A box of a tensor and what becomes of its axes.
struct Box {
  SmallVector<int64_t> begin, end, strides;
  SmallVector<int64_t> shape;            ///< Of the result.
  bool isWhole = true;                   ///< Nothing is cut off.
  SmallVector<int64_t> reversed;         ///< Axes taken backwards.
  std::optional<int64_t> gatherAxis;     ///< Axis that a tensor indexes.
  AbstractValue gatherIndex;
};

namespace {
/// start, stop and step of a slice, clamped as Python does.
struct Range {
  int64_t start, stop, step;

  int64_t size() const {
    int64_t distance = step > 0 ? stop - start : start - stop;
    int64_t stride = step > 0 ? step : -step;
    return distance <= 0 ? 0 : (distance + stride - 1) / stride;
  }
  /// The same elements in ascending order.
  Range ascending() const {
    return step > 0 ? *this : Range{start + (size() - 1) * step, start + 1, -step};
  }
};
} // namespace

static Range clampSlice(std::optional<int64_t> start,
                        std::optional<int64_t> stop, int64_t step,
                        int64_t size) {
  auto clamp = [&](std::optional<int64_t> bound, int64_t fallback) {
    if (!bound)
      return fallback;
    int64_t absolute = *bound < 0 ? *bound + size : *bound;
    return std::clamp<int64_t>(absolute, step > 0 ? 0 : -1,
                               step > 0 ? size : size - 1);
  };
  return {clamp(start, step > 0 ? 0 : size - 1),
          clamp(stop, step > 0 ? size : -1), step};
}

static bool isEllipsis(const AbstractValue &value) {
  auto primitive = value.getAs<net::PrimitiveAttr>();
  return primitive && (primitive.getName() == "builtins.Ellipsis" ||
                       primitive.getName() == "builtins.ellipsis");
}

Result Interpreter::subscript(Location location, const AbstractValue &object,
                              const AbstractValue &index) {
  if (isTensorLike(object))
    return subscriptTensor(location, object, index);
  if (object.isSequence() || object.getAs<StringAttr>())
    return subscriptSequence(location, object, index);
  if (object.isDictionary()) {
    for (auto [key, value] : llvm::zip(object.getKeys(), object.getElements()))
      if (areEqual(AbstractValue::getConstant(key), index))
        return value;
    return error(location) << "this dict has no key " << index.describe();
  }
  // A list of cells: CellList and SequentialCell keep theirs as a member.
  if (object.getAs<FlatSymbolRefAttr>()) {
    Result items = getIterated(location, object);
    if (failed(items))
      return failure();
    return subscriptSequence(location, *items, index);
  }
  return error(location) << object.describe() << " cannot be indexed";
}

FailureOr<std::array<std::optional<int64_t>, 3>>
Interpreter::getSliceBounds(Location location, const AbstractValue &slice) {
  std::array<std::optional<int64_t>, 3> bounds;
  for (auto [bound, element] : llvm::zip(bounds, slice.getElements())) {
    bound = getInteger(element);
    if (!bound && !isNone(element))
      return error(location) << "the bounds of a slice must be ints known "
                             << "while compiling, not " << element.describe();
  }
  if (bounds[2] && *bounds[2] == 0)
    return error(location) << "the step of a slice cannot be 0";
  return bounds;
}

Result Interpreter::subscriptSequence(Location location,
                                      const AbstractValue &object,
                                      const AbstractValue &index) {
  SmallVector<AbstractValue> elements;
  auto text = object.getAs<StringAttr>();
  if (text)
    for (char letter : text.getValue())
      elements.push_back(string(Twine(letter)));
  else
    elements.assign(object.getElements().begin(), object.getElements().end());
  int64_t size = elements.size();
  if (index.isSlice()) {
    auto bounds = getSliceBounds(location, index);
    if (failed(bounds))
      return failure();
    Range range = clampSlice((*bounds)[0], (*bounds)[1],
                             (*bounds)[2].value_or(1), size);
    SmallVector<AbstractValue> part;
    std::string letters;
    for (int64_t i = 0; i < range.size(); ++i) {
      part.push_back(elements[range.start + i * range.step]);
      if (text)
        letters += text.getValue()[range.start + i * range.step];
    }
    return text ? string(letters) : AbstractValue::getList(part, depth);
  }
  auto position = getInteger(index);
  if (!position)
    return error(location) << "a tuple's index must be an int known while "
                           << "compiling, not " << index.describe();
  if (*position < -size || *position >= size)
    return error(location) << "index " << *position
                           << " is out of range for a tuple of " << size;
  return elements[*position < 0 ? *position + size : *position];
}

/// Enters one index for the axis at box.begin.size().
static LogicalResult
enterIndex(Box &box, int64_t size, Range range, bool dropsAxis) {
  if (range.size() == 0)
    range = {0, 0, 1};
  if (range.step < 0 && range.size() > 1)
    box.reversed.push_back(box.begin.size());
  range = range.ascending();
  box.begin.push_back(range.start);
  box.end.push_back(range.stop);
  box.strides.push_back(range.step);
  box.isWhole &= range.size() == size && range.step == 1;
  if (!dropsAxis)
    box.shape.push_back(range.size());
  return success();
}

LogicalResult Interpreter::enterTensorIndex(Location location, Box &box,
                                            RankedTensorType type,
                                            const AbstractValue &item) {
  int64_t axis = box.begin.size(), size = type.getDimSize(axis);
  if (isTensorLike(item)) {
    RankedTensorType indices = getTypeOf(item);
    if (!isa<IntegerType>(indices.getElementType()) ||
        indices.getElementType().isInteger(1))
      return error(location) << "a tensor can be indexed by a tensor of "
                             << "integers, but this one is "
                             << item.describe();
    if (box.gatherAxis)
      return error(location) << "at most one index may be a tensor";
    box.gatherAxis = axis;
    box.gatherIndex = item;
    box.shape.append(indices.getShape().begin(), indices.getShape().end());
    return enterIndex(box, size, {0, size, 1}, /*dropsAxis=*/true);
  }
  if (item.isSlice()) {
    auto bounds = getSliceBounds(location, item);
    if (failed(bounds))
      return failure();
    return enterIndex(box, size,
                      clampSlice((*bounds)[0], (*bounds)[1],
                                 (*bounds)[2].value_or(1), size),
                      /*dropsAxis=*/false);
  }
  auto position = getInteger(item);
  if (!position)
    return error(location) << "a tensor cannot be indexed by "
                           << item.describe();
  if (*position < -size || *position >= size)
    return error(location) << "index " << *position
                           << " is out of bounds for axis " << axis
                           << " of size " << size;
  int64_t start = *position < 0 ? *position + size : *position;
  return enterIndex(box, size, {start, start + 1, 1}, /*dropsAxis=*/true);
}

FailureOr<Box> Interpreter::getBox(Location location, RankedTensorType type,
                                   ArrayRef<AbstractValue> items) {
  int64_t consumed = llvm::count_if(items, [](const AbstractValue &item) {
    return !isNone(item) && !isEllipsis(item);
  });
  if (consumed > type.getRank())
    return error(location) << "too many indices: " << consumed
                           << " for a tensor of " << describeType(type);
  Box box;
  auto takeWhole = [&](int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      int64_t size = type.getDimSize(box.begin.size());
      (void)enterIndex(box, size, {0, size, 1}, /*dropsAxis=*/false);
    }
  };
  bool ellipsis = false;
  for (const AbstractValue &item : items) {
    if (isNone(item)) {
      box.shape.push_back(1);
    } else if (isEllipsis(item)) {
      if (std::exchange(ellipsis, true))
        return error(location) << "an index can hold only one `...`";
      takeWhole(type.getRank() - consumed);
    } else if (failed(enterTensorIndex(location, box, type, item))) {
      return failure();
    }
  }
  takeWhole(type.getRank() - box.begin.size());
  return box;
}

Result Interpreter::emitReshape(Location location, Value value,
                                ArrayRef<int64_t> shape) {
  if (llvm::cast<RankedTensorType>(value.getType()).getShape() == shape)
    return AbstractValue::getTensor(value);
  return emit(location, "reshape", value,
              builder.getNamedAttr("shape",
                                   builder.getDenseI64ArrayAttr(shape)));
}

/// The rows of `value` along `axis` that `indices` names.
Result Interpreter::emitGather(Location location, Value value, Value indices,
                               int64_t axis) {
  return emit(location, "gather", {value, indices},
              builder.getNamedAttr("axis", builder.getI64IntegerAttr(axis)));
}

Result Interpreter::reverseAxis(Location location, Value value, int64_t axis) {
  int64_t size = llvm::cast<RankedTensorType>(value.getType()).getDimSize(axis);
  SmallVector<int32_t> order;
  for (int64_t i = size - 1; i >= 0; --i)
    order.push_back(i);
  auto type = RankedTensorType::get({size}, builder.getI32Type());
  Value indices = makeConstant(
      location, DenseElementsAttr::get(type, ArrayRef<int32_t>(order)));
  return emitGather(location, value, indices, axis);
}

Result Interpreter::subscriptTensor(Location location,
                                    const AbstractValue &object,
                                    const AbstractValue &index) {
  RankedTensorType type = getTypeOf(object);
  auto items = index.isSequence() ? index.getElements() : ArrayRef(index);
  FailureOr<Box> box = getBox(location, type, items);
  if (failed(box))
    return failure();
  auto tensor = toTensor(location, object);
  if (failed(tensor))
    return failure();
  Value value = *tensor;
  if (!box->isWhole) {
    auto ints = [&](StringRef name, ArrayRef<int64_t> values) {
      return builder.getNamedAttr(name, builder.getDenseI64ArrayAttr(values));
    };
    Result cut = emit(location, "slice", value,
                      {ints("begin", box->begin), ints("end", box->end),
                       ints("strides", box->strides)});
    if (failed(cut))
      return failure();
    value = cut->getTensor();
  }
  for (int64_t axis : box->reversed) {
    Result reversed = reverseAxis(location, value, axis);
    if (failed(reversed))
      return failure();
    value = reversed->getTensor();
  }
  if (box->gatherAxis) {
    auto indices = toTensor(location, box->gatherIndex);
    if (failed(indices))
      return failure();
    // As in Python, negative numbers count from the end.
    Result gathered = emit(location, "gather", {value, *indices},
                           {builder.getNamedAttr("axis", builder.getI64IntegerAttr(*box->gatherAxis)),
                            builder.getNamedAttr("wrap", builder.getUnitAttr())});
    if (failed(gathered))
      return failure();
    value = gathered->getTensor();
  }
  return emitReshape(location, value, box->shape);
}

} // namespace plumb::specialize
