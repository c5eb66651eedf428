// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What launches report: gathered in C++ while they run, arrays when they are over.

#ifndef PLUMB_RUNTIME_PYTHON_LAUNCHES_H_
#define PLUMB_RUNTIME_PYTHON_LAUNCHES_H_

#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <vector>

#include "runtime/api/plumb/runtime.h"
#include "runtime/python/arrays.h"
#include "runtime/python/watch.h"

namespace plumb {
namespace python {

/// What Gather gathers: the reports' bytes, of all steps or of the last one.
struct Gathered {
  const plumb_loop_info_t* loop;
  bool keep_all;
  plumb_session_t* session;
  py::object on_step;  // called for every step unless None
  std::deque<Watcher>* watchers;
  std::exception_ptr problem;
  std::vector<std::vector<char>> bytes;
  int64_t rows = 0;
};

/// A plumb_report_fn that adds a step's reports to the Gathered `user`.
void Gather(uint64_t step, const void* const* reports, size_t count, void* user);

/// (steps, reason, interrupted, one array per report).
py::tuple MakeResult(const Gathered& gathered, const plumb_launch_result_t& result, bool interrupted);

/// A launch that goes on by itself. The destructor stops it.
class Future {
 public:
  Future(std::unique_ptr<Gathered> gathered, plumb_future_t* handle)
      : gathered_(std::move(gathered)), handle_(handle) {}
  Future(const Future&) = delete;
  ~Future();

  /// Whether it has ended, after `seconds` at most; negative: without limit.
  bool Wait(double seconds);
  /// What `launch` would have returned.
  py::tuple Result();

 private:
  std::unique_ptr<Gathered> gathered_;
  plumb_future_t* handle_;
};

void DefineFutures(py::module_& module);

}  // namespace python
}  // namespace plumb

#endif  // PLUMB_RUNTIME_PYTHON_LAUNCHES_H_
