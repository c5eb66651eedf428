// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a pipeline's column is called and holds.

#ifndef PLUMB_RUNTIME_DATA_COLUMN_H_
#define PLUMB_RUNTIME_DATA_COLUMN_H_

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/base/element_type.h"

namespace plumb {

/// Name and type of one column, of a row or of a batch.
struct ColumnSpec {
  std::string name;
  ElementType element = ElementType::f32;
  std::vector<int64_t> shape;

  /// Elements of the shape, which is known to be valid.
  size_t elements() const;
  /// Bytes of one value.
  size_t bytes() const { return elements() * ElementBytes(element); }
  /// `image f32[32, 1, 32, 32]`.
  std::string ToString() const;
};

}  // namespace plumb

#endif  // PLUMB_RUNTIME_DATA_COLUMN_H_
