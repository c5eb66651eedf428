// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/python/pipelines.h"

#include <utility>

namespace plumb {
namespace python {

Pipeline::Pipeline(const std::string& json, const py::dict& arrays, uint64_t seed) {
  std::vector<std::string> names;
  std::vector<plumb_array_t> views;
  for (auto item : arrays) {
    arrays_.emplace_back(py::reinterpret_borrow<py::buffer>(item.second), /*writable=*/false);
    names.push_back(py::str(item.first));
  }
  for (size_t i = 0; i < names.size(); ++i) {
    views.push_back({names[i].c_str(), arrays_[i].data(), arrays_[i].bytes()});
  }
  ThrowIfError(plumb_pipeline_create(json.c_str(), nullptr, views.data(), views.size(), seed, &handle_));
  plumb_status_t* status = Unlocked([&] { return plumb_pipeline_load(handle_); });
  if (status) Destroy();
  ThrowIfError(status);
}

py::object Pipeline::Next() {
  std::vector<py::buffer> arrays;
  std::vector<View> views;
  std::vector<void*> columns;
  for (size_t i = 0; i < plumb_pipeline_column_count(handle_); ++i) {
    arrays.push_back(MakeArray(*plumb_pipeline_column(handle_, i), -1));
    views.emplace_back(arrays.back(), /*writable=*/true);
    columns.push_back(views.back().data());
  }
  int64_t rows = 0;
  ThrowIfError(Unlocked([&] { return plumb_pipeline_next(handle_, columns.data(), columns.size(), &rows); }));
  if (rows == 0) return py::none();
  py::list batch;
  const bool is_partial = rows < plumb_pipeline_batch_rows(handle_);
  for (py::buffer& array : arrays) {
    batch.append(is_partial ? py::object(array[py::slice(0, rows, 1)]) : py::object(array));
  }
  return batch;
}

int64_t Pipeline::Size() {
  int64_t batches = 0;
  ThrowIfError(plumb_pipeline_size(handle_, &batches));
  return batches;
}

plumb_pipeline_t* Pipeline::Release() { return std::exchange(handle_, nullptr); }

void Pipeline::Destroy() { plumb_pipeline_destroy(Release()); }

void DefinePipelines(py::module_& module) {
  py::class_<Pipeline>(module, "Pipeline", "A data pipeline.")
      .def(py::init<const std::string&, const py::dict&, uint64_t>(), py::arg("json"), py::arg("arrays"),
           py::arg("seed"))
      .def("next", &Pipeline::Next, "The next batch as a list of arrays, or None at the end of a pass.")
      .def("size", &Pipeline::Size, "Batches of one pass; -1: endless.");
}

}  // namespace python
}  // namespace plumb
