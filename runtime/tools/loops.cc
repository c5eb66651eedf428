// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/tools/loops.h"

#include <utility>

#include "runtime/base/status.h"
#include "runtime/device/cpu/thread_pool.h"

namespace plumb {

const abi::Loop& LoopAt(const Executable& executable, size_t index) {
  return *executable.manifest().loops()->Get(static_cast<flatbuffers::uoffset_t>(index));
}

bool Trains(const abi::Loop& loop) { return loop.mode() != nullptr && loop.mode()->str() == "train"; }

absl::StatusOr<size_t> ChooseLoop(const Executable& executable, const std::string& name) {
  if (!name.empty()) return executable.FindLoop(name);
  for (size_t i = 0; i < executable.manifest().loops()->size(); ++i) {
    if (Trains(LoopAt(executable, i))) return i;
  }
  return 0;
}

std::string QueueName(const Executable& executable, const abi::Loop& loop) {
  if (loop.queue() < 0) return "";
  return executable.manifest().queues()->Get(static_cast<flatbuffers::uoffset_t>(loop.queue()))->name()->str();
}

absl::Status CheckDataNames(Session& session, const std::vector<std::string>& data) {
  for (const std::string& entry : data) {
    const size_t equals = entry.find('=');
    if (equals == std::string::npos) continue;
    PLUMB_RETURN_IF_ERROR(Annotate(session.FindFeed(entry.substr(0, equals)).status(), absl::StrCat("--data=", entry)));
  }
  return absl::OkStatus();
}

absl::Status BindLoopData(Session& session, size_t loop, const std::vector<std::string>& data, int64_t passes,
                          PipelineOptions options) {
  const std::string queue = QueueName(session.executable(), LoopAt(session.executable(), loop));
  PLUMB_RETURN_IF_ERROR(CheckDataNames(session, data));
  for (const std::string& entry : data) {
    const size_t equals = entry.find('=');
    const std::string name = equals == std::string::npos ? queue : entry.substr(0, equals);
    if (name.empty()) {
      return absl::InvalidArgumentError(absl::StrCat("--data=", entry, " has no use: the loop pulls no data"));
    }
    if (name == queue) options.folder = equals == std::string::npos ? entry : entry.substr(equals + 1);
  }
  if (queue.empty()) return absl::OkStatus();
  return session.BindManifestPipeline(queue, std::move(options), passes);
}

absl::StatusOr<uint32_t> GetThreads(const Arguments& arguments) {
  PLUMB_ASSIGN_OR_RETURN(uint64_t threads, arguments.GetUInt("--threads", 0));
  if (!arguments.Has("--threads") || (threads >= 1 && threads <= ThreadPool::kMaxThreads)) {
    return static_cast<uint32_t>(threads);
  }
  return absl::InvalidArgumentError(
      absl::StrCat("--threads must be between 1 and ", ThreadPool::kMaxThreads, ", not ", threads));
}

}  // namespace plumb
