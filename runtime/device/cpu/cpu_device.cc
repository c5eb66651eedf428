// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/device/cpu/cpu_device.h"

#include <pthread.h>

#include <system_error>

#include "absl/status/status.h"
#include "runtime/device/cpu/signals.h"

namespace plumb {
absl::StatusOr<std::unique_ptr<CpuDevice>> CpuDevice::Create(Doorbell* doorbell) {
  std::unique_ptr<CpuDevice> device(new CpuDevice(doorbell));
  try {
    device->thread_ = std::thread([raw = device.get()] { raw->Run(); });
  } catch (const std::system_error& error) {
    return absl::ResourceExhaustedError("the system gives no thread for the CPU device");
  }
  return device;
}

CpuDevice::~CpuDevice() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    leaving_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

void CpuDevice::Start(plumb_loop_fn loop, plumb_launch_t* launch) {
  std::lock_guard<std::mutex> lock(mutex_);
  loop_ = loop;
  launch_ = launch;
  changed_.notify_all();
}

bool CpuDevice::Idle() {
  std::lock_guard<std::mutex> lock(mutex_);
  return loop_ == nullptr;
}

void CpuDevice::Run() {
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
    doorbell_->Ring();
  }
}

}  // namespace plumb
