// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/python/interrupts.h"

#include <signal.h>

#include <array>
#include <mutex>

namespace plumb {
namespace python {
namespace {

// Sessions that SIGINT stops, and how often it came. Launches of several threads may overlap.
std::array<std::atomic<plumb_session_t*>, 32> interruptible{};
std::atomic<uint32_t> interrupts{0};

// How many guards live, and what SIGINT did before the first.
std::mutex mutex;
int guards = 0;
struct sigaction previous = {};

void OnInterrupt(int) {
  ++interrupts;
  for (auto& entry : interruptible) {
    if (plumb_session_t* session = entry.load()) plumb_session_request_stop(session);
  }
}

}  // namespace

InterruptGuard::InterruptGuard(plumb_session_t* session) : before_(interrupts) {
  for (auto& entry : interruptible) {
    plumb_session_t* none = nullptr;
    if (!entry.compare_exchange_strong(none, session)) continue;
    entry_ = &entry;
    break;
  }
  std::lock_guard<std::mutex> lock(mutex);
  if (guards++ > 0) return;
  struct sigaction action = {};
  action.sa_handler = &OnInterrupt;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &previous);
}

InterruptGuard::~InterruptGuard() {
  if (entry_) entry_->store(nullptr);
  std::lock_guard<std::mutex> lock(mutex);
  if (--guards == 0) sigaction(SIGINT, &previous, nullptr);
}

bool InterruptGuard::WasInterrupted() const { return interrupts != before_; }

}  // namespace python
}  // namespace plumb
