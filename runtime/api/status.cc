// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/abi/versions.h"
#include "runtime/api/handles.h"

namespace plumb {
namespace api {
namespace {

plumb_status_code_t CodeOf(absl::StatusCode code) {
  switch (code) {
    case absl::StatusCode::kOk: return PLUMB_OK;
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kOutOfRange: return PLUMB_INVALID_ARGUMENT;
    case absl::StatusCode::kNotFound:
    case absl::StatusCode::kPermissionDenied: return PLUMB_NOT_FOUND;
    case absl::StatusCode::kDataLoss: return PLUMB_BAD_FILE;
    case absl::StatusCode::kUnimplemented: return PLUMB_UNSUPPORTED;
    case absl::StatusCode::kFailedPrecondition:
    case absl::StatusCode::kCancelled: return PLUMB_FAILED_PRECONDITION;
    case absl::StatusCode::kDeadlineExceeded: return PLUMB_TIMED_OUT;
    case absl::StatusCode::kResourceExhausted: return PLUMB_OUT_OF_MEMORY;
    case absl::StatusCode::kUnavailable: return PLUMB_CANNOT_WRITE;
    default: return PLUMB_INTERNAL;
  }
}

/// Handed out when there is no memory for a status of its own; never freed. Made before main, its text needs no memory.
plumb_status no_memory = {PLUMB_OUT_OF_MEMORY, "out of memory"};

}  // namespace

plumb_status_t* MakeStatus(const absl::Status& status) noexcept {
  if (status.ok()) return nullptr;
  if (status.message().empty()) return &no_memory;  // see StatusOfException
  try {
    return new plumb_status{CodeOf(status.code()), std::string(status.message())};
  } catch (...) {
    return &no_memory;
  }
}

bool IsShared(const plumb_status_t* status) { return status == &no_memory; }

}  // namespace api
}  // namespace plumb

extern "C" {

uint32_t plumb_runtime_api_version(void) { return PLUMB_RUNTIME_API_VERSION; }

const char* plumb_runtime_version(void) {
  static const std::string version = std::string("plumb ") + plumb::abi::kPlumbVersion;
  return version.c_str();
}

plumb_status_code_t plumb_status_code(const plumb_status_t* status) { return status ? status->code : PLUMB_OK; }

const char* plumb_status_message(const plumb_status_t* status) { return status ? status->message.c_str() : ""; }

void plumb_status_destroy(plumb_status_t* status) {
  if (!plumb::api::IsShared(status)) delete status;
}

}  // extern "C"
