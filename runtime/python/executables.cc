// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/python/executables.h"

namespace plumb {
namespace python {

Executable::Executable(const std::string& code, const std::string& name) {
  ThrowIfError(plumb_executable_load_memory(code.data(), code.size(), name.c_str(), &handle_));
}

std::shared_ptr<Executable> Executable::LoadFile(const std::string& path,
                                                 const std::optional<std::string>& public_key) {
  std::shared_ptr<Executable> executable(new Executable);
  ThrowIfError(public_key ? plumb_executable_load_signed_file(path.c_str(), public_key->c_str(), &executable->handle_)
                          : plumb_executable_load_file(path.c_str(), &executable->handle_));
  return executable;
}

std::vector<std::string> Executable::Variables() const {
  std::vector<std::string> names;
  for (size_t i = 0; i < plumb_executable_variable_count(handle_); ++i) {
    names.push_back(plumb_executable_variable(handle_, i)->tensor.name);
  }
  return names;
}

const plumb_loop_info_t& Executable::Loop(const std::string& name) const {
  for (size_t i = 0; i < plumb_executable_loop_count(handle_); ++i) {
    const plumb_loop_info_t* loop = plumb_executable_loop(handle_, i);
    if (name == loop->name) return *loop;
  }
  throw py::value_error("the executable has no loop '" + name + "'");
}

void DefineExecutables(py::module_& module) {
  py::class_<Executable, std::shared_ptr<Executable>>(module, "Executable", "A loaded executable.")
      .def(py::init<const std::string&, const std::string&>(), py::arg("code"), py::arg("name"))
      .def_static("load_file", &Executable::LoadFile, py::arg("path"), py::arg("public_key") = py::none(),
                  "Loads a file; with the text of a public key (PEM), only one whose signature in `path`.sig fits.")
      .def("variables", &Executable::Variables, "Names of the variables.");
}

}  // namespace python
}  // namespace plumb
