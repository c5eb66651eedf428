// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops that go along one axis: results are shaped as operands, positions are of i32.

#include "dialects/net/ir/NetAxisOps.h"

#include "dialects/net/ir/Inference.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "dialects/net/ir/NetAxisOps.cpp.inc"

namespace plumb::net {

void NetDialect::registerAxisOps() {
  addTheme<
#define GET_OP_LIST
#include "dialects/net/ir/NetAxisOps.cpp.inc"
      >();
}

/// The type of `x`, and that of positions beside it if wanted.
static LogicalResult inferAlong(OptionalLocation loc, Value x, int64_t axis, bool positions,
                                SmallVectorImpl<Type> &types) {
  RankedTensorType type = tensorType(x);
  FailureOr<int64_t> normal = inferAxis(loc, axis, type);
  if (failed(normal))
    return failure();
  types.push_back(type);
  if (!positions)
    return success();
  auto second = inferPositions(loc, type.getDimSize(*normal), type);
  if (succeeded(second))
    types.push_back(*second);
  return second;
}

#define PLUMB_ALONG(OP, POSITIONS)                                                                                     \
  LogicalResult OP::inferReturnTypes(MLIRContext *, OptionalLocation loc, Adaptor adaptor,                             \
                                     SmallVectorImpl<Type> &types) {                                                   \
    return inferAlong(loc, adaptor.getX(), adaptor.getAxis(), POSITIONS, types);                                       \
  }

PLUMB_ALONG(CumsumOp, false)
PLUMB_ALONG(CumprodOp, false)
PLUMB_ALONG(CummaxOp, true)
PLUMB_ALONG(CumminOp, true)
PLUMB_ALONG(SortOp, true)

#undef PLUMB_ALONG

LogicalResult LinearRecurrenceOp::inferReturnTypes(MLIRContext *, OptionalLocation loc, Adaptor adaptor,
                                                   SmallVectorImpl<Type> &types) {
  // linear_recurrence_c2
  if (failed(verifyElementTypes(loc, adaptor.getA(), adaptor.getB())))
    return failure();
  if (adaptor.getA().getType() != adaptor.getB().getType())
    return emitOptionalError(loc, "a and b differ in type: ", adaptor.getA().getType(), " and ",
                             adaptor.getB().getType());
  return inferAlong(loc, adaptor.getA(), adaptor.getAxis(), /*positions=*/false, types);
}

} // namespace plumb::net
