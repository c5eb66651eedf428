// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mathematical functions that `math` has an operation for: each is one generic. Code generation expands them.

#include "dialects/net/ir/Lowering.h"
#include "dialects/net/ir/NetMathOps.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace plumb::net {

#define PLUMB_MATH(OP, FUNCTION)                                                                                       \
  LoweredValues OP::lowerToLinalg(OpBuilder &builder, ValueRange operands) {                                           \
    LoweringBuilder b(*this, builder);                                                                                 \
    return lowered(b.elementwise(operands, getType(),                                                                  \
                                 [](ScalarBuilder &s, ValueRange v) { return Value(math::FUNCTION::create(s, v)); })); \
  }

PLUMB_MATH(TanOp, TanOp)
PLUMB_MATH(AsinOp, AsinOp)
PLUMB_MATH(AcosOp, AcosOp)
PLUMB_MATH(AtanOp, AtanOp)
PLUMB_MATH(SinhOp, SinhOp)
PLUMB_MATH(CoshOp, CoshOp)
PLUMB_MATH(AsinhOp, AsinhOp)
PLUMB_MATH(AcoshOp, AcoshOp)
PLUMB_MATH(AtanhOp, AtanhOp)
PLUMB_MATH(Log1pOp, Log1pOp)
PLUMB_MATH(Expm1Op, ExpM1Op)
PLUMB_MATH(ErfcOp, ErfcOp)
PLUMB_MATH(Atan2Op, Atan2Op)

#undef PLUMB_MATH

} // namespace plumb::net
