// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TensorBoard's event files: a row of records, each its length (8 bytes), a checksum of that (4), a content, and a
// checksum of it (4). A content is a protocol buffer, of which the fields written here are
//
//   Event          { double wall_time = 1; int64 step = 2; string file_version = 3; Summary summary = 5; }
//   Summary        { repeated Value value = 1; }
//   Value          { string tag = 1; HistogramProto histo = 5; }
//   HistogramProto { double min = 1; max = 2; num = 3; sum = 4; sum_squares = 5; packed double bucket_limit = 6;
//                    bucket = 7; }
//
// Sources: tensorflow/core/util/event.proto, tensorflow/core/framework/summary.proto.

#ifndef PLUMB_RUNTIME_TOOLS_EVENT_FILE_H_
#define PLUMB_RUNTIME_TOOLS_EVENT_FILE_H_

#include <cstdint>
#include <cstdio>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "runtime/base/histogram.h"

namespace plumb {

class EventFile {
 public:
  /// A new file in `folder`, which exists; it is made by the first record.
  explicit EventFile(const std::string& folder);
  EventFile(const EventFile&) = delete;
  ~EventFile();

  /// Notes a histogram of a step, and hands the record to the system.
  absl::Status Add(absl::string_view tag, uint64_t step, const Histogram& histogram);
  const std::string& path() const { return path_; }

 private:
  absl::Status Write(const std::string& content);

  std::string path_;
  std::FILE* file_ = nullptr;
};

}  // namespace plumb

#endif  // PLUMB_RUNTIME_TOOLS_EVENT_FILE_H_
