// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Intervals that hold all elements of a tensor of integers, as far as the operations that made it tell: constants,
// columns whose values the host checks, positions found by argmax, and arithmetic on those. And how a range is written
// down for the host.

#ifndef PLUMB_COMPILER_SINK_VALUERANGES_H
#define PLUMB_COMPILER_SINK_VALUERANGES_H

#include "dialects/net/ir/NetBase.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"

namespace plumb {

/// The integers from `lowest` to `highest`.
struct Interval {
  int64_t lowest, highest;

  bool isInside(const Interval &other) const { return lowest >= other.lowest && highest <= other.highest; }
};

/// Finds ranges, each value's once.
class ValueRanges {
public:
  /// The range of the elements of `value`, a tensor of integers of at most 64 bits: that of its type where no more is
  /// known.
  Interval get(mlir::Value value);

private:
  std::optional<Interval> compute(mlir::OpResult value, Interval limits);
  Interval join(mlir::ValueRange values);

  llvm::DenseMap<mlir::Value, Interval> known;
  unsigned depth = 0;
};

/// The user's line, " at file:line:column": the innermost of `loc` that is not of the layers and operations of the
/// Python package. Empty where there is none.
std::string describeUserLine(mlir::Location loc);

/// `{highest, lowest, use}`, as a queue's `device.ranges` and a report's `device.range` have it; and back.
mlir::DictionaryAttr toRangeAttribute(mlir::Builder &builder, Interval range, llvm::StringRef use);
std::optional<Interval> fromRangeAttribute(mlir::Attribute attribute);

} // namespace plumb

#endif // PLUMB_COMPILER_SINK_VALUERANGES_H
