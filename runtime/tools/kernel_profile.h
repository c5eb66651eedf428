// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times of each kernel of an executable that was compiled with --symbols: who is met by samples, beside what the
// compiler noted of its work.

#ifndef PLUMB_RUNTIME_TOOLS_KERNEL_PROFILE_H_
#define PLUMB_RUNTIME_TOOLS_KERNEL_PROFILE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace plumb {

/// A kernel of one loop.
struct KernelProfile {
  std::string name;
  std::string source;
  uint64_t calls = 0;  // in a step
  double flops = 0;    // of a step, as all that follow
  double bytes_read = 0;
  double bytes_written = 0;
  uint64_t begin = 0;  // addresses in the file
  uint64_t end = 0;
  uint64_t timer = 0;  // address in the file of the kernel's own timer; 0: it has none
  uint64_t samples = 0;
  double ticks = 0;  // of one call, the median of the timer; 0: unknown
  double microseconds = 0;
};

/// The kernels of loop `loop` in the executable at `path`, without times. Fails where the file has no table of kernels.
absl::StatusOr<std::vector<KernelProfile>> ReadKernels(const std::string& path, const std::string& loop);

/// A step's times: all kernels, slowest first, and the rest of the step.
struct StepProfile {
  std::vector<KernelProfile> kernels;
  double step_microseconds = 0;
  double step_processor_microseconds = 0;  // of all threads
  double peak_gflops = 0;                  // of one core, for the vectors that the executable uses; 0: unknown
};

/// Sets times from samples, which are addresses in the file, each standing for `microseconds` of a step.
void SetTimes(absl::Span<const uint64_t> samples, double microseconds, std::vector<KernelProfile>& kernels);

/// Sets times from the kernels' own timers after `steps` steps. `base` is added to their addresses, and a tick takes
/// `microseconds`. False, and no time is set, where the kernels have no timers.
bool SetTimesFromTimers(uintptr_t base, int64_t steps, double microseconds, std::vector<KernelProfile>& kernels);

/// Sets the timers of all kernels to no calls.
void ClearTimers(uintptr_t base, const std::vector<KernelProfile>& kernels);

/// The counter that timers read.
uint64_t ReadTickCounter();

/// A table as text, or an object as JSON.
std::string ProfileToText(const StepProfile& profile);
std::string ProfileToJson(const StepProfile& profile);

}  // namespace plumb

#endif  // PLUMB_RUNTIME_TOOLS_KERNEL_PROFILE_H_
