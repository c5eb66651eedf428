// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime throws nothing itself, but the C++ library does when the system has no memory or no thread to give. This
// is the one place that turns such exceptions into statuses: around calls of the C API, bodies of threads, callbacks of
// device loops.

#ifndef PLUMB_RUNTIME_BASE_EXCEPTIONS_H_
#define PLUMB_RUNTIME_BASE_EXCEPTIONS_H_

#include <exception>
#include <new>
#include <system_error>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace plumb {

/// For the handler of an exception: the status that says what was thrown. Where there is no memory even for its
/// message, it is ResourceExhausted without one, which needs none.
inline absl::Status StatusOfException() noexcept {
  try {
    try {
      throw;
    } catch (const std::bad_alloc&) {
      return absl::ResourceExhaustedError("out of memory");
    } catch (const std::system_error& error) {
      if (error.code() == std::errc::resource_unavailable_try_again) {
        return absl::ResourceExhaustedError("the system gives no more threads");
      }
      return absl::InternalError(error.what());
    } catch (const std::exception& error) {
      return absl::InternalError(error.what());
    } catch (...) {
      return absl::InternalError("an unknown exception");
    }
  } catch (...) {
    return absl::Status(absl::StatusCode::kResourceExhausted, "");
  }
}

/// Runs `body`, which returns absl::Status (or a StatusOr); an exception becomes its status.
template <typename Body>
auto CatchExceptions(Body&& body) noexcept -> decltype(body()) {
  try {
    return body();
  } catch (...) {
    return StatusOfException();
  }
}

}  // namespace plumb

#endif  // PLUMB_RUNTIME_BASE_EXCEPTIONS_H_
