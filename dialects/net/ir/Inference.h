// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shape rules that several themes share. Each says what is wrong in words of shapes, at the
// optional location; without a location it fails silently.

#ifndef PLUMB_DIALECTS_NET_IR_INFERENCE_H
#define PLUMB_DIALECTS_NET_IR_INFERENCE_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/ValueRange.h"

namespace plumb::net {

using Shape = llvm::SmallVector<int64_t>;
using OptionalLocation = std::optional<mlir::Location>;

/// Returns the ranked tensor type of a value.
mlir::RankedTensorType tensorType(mlir::Value value);

/// Sums and products of extents. Where 64 bits do not hold one it is the largest number, which is no tensor's extent.
int64_t addExtents(int64_t a, int64_t b);
int64_t multiplyExtents(int64_t a, int64_t b);

/// Refuses operands of two element types, naming the class of the error: others are about shapes, thus ValueErrors.
llvm::LogicalResult verifyElementTypes(OptionalLocation loc, mlir::Value x, mlir::Value y);

/// Returns the shape that all operands broadcast to, aligned from the right.
llvm::FailureOr<Shape> inferBroadcast(OptionalLocation loc, mlir::ValueRange operands);

/// Returns `axis` counted from the front; `axis` may be negative.
llvm::FailureOr<int64_t> inferAxis(OptionalLocation loc, int64_t axis, mlir::RankedTensorType type);

/// Returns the axes to reduce, ascending and from the front: all of them if `axes` is empty.
llvm::FailureOr<Shape> inferAxes(OptionalLocation loc, llvm::ArrayRef<int64_t> axes, mlir::RankedTensorType type);

/// Returns the type of positions along an axis of `extent`, shaped as `type`: i32.
llvm::FailureOr<mlir::RankedTensorType> inferPositions(OptionalLocation loc, int64_t extent,
                                                       mlir::RankedTensorType type);

/// As above for axes that inference has already accepted.
int64_t normalizeAxis(int64_t axis, int64_t rank);
Shape normalizeAxes(llvm::ArrayRef<int64_t> axes, int64_t rank);

/// Repeats a single number `count` times; returns longer lists as they are.
Shape spread(llvm::ArrayRef<int64_t> numbers, size_t count);

/// The attributes of a two-dimensional window, spread to full length.
struct Window {
  /// Extents of kernel, step and kernel spacing: rows, columns.
  Shape kernel, stride, dilation;
  /// Pads: top, bottom, left, right.
  Shape pad;

  /// Spreads the numbers of a convolution or pooling.
  static Window get(llvm::ArrayRef<int64_t> kernel, llvm::ArrayRef<int64_t> stride, llvm::ArrayRef<int64_t> pad,
                    llvm::ArrayRef<int64_t> dilation);

  /// Refuses numbers that make no window; `what` names the op to the user.
  llvm::LogicalResult verify(OptionalLocation loc, llvm::StringRef what) const;

  /// Extent that the dilated kernel covers along `dim` (0: rows, 1: columns).
  int64_t reach(unsigned dim) const { return addExtents(multiplyExtents(kernel[dim] - 1, dilation[dim]), 1); }

  /// Extent along `dim` of an image of `extent`, with its pads.
  int64_t padded(unsigned dim, int64_t extent) const {
    return addExtents(extent, addExtents(pad[2 * dim], pad[2 * dim + 1]));
  }

  /// How many windows fit along `dim` of an image of that extent.
  int64_t count(unsigned dim, int64_t extent) const { return (padded(dim, extent) - reach(dim)) / stride[dim] + 1; }

  /// Infers the [rows, columns] of windows over an NCHW image.
  llvm::FailureOr<Shape> infer(OptionalLocation loc, llvm::StringRef what, mlir::RankedTensorType image) const;
};

} // namespace plumb::net

#endif // PLUMB_DIALECTS_NET_IR_INFERENCE_H
