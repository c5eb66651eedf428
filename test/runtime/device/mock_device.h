// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A device as an accelerator may be: its memory is out of the host's reach but for copies, everything takes its time,
// and it fails where a test says so.

#ifndef PLUMB_TEST_RUNTIME_DEVICE_MOCK_DEVICE_H_
#define PLUMB_TEST_RUNTIME_DEVICE_MOCK_DEVICE_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "runtime/device/device.h"

namespace plumb {
namespace testing {

struct MockPlan {
  /// The longest of the random delays before and after a launch, in microseconds.
  unsigned delay = 0;
  uint32_t seed = 1;
  /// Which allocation, copy, launch is refused, from 1; 0: none. A refused copy or launch is no fault: the next one
  /// works.
  unsigned bad_allocation = 0, bad_copy = 0, bad_start = 0;
  /// Steps of all launches after which the device fails for good; 0: never.
  uint64_t fault_after = 0;
};

class MockDevice : public Device {
 public:
  /// A factory of devices that follow the plan.
  static DeviceFactory Factory(const MockPlan& plan);
  ~MockDevice() override;

  absl::string_view name() const override { return "mock"; }
  uint32_t threads() const override { return 1; }
  absl::StatusOr<std::unique_ptr<DeviceMemory>> Allocate(uint64_t bytes, const char* what) override;
  absl::Status CopyIn(DeviceMemory& to, uint64_t offset, absl::Span<const uint8_t> from) override;
  absl::Status CopyOut(const DeviceMemory& from, uint64_t offset, absl::Span<uint8_t> to) override;
  absl::Status Share(absl::Span<uint8_t> memory) override;
  absl::Status Start(const DeviceLoop& loop, plumb_launch_t* launch) override;
  absl::Status Run(const DeviceLoop& loop, plumb_launch_t* launch) override;
  bool Idle() override;
  void Wait() override;
  absl::Status Fault() const override;

 private:
  class Memory;
  MockDevice(const MockPlan& plan, std::unique_ptr<Device> threads);
  absl::Status Prepare(const DeviceLoop& loop);
  absl::Status CheckCopy();
  void RunLoop(plumb_launch_t* launch);
  void Delay();

  const MockPlan plan_;
  std::unique_ptr<Device> threads_;  // runs the loops
  std::vector<Memory*> blocks_;
  DeviceLoop loop_ = {};
  unsigned allocations_ = 0, copies_ = 0, starts_ = 0;
  uint64_t steps_ = 0;
  std::atomic<bool> failed_{false};
  std::mt19937 random_;
};

}  // namespace testing
}  // namespace plumb

#endif  // PLUMB_TEST_RUNTIME_DEVICE_MOCK_DEVICE_H_
