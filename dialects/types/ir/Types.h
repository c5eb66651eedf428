// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which tensors and buffers programs can compute with: the rules behind Types.td.

#ifndef PLUMB_DIALECTS_TYPES_IR_TYPES_H
#define PLUMB_DIALECTS_TYPES_IR_TYPES_H

#include "mlir/IR/BuiltinTypes.h"

#include <string>

namespace plumb {

/// The most bytes of a tensor: 128 TiB, which is all that a processor addresses. So the bytes of some tensors together,
/// and positions in each, stay far below what 64 bits count.
constexpr int64_t kMaxTensorBytes = int64_t{1} << 47;

/// Whether tensors have elements of `type`: booleans, integers of 8 to 64 bits, f16, bf16, f32 or f64.
bool isElementType(mlir::Type type);

/// Whether the extents of `type` are numbers of elements of at most kMaxTensorBytes bytes, those of zero taken for one,
/// and nothing is said about how they lie in memory. `type` has a static shape and elements of a known width.
bool isAddressable(mlir::ShapedType type);

/// Whether programs compute with values of `type`: a tensor with a static shape, elements as above and an addressable
/// size.
bool isTensorType(mlir::Type type);

/// Says why no machine holds a tensor of `type`, as the end of a message; empty where one may.
std::string describeImpossibleSize(mlir::Type type);

} // namespace plumb

#endif // PLUMB_DIALECTS_TYPES_IR_TYPES_H
