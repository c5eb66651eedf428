// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// plumb-run: trains (or evaluates) with an executable. The same behaviour stands behind a program that --emit=exe
// linked.

#ifndef PLUMB_RUNTIME_TOOLS_RUN_H_
#define PLUMB_RUNTIME_TOOLS_RUN_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "runtime/executable/executable.h"
#include "runtime/tools/arguments.h"

namespace plumb {

/// The whole tool: parses, loads the executable that the operand names, runs, returns the exit code.
int RunMain(int argc, const char* const* argv);

/// What differs between plumb-run and a program with its executable inside.
struct TrainingTool {
  std::string name;
  bool takes_file = false;      // one operand
  std::vector<FlagSpec> flags;  // besides those of all
  std::string help;             // lines about them
  std::function<absl::StatusOr<std::shared_ptr<const Executable>>(const Arguments& arguments)> load;
};
int RunTrainingTool(int argc, const char* const* argv, const TrainingTool& tool);

/// The same for an executable that is part of this program, which takes no operand and calls itself `tool`.
int RunLinkedMain(int argc, const char* const* argv, const char* tool, plumb_executable_query_fn query,
                  absl::Span<const uint8_t> manifest);

}  // namespace plumb

#endif  // PLUMB_RUNTIME_TOOLS_RUN_H_
