// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// plumb-bench: how fast an executable trains and what it costs.

#ifndef PLUMB_RUNTIME_TOOLS_BENCH_H_
#define PLUMB_RUNTIME_TOOLS_BENCH_H_

namespace plumb {

/// The whole tool: returns the exit code.
int BenchMain(int argc, const char* const* argv);

}  // namespace plumb

#endif  // PLUMB_RUNTIME_TOOLS_BENCH_H_
