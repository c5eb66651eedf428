// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Weak types: a number that a branch or loop on a tensor decides is a tensor in IR, but still a number to the program.
//
//   scale = 1.0                       %scale = scf.if … -> tensor<f32> { … } {net.weak = array<i64: 0>}
//   if loss.sum() > 9:           =>   %0 = net.cast %scale to f16
//     scale = 0.5                     %1 = net.mul %half, %0 : tensor<4xf16>
//   return half * scale
//
// Beside a tensor it takes the tensor's element type, as 0.5 itself would. The attribute on the op that makes such
// values lists them; it goes when all programs are specialised.

#ifndef PLUMB_COMPILER_SPECIALIZE_TENSORS_WEAKTYPES_H
#define PLUMB_COMPILER_SPECIALIZE_TENSORS_WEAKTYPES_H

#include "mlir/IR/Operation.h"

namespace plumb::specialize {

/// Whether a result of an op, or an argument of a loop or function, is a number to the program.
bool isWeak(mlir::Value value);

/// Says that it is, where its element type is one of numbers: i64 or f32. A loop's results and arguments share their
/// places.
void markWeak(mlir::Value value);

/// Says of each of `to` that it is a number where its counterpart is one.
void passWeakMarks(mlir::ValueRange from, mlir::ValueRange to);

/// Removes the attribute from all ops inside of `root`.
void removeWeakMarks(mlir::Operation *root);

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_TENSORS_WEAKTYPES_H
