// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/checkpoint/checkpoint_folder.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "runtime/base/exceptions.h"
#include "runtime/base/new_file.h"
#include "runtime/base/status.h"

namespace plumb {
namespace {

constexpr char kPrefix[] = "step-";
constexpr char kSuffix[] = ".safetensors";

bool IsCheckpointName(absl::string_view name) {
  return absl::ConsumePrefix(&name, kPrefix) && absl::ConsumeSuffix(&name, kSuffix) && name.size() == 12 &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) { return absl::ascii_isdigit(c); });
}

}  // namespace

CheckpointFolder::CheckpointFolder(std::string path, size_t keep) : path_(std::move(path)), keep_(keep) {}

CheckpointFolder::~CheckpointFolder() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    over_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

absl::Status CheckpointFolder::Prepare() const {
  if (mkdir(path_.c_str(), 0777) != 0 && errno != EEXIST) {
    return absl::UnavailableError(absl::StrCat("cannot make the folder '", path_, "': ", std::strerror(errno)));
  }
  NewFile::RemoveStale(path_, IsCheckpointName);
  return NewFile::Probe(best_path());
}

std::string CheckpointFolder::PathOf(uint64_t steps) const {
  return absl::StrCat(path_, "/", kPrefix, absl::Dec(steps, absl::kZeroPad12), kSuffix);
}

std::vector<std::string> CheckpointFolder::NewestFirst() const {
  std::vector<std::string> paths;
  DIR* entries = opendir(path_.c_str());
  if (entries == nullptr) return paths;
  while (const dirent* entry = readdir(entries)) {
    if (IsCheckpointName(entry->d_name)) paths.push_back(absl::StrCat(path_, "/", entry->d_name));
  }
  closedir(entries);
  std::sort(paths.rbegin(), paths.rend());
  return paths;
}

Snapshot* CheckpointFolder::Acquire() { return &snapshots_[filled_]; }

void CheckpointFolder::Submit(bool best) {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [&] { return pending_ == nullptr; });
  pending_ = &snapshots_[filled_];
  best_ = best;
  filled_ = 1 - filled_;
  if (!thread_.joinable()) {
    try {
      thread_ = std::thread([this] { Work(); });
    } catch (const std::exception&) {  // no thread to be had: training waits for the disk
      error_.Update(CatchExceptions([&] { return Write(*pending_, best_); }));
      pending_ = nullptr;
    }
  }
  changed_.notify_all();
}

absl::Status CheckpointFolder::TakeError() {
  std::lock_guard<std::mutex> lock(mutex_);
  return std::exchange(error_, absl::OkStatus());
}

absl::Status CheckpointFolder::Flush() {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [&] { return pending_ == nullptr; });
  return std::exchange(error_, absl::OkStatus());
}

void CheckpointFolder::Work() {
  std::unique_lock<std::mutex> lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return pending_ != nullptr || over_; });
    if (pending_ == nullptr) return;
    lock.unlock();
    absl::Status status = CatchExceptions([&] { return Write(*pending_, best_); });
    lock.lock();
    error_.Update(status);
    pending_ = nullptr;
    changed_.notify_all();
  }
}

/// The new file is there before an old one goes. Files of more steps than this one belong to a run that was given up.
absl::Status CheckpointFolder::Write(const Snapshot& snapshot, bool best) const {
  const std::string path = PathOf(snapshot.steps);
  PLUMB_RETURN_IF_ERROR(WriteCheckpoint(path, snapshot.tensors, snapshot.metadata));
  if (best) PLUMB_RETURN_IF_ERROR(WriteCheckpoint(best_path(), snapshot.tensors, snapshot.metadata));
  size_t kept = 0;
  for (const std::string& each : NewestFirst()) {
    if (each > path) continue;
    if (++kept > keep_) unlink(each.c_str());
  }
  return absl::OkStatus();
}

}  // namespace plumb
