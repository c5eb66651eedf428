// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IDX files, plain and gzip, read as one of one dimension and as one of three, whole and in part.

#include <vector>

#include "runtime/data/idx.h"
#include "test/runtime/fuzz/fuzzer.h"

namespace {

void Read(const std::string& path, size_t dimensions, uint64_t max_rows) {
  std::vector<int64_t> shape;
  std::vector<uint8_t> data;
  const absl::Status status = plumb::ReadIdx(path, dimensions, &shape, &data, max_rows);
  plumb::fuzz::CheckMessage(status);
  if (!status.ok()) return;
  uint64_t bytes = 1;
  for (int64_t size : shape) bytes *= static_cast<uint64_t>(size);
  if (shape.size() != dimensions || bytes != data.size()) std::abort();
  if (max_rows != 0 && shape[0] > static_cast<int64_t>(max_rows)) std::abort();
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static plumb::fuzz::MemoryFile file;
  file.Set(absl::MakeConstSpan(data, size));
  for (size_t dimensions : {size_t{1}, size_t{3}}) {
    Read(file.path(), dimensions, 0);
    Read(file.path(), dimensions, 2);
  }
  return 0;
}
