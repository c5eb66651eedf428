// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an index names in a tensor, by NumPy's rules.
//
//   x[1:9:2, 0, ::-1, None, rows]
//
// Ranges and ints name a box with steps, of which some axes are read backwards and some dropped. Integer tensors, lists
// and masks *choose*: they are broadcast against each other, and the axes that they index become one axis, indexed by
// one number. Where the chosen axes stand next to each other, what they choose stands in their place, else in front.

#ifndef PLUMB_COMPILER_SPECIALIZE_TENSORS_TENSORINDEX_H
#define PLUMB_COMPILER_SPECIALIZE_TENSORS_TENSORINDEX_H

#include "compiler/specialize/tensors/AbstractValue.h"

namespace plumb::specialize {

struct TensorIndex {
  /// What becomes of an axis, or of an index without one.
  enum Kind {
    Kept,    ///< The axis stays, as long as its range.
    Dropped, ///< An int indexes the axis.
    Chosen,  ///< A tensor of integers indexes the axis.
    New      ///< None: an axis of extent 1 that the tensor does not have.
  };
  struct Entry {
    Kind kind;
    int64_t extent = 1;       ///< Of the axis in the box.
    AbstractValue index = {}; ///< Of a chosen axis: a tensor or a constant.
  };

  /// The box, one number per axis of the tensor.
  llvm::SmallVector<int64_t> begin, end, strides;
  llvm::SmallVector<int64_t> reversed; ///< Axes that are read backwards.
  bool isWhole = true;                 ///< The box is the tensor.
  llvm::SmallVector<Entry> entries;    ///< In the order of the index.

  /// The number of axes that tensors index.
  unsigned countChosen() const;
  /// Whether the chosen axes stand next to each other.
  bool isTogether() const;
  /// Extents of the box, with the axes that are dropped.
  llvm::SmallVector<int64_t> getBoxShape() const;
  /// Extents of the kept axes before and behind what is chosen.
  std::pair<llvm::SmallVector<int64_t>, llvm::SmallVector<int64_t>> getKept() const;
  /// Numbers of the axes in the order kept before, chosen, kept behind, of a box without its dropped axes.
  llvm::SmallVector<int64_t> getOrder() const;
  /// The product of the extents of the chosen axes.
  int64_t getChoices() const;
  /// Extents of the result, where `chosen` is the shape of the indices; with axes for None or without.
  llvm::SmallVector<int64_t> getResultShape(llvm::ArrayRef<int64_t> chosen, bool withNew) const;
};

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_TENSORS_TENSORINDEX_H
