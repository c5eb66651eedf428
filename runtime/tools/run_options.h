// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line of plumb-run.

#ifndef PLUMB_RUNTIME_TOOLS_RUN_OPTIONS_H_
#define PLUMB_RUNTIME_TOOLS_RUN_OPTIONS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/session/session.h"
#include "runtime/tools/arguments.h"
#include "runtime/tools/console.h"
#include "runtime/tools/run_guard.h"
#include "runtime/tools/watcher.h"

namespace plumb {

/// The command line's options, before the executable is known.
struct RunOptions {
  int64_t epochs = -1;    // -1: the program's own
  int64_t sink_size = 0;  // 0: the program's own
  bool sink = true;
  bool json = false;
  bool time = false;
  bool cache = false;
  bool progress = false;
  LogLevel log = LogLevel::kNote;
  std::vector<std::string> data;
  std::string load, names, save, loop;
  bool resume = false;
  RunGuardOptions guard;
  WatcherOptions watcher;
  LoadOptions loading;
  SessionOptions session;
};

/// The flags of every training tool, and the help of one called `tool` with lines about `more` flags.
const std::vector<FlagSpec>& RunFlags();
std::string RunUsage(const std::string& tool, const std::string& more);

absl::StatusOr<RunOptions> ReadRunOptions(const Arguments& arguments);

}  // namespace plumb

#endif  // PLUMB_RUNTIME_TOOLS_RUN_OPTIONS_H_
