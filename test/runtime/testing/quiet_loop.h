// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shows that a device loop, while its data is ready, neither allocates nor locks nor calls the system. The loop runs in
// a child process under seccomp's strict mode, in which any system call but read, write and exit ends it at once; calls
// of malloc and pthread_mutex_lock are counted.

#ifndef PLUMB_TEST_RUNTIME_TESTING_QUIET_LOOP_H_
#define PLUMB_TEST_RUNTIME_TESTING_QUIET_LOOP_H_

#include <cstdint>

#include "runtime/executable/executable.h"

namespace plumb {
namespace testing {

/// What a loop did besides its steps.
struct Noise {
  bool system_call = false;  // one that ended it
  uint64_t steps = 0;
  uint64_t allocations = 0;
  uint64_t locks = 0;
  uint64_t host_calls = 0;  // of wait_batch and wait_report
};

/// Runs `steps` steps of a loop on queues full of zeros (batches need not make sense) and variables of zeros.
Noise RunQuietly(const Executable& executable, size_t loop, uint64_t steps);

}  // namespace testing
}  // namespace plumb

#endif  // PLUMB_TEST_RUNTIME_TESTING_QUIET_LOOP_H_
