// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors in the runtime are absl::Status values; nothing aborts or throws. Debian's Abseil has no macros for them, so
// here they are, with one helper that says in which noun (file, queue, parameter) something failed.
#ifndef PLUMB_RUNTIME_BASE_STATUS_H_
#define PLUMB_RUNTIME_BASE_STATUS_H_

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

// Leaves the function with the status of `expression` unless that is ok.
#define PLUMB_RETURN_IF_ERROR(expression)                    \
  do {                                                       \
    absl::Status plumb_status_value = (expression);          \
    if (!plumb_status_value.ok()) return plumb_status_value; \
  } while (false)

// Puts the value of a StatusOr into `target` (a declaration or an lvalue), or leaves the function with its status.
#define PLUMB_ASSIGN_OR_RETURN(target, expression) \
  PLUMB_ASSIGN_OR_RETURN_IMPL_(PLUMB_CONCAT_(plumb_status_or_, __LINE__), target, expression)

#define PLUMB_CONCAT_IMPL_(a, b) a##b
#define PLUMB_CONCAT_(a, b) PLUMB_CONCAT_IMPL_(a, b)
#define PLUMB_ASSIGN_OR_RETURN_IMPL_(result, target, expression) \
  auto result = (expression);                                    \
  if (!result.ok()) return std::move(result).status();           \
  target = std::move(result).value()

namespace plumb {

// The same error with "`context`: " before its message; ok stays ok.
inline absl::Status Annotate(const absl::Status& status, absl::string_view context) {
  if (status.ok()) return status;
  return absl::Status(status.code(), absl::StrCat(context, ": ", status.message()));
}

}  // namespace plumb

#endif  // PLUMB_RUNTIME_BASE_STATUS_H_
