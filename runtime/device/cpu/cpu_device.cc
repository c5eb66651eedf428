// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/device/cpu/cpu_device.h"

#include <pthread.h>

#include <condition_variable>
#include <cstring>
#include <exception>
#include <mutex>
#include <new>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/base/aligned_buffer.h"
#include "runtime/base/status.h"
#include "runtime/device/cpu/cores.h"
#include "runtime/device/cpu/signals.h"

namespace plumb {

/// One thread that runs launches, one at a time.
class DeviceThread {
 public:
  /// Throws std::system_error when the system cannot start a thread.
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
      // Under the lock: the doorbell may be destroyed as soon as its owner sees that the device is idle.
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
  std::thread thread_;  // declared last, since it uses the other members
};

/// A pool of threads that wait for launches.
class DeviceThreads {
 public:
  /// The pool that all devices of the process share.
  static std::shared_ptr<DeviceThreads> Share() {
    static std::mutex mutex;
    static std::weak_ptr<DeviceThreads> shared;
    std::lock_guard<std::mutex> lock(mutex);
    std::shared_ptr<DeviceThreads> threads = shared.lock();
    if (threads == nullptr) shared = threads = std::make_shared<DeviceThreads>();
    return threads;
  }

  /// An idle thread, or else a new one; null when the system cannot start one.
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

  /// Keeps the thread for the next launch, or ends it when there is no memory for an entry.
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

namespace {

/// Memory of the host process, which the device uses in place.
class CpuMemory : public DeviceMemory {
 public:
  explicit CpuMemory(AlignedBuffer buffer) : buffer_(std::move(buffer)) {}
  uint8_t* address() const override { return const_cast<uint8_t*>(buffer_.data()); }
  uint64_t size() const override { return buffer_.size(); }
  absl::Span<uint8_t> host_view() override { return buffer_.span(); }

 private:
  AlignedBuffer buffer_;
};

}  // namespace

CpuDevice::CpuDevice(std::shared_ptr<DeviceThreads> threads, Doorbell* doorbell, uint32_t thread_count,
                     bool takes_fewer)
    : threads_(std::move(threads)), doorbell_(doorbell), thread_count_(thread_count), takes_fewer_(takes_fewer) {}

absl::StatusOr<std::unique_ptr<Device>> CpuDevice::Create(Doorbell* doorbell, uint32_t threads) {
  const bool takes_fewer = threads == 0;
  if (takes_fewer) threads = DefaultThreads();
  if (threads > ThreadPool::kMaxThreads) {
    return absl::InvalidArgumentError(
        absl::StrCat("a step runs on 1 to ", ThreadPool::kMaxThreads, " threads, not on ", threads));
  }
  return std::unique_ptr<Device>(new CpuDevice(DeviceThreads::Share(), doorbell, threads, takes_fewer));
}

CpuDevice::~CpuDevice() {
  Wait();
  if (pool_ != nullptr) pool_->Quiesce();
}

absl::StatusOr<std::unique_ptr<DeviceMemory>> CpuDevice::Allocate(uint64_t bytes, const char* what) {
  PLUMB_ASSIGN_OR_RETURN(AlignedBuffer buffer, AlignedBuffer::Create(bytes, what));
  return std::unique_ptr<DeviceMemory>(std::make_unique<CpuMemory>(std::move(buffer)));
}

absl::Status CpuDevice::CopyIn(DeviceMemory& to, uint64_t offset, absl::Span<const uint8_t> from) {
  if (!from.empty()) std::memcpy(to.address() + offset, from.data(), from.size());
  return absl::OkStatus();
}

absl::Status CpuDevice::CopyOut(const DeviceMemory& from, uint64_t offset, absl::Span<uint8_t> to) {
  if (!to.empty()) std::memcpy(to.data(), from.address() + offset, to.size());
  return absl::OkStatus();
}

void CpuDevice::RunTasks(plumb_launch_t* launch, const plumb_task_t* tasks, uint64_t count, const void* arguments) {
  const auto* device = static_cast<CpuDevice*>(static_cast<DeviceContext*>(launch->host)->device);
  device->pool_->Run(device->thread_count_, tasks, count, arguments);
}

/// Sets up worker threads for loops that have tasks. Others, such as single operations of eager mode, start no thread.
absl::Status CpuDevice::PrepareTasks(const DeviceLoop& loop, plumb_launch_t* launch) {
  if (thread_count_ < 2 || !loop.has_tasks) return absl::OkStatus();
  if (pool_ == nullptr) {
    auto shared = ThreadPool::Share(thread_count_);
    if (!shared.ok() && takes_fewer_) {
      thread_count_ = 1;
      return absl::OkStatus();
    }
    PLUMB_ASSIGN_OR_RETURN(pool_, std::move(shared));
  }
  launch->parallel = &RunTasks;
  return absl::OkStatus();
}

absl::Status CpuDevice::Start(const DeviceLoop& loop, plumb_launch_t* launch) {
  PLUMB_RETURN_IF_ERROR(PrepareTasks(loop, launch));
  running_ = threads_->Take();
  if (running_ == nullptr) return absl::ResourceExhaustedError("the system gives no thread for the CPU device");
  running_->Start(loop.run, launch, doorbell_);
  return absl::OkStatus();
}

absl::Status CpuDevice::Run(const DeviceLoop& loop, plumb_launch_t* launch) {
  PLUMB_RETURN_IF_ERROR(PrepareTasks(loop, launch));
  loop.run(launch);
  return absl::OkStatus();
}

bool CpuDevice::Idle() {
  if (running_ != nullptr && running_->Idle()) threads_->GiveBack(std::move(running_));
  return running_ == nullptr;
}

void CpuDevice::Wait() {
  if (running_ == nullptr) return;
  running_->WaitUntilIdle();
  threads_->GiveBack(std::move(running_));
}

}  // namespace plumb
