// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/net/ir/AdjointBuilder.h"

#include "dialects/net/ir/Folding.h"
#include "dialects/net/ir/Inference.h"
#include "dialects/net/ir/NetBinaryOps.h"
#include "dialects/net/ir/NetConstantOps.h"
#include "dialects/net/ir/NetContractionOps.h"
#include "dialects/net/ir/NetElementwiseOps.h"
#include "dialects/net/ir/NetReduceOps.h"
#include "dialects/net/ir/NetShapeOps.h"

using namespace mlir;

namespace plumb::net {

Value AdjointBuilder::add(Value x, Value y) { return AddOp::create(*this, x, y); }
Value AdjointBuilder::sub(Value x, Value y) { return SubOp::create(*this, x, y); }
Value AdjointBuilder::mul(Value x, Value y) { return MulOp::create(*this, x, y); }
Value AdjointBuilder::div(Value x, Value y) { return DivOp::create(*this, x, y); }
Value AdjointBuilder::neg(Value x) { return NegOp::create(*this, x); }
Value AdjointBuilder::add(Value x, double number) { return add(x, scalar(x, number)); }
Value AdjointBuilder::sub(double number, Value x) { return sub(scalar(x, number), x); }
Value AdjointBuilder::mul(Value x, double number) { return mul(x, scalar(x, number)); }

Value AdjointBuilder::zeros(Type type) {
  return ConstantOp::create(*this, splatOf(llvm::cast<RankedTensorType>(type), 0));
}

Value AdjointBuilder::scalar(Value like, double number) {
  auto type = RankedTensorType::get({}, tensorType(like).getElementType());
  return ConstantOp::create(*this, splatOf(type, number));
}

Value AdjointBuilder::maskedBy(Value condition, Value x) { return SelectOp::create(*this, condition, x, scalar(x, 0)); }

Value AdjointBuilder::cast(Value x, Type elementType) {
  return tensorType(x).getElementType() == elementType ? x : CastOp::create(*this, x, elementType);
}

Value AdjointBuilder::reshape(Value x, ArrayRef<int64_t> shape) {
  return tensorType(x).getShape() == shape ? x : ReshapeOp::create(*this, x, shape);
}

Value AdjointBuilder::transpose(Value x, ArrayRef<int64_t> perm) { return TransposeOp::create(*this, x, perm); }

Value AdjointBuilder::broadcast(Value x, ArrayRef<int64_t> shape) {
  return tensorType(x).getShape() == shape ? x : BroadcastToOp::create(*this, x, shape);
}

Value AdjointBuilder::sum(Value x, ArrayRef<int64_t> axes, bool keepDims) {
  return axes.empty() ? x : ReduceSumOp::create(*this, x, axes, keepDims);
}

Value AdjointBuilder::matmul(Value a, Value b, bool transposeA, bool transposeB) {
  return MatmulOp::create(*this, a, b, transposeA, transposeB);
}

Value AdjointBuilder::sumTo(Value x, Type type) {
  auto target = llvm::cast<RankedTensorType>(type);
  ArrayRef<int64_t> shape = tensorType(x).getShape();
  int64_t missing = static_cast<int64_t>(shape.size()) - target.getRank();
  Shape axes;
  for (int64_t axis = 0; axis < static_cast<int64_t>(shape.size()); ++axis)
    if (axis < missing || (target.getDimSize(axis - missing) == 1 && shape[axis] != 1))
      axes.push_back(axis);
  return reshape(sum(x, axes, /*keepDims=*/false), target.getShape());
}

} // namespace plumb::net
