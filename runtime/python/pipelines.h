// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Data pipelines of the runtime's own.

#ifndef PLUMB_RUNTIME_PYTHON_PIPELINES_H_
#define PLUMB_RUNTIME_PYTHON_PIPELINES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/api/plumb/runtime.h"
#include "runtime/python/arrays.h"

namespace plumb {
namespace python {

/// A data pipeline; keeps the arrays it was given alive until it has read them.
class Pipeline {
 public:
  Pipeline(const std::string& json, const py::dict& arrays, uint64_t seed);
  Pipeline(const Pipeline&) = delete;
  ~Pipeline() { Destroy(); }

  /// The next batch, or None at the end of a pass.
  py::object Next();
  int64_t Size();
  /// Gives the handle away; the object is empty afterwards.
  plumb_pipeline_t* Release();

 private:
  void Destroy();

  plumb_pipeline_t* handle_ = nullptr;
  std::vector<View> arrays_;
};

void DefinePipelines(py::module_& module);

}  // namespace python
}  // namespace plumb

#endif  // PLUMB_RUNTIME_PYTHON_PIPELINES_H_
