// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A bell that one thread rings and another waits for. A ring is remembered until somebody heard it.

#ifndef PLUMB_RUNTIME_BASE_DOORBELL_H_
#define PLUMB_RUNTIME_BASE_DOORBELL_H_

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace plumb {

class Doorbell {
 public:
  void Ring() {
    std::lock_guard<std::mutex> lock(mutex_);
    rung_ = true;
    heard_.notify_all();
  }

  /// Waits for a ring, at most `limit`. True when it rang.
  bool Wait(std::chrono::nanoseconds limit) {
    std::unique_lock<std::mutex> lock(mutex_);
    bool rang = heard_.wait_for(lock, limit, [this] { return rung_; });
    rung_ = false;
    return rang;
  }

 private:
  std::mutex mutex_;
  std::condition_variable heard_;
  bool rung_ = false;
};

}  // namespace plumb

#endif  // PLUMB_RUNTIME_BASE_DOORBELL_H_
