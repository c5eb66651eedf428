// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Signals belong to the host's threads: a device thread that is interrupted would run handlers in the middle of a step.
// Faults and profilers' timers are meant for the thread that they meet.

#ifndef PLUMB_RUNTIME_DEVICE_CPU_SIGNALS_H_
#define PLUMB_RUNTIME_DEVICE_CPU_SIGNALS_H_

#include <pthread.h>
#include <signal.h>

namespace plumb {

/// Keeps all signals but those from the calling thread.
inline void BlockSignals() {
  sigset_t all;
  sigfillset(&all);
  for (int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGPROF}) sigdelset(&all, own);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
}

}  // namespace plumb

#endif  // PLUMB_RUNTIME_DEVICE_CPU_SIGNALS_H_
