// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How calls of the C API come to the session behind a handle: alone, or beside others.

#ifndef PLUMB_RUNTIME_API_SESSION_CALLS_H_
#define PLUMB_RUNTIME_API_SESSION_CALLS_H_

#include "runtime/api/handles.h"

namespace plumb {
namespace api {

inline absl::Status MissingArgument() { return NullArgument("a name, a buffer or an out-parameter"); }

/// Guards `body`, a block that has `session` to itself, against null strings and out-parameters too.
template <typename Body>
plumb_status_t* With(plumb_session_t* session, bool arguments_given, Body&& body) {
  return GuardExclusively(session, "a session", [&]() -> absl::Status {
    return arguments_given ? body(*session->session) : MissingArgument();
  });
}

/// The same for a block that may run beside others.
template <typename Body>
plumb_status_t* Beside(plumb_session_t* session, bool arguments_given, Body&& body) {
  return Guard([&]() -> absl::Status {
    if (session == nullptr) return NullArgument("a session");
    return arguments_given ? body(*session->session) : MissingArgument();
  });
}

}  // namespace api
}  // namespace plumb

#endif  // PLUMB_RUNTIME_API_SESSION_CALLS_H_
