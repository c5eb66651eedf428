// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads, stores and register transposes.

#include "compiler/codegen/cpu/emit/VectorMemory.h"

#include "compiler/codegen/cpu/analysis/LinearNest.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace plumb;

Value Position::materialize(ImplicitLocOpBuilder &builder) const {
  if (dynamic && constant == 0)
    return dynamic;
  Value index = arith::ConstantIndexOp::create(builder, constant);
  return dynamic ? arith::AddIOp::create(builder, dynamic, index) : index;
}

Value plumb::flattenBuffer(ImplicitLocOpBuilder &builder, Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  (void)type.getStridesAndOffset(strides, offset);
  if (type.getRank() == 1 && strides[0] == 1)
    return memref;
  OpFoldResult start = builder.getIndexAttr(offset);
  Value source = memref;
  if (ShapedType::isDynamic(offset)) {
    auto metadata = memref::ExtractStridedMetadataOp::create(builder, memref);
    source = metadata.getBaseBuffer();
    start = metadata.getOffset();
  }
  auto layout = StridedLayoutAttr::get(builder.getContext(), offset, {1});
  int64_t span = getSpan(type);
  auto flat = offset == 0 ? MemRefType::get({span}, type.getElementType(), AffineMap(), type.getMemorySpace())
                          : MemRefType::get({span}, type.getElementType(), layout, type.getMemorySpace());
  return memref::ReinterpretCastOp::create(builder, flat, source, start,
                                           ArrayRef<OpFoldResult>{builder.getIndexAttr(span)},
                                           ArrayRef<OpFoldResult>{builder.getIndexAttr(1)});
}

Value plumb::makeMask(ImplicitLocOpBuilder &builder, int64_t lanes, int64_t width) {
  auto type = VectorType::get({lanes}, builder.getI1Type());
  return vector::ConstantMaskOp::create(builder, type, ArrayRef<int64_t>{width});
}

/// A vector of zeros.
static Value makeZero(ImplicitLocOpBuilder &builder, VectorType type) {
  return arith::ConstantOp::create(builder, builder.getZeroAttr(type));
}

/// Builds a vector from scalar loads.
static Value loadScalars(ImplicitLocOpBuilder &builder, Value flat, Position position, LaneShape shape,
                         VectorType type) {
  SmallVector<Value> elements;
  for (int64_t lane = 0; lane < shape.width; ++lane) {
    Position at{position.dynamic, position.constant + lane * shape.stride};
    elements.push_back(memref::LoadOp::create(builder, flat, at.materialize(builder)));
  }
  if (shape.width < shape.lanes) {
    TypedAttr zero = builder.getZeroAttr(type.getElementType());
    Value padding = arith::ConstantOp::create(builder, zero);
    elements.append(shape.lanes - shape.width, padding);
  }
  return vector::FromElementsOp::create(builder, type, elements);
}

/// Powers of two that add up to `width`.
static SmallVector<int64_t> splitWidth(int64_t width) {
  SmallVector<int64_t> widths;
  for (; width > 0; width -= widths.back())
    widths.push_back(llvm::bit_floor(static_cast<uint64_t>(width)));
  return widths;
}

/// Loads `width` neighbours as vectors of powers of two and concatenates them.
static Value loadSubvectors(ImplicitLocOpBuilder &builder, Value flat, Position position, LaneShape shape,
                            VectorType type) {
  Value whole = makeZero(builder, type);
  int64_t at = 0;
  for (int64_t width : splitWidth(shape.width)) {
    Value index = Position{position.dynamic, position.constant + at}.materialize(builder);
    auto narrow = VectorType::get({width}, type.getElementType());
    Value subvector = vector::LoadOp::create(builder, narrow, flat, index);
    SmallVector<int64_t> widen, place;
    for (int64_t lane = 0; lane < shape.lanes; ++lane) {
      bool mine = lane >= at && lane < at + width;
      widen.push_back(mine ? lane - at : 0);
      place.push_back(mine ? shape.lanes + lane : lane);
    }
    Value wide = vector::ShuffleOp::create(builder, subvector, subvector, widen);
    whole = vector::ShuffleOp::create(builder, whole, wide, place);
    at += width;
  }
  return whole;
}

/// Stores the first `width` lanes as vectors of powers of two.
static void storeSubvectors(ImplicitLocOpBuilder &builder, Value value, Value flat, Position position, int64_t width) {
  int64_t at = 0;
  for (int64_t count : splitWidth(width)) {
    Value index = Position{position.dynamic, position.constant + at}.materialize(builder);
    auto lanes = llvm::to_vector(llvm::seq<int64_t>(at, at + count));
    Value subvector = vector::ShuffleOp::create(builder, value, value, lanes);
    vector::StoreOp::create(builder, subvector, flat, index);
    at += count;
  }
}

/// The type as which elements are moved where it differs from their own: booleans are bytes, and LLVM scalarizes
/// vectors of bf16. Null for all others.
static Type getCarrier(Type element) {
  if (element.isInteger(1))
    return IntegerType::get(element.getContext(), 8);
  return element.isBF16() ? IntegerType::get(element.getContext(), 16) : Type();
}

/// The same buffer with another element type.
static Value viewAs(ImplicitLocOpBuilder &builder, Value flat, Type element) {
  auto type = MemRefType::Builder(cast<MemRefType>(flat.getType())).setElementType(element);
  return UnrealizedConversionCastOp::create(builder, TypeRange{MemRefType(type)}, ValueRange{flat}).getResult(0);
}

/// Loads `width` neighbouring elements.
static Value loadContiguous(ImplicitLocOpBuilder &builder, Value flat, Position position, LaneShape shape,
                            VectorType type, const CpuTarget &target) {
  int64_t bits = type.getElementTypeBitWidth();
  if (shape.width < shape.lanes && !target.hasMasks(bits))
    return loadSubvectors(builder, flat, position, shape, type);
  Value index = position.materialize(builder);
  if (shape.width == shape.lanes)
    return vector::LoadOp::create(builder, type, flat, index);
  Value mask = makeMask(builder, shape.lanes, shape.width);
  return vector::MaskedLoadOp::create(builder, type, flat, index, mask, makeZero(builder, type));
}

/// Loads every second element by two overlapping loads and one shuffle. The second load ends at the last element, so no
/// byte past it is read.
static Value loadPairs(ImplicitLocOpBuilder &builder, Value flat, Position position, LaneShape shape, VectorType type) {
  int64_t lanes = shape.lanes;
  Position second{position.dynamic, position.constant + lanes - 1};
  Value low = vector::LoadOp::create(builder, type, flat, position.materialize(builder));
  Value high = vector::LoadOp::create(builder, type, flat, second.materialize(builder));
  SmallVector<int64_t> lanesOf;
  for (int64_t lane = 0; lane < lanes; ++lane)
    lanesOf.push_back(2 * lane < lanes ? 2 * lane : 2 * lane + 1);
  return vector::ShuffleOp::create(builder, low, high, lanesOf);
}

Value plumb::loadLanes(ImplicitLocOpBuilder &builder, Value flat, Position position, LaneShape shape,
                       const CpuTarget &target) {
  Type element = cast<MemRefType>(flat.getType()).getElementType();
  auto type = VectorType::get({shape.lanes}, element);
  if (Type carrier = getCarrier(element); carrier && shape.stride != 0) {
    Value bits = loadLanes(builder, viewAs(builder, flat, carrier), position, shape, target);
    return element.isInteger(1) ? arith::TruncIOp::create(builder, type, bits).getResult()
                                : arith::BitcastOp::create(builder, type, bits).getResult();
  }
  if (shape.stride == 0) {
    Value scalar = memref::LoadOp::create(builder, flat, position.materialize(builder));
    return vector::BroadcastOp::create(builder, type, scalar);
  }
  if (shape.stride == 1)
    return loadContiguous(builder, flat, position, shape, type, target);
  if (shape.stride == 2 && shape.width == shape.lanes)
    return loadPairs(builder, flat, position, shape, type);
  if (shape.stride == 2 && target.hasMasks(type.getElementTypeBitWidth())) {
    LaneShape wide{2 * shape.lanes, 2 * shape.width - 1, 1};
    auto wideType = VectorType::get({wide.lanes}, element);
    Value both = loadContiguous(builder, flat, position, wide, wideType, target);
    SmallVector<int64_t> even;
    for (int64_t lane = 0; lane < shape.lanes; ++lane)
      even.push_back(2 * lane);
    return vector::ShuffleOp::create(builder, both, both, even);
  }
  return loadScalars(builder, flat, position, shape, type);
}

void plumb::storeLanes(ImplicitLocOpBuilder &builder, Value value, Value flat, Position position, LaneShape shape,
                       const CpuTarget &target) {
  bool isFull = shape.width == shape.lanes;
  Type own = cast<MemRefType>(flat.getType()).getElementType();
  if (Type carrier = getCarrier(own)) {
    auto type = VectorType::get({shape.lanes}, carrier);
    value = own.isInteger(1) ? arith::ExtUIOp::create(builder, type, value).getResult()
                             : arith::BitcastOp::create(builder, type, value).getResult();
    flat = viewAs(builder, flat, carrier);
  }
  if (shape.stride == 1 && !isFull && !target.hasMasks(cast<VectorType>(value.getType()).getElementTypeBitWidth()))
    return storeSubvectors(builder, value, flat, position, shape.width);
  if (shape.stride == 1) {
    Value index = position.materialize(builder);
    if (isFull) {
      vector::StoreOp::create(builder, value, flat, index);
      return;
    }
    Value mask = makeMask(builder, shape.lanes, shape.width);
    vector::MaskedStoreOp::create(builder, flat, index, mask, value);
    return;
  }
  for (int64_t lane = 0; lane < shape.width; ++lane) {
    Value element = vector::ExtractOp::create(builder, value, lane);
    Position at{position.dynamic, position.constant + lane * shape.stride};
    memref::StoreOp::create(builder, element, flat, at.materialize(builder));
  }
}

void plumb::storeInterleaved(ImplicitLocOpBuilder &builder, Value even, Value odd, Value flat, Position position,
                             int64_t width, const CpuTarget &target) {
  int64_t lanes = cast<VectorType>(even.getType()).getNumElements();
  for (int64_t half : {0, 1}) {
    int64_t left = std::min(2 * width - half * lanes, lanes);
    if (left <= 0)
      return;
    SmallVector<int64_t> order;
    for (int64_t lane = 0; lane < lanes; ++lane)
      order.push_back((half * lanes + lane) / 2 + (lane % 2 ? lanes : 0));
    Value interleaved = vector::ShuffleOp::create(builder, even, odd, order);
    Position at{position.dynamic, position.constant + half * lanes};
    storeLanes(builder, interleaved, flat, at, {lanes, left, 1}, target);
  }
}

SmallVector<Value> plumb::transposeSquare(ImplicitLocOpBuilder &builder, ValueRange rows) {
  // Each round swaps the off-diagonal blocks of squares, doubling their size.
  SmallVector<Value> values(rows);
  int64_t lanes = values.size();
  for (int64_t block = 1; block < lanes; block *= 2) {
    SmallVector<int64_t> first, second;
    for (int64_t lane = 0; lane < lanes; ++lane) {
      bool isUpper = lane & block;
      first.push_back(isUpper ? lanes + lane - block : lane);
      second.push_back(isUpper ? lanes + lane : lane + block);
    }
    for (int64_t row = 0; row < lanes; ++row) {
      if (row & block)
        continue;
      Value low = values[row], high = values[row + block];
      values[row] = vector::ShuffleOp::create(builder, low, high, first);
      values[row + block] = vector::ShuffleOp::create(builder, low, high, second);
    }
  }
  return values;
}
