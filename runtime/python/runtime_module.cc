// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// plumb._runtime: the runtime's C API for Python, with tensors as NumPy arrays.
//
// Arrays come and go by Python's buffer protocol and numpy.empty, never by NumPy's C structures: their layout changed
// with NumPy 2, and one build works with both.
//
// A launch releases Python's lock. Its reports are copied into plain vectors by the callback and become arrays when it
// is over, so no step waits for Python. SIGINT is taken over for the time of a launch: the handler asks the session to
// stop, which is safe in signal handlers, and the caller learns of it from the result.

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <string>
#include <vector>

#include "runtime/api/plumb/runtime.h"
#include "runtime/python/arrays.h"
#include "runtime/python/executables.h"
#include "runtime/python/launches.h"
#include "runtime/python/pipelines.h"
#include "runtime/python/prints.h"
#include "runtime/python/sessions.h"
#include "runtime/python/watch.h"

namespace plumb {
namespace python {
namespace {

/// Fills `array` by an initialiser's rule.
void Initialize(const std::string& kind, const std::vector<double>& parameters, uint64_t seed, uint64_t stream,
                const py::buffer& array) {
  View view(array, /*writable=*/true);
  std::vector<int64_t> shape(view.shape().begin(), view.shape().end());
  ThrowIfError(plumb_initialize(kind.c_str(), parameters.data(), parameters.size(), ElementOf(array), shape.data(),
                                shape.size(), seed, stream, view.data(), view.bytes()));
}

}  // namespace

PYBIND11_MODULE(_runtime, module) {
  module.doc() = "Plumb's runtime, over its C API.";
  module.def("version", &plumb_runtime_version, "The runtime's version.");
  module.def(
      "set_print_function", &SetPrintFunction, py::arg("function").none(true),
      "Has what programs print handed over, a list of strings and arrays for each print; None: it is shown as text.");
  module.def("initialize", &Initialize, py::arg("kind"), py::arg("parameters"), py::arg("seed"), py::arg("stream"),
             py::arg("array"), "Fills an array by an initialiser's rule.");
  DefineHistograms(module);
  DefineCheckpoints(module);
  DefineExecutables(module);
  DefinePipelines(module);
  DefineFutures(module);
  DefineSessions(module);
}

}  // namespace python
}  // namespace plumb
