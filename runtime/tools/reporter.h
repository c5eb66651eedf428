// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How plumb-run says what a loop reports: text lines, or one JSON object a line.

#ifndef PLUMB_RUNTIME_TOOLS_REPORTER_H_
#define PLUMB_RUNTIME_TOOLS_REPORTER_H_

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/base/json.h"
#include "runtime/callback/trainer.h"

namespace plumb {

/// Reports of one element inside a loop's records.
struct NumberReport {
  std::string name;
  abi::ElementType element;
  uint64_t offset;
};
std::vector<NumberReport> NumberReports(const abi::Loop& loop);

/// Writes to stdout: lines as they come, or JSON objects
///   {"event": "step", "epoch": 1, "step": 1, "loss": 2.3025}   and   {"event": "epoch", "epoch": 1, "steps": 1000, …}.
class Reporter : public Callback {
 public:
  Reporter(const abi::Loop& loop, bool json);

  /// Takes every step's record.
  StepHandler steps();
  /// Writes what the program prints, as an object of its own.
  static void PrintAsJson(absl::string_view text);

  absl::Status OnEpochBegin(const TrainingState& state) override;
  absl::Status OnEpochEnd(const TrainingState& state) override;

 private:
  std::vector<NumberReport> reports_;
  bool json_;
  int64_t steps_before_ = 0;
  std::chrono::steady_clock::time_point begin_;
};

/// Says how long the device waited for data and the data's side for room, out of `elapsed`, with advice where it helps.
void PrintWaits(Session& session, size_t loop, std::chrono::steady_clock::duration elapsed, bool json);

/// Means of a loop's numbers over its steps.
class Means {
 public:
  explicit Means(const abi::Loop& loop) : reports_(NumberReports(loop)), sums_(reports_.size()) {}
  void Add(const uint8_t* record);
  /// `loss: 0.031, accuracy: 0.9889 (312 steps)`, or a JSON object with the same.
  void Print(bool json) const;

 private:
  std::vector<NumberReport> reports_;
  std::vector<double> sums_;
  int64_t steps_ = 0;
};

}  // namespace plumb

#endif  // PLUMB_RUNTIME_TOOLS_REPORTER_H_
