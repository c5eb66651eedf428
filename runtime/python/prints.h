// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where what programs print goes in Python: to a function of the program's own, or else to where Python's print goes.

#ifndef PLUMB_RUNTIME_PYTHON_PRINTS_H_
#define PLUMB_RUNTIME_PYTHON_PRINTS_H_

#include <pybind11/pybind11.h>

#include <atomic>
#include <cstring>
#include <utility>

#include "runtime/api/plumb/runtime.h"
#include "runtime/python/arrays.h"

namespace plumb {
namespace python {

/// What the program prints goes where Python's own print goes.
inline void PrintToPython(const char* text, size_t size, void*) {
  py::gil_scoped_acquire locked;
  try {
    py::object out = py::module_::import("sys").attr("stdout");
    if (out.is_none()) return;
    out.attr("write")(py::str(text, size));
    out.attr("flush")();
  } catch (py::error_already_set& problem) {
    problem.discard_as_unraisable("printing from a compiled function");
  }
}

/// The program's own function for prints; null where it has none. Read and written under Python's lock.
inline PyObject* print_function = nullptr;
inline std::atomic<bool> has_print_function{false};

inline void SetPrintFunction(const py::object& function) {
  Py_XDECREF(std::exchange(print_function, function.is_none() ? nullptr : py::object(function).release().ptr()));
  has_print_function = print_function != nullptr;
}

/// Hands each print to the program's own function, if it has one, as a list of strings and arrays; those of bfloat16
/// have the type that arrays.h gives them.
inline int PrintPartsToPython(const plumb_print_part_t* parts, size_t count, void*) {
  if (!has_print_function) return 0;
  py::gil_scoped_acquire locked;
  if (print_function == nullptr) return 0;
  try {
    py::list values;
    for (size_t i = 0; i < count; ++i) {
      if (parts[i].tensor == nullptr) {
        values.append(py::str(static_cast<const char*>(parts[i].data), parts[i].size));
        continue;
      }
      py::buffer array = MakeArray(*parts[i].tensor, -1);
      if (parts[i].size > 0) std::memcpy(View(array, /*writable=*/true).data(), parts[i].data, parts[i].size);
      values.append(array);
    }
    py::reinterpret_borrow<py::object>(print_function)(values);
  } catch (py::error_already_set& problem) {
    problem.discard_as_unraisable("the function that takes what is printed");
  }
  return 1;
}

}  // namespace python
}  // namespace plumb

#endif  // PLUMB_RUNTIME_PYTHON_PRINTS_H_
