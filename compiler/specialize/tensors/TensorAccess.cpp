// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `x[index]` and `x[index] = value` on tensors.
//
// Reading takes the box by net.slice, turns axes that are read backwards, and gathers what tensors choose: several
// chosen axes become one, indexed by one number. Storing goes the same way back: the box is read, the value is put
// where it was chosen, and net.slice_update replaces the box. A store never changes a tensor that other names hold.
//
// Where a store chooses rows, each row asks which number of the choice names it last (as in NumPy the last one wins):
//
//   x[rows] = v       =>      from = max over m of (m where rows[m] is this row, else -1)
//                             x = select(from >= 0, gather(v, from), x)

#include "compiler/specialize/tensors/TensorAccess.h"
#include "compiler/specialize/tensors/Reports.h"
#include "dialects/net/ir/NetShapeOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace plumb::specialize {

using Shape = SmallVector<int64_t>;

static int64_t countElements(ArrayRef<int64_t> shape) {
  int64_t product = 1;
  for (int64_t extent : shape)
    product *= extent;
  return product;
}

/// The shape that two broadcast to; nothing where they do not.
static std::optional<Shape> broadcastShapes(ArrayRef<int64_t> left, ArrayRef<int64_t> right) {
  Shape shape(std::max(left.size(), right.size()), 1);
  for (ArrayRef<int64_t> each : {left, right})
    for (auto [extent, here] : llvm::zip(llvm::reverse(each), llvm::reverse(shape))) {
      if (here != 1 && extent != 1 && here != extent)
        return std::nullopt;
      here = here == 1 ? extent : here;
    }
  return shape;
}

FailureOr<Value> TensorAccess::reverseAxes(Location location, Value value, ArrayRef<int64_t> axes) {
  for (int64_t axis : axes) {
    auto order = llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(0, shapeOf(value)[axis])));
    auto reversed = writer.gather(location, value, writer.makeNumbers(location, order), axis, /*wrap=*/false);
    if (failed(reversed))
      return failure();
    value = *reversed;
  }
  return value;
}

/// The box of `index`, without its dropped axes and with the chosen ones together.
FailureOr<Value> TensorAccess::takeBox(Location location, Value value, const TensorIndex &index) {
  auto ints = [&](StringRef name, ArrayRef<int64_t> values) {
    return builder.getNamedAttr(name, builder.getDenseI64ArrayAttr(values));
  };
  FailureOr<Value> box = value;
  if (!index.isWhole)
    box = writer.emitValue(location, "slice", value,
                           {ints("begin", index.begin), ints("end", index.end), ints("strides", index.strides)});
  if (succeeded(box))
    box = reverseAxes(location, *box, index.reversed);
  if (failed(box) || index.countChosen() == 0)
    return box;
  Shape shape;
  for (const TensorIndex::Entry &entry : index.entries)
    if (entry.kind == TensorIndex::Kept || entry.kind == TensorIndex::Chosen)
      shape.push_back(entry.extent);
  box = writer.reshape(location, *box, shape);
  return succeeded(box) ? writer.transpose(location, *box, index.getOrder()) : box;
}

/// Replaces the box of `index` in `value`; the inverse of takeBox.
FailureOr<Value> TensorAccess::putBox(Location location, Value value, Value box, const TensorIndex &index) {
  Shape order = index.getOrder(), back(order.size());
  if (countElements(shapeOf(box)) == 0)
    return value;
  FailureOr<Value> put = box;
  if (index.countChosen() != 0) {
    for (auto [to, from] : llvm::enumerate(order))
      back[from] = to;
    put = writer.transpose(location, box, back);
  }
  if (succeeded(put))
    put = writer.reshape(location, *put, index.getBoxShape());
  if (succeeded(put))
    put = reverseAxes(location, *put, index.reversed);
  if (failed(put) || index.isWhole)
    return put;
  return net::SliceUpdateOp::create(builder, location, *put, value, index.begin, index.strides).getResult();
}

/// All chosen indices as one number per choice, which counts through the chosen axes.
FailureOr<Value> TensorAccess::makeChoice(Location location, const TensorIndex &index) {
  Result sum = integer(0);
  for (const TensorIndex::Entry &entry : index.entries) {
    if (entry.kind != TensorIndex::Chosen)
      continue;
    auto tensor = writer.toTensor(location, entry.index);
    auto wide = failed(tensor) ? tensor : writer.cast(location, *tensor, builder.getI64Type());
    if (failed(wide))
      return failure();
    auto position = writer.emitValue(location, "from_front", *wide,
                                     builder.getNamedAttr("extent", builder.getI64IntegerAttr(entry.extent)));
    if (failed(position))
      return failure();
    Result scaled = sum;
    if (sum->isTensor())
      scaled = arithmetic.apply(location, "mul", *sum, integer(entry.extent));
    if (failed(scaled))
      return failure();
    AbstractValue number = AbstractValue::getTensor(*position);
    sum = scaled->isTensor() ? arithmetic.apply(location, "add", *scaled, number) : Result(number);
    if (failed(sum))
      return failure();
  }
  return sum->getTensor();
}

/// The shape that the chosen indices broadcast to.
FailureOr<Shape> TensorAccess::getChosenShape(Location location, const TensorIndex &index) {
  Shape shape;
  for (const TensorIndex::Entry &entry : index.entries) {
    if (entry.kind != TensorIndex::Chosen)
      continue;
    auto joined = broadcastShapes(shape, getTypeOf(entry.index).getShape());
    if (!joined)
      return error(location) << "IndexError: the indices do not broadcast against each other: one is "
                             << entry.index.describe();
    shape = *joined;
  }
  return shape;
}

/// What indexes the axes: the items of a tuple; anything else, a list too, is one index.
static ArrayRef<AbstractValue> getItems(const AbstractValue &index) {
  return index.isSequence() && !index.isList() ? index.getElements() : ArrayRef(index);
}

Result TensorAccess::subscript(Location location, const AbstractValue &object, const AbstractValue &given) {
  FailureOr<TensorIndex> index = getIndex(location, getTypeOf(object), getItems(given));
  if (failed(index))
    return failure();
  auto chosen = getChosenShape(location, *index);
  auto tensor = writer.toTensor(location, object);
  if (failed(chosen) || failed(tensor))
    return failure();
  auto box = takeBox(location, *tensor, *index);
  if (failed(box))
    return failure();
  if (unsigned count = index->countChosen()) {
    auto [before, behind] = index->getKept();
    Shape flat(before);
    flat.push_back(index->getChoices());
    flat.append(behind);
    const auto *entry = llvm::find_if(index->entries, [](auto &e) { return e.kind == TensorIndex::Chosen; });
    auto rows = writer.reshape(location, *box, flat);
    auto choice = count == 1 ? writer.toTensor(location, entry->index) : makeChoice(location, *index);
    if (failed(rows) || failed(choice))
      return failure();
    if (getElementTypeOrSelf(*choice).isUnsignedInteger())
      choice = writer.cast(location, *choice, builder.getI64Type());
    box = failed(choice) ? choice : writer.gather(location, *rows, *choice, before.size(), /*wrap=*/count == 1);
    if (failed(box))
      return failure();
  }
  return toResult(writer.reshape(location, *box, index->getResultShape(*chosen, /*withNew=*/true)));
}

/// `value` as a tensor of the elements of `type`: what is stored takes the type of what it is stored into.
FailureOr<Value> TensorAccess::convertStored(Location location, const AbstractValue &value, Type elementType) {
  if (value.isSequence()) {
    Result made = arithmetic.stack(location, value, elementType);
    auto stacked = failed(made) ? FailureOr<Value>(failure()) : writer.toTensor(location, *made);
    return failed(stacked) ? stacked : writer.cast(location, *stacked, elementType);
  }
  auto tensor = writer.toTensor(location, value, elementType);
  return failed(tensor) ? tensor : writer.cast(location, *tensor, elementType);
}

/// Broadcasts what is stored to `shape`; leading axes of extent 1 may be too many.
FailureOr<Value> TensorAccess::broadcastStored(Location location, Value value, ArrayRef<int64_t> shape) {
  Shape given(shapeOf(value));
  while (given.size() > shape.size() && given.front() == 1)
    given.erase(given.begin());
  auto joined = broadcastShapes(given, shape);
  if (!joined || ArrayRef(*joined) != shape) {
    std::string wanted = describeType(RankedTensorType::get(shape, getElementTypeOrSelf(value)));
    return error(location) << "ValueError: cannot store a tensor of " << describeType(value.getType())
                           << " into elements of " << wanted << ": the shapes do not broadcast";
  }
  auto fitting = writer.reshape(location, value, given);
  return failed(fitting) ? fitting : writer.broadcast(location, *fitting, shape);
}

/// Which number of `choice`, one axis of them, names each of `count` rows last; -1 where none does.
FailureOr<Value> TensorAccess::invertChoice(Location location, Value choice, int64_t count) {
  int64_t size = shapeOf(choice)[0];
  auto numbers = [&](int64_t end) { return writer.makeNumbers(location, llvm::to_vector(llvm::seq<int64_t>(0, end))); };
  auto rows = writer.reshape(location, numbers(count), {count, 1});
  if (failed(rows))
    return failure();
  auto named = writer.emitValue(location, "equal", {*rows, choice});
  if (failed(named))
    return failure();
  Value none = writer.makeScalar(location, Number{Number::Int, -1}, builder.getI64Type());
  auto from = writer.emitValue(location, "select", {*named, numbers(size), none});
  if (failed(from))
    return failure();
  return writer.emitValue(location, "reduce_max", *from,
                          builder.getNamedAttr("axis", builder.getDenseI64ArrayAttr({1})));
}

/// `rows` with its rows along `axis` replaced by those of `value` where `choice` names them.
FailureOr<Value> TensorAccess::storeRows(Location location, Value rows, Value choice, Value value, int64_t axis) {
  ArrayRef<int64_t> shape = shapeOf(rows);
  if (shapeOf(choice)[0] == 0 || countElements(shape) == 0)
    return rows;
  auto from = invertChoice(location, choice, shape[axis]);
  if (failed(from))
    return failure();
  Value zero = writer.makeScalar(location, Number{Number::Int, 0}, builder.getI64Type());
  auto named = writer.emitValue(location, "greater_equal", {*from, zero});
  Shape along(shape.size(), 1);
  along[axis] = shape[axis];
  auto mask = failed(named) ? named : writer.reshape(location, *named, along);
  if (failed(mask))
    return failure();
  FailureOr<Value> taken = value;
  if (shapeOf(choice)[0] != 1) {
    auto source = writer.emitValue(location, "maximum", {*from, zero});
    taken = failed(source) ? source : writer.gather(location, value, *source, axis, /*wrap=*/false);
  }
  return failed(taken) ? taken : writer.emitValue(location, "select", {*mask, *taken, rows});
}

/// Stores one row whose number is known only at run time; a number outside of the rows stores nothing.
FailureOr<Value> TensorAccess::storeRow(Location location, Value rows, Value choice, Value row, int64_t axis) {
  int64_t count = shapeOf(rows)[axis];
  Value number = tensor::ExtractOp::create(builder, location, choice, ValueRange());
  Value last = arith::ConstantIntOp::create(builder, location, count - 1, 64);
  Value within = arith::MinSIOp::create(builder, location, number, last);
  Value at = arith::IndexCastOp::create(builder, location, builder.getIndexType(), within);
  Value old = net::RowOp::create(builder, location, rows, at, axis);
  Result inside = arithmetic.apply(location, "lt", AbstractValue::getTensor(choice), integer(count));
  if (failed(inside))
    return failure();
  auto stored = writer.emitValue(location, "select", {inside->getTensor(), row, old});
  if (failed(stored))
    return failure();
  return net::RowUpdateOp::create(builder, location, *stored, rows, at, axis).getResult();
}

/// Stores what tensors choose.
FailureOr<Value> TensorAccess::storeChosen(Location location, Value box, const TensorIndex &index, Value value,
                                           ArrayRef<int64_t> chosen) {
  auto [before, behind] = index.getKept();
  int64_t axis = before.size();
  Shape flat(before), values(before);
  flat.push_back(index.getChoices());
  values.push_back(countElements(chosen));
  flat.append(behind);
  values.append(behind);
  auto rows = writer.reshape(location, box, flat);
  auto stored = writer.reshape(location, value, values);
  auto choice = makeChoice(location, index);
  if (failed(rows) || failed(stored) || failed(choice))
    return failure();
  if (chosen.empty() && flat[axis] > 0) {
    Shape kept(before);
    kept.append(behind);
    auto row = writer.reshape(location, *stored, kept);
    auto result = failed(row) ? row : storeRow(location, *rows, *choice, *row, axis);
    return failed(result) ? result : writer.reshape(location, *result, shapeOf(box));
  }
  auto all = writer.broadcast(location, *choice, chosen);
  auto list = failed(all) ? all : writer.reshape(location, *all, {countElements(chosen)});
  auto result = failed(list) ? list : storeRows(location, *rows, *list, *stored, axis);
  return failed(result) ? result : writer.reshape(location, *result, shapeOf(box));
}

/// `x[mask] = value` where the mask is known only at run time: what it chooses has no shape, so the value must fit
/// every choice.
FailureOr<Value> TensorAccess::storeMasked(Location location, Value tensor, Value mask, Value value) {
  ArrayRef<int64_t> shape = shapeOf(tensor), masked = shapeOf(mask);
  if (masked.size() > shape.size() || shape.take_front(masked.size()) != masked)
    return error(location) << "IndexError: a mask of " << describeType(mask.getType()) << " does not fit a tensor of "
                           << describeType(tensor.getType());
  Shape row(shape.drop_front(masked.size())), wide(masked), one(row);
  one.insert(one.begin(), 1);
  if (auto joined = broadcastShapes(shapeOf(value), one); !joined || ArrayRef(*joined) != ArrayRef(one))
    return error(location) << "a tensor of " << describeType(value.getType())
                           << " cannot be stored under a mask that is "
                           << "known only while running: how many elements the mask takes is not known; use ops.select "
                           << "with a value of the tensor's own shape";
  wide.resize(shape.size(), 1);
  auto condition = writer.reshape(location, mask, wide);
  auto stored = broadcastStored(location, value, row);
  if (failed(condition) || failed(stored))
    return failure();
  return writer.emitValue(location, "select", {*condition, *stored, tensor});
}

/// The mask that a whole index is, if it is known only at run time.
static std::optional<AbstractValue> getRunTimeMask(const AbstractValue &given) {
  auto items = getItems(given);
  auto isMask = [](const AbstractValue &item) {
    return item.isTensor() && getElementTypeOrSelf(item.getTensor()).isInteger(1);
  };
  if (items.size() == 1 && isMask(items[0]))
    return items[0];
  return std::nullopt;
}

Result TensorAccess::store(Location location, const AbstractValue &object, const AbstractValue &given,
                           const AbstractValue &value) {
  stores = true;
  auto tensor = writer.toTensor(location, object);
  auto stored = convertStored(location, value, getTypeOf(object).getElementType());
  if (failed(tensor) || failed(stored))
    return failure();
  if (auto mask = getRunTimeMask(given))
    return toResult(storeMasked(location, *tensor, mask->getTensor(), *stored));
  FailureOr<TensorIndex> index = getIndex(location, getTypeOf(object), getItems(given));
  if (failed(index))
    return failure();
  auto chosen = getChosenShape(location, *index);
  if (failed(chosen))
    return failure();
  auto full = broadcastStored(location, *stored, index->getResultShape(*chosen, /*withNew=*/true));
  auto plain = failed(full) ? full : writer.reshape(location, *full, index->getResultShape(*chosen, /*withNew=*/false));
  if (failed(plain) || index->countChosen() == 0)
    return toResult(failed(plain) ? plain : putBox(location, *tensor, *plain, *index));
  auto box = takeBox(location, *tensor, *index);
  auto filled = failed(box) ? box : storeChosen(location, *box, *index, *plain, *chosen);
  return toResult(failed(filled) ? filled : putBox(location, *tensor, *filled, *index));
}

} // namespace plumb::specialize
