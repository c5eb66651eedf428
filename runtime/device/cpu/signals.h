// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Signal handlers run on the host's threads only: a handler on a device's thread would delay the middle of a step.
// Faults and profilers' timers stay unblocked, since they concern the thread that they interrupt.

#ifndef PLUMB_RUNTIME_DEVICE_CPU_SIGNALS_H_
#define PLUMB_RUNTIME_DEVICE_CPU_SIGNALS_H_

#include <pthread.h>
#include <signal.h>

namespace plumb {

/// Blocks all other signals on the calling thread.
inline void BlockSignals() {
  sigset_t all;
  sigfillset(&all);
  for (int unblocked : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGPROF}) sigdelset(&all, unblocked);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
}

}  // namespace plumb

#endif  // PLUMB_RUNTIME_DEVICE_CPU_SIGNALS_H_
