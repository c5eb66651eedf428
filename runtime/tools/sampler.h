// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds out where the threads of this process spend their time: each is interrupted at an even pace, and the
// instruction that it was about to run is noted. Needs no privilege and no tool.

#ifndef PLUMB_RUNTIME_TOOLS_SAMPLER_H_
#define PLUMB_RUNTIME_TOOLS_SAMPLER_H_

#include <time.h>

#include <chrono>
#include <cstdint>
#include <vector>

namespace plumb {

/// Samples all threads that exist when it is made, until Stop. One at a time in a process.
class Sampler {
 public:
  explicit Sampler(std::chrono::nanoseconds period);
  ~Sampler();
  Sampler(const Sampler&) = delete;
  Sampler& operator=(const Sampler&) = delete;

  /// Ends sampling; the addresses of instructions that were met, in no order.
  std::vector<uintptr_t> Stop();

  /// Threads that are sampled.
  size_t threads() const { return timers_.size(); }

 private:
  std::vector<timer_t> timers_;
};

}  // namespace plumb

#endif  // PLUMB_RUNTIME_TOOLS_SAMPLER_H_
