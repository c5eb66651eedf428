// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Complex constants, products and moved elements, by ops on their parts; and which ops can be written so at all.
// Products along an axis take halves, or elements ever farther apart, so that they are as deep as the logarithm of its
// extent.

#include "dialects/net/ir/AdjointBuilder.h"
#include "dialects/net/ir/Folding.h"
#include "dialects/net/ir/Inference.h"
#include "dialects/net/ir/NetAxisOps.h"
#include "dialects/net/ir/NetBinaryOps.h"
#include "dialects/net/ir/NetConstantOps.h"
#include "dialects/net/ir/NetContractionOps.h"
#include "dialects/net/ir/NetElementwiseOps.h"
#include "dialects/net/ir/NetGradOps.h"
#include "dialects/net/ir/NetIndexOps.h"
#include "dialects/net/ir/NetMathOps.h"
#include "dialects/net/ir/NetReduceOps.h"
#include "dialects/net/ir/NetShapeOps.h"
#include "dialects/net/ir/NetStateOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/TypeSwitch.h"

#include <complex>

using namespace mlir;

namespace plumb::net {

using Operands = ArrayRef<ValueRange>;
using Expansion = FailureOr<SmallVector<Value>>;

bool isComplexType(Type type) {
  auto complex = llvm::dyn_cast<ComplexType>(type);
  return complex && (complex.getElementType().isF32() || complex.getElementType().isF64());
}

bool isComplexTensor(Type type) {
  auto tensor = llvm::dyn_cast<RankedTensorType>(type);
  return tensor && isComplexType(tensor.getElementType());
}

bool isNumberType(Type type) { return isElementType(type) || isComplexType(type); }

namespace {

/// A complex tensor as two real ones.
struct Parts {
  Value re, im;

  static Parts of(ValueRange values) { return {values[0], values[1]}; }
  SmallVector<Value> values() const { return {re, im}; }
};

} // namespace

/// Whether `value` is a constant full of zeros, as the imaginary parts of real numbers are.
static bool isConstantZero(Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  return constant && isSplatOf(constant.getValue(), 0);
}

/// Constants of a type, with one real number everywhere.
static SmallVector<Value> buildSplats(AdjointBuilder &b, RankedTensorType type, double number) {
  return {ConstantOp::create(b, splatOf(type, number)), b.zeros(type)};
}

/// The type of the parts of a complex tensor; any other as it is.
static RankedTensorType getPartType(RankedTensorType type) {
  auto complex = llvm::dyn_cast<ComplexType>(type.getElementType());
  return complex ? type.clone(complex.getElementType()) : type;
}

static Expansion expandPartwise(Operation *op, OpBuilder &builder, Operands operands) {
  Operation *parts[2];
  for (unsigned part : {0, 1}) {
    OperationState state(op->getLoc(), op->getName());
    for (ValueRange values : operands)
      state.operands.push_back(values.size() == 2 ? values[part] : values.front());
    for (Type type : op->getResultTypes())
      state.types.push_back(getPartType(llvm::cast<RankedTensorType>(type)));
    state.addAttributes(op->getAttrs());
    parts[part] = builder.create(state);
  }
  SmallVector<Value> results;
  for (unsigned result = 0; result < op->getNumResults(); ++result) {
    results.push_back(parts[0]->getResult(result));
    if (isComplexType(getElementTypeOrSelf(op->getResult(result))))
      results.push_back(parts[1]->getResult(result));
  }
  return results;
}

//===--------------------------------------------------------------------------------------===//
// Constants
//===--------------------------------------------------------------------------------------===//

/// The numbers at every second place of `bytes`, from `first` on.
template <typename T> static DenseElementsAttr takePart(RankedTensorType type, ArrayRef<char> bytes, unsigned first) {
  const auto *numbers = reinterpret_cast<const T *>(bytes.data());
  size_t count = bytes.size() / sizeof(std::complex<T>);
  SmallVector<T> part;
  part.reserve(count);
  for (size_t i = 0; i < count; ++i)
    part.push_back(numbers[2 * i + first]);
  return DenseElementsAttr::get(type, ArrayRef<T>(part));
}

/// The bytes of a constant, one pair per element, or one pair alone where all are equal.
static ArrayRef<char> getBytes(ElementsAttr value) {
  if (auto dense = llvm::dyn_cast<DenseElementsAttr>(value))
    return dense.getRawData();
  auto resource = llvm::dyn_cast<DenseResourceElementsAttr>(value);
  AsmResourceBlob *blob = resource ? resource.getRawHandle().getBlob() : nullptr;
  return blob ? blob->getData() : ArrayRef<char>();
}

static Expansion expandRule(ConstantOp op, OpBuilder &builder, Operands operands) {
  auto type = getPartType(tensorType(op.getResult()));
  ArrayRef<char> bytes = getBytes(op.getValue());
  size_t size = 2 * type.getElementTypeBitWidth() / 8;
  if (bytes.size() != size * type.getNumElements() && bytes.size() != size)
    return op.emitOpError("has elements that cannot be read");
  SmallVector<Value> parts;
  for (unsigned first : {0, 1}) {
    auto part =
        type.getElementType().isF32() ? takePart<float>(type, bytes, first) : takePart<double>(type, bytes, first);
    parts.push_back(ConstantOp::create(builder, op.getLoc(), part));
  }
  return parts;
}

static Expansion expandRule(FillOp op, OpBuilder &builder, Operands operands) {
  AdjointBuilder b(op.getLoc(), builder);
  return buildSplats(b, getPartType(tensorType(op.getResult())), op.getValue().convertToDouble());
}

static Expansion expandRule(OnesLikeOp op, OpBuilder &builder, Operands operands) {
  AdjointBuilder b(op.getLoc(), builder);
  return buildSplats(b, tensorType(operands[0][0]), 1);
}

static Expansion expandRule(EyeOp op, OpBuilder &builder, Operands operands) {
  AdjointBuilder b(op.getLoc(), builder);
  auto type = getPartType(tensorType(op.getResult()));
  Value re = EyeOp::create(b, op.getN(), op.getM(), type.getElementType());
  return Parts{re, b.zeros(type)}.values();
}

//===--------------------------------------------------------------------------------------===//
// Moved elements
//===--------------------------------------------------------------------------------------===//

/// What is filled in is a real number.
static Expansion expandRule(PadOp op, OpBuilder &builder, Operands operands) {
  auto pad = [&](Value x, double value) -> Value {
    return PadOp::create(builder, op.getLoc(), x, op.getLow(), op.getHigh(), llvm::APFloat(value));
  };
  return SmallVector<Value>{pad(operands[0][0], op.getValue().convertToDouble()), pad(operands[0][1], 0)};
}

static Expansion expandRule(ScatterOp op, OpBuilder &builder, Operands operands) {
  if (op.getMode() != "update" && op.getMode() != "add" && op.getMode() != "sub")
    return op.emitOpError("has the mode \"") << op.getMode() << "\", which is not offered for complex numbers";
  return expandPartwise(op, builder, operands);
}

/// The dependencies that are complex count with both parts.
static Expansion expandRule(DependOp op, OpBuilder &builder, Operands operands) {
  SmallVector<Value> dependencies, parts;
  for (ValueRange values : operands.drop_front())
    llvm::append_range(dependencies, values);
  for (Value value : operands.front())
    parts.push_back(DependOp::create(builder, op.getLoc(), value.getType(), value, dependencies));
  return parts;
}

//===--------------------------------------------------------------------------------------===//
// Products
//===--------------------------------------------------------------------------------------===//

static Expansion expandRule(MatmulOp op, OpBuilder &builder, Operands operands) {
  AdjointBuilder b(op.getLoc(), builder);
  Parts left = Parts::of(operands[0]), right = Parts::of(operands[1]);
  auto multiply = [&](Value x, Value y) { return b.matmul(x, y, op.getTransposeA(), op.getTransposeB()); };
  if (isConstantZero(right.im))
    return Parts{multiply(left.re, right.re), multiply(left.im, right.re)}.values();
  if (isConstantZero(left.im))
    return Parts{multiply(left.re, right.re), multiply(left.re, right.im)}.values();
  return Parts{b.sub(multiply(left.re, right.re), multiply(left.im, right.im)),
               b.add(multiply(left.re, right.im), multiply(left.im, right.re))}
      .values();
}

namespace {

/// Complex tensors along one axis.
class AxisBuilder : public AdjointBuilder {
public:
  AxisBuilder(Location loc, OpBuilder &builder, int64_t axis) : AdjointBuilder(loc, builder), axis(axis) {}
  using AdjointBuilder::mul;

  Parts mul(Parts a, Parts b) { return {sub(mul(a.re, b.re), mul(a.im, b.im)), add(mul(a.re, b.im), mul(a.im, b.re))}; }

  int64_t extent(Parts z) { return tensorType(z.re).getDimSize(axis); }

  Parts slice(Parts z, int64_t begin, int64_t end) { return {slice(z.re, begin, end), slice(z.im, begin, end)}; }

  Parts concat(Parts a, Parts b) { return {concat(a.re, b.re), concat(a.im, b.im)}; }

  /// `count` ones in the shape of `like` elsewhere.
  Parts ones(Parts like, int64_t count) {
    Shape shape(tensorType(like.re).getShape());
    shape[axis] = count;
    auto type = tensorType(like.re).clone(shape);
    return {ConstantOp::create(*this, splatOf(type, 1)), zeros(type)};
  }

  /// The elements `count` places on, where they come in at the front or, if `reverse`, at the back; ones come in.
  Parts shift(Parts z, int64_t count, bool reverse) {
    int64_t n = extent(z);
    return reverse ? concat(slice(z, count, n), ones(z, count)) : concat(ones(z, count), slice(z, 0, n - count));
  }

private:
  Value slice(Value x, int64_t begin, int64_t end) {
    Shape from(tensorType(x).getRank(), 0), to(tensorType(x).getShape()), strides(from.size(), 1);
    from[axis] = begin;
    to[axis] = end;
    return SliceOp::create(*this, x, from, to, strides);
  }

  Value concat(Value a, Value b) { return ConcatOp::create(*this, ValueRange{a, b}, axis); }

  int64_t axis;
};

} // namespace

/// The axes are moved last and made one, of which halves are multiplied.
static Expansion expandRule(ReduceProdOp op, OpBuilder &builder, Operands operands) {
  Parts z = Parts::of(operands[0]);
  RankedTensorType type = tensorType(z.re);
  Shape axes = *inferAxes(std::nullopt, op.getAxis(), type), perm;
  for (int64_t axis = 0; axis < type.getRank(); ++axis)
    if (!llvm::is_contained(axes, axis))
      perm.push_back(axis);
  Shape shape = llvm::map_to_vector(perm, [&](int64_t axis) { return type.getDimSize(axis); });
  int64_t kept = perm.size(), count = 1;
  for (int64_t axis : axes)
    count *= type.getDimSize(axis);
  perm.append(axes);
  shape.push_back(count);
  AxisBuilder b(op.getLoc(), builder, kept);
  auto arrange = [&](Value x) { return b.reshape(b.transpose(x, perm), shape); };
  z = {arrange(z.re), arrange(z.im)};
  if (count == 0)
    z = b.ones(z, 1);
  for (int64_t n = b.extent(z); n > 1; n = b.extent(z)) {
    Parts product = b.mul(b.slice(z, 0, n / 2), b.slice(z, n / 2, n / 2 * 2));
    z = n % 2 ? b.concat(product, b.slice(z, n - 1, n)) : product;
  }
  ArrayRef<int64_t> result = tensorType(op.getResult()).getShape();
  return Parts{b.reshape(z.re, result), b.reshape(z.im, result)}.values();
}

/// y[k] = z[k] z[k-1], then y[k] y[k-2], y[k] y[k-4], …: each step doubles how many elements a product holds.
static Expansion expandRule(CumprodOp op, OpBuilder &builder, Operands operands) {
  Parts z = Parts::of(operands[0]);
  AxisBuilder b(op.getLoc(), builder, normalizeAxis(op.getAxis(), tensorType(z.re).getRank()));
  int64_t n = b.extent(z);
  if (op.getExclusive() && n > 0)
    z = b.shift(z, 1, op.getReverse());
  for (int64_t apart = 1; apart < n; apart *= 2)
    z = b.mul(z, b.shift(z, apart, op.getReverse()));
  return z.values();
}

//===--------------------------------------------------------------------------------------===//
// Which ops
//===--------------------------------------------------------------------------------------===//

static Expansion expandRule(FftOp op, OpBuilder &builder, Operands operands) { return op.expand(builder, operands[0]); }

/// Those that are the same on both parts: they move elements, or are linear.
static bool isPartwise(Operation *op) {
  return llvm::isa<NegOp, SelectOp, AddOp, SubOp, StopGradientOp, ZerosLikeOp, ReshapeOp, FlattenOp, ExpandDimsOp,
                   SqueezeOp, TransposeOp, BroadcastToOp, TileOp, SliceOp, SliceGradOp, SliceUpdateOp, RowOp,
                   RowUpdateOp, ConcatOp, StackOp, SplitOp, ReduceSumOp, ReduceMeanOp, CumsumOp, GatherOp,
                   GatherGradOp>(op);
}

static bool isElementwise(Operation *op) {
  return llvm::isa<SquareOp, ReciprocalOp, SignOp, ExpOp, LogOp, SqrtOp, RsqrtOp, SigmoidOp, Log1pOp, Expm1Op, SinOp,
                   CosOp, TanOp, SinhOp, CoshOp, TanhOp, AsinOp, AcosOp, AtanOp, AsinhOp, AcoshOp, AtanhOp, MulOp,
                   DivOp, PowOp, EqualOp, NotEqualOp, IsNanOp, IsInfOp, IsFiniteOp, CastOp, ComplexOfOp, RealOp, ImagOp,
                   ConjOp, ComplexAbsOp, AngleOp>(op);
}

static bool isStructural(Operation *op) {
  return llvm::isa<ConstantOp, FillOp, OnesLikeOp, EyeOp, PadOp, ScatterOp, DependOp, MatmulOp, ReduceProdOp, CumprodOp,
                   FftOp>(op);
}

bool hasComplexRule(Operation *op) { return isPartwise(op) || isElementwise(op) || isStructural(op); }

Expansion expandComplex(Operation *op, OpBuilder &builder, Operands operands) {
  if (isPartwise(op))
    return expandPartwise(op, builder, operands);
  if (isElementwise(op))
    return expandComplexElements(op, builder, operands);
  return llvm::TypeSwitch<Operation *, Expansion>(op)
      .Case<ConstantOp, FillOp, OnesLikeOp, EyeOp, PadOp, ScatterOp, DependOp, MatmulOp, ReduceProdOp, CumprodOp,
            FftOp>([&](auto typed) { return expandRule(typed, builder, operands); })
      .Default([](Operation *) { return failure(); });
}

} // namespace plumb::net
