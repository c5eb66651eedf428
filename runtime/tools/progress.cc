// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/tools/progress.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "runtime/base/number.h"

namespace plumb {
namespace {

constexpr std::chrono::milliseconds kInterval(100);  // between two drawings
constexpr std::chrono::seconds kWindow(10);          // over which the rate is taken
constexpr size_t kNarrowest = 5, kWidest = 30;       // columns of the bar

/// `=====>    `
std::string BarText(double share, size_t width) {
  const size_t filled = std::min(width, static_cast<size_t>(std::max(share, 0.0) * static_cast<double>(width)));
  std::string bar(filled, '=');
  if (filled < width) bar += '>';
  bar.resize(width, ' ');
  return bar;
}

}  // namespace

std::string DurationText(double seconds) {
  if (!(seconds >= 0) || seconds > 1e9) return "?";
  const int64_t whole = static_cast<int64_t>(std::llround(seconds));
  const int64_t days = whole / 86400, hours = whole / 3600 % 24, minutes = whole / 60 % 60;
  if (days > 0) return absl::StrFormat("%d d %02d:%02d", days, hours, minutes);
  if (hours > 0) return absl::StrFormat("%d:%02d:%02d", hours, minutes, whole % 60);
  return minutes > 0 ? absl::StrFormat("%d:%02d", minutes, whole % 60) : absl::StrCat(whole, " s");
}

Progress::Progress(Console* console, const abi::Report* loss, int64_t epochs)
    : console_(console), loss_(loss), epochs_(epochs), shown_(Clock::now()) {}

absl::Status Progress::OnEpochBegin(const TrainingState& state) {
  batch_num_ = state.batch_num;
  if (recent_.empty()) recent_.emplace_back(Clock::now(), state.cur_step_num);
  return absl::OkStatus();
}

StepHandler Progress::steps() {
  return [this](int64_t epoch, int64_t step, const uint8_t* record) { OnStep(epoch, step, record); };
}

/// Steps a second over the last kWindow.
double Progress::Rate(int64_t done, Clock::time_point now) {
  recent_.emplace_back(now, done);
  while (recent_.size() > 2 && now - recent_.front().first > kWindow) recent_.pop_front();
  const double seconds = std::chrono::duration<double>(now - recent_.front().first).count();
  return seconds > 0 ? static_cast<double>(done - recent_.front().second) / seconds : 0;
}

void Progress::OnStep(int64_t epoch, int64_t step, const uint8_t* record) {
  const Clock::time_point now = Clock::now();
  if (now - shown_ < kInterval) return;
  shown_ = now;
  const int64_t done = (epoch - 1) * batch_num_ + step;
  const std::string loss = loss_ == nullptr ? "" : ReadNumberText(loss_->type()->element(), record + loss_->offset());
  console_->ShowBar(Text(done, Rate(done, now), loss, Console::Columns()));
}

std::string Progress::Text(int64_t done, double steps_per_second, const std::string& loss, size_t columns) const {
  const int64_t total = epochs_ * batch_num_;
  const double share = total > 0 ? static_cast<double>(done) / static_cast<double>(total) : 1;
  const std::string epoch = absl::StrCat("epoch ", (done + batch_num_ - 1) / batch_num_, "/", epochs_);
  std::string rest = absl::StrFormat(" %.1f %% %d/%d", 100 * share, done, total);
  if (!loss.empty()) absl::StrAppend(&rest, " loss ", loss);
  if (steps_per_second > 0) {
    absl::StrAppend(&rest, " ", DurationText(static_cast<double>(total - done) / steps_per_second), " left");
  }
  absl::StrAppendFormat(&rest, " %.*f steps/s", steps_per_second < 100 ? 1 : 0, steps_per_second);
  const size_t taken = epoch.size() + rest.size() + 4;  // a blank, the brackets, the last column
  if (taken + kNarrowest > columns) return epoch + rest;
  return absl::StrCat(epoch, " [", BarText(share, std::min(columns - taken, kWidest)), "]", rest);
}

}  // namespace plumb
