// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Images and labels in IDX files: MNIST, Fashion-MNIST, KMNIST, EMNIST.

#ifndef PLUMB_RUNTIME_DATA_IDX_SOURCE_H_
#define PLUMB_RUNTIME_DATA_IDX_SOURCE_H_

#include <memory>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/data/column.h"
#include "runtime/data/pipeline.h"
#include "runtime/data/source.h"

namespace plumb {

/// The description of a source of IDX files; nothing where the source is another one.
absl::StatusOr<std::optional<abi::IdxSourceT>> AsIdxSource(const abi::SourceUnion& source);

/// The columns of one row, from the description alone.
absl::StatusOr<std::vector<ColumnSpec>> IdxColumns(const abi::IdxSourceT& source);

/// Reads all rows, from `options.folder` where that is set. Fails, naming the file, where one is missing, damaged, of
/// other sizes, or has a label outside of the classes.
absl::StatusOr<std::shared_ptr<const RowStore>> LoadIdx(const abi::IdxSourceT& source, const PipelineOptions& options);

}  // namespace plumb

#endif  // PLUMB_RUNTIME_DATA_IDX_SOURCE_H_
