// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A folder with the checkpoints of one run: `step-000000012000.safetensors`, the newest few of them, and perhaps
// `best.safetensors`. A thread writes them, so that training waits for a disk only when it is slower than the interval.

#ifndef PLUMB_RUNTIME_CHECKPOINT_CHECKPOINT_FOLDER_H_
#define PLUMB_RUNTIME_CHECKPOINT_CHECKPOINT_FOLDER_H_

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "runtime/checkpoint/snapshot.h"

namespace plumb {

class CheckpointFolder {
 public:
  /// Keeps the newest `keep` files, at least 1.
  CheckpointFolder(std::string path, size_t keep);
  /// Waits until what was submitted is written.
  ~CheckpointFolder();

  /// Makes the folder if need be and tries whether files can be written to it.
  absl::Status Prepare() const;

  /// Paths of the checkpoints, the one with the most steps first, `best` not among them.
  std::vector<std::string> NewestFirst() const;
  std::string best_path() const { return path_ + "/best.safetensors"; }
  std::string invalid_path() const { return path_ + "/invalid.safetensors"; }

  /// Memory for the next snapshot; waits for the one before last to be written.
  Snapshot* Acquire();
  /// Writes the acquired snapshot on the folder's thread, to best_path() too if `best`; older files beyond `keep` go.
  void Submit(bool best);
  /// The first error of the thread that nobody has taken yet.
  absl::Status TakeError();
  /// The same when all that was submitted is written.
  absl::Status Flush();

 private:
  void Work();
  absl::Status Write(const Snapshot& snapshot, bool best) const;
  std::string PathOf(uint64_t steps) const;

  const std::string path_;
  const size_t keep_;
  Snapshot snapshots_[2];  // one is filled while the other is written
  size_t filled_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  const Snapshot* pending_ = nullptr;  // what the thread writes
  bool best_ = false;
  bool over_ = false;
  absl::Status error_;
  std::thread thread_;
};

}  // namespace plumb

#endif  // PLUMB_RUNTIME_CHECKPOINT_CHECKPOINT_FOLDER_H_
