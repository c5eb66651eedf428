// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checkpoint files as dictionaries of arrays.

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "runtime/python/arrays.h"

namespace plumb {
namespace python {
namespace {

void ProbeCheckpoint(const std::string& path) { ThrowIfError(plumb_checkpoint_probe(path.c_str())); }

/// Writes arrays by name, in the dict's order.
void WriteCheckpoint(const std::string& path, const py::dict& arrays) {
  std::vector<std::string> names;
  std::vector<plumb_element_t> elements;
  std::vector<View> views;
  std::vector<std::vector<int64_t>> shapes;
  py::object contiguous = py::module_::import("numpy").attr("asarray");
  for (auto item : arrays) {
    names.push_back(py::str(item.first));
    py::buffer array = contiguous(item.second, py::arg("order") = "C");
    elements.push_back(ElementOf(array));
    views.emplace_back(array, /*writable=*/false);
    shapes.emplace_back(views.back().shape().begin(), views.back().shape().end());
  }
  std::vector<plumb_checkpoint_tensor_t> tensors;
  for (size_t i = 0; i < names.size(); ++i) {
    tensors.push_back(
        {{names[i].c_str(), elements[i], shapes[i].size(), shapes[i].data(), views[i].bytes()}, views[i].data()});
  }
  plumb_status_t* status = nullptr;
  {
    py::gil_scoped_release unlocked;
    status = plumb_checkpoint_write(path.c_str(), tensors.data(), tensors.size(), nullptr, 0);
  }
  ThrowIfError(status);
}

/// A copy of a tensor; bfloat16, which NumPy does not have, becomes float32, which holds each of its values.
py::buffer CopyTensor(const plumb_checkpoint_tensor_t& tensor) {
  plumb_tensor_info_t info = tensor.info;
  const bool widened = info.element == PLUMB_BF16;
  if (widened) info.element = PLUMB_F32;
  py::buffer array = MakeArray(info, -1);
  View view(array, /*writable=*/true);
  if (!widened) {
    std::memcpy(view.data(), tensor.data, info.bytes);
    return array;
  }
  const auto* from = static_cast<const char*>(tensor.data);
  auto* to = static_cast<uint32_t*>(view.data());
  for (size_t i = 0; i < info.bytes / sizeof(uint16_t); ++i) {
    uint16_t upper;
    std::memcpy(&upper, from + i * sizeof(upper), sizeof(upper));
    to[i] = uint32_t{upper} << 16;
  }
  return array;
}

using CheckpointHandle = std::unique_ptr<plumb_checkpoint_t, void (*)(plumb_checkpoint_t*)>;

CheckpointHandle Read(const std::string& path) {
  plumb_checkpoint_t* handle = nullptr;
  plumb_status_t* status = nullptr;
  {
    py::gil_scoped_release unlocked;
    status = plumb_checkpoint_read(path.c_str(), &handle);
  }
  ThrowIfError(status);
  return CheckpointHandle(handle, &plumb_checkpoint_destroy);
}

/// Returns arrays by name, in the file's order.
py::dict ReadCheckpoint(const std::string& path) {
  const CheckpointHandle checkpoint = Read(path);
  py::dict arrays;
  for (size_t i = 0; i < plumb_checkpoint_tensor_count(checkpoint.get()); ++i) {
    const plumb_checkpoint_tensor_t* tensor = plumb_checkpoint_tensor(checkpoint.get(), i);
    arrays[py::str(tensor->info.name)] = CopyTensor(*tensor);
  }
  return arrays;
}

/// Returns the strings that the file holds beside its tensors.
py::dict ReadEntries(const std::string& path) {
  const CheckpointHandle checkpoint = Read(path);
  py::dict entries;
  for (size_t i = 0; i < plumb_checkpoint_entry_count(checkpoint.get()); ++i) {
    const plumb_checkpoint_entry_t* entry = plumb_checkpoint_entry(checkpoint.get(), i);
    entries[py::str(entry->key)] = py::str(entry->value);
  }
  return entries;
}

/// The program's names for a file's names; None for those that the map drops.
py::list MapNames(const std::string& map, const std::vector<std::string>& names) {
  std::vector<const char*> texts;
  for (const std::string& name : names) texts.push_back(name.c_str());
  py::list result;
  auto append = [](size_t, const char* name, void* list) {
    static_cast<py::list*>(list)->append(name == nullptr ? py::object(py::none()) : py::object(py::str(name)));
  };
  ThrowIfError(plumb_map_names(map.c_str(), texts.data(), texts.size(), append, &result));
  return result;
}

}  // namespace

void DefineCheckpoints(py::module_& module) {
  module.def("probe_checkpoint", &ProbeCheckpoint, py::arg("path"), "Raises unless a file can be put at the path.");
  module.def("write_checkpoint", &WriteCheckpoint, py::arg("path"), py::arg("arrays"), "Writes arrays by name.");
  module.def("read_checkpoint", &ReadCheckpoint, py::arg("path"), "Returns a file's arrays by name.");
  module.def("map_names", &MapNames, py::arg("map"), py::arg("names"),
             "The program's names for those of a file; None: dropped.");
  module.def("read_checkpoint_entries", &ReadEntries, py::arg("path"), "Returns the strings of a sound file by key.");
}

}  // namespace python
}  // namespace plumb
