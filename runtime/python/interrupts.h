// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ctrl-C while the device runs.

#ifndef PLUMB_RUNTIME_PYTHON_INTERRUPTS_H_
#define PLUMB_RUNTIME_PYTHON_INTERRUPTS_H_

#include <atomic>
#include <cstdint>

#include "runtime/api/plumb/runtime.h"

namespace plumb {
namespace python {

/// SIGINT taken over while at least one of these lives; it stops the session of each.
class InterruptGuard {
 public:
  explicit InterruptGuard(plumb_session_t* session);
  InterruptGuard(const InterruptGuard&) = delete;
  ~InterruptGuard();

  /// Whether SIGINT came since this was made.
  bool WasInterrupted() const;

 private:
  const uint32_t before_;
  std::atomic<plumb_session_t*>* entry_ = nullptr;  // null where there are too many launches: SIGINT ends this one last
};

}  // namespace python
}  // namespace plumb

#endif  // PLUMB_RUNTIME_PYTHON_INTERRUPTS_H_
