// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Op classes: mathematical functions; complex numbers, and what ops are on their parts.

#ifndef PLUMB_DIALECTS_NET_IR_NETMATHOPS_H
#define PLUMB_DIALECTS_NET_IR_NETMATHOPS_H

#include "dialects/net/ir/NetBase.h"

#define GET_OP_CLASSES
#include "dialects/net/ir/NetMathOps.h.inc"

namespace plumb::net {

/// Whether `type` is a complex number of two f32 or two f64.
bool isComplexType(mlir::Type type);

/// Whether `type` is a tensor of complex numbers.
bool isComplexTensor(mlir::Type type);

/// Whether tensors of this dialect have elements of `type`: those of all dialects, and complex numbers.
bool isNumberType(mlir::Type type);

/// Whether an op of this dialect can be written on the parts of complex numbers.
bool hasComplexRule(mlir::Operation *op);

/// Builds the results of `op`, which has such a rule, in ops on real tensors: `operands` are for each operand the
/// values that stand for it, the real and the imaginary part of a complex one. The answer holds two values per complex
/// result, one per other.
llvm::FailureOr<llvm::SmallVector<mlir::Value>> expandComplex(mlir::Operation *op, mlir::OpBuilder &builder,
                                                              llvm::ArrayRef<mlir::ValueRange> operands);

/// As expandComplex, for elementwise ops alone.
llvm::FailureOr<llvm::SmallVector<mlir::Value>> expandComplexElements(mlir::Operation *op, mlir::OpBuilder &builder,
                                                                      llvm::ArrayRef<mlir::ValueRange> operands);

} // namespace plumb::net

#endif // PLUMB_DIALECTS_NET_IR_NETMATHOPS_H
