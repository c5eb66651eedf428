// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/tools/interrupt.h"

#include <unistd.h>

#include <atomic>
#include <cstring>

namespace plumb {
namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};
constexpr size_t kSignalCount = 3;

std::atomic<Session*> interrupted_session{nullptr};
std::atomic<int> interrupting_signal{0};

void OnInterrupt(int number) {
  if (interrupting_signal.exchange(number) != 0) {
    std::signal(number, SIG_DFL);
    raise(number);
    return;
  }
  if (Session* session = interrupted_session.load()) session->RequestStop();
}

}  // namespace

void IgnoreWriteSignals() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

InterruptGuard::InterruptGuard(Session* session) {
  interrupting_signal = 0;
  interrupted_session = session;
  for (size_t i = 0; i < kSignalCount; ++i) {
    struct sigaction action;
    std::memset(&action, 0, sizeof(action));
    action.sa_handler = OnInterrupt;
    action.sa_flags = static_cast<int>(SA_RESTART | SA_NODEFER);
    sigaction(kSignals[i], &action, &before_[i]);
    // What nohup started goes on when its terminal is closed.
    if (kSignals[i] == SIGHUP && before_[i].sa_handler == SIG_IGN) sigaction(SIGHUP, &before_[i], nullptr);
  }
}

InterruptGuard::~InterruptGuard() {
  for (size_t i = 0; i < kSignalCount; ++i) sigaction(kSignals[i], &before_[i], nullptr);
  interrupted_session = nullptr;
}

int InterruptGuard::signal() { return interrupting_signal; }

}  // namespace plumb
