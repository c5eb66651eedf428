// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constant folding of small tensors and splats.

#ifndef PLUMB_DIALECTS_NET_IR_FOLDING_H
#define PLUMB_DIALECTS_NET_IR_FOLDING_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace plumb::net {

using FloatFold = llvm::function_ref<llvm::APFloat(const llvm::APFloat &, const llvm::APFloat &)>;
using IntFold = llvm::function_ref<std::optional<llvm::APInt>(const llvm::APInt &, const llvm::APInt &, bool isSigned)>;

/// Returns a splat of `value`, rounded to the element type.
mlir::DenseElementsAttr splatOf(mlir::ShapedType type, double value);

/// Returns the element attribute for `value`, rounded to the element type.
mlir::TypedAttr scalarOf(mlir::Type elementType, double value);

/// Says whether the attribute is a splat of exactly `value`.
bool isSplatOf(mlir::Attribute attribute, double value);

/// Folds an elementwise op of two constants of `type`'s element type: splats, or small tensors
/// of the result's shape. Returns null if it cannot.
mlir::Attribute foldBinary(mlir::Attribute x, mlir::Attribute y, mlir::Type type, FloatFold floatFold, IntFold intFold);

/// Gives a constant another shape: splats always, others if no element moves.
mlir::Attribute foldReshape(mlir::Attribute x, mlir::Type type);

/// Repeats a splat into another shape.
mlir::Attribute foldSplat(mlir::Attribute x, mlir::Type type);

} // namespace plumb::net

#endif // PLUMB_DIALECTS_NET_IR_FOLDING_H
