// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "test/runtime/device/mock_device.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/aligned_buffer.h"
#include "runtime/base/status.h"
#include "runtime/device/cpu/cpu_device.h"

namespace plumb {
namespace testing {

/// Bytes that only the loop and copies see.
class MockDevice::Memory : public DeviceMemory {
 public:
  Memory(MockDevice* device, AlignedBuffer buffer) : device_(device), buffer_(std::move(buffer)) {
    device_->blocks_.push_back(this);
  }
  ~Memory() override {
    auto& blocks = device_->blocks_;
    blocks.erase(std::find(blocks.begin(), blocks.end(), this));
  }
  uint8_t* address() const override { return const_cast<uint8_t*>(buffer_.data()); }
  uint64_t size() const override { return buffer_.size(); }

 private:
  MockDevice* device_;
  AlignedBuffer buffer_;
};

DeviceFactory MockDevice::Factory(const MockPlan& plan) {
  return [plan](Doorbell* doorbell, uint32_t) -> absl::StatusOr<std::unique_ptr<Device>> {
    PLUMB_ASSIGN_OR_RETURN(auto threads, CpuDevice::Create(doorbell, 1));
    return std::unique_ptr<Device>(new MockDevice(plan, std::move(threads)));
  };
}

MockDevice::MockDevice(const MockPlan& plan, std::unique_ptr<Device> threads)
    : plan_(plan), threads_(std::move(threads)), random_(plan.seed) {}

MockDevice::~MockDevice() {
  Wait();
  if (!blocks_.empty()) std::abort();  // memory must end before its device
}

absl::StatusOr<std::unique_ptr<DeviceMemory>> MockDevice::Allocate(uint64_t bytes, const char* what) {
  PLUMB_RETURN_IF_ERROR(Fault());
  if (++allocations_ == plan_.bad_allocation)
    return absl::ResourceExhaustedError(absl::StrCat("the mock is full: ", what));
  PLUMB_ASSIGN_OR_RETURN(AlignedBuffer buffer, AlignedBuffer::Create(bytes, what));
  return std::unique_ptr<DeviceMemory>(new Memory(this, std::move(buffer)));
}

absl::Status MockDevice::CheckCopy() {
  PLUMB_RETURN_IF_ERROR(Fault());
  if (!threads_->Idle()) return absl::FailedPreconditionError("a copy while a launch runs");
  return ++copies_ == plan_.bad_copy ? absl::UnavailableError("the mock's bus is busy") : absl::OkStatus();
}

absl::Status MockDevice::CopyIn(DeviceMemory& to, uint64_t offset, absl::Span<const uint8_t> from) {
  PLUMB_RETURN_IF_ERROR(CheckCopy());
  return threads_->CopyIn(to, offset, from);
}

absl::Status MockDevice::CopyOut(const DeviceMemory& from, uint64_t offset, absl::Span<uint8_t> to) {
  PLUMB_RETURN_IF_ERROR(CheckCopy());
  return threads_->CopyOut(from, offset, to);
}

absl::Status MockDevice::Share(absl::Span<uint8_t>) { return Fault(); }

void MockDevice::Delay() {
  if (plan_.delay > 0) std::this_thread::sleep_for(std::chrono::microseconds(random_() % plan_.delay));
}

/// The loop up to the step at which the device fails. What it has computed is lost then.
void MockDevice::RunLoop(plumb_launch_t* launch) {
  Delay();
  const uint64_t asked = launch->sink_size;
  const uint64_t left = plan_.fault_after == 0 ? asked : plan_.fault_after - steps_;
  launch->sink_size = std::min(asked, left);
  loop_.run(launch);
  steps_ += launch->steps;
  Delay();
  if (plan_.fault_after == 0 || steps_ < plan_.fault_after) return;
  for (Memory* block : blocks_) std::memset(block->address(), 0xff, block->size());
  failed_ = true;
}

absl::Status MockDevice::Prepare(const DeviceLoop& loop) {
  PLUMB_RETURN_IF_ERROR(Fault());
  if (++starts_ == plan_.bad_start) return absl::UnavailableError("the mock starts nothing just now");
  loop_ = loop;
  return absl::OkStatus();
}

absl::Status MockDevice::Start(const DeviceLoop& loop, plumb_launch_t* launch) {
  PLUMB_RETURN_IF_ERROR(Prepare(loop));
  const plumb_loop_fn run = [](plumb_launch_t* launched) {
    static_cast<MockDevice*>(static_cast<DeviceContext*>(launched->host)->device)->RunLoop(launched);
  };
  return threads_->Start({run, /*has_tasks=*/false}, launch);
}

absl::Status MockDevice::Run(const DeviceLoop& loop, plumb_launch_t* launch) {
  PLUMB_RETURN_IF_ERROR(Prepare(loop));
  RunLoop(launch);
  return absl::OkStatus();
}

bool MockDevice::Idle() { return threads_->Idle(); }

void MockDevice::Wait() { threads_->Wait(); }

absl::Status MockDevice::Fault() const {
  return failed_ ? absl::AbortedError("device 'mock' has failed: illegal address in kernel 3") : absl::OkStatus();
}

}  // namespace testing
}  // namespace plumb
