// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/net/ir/Lowering.h"

#include "dialects/net/ir/Folding.h"
#include "dialects/net/ir/Inference.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace plumb::net {

Type withoutSign(Type type) {
  if (auto integer = llvm::dyn_cast<IntegerType>(type); integer && integer.isUnsigned())
    return IntegerType::get(type.getContext(), integer.getWidth());
  if (auto tensor = llvm::dyn_cast<RankedTensorType>(type))
    return tensor.clone(withoutSign(tensor.getElementType()));
  return type;
}

static TypedAttr withoutSign(TypedAttr number) {
  if (!number.getType().isUnsignedInteger())
    return number;
  return IntegerAttr::get(withoutSign(number.getType()), llvm::cast<IntegerAttr>(number).getValue());
}

LoweringBuilder::LoweringBuilder(Operation *op, OpBuilder &builder)
    : ImplicitLocOpBuilder(op->getLoc(), builder),
      isUnsigned(getElementTypeOrSelf(op->getOperand(0)).isUnsignedInteger()) {}

TypedAttr lowest(Type elementType) {
  if (auto type = llvm::dyn_cast<FloatType>(elementType))
    return FloatAttr::get(type, APFloat::getInf(type.getFloatSemantics(), /*Negative=*/true));
  if (elementType.isInteger(1))
    return BoolAttr::get(elementType.getContext(), false);
  unsigned width = elementType.getIntOrFloatBitWidth();
  return IntegerAttr::get(elementType, elementType.isUnsignedInteger() ? APInt::getMinValue(width)
                                                                       : APInt::getSignedMinValue(width));
}

TypedAttr highest(Type elementType) {
  if (auto type = llvm::dyn_cast<FloatType>(elementType))
    return FloatAttr::get(type, APFloat::getInf(type.getFloatSemantics()));
  if (elementType.isInteger(1))
    return BoolAttr::get(elementType.getContext(), true);
  unsigned width = elementType.getIntOrFloatBitWidth();
  return IntegerAttr::get(elementType, elementType.isUnsignedInteger() ? APInt::getMaxValue(width)
                                                                       : APInt::getSignedMaxValue(width));
}

Value LoweringBuilder::empty(Type type) {
  return tensor::EmptyOp::create(*this, type.getShape(), withoutSign(type.getElementType()));
}

Value LoweringBuilder::filled(Type type, TypedAttr number) {
  Value scalar = arith::ConstantOp::create(*this, withoutSign(number));
  return linalg::FillOp::create(*this, scalar, empty(type)).getResult(0);
}

Value LoweringBuilder::filled(Type type, double number) {
  return filled(type, scalarOf(type.getElementType(), number));
}

SmallVector<Value> LoweringBuilder::generic(ValueRange inputs, ValueRange initials, ArrayRef<AffineMap> maps,
                                            Bodies body) {
  unsigned dims = maps.front().getNumDims();
  SmallVector<utils::IteratorType> iterators(dims, utils::IteratorType::reduction);
  // Loops that reach an element of the result together are sums there: they reduce.
  for (AffineExpr expr : maps.back().getResults())
    if (auto alone = dyn_cast<AffineDimExpr>(expr))
      iterators[alone.getPosition()] = utils::IteratorType::parallel;
  auto build = [&](OpBuilder &b, Location loc, ValueRange arguments) {
    ScalarBuilder scalars(loc, b);
    scalars.isUnsigned = isUnsigned;
    linalg::YieldOp::create(scalars, body(scalars, arguments));
  };
  return linalg::GenericOp::create(*this, TypeRange(initials), inputs, initials, maps, iterators, build).getResults();
}

/// The map by which an operand of that shape is read while broadcasting to `type`.
static AffineMap broadcastMap(LoweringBuilder &b, ArrayRef<int64_t> shape, RankedTensorType type) {
  unsigned offset = type.getRank() - shape.size();
  SmallVector<AffineExpr> results;
  for (auto [axis, extent] : llvm::enumerate(shape)) {
    bool repeats = extent == 1 && type.getDimSize(offset + axis) != 1;
    results.push_back(repeats ? getAffineConstantExpr(0, b.getContext()) : b.dim(offset + axis));
  }
  return b.map(type.getRank(), results);
}

Value LoweringBuilder::elementwise(ValueRange inputs, Type type, Body body) {
  SmallVector<Value> scalars, tensors;
  SmallVector<AffineMap> maps;
  for (Value input : inputs) {
    SplatElementsAttr splat;
    bool constant = matchPattern(input, m_Constant(&splat));
    scalars.push_back(
        constant ? arith::ConstantOp::create(*this, llvm::cast<TypedAttr>(splat.getSplatValue<Attribute>())) : Value());
    if (constant)
      continue;
    tensors.push_back(input);
    maps.push_back(broadcastMap(*this, tensorType(input).getShape(), type));
  }
  maps.push_back(getMultiDimIdentityMap(type.getRank()));
  auto withScalars = [&](ScalarBuilder &b, ValueRange arguments) {
    SmallVector<Value> all(scalars);
    for (Value &value : all)
      if (!value) {
        value = arguments.front();
        arguments = arguments.drop_front();
      }
    return SmallVector<Value>{body(b, all)};
  };
  return generic(tensors, empty(type), maps, withScalars).front();
}

Value LoweringBuilder::reduce(Value x, ArrayRef<int64_t> axes, TypedAttr initial, Body body) {
  Type type = tensorType(x);
  Shape shape;
  SmallVector<AffineExpr> kept;
  for (int64_t axis = 0; axis < type.getRank(); ++axis) {
    if (llvm::is_contained(axes, axis))
      continue;
    shape.push_back(type.getDimSize(axis));
    kept.push_back(dim(axis));
  }
  Value start = filled(type.clone(shape), initial);
  unsigned rank = type.getRank();
  return generic(x, start, {getMultiDimIdentityMap(rank), map(rank, kept)},
                 [&](ScalarBuilder &b, ValueRange v) { return SmallVector<Value>{body(b, v)}; })
      .front();
}

Value LoweringBuilder::sum(Value x, ArrayRef<int64_t> axes) {
  return reduce(x, axes, scalarOf(tensorType(x).getElementType(), 0),
                [](ScalarBuilder &b, ValueRange v) { return b.add(v[1], v[0]); });
}

Value LoweringBuilder::maximum(Value x, ArrayRef<int64_t> axes) {
  return reduce(x, axes, lowest(tensorType(x).getElementType()),
                [](ScalarBuilder &b, ValueRange v) { return b.maximum(v[0], v[1]); });
}

Value LoweringBuilder::contract(Value left, Value right, Type type, ArrayRef<AffineMap> maps) {
  return generic({left, right}, filled(type, 0.0), maps,
                 [](ScalarBuilder &b, ValueRange v) { return SmallVector<Value>{b.add(v[2], b.mul(v[0], v[1]))}; })
      .front();
}

static SmallVector<OpFoldResult> attributes(OpBuilder &b, ArrayRef<int64_t> numbers) {
  return getAsIndexOpFoldResult(b.getContext(), numbers);
}

Value LoweringBuilder::pad(Value x, ArrayRef<int64_t> low, ArrayRef<int64_t> high) {
  auto isZero = [](int64_t number) { return number == 0; };
  if (llvm::all_of(low, isZero) && llvm::all_of(high, isZero))
    return x;
  Type type = tensorType(x);
  Shape shape;
  for (auto [before, extent, behind] : llvm::zip_equal(low, type.getShape(), high))
    shape.push_back(before + extent + behind);
  Value zero = arith::ConstantOp::create(*this, scalarOf(type.getElementType(), 0));
  return tensor::PadOp::create(*this, type.clone(shape), x, attributes(*this, low), attributes(*this, high), zero);
}

/// Strides that step over something: one element needs none, and views with the same elements are equal then.
static Shape effectiveStrides(ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides) {
  Shape effective;
  for (auto [size, stride] : llvm::zip_equal(sizes, strides))
    effective.push_back(size == 1 ? 1 : stride);
  return effective;
}

Value LoweringBuilder::insert(Value x, Value into, ArrayRef<int64_t> offsets, ArrayRef<int64_t> strides) {
  ArrayRef<int64_t> sizes = tensorType(x).getShape();
  if (tensorType(x).getNumElements() == 0) // an empty slice may begin at the end, where the operation has no position
    return into;
  return tensor::InsertSliceOp::create(*this, x, into, attributes(*this, offsets), attributes(*this, sizes),
                                       attributes(*this, effectiveStrides(sizes, strides)));
}

Value LoweringBuilder::extract(Value x, ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides) {
  if (llvm::is_contained(sizes, 0)) // as in `insert`
    return empty(tensorType(x).clone(sizes));
  return tensor::ExtractSliceOp::create(*this, x, attributes(*this, offsets), attributes(*this, sizes),
                                        attributes(*this, effectiveStrides(sizes, strides)));
}

Value LoweringBuilder::surround(Value x, Type type, ArrayRef<int64_t> offsets, ArrayRef<int64_t> strides,
                                TypedAttr number) {
  if (tensorType(x) == withoutSign(type))
    return x;
  return insert(x, filled(type, number), offsets, strides);
}

Value LoweringBuilder::reshape(Value x, ArrayRef<int64_t> shape) {
  Type from = tensorType(x), to = from.clone(shape);
  if (from == to)
    return x;
  if (to.getNumElements() == 0) // extents of 0 have no grouping, and there is nothing to take over
    return empty(to);
  if (auto groups = getReassociationIndicesForReshape(from, to)) {
    if (from.getRank() > to.getRank())
      return tensor::CollapseShapeOp::create(*this, to, x, *groups);
    return tensor::ExpandShapeOp::create(*this, to, x, *groups);
  }
  // No grouping of axes leads across: by way of one axis, or of none.
  Value flat = reshape(x, {from.getNumElements()});
  return reshape(flat, shape);
}

} // namespace plumb::net
