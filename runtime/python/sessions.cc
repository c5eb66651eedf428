// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs of an executable.

#include "runtime/python/sessions.h"

#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "runtime/api/plumb/runtime.h"
#include "runtime/python/executables.h"
#include "runtime/python/interrupts.h"
#include "runtime/python/launches.h"
#include "runtime/python/pipelines.h"
#include "runtime/python/prints.h"
#include "runtime/python/watch.h"

namespace plumb {
namespace python {
namespace {

/// Where one step's reports go.
struct Outputs {
  std::vector<void*> data;
  const plumb_loop_info_t* loop;
};

void CopyOutputs(uint64_t, const void* const* reports, size_t count, void* user) {
  auto* outputs = static_cast<Outputs*>(user);
  for (size_t i = 0; i < count; ++i) std::memcpy(outputs->data[i], reports[i], outputs->loop->reports[i].bytes);
}

/// The state of one run on the device.
class Session {
 public:
  Session(std::shared_ptr<Executable> executable, uint64_t seed, double wait_seconds, uint32_t threads)
      : executable_(std::move(executable)) {
    plumb_session_options_t options;
    plumb_session_options_init(&options);
    options.seed = seed;
    options.wait_seconds = wait_seconds;
    options.threads = threads;
    options.print = &PrintToPython;
    options.print_parts = &PrintPartsToPython;
    ThrowIfError(plumb_session_create(executable_->handle(), &options, &handle_));
  }
  Session(const Session&) = delete;
  ~Session() {
    py::gil_scoped_release unlocked;
    plumb_session_destroy(handle_);
  }

  void GetVariable(const std::string& name, const py::buffer& array) {
    View view(array, /*writable=*/true);
    ThrowIfError(plumb_session_get_variable(handle_, name.c_str(), view.data(), view.bytes()));
  }

  void SetVariable(const std::string& name, const py::buffer& array) {
    View view(array, /*writable=*/false);
    ThrowIfError(plumb_session_set_variable(handle_, name.c_str(), view.data(), view.bytes()));
  }

  void Feed(const std::string& queue, Pipeline& pipeline, int64_t passes) {
    plumb_pipeline_t* handle = pipeline.Release();
    ThrowIfError(Unlocked([&] { return plumb_session_feed_pipeline(handle_, queue.c_str(), handle, passes); }));
  }

  void Seek(const std::string& queue, uint64_t batches) {
    ThrowIfError(plumb_session_seek(handle_, queue.c_str(), batches));
  }

  /// Whether the batch found room within `seconds`.
  bool Push(const std::string& queue, const std::vector<py::buffer>& columns, double seconds) {
    std::vector<View> views;
    std::vector<const void*> data;
    std::vector<size_t> bytes;
    for (const py::buffer& column : columns) {
      views.emplace_back(column, /*writable=*/false);
      data.push_back(views.back().data());
      bytes.push_back(views.back().bytes());
    }
    plumb_status_t* status = Unlocked([&] {
      return plumb_session_push_batch(handle_, queue.c_str(), data.data(), bytes.data(), data.size(), seconds);
    });
    if (plumb_status_code(status) == PLUMB_TIMED_OUT) {
      plumb_status_destroy(status);
      return false;
    }
    ThrowIfError(status);
    return true;
  }

  void EndData(const std::string& queue) { ThrowIfError(plumb_session_end_data(handle_, queue.c_str())); }
  void Rewind(const std::string& queue) { ThrowIfError(plumb_session_rewind(handle_, queue.c_str())); }

  /// Returns (steps, reason, interrupted, one array per report).
  py::tuple Launch(const std::string& loop_name, int64_t steps, bool keep_all, py::object on_step) {
    const plumb_loop_info_t& loop = executable_->Loop(loop_name);
    Gathered gathered{
        &loop, keep_all, handle_, on_step, &watchers_, nullptr, std::vector<std::vector<char>>(loop.report_count)};
    plumb_launch_result_t result = {};
    plumb_status_t* status = nullptr;
    bool interrupted = false;
    {
      InterruptGuard guard(handle_);
      py::gil_scoped_release unlocked;
      status = plumb_session_launch(handle_, loop_name.c_str(), steps, &Gather, &gathered, &result);
      interrupted = guard.WasInterrupted();
    }
    ThrowIfError(status);
    return MakeResult(gathered, result, interrupted);
  }

  /// The same without waiting for it. The caller keeps this session as long as the future.
  std::unique_ptr<Future> LaunchAsync(const std::string& loop_name, int64_t steps, bool keep_all) {
    const plumb_loop_info_t& loop = executable_->Loop(loop_name);
    auto gathered = std::make_unique<Gathered>(Gathered{&loop, keep_all, handle_, py::none(), &watchers_, nullptr,
                                                        std::vector<std::vector<char>>(loop.report_count)});
    plumb_future_t* future = nullptr;
    ThrowIfError(plumb_session_launch_async(handle_, loop_name.c_str(), steps, &Gather, gathered.get(), &future));
    return std::make_unique<Future>(std::move(gathered), future);
  }

  /// One step on one batch: what `push` and `launch` do, without what only many steps need. Returns the reports.
  py::list Call(const std::string& loop_name, const py::sequence& columns, double seconds) {
    const plumb_loop_info_t& loop = executable_->Loop(loop_name);
    std::deque<Column> views;
    std::vector<const void*> data;
    std::vector<size_t> bytes;
    for (py::handle column : columns) {
      views.emplace_back(column.ptr());
      data.push_back(views.back().data());
      bytes.push_back(views.back().bytes());
    }
    py::list reports = MakeReports(loop);
    Outputs outputs{{}, &loop};
    for (py::handle report : reports)
      outputs.data.push_back(View(py::reinterpret_borrow<py::buffer>(report), true).data());
    plumb_launch_result_t result = {};
    plumb_status_t* status = nullptr;
    bool interrupted = false;
    {
      InterruptGuard guard(handle_);
      py::gil_scoped_release unlocked;
      std::lock_guard<std::mutex> alone(calls_);  // the batch and its step belong together
      if (!data.empty())
        status = plumb_session_push_batch(handle_, loop_name.c_str(), data.data(), bytes.data(), data.size(), seconds);
      if (!status) status = plumb_session_launch(handle_, loop_name.c_str(), 1, &CopyOutputs, &outputs, &result);
      if (!status && result.steps == 0 && !data.empty()) status = plumb_session_rewind(handle_, loop_name.c_str());
      interrupted = guard.WasInterrupted();
    }
    ThrowIfError(status);
    if (interrupted) {
      PyErr_SetNone(PyExc_KeyboardInterrupt);
      throw py::error_already_set();
    }
    if (result.steps == 0) throw std::runtime_error("the call was stopped before it ran");
    return reports;
  }

  void RequestStop() { plumb_session_request_stop(handle_); }
  void RequestPause() { plumb_session_request_pause(handle_); }
  void ClearGuards() { ThrowIfError(plumb_session_clear_guards(handle_)); }
  void AddGuard(const std::string& loop, const std::string& rule) {
    ThrowIfError(plumb_session_add_guard(handle_, loop.c_str(), rule.c_str()));
  }
  py::object GuardStrike() {
    plumb_guard_strike_t strike = {};
    ThrowIfError(plumb_session_guard_strike(handle_, &strike));
    if (strike.step == 0) return py::none();
    return py::make_tuple(strike.step, std::string(strike.text), strike.invalid != 0);
  }

  /// Calls `function(name, step, array)` with values that launches forward.
  void AddWatch(const std::string& loop, const std::string& rule, py::object function) {
    watchers_.push_back({handle_, std::move(function), nullptr});
    ThrowIfError(plumb_session_add_watch(handle_, loop.c_str(), rule.c_str(), &CallOnValue, &watchers_.back()));
  }
  void ClearWatches() {
    ThrowIfError(plumb_session_clear_watches(handle_));
    watchers_.clear();
  }

  void Save(const std::string& path) {
    ThrowIfError(Unlocked([&] { return plumb_session_save(handle_, path.c_str()); }));
  }
  void Load(const std::string& path) {
    ThrowIfError(Unlocked([&] { return plumb_session_load(handle_, path.c_str()); }));
  }

  py::tuple Counters() {
    uint64_t launches = 0;
    uint64_t interactions = 0;
    ThrowIfError(plumb_session_counters(handle_, &launches, &interactions));
    return py::make_tuple(launches, interactions);
  }

 private:
  /// An array for each report of a step.
  py::list MakeReports(const plumb_loop_info_t& loop) {
    std::vector<ArrayMaker>& makers = makers_[loop.name];
    for (size_t i = makers.size(); i < loop.report_count; ++i) makers.emplace_back(loop.reports[i]);
    py::list reports;
    for (const ArrayMaker& make : makers) reports.append(make());
    return reports;
  }

  std::shared_ptr<Executable> executable_;
  plumb_session_t* handle_ = nullptr;
  std::map<std::string, std::vector<ArrayMaker>> makers_;  // by loop
  std::mutex calls_;
  std::deque<Watcher> watchers_;
};

}  // namespace

void DefineSessions(py::module_& module) {
  py::class_<Session>(module, "Session", "The state of one run on the device.")
      .def(py::init<std::shared_ptr<Executable>, uint64_t, double, uint32_t>(), py::arg("executable"), py::arg("seed"),
           py::arg("wait_seconds"), py::arg("threads"))
      .def("get_variable", &Session::GetVariable, "Copies a variable into an array.")
      .def("set_variable", &Session::SetVariable, "Copies an array into a variable.")
      .def("feed", &Session::Feed, "Feeds a queue from a pipeline, which is used up.")
      .def("seek", &Session::Seek, "Goes on behind so many batches of a queue's data.")
      .def("push", &Session::Push, py::arg("queue"), py::arg("columns"), py::arg("seconds"),
           "Puts one batch into a queue; False when there is no room within `seconds`.")
      .def("end_data", &Session::EndData, "Nothing follows what was pushed.")
      .def("rewind", &Session::Rewind, "Empties a queue and opens it again.")
      .def("launch", &Session::Launch, "Runs steps; returns (steps, reason, interrupted, reports).")
      .def("launch_async", &Session::LaunchAsync, py::arg("loop"), py::arg("steps"), py::arg("keep_all"),
           py::keep_alive<0, 1>(),
           "Begins to run steps and returns a Future; the session is busy until that has ended.")
      .def("request_stop", &Session::RequestStop, "Ends the launch that runs, or else the next, before its next step.")
      .def("request_pause", &Session::RequestPause,
           "Ends the launch that runs before its next step; nothing if none runs.")
      .def("clear_guards", &Session::ClearGuards, "Removes the rules of all loops.")
      .def("add_guard", &Session::AddGuard, py::arg("loop"), py::arg("rule"),
           "Ends each launch of the loop right after the step that breaks the rule: finite:NAME, NAME<LIMIT, "
           "NAME>LIMIT.")
      .def("guard_strike", &Session::GuardStrike,
           "(step, text, invalid) of the guard that ended the last launch, or None.")
      .def("clear_watches", &Session::ClearWatches, "Ends what add_watch began, for all loops.")
      .def("add_watch", &Session::AddWatch, py::arg("loop"), py::arg("rule"), py::arg("function"),
           "Has launches of the loop call function(name, step, array) while they run, every N steps: NAME, perhaps "
           "with ,every=N.")
      .def("call", &Session::Call, py::arg("loop"), py::arg("columns"), py::arg("seconds"),
           "Runs one step on one batch, which the loop's queue has room for within `seconds`; returns its reports.")
      .def("save", &Session::Save, "Writes a checkpoint.")
      .def("load", &Session::Load, "Reads a checkpoint.")
      .def("counters", &Session::Counters, "Launches and host-device interactions.");
}

}  // namespace python
}  // namespace plumb
