// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// plumb._runtime: the runtime's C API for Python, with tensors as NumPy arrays.
//
// Arrays come and go by Python's buffer protocol and numpy.empty, never by NumPy's C structures: their layout changed
// with NumPy 2, and one build works with both.
//
// A launch releases Python's lock. Its reports are copied into plain vectors by the callback and become arrays when it
// is over, so no step waits for Python. SIGINT is taken over for the time of a launch: the handler asks the session to
// stop, which is safe in signal handlers, and the caller learns of it from the result.

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <signal.h>

#include <array>
#include <atomic>
#include <cstring>
#include <deque>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "runtime/api/plumb/runtime.h"
#include "runtime/python/arrays.h"
#include "runtime/python/prints.h"
#include "runtime/python/watch.h"

namespace py = pybind11;

using plumb::python::ArrayMaker;
using plumb::python::CallOnValue;
using plumb::python::Column;
using plumb::python::ElementOf;
using plumb::python::MakeArray;
using plumb::python::PrintPartsToPython;
using plumb::python::PrintToPython;
using plumb::python::SetPrintFunction;
using plumb::python::ThrowIfError;
using plumb::python::View;
using plumb::python::Watcher;

namespace {

// -- Executables

/// A loaded executable.
class Executable {
 public:
  Executable(const std::string& code, const std::string& name) {
    ThrowIfError(plumb_executable_load_memory(code.data(), code.size(), name.c_str(), &handle_));
  }
  /// A file; with a key, one that its owner signed.
  static std::shared_ptr<Executable> LoadFile(const std::string& path, const std::optional<std::string>& public_key) {
    std::shared_ptr<Executable> executable(new Executable);
    ThrowIfError(public_key ? plumb_executable_load_signed_file(path.c_str(), public_key->c_str(), &executable->handle_)
                            : plumb_executable_load_file(path.c_str(), &executable->handle_));
    return executable;
  }
  Executable(const Executable&) = delete;
  ~Executable() { plumb_executable_destroy(handle_); }

  plumb_executable_t* handle() const { return handle_; }

  std::vector<std::string> Variables() const {
    std::vector<std::string> names;
    for (size_t i = 0; i < plumb_executable_variable_count(handle_); ++i)
      names.push_back(plumb_executable_variable(handle_, i)->tensor.name);
    return names;
  }

  const plumb_loop_info_t& Loop(const std::string& name) const {
    for (size_t i = 0; i < plumb_executable_loop_count(handle_); ++i) {
      const plumb_loop_info_t* loop = plumb_executable_loop(handle_, i);
      if (name == loop->name) return *loop;
    }
    throw py::value_error("the executable has no loop '" + name + "'");
  }

 private:
  Executable() = default;

  plumb_executable_t* handle_ = nullptr;
};

/// A data pipeline; keeps the arrays it was given alive until it has read them.
class Pipeline {
 public:
  Pipeline(const std::string& json, const py::dict& arrays, uint64_t seed) {
    std::vector<std::string> names;
    std::vector<plumb_array_t> views;
    for (auto item : arrays) {
      arrays_.emplace_back(py::reinterpret_borrow<py::buffer>(item.second), /*writable=*/false);
      names.push_back(py::str(item.first));
    }
    for (size_t i = 0; i < names.size(); ++i)
      views.push_back({names[i].c_str(), arrays_[i].data(), arrays_[i].bytes()});
    ThrowIfError(plumb_pipeline_create(json.c_str(), nullptr, views.data(), views.size(), seed, &handle_));
    plumb_status_t* status = nullptr;
    {
      py::gil_scoped_release unlocked;
      status = plumb_pipeline_load(handle_);
    }
    if (status) Destroy();
    ThrowIfError(status);
  }
  Pipeline(const Pipeline&) = delete;
  ~Pipeline() { Destroy(); }

  /// The next batch, or None at the end of a pass.
  py::object Next() {
    std::vector<py::buffer> arrays;
    std::vector<View> views;
    std::vector<void*> columns;
    for (size_t i = 0; i < plumb_pipeline_column_count(handle_); ++i) {
      arrays.push_back(MakeArray(*plumb_pipeline_column(handle_, i), -1));
      views.emplace_back(arrays.back(), /*writable=*/true);
      columns.push_back(views.back().data());
    }
    int64_t rows = 0;
    plumb_status_t* status = nullptr;
    {
      py::gil_scoped_release unlocked;
      status = plumb_pipeline_next(handle_, columns.data(), columns.size(), &rows);
    }
    ThrowIfError(status);
    if (rows == 0) return py::none();
    py::list batch;
    const bool partial = rows < plumb_pipeline_batch_rows(handle_);
    for (py::buffer& array : arrays) {
      batch.append(partial ? py::object(array[py::slice(0, rows, 1)]) : py::object(array));
    }
    return batch;
  }

  int64_t Size() {
    int64_t batches = 0;
    ThrowIfError(plumb_pipeline_size(handle_, &batches));
    return batches;
  }

  /// Gives the handle away; the object is empty afterwards.
  plumb_pipeline_t* Release() {
    plumb_pipeline_t* handle = handle_;
    handle_ = nullptr;
    return handle;
  }

 private:
  void Destroy() {
    plumb_pipeline_destroy(handle_);
    handle_ = nullptr;
  }

  plumb_pipeline_t* handle_ = nullptr;
  std::vector<View> arrays_;
};

// -- Launches

/// What a launch's callback gathers: the reports' bytes, of all steps or of the last one.
struct Gathered {
  const plumb_loop_info_t* loop;
  bool keep_all;
  plumb_session_t* session;
  py::object on_step;  // called for every step unless None
  std::deque<Watcher>* watchers;
  std::exception_ptr problem;
  std::vector<std::vector<char>> bytes;
  int64_t rows = 0;
};

/// Calls the program's own function with the step's number and its first report; an exception ends the launch.
void CallOnStep(Gathered& gathered, uint64_t step, const void* const* reports) {
  py::gil_scoped_acquire locked;
  try {
    py::buffer value = MakeArray(gathered.loop->reports[0], -1);
    std::memcpy(View(value, /*writable=*/true).data(), reports[0], gathered.loop->reports[0].bytes);
    gathered.on_step(step, value);
  } catch (...) {
    gathered.problem = std::current_exception();
    plumb_session_request_stop(gathered.session);
  }
}

void Gather(uint64_t step, const void* const* reports, size_t count, void* user) {
  auto* gathered = static_cast<Gathered*>(user);
  if (!gathered->keep_all) {
    for (auto& column : gathered->bytes) column.clear();
    gathered->rows = 0;
  }
  for (size_t i = 0; i < count; ++i) {
    const char* data = static_cast<const char*>(reports[i]);
    gathered->bytes[i].insert(gathered->bytes[i].end(), data, data + gathered->loop->reports[i].bytes);
  }
  ++gathered->rows;
  if (count > 0 && !gathered->on_step.is_none() && !gathered->problem) CallOnStep(*gathered, step, reports);
}

/// (steps, reason, interrupted, one array per report).
py::tuple MakeResult(const Gathered& gathered, const plumb_launch_result_t& result, bool interrupted) {
  for (Watcher& watcher : *gathered.watchers) {
    if (std::exception_ptr problem = std::exchange(watcher.problem, nullptr)) std::rethrow_exception(problem);
  }
  if (gathered.problem) std::rethrow_exception(gathered.problem);
  py::list reports;
  for (size_t i = 0; i < gathered.loop->report_count; ++i) {
    py::buffer array = MakeArray(gathered.loop->reports[i], gathered.rows);
    std::memcpy(View(array, /*writable=*/true).data(), gathered.bytes[i].data(), gathered.bytes[i].size());
    reports.append(array);
  }
  return py::make_tuple(result.steps, static_cast<int>(result.reason), interrupted, reports);
}

/// A launch that goes on by itself. The destructor stops it.
class Future {
 public:
  Future(std::unique_ptr<Gathered> gathered, plumb_future_t* handle)
      : gathered_(std::move(gathered)), handle_(handle) {}
  Future(const Future&) = delete;
  ~Future() {
    py::gil_scoped_release unlocked;  // what the program prints needs the lock
    plumb_future_destroy(handle_);
  }

  /// Whether it has ended, after `seconds` at most; negative: without limit.
  bool Wait(double seconds) {
    int ended = 0;
    plumb_status_t* status = nullptr;
    {
      py::gil_scoped_release unlocked;
      status = plumb_future_wait(handle_, seconds, &ended);
    }
    ThrowIfError(status);
    return ended != 0;
  }

  /// What `launch` would have returned.
  py::tuple Result() {
    plumb_launch_result_t result = {};
    ThrowIfError(plumb_future_result(handle_, &result));
    return MakeResult(*gathered_, result, /*interrupted=*/false);
  }

 private:
  std::unique_ptr<Gathered> gathered_;
  plumb_future_t* handle_;
};

/// Where one step's reports go.
struct Outputs {
  std::vector<void*> data;
  const plumb_loop_info_t* loop;
};

void CopyOutputs(uint64_t, const void* const* reports, size_t count, void* user) {
  auto* outputs = static_cast<Outputs*>(user);
  for (size_t i = 0; i < count; ++i) std::memcpy(outputs->data[i], reports[i], outputs->loop->reports[i].bytes);
}

// Sessions that SIGINT stops, and how often it came. Launches of several threads may overlap.
std::array<std::atomic<plumb_session_t*>, 32> interruptible{};
std::atomic<uint32_t> interrupts{0};

void OnInterrupt(int) {
  ++interrupts;
  for (auto& place : interruptible)
    if (plumb_session_t* session = place.load()) plumb_session_request_stop(session);
}

/// SIGINT taken over while at least one of these lives; it stops the session of each.
class InterruptGuard {
 public:
  explicit InterruptGuard(plumb_session_t* session) : before_(interrupts) {
    for (auto& place : interruptible) {
      plumb_session_t* none = nullptr;
      if (!place.compare_exchange_strong(none, session)) continue;
      place_ = &place;
      break;
    }
    std::lock_guard<std::mutex> lock(mutex_);
    if (count_++ > 0) return;
    struct sigaction action = {};
    action.sa_handler = &OnInterrupt;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, &previous_);
  }
  InterruptGuard(const InterruptGuard&) = delete;
  ~InterruptGuard() {
    if (place_) place_->store(nullptr);
    std::lock_guard<std::mutex> lock(mutex_);
    if (--count_ == 0) sigaction(SIGINT, &previous_, nullptr);
  }

  bool Interrupted() const { return interrupts != before_; }

 private:
  inline static std::mutex mutex_;
  inline static int count_ = 0;
  inline static struct sigaction previous_ = {};

  const uint32_t before_;
  std::atomic<plumb_session_t*>* place_ = nullptr;  // null where there are too many launches: SIGINT ends this one last
};

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
    py::gil_scoped_release unlocked;
    plumb_status_t* status = plumb_session_feed_pipeline(handle_, queue.c_str(), handle, passes);
    py::gil_scoped_acquire locked;
    ThrowIfError(status);
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
    plumb_status_t* status = nullptr;
    {
      py::gil_scoped_release unlocked;
      status = plumb_session_push_batch(handle_, queue.c_str(), data.data(), bytes.data(), data.size(), seconds);
    }
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
      interrupted = guard.Interrupted();
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
      interrupted = guard.Interrupted();
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
    plumb_status_t* status = nullptr;
    {
      py::gil_scoped_release unlocked;
      status = plumb_session_save(handle_, path.c_str());
    }
    ThrowIfError(status);
  }
  void Load(const std::string& path) {
    plumb_status_t* status = nullptr;
    {
      py::gil_scoped_release unlocked;
      status = plumb_session_load(handle_, path.c_str());
    }
    ThrowIfError(status);
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

/// Fills `array` by an initialiser's rule.
void Initialize(const std::string& kind, const std::vector<double>& parameters, uint64_t seed, uint64_t stream,
                const py::buffer& array) {
  View view(array, /*writable=*/true);
  std::vector<int64_t> shape(view.shape().begin(), view.shape().end());
  ThrowIfError(plumb_initialize(kind.c_str(), parameters.data(), parameters.size(), ElementOf(array), shape.data(),
                                shape.size(), seed, stream, view.data(), view.bytes()));
}

}  // namespace

PYBIND11_MODULE(_runtime, module) {
  module.doc() = "Plumb's runtime, over its C API.";
  module.def("version", &plumb_runtime_version, "The runtime's version.");
  module.def(
      "set_print_function", &SetPrintFunction, py::arg("function").none(true),
      "Has what programs print handed over, a list of strings and arrays for each print; None: it is shown as text.");
  module.def("initialize", &Initialize, py::arg("kind"), py::arg("parameters"), py::arg("seed"), py::arg("stream"),
             py::arg("array"), "Fills an array by an initialiser's rule.");
  plumb::python::DefineHistograms(module);
  plumb::python::DefineCheckpoints(module);
  py::class_<Executable, std::shared_ptr<Executable>>(module, "Executable", "A loaded executable.")
      .def(py::init<const std::string&, const std::string&>(), py::arg("code"), py::arg("name"))
      .def_static("load_file", &Executable::LoadFile, py::arg("path"), py::arg("public_key") = py::none(),
                  "Loads a file; with the text of a public key (PEM), only one whose signature in `path`.sig fits.")
      .def("variables", &Executable::Variables, "Names of the variables.");
  py::class_<Pipeline>(module, "Pipeline", "A data pipeline.")
      .def(py::init<const std::string&, const py::dict&, uint64_t>(), py::arg("json"), py::arg("arrays"),
           py::arg("seed"))
      .def("next", &Pipeline::Next, "The next batch as a list of arrays, or None at the end of a pass.")
      .def("size", &Pipeline::Size, "Batches of one pass; -1: endless.");
  py::class_<Future>(module, "Future", "A launch that goes on by itself; it is stopped when this is given up.")
      .def("wait", &Future::Wait, py::arg("seconds") = -1.0,
           "Whether it has ended, after `seconds` at most; negative: no limit.")
      .def("result", &Future::Result, "What `launch` would have returned; an error while it runs.");
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
