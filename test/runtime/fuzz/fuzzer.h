// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fuzzer is one function that takes any bytes as a file of its format, and must return. libFuzzer calls it with what
// it finds (tools/dev/fuzz), replay_main.cc with the stored files of corpus/ (in every run of the tests).

#ifndef PLUMB_TEST_RUNTIME_FUZZ_FUZZER_H_
#define PLUMB_TEST_RUNTIME_FUZZ_FUZZER_H_

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "absl/status/status.h"
#include "absl/types/span.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace plumb {
namespace fuzz {

/// The bytes as a file in memory, at a path of this process.
class MemoryFile {
 public:
  MemoryFile();
  ~MemoryFile();
  const std::string& path() const { return path_; }
  void Set(absl::Span<const uint8_t> bytes);

 private:
  int file_ = -1;
  std::string path_;
};

/// An error must say something.
inline void CheckMessage(const absl::Status& status) {
  if (!status.ok() && status.message().empty()) std::abort();
}

}  // namespace fuzz
}  // namespace plumb

#endif  // PLUMB_TEST_RUNTIME_FUZZ_FUZZER_H_
