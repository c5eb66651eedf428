// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statuses as Python's exceptions, tensors as NumPy arrays.

#ifndef PLUMB_RUNTIME_PYTHON_ARRAYS_H_
#define PLUMB_RUNTIME_PYTHON_ARRAYS_H_

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "runtime/api/plumb/runtime.h"

namespace plumb {
namespace python {

namespace py = pybind11;

// -- Errors and types

/// Throws the exception of Python's that a step's error names ("step 3: AssertionError: …"), if it names one.
inline void ThrowNamed(const std::string& message) {
  const size_t step = message.find("step ");
  const size_t begin = step == std::string::npos ? step : message.find(": ", step);
  const size_t end = begin == std::string::npos ? begin : message.find(": ", begin + 2);
  if (end == std::string::npos) return;
  const std::string name = message.substr(begin + 2, end - begin - 2);
  const py::module_ builtins = py::module_::import("builtins");
  if (!py::hasattr(builtins, name.c_str())) return;
  const py::object named = builtins.attr(name.c_str());
  if (!PyExceptionClass_Check(named.ptr())) return;
  PyErr_SetString(named.ptr(), message.c_str());
  throw py::error_already_set();
}

/// Throws the Python exception that fits a status.
inline void ThrowIfError(plumb_status_t* status) {
  if (!status) return;
  std::string message = plumb_status_message(status);
  plumb_status_code_t code = plumb_status_code(status);
  plumb_status_destroy(status);
  switch (code) {
    case PLUMB_INVALID_ARGUMENT: ThrowNamed(message); throw py::value_error(message);
    case PLUMB_BAD_FILE: throw py::value_error(message);
    case PLUMB_NOT_FOUND: PyErr_SetString(PyExc_FileNotFoundError, message.c_str()); throw py::error_already_set();
    case PLUMB_TIMED_OUT: PyErr_SetString(PyExc_TimeoutError, message.c_str()); throw py::error_already_set();
    case PLUMB_CANNOT_WRITE: PyErr_SetString(PyExc_OSError, message.c_str()); throw py::error_already_set();
    case PLUMB_OUT_OF_MEMORY: PyErr_SetString(PyExc_MemoryError, message.c_str()); throw py::error_already_set();
    default: throw std::runtime_error(message);
  }
}

/// What `call` returns, called with Python's lock released.
template <typename Call>
auto Unlocked(Call call) {
  py::gil_scoped_release unlocked;
  return call();
}

/// NumPy's name of an element type.
inline const char* NumpyName(plumb_element_t element) {
  switch (element) {
    case PLUMB_F32: return "float32";
    case PLUMB_F64: return "float64";
    case PLUMB_F16: return "float16";
    case PLUMB_BF16: return "V2";  // NumPy has none: see common/_bfloat.py of the package
    case PLUMB_I8: return "int8";
    case PLUMB_I16: return "int16";
    case PLUMB_I32: return "int32";
    case PLUMB_I64: return "int64";
    case PLUMB_U8: return "uint8";
    case PLUMB_I1: return "bool";
    case PLUMB_U16: return "uint16";
    case PLUMB_U32: return "uint32";
    case PLUMB_U64: return "uint64";
  }
  return "uint8";
}

// -- Arrays

/// The memory of a C-contiguous array, held as long as this lives.
class View {
 public:
  View(const py::buffer& array, bool writable) : info_(array.request(writable)) {
    py::ssize_t expected = info_.itemsize;
    for (py::ssize_t axis = info_.ndim - 1; axis >= 0; --axis) {
      if (info_.shape[axis] > 1 && info_.strides[axis] != expected)
        throw py::value_error("arrays must be C-contiguous here: use numpy.ascontiguousarray");
      expected *= info_.shape[axis];
    }
  }

  void* data() const { return info_.ptr; }
  size_t bytes() const { return static_cast<size_t>(info_.size * info_.itemsize); }
  const std::vector<py::ssize_t>& shape() const { return info_.shape; }

 private:
  py::buffer_info info_;
};

inline plumb_element_t ElementOf(const py::object& array) {
  static const std::map<std::string, plumb_element_t> kElements = {
      {"float32", PLUMB_F32}, {"float64", PLUMB_F64}, {"float16", PLUMB_F16}, {"int8", PLUMB_I8}, {"int16", PLUMB_I16},
      {"int32", PLUMB_I32},   {"int64", PLUMB_I64},   {"uint8", PLUMB_U8},    {"bool", PLUMB_I1}, {"uint16", PLUMB_U16},
      {"uint32", PLUMB_U32},  {"uint64", PLUMB_U64},  {"void16", PLUMB_BF16}};
  auto found = kElements.find(py::str(array.attr("dtype").attr("name")));
  if (found == kElements.end()) throw py::type_error("tensors cannot hold elements of this NumPy type");
  return found->second;
}

/// An empty array for `rows` tensors of one type, or for one tensor where `rows` is negative.
inline py::buffer MakeArray(const plumb_tensor_info_t& info, int64_t rows) {
  std::vector<int64_t> shape;
  if (rows >= 0) shape.push_back(rows);
  shape.insert(shape.end(), info.shape, info.shape + info.rank);
  return py::module_::import("numpy").attr("empty")(py::tuple(py::cast(shape)), NumpyName(info.element));
}

/// A C-contiguous array for the time of a call; throws BufferError where it is not.
class Column {
 public:
  explicit Column(PyObject* array) {
    if (PyObject_GetBuffer(array, &view_, PyBUF_C_CONTIGUOUS) != 0) throw py::error_already_set();
  }
  Column(const Column&) = delete;
  ~Column() { PyBuffer_Release(&view_); }

  const void* data() const { return view_.buf; }
  size_t bytes() const { return static_cast<size_t>(view_.len); }

 private:
  Py_buffer view_;
};

/// Makes arrays of one type; NumPy's function, shape and dtype are looked up once.
class ArrayMaker {
 public:
  explicit ArrayMaker(const plumb_tensor_info_t& info)
      : make_(py::module_::import("numpy").attr("empty")),
        shape_(py::cast(std::vector<int64_t>(info.shape, info.shape + info.rank))),
        dtype_(py::module_::import("numpy").attr("dtype")(NumpyName(info.element))) {}

  py::object operator()() const { return make_(shape_, dtype_); }

 private:
  py::object make_;
  py::tuple shape_;
  py::object dtype_;
};

/// Functions about checkpoint files, in checkpoints.cc.
void DefineCheckpoints(py::module_& module);

}  // namespace python
}  // namespace plumb

#endif  // PLUMB_RUNTIME_PYTHON_ARRAYS_H_
