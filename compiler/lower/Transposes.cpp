// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/lower/Transposes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using linalg::GenericOp;

std::optional<SmallVector<int64_t>> plumb::matchTranspose(GenericOp op) {
  if (!op || op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 || op.getNumReductionLoops() != 0 ||
      !op.hasPureTensorSemantics() || op.hasDynamicShape() ||
      op.getBody()->getTerminator()->getOperand(0) != op.getBody()->getArgument(0))
    return std::nullopt;
  AffineMap read = op.getMatchingIndexingMap(op.getDpsInputOperand(0));
  AffineMap written = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (!read.isPermutation() || !written.isPermutation())
    return std::nullopt;
  SmallVector<int64_t> order;
  for (AffineExpr loop : written.getResults())
    order.push_back(llvm::find(read.getResults(), loop) - read.getResults().begin());
  return order;
}

GenericOp plumb::createTranspose(OpBuilder &builder, Location loc, Value value, ArrayRef<int64_t> order) {
  auto type = cast<RankedTensorType>(value.getType());
  Value empty = tensor::EmptyOp::create(builder, loc, applyPermutation(type.getShape(), order), type.getElementType());
  AffineMap read = AffineMap::getPermutationMap(invertPermutationVector(order), builder.getContext());
  SmallVector<utils::IteratorType> kinds(order.size(), utils::IteratorType::parallel);
  return GenericOp::create(builder, loc, empty.getType(), value, empty,
                           {read, builder.getMultiDimIdentityMap(order.size())}, kinds,
                           [](OpBuilder &inner, Location location, ValueRange arguments) {
                             linalg::YieldOp::create(inner, location, arguments[0]);
                           });
}
