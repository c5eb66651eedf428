// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operations on one column of a row, compiled into few steps.
//
// Operations on u8 that act on each element alone (Rescale, Normalize, TypeCast) have 256 possible inputs, so any chain
// of them becomes one table, made by running the chain itself over 0 … 255: the same bits, whatever the chain's length.
// HWC2CHW changes only where the table's results are written. Hence
//
//   resize, rescale, rescale, HWC2CHW, cast        becomes        resize u8, look up
//
// Elements of other types take one step per operation.

#ifndef PLUMB_RUNTIME_DATA_ROW_PROGRAM_H_
#define PLUMB_RUNTIME_DATA_ROW_PROGRAM_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/abi/pipeline_generated.h"
#include "runtime/data/column.h"

namespace plumb {

/// One step of a program: reads one value, writes another.
class RowStep {
 public:
  virtual ~RowStep() = default;
  virtual absl::Status Run(const uint8_t* in, uint8_t* out, uint8_t* scratch) const = 0;
  /// Bytes of scratch that Run wants.
  virtual size_t scratch_bytes() const { return 0; }
};

/// A column's program. Immutable once built; any number of threads may run it, each with its own scratch.
class RowProgram {
 public:
  explicit RowProgram(ColumnSpec input) : type_(std::move(input)) {}

  /// Appends `operation`. Fails unless it takes the type that the program has so far.
  absl::Status Append(const abi::RowOperationUnion& operation);
  /// Closes the program; no Append after it.
  void Finish();

  /// Name and type of the result so far.
  const ColumnSpec& type() const { return type_; }
  size_t scratch_bytes() const;
  /// Whether the result is the row as it is.
  bool copies() const { return copies_; }
  absl::Status Run(const uint8_t* in, uint8_t* out, uint8_t* scratch) const;

 private:
  // The chain on u8 that is not a step yet.
  struct PendingTable {
    ColumnSpec input;
    std::vector<std::vector<uint8_t>> values;  // 256 elements per channel; one entry if all channels share it
    bool transposed = false;
  };
  void Flush();
  void AddStep(std::unique_ptr<RowStep> step, size_t out_bytes);
  // Makes an element-wise step over `count` elements: those of channel `channel`, or of all channels if negative.
  using PointwiseFactory = std::function<std::unique_ptr<RowStep>(ElementType from, size_t count, int channel)>;
  absl::Status AppendPointwise(const PointwiseFactory& make, ElementType to, size_t channels);
  absl::Status AppendResize(const abi::ResizeT& resize);
  absl::Status AppendRescale(const abi::RescaleT& rescale);
  absl::Status AppendNormalize(const abi::NormalizeT& normalize);
  absl::Status AppendHwcToChw();
  absl::Status AppendTypeCast(const abi::TypeCastT& cast);
  absl::Status AppendOneHot(const abi::OneHotT& one_hot);

  ColumnSpec type_;
  std::unique_ptr<PendingTable> pending_;
  std::vector<std::unique_ptr<RowStep>> steps_;
  bool copies_ = false;
  size_t between_bytes_ = 0;  // the largest value between two steps
};

/// The name by which users know an operation.
absl::string_view OperationName(abi::RowOperation operation);

}  // namespace plumb

#endif  // PLUMB_RUNTIME_DATA_ROW_PROGRAM_H_
