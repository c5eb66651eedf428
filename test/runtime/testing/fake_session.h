// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fake loops as an executable, and sessions on it.

#ifndef PLUMB_TEST_RUNTIME_TESTING_FAKE_SESSION_H_
#define PLUMB_TEST_RUNTIME_TESTING_FAKE_SESSION_H_

#include <memory>

#include "absl/status/statusor.h"
#include "runtime/session/session.h"
#include "test/runtime/testing/fake_loops.h"

namespace plumb {
namespace testing {

/// The executable of a manifest that fits the loops.
std::shared_ptr<const Executable> MakeExecutable(const abi::ManifestT& manifest = MakeManifest());

/// A session on it; or why there is none.
absl::StatusOr<std::unique_ptr<Session>> CreateSession(const SessionOptions& options = {},
                                                       const abi::ManifestT& manifest = MakeManifest());

}  // namespace testing
}  // namespace plumb

#endif  // PLUMB_TEST_RUNTIME_TESTING_FAKE_SESSION_H_
