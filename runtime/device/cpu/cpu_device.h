// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CPU as a device: one thread of its own that runs launches, one at a time, while the host goes on. It is to the host
// what a stream is on an accelerator.

#ifndef PLUMB_RUNTIME_DEVICE_CPU_CPU_DEVICE_H_
#define PLUMB_RUNTIME_DEVICE_CPU_CPU_DEVICE_H_

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

#include "absl/status/statusor.h"
#include "runtime/abi/executable_abi.h"
#include "runtime/base/doorbell.h"

namespace plumb {

class CpuDevice {
 public:
  /// Starts the thread. `doorbell`, which outlives the device, rings when a launch has ended.
  static absl::StatusOr<std::unique_ptr<CpuDevice>> Create(Doorbell* doorbell);
  /// Waits for the launch that runs, then joins.
  ~CpuDevice();

  /// Hands `launch` to `loop` on the device thread; both stay valid until Idle. The device must be idle.
  void Start(plumb_loop_fn loop, plumb_launch_t* launch);

  /// True when no launch runs; everything that the last one wrote is then visible.
  bool Idle();

 private:
  explicit CpuDevice(Doorbell* doorbell) : doorbell_(doorbell) {}
  void Run();

  Doorbell* doorbell_;
  std::mutex mutex_;
  std::condition_variable changed_;
  plumb_loop_fn loop_ = nullptr;  // null: idle
  plumb_launch_t* launch_ = nullptr;
  bool leaving_ = false;
  std::thread thread_;
};

}  // namespace plumb

#endif  // PLUMB_RUNTIME_DEVICE_CPU_CPU_DEVICE_H_
