// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/data/source.h"

#include <limits>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/data/idx_source.h"

namespace plumb {
namespace {

// Rows in `bytes`, all of which must be whole.
absl::StatusOr<uint64_t> CountRows(const ColumnSpec& column, uint64_t bytes) {
  uint64_t row = column.bytes();
  if (bytes % row != 0) {
    return absl::InvalidArgumentError(absl::StrCat("column '", column.name, "': ", bytes,
                                                   " bytes are no whole number of rows ", column.ToString(), " of ",
                                                   row, " bytes"));
  }
  return bytes / row;
}

absl::StatusOr<std::shared_ptr<const RowStore>> LoadArrays(abi::ArraySourceT& source,
                                                           const std::vector<ColumnSpec>& columns,
                                                           const PipelineOptions& options) {
  auto rows = std::make_shared<RowStore>();
  for (size_t i = 0; i < columns.size(); ++i) {
    std::vector<uint8_t> bytes = std::move(source.columns[i]->bytes);
    auto handed_over = options.arrays.find(columns[i].name);
    if (handed_over != options.arrays.end()) bytes.assign(handed_over->second.begin(), handed_over->second.end());
    if (bytes.empty()) {
      return absl::InvalidArgumentError(absl::StrCat("column '", columns[i].name, "' of the array source has no rows"));
    }
    PLUMB_ASSIGN_OR_RETURN(uint64_t count, CountRows(columns[i], bytes.size()));
    if (i > 0 && count != rows->count) {
      return absl::InvalidArgumentError(absl::StrCat("column '", columns[i].name, "' has ", count,
                                                     " rows, but column '", columns[0].name, "' has ", rows->count));
    }
    rows->count = count;
    rows->columns.push_back(std::move(bytes));
  }
  return rows;
}

absl::StatusOr<std::vector<ColumnSpec>> ArrayColumns(const abi::ArraySourceT& source) {
  std::vector<ColumnSpec> columns;
  for (const auto& entry : source.columns) {
    if (entry == nullptr) return absl::InvalidArgumentError("an array source has an empty column entry");
    ColumnSpec column;
    column.name = entry->name;
    auto element = ElementFromName(entry->element);
    if (!element.ok()) return Annotate(element.status(), absl::StrCat("column '", column.name, "'"));
    column.element = *element;
    column.shape = entry->shape;
    auto bytes = TensorBytes(column.element, column.shape);
    if (!bytes.ok()) return Annotate(bytes.status(), absl::StrCat("column '", column.name, "'"));
    if (*bytes == 0)
      return absl::InvalidArgumentError(absl::StrCat("column '", column.name, "': a row has no elements"));
    for (const ColumnSpec& other : columns) {
      if (other.name == column.name) {
        return absl::InvalidArgumentError(absl::StrCat("two columns are called '", column.name, "'"));
      }
    }
    columns.push_back(std::move(column));
  }
  if (columns.empty()) return absl::InvalidArgumentError("an array source has no columns");
  return columns;
}

}  // namespace

size_t ColumnSpec::elements() const {
  size_t count = 1;
  for (int64_t size : shape) count *= static_cast<size_t>(size);
  return count;
}

std::string ColumnSpec::ToString() const { return absl::StrCat("'", name, "' ", TensorTypeString(element, shape)); }

absl::StatusOr<std::vector<ColumnSpec>> SourceColumns(const abi::SourceUnion& source) {
  PLUMB_ASSIGN_OR_RETURN(std::optional<abi::IdxSourceT> idx, AsIdxSource(source));
  if (idx.has_value()) return IdxColumns(*idx);
  if (const abi::ArraySourceT* arrays = source.AsArraySource()) return ArrayColumns(*arrays);
  return absl::InvalidArgumentError("the pipeline has no source");
}

absl::StatusOr<std::shared_ptr<const RowStore>> LoadSource(abi::SourceUnion& source,
                                                           const std::vector<ColumnSpec>& columns,
                                                           const PipelineOptions& options) {
  std::shared_ptr<const RowStore> rows;
  PLUMB_ASSIGN_OR_RETURN(std::optional<abi::IdxSourceT> idx, AsIdxSource(source));
  if (idx.has_value()) {
    PLUMB_ASSIGN_OR_RETURN(rows, LoadIdx(*idx, options));
  } else {
    PLUMB_ASSIGN_OR_RETURN(rows, LoadArrays(*source.AsArraySource(), columns, options));
  }
  if (rows->count > std::numeric_limits<uint32_t>::max()) {
    return absl::ResourceExhaustedError(
        absl::StrCat("the source has ", rows->count, " rows; at most 2^32 - 1 are supported"));
  }
  return rows;
}

}  // namespace plumb
