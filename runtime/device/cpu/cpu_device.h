// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CPU as a device: a thread runs a launch while the host continues, as a stream does on an accelerator. Devices
// take their threads from a common pool, for the time of a launch; the pool has as many threads as launches have ever
// run at one time.

#ifndef PLUMB_RUNTIME_DEVICE_CPU_CPU_DEVICE_H_
#define PLUMB_RUNTIME_DEVICE_CPU_CPU_DEVICE_H_

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/device/cpu/thread_pool.h"
#include "runtime/device/device.h"

namespace plumb {

class DeviceThread;
class DeviceThreads;

class CpuDevice : public Device {
 public:
  /// See DeviceFactory. The threads that run launches end with the last device.
  static absl::StatusOr<std::unique_ptr<Device>> Create(Doorbell* doorbell, uint32_t threads);
  ~CpuDevice() override;

  absl::string_view name() const override { return "cpu"; }
  uint32_t threads() const override { return thread_count_; }
  absl::StatusOr<std::unique_ptr<DeviceMemory>> Allocate(uint64_t bytes, const char* what) override;
  absl::Status CopyIn(DeviceMemory& to, uint64_t offset, absl::Span<const uint8_t> from) override;
  absl::Status CopyOut(const DeviceMemory& from, uint64_t offset, absl::Span<uint8_t> to) override;
  absl::Status Share(absl::Span<uint8_t>) override { return absl::OkStatus(); }
  /// Fails when the system cannot start a thread.
  absl::Status Start(const DeviceLoop& loop, plumb_launch_t* launch) override;
  /// Runs the loop on the calling thread.
  absl::Status Run(const DeviceLoop& loop, plumb_launch_t* launch) override;
  bool Idle() override;
  void Wait() override;
  /// Always OK: a fault of the processor ends the process.
  absl::Status Fault() const override { return absl::OkStatus(); }

 private:
  CpuDevice(std::shared_ptr<DeviceThreads> threads, Doorbell* doorbell, uint32_t thread_count, bool takes_fewer);
  absl::Status PrepareTasks(const DeviceLoop& loop, plumb_launch_t* launch);
  static void RunTasks(plumb_launch_t* launch, const plumb_task_t* tasks, uint64_t count, const void* arguments);

  std::shared_ptr<DeviceThreads> threads_;
  Doorbell* doorbell_;
  uint32_t thread_count_;
  bool takes_fewer_;                       // the default number of threads: if the system cannot start them, one runs
  std::shared_ptr<ThreadPool> pool_;       // null until a launch needs workers
  std::unique_ptr<DeviceThread> running_;  // null: idle
};

}  // namespace plumb

#endif  // PLUMB_RUNTIME_DEVICE_CPU_CPU_DEVICE_H_
