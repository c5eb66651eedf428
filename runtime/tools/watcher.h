// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `--watch` of the training tools: histograms of chosen tensors as lines or in TensorBoard's event files, and their
// values as files.

#ifndef PLUMB_RUNTIME_TOOLS_WATCHER_H_
#define PLUMB_RUNTIME_TOOLS_WATCHER_H_

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/checkpoint/safetensors.h"
#include "runtime/session/session.h"
#include "runtime/tools/console.h"
#include "runtime/tools/event_file.h"

namespace plumb {

struct WatcherOptions {
  struct Rule {
    WatchRule rule;
    bool takes_values = false;  // the values themselves
  };
  std::vector<Rule> rules;
  std::string folder;  // empty: lines
  bool json = false;
};

/// Reads `NAME[,every=N]` or `values:NAME[,every=N]`.
absl::StatusOr<WatcherOptions::Rule> ReadWatch(absl::string_view text);

/// `step 100: conv1.weight has mean …`, or a JSON object with all of it.
std::string HistogramLine(const WatchedValue& value, const Histogram& histogram, bool json);

class Watcher {
 public:
  /// `console` gets the lines, and hears of files that cannot be written: the run goes on.
  Watcher(const WatcherOptions& options, Console* console);

  /// Before the data are read: makes the folder, and tries whether files can be written there.
  absl::Status Prepare();
  /// Has a session watch what the rules say.
  absl::Status Start(Session& session, size_t loop);
  /// After the last step: writes what it still holds.
  void Finish();

 private:
  void TakeHistogram(const WatchedValue& value);
  void TakeWhole(const WatchedValue& value);
  void Warn(const absl::Status& status);

  const WatcherOptions options_;
  Console* const console_;
  std::unique_ptr<EventFile> events_;
  uint64_t step_ = 0;                       // of what follows: values of one step are one file
  std::deque<std::vector<uint8_t>> bytes_;  // what `tensors_` point into
  std::vector<CheckpointTensor> tensors_;
};

}  // namespace plumb

#endif  // PLUMB_RUNTIME_TOOLS_WATCHER_H_
