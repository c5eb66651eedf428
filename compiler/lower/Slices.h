// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The elements that insertions write.

#ifndef PLUMB_COMPILER_LOWER_SLICES_H
#define PLUMB_COMPILER_LOWER_SLICES_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <map>

namespace plumb {

/// Whether offsets, sizes and strides are constants, and the strides positive.
bool isStatic(mlir::tensor::InsertSliceOp insert);

/// Whether two static insertions into tensors of one shape write disjoint elements, which is decided axis by axis.
bool areDisjoint(mlir::tensor::InsertSliceOp a, mlir::tensor::InsertSliceOp b);

/// Regions that static insertions write, in order of where they begin along each axis: those that may overlap another
/// one are found without a look at all of them.
class InsertedRegions {
public:
  void add(mlir::tensor::InsertSliceOp insert);

  /// The insertions that may write elements that `insert` writes, too: all those into tensors of another shape.
  mlir::SmallVector<mlir::tensor::InsertSliceOp> getOverlapping(mlir::tensor::InsertSliceOp insert) const;

private:
  struct Axis {
    /// The insertions, by where they begin.
    std::map<int64_t, mlir::SmallVector<mlir::tensor::InsertSliceOp, 1>> begins;
    /// From the first to the last element of the longest region.
    int64_t longest = 1;
  };

  /// The insertions of which a part lies between two positions of the axis; null where they are more than `limit`.
  static std::optional<mlir::SmallVector<mlir::tensor::InsertSliceOp>> getBetween(const Axis &axis, int64_t first,
                                                                                  int64_t last, size_t limit);

  llvm::SmallDenseMap<mlir::Type, mlir::SmallVector<Axis>, 1> axes;
  mlir::SmallVector<mlir::tensor::InsertSliceOp> all;
};

} // namespace plumb

#endif // PLUMB_COMPILER_LOWER_SLICES_H
