// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/session.h"

#include <cstring>
#include <limits>
#include <utility>

#include "absl/strings/str_replace.h"
#include "runtime/base/aligned_buffer.h"
#include "runtime/base/atomics.h"
#include "runtime/base/element_type.h"
#include "runtime/base/exceptions.h"
#include "runtime/base/initializer.h"
#include "runtime/base/status.h"
#include "runtime/device/cpu/cpu_device.h"

namespace plumb {
namespace {

// How often the host looks for reports while the loop runs; a full ring rings the bell before. Each look takes a core
// from a thread of the loop where there are as many threads as cores.
constexpr std::chrono::milliseconds kDrainInterval(10);

// Values of the flag that ends a launch.
constexpr uint32_t kStop = 1;
constexpr uint32_t kPause = 2;

/// What plumb_launch_t.host points at.
struct LaunchHost : DeviceContext {
  Session* session;
  ReportRing* ring;
  Prints* prints;
};

LaunchHost* HostOf(plumb_launch_t* launch) {
  return static_cast<LaunchHost*>(static_cast<DeviceContext*>(launch->host));
}

/// One signed integer in a record.
int64_t ReadInteger(abi::ElementType element, const uint8_t* bytes) {
  const auto read = [bytes](auto value) {
    std::memcpy(&value, bytes, sizeof(value));
    return static_cast<int64_t>(value);
  };
  switch (element) {
    case abi::ElementType::i8: return read(int8_t{});
    case abi::ElementType::i16: return read(int16_t{});
    case abi::ElementType::i32: return read(int32_t{});
    default: return read(int64_t{});
  }
}

/// The first integer of a record that is out of its range; null if there is none.
const abi::Check* FailedCheck(const abi::Loop& loop, const uint8_t* record) {
  for (size_t i = 0; loop.checks() != nullptr && i < loop.checks()->size(); ++i) {
    const abi::Check& check = *loop.checks()->Get(static_cast<flatbuffers::uoffset_t>(i));
    const int64_t value = ReadInteger(check.value()->type()->element(), record + check.value()->offset());
    if (value < check.lowest() || value > check.highest()) return &check;
  }
  return nullptr;
}

/// The bytes of a variable of the checked manifest.
uint64_t ByteSize(const abi::Variable& variable) {
  return TensorBytes(variable.type()->element(), ShapeOf(*variable.type())).value_or(0);
}

/// What an integer out of range means, with it in the place of `{}`; or `error`, what the failed assertion says with
/// its values.
std::string DescribeBadStep(const abi::Check& check, uint64_t step, int64_t value, const std::string& error) {
  if (!error.empty()) return absl::StrCat("step ", step, ": ", error);
  if (check.error() == nullptr) {
    return absl::StrCat("step ", step, " computed ", value, ", which is outside ", check.lowest(), " to ",
                        check.highest(), ", the ", check.use() == nullptr ? "indices" : check.use()->str());
  }
  return absl::StrCat(
      "step ", step, ": ",
      absl::StrReplaceAll(check.error()->str(), {{"{{", "{"}, {"}}", "}"}, {"{}", absl::StrCat(value)}}));
}

}  // namespace

Session::Session(std::shared_ptr<const Executable> executable, const SessionOptions& options)
    : executable_(std::move(executable)),
      options_(options),
      seed_(options.seed == kSeedOfProgram ? executable_->manifest().seed() : options.seed) {}

absl::StatusOr<std::unique_ptr<Session>> Session::Create(std::shared_ptr<const Executable> executable,
                                                         const SessionOptions& options) {
  std::unique_ptr<Session> session(new Session(std::move(executable), options));
  PLUMB_RETURN_IF_ERROR(session->Initialize());
  return session;
}

Session::~Session() {
  RequestStop();
  if (device_ != nullptr) device_->Wait();
}

absl::Status Session::Initialize() {
  const abi::Manifest& manifest = executable_->manifest();
  PLUMB_ASSIGN_OR_RETURN(device_,
                         (options_.device ? options_.device : CpuDevice::Create)(&doorbell_, options_.threads));
  PLUMB_ASSIGN_OR_RETURN(variables_, device_->Allocate(manifest.variables_bytes(), "the variables"));
  PLUMB_ASSIGN_OR_RETURN(arena_, device_->Allocate(manifest.arena_bytes(), "the arena"));
  if (manifest.variables() != nullptr) {
    for (const abi::Variable* variable : *manifest.variables()) {
      PLUMB_RETURN_IF_ERROR(
          Annotate(InitializeVariable(*variable), absl::StrCat("variable '", variable->name()->str(), "'")));
    }
  }
  return CreateLoops();
}

absl::Status Session::InitializeVariable(const abi::Variable& variable) {
  if (variable.data() != nullptr) {
    return device_->CopyIn(*variables_, variable.offset(),
                           absl::MakeConstSpan(variable.data()->data(), variable.data()->size()));
  }
  const abi::Initializer& rule = *variable.rule();
  absl::Span<const double> parameters;
  if (rule.parameters() != nullptr) {
    parameters = absl::MakeConstSpan(rule.parameters()->data(), rule.parameters()->size());
  }
  absl::Span<uint8_t> bytes = HostView(variable);
  AlignedBuffer copy;  // where the host cannot write in place
  if (bytes.empty()) {
    PLUMB_ASSIGN_OR_RETURN(copy, AlignedBuffer::Create(ByteSize(variable), "initial values"));
    bytes = copy.span();
  }
  PLUMB_RETURN_IF_ERROR(InitializeTensor(rule.kind()->c_str(), parameters, variable.type()->element(),
                                         ShapeOf(*variable.type()), seed_, rule.stream(), bytes.data()));
  return copy.size() == 0 ? absl::OkStatus() : device_->CopyIn(*variables_, variable.offset(), bytes);
}

absl::Status Session::Share(ReportRing* ring) {
  if (ring == nullptr) return absl::OkStatus();
  for (absl::Span<uint8_t> memory : ring->memory()) PLUMB_RETURN_IF_ERROR(device_->Share(memory));
  return absl::OkStatus();
}

absl::Status Session::CreateLoops() {
  const abi::Manifest& manifest = executable_->manifest();
  for (size_t i = 0; manifest.queues() != nullptr && i < manifest.queues()->size(); ++i) {
    PLUMB_ASSIGN_OR_RETURN(auto feed,
                           Feed::Create(*manifest.queues()->Get(static_cast<flatbuffers::uoffset_t>(i)), seed_));
    PLUMB_RETURN_IF_ERROR(device_->Share(feed->queue().slots()));
    queue_table_.push_back(feed->queue().abi());
    feeds_.push_back(std::move(feed));
  }
  for (const abi::Loop* loop : *manifest.loops()) {
    const auto when_full = Prints::Exist(*loop) ? ReportRing::WhenFull::kWait : options_.when_full;
    PLUMB_ASSIGN_OR_RETURN(auto ring,
                           ReportRing::Create(loop->record_bytes(), options_.report_depth, &doorbell_, when_full));
    PLUMB_RETURN_IF_ERROR(Share(ring.get()));
    rings_.push_back(std::move(ring));
    PLUMB_ASSIGN_OR_RETURN(
        auto prints, Prints::Create(*loop, options_.report_depth, &doorbell_, options_.print, options_.print_parts));
    PLUMB_RETURN_IF_ERROR(Share(prints->ring()));
    prints_.push_back(std::move(prints));
  }
  guards_.resize(rings_.size());
  for (size_t i = 0; i < rings_.size(); ++i) watches_.push_back(MakeWatches());
  return absl::OkStatus();
}

const abi::Variable& Session::VariableAt(size_t index) const {
  return *executable_->manifest().variables()->Get(static_cast<flatbuffers::uoffset_t>(index));
}

/// A variable's bytes in place; empty where the host cannot reach them. The checked manifest promises that the range
/// lies inside the block.
absl::Span<uint8_t> Session::HostView(const abi::Variable& variable) {
  absl::Span<uint8_t> block = variables_->host_view();
  return block.empty() ? block : block.subspan(variable.offset(), ByteSize(variable));
}

/// All variables: in place where the host reaches them, else in `copy`.
absl::StatusOr<absl::Span<const uint8_t>> Session::ReadVariables(std::vector<uint8_t>* copy) const {
  if (!variables_->host_view().empty()) return absl::Span<const uint8_t>(variables_->host_view());
  copy->resize(variables_->size());
  PLUMB_RETURN_IF_ERROR(device_->CopyOut(*variables_, 0, absl::MakeSpan(*copy)));
  return absl::MakeConstSpan(*copy);
}

absl::Status Session::CheckIdle() const {
  if (!running_) return absl::OkStatus();
  return absl::FailedPreconditionError("a launch is running; its state can be accessed when it has ended");
}

/// The index of a variable that has so many bytes, while its value may be looked at.
absl::StatusOr<size_t> Session::FindVariable(absl::string_view name, size_t bytes) const {
  PLUMB_RETURN_IF_ERROR(CheckIdle());
  PLUMB_ASSIGN_OR_RETURN(size_t index, executable_->FindVariable(name));
  const uint64_t size = ByteSize(VariableAt(index));
  if (size == bytes) return index;
  return absl::InvalidArgumentError(absl::StrCat("variable '", name, "' has ", size, " bytes, not ", bytes));
}

absl::Status Session::GetVariable(absl::string_view name, absl::Span<uint8_t> to) const {
  PLUMB_ASSIGN_OR_RETURN(size_t index, FindVariable(name, to.size()));
  return device_->CopyOut(*variables_, VariableAt(index).offset(), to);
}

absl::Status Session::SetVariable(absl::string_view name, absl::Span<const uint8_t> from) {
  PLUMB_ASSIGN_OR_RETURN(size_t index, FindVariable(name, from.size()));
  return device_->CopyIn(*variables_, VariableAt(index).offset(), from);
}

absl::StatusOr<Feed*> Session::FindFeed(absl::string_view queue) {
  PLUMB_ASSIGN_OR_RETURN(size_t index, executable_->FindQueue(queue));
  return feeds_[index].get();
}

absl::Status Session::BindManifestPipeline(absl::string_view queue, PipelineOptions options, int64_t passes) {
  PLUMB_RETURN_IF_ERROR(CheckIdle());
  PLUMB_ASSIGN_OR_RETURN(size_t index, executable_->FindQueue(queue));
  const abi::Queue& description = *executable_->manifest().queues()->Get(static_cast<flatbuffers::uoffset_t>(index));
  if (description.pipeline() == nullptr) {
    return absl::FailedPreconditionError(
        absl::StrCat("queue '", queue, "': the executable carries no data pipeline for it; batches must be pushed"));
  }
  if (!options.folder.empty() && description.pipeline()->source_type() == abi::Source::ArraySource) {
    return absl::InvalidArgumentError(absl::StrCat("queue '", queue, "': its data lie in the executable; the folder '",
                                                   options.folder, "' has no use"));
  }
  auto pipeline = Pipeline::FromManifest(*description.pipeline(), std::move(options));
  if (!pipeline.ok()) return Annotate(pipeline.status(), absl::StrCat("queue '", queue, "'"));
  return feeds_[index]->Bind(std::move(pipeline).value(), passes);
}

int32_t Session::WaitBatch(plumb_launch_t* launch, uint32_t queue) {
  Session* session = HostOf(launch)->session;
  session->waits_.fetch_add(1, std::memory_order_relaxed);
  if (queue >= session->feeds_.size()) return PLUMB_WAIT_ERROR;
  const auto begin = std::chrono::steady_clock::now();
  int32_t answer = PLUMB_WAIT_ERROR;
  try {  // no exception may pass through compiled code
    answer = session->feeds_[queue]->queue().Wait(launch->stop, session->options_.wait_limit);
  } catch (...) {
    session->out_of_memory_ = true;
  }
  session->data_wait_ns_ += std::chrono::nanoseconds(std::chrono::steady_clock::now() - begin).count();
  return answer;
}

int32_t Session::WaitReport(plumb_launch_t* launch) {
  LaunchHost* host = HostOf(launch);
  if (!host->ring->staged()) host->session->waits_.fetch_add(1, std::memory_order_relaxed);
  return host->ring->WaitForRoom();
}

int32_t Session::WaitPrint(plumb_launch_t* launch) {
  LaunchHost* host = HostOf(launch);
  host->session->waits_.fetch_add(1, std::memory_order_relaxed);
  return host->prints->WaitForRoom();
}

/// Whether what the step computed with was in range. If not, it was the launch's last, and nobody hears of its reports.
bool Session::CheckRecord(const abi::Loop& loop, uint64_t step, const uint8_t* record, const Prints& prints) {
  if (!bad_step_.ok()) return false;
  const abi::Check* check = FailedCheck(loop, record);
  if (check == nullptr) return true;
  const int64_t value = ReadInteger(check->value()->type()->element(), record + check->value()->offset());
  bad_step_ = absl::OutOfRangeError(DescribeBadStep(*check, step + 1, value, prints.error()));
  return false;
}

/// What a step prints comes before anybody hears of its reports, and the report of the step before it before that.
void Session::Drain(size_t index, const RecordHandler& handler) {
  ReportRing& ring = *rings_[index];
  Prints& prints = *prints_[index];
  Watches& watches = *watches_[index];
  const abi::Loop& loop = *executable_->manifest().loops()->Get(static_cast<flatbuffers::uoffset_t>(index));
  uint64_t step = ring.drained();  // for loops whose records hold nothing
  const bool numbered = loop.record_bytes() >= sizeof(uint64_t);
  ring.Drain([&](const uint8_t* record) {
    if (numbered) std::memcpy(&step, record, sizeof(step));
    prints.ShowUpTo(step);
    prints.ShowStep(record);
    if (CheckRecord(loop, step, record, prints) && handler) handler(step, record);
    watches.Show(total_steps_ + step + 1);
    if (!numbered) ++step;
  });
  prints.ShowUpTo(ring.drained());                                             // by the step that runs
  if (ring.dropped() > 0) watches.Show(std::numeric_limits<uint64_t>::max());  // of steps whose records nobody will see
}

/// A variable's bytes for what looks at them after each step.
absl::StatusOr<absl::Span<const uint8_t>> Session::LookAt(const abi::Variable& variable) {
  if (!variables_->host_view().empty()) return absl::Span<const uint8_t>(HostView(variable));
  return absl::UnimplementedError(absl::StrCat("'", variable.name()->str(), "' is a variable, whose memory on device '",
                                               device_->name(), "' the host cannot look at; take a report instead"));
}

absl::Status Session::AddGuard(size_t loop, const GuardRule& rule) {
  PLUMB_RETURN_IF_ERROR(CheckIdle());
  const abi::Loop& description = *executable_->manifest().loops()->Get(static_cast<flatbuffers::uoffset_t>(loop));
  auto index = executable_->FindVariable(rule.name);
  if (!index.ok()) return guards_[loop].Add(rule, description, nullptr, {});
  PLUMB_ASSIGN_OR_RETURN(auto bytes, LookAt(VariableAt(*index)));
  return guards_[loop].Add(rule, description, VariableAt(*index).type(), bytes);
}

absl::Status Session::ClearGuards() {
  PLUMB_RETURN_IF_ERROR(CheckIdle());
  for (Guards& guards : guards_) guards = Guards();
  return absl::OkStatus();
}

std::unique_ptr<Watches> Session::MakeWatches() {
  return std::make_unique<Watches>(&doorbell_, options_.when_full == ReportRing::WhenFull::kWait);
}

absl::Status Session::AddWatch(size_t loop, const WatchRule& rule, const WatchHandler& handler) {
  PLUMB_RETURN_IF_ERROR(CheckIdle());
  const abi::Loop& description = *executable_->manifest().loops()->Get(static_cast<flatbuffers::uoffset_t>(loop));
  if (const abi::Report* report = FindReport(description, rule.name)) {
    return watches_[loop]->Add(rule.name, *report->type(), rule.every, report->offset(), {}, handler);
  }
  bool found = false;
  for (size_t i = 0; executable_->manifest().variables() != nullptr && i < executable_->manifest().variables()->size();
       ++i) {
    const abi::Variable& variable = VariableAt(i);
    if (!FitsPattern(rule.name, variable.name()->str())) continue;
    found = true;
    PLUMB_ASSIGN_OR_RETURN(auto bytes, LookAt(variable));
    PLUMB_RETURN_IF_ERROR(watches_[loop]->Add(variable.name()->str(), *variable.type(), rule.every, 0, bytes, handler));
  }
  if (found) return absl::OkStatus();
  return absl::NotFoundError(absl::StrCat("loop '", description.name()->str(), "' has no report '", rule.name,
                                          "', and the program no variable of that name"));
}

absl::Status Session::ClearWatches() {
  PLUMB_RETURN_IF_ERROR(CheckIdle());
  for (std::unique_ptr<Watches>& watches : watches_) watches = MakeWatches();
  return absl::OkStatus();
}

/// What looks at each record on the loop's thread; empty where nothing is to be looked at, so that steps need not stop
/// for it.
ReportRing::Inspector Session::MakeInspector(size_t loop) {
  Guards& guards = guards_[loop];
  Watches& watches = *watches_[loop];
  guards.Begin();
  watches.Begin();
  const abi::Loop& description = *executable_->manifest().loops()->Get(static_cast<flatbuffers::uoffset_t>(loop));
  const bool dropping = options_.when_full == ReportRing::WhenFull::kDrop && description.checks() != nullptr;
  if (guards.empty() && watches.empty() && !dropping) return nullptr;
  return [&guards, &watches, &description, step = total_steps_](const uint8_t* record) mutable {
    if (FailedCheck(description, record) != nullptr) return false;
    watches.Look(++step, record);
    return guards.Check(step, record);
  };
}

absl::Status Session::CheckLaunch(size_t loop, int64_t sink_size) const {
  PLUMB_RETURN_IF_ERROR(CheckIdle());
  PLUMB_RETURN_IF_ERROR(device_->Fault());
  if (loop >= rings_.size()) return absl::InvalidArgumentError(absl::StrCat("there is no loop ", loop));
  if (sink_size >= 1) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("a launch runs at least one step, but got sink_size ", sink_size));
}

/// Hands on what the loop reports until it has left. Once a handler throws the rest is dropped.
absl::Status Session::DrainUntilIdle(size_t index, const RecordHandler& handler) {
  ReportRing& ring = *rings_[index];
  absl::Status status;
  auto drain = [&] {
    if (!status.ok()) {
      prints_[index]->Drop();
      watches_[index]->Drop();
      return ring.Drain(nullptr);
    }
    status = CatchExceptions([&] {
      Drain(index, handler);
      return absl::OkStatus();
    });
    if (!status.ok()) RequestPause();
  };
  while (!device_->Idle()) {
    doorbell_.Wait(kDrainInterval);
    drain();
  }
  drain();
  (void)ring.InspectLast();  // what it finds, the guards and the drained record tell
  drain();
  return status;
}

plumb_launch_t Session::MakeLaunch(int64_t sink_size, ReportRing& ring, Prints& prints) {
  plumb_launch_t launch = {};
  launch.sink_size = static_cast<uint64_t>(sink_size);
  launch.arena = arena_->address();
  launch.variables = variables_->address();
  launch.queues = queue_table_.data();
  launch.reports = ring.abi();
  launch.stop = &stop_;
  launch.wait_batch = &WaitBatch;
  launch.wait_report = &WaitReport;
  launch.prints = prints.abi();
  launch.wait_print = &WaitPrint;
  return launch;
}

absl::StatusOr<LaunchResult> Session::Launch(size_t loop, int64_t sink_size, const RecordHandler& handler) {
  PLUMB_RETURN_IF_ERROR(CheckLaunch(loop, sink_size));
  const abi::Loop& description = *executable_->manifest().loops()->Get(static_cast<flatbuffers::uoffset_t>(loop));
  if (description.queue() >= 0)
    PLUMB_RETURN_IF_ERROR(feeds_[static_cast<size_t>(description.queue())]->EnsureRunning());
  ReportRing& ring = *rings_[loop];
  ring.Reset(MakeInspector(loop));
  Prints& prints = *prints_[loop];
  prints.Reset();
  strike_.reset();
  bad_step_ = absl::OkStatus();
  LaunchHost host = {{device_.get()}, this, &ring, &prints};
  plumb_launch_t launch = MakeLaunch(sink_size, ring, prints);
  launch.host = static_cast<DeviceContext*>(&host);
  const DeviceLoop code = {executable_->loop(loop),
                           description.chunks() != nullptr && description.chunks()->size() > 0};
  running_ = true;
  const absl::Status begun =
      WaitsForNobody(description, sink_size) ? device_->Run(code, &launch) : device_->Start(code, &launch);
  running_ = begun.ok();
  PLUMB_RETURN_IF_ERROR(begun);
  ++launches_;
  const absl::Status heard = DrainUntilIdle(loop, handler);
  running_ = false;
  PLUMB_RETURN_IF_ERROR(Annotate(device_->Fault(), absl::StrCat("loop '", description.name()->str(), "'")));
  auto result = Finish(launch, description, guards_[loop]);
  dropped_reports_ = ring.dropped() + watches_[loop]->left_out();
  return heard.ok() ? std::move(result) : heard;
}

/// One step whose batch lies in the queue and which cannot wait for the host to show what it prints: the host has
/// nothing to do beside it.
bool Session::WaitsForNobody(const abi::Loop& loop, int64_t sink_size) const {
  if (sink_size != 1 || loop.print_formats() != nullptr) return false;
  if (loop.queue() < 0) return true;
  const Queue& queue = feeds_[static_cast<size_t>(loop.queue())]->queue();
  return queue.produced() > queue.consumed();
}

absl::StatusOr<LaunchResult> Session::Finish(const plumb_launch_t& launch, const abi::Loop& loop,
                                             const Guards& guards) {
  total_steps_ += launch.steps;
  data_failed_ = false;
  const bool paused = TakeRequest(launch.reason == PLUMB_END_STOPPED && !guards.struck());
  if (guards.struck()) strike_ = guards.strike();
  PLUMB_RETURN_IF_ERROR(Annotate(bad_step_, absl::StrCat("loop '", loop.name()->str(), "'")));
  if (strike_.has_value()) return LaunchResult{launch.steps, PLUMB_END_GUARD, false};
  if (launch.reason < PLUMB_END_ERROR) {
    return LaunchResult{launch.steps, static_cast<plumb_end_reason_t>(launch.reason), paused};
  }
  return Annotate(LaunchError(launch, loop),
                  absl::StrCat("loop '", loop.name()->str(), "' failed after ", launch.steps, " steps"));
}

/// Why a loop could not go on.
absl::Status Session::LaunchError(const plumb_launch_t& launch, const abi::Loop& loop) {
  if (out_of_memory_.exchange(false)) return absl::ResourceExhaustedError("out of memory while it waited for data");
  absl::Status error;
  if (loop.queue() >= 0) error = feeds_[static_cast<size_t>(loop.queue())]->queue().error();
  data_failed_ = !error.ok();
  if (error.ok()) error = absl::InternalError(absl::StrCat("it ended for a reason numbered ", launch.reason));
  return error;
}

void Session::RequestStop() { StoreRelease(&stop_, kStop); }

void Session::RequestPause() {
  uint32_t nothing = 0;
  __atomic_compare_exchange_n(&stop_, &nothing, kPause, /*weak=*/false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

/// Takes back what ended a launch; true for a pause. A pause that came too late is void, a stop then ends the next
/// launch.
bool Session::TakeRequest(bool seen) {
  if (seen) return __atomic_exchange_n(&stop_, 0u, __ATOMIC_ACQ_REL) == kPause;
  uint32_t pause = kPause;
  __atomic_compare_exchange_n(&stop_, &pause, 0u, /*weak=*/false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
  return false;
}

}  // namespace plumb
