// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IDX, the file format of MNIST: a big-endian magic number 0x000008NN for NN dimensions of bytes, the dimensions, the
// bytes.

#ifndef PLUMB_RUNTIME_DATA_IDX_H_
#define PLUMB_RUNTIME_DATA_IDX_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"

namespace plumb {

/// Appends the bytes of IDX file `path` (plain or gzip) to `data` and sets `shape`. Fails, naming the file, unless it
/// has exactly `dimensions` dimensions and exactly the bytes that its header announces. With `max_rows` not 0, no more
/// rows than that are read, `shape` says how many, and what lies behind them is not looked at.
absl::Status ReadIdx(const std::string& path, size_t dimensions, std::vector<int64_t>* shape,
                     std::vector<uint8_t>* data, uint64_t max_rows = 0);

}  // namespace plumb

#endif  // PLUMB_RUNTIME_DATA_IDX_H_
