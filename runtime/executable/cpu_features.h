// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Does this processor run that code? Features go by LLVM's names, as the manifest lists them. On x86, a feature
// counts only when the operating system also saves its registers (XCR0), as LLVM's own host detection has it.

#ifndef PLUMB_RUNTIME_EXECUTABLE_CPU_FEATURES_H_
#define PLUMB_RUNTIME_EXECUTABLE_CPU_FEATURES_H_

#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace plumb {

/// The features of this machine's processor, which the first call detects.
const std::set<std::string>& HostCpuFeatures();

/// Fails, naming all that is missing, unless `host` has every feature of `required`.
absl::Status CheckCpuFeatures(const std::vector<std::string>& required, const std::set<std::string>& host);

/// Fails unless code for `triple` (x86_64-unknown-linux-gnu, …) runs on this machine and system.
absl::Status CheckTargetTriple(absl::string_view triple);

}  // namespace plumb

#endif  // PLUMB_RUNTIME_EXECUTABLE_CPU_FEATURES_H_
