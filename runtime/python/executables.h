// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loaded executables.

#ifndef PLUMB_RUNTIME_PYTHON_EXECUTABLES_H_
#define PLUMB_RUNTIME_PYTHON_EXECUTABLES_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/api/plumb/runtime.h"
#include "runtime/python/arrays.h"

namespace plumb {
namespace python {

/// A loaded executable.
class Executable {
 public:
  Executable(const std::string& code, const std::string& name);
  /// A file; with a key, one that its owner signed.
  static std::shared_ptr<Executable> LoadFile(const std::string& path, const std::optional<std::string>& public_key);
  Executable(const Executable&) = delete;
  ~Executable() { plumb_executable_destroy(handle_); }

  plumb_executable_t* handle() const { return handle_; }
  std::vector<std::string> Variables() const;
  const plumb_loop_info_t& Loop(const std::string& name) const;

 private:
  Executable() = default;

  plumb_executable_t* handle_ = nullptr;
};

void DefineExecutables(py::module_& module);

}  // namespace python
}  // namespace plumb

#endif  // PLUMB_RUNTIME_PYTHON_EXECUTABLES_H_
