// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/python/watch.h"

#include <pybind11/stl.h>

#include <cstring>
#include <vector>

#include "runtime/python/arrays.h"

namespace plumb {
namespace python {
namespace {

constexpr size_t kMaxBuckets = 1551;  // as many as there are limits

/// (count, nans, infinite, min, max, sum, sum of squares, mean, deviation, limits, counts) of an array's elements.
py::tuple MakeHistogram(const py::buffer& array) {
  View view(array, /*writable=*/false);
  plumb_histogram_t seen = {};
  seen.size = sizeof(seen);
  std::vector<double> limits(kMaxBuckets);
  std::vector<uint64_t> counts(kMaxBuckets);
  ThrowIfError(
      plumb_histogram(ElementOf(array), view.data(), view.bytes(), &seen, limits.data(), counts.data(), kMaxBuckets));
  limits.resize(seen.buckets);
  counts.resize(seen.buckets);
  return py::make_tuple(seen.count, seen.nans, seen.infinite, seen.min, seen.max, seen.sum, seen.sum_of_squares,
                        seen.mean, seen.deviation, limits, counts);
}

}  // namespace

void CallOnValue(const plumb_tensor_info_t* tensor, uint64_t step, const void* data, void* user) {
  auto* watcher = static_cast<Watcher*>(user);
  py::gil_scoped_acquire locked;
  if (watcher->problem) return;
  try {
    py::object value = MakeArray(*tensor, -1);
    std::memcpy(View(py::buffer(value), /*writable=*/true).data(), data, tensor->bytes);
    if (tensor->element == PLUMB_BF16) {
      value = (value.attr("astype")("uint32") * py::int_(65536)).attr("astype")("uint32").attr("view")("float32");
    }
    watcher->function(tensor->name, step, value);
  } catch (...) {
    watcher->problem = std::current_exception();
    plumb_session_request_stop(watcher->session);
  }
}

void DefineHistograms(py::module_& module) {
  module.def("histogram", &MakeHistogram, py::arg("array"),
             "(count, nans, infinite, min, max, sum, sum of squares, mean, deviation, limits, counts) of an array.");
}

}  // namespace python
}  // namespace plumb
