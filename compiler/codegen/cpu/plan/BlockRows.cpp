// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From strides to rows.

#include "compiler/codegen/cpu/plan/BlockRows.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace plumb;

BlockRows BlockRows::get(llvm::ArrayRef<int64_t> strides, llvm::ArrayRef<int64_t> extents) {
  llvm::SmallVector<std::pair<int64_t, int64_t>> steps;
  int64_t span = 1;
  for (auto [stride, extent] : llvm::zip_equal(strides, extents))
    if (stride != 0 && extent > 1) {
      steps.push_back({std::abs(stride), extent});
      span += std::abs(stride) * (extent - 1);
    }
  llvm::sort(steps);
  BlockRows rows;
  for (auto [stride, extent] : steps) {
    if (stride <= rows.elements && rows.count == 1)
      rows.elements += stride * (extent - 1);
    else if (rows.count == 1)
      rows = {rows.elements, extent, stride};
    else if (stride % rows.distance == 0 && stride <= rows.distance * rows.count)
      rows.count += stride / rows.distance * (extent - 1);
    else
      return {span, 1, 0};
  }
  return rows;
}
