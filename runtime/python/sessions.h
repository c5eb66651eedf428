// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs of an executable.

#ifndef PLUMB_RUNTIME_PYTHON_SESSIONS_H_
#define PLUMB_RUNTIME_PYTHON_SESSIONS_H_

#include "runtime/python/arrays.h"

namespace plumb {
namespace python {

/// The class of a run: variables, data, launches, guards, watches, checkpoints.
void DefineSessions(py::module_& module);

}  // namespace python
}  // namespace plumb

#endif  // PLUMB_RUNTIME_PYTHON_SESSIONS_H_
