// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "test/runtime/testing/fake_session.h"

#include <vector>

namespace plumb {
namespace testing {

std::shared_ptr<const Executable> MakeExecutable(const abi::ManifestT& manifest) {
  const std::vector<uint8_t> bytes = PackManifest(manifest);
  return Executable::FromLinked(&plumb_executable_query, bytes).value();
}

absl::StatusOr<std::unique_ptr<Session>> CreateSession(const SessionOptions& options, const abi::ManifestT& manifest) {
  return Session::Create(MakeExecutable(manifest), options);
}

}  // namespace testing
}  // namespace plumb
