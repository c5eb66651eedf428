// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A data pipeline: rows of a source, operations on each row, and the order in which rows become batches.
//
//  source ─ row indices ─► sampler ► shuffle ► take ► repeat ► batch ─► one list of row numbers per batch  (RowOrder)
//  source ─ row bytes ───► resize ► rescale ► normalize ► … ───────────► one place in a batch's memory     (RowProgram)
//
// No operation of a row looks at another row or at the order, so the two halves run apart: the order is a cheap
// sequence of numbers made by one thread, and the rows' bytes are computed by as many threads as there are, straight
// into the batch. Hence the data does not depend on the number of workers, and a run can start at any batch without
// computing those before.

#ifndef PLUMB_RUNTIME_DATA_PIPELINE_H_
#define PLUMB_RUNTIME_DATA_PIPELINE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "runtime/abi/pipeline_generated.h"
#include "runtime/data/column.h"
#include "runtime/data/row_order.h"

namespace plumb {
class RowCache;
class RowProgram;
struct RowStore;

/// What an embedder may set from outside.
struct PipelineOptions {
  /// Replaces the folder of the source where not empty.
  std::string folder;
  /// Rows of an array source's columns that carry no bytes of their own, by column name. Copied at Load.
  std::map<std::string, absl::Span<const uint8_t>> arrays;
  /// Rows to read of each file, from its beginning; 0: all. For benchmarks that need a few batches at once.
  uint64_t max_rows = 0;
  /// Keeps the results of row operations in memory, also where the description does not say so. The same batches.
  bool cache = false;
};

/// A checked pipeline. Create infers and checks all types without touching files; Load reads the data into memory once.
/// A loaded pipeline is immutable, and any number of iterators and producers may read it.
class Pipeline {
 public:
  static absl::StatusOr<std::unique_ptr<Pipeline>> Create(const abi::PipelineT& description,
                                                          PipelineOptions options = {});
  static absl::StatusOr<std::unique_ptr<Pipeline>> FromManifest(const abi::Pipeline& description,
                                                                PipelineOptions options = {});
  static absl::StatusOr<std::unique_ptr<Pipeline>> FromJson(absl::string_view json, PipelineOptions options = {});
  ~Pipeline();

  /// The columns of a batch in order, with the full batch's shape.
  const std::vector<ColumnSpec>& columns() const { return columns_; }

  /// Fails, naming both sides, unless every batch has exactly the columns `expected` (names are not compared): also
  /// when the last batch of an epoch would be smaller. Needs Load.
  absl::Status CheckSignature(absl::Span<const ColumnSpec> expected) const;

  /// Reads the data; a second call does nothing. Fails when not even one batch comes of it.
  absl::Status Load();
  bool loaded() const { return rows_ != nullptr; }

  /// Batches per epoch, after take, batch and repeat; -1: endless. Needs Load.
  int64_t dataset_size() const { return dataset_size_; }
  /// Rows of the last batch of an epoch if it is smaller than the others, otherwise those of a full batch. Needs Load.
  int64_t last_batch_rows() const { return last_batch_rows_; }
  /// Rows of a full batch; 1 without a batch node.
  int64_t batch_rows() const { return batch_rows_; }
  /// Threads that the program asked for.
  uint32_t workers() const { return workers_; }

  /// The order of rows under `seed` (the description's own seed wins). Needs Load.
  std::unique_ptr<RowOrder> MakeOrder(uint64_t seed) const;

  /// Bytes of scratch that FillBatch asks for, once per thread.
  size_t scratch_bytes() const;
  /// Computes source rows `rows` into a batch whose columns lie at `columns`.
  absl::Status FillBatch(absl::Span<const uint64_t> rows, uint8_t* const* columns, uint8_t* scratch) const;

 private:
  Pipeline();
  absl::Status Infer();
  absl::Status CreateCaches(uint64_t rows);

  std::unique_ptr<abi::PipelineT> description_;
  PipelineOptions options_;
  std::vector<ColumnSpec> source_columns_;             // of a row of the source
  std::vector<ColumnSpec> columns_;                    // of a batch
  std::vector<std::unique_ptr<RowProgram>> programs_;  // by column of a batch
  std::vector<size_t> source_of_;                      // column of a batch -> column of the source
  std::shared_ptr<const RowStore> rows_;
  std::vector<std::unique_ptr<RowCache>> caches_;  // by column of a batch; null where nothing is kept
  int64_t batch_rows_ = 1;
  int64_t dataset_size_ = 0;
  int64_t last_batch_rows_ = 0;
  uint32_t workers_ = 1;
};

/// Walks a loaded pipeline on the caller's thread, batch after batch, one epoch after the other.
class BatchIterator {
 public:
  /// `pipeline` must outlive the iterator.
  BatchIterator(const Pipeline& pipeline, uint64_t seed);
  ~BatchIterator();

  /// Goes to the start of `epoch`.
  void Reset(uint64_t epoch);
  /// Writes the next batch of the epoch to `columns` (one pointer per column, each with room for a full batch) and
  /// returns its rows; 0 at the end of the epoch.
  absl::StatusOr<size_t> Next(uint8_t* const* columns);

 private:
  const Pipeline& pipeline_;
  std::unique_ptr<RowOrder> order_;
  std::vector<uint64_t> indices_;
  std::vector<uint8_t> scratch_;
};

}  // namespace plumb

#endif  // PLUMB_RUNTIME_DATA_PIPELINE_H_
