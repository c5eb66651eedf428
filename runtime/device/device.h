// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interface between a session and the processor that runs its loops: memory, copies, launches, faults. A session
// uses a processor only through this interface. test/runtime/device/conformance_test.cc tests its contract on every
// implementation.
//
//   host:    Allocate, CopyIn ──► Start ──► other work; Idle() after the doorbell rang ──► CopyOut
//   device:                       the loop, which reads and writes DeviceMemory and the host's queues, rings and flags

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

/// A block of a device's memory. It must be destroyed before its device.
class DeviceMemory {
 public:
  virtual ~DeviceMemory() = default;

  /// The address that loops use, aligned to PLUMB_BUFFER_ALIGNMENT; null if the block is empty.
  virtual uint8_t* address() const = 0;
  virtual uint64_t size() const = 0;
  /// The block in the host's address space, which may be accessed also while a loop runs; empty if the host cannot
  /// access the block in place and has to copy.
  virtual absl::Span<uint8_t> host_view() { return {}; }
};

/// One loop of an executable.
struct DeviceLoop {
  plumb_loop_fn run;
  bool has_tasks;  ///< Whether its step has tasks, which several threads may run together (plumb_launch_t.parallel).
};

class Device;

/// The first member of the object that plumb_launch_t.host points at.
struct DeviceContext {
  Device* device;
};

/// A processor with its memory. Not thread-safe: calls come from one thread at a time.
class Device {
 public:
  /// Waits for the current launch.
  virtual ~Device() = default;

  /// The name for messages, such as "cpu".
  virtual absl::string_view name() const = 0;
  /// How many threads run a step with tasks.
  virtual uint32_t threads() const = 0;

  /// Allocates a block of zeros. Fails with ResourceExhausted if the device has no such block; `what` names it in the
  /// message.
  virtual absl::StatusOr<std::unique_ptr<DeviceMemory>> Allocate(uint64_t bytes, const char* what) = 0;
  /// Copies to and from a block while the device is idle. The range lies inside the block.
  virtual absl::Status CopyIn(DeviceMemory& to, uint64_t offset, absl::Span<const uint8_t> from) = 0;
  virtual absl::Status CopyOut(const DeviceMemory& from, uint64_t offset, absl::Span<uint8_t> to) = 0;
  /// Makes memory of the host, such as a queue's slots, accessible to loops in place, for the lifetime of the device.
  virtual absl::Status Share(absl::Span<uint8_t> memory) = 0;

  /// Starts the loop on `launch`, whose `host` points at a DeviceContext; both must stay valid until Idle. The device
  /// must be idle. The doorbell rings when the loop has returned or the device has failed.
  virtual absl::Status Start(const DeviceLoop& loop, plumb_launch_t* launch) = 0;
  /// Runs the loop to its end, for launches during which the host has nothing to do. The device must be idle.
  virtual absl::Status Run(const DeviceLoop& loop, plumb_launch_t* launch) = 0;
  /// Whether no launch runs; if so, everything that the last one wrote is visible.
  virtual bool Idle() = 0;
  /// Returns when no launch runs.
  virtual void Wait() = 0;

  /// The error that made the device unusable, or OK. After a fault the contents of its memory are undefined, and every
  /// call that returns a status returns this one.
  virtual absl::Status Fault() const = 0;
};

/// Creates a device whose launches ring `doorbell`, which must outlive it, and whose steps run on `threads` threads; 0:
/// the device's default.
using DeviceFactory = std::function<absl::StatusOr<std::unique_ptr<Device>>(Doorbell* doorbell, uint32_t threads)>;

}  // namespace plumb

#endif  // PLUMB_RUNTIME_DEVICE_DEVICE_H_
