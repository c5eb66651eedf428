// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches, at once or with a future, and the guards that end them.

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <thread>

#include "runtime/api/session_calls.h"
#include "runtime/base/status.h"

namespace plumb {
namespace api {
namespace {

/// Finds the reports inside a record and hands them on as pointers.
class ReportCaller {
 public:
  ReportCaller(const abi::Loop& loop, plumb_report_fn function, void* user) : function_(function), user_(user) {
    if (loop.reports() == nullptr) return;
    for (const abi::Report* report : *loop.reports()) offsets_.push_back(report->offset());
    pointers_.resize(offsets_.size());
  }

  void operator()(uint64_t step, const uint8_t* record) {
    for (size_t i = 0; i < offsets_.size(); ++i) pointers_[i] = record + offsets_[i];
    function_(step, pointers_.data(), pointers_.size(), user_);
  }

 private:
  plumb_report_fn function_;
  void* user_;
  std::vector<uint64_t> offsets_;
  std::vector<const void*> pointers_;
};

absl::Status Launch(Session& session, const std::string& loop, int64_t sink_size, plumb_report_fn on_report, void* user,
                    plumb_launch_result_t* result) {
  PLUMB_ASSIGN_OR_RETURN(size_t index, session.executable().FindLoop(loop));
  RecordHandler handler;
  if (on_report != nullptr) {
    const auto* loops = session.executable().manifest().loops();
    handler = ReportCaller(*loops->Get(static_cast<flatbuffers::uoffset_t>(index)), on_report, user);
  }
  PLUMB_ASSIGN_OR_RETURN(LaunchResult launch, session.Launch(index, sink_size, handler));
  if (result != nullptr) *result = {launch.steps, static_cast<plumb_reason_t>(launch.reason), session.total_steps()};
  return absl::OkStatus();
}

}  // namespace

/// State shared by a future and the thread of its launch.
struct PendingLaunch {
  plumb_session_t* session;  // whose gate the launch keeps while `running`
  std::string loop;
  int64_t sink_size;
  plumb_report_fn on_report;
  void* user;

  std::mutex mutex;
  std::condition_variable changed;
  bool running = true;  // the session may be asked to stop
  bool ended = false;   // the session is free again
  absl::Status status;
  plumb_launch_result_t result = {};

  void Run() noexcept;
};

void PendingLaunch::Run() noexcept {
  absl::Status ending =
      CatchExceptions([this] { return Launch(*session->session, loop, sink_size, on_report, user, &result); });
  {
    std::lock_guard<std::mutex> lock(mutex);
    running = false;
  }
  Release(session);
  std::lock_guard<std::mutex> lock(mutex);
  status = std::move(ending);
  ended = true;
  changed.notify_all();
}

}  // namespace api
}  // namespace plumb

struct plumb_future {
  std::shared_ptr<plumb::api::PendingLaunch> launch;
  std::thread thread;
};

using plumb::api::Beside;
using plumb::api::Guard;
using plumb::api::MissingArgument;
using plumb::api::NullArgument;
using plumb::api::PendingLaunch;
using plumb::api::With;

extern "C" {

plumb_status_t* plumb_session_launch(plumb_session_t* session, const char* loop, int64_t sink_size,
                                     plumb_report_fn on_report, void* user, plumb_launch_result_t* result) {
  return With(session, loop, [&](plumb::Session& inner) {
    return plumb::api::Launch(inner, loop, sink_size, on_report, user, result);
  });
}

plumb_status_t* plumb_session_launch_async(plumb_session_t* session, const char* loop, int64_t sink_size,
                                           plumb_report_fn on_report, void* user, plumb_future_t** future) {
  return Guard([&]() -> absl::Status {
    if (session == nullptr) return NullArgument("a session");
    if (loop == nullptr || future == nullptr) return MissingArgument();
    auto handle = std::make_unique<plumb_future>();
    handle->launch = std::make_shared<PendingLaunch>();
    PendingLaunch& launch = *handle->launch;
    launch.session = session;
    launch.loop = loop;
    launch.sink_size = sink_size;
    launch.on_report = on_report;
    launch.user = user;
    if (!session->gate.Enter()) return plumb::api::Busy("a session");
    absl::Status started = plumb::CatchExceptions([&] {
      handle->thread = std::thread([launch = handle->launch] { launch->Run(); });
      return absl::OkStatus();
    });
    if (!started.ok()) {
      plumb::api::Release(session);
      return started;
    }
    *future = handle.release();
    return absl::OkStatus();
  });
}

plumb_status_t* plumb_future_wait(plumb_future_t* future, double timeout_seconds, int* ended) {
  return Guard([&]() -> absl::Status {
    if (future == nullptr || ended == nullptr) return NullArgument("a future or an out-parameter");
    PendingLaunch& launch = *future->launch;
    std::unique_lock<std::mutex> lock(launch.mutex);
    auto over = [&] { return launch.ended; };
    if (timeout_seconds < 0) {
      launch.changed.wait(lock, over);
    } else {
      launch.changed.wait_for(lock, std::chrono::duration<double>(std::min(timeout_seconds, 1e9)), over);
    }
    *ended = launch.ended;
    return absl::OkStatus();
  });
}

plumb_status_t* plumb_future_result(plumb_future_t* future, plumb_launch_result_t* result) {
  return Guard([&]() -> absl::Status {
    if (future == nullptr) return NullArgument("a future");
    PendingLaunch& launch = *future->launch;
    std::lock_guard<std::mutex> lock(launch.mutex);
    if (!launch.ended) return absl::FailedPreconditionError("the launch is running; wait for it first");
    PLUMB_RETURN_IF_ERROR(launch.status);
    if (result != nullptr) *result = launch.result;
    return absl::OkStatus();
  });
}

void plumb_future_destroy(plumb_future_t* future) {
  if (future == nullptr) return;
  {
    std::lock_guard<std::mutex> lock(future->launch->mutex);
    if (future->launch->running) future->launch->session->session->RequestStop();
  }
  // A callback cannot wait for its own launch, which then ends by itself.
  if (future->thread.get_id() == std::this_thread::get_id()) {
    future->thread.detach();
  } else {
    future->thread.join();
  }
  delete future;
}

plumb_status_t* plumb_session_add_guard(plumb_session_t* session, const char* loop, const char* rule) {
  return With(session, loop && rule, [&](plumb::Session& inner) -> absl::Status {
    PLUMB_ASSIGN_OR_RETURN(size_t index, inner.executable().FindLoop(loop));
    PLUMB_ASSIGN_OR_RETURN(plumb::GuardRule parsed, plumb::ParseGuardRule(rule));
    return inner.AddGuard(index, parsed);
  });
}

plumb_status_t* plumb_session_clear_guards(plumb_session_t* session) {
  return With(session, true, [](plumb::Session& inner) { return inner.ClearGuards(); });
}

plumb_status_t* plumb_session_guard_strike(plumb_session_t* session, plumb_guard_strike_t* strike) {
  return With(session, strike, [&](plumb::Session& inner) {
    plumb_guard_strike_t result = {};
    if (inner.strike().has_value()) {
      const std::string text = inner.strike()->Text();
      std::memcpy(result.text, text.data(), std::min(text.size(), sizeof(result.text) - 1));
      result.step = inner.strike()->step;
      result.invalid = inner.strike()->invalid();
    }
    *strike = result;
    return absl::OkStatus();
  });
}

plumb_status_t* plumb_session_dropped_reports(plumb_session_t* session, uint64_t* reports) {
  return With(session, reports, [&](plumb::Session& inner) {
    *reports = inner.dropped_reports();
    return absl::OkStatus();
  });
}

}  // extern "C"
