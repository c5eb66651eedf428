// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Command lines of the runtime's tools: `--name=value` or `--name value`, switches without a value, and operands.

#ifndef PLUMB_RUNTIME_TOOLS_ARGUMENTS_H_
#define PLUMB_RUNTIME_TOOLS_ARGUMENTS_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace plumb {

/// Exit codes of every tool; those from 3 on are plumb-run's, when training has begun.
enum ExitCode { kExitOk = 0, kExitFailure = 1, kExitUsage = 2, kExitStopped = 3, kExitGuard = 4, kExitData = 5 };

/// One flag that a tool knows.
struct FlagSpec {
  const char* name;  // with its dashes
  bool takes_value;
};

/// A parsed command line.
class Arguments {
 public:
  /// Fails on a flag that is not in `known`, a missing value and a value too many. `--` ends the flags.
  static absl::StatusOr<Arguments> Parse(int argc, const char* const* argv, const std::vector<FlagSpec>& known);

  const std::vector<std::string>& operands() const { return operands_; }
  bool Has(const std::string& flag) const { return values_.count(flag) != 0; }
  /// All values of a flag in order; the last one of a flag that makes sense only once counts.
  std::vector<std::string> All(const std::string& flag) const;
  std::string Get(const std::string& flag, const std::string& fallback) const;
  /// Fails, naming the flag, on what is not a number.
  absl::StatusOr<int64_t> GetInt(const std::string& flag, int64_t fallback) const;
  absl::StatusOr<uint64_t> GetUInt(const std::string& flag, uint64_t fallback) const;

 private:
  std::map<std::string, std::vector<std::string>> values_;
  std::vector<std::string> operands_;
};

/// Answers --help and --version on stdout; true if there was one of them.
bool AnswerCommon(const Arguments& arguments, const char* tool, const char* help);

/// Says `tool: error: message` on stderr and returns kExitFailure.
int Fail(const char* tool, const absl::Status& status);
/// The same with a hint at --help; returns kExitUsage.
int FailUsage(const char* tool, const absl::Status& status);

}  // namespace plumb

#endif  // PLUMB_RUNTIME_TOOLS_ARGUMENTS_H_
