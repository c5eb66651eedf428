// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/session.h"

#include <cstdio>
#include <cstring>
#include <utility>

#include "runtime/base/atomics.h"
#include "runtime/base/element_type.h"
#include "runtime/base/initializer.h"
#include "runtime/base/status.h"
#include "runtime/base/tensor_text.h"
#include "runtime/device/cpu/cores.h"

namespace plumb {
namespace {

// How often the host looks for reports while the loop runs; a full ring rings the bell before. Each look takes a core from
// a thread of the loop where there are as many threads as cores.
constexpr std::chrono::milliseconds kDrainInterval(10);

// Values of the flag that ends a launch.
constexpr uint32_t kStop = 1;
constexpr uint32_t kPause = 2;

/// What plumb_launch_t.host points at.
struct LaunchHost {
  Session* session;
  ReportRing* ring;
};

/// One signed integer in a record.
int64_t ReadInteger(abi::ElementType element, const uint8_t* bytes) {
  const auto read = [bytes](auto value) {
    std::memcpy(&value, bytes, sizeof(value));
    return static_cast<int64_t>(value);
  };
  switch (element) {
    case abi::ElementType::i8:
      return read(int8_t{});
    case abi::ElementType::i16:
      return read(int16_t{});
    case abi::ElementType::i32:
      return read(int32_t{});
    default:
      return read(int64_t{});
  }
}

}  // namespace

Session::Session(std::shared_ptr<const Executable> executable, const SessionOptions& options)
    : executable_(std::move(executable)), options_(options),
      seed_(options.seed == kSeedOfProgram ? executable_->manifest().seed() : options.seed),
      threads_(options.threads == 0 ? DefaultThreads() : options.threads) {}

absl::StatusOr<std::unique_ptr<Session>> Session::Create(std::shared_ptr<const Executable> executable,
                                                         const SessionOptions& options) {
  std::unique_ptr<Session> session(new Session(std::move(executable), options));
  PLUMB_RETURN_IF_ERROR(session->Initialize());
  return session;
}

Session::~Session() {
  RequestStop();
  device_.reset();
  if (pool_ != nullptr) pool_->Forget();
}

absl::Status Session::Initialize() {
  if (threads_ > ThreadPool::kMostThreads) {
    return absl::InvalidArgumentError(
        absl::StrCat("a step runs on 1 to ", ThreadPool::kMostThreads, " threads, not on ", threads_));
  }
  const abi::Manifest& manifest = executable_->manifest();
  PLUMB_ASSIGN_OR_RETURN(variables_, AlignedBuffer::Create(manifest.variables_bytes(), "the variables"));
  PLUMB_ASSIGN_OR_RETURN(arena_, AlignedBuffer::Create(manifest.arena_bytes(), "the arena"));
  if (manifest.variables() != nullptr) {
    for (const abi::Variable* variable : *manifest.variables()) {
      PLUMB_RETURN_IF_ERROR(
          Annotate(InitializeVariable(*variable), absl::StrCat("variable '", variable->name()->str(), "'")));
    }
  }
  PLUMB_RETURN_IF_ERROR(CreateLoops());
  PLUMB_ASSIGN_OR_RETURN(device_, CpuDevice::Create(&doorbell_));
  return absl::OkStatus();
}

absl::Status Session::InitializeVariable(const abi::Variable& variable) {
  absl::Span<uint8_t> bytes = Bytes(variable);
  if (variable.data() != nullptr) {
    if (!bytes.empty()) std::memcpy(bytes.data(), variable.data()->data(), bytes.size());
    return absl::OkStatus();
  }
  const abi::Initializer& rule = *variable.rule();
  absl::Span<const double> parameters;
  if (rule.parameters() != nullptr) {
    parameters = absl::MakeConstSpan(rule.parameters()->data(), rule.parameters()->size());
  }
  return InitializeTensor(rule.kind()->c_str(), parameters, variable.type()->element(), ShapeOf(*variable.type()),
                          seed_, rule.stream(), bytes.data());
}

absl::Status Session::CreateLoops() {
  const abi::Manifest& manifest = executable_->manifest();
  for (size_t i = 0; manifest.queues() != nullptr && i < manifest.queues()->size(); ++i) {
    PLUMB_ASSIGN_OR_RETURN(
        auto feed, Feed::Create(*manifest.queues()->Get(static_cast<flatbuffers::uoffset_t>(i)), seed_));
    queue_table_.push_back(feed->queue().abi());
    feeds_.push_back(std::move(feed));
  }
  for (const abi::Loop* loop : *manifest.loops()) {
    PLUMB_ASSIGN_OR_RETURN(auto ring, ReportRing::Create(loop->record_bytes(), options_.report_depth, &doorbell_));
    rings_.push_back(std::move(ring));
  }
  return absl::OkStatus();
}

/// The checked manifest promises that the range lies inside the block.
absl::Span<uint8_t> Session::Bytes(const abi::Variable& variable) {
  auto bytes = TensorBytes(variable.type()->element(), ShapeOf(*variable.type()));
  return variables_.span().subspan(variable.offset(), bytes.value_or(0));
}

absl::Status Session::CheckIdle() const {
  if (!running_) return absl::OkStatus();
  return absl::FailedPreconditionError("a launch is running; its state can be touched when it has ended");
}

absl::StatusOr<absl::Span<uint8_t>> Session::Variable(absl::string_view name) {
  PLUMB_RETURN_IF_ERROR(CheckIdle());
  PLUMB_ASSIGN_OR_RETURN(size_t index, executable_->FindVariable(name));
  return Bytes(*executable_->manifest().variables()->Get(static_cast<flatbuffers::uoffset_t>(index)));
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
    return absl::InvalidArgumentError(
        absl::StrCat("queue '", queue, "': its data lie in the executable; the folder '", options.folder, "' has no use"));
  }
  auto pipeline = Pipeline::FromManifest(*description.pipeline(), std::move(options));
  if (!pipeline.ok()) return Annotate(pipeline.status(), absl::StrCat("queue '", queue, "'"));
  return feeds_[index]->Bind(std::move(pipeline).value(), passes);
}

int32_t Session::WaitBatch(plumb_launch_t* launch, uint32_t queue) {
  Session* session = static_cast<LaunchHost*>(launch->host)->session;
  session->waits_.fetch_add(1, std::memory_order_relaxed);
  if (queue >= session->feeds_.size()) return PLUMB_WAIT_ERROR;
  const auto begin = std::chrono::steady_clock::now();
  const int32_t answer = session->feeds_[queue]->queue().Wait(launch->stop, session->options_.wait_limit);
  session->data_wait_ns_ += std::chrono::nanoseconds(std::chrono::steady_clock::now() - begin).count();
  return answer;
}

int32_t Session::WaitReport(plumb_launch_t* launch) {
  LaunchHost* host = static_cast<LaunchHost*>(launch->host);
  host->session->waits_.fetch_add(1, std::memory_order_relaxed);
  return host->ring->WaitForRoom();
}

void Session::Parallel(plumb_launch_t* launch, const plumb_stage_t* stages, uint64_t count, const void* arguments) {
  const Session* session = static_cast<LaunchHost*>(launch->host)->session;
  session->pool_->Run(session->threads_, stages, count, arguments);
}

/// Programs without large kernels, such as single operations of eager mode, start no thread.
absl::Status Session::PrepareThreads(const abi::Loop& loop) {
  if (threads_ < 2 || pool_ != nullptr || loop.grains() == nullptr || loop.grains()->size() == 0) return absl::OkStatus();
  PLUMB_ASSIGN_OR_RETURN(pool_, ThreadPool::Share(threads_));
  return absl::OkStatus();
}

/// What a step prints comes before anybody hears of its reports.
void Session::Print(const abi::Loop& loop, const uint8_t* record) {
  if (loop.prints() == nullptr) return;
  std::string text;
  for (const abi::Print* print : *loop.prints()) {
    if (print->when() >= 0 && record[print->when()] == 0) continue;
    if (print->before() != nullptr) text += print->before()->str();
    if (print->value() != nullptr) text += TensorText(*print->value()->type(), record + print->value()->offset());
    if (print->after() != nullptr) text += print->after()->str();
  }
  if (text.empty()) return;
  if (options_.print) return options_.print(text);
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

/// Whether what the step computed with was in range. If not, it was the launch's last, and nobody hears of its reports.
bool Session::CheckRecord(const abi::Loop& loop, uint64_t step, const uint8_t* record) {
  for (size_t i = 0; bad_step_.ok() && loop.checks() != nullptr && i < loop.checks()->size(); ++i) {
    const abi::Check& check = *loop.checks()->Get(static_cast<flatbuffers::uoffset_t>(i));
    const int64_t value = ReadInteger(check.value()->type()->element(), record + check.value()->offset());
    if (value >= check.lowest() && value <= check.highest()) continue;
    bad_step_ = absl::OutOfRangeError(absl::StrCat("step ", step + 1, " computed ", value, ", which is outside ", check.lowest(),
                                                   " to ", check.highest(), ", the ",
                                                   check.use() == nullptr ? "indices" : check.use()->str()));
  }
  return bad_step_.ok();
}

void Session::Drain(ReportRing& ring, const abi::Loop& loop, const RecordHandler& handler) {
  uint64_t step = ring.abi()->drained;  // for loops whose records hold nothing
  const bool numbered = ring.abi()->record_bytes >= sizeof(uint64_t);
  ring.Drain([&](const uint8_t* record) {
    if (numbered) std::memcpy(&step, record, sizeof(step));
    Print(loop, record);
    if (CheckRecord(loop, step, record) && handler) handler(step, record);
    if (!numbered) ++step;
  });
}

absl::StatusOr<LaunchResult> Session::Launch(size_t loop, int64_t sink_size, const RecordHandler& handler) {
  PLUMB_RETURN_IF_ERROR(CheckIdle());
  const auto& loops = *executable_->manifest().loops();
  if (loop >= loops.size()) return absl::InvalidArgumentError(absl::StrCat("there is no loop ", loop));
  if (sink_size < 1) {
    return absl::InvalidArgumentError(absl::StrCat("a launch runs at least one step, but got sink_size ", sink_size));
  }
  const abi::Loop& description = *loops.Get(static_cast<flatbuffers::uoffset_t>(loop));
  if (description.queue() >= 0) PLUMB_RETURN_IF_ERROR(feeds_[static_cast<size_t>(description.queue())]->EnsureRunning());
  PLUMB_RETURN_IF_ERROR(PrepareThreads(description));
  ReportRing& ring = *rings_[loop];
  ring.Reset();
  LaunchHost host = {this, &ring};
  plumb_launch_t launch = {};
  launch.sink_size = static_cast<uint64_t>(sink_size);
  launch.arena = arena_.data();
  launch.variables = variables_.data();
  launch.queues = queue_table_.data();
  launch.reports = ring.abi();
  launch.stop = &stop_;
  launch.wait_batch = &WaitBatch;
  launch.wait_report = &WaitReport;
  launch.host = &host;
  if (pool_ != nullptr) launch.parallel = &Parallel;
  PLUMB_RETURN_IF_ERROR(Run(executable_->loop(loop), WaitsForNobody(description, sink_size), launch,
                            [&] { Drain(ring, description, handler); }));
  return Finish(launch, description);
}

/// One step whose batch lies in the queue: the host has nothing to do beside it.
bool Session::WaitsForNobody(const abi::Loop& loop, int64_t sink_size) const {
  if (sink_size != 1) return false;
  if (loop.queue() < 0) return true;
  const Queue& queue = feeds_[static_cast<size_t>(loop.queue())]->queue();
  return queue.produced() > queue.consumed();
}

/// Runs a launch on a device thread and calls `drain` as records come; or here, where that is quicker than to hand it over.
absl::Status Session::Run(plumb_loop_fn loop, bool here, plumb_launch_t& launch, const std::function<void()>& drain) {
  if (!here) PLUMB_RETURN_IF_ERROR(device_->Start(loop, &launch));
  running_ = true;
  bad_step_ = absl::OkStatus();
  ++launches_;
  if (here) loop(&launch);
  while (!here) {
    doorbell_.Wait(kDrainInterval);
    drain();
    here = device_->Idle();
  }
  drain();
  running_ = false;
  return absl::OkStatus();
}

absl::StatusOr<LaunchResult> Session::Finish(const plumb_launch_t& launch, const abi::Loop& loop) {
  total_steps_ += launch.steps;
  data_failed_ = false;
  const bool paused = TakeRequest(launch.reason == PLUMB_END_STOPPED);
  PLUMB_RETURN_IF_ERROR(Annotate(bad_step_, absl::StrCat("loop '", loop.name()->str(), "'")));
  if (launch.reason < PLUMB_END_ERROR) {
    return LaunchResult{launch.steps, static_cast<plumb_end_reason_t>(launch.reason), paused};
  }
  absl::Status error;
  if (loop.queue() >= 0) error = feeds_[static_cast<size_t>(loop.queue())]->queue().error();
  data_failed_ = !error.ok();
  if (error.ok()) error = absl::InternalError(absl::StrCat("it ended for a reason numbered ", launch.reason));
  return Annotate(error, absl::StrCat("loop '", loop.name()->str(), "' failed after ", launch.steps, " steps"));
}

void Session::RequestStop() { StoreRelease(&stop_, kStop); }

void Session::RequestPause() {
  uint32_t nothing = 0;
  __atomic_compare_exchange_n(&stop_, &nothing, kPause, /*weak=*/false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

/// Takes back what ended a launch; true for a pause. A pause that came too late is void, a stop then ends the next launch.
bool Session::TakeRequest(bool seen) {
  if (seen) return __atomic_exchange_n(&stop_, 0u, __ATOMIC_ACQ_REL) == kPause;
  uint32_t pause = kPause;
  __atomic_compare_exchange_n(&stop_, &pause, 0u, /*weak=*/false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
  return false;
}

}  // namespace plumb
