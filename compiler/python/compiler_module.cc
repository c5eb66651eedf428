// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// plumb._compiler: the compiler's C API for Python. One function compiles text to bytes; what the compiler has to say
// about the source comes back as the exception's text, rendered and located.

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "compiler/api/plumb/compiler.h"

namespace py = pybind11;

namespace {

struct SessionDeleter {
  void operator()(plumbc_session_t *session) const { plumbc_session_destroy(session); }
};
struct OutputDeleter {
  void operator()(plumbc_output_t *output) const { plumbc_output_destroy(output); }
};
using Session = std::unique_ptr<plumbc_session_t, SessionDeleter>;
using Output = std::unique_ptr<plumbc_output_t, OutputDeleter>;

/// Collects diagnostics; warnings and remarks without an error are dropped by the caller.
void Collect(plumbc_severity_t, const char *text, size_t size, void *user) {
  static_cast<std::string *>(user)->append(text, size);
}

/// Throws RuntimeError with the diagnostics, or the error's own message where there are none, and with their kind.
void ThrowIfError(plumbc_error_t *error, const std::string &diagnostics, const plumbc_session_t *session) {
  if (!error)
    return;
  std::string message = diagnostics.empty() ? plumbc_error_message(error) : diagnostics;
  plumbc_error_destroy(error);
  while (!message.empty() && message.back() == '\n')
    message.pop_back();
  py::object problem = py::reinterpret_borrow<py::object>(PyExc_RuntimeError)(message);
  problem.attr("kind") = plumbc_session_error_kind(session);
  PyErr_SetObject(PyExc_RuntimeError, problem.ptr());
  throw py::error_already_set();
}

/// What the compiler asks while it compiles, and the answer that it still reads.
struct Live {
  py::object answer;
  std::string reply;
};

/// Called on a thread of the compiler, which holds no lock of Python.
const char *Ask(const char *request, size_t size, void *user) {
  Live &live = *static_cast<Live *>(user);
  py::gil_scoped_acquire locked;
  try {
    live.reply = live.answer(py::str(request, size)).cast<std::string>();
  } catch (const py::error_already_set &) {
    live.reply.clear();
  } catch (const py::cast_error &) {
    live.reply.clear();
  }
  return live.reply.c_str();
}

/// Compiles `source` with the GIL released; the compiler takes it where it asks `answer`.
py::bytes Compile(const std::string &source, const std::string &name, const std::vector<std::string> &flags,
                  const py::object &answer) {
  std::string diagnostics;
  Session session(plumbc_session_create());
  plumbc_session_set_diagnostics(session.get(), &Collect, &diagnostics);
  Live live{answer, ""};
  if (!answer.is_none())
    plumbc_session_set_python(session.get(), &Ask, &live);
  std::vector<const char *> spelled;
  for (const std::string &flag : flags)
    spelled.push_back(flag.c_str());
  ThrowIfError(plumbc_session_set_flags(session.get(), static_cast<int>(spelled.size()), spelled.data()), diagnostics,
               session.get());
  plumbc_output_t *made = nullptr;
  plumbc_error_t *error = nullptr;
  {
    py::gil_scoped_release unlocked;
    error = plumbc_compile_buffer(session.get(), name.c_str(), source.data(), source.size(), &made);
  }
  ThrowIfError(error, diagnostics, session.get());
  Output output(made);
  size_t size = 0;
  const char *data = plumbc_output_data(output.get(), &size);
  return py::bytes(data, size);
}

} // namespace

PYBIND11_MODULE(_compiler, module) {
  module.doc() = "Plumb's compiler, over its C API.";
  module.def("version", &plumbc_version, "The compiler's version.");
  module.def("compile", &Compile, py::arg("source"), py::arg("name"), py::arg("flags"), py::arg("answer") = py::none(),
             "Compiles MLIR text with plumbc's flags; returns the output's bytes, raises RuntimeError with located "
             "diagnostics, whose kind is the error's attribute `kind`. `answer` takes and returns a line of JSON: what "
             "the compiler has Python compute.");
}
