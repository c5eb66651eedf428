// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CPU as a device: a thread that runs a launch while the host goes on. It is to the host what a stream is on an
// accelerator. Devices share their threads: one has a thread while it runs a launch, and as many threads exist as have ever
// run launches at the same time.

#ifndef PLUMB_RUNTIME_DEVICE_CPU_CPU_DEVICE_H_
#define PLUMB_RUNTIME_DEVICE_CPU_CPU_DEVICE_H_

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/abi/executable_abi.h"
#include "runtime/base/doorbell.h"

namespace plumb {

class DeviceThread;
class DeviceThreads;

class CpuDevice {
 public:
  /// `doorbell`, which outlives the device, rings when a launch has ended.
  static absl::StatusOr<std::unique_ptr<CpuDevice>> Create(Doorbell* doorbell);
  /// Waits for the launch that runs. The threads end with the last device.
  ~CpuDevice();

  /// Hands `launch` to `loop` on a device thread; both stay valid until Idle. The device must be idle. Fails when the system
  /// gives no thread.
  absl::Status Start(plumb_loop_fn loop, plumb_launch_t* launch);

  /// True when no launch runs; everything that the last one wrote is then visible.
  bool Idle();

 private:
  CpuDevice(std::shared_ptr<DeviceThreads> threads, Doorbell* doorbell);

  std::shared_ptr<DeviceThreads> threads_;
  Doorbell* doorbell_;
  std::unique_ptr<DeviceThread> running_;  // null: idle
};

}  // namespace plumb

#endif  // PLUMB_RUNTIME_DEVICE_CPU_CPU_DEVICE_H_
