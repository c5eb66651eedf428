// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/python/launches.h"

#include <cstring>
#include <utility>

namespace plumb {
namespace python {
namespace {

/// Calls the program's own function with the step's number and its first report; an exception ends the launch.
void CallOnStep(Gathered& gathered, uint64_t step, const void* const* reports) {
  py::gil_scoped_acquire locked;
  try {
    py::buffer value = MakeArray(gathered.loop->reports[0], -1);
    std::memcpy(View(value, /*writable=*/true).data(), reports[0], gathered.loop->reports[0].bytes);
    gathered.on_step(step, value);
  } catch (...) {
    gathered.problem = std::current_exception();
    plumb_session_request_stop(gathered.session);
  }
}

}  // namespace

void Gather(uint64_t step, const void* const* reports, size_t count, void* user) {
  auto* gathered = static_cast<Gathered*>(user);
  if (!gathered->keep_all) {
    for (auto& column : gathered->bytes) column.clear();
    gathered->rows = 0;
  }
  for (size_t i = 0; i < count; ++i) {
    const char* data = static_cast<const char*>(reports[i]);
    gathered->bytes[i].insert(gathered->bytes[i].end(), data, data + gathered->loop->reports[i].bytes);
  }
  ++gathered->rows;
  if (count > 0 && !gathered->on_step.is_none() && !gathered->problem) CallOnStep(*gathered, step, reports);
}

py::tuple MakeResult(const Gathered& gathered, const plumb_launch_result_t& result, bool interrupted) {
  for (Watcher& watcher : *gathered.watchers) {
    if (std::exception_ptr problem = std::exchange(watcher.problem, nullptr)) std::rethrow_exception(problem);
  }
  if (gathered.problem) std::rethrow_exception(gathered.problem);
  py::list reports;
  for (size_t i = 0; i < gathered.loop->report_count; ++i) {
    py::buffer array = MakeArray(gathered.loop->reports[i], gathered.rows);
    std::memcpy(View(array, /*writable=*/true).data(), gathered.bytes[i].data(), gathered.bytes[i].size());
    reports.append(array);
  }
  return py::make_tuple(result.steps, static_cast<int>(result.reason), interrupted, reports);
}

Future::~Future() {
  py::gil_scoped_release unlocked;  // what the program prints needs the lock
  plumb_future_destroy(handle_);
}

bool Future::Wait(double seconds) {
  int ended = 0;
  ThrowIfError(Unlocked([&] { return plumb_future_wait(handle_, seconds, &ended); }));
  return ended != 0;
}

py::tuple Future::Result() {
  plumb_launch_result_t result = {};
  ThrowIfError(plumb_future_result(handle_, &result));
  return MakeResult(*gathered_, result, /*interrupted=*/false);
}

void DefineFutures(py::module_& module) {
  py::class_<Future>(module, "Future", "A launch that goes on by itself; it is stopped when this is given up.")
      .def("wait", &Future::Wait, py::arg("seconds") = -1.0,
           "Whether it has ended, after `seconds` at most; negative: no limit.")
      .def("result", &Future::Result, "What `launch` would have returned; an error while it runs.");
}

}  // namespace python
}  // namespace plumb
