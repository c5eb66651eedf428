// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a session needs of the machine that runs its loops. It allocates, copies, launches and waits through this alone, so that
// another machine is another Device. test/runtime/device/conformance_test.cc holds what each of them must do.
//
//   host: Allocate, CopyIn ──► Start ──► … Idle? (the doorbell rings) ──► CopyOut
//   device:                    loop: reads its memory, and queues and flags of the host's

#ifndef PLUMB_RUNTIME_DEVICE_DEVICE_H_
#define PLUMB_RUNTIME_DEVICE_DEVICE_H_

#include <cstdint>
#include <functional>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "runtime/abi/executable_abi.h"
#include "runtime/base/doorbell.h"

namespace plumb {

/// A block of a device's memory. It ends before its device.
class DeviceMemory {
 public:
  virtual ~DeviceMemory() = default;

  /// Where a loop finds the block, aligned to PLUMB_BUFFER_ALIGNMENT; null if it has no bytes.
  virtual uint8_t* address() const = 0;
  virtual uint64_t size() const = 0;
  /// The block as the host reads and writes it in place, also while a loop runs; empty where only copies reach it.
  virtual absl::Span<uint8_t> host_view() { return {}; }
};

/// One loop of an executable.
struct DeviceLoop {
  plumb_loop_fn run;
  bool has_stages;  ///< Its step comes in stages, which several threads may share.
};

class Device;

/// What plumb_launch_t.host points at begins with it.
struct DeviceContext {
  Device* device;
};

/// Calls come from one thread at a time.
class Device {
 public:
  /// Waits for the launch that runs.
  virtual ~Device() = default;

  /// What messages call it: "cpu".
  virtual absl::string_view name() const = 0;
  /// Threads that run a step where its kernels are large enough.
  virtual uint32_t threads() const = 0;

  /// A block of zeros. Fails with ResourceExhausted where there is none of that size; `what` stands in the message.
  virtual absl::StatusOr<std::unique_ptr<DeviceMemory>> Allocate(uint64_t bytes, const char* what) = 0;
  /// Copies to and from a block while the device is idle. The range lies inside the block.
  virtual absl::Status CopyIn(DeviceMemory& to, uint64_t offset, absl::Span<const uint8_t> from) = 0;
  virtual absl::Status CopyOut(const DeviceMemory& from, uint64_t offset, absl::Span<uint8_t> to) = 0;
  /// Lets loops read and write memory of the host's in place, such as a queue's slots, as long as the device lives.
  virtual absl::Status Share(absl::Span<uint8_t> memory) = 0;

  /// Hands `launch`, whose `host` begins with a DeviceContext, to the loop; both stay valid until Idle. The device is idle. The
  /// doorbell rings when the loop has left, or the device has failed.
  virtual absl::Status Start(const DeviceLoop& loop, plumb_launch_t* launch) = 0;
  /// Runs `launch` before it returns, as fits a launch for which the host has nothing to do. The device is idle.
  virtual absl::Status Run(const DeviceLoop& loop, plumb_launch_t* launch) = 0;
  /// True when no launch runs; everything that the last one wrote is then visible.
  virtual bool Idle() = 0;
  /// Returns when no launch runs.
  virtual void Wait() = 0;

  /// Why the device cannot be used any more; once it has failed, its memory holds nothing that can be relied on, and every
  /// call that returns a status returns this one.
  virtual absl::Status Fault() const = 0;
};

/// Makes a device whose launches ring `doorbell`, which outlives it, and whose steps run on `threads` threads; 0: as many as the
/// device finds right.
using DeviceFactory = std::function<absl::StatusOr<std::unique_ptr<Device>>(Doorbell* doorbell, uint32_t threads)>;

}  // namespace plumb

#endif  // PLUMB_RUNTIME_DEVICE_DEVICE_H_
