// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many threads a step may use to advantage on this machine.

#ifndef PLUMB_RUNTIME_DEVICE_CPU_CORES_H_
#define PLUMB_RUNTIME_DEVICE_CPU_CORES_H_

#include <cstdint>

namespace plumb {

/// Cores on which this process may run: hyperthreads of one core count once, and a limit of the container's on processor
/// time counts as its whole cores. At least 1.
uint32_t CountCores();

/// What PLUMB_THREADS says; CountCores() where it says nothing or 0.
uint32_t DefaultThreads();

}  // namespace plumb

#endif  // PLUMB_RUNTIME_DEVICE_CPU_CORES_H_
