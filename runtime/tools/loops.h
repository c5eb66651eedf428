// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What plumb-run and plumb-bench ask of an executable before they launch: which loop, fed from where.

#ifndef PLUMB_RUNTIME_TOOLS_LOOPS_H_
#define PLUMB_RUNTIME_TOOLS_LOOPS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/session/session.h"
#include "runtime/tools/arguments.h"

namespace plumb {

const abi::Loop& LoopAt(const Executable& executable, size_t index);

/// True for a loop whose mode is "train".
bool Trains(const abi::Loop& loop);

/// The loop called `name`; if that is empty, the first that trains, else the first.
absl::StatusOr<size_t> ChooseLoop(const Executable& executable, const std::string& name);

/// Name of the queue that a loop pulls from; empty if none.
std::string QueueName(const Executable& executable, const abi::Loop& loop);

/// Checks that each NAME of `data` (see BindLoopData) is a queue.
absl::Status CheckDataNames(Session& session, const std::vector<std::string>& data);

/// Binds the manifest's pipeline of the loop's queue. Each of `data` is NAME=DIR for a queue or DIR for the loop's own;
/// an unknown NAME is an error. `options` holds the rest of what is wanted of the pipeline.
absl::Status BindLoopData(Session& session, size_t loop, const std::vector<std::string>& data, int64_t passes,
                          PipelineOptions options);

/// The value of --threads; 0, which stands for the default, where it is not given.
absl::StatusOr<uint32_t> GetThreads(const Arguments& arguments);

}  // namespace plumb

#endif  // PLUMB_RUNTIME_TOOLS_LOOPS_H_
