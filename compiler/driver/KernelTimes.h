// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times of an executable's kernels on this machine: plumb-bench runs it, as the compiler has no runtime.

#ifndef PLUMB_COMPILER_DRIVER_KERNELTIMES_H
#define PLUMB_COMPILER_DRIVER_KERNELTIMES_H

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

namespace plumb {

/// What a run of an executable with timers said.
struct KernelTimes {
  double stepMicroseconds = 0;
  /// By kernel: ticks of one call, the median of the last thousand.
  llvm::StringMap<double> ticks;
};

/// Runs executables with timers under the plumb-bench beside this program, or else the first one on PATH.
class KernelBench {
public:
  static llvm::Expected<KernelBench> find();

  /// Runs `steps` steps of the executable at `path`, on resident batches of its own data.
  llvm::Expected<KernelTimes> run(llvm::StringRef path, int64_t steps) const;

private:
  std::string program;
};

} // namespace plumb

#endif // PLUMB_COMPILER_DRIVER_KERNELTIMES_H
