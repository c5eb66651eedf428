// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many threads of this machine a step can use.

#ifndef PLUMB_RUNTIME_DEVICE_CPU_CORES_H_
#define PLUMB_RUNTIME_DEVICE_CPU_CORES_H_

#include <cstdint>

namespace plumb {

/// Cores on which this process may run, at least 1. Hyperthreads of one core count once. Where a container limits
/// processor time, the result is at most that many cores, rounded down.
uint32_t CountCores();

/// The number in the environment variable PLUMB_THREADS; CountCores() if it is not set to a positive number.
uint32_t DefaultThreads();

}  // namespace plumb

#endif  // PLUMB_RUNTIME_DEVICE_CPU_CORES_H_
