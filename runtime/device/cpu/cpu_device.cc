// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/device/cpu/cpu_device.h"

#include <pthread.h>

#include <condition_variable>
#include <exception>
#include <mutex>
#include <new>
#include <thread>
#include <utility>
#include <vector>

#include "runtime/device/cpu/signals.h"

namespace plumb {

/// One thread that runs launches, one at a time.
class DeviceThread {
 public:
  /// Throws std::system_error when the system gives no thread.
  DeviceThread() : thread_([this] { Run(); }) {}

  ~DeviceThread() {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      leaving_ = true;
      changed_.notify_all();
    }
    thread_.join();
  }

  void Start(plumb_loop_fn loop, plumb_launch_t* launch, Doorbell* doorbell) {
    std::lock_guard<std::mutex> lock(mutex_);
    loop_ = loop;
    launch_ = launch;
    doorbell_ = doorbell;
    changed_.notify_all();
  }

  bool Idle() {
    std::lock_guard<std::mutex> lock(mutex_);
    return loop_ == nullptr;
  }

  void WaitUntilIdle() {
    std::unique_lock<std::mutex> lock(mutex_);
    ended_.wait(lock, [this] { return loop_ == nullptr; });
  }

 private:
  void Run() {
    BlockSignals();
    pthread_setname_np(pthread_self(), "plumb-device");
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return loop_ != nullptr || leaving_; });
      if (loop_ == nullptr) return;
      plumb_loop_fn loop = loop_;
      lock.unlock();
      loop(launch_);
      lock.lock();
      loop_ = nullptr;
      // Under the lock: as soon as the device is seen idle, the bell may go.
      doorbell_->Ring();
      ended_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_, ended_;
  plumb_loop_fn loop_ = nullptr;  // null: idle
  plumb_launch_t* launch_ = nullptr;
  Doorbell* doorbell_ = nullptr;
  bool leaving_ = false;
  std::thread thread_;  // last: it uses what stands above
};

/// The idle threads of the process.
class DeviceThreads {
 public:
  /// Those that all devices share.
  static std::shared_ptr<DeviceThreads> Share() {
    static std::mutex mutex;
    static std::weak_ptr<DeviceThreads> shared;
    std::lock_guard<std::mutex> lock(mutex);
    std::shared_ptr<DeviceThreads> threads = shared.lock();
    if (threads == nullptr) shared = threads = std::make_shared<DeviceThreads>();
    return threads;
  }

  /// An idle thread, or else a new one; null when the system gives none.
  std::unique_ptr<DeviceThread> Take() {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      if (!idle_.empty()) {
        std::unique_ptr<DeviceThread> thread = std::move(idle_.back());
        idle_.pop_back();
        return thread;
      }
    }
    try {
      return std::make_unique<DeviceThread>();
    } catch (const std::exception&) {
      return nullptr;
    }
  }

  /// Keeps the thread for the next launch; where there is no memory to note it, the thread ends.
  void GiveBack(std::unique_ptr<DeviceThread> thread) noexcept {
    std::lock_guard<std::mutex> lock(mutex_);
    try {
      idle_.reserve(idle_.size() + 1);
    } catch (const std::bad_alloc&) {
      return;
    }
    idle_.push_back(std::move(thread));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<DeviceThread>> idle_;
};

CpuDevice::CpuDevice(std::shared_ptr<DeviceThreads> threads, Doorbell* doorbell)
    : threads_(std::move(threads)), doorbell_(doorbell) {}

absl::StatusOr<std::unique_ptr<CpuDevice>> CpuDevice::Create(Doorbell* doorbell) {
  return std::unique_ptr<CpuDevice>(new CpuDevice(DeviceThreads::Share(), doorbell));
}

CpuDevice::~CpuDevice() {
  if (running_ == nullptr) return;
  running_->WaitUntilIdle();
  threads_->GiveBack(std::move(running_));
}

absl::Status CpuDevice::Start(plumb_loop_fn loop, plumb_launch_t* launch) {
  running_ = threads_->Take();
  if (running_ == nullptr) return absl::ResourceExhaustedError("the system gives no thread for the CPU device");
  running_->Start(loop, launch, doorbell_);
  return absl::OkStatus();
}

bool CpuDevice::Idle() {
  if (running_ != nullptr && running_->Idle()) threads_->GiveBack(std::move(running_));
  return running_ == nullptr;
}

}  // namespace plumb
