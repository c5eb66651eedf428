// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sources: what columns a row has, and all rows in memory.

#ifndef PLUMB_RUNTIME_DATA_SOURCE_H_
#define PLUMB_RUNTIME_DATA_SOURCE_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/data/column.h"
#include "runtime/data/pipeline.h"

namespace plumb {

/// All rows of a source, one buffer per column, row after row.
struct RowStore {
  uint64_t count = 0;
  std::vector<std::vector<uint8_t>> columns;
};

/// The columns of one row, from the description alone.
absl::StatusOr<std::vector<ColumnSpec>> SourceColumns(const abi::SourceUnion& source);

/// Reads all rows. `columns` is what SourceColumns gave. Bytes that the description holds are taken out of it.
absl::StatusOr<std::shared_ptr<const RowStore>> LoadSource(abi::SourceUnion& source,
                                                           const std::vector<ColumnSpec>& columns,
                                                           const PipelineOptions& options);

}  // namespace plumb

#endif  // PLUMB_RUNTIME_DATA_SOURCE_H_
