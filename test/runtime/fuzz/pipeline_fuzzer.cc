// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pipelines described in JSON: their types are inferred, and where a batch is small two of them are computed from
// arrays.

#include <map>
#include <vector>

#include "runtime/data/pipeline.h"
#include "test/runtime/fuzz/fuzzer.h"

namespace {

constexpr uint64_t kMaxBatchBytes = 1 << 16;

bool IsSmall(const plumb::Pipeline& pipeline) {
  uint64_t bytes = 0;
  for (const plumb::ColumnSpec& column : pipeline.columns()) {
    for (int64_t size : column.shape) {
      if (size > static_cast<int64_t>(kMaxBatchBytes)) return false;
    }
    if (__builtin_add_overflow(bytes, column.bytes(), &bytes) || bytes > kMaxBatchBytes) return false;
  }
  return pipeline.scratch_bytes() <= kMaxBatchBytes;
}

void Walk(const plumb::Pipeline& pipeline) {
  std::vector<std::vector<uint8_t>> columns;
  std::vector<uint8_t*> pointers;
  for (const plumb::ColumnSpec& column : pipeline.columns()) columns.emplace_back(column.bytes());
  for (std::vector<uint8_t>& column : columns) pointers.push_back(column.data());
  plumb::BatchIterator iterator(pipeline, 7);
  for (int batch = 0; batch < 2; ++batch) {
    auto rows = iterator.Next(pointers.data());
    plumb::fuzz::CheckMessage(rows.status());
    if (!rows.ok() || *rows == 0) return;
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const std::vector<uint8_t> bytes(480, 3);  // rows of any size up to it that divides it
  plumb::PipelineOptions options;
  options.folder = "/nowhere";
  for (const char* name : {"x", "label", "image"}) options.arrays[name] = bytes;
  auto pipeline = plumb::Pipeline::FromJson({reinterpret_cast<const char*>(data), size}, options);
  plumb::fuzz::CheckMessage(pipeline.status());
  if (!pipeline.ok() || !IsSmall(**pipeline)) return 0;
  const absl::Status loaded = (*pipeline)->Load();
  plumb::fuzz::CheckMessage(loaded);
  if (loaded.ok()) Walk(**pipeline);
  return 0;
}
