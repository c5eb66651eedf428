// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A hand-written executable whose step computes nothing: it pulls a batch, reports one number and repeats, by the
// same protocol as compiled loops. plumb-bench measures with it what an iteration costs before any compute.

#ifndef PLUMB_RUNTIME_TOOLS_EMPTY_LOOP_H_
#define PLUMB_RUNTIME_TOOLS_EMPTY_LOOP_H_

#include <memory>

#include "absl/status/statusor.h"
#include "runtime/executable/executable.h"

namespace plumb {

/// An executable with one loop, "empty", one queue, "data", of one f32 column, and one report, "value".
absl::StatusOr<std::shared_ptr<const Executable>> MakeEmptyExecutable();

}  // namespace plumb

#endif  // PLUMB_RUNTIME_TOOLS_EMPTY_LOOP_H_
