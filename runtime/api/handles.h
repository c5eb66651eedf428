// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the C API's opaque handles hold, and the wall that no exception passes.

#ifndef PLUMB_RUNTIME_API_HANDLES_H_
#define PLUMB_RUNTIME_API_HANDLES_H_

#include <atomic>
#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "runtime/api/plumb/runtime.h"
#include "runtime/base/exceptions.h"
#include "runtime/checkpoint/safetensors.h"
#include "runtime/data/pipeline.h"
#include "runtime/executable/executable.h"
#include "runtime/session/session.h"

namespace plumb {
namespace api {

/// Lets one call at a time through to the object that has it, and keeps the object until that call has left.
class CallGate {
 public:
  /// False: another call is inside.
  bool Enter() {
    State free = State::kFree;
    return state_.compare_exchange_strong(free, State::kInside);
  }
  /// False: the object was given up meanwhile, and the caller must delete it.
  bool Leave() {
    State inside = State::kInside;
    return state_.compare_exchange_strong(inside, State::kFree);
  }
  /// True: nobody is inside, and the caller may delete the object; otherwise who is inside will.
  bool GiveUp() { return state_.exchange(State::kGivenUp) == State::kFree; }

 private:
  enum class State { kFree, kInside, kGivenUp };
  std::atomic<State> state_{State::kFree};
};

}  // namespace api
}  // namespace plumb

struct plumb_status {
  plumb_status_code_t code;
  std::string message;
};

/// Besides the executable, its tables in C form: the structs point into the manifest and into each other.
struct plumb_executable {
  std::shared_ptr<const plumb::Executable> executable;
  std::string name;
  std::string target_cpu;
  std::deque<std::string> strings;  // stable storage for names
  std::deque<std::vector<int64_t>> shapes;
  std::deque<std::vector<plumb_tensor_info_t>> tensors;
  std::vector<plumb_variable_info_t> variables;
  std::vector<plumb_queue_info_t> queues;
  std::vector<plumb_loop_info_t> loops;
};

struct plumb_checkpoint {
  plumb::Checkpoint checkpoint;
  std::vector<plumb_checkpoint_tensor_t> tensors;  // point into `checkpoint`, as do the entries
  std::vector<plumb_checkpoint_entry_t> entries;
};

struct plumb_session {
  plumb::api::CallGate gate;
  std::unique_ptr<plumb::Session> session;
};

struct plumb_pipeline {
  plumb::api::CallGate gate;
  std::unique_ptr<plumb::Pipeline> pipeline;
  std::unique_ptr<plumb::BatchIterator> iterator;
  uint64_t seed = 0;
  uint64_t epoch = 0;
  bool at_end = false;
  std::vector<plumb_tensor_info_t> columns;  // point into `pipeline`
};

namespace plumb {
namespace api {

/// Null for ok, else a status for the caller: one that is never freed where there is no memory.
plumb_status_t* MakeStatus(const absl::Status& status) noexcept;

/// An element type as a C program gives it: any number, which C++ may not read as the enumeration. A number that is no
/// type becomes one that has no bytes.
inline abi::ElementType ReadElement(const plumb_element_t& element) {
  int number = 0;
  static_assert(sizeof(number) == sizeof(element), "an enumeration of C is an int");
  std::memcpy(&number, &element, sizeof(number));
  return static_cast<abi::ElementType>(number >= 0 && number <= 0xff ? number : 0xff);
}

/// What a null argument deserves.
inline absl::Status NullArgument(const char* what) {
  return absl::InvalidArgumentError(absl::StrCat("null was passed for ", what));
}

/// Runs `body`, which returns absl::Status, and turns whatever comes of it into a C status.
template <typename Body>
plumb_status_t* Guard(Body&& body) noexcept {
  return MakeStatus(CatchExceptions(body));
}

/// Deletes a handle with a gate, now or when the call inside has left.
template <typename Handle>
void GiveUp(Handle* handle) {
  if (handle != nullptr && handle->gate.GiveUp()) delete handle;
}

/// The error of a call that comes while another one is inside.
inline absl::Status Busy(const char* what) {
  return absl::FailedPreconditionError(absl::StrCat(
      what,
      " takes one call at a time, and one is running (in another thread, or a launch whose report callback made this "
      "one); make this call when it has returned"));
}

/// Leaves a handle's gate; deletes the handle if it was given up meanwhile.
template <typename Handle>
void Release(Handle* handle) {
  if (!handle->gate.Leave()) delete handle;
}

/// Runs `body` for a call that has `handle`, called `what`, to itself.
template <typename Handle, typename Body>
absl::Status Exclusively(Handle* handle, const char* what, Body&& body) {
  if (handle == nullptr) return NullArgument(what);
  if (!handle->gate.Enter()) return Busy(what);
  struct Exit {
    Handle* handle;
    ~Exit() { Release(handle); }
  } exit{handle};
  return body();
}

/// Guard and Exclusively in one.
template <typename Handle, typename Body>
plumb_status_t* GuardExclusively(Handle* handle, const char* what, Body&& body) {
  return Guard([&] { return Exclusively(handle, what, body); });
}

}  // namespace api
}  // namespace plumb

#endif  // PLUMB_RUNTIME_API_HANDLES_H_
