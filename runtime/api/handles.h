// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the C API's opaque handles hold, and the wall that no exception passes.

#ifndef PLUMB_RUNTIME_API_HANDLES_H_
#define PLUMB_RUNTIME_API_HANDLES_H_

#include <deque>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "runtime/api/plumb/runtime.h"
#include "runtime/data/pipeline.h"
#include "runtime/executable/executable.h"
#include "runtime/session/session.h"

struct plumb_status {
  plumb_status_code_t code;
  std::string message;
};

/// Besides the executable, its tables in C form: the structs point into the manifest and into each other.
struct plumb_executable {
  std::shared_ptr<const plumb::Executable> executable;
  std::string name;
  std::string target_cpu;
  std::deque<std::string> strings;                         // stable storage for names
  std::deque<std::vector<int64_t>> shapes;
  std::deque<std::vector<plumb_tensor_info_t>> tensors;
  std::vector<plumb_variable_info_t> variables;
  std::vector<plumb_queue_info_t> queues;
  std::vector<plumb_loop_info_t> loops;
};

struct plumb_session {
  std::unique_ptr<plumb::Session> session;
};

struct plumb_pipeline {
  std::unique_ptr<plumb::Pipeline> pipeline;
  std::unique_ptr<plumb::BatchIterator> iterator;
  uint64_t seed = 0;
  uint64_t epoch = 0;
  bool at_end = false;
  std::vector<plumb_tensor_info_t> columns;  // point into `pipeline`
};

namespace plumb {
namespace api {

/// Null for ok, else a status for the caller; null too when there is no memory for one.
plumb_status_t* MakeStatus(const absl::Status& status);

/// What a null argument deserves.
inline absl::Status NullArgument(const char* what) {
  return absl::InvalidArgumentError(std::string("null was passed for ") + what);
}

/// Runs `body`, which returns absl::Status, and turns whatever comes of it into a C status.
template <typename Body>
plumb_status_t* Guard(Body&& body) {
  try {
    return MakeStatus(body());
  } catch (const std::bad_alloc&) {
    return MakeStatus(absl::ResourceExhaustedError("out of memory"));
  } catch (const std::exception& error) {
    return MakeStatus(absl::InternalError(error.what()));
  } catch (...) {
    return MakeStatus(absl::InternalError("an unknown exception"));
  }
}

}  // namespace api
}  // namespace plumb

#endif  // PLUMB_RUNTIME_API_HANDLES_H_
