// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Restricts buffers to one chunk. The type of a chunk's operand is that of the buffer with fewer elements; an operation
// on it needs no offset, as the caller of the chunk adds it to the address.

#include "compiler/codegen/cpu/parallel/ChunkOperands.h"

#include "compiler/codegen/common/Aliasing.h"

#include "dialects/device/ir/Device.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"

using namespace mlir;
using namespace plumb;

int64_t plumb::getElementBytes(MemRefType type) {
  return device::getByteSize(MemRefType::get({}, type.getElementType()));
}

BlockArgument plumb::getKernelArgument(Value value) {
  if (auto halo = value.getDefiningOp<device::HaloOp>())
    value = halo.getSource();
  return dyn_cast<BlockArgument>(getReshaped(value));
}

/// Whether the halo `value` has padding along dimension `dim`.
static bool isPadded(Value value, unsigned dim) {
  auto halo = value.getDefiningOp<device::HaloOp>();
  return halo && (halo.getLow()[dim] != 0 || halo.getHigh()[dim] != 0);
}

/// The halo's type has the strides of its source, and the source's size along dimensions without padding.
Type plumb::getSourceType(Value value, Type part) {
  auto halo = value.getDefiningOp<device::HaloOp>();
  if (!halo)
    return part;
  auto source = cast<MemRefType>(halo.getSource().getType());
  auto padded = cast<MemRefType>(value.getType()), cut = cast<MemRefType>(part);
  if (padded == cut)
    return source;
  SmallVector<int64_t> shape(source.getShape());
  for (unsigned dim = 0; dim < shape.size(); ++dim)
    shape[dim] -= padded.getDimSize(dim) - cut.getDimSize(dim);
  return MemRefType::get(shape, source.getElementType(), cut.getLayout(), source.getMemorySpace());
}

/// By result of `map`: the distance for one step of `loop`.
static FailureOr<SmallVector<int64_t>> getCoefficients(AffineMap map, unsigned loop) {
  SmallVector<int64_t> coefficients;
  for (AffineExpr expr : map.getResults()) {
    SmallVector<int64_t> flat;
    if (failed(getFlattenedAffineExpr(expr, map.getNumDims(), 0, &flat)) || flat.size() != map.getNumDims() + 1 ||
        flat[loop] < 0)
      return failure();
    coefficients.push_back(flat[loop]);
  }
  return coefficients;
}

FailureOr<ChunkOperand> plumb::getPart(linalg::LinalgOp op, OpOperand &operand, unsigned loop, int64_t chunks) {
  ChunkOperand part;
  part.type = operand.get().getType();
  auto type = dyn_cast<MemRefType>(part.type);
  if (!type)
    return part;
  AffineMap map = op.getMatchingIndexingMap(&operand);
  auto coefficients = getCoefficients(map, loop);
  SmallVector<int64_t> strides, shape(type.getShape());
  int64_t offset;
  if (failed(coefficients) || failed(type.getStridesAndOffset(strides, offset)))
    return failure();
  int64_t size = op.getStaticLoopRanges()[loop], length = size / chunks;
  int64_t bytes = getElementBytes(type);
  unsigned moving = 0;
  for (auto [dim, coefficient] : llvm::enumerate(*coefficients)) {
    if (coefficient == 0)
      continue;
    if (isPadded(operand.get(), dim))
      return failure();
    // Elements before a chunk's first one and after its last one belong to other chunks.
    shape[dim] -= coefficient * (size - length);
    part.step += coefficient * length * strides[dim] * bytes;
    part.isOwn = ++moving == 1 && isa<AffineDimExpr>(map.getResult(dim));
  }
  if (moving == 0)
    return part;
  auto layout = StridedLayoutAttr::get(op.getContext(), offset, strides);
  part.type = MemRefType::get(shape, type.getElementType(), layout, type.getMemorySpace());
  return part;
}
