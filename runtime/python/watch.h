// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values that launches hand to functions of Python's, and histograms.

#ifndef PLUMB_RUNTIME_PYTHON_WATCH_H_
#define PLUMB_RUNTIME_PYTHON_WATCH_H_

#include <pybind11/pybind11.h>

#include <cstdint>
#include <exception>

#include "runtime/api/plumb/runtime.h"

namespace plumb {
namespace python {

namespace py = pybind11;

/// Whom a watched value is for.
struct __attribute__((visibility("hidden"))) Watcher {
  plumb_session_t* session;
  py::object function;
  std::exception_ptr problem;
};

/// A plumb_watch_fn that calls the Watcher `user` with a name, a step and an array, of float32 for bfloat16, which
/// NumPy lacks. An exception ends the launch.
void CallOnValue(const plumb_tensor_info_t* tensor, uint64_t step, const void* data, void* user);

void DefineHistograms(py::module_& module);

}  // namespace python
}  // namespace plumb

#endif  // PLUMB_RUNTIME_PYTHON_WATCH_H_
