// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Signals during a run: SIGINT, SIGTERM and SIGHUP end it at the next step, a second one of them ends the program at
// once. SIGPIPE and SIGXFSZ become errors of the write that caused them.

#ifndef PLUMB_RUNTIME_TOOLS_INTERRUPT_H_
#define PLUMB_RUNTIME_TOOLS_INTERRUPT_H_

#include <csignal>

#include "runtime/session/session.h"

namespace plumb {

/// From now on a write to a closed pipe, or beyond the limit of a file's size, is an error of that write and no signal.
void IgnoreWriteSignals();

/// Holds for its lifetime; one at a time.
class InterruptGuard {
 public:
  explicit InterruptGuard(Session* session);
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  /// The signal that asked for the end; 0: none.
  static int signal();

 private:
  struct sigaction before_[3];
};

}  // namespace plumb

#endif  // PLUMB_RUNTIME_TOOLS_INTERRUPT_H_
