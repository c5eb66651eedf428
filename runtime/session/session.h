// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One run of an executable: its variables, its queues and what feeds them, a device thread, and the launches.
//
//   host thread          device thread             data threads
//   Launch ───────────►  loop: get_next ◄────────  pipeline fills slots
//     drain reports ◄──    step
//     …                    emit
//   result ◄───────────  steps, reason

#ifndef PLUMB_RUNTIME_SESSION_SESSION_H_
#define PLUMB_RUNTIME_SESSION_SESSION_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "runtime/base/doorbell.h"
#include "runtime/checkpoint/name_map.h"
#include "runtime/checkpoint/safetensors.h"
#include "runtime/checkpoint/snapshot.h"
#include "runtime/device/device.h"
#include "runtime/executable/executable.h"
#include "runtime/queue/report_ring.h"
#include "runtime/session/feed.h"
#include "runtime/session/guard.h"
#include "runtime/session/prints.h"
#include "runtime/session/watch.h"

namespace plumb {

/// As a seed: the one that the program itself set.
inline constexpr uint64_t kSeedOfProgram = ~uint64_t{0};

struct SessionOptions {
  /// Of random initialisers and shuffles.
  uint64_t seed = kSeedOfProgram;
  /// Limit of a wait for data; zero: none.
  std::chrono::nanoseconds wait_limit = std::chrono::minutes(10);
  /// Records of a report ring; 0: chosen by size.
  uint32_t report_depth = 0;
  /// Whether the loop waits or drops reports when the host is behind by the whole ring. Loops that print always wait.
  ReportRing::WhenFull when_full = ReportRing::WhenFull::kWait;
  /// Takes what the program prints; empty: standard output.
  Prints::Sink print;
  /// Takes each print as its parts, before it becomes text; may be empty.
  Prints::PartSink print_parts;
  /// Threads that run a step, the device's own included; 0: as the device finds right. What a step computes does not
  /// depend on it.
  uint32_t threads = 0;
  /// Makes the device; empty: the CPU.
  DeviceFactory device;
};

/// How a launch ended.
struct LaunchResult {
  uint64_t steps = 0;
  plumb_end_reason_t reason = PLUMB_END_SINK_SIZE;
  bool paused = false;  // PLUMB_END_STOPPED by RequestPause alone
};

struct LoadOptions {
  /// Keeps the session's seed; otherwise the file brings its own, if it has one.
  bool keep_seed = false;
  /// What the file's tensors are called in the program; without it they have the same names. Lives as long as the call.
  const NameMap* names = nullptr;
};

/// One step's record: the step's number within the launch and the record's bytes (reports at the manifest's offsets).
using RecordHandler = std::function<void(uint64_t step, const uint8_t* record)>;

/// Calls come from one thread at a time, but for RequestStop, Push and EndData, which may come from others during a
/// launch.
class Session {
 public:
  /// Variables at their initial values, queues empty and unfed.
  static absl::StatusOr<std::unique_ptr<Session>> Create(std::shared_ptr<const Executable> executable,
                                                         const SessionOptions& options);
  ~Session();

  const Executable& executable() const { return *executable_; }

  /// Copies a variable's bytes, all of them. Fails while a launch runs.
  absl::Status GetVariable(absl::string_view name, absl::Span<uint8_t> to) const;
  absl::Status SetVariable(absl::string_view name, absl::Span<const uint8_t> from);

  /// The feed of a queue by name.
  absl::StatusOr<Feed*> FindFeed(absl::string_view queue);
  /// Feeds a queue from the pipeline of the manifest.
  absl::Status BindManifestPipeline(absl::string_view queue, PipelineOptions options, int64_t passes);

  /// Adds a rule that ends every launch of `loop` right after the step that breaks it (PLUMB_END_GUARD).
  absl::Status AddGuard(size_t loop, const GuardRule& rule);
  /// Removes the rules of all loops.
  absl::Status ClearGuards();
  /// Hands values of a report or of variables to `handler` at every so many steps of `loop`, on the thread that
  /// launches, right after the step's record. A handler that throws ends the launch as a record's does.
  absl::Status AddWatch(size_t loop, const WatchRule& rule, const WatchHandler& handler);
  /// Removes those of all loops.
  absl::Status ClearWatches();
  /// The rule that ended the last launch, if one did.
  const absl::optional<GuardStrike>& strike() const { return strike_; }
  /// Reports and watched values of the last launch that were dropped.
  uint64_t dropped_reports() const { return dropped_reports_; }

  /// Runs up to `sink_size` steps of loop `loop` and hands every record to `handler` while the loop runs. A handler
  /// that throws ends the launch at the next step; its exception becomes the error.
  absl::StatusOr<LaunchResult> Launch(size_t loop, int64_t sink_size, const RecordHandler& handler);

  /// Ends the launch that runs, or else the next, before its next step. Only stores a flag: fit for signal handlers.
  void RequestStop();
  /// Ends the launch that runs before its next step, for the host to do something between two steps. A stop wins over
  /// it.
  void RequestPause();
  /// Whether the last launch was ended by its data: an error of the pipeline, or a wait that took too long.
  bool data_failed() const { return data_failed_; }
  /// Whether the last launch was ended by a step that computed with indices out of range: what it wrote is wrong.
  bool step_failed() const { return !bad_step_.ok(); }

  /// Variables, seed, step count and positions in the data, as safetensors; and back, before or between launches.
  /// Loading a file of another tool's sets the variables and begins with the first step and batch. `notes` hear what
  /// the file lacks.
  absl::Status Save(const std::string& path) const;
  absl::Status Load(const std::string& path, const LoadOptions& options = {},
                    std::vector<std::string>* notes = nullptr);
  /// What Save would write. Memory that `snapshot` has is used again.
  absl::Status TakeSnapshot(Snapshot* snapshot) const;

  /// Steps of all launches, and of the run that Load continued.
  uint64_t total_steps() const { return total_steps_; }
  uint64_t launches() const { return launches_; }
  /// Threads that run a step where its kernels are large enough.
  uint32_t threads() const { return device_->threads(); }
  /// Launches, and calls of the loop to the host: waits for data and for room in the rings of reports and prints.
  uint64_t interactions() const { return launches_ + waits_; }
  /// How long the loops have waited for data, in all launches.
  std::chrono::nanoseconds data_wait() const { return std::chrono::nanoseconds(data_wait_ns_.load()); }

 private:
  explicit Session(std::shared_ptr<const Executable> executable, const SessionOptions& options);
  absl::Status Initialize();
  absl::Status InitializeVariable(const abi::Variable& variable);
  absl::Status CreateLoops();
  absl::Status Share(ReportRing* ring);
  absl::Status CheckIdle() const;
  absl::Status CheckLaunch(size_t loop, int64_t sink_size) const;
  std::unique_ptr<Watches> MakeWatches();
  ReportRing::Inspector MakeInspector(size_t loop);
  plumb_launch_t MakeLaunch(int64_t sink_size, ReportRing& ring, Prints& prints);
  absl::Status DrainUntilIdle(size_t index, const RecordHandler& handler);
  void Drain(size_t index, const RecordHandler& handler);
  bool CheckRecord(const abi::Loop& loop, uint64_t step, const uint8_t* record, const Prints& prints);
  bool WaitsForNobody(const abi::Loop& loop, int64_t sink_size) const;
  absl::StatusOr<LaunchResult> Finish(const plumb_launch_t& launch, const abi::Loop& loop, const Guards& guards);
  absl::Status LaunchError(const plumb_launch_t& launch, const abi::Loop& loop);
  bool TakeRequest(bool seen);
  static int32_t WaitBatch(plumb_launch_t* launch, uint32_t queue);
  static int32_t WaitReport(plumb_launch_t* launch);
  static int32_t WaitPrint(plumb_launch_t* launch);
  const abi::Variable& VariableAt(size_t index) const;
  absl::StatusOr<size_t> FindVariable(absl::string_view name, size_t bytes) const;
  absl::Span<uint8_t> HostView(const abi::Variable& variable);
  absl::StatusOr<absl::Span<const uint8_t>> LookAt(const abi::Variable& variable);
  absl::StatusOr<absl::Span<const uint8_t>> ReadVariables(std::vector<uint8_t>* copy) const;
  std::map<std::string, std::string> RunMetadata() const;
  std::vector<CheckpointTensor> Tensors(absl::Span<const uint8_t> block) const;
  absl::Status Restore(const Checkpoint& checkpoint, const LoadOptions& options, std::vector<std::string>* notes);

  const std::shared_ptr<const Executable> executable_;
  const SessionOptions options_;
  Doorbell doorbell_;
  std::unique_ptr<Device> device_;  // first: what stands below lies in its memory, or is shared with it
  std::unique_ptr<DeviceMemory> variables_;
  std::unique_ptr<DeviceMemory> arena_;
  std::vector<std::unique_ptr<Feed>> feeds_;  // by the manifest's queue index
  std::vector<plumb_queue_t*> queue_table_;
  std::vector<std::unique_ptr<ReportRing>> rings_;  // by loop index
  std::vector<std::unique_ptr<Prints>> prints_;     // by loop index
  std::vector<Guards> guards_;                      // by loop index
  std::vector<std::unique_ptr<Watches>> watches_;   // by loop index
  absl::optional<GuardStrike> strike_;
  uint64_t dropped_reports_ = 0;
  uint64_t seed_;  // of the options, or of the run that Load continued
  uint32_t stop_ = 0;
  bool running_ = false;
  bool data_failed_ = false;
  std::atomic<bool> out_of_memory_{false};  // a wait of the loop's threw
  absl::Status bad_step_;                   // why the last launch's last step is an error
  uint64_t total_steps_ = 0;
  std::atomic<uint64_t> launches_{0};
  std::atomic<uint64_t> waits_{0};
  std::atomic<int64_t> data_wait_ns_{0};
};

}  // namespace plumb

#endif  // PLUMB_RUNTIME_SESSION_SESSION_H_
