// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A short hand for adjoint rules: one word per op, types inferred, scalars as numbers.

#ifndef PLUMB_DIALECTS_NET_IR_ADJOINTBUILDER_H
#define PLUMB_DIALECTS_NET_IR_ADJOINTBUILDER_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace plumb::net {

/// Builds ops of the net dialect at the caller's insertion point.
class AdjointBuilder : public mlir::ImplicitLocOpBuilder {
public:
  using mlir::ImplicitLocOpBuilder::ImplicitLocOpBuilder;
  using Value = mlir::Value;

  Value add(Value x, Value y);
  Value sub(Value x, Value y);
  Value mul(Value x, Value y);
  Value div(Value x, Value y);
  Value neg(Value x);

  /// Arithmetic with a number, rounded to the element type of `x`.
  Value add(Value x, double number);
  Value sub(double number, Value x);
  Value mul(Value x, double number);
  /// A tensor of `type` full of zeros.
  Value zeros(mlir::Type type);
  /// A scalar of the element type of `like`.
  Value scalar(Value like, double number);

  /// `x` where the condition holds, zero elsewhere.
  Value maskedBy(Value condition, Value x);
  Value cast(Value x, mlir::Type elementType);
  Value reshape(Value x, llvm::ArrayRef<int64_t> shape);
  Value transpose(Value x, llvm::ArrayRef<int64_t> perm);
  Value broadcast(Value x, llvm::ArrayRef<int64_t> shape);
  Value sum(Value x, llvm::ArrayRef<int64_t> axes, bool keepDims);
  Value matmul(Value a, Value b, bool transposeA, bool transposeB);

  /// Adds up what broadcasting had repeated, so that the result has `type`.
  Value sumTo(Value x, mlir::Type type);
};

/// Runs `rule(builder, dy)` for an op of one operand and one result. Without a result adjoint
/// there is nothing to do.
template <typename Op, typename Rule>
llvm::LogicalResult adjointOf(mlir::OpBuilder &b, Op op, mlir::ValueRange dys,
                              llvm::SmallVectorImpl<mlir::Value> &adjoints, Rule rule) {
  adjoints.assign(op->getNumOperands(), mlir::Value());
  if (!dys.front())
    return llvm::success();
  AdjointBuilder builder(op->getLoc(), b);
  adjoints.front() = rule(builder, dys.front());
  return llvm::success();
}

/// As above for an op of several operands: `rule(builder, dy, adjoints)` fills in what is due.
template <typename Op, typename Rule>
llvm::LogicalResult adjointsOf(mlir::OpBuilder &b, Op op, mlir::ValueRange dys,
                               llvm::SmallVectorImpl<mlir::Value> &adjoints, Rule rule) {
  adjoints.assign(op->getNumOperands(), mlir::Value());
  if (!dys.front())
    return llvm::success();
  AdjointBuilder builder(op->getLoc(), b);
  rule(builder, dys.front(), adjoints);
  return llvm::success();
}

} // namespace plumb::net

#endif // PLUMB_DIALECTS_NET_IR_ADJOINTBUILDER_H
