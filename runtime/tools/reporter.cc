// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/tools/reporter.h"

#include <algorithm>
#include <cstdio>

#include "absl/strings/str_format.h"
#include "runtime/base/element_type.h"
#include "runtime/tools/loops.h"

namespace plumb {
namespace {

void PrintLine(absl::string_view line) {
  std::fwrite(line.data(), 1, line.size(), stdout);
  std::fputc('\n', stdout);
  std::fflush(stdout);
}

}  // namespace

std::vector<NumberReport> NumberReports(const abi::Loop& loop) {
  std::vector<NumberReport> numbers;
  for (size_t i = 0; loop.reports() != nullptr && i < loop.reports()->size(); ++i) {
    const abi::Report& report = *loop.reports()->Get(static_cast<flatbuffers::uoffset_t>(i));
    absl::Span<const int64_t> shape = ShapeOf(*report.type());
    if (std::any_of(shape.begin(), shape.end(), [](int64_t size) { return size != 1; })) continue;
    numbers.push_back({report.name()->str(), report.type()->element(), report.offset()});
  }
  return numbers;
}

Reporter::Reporter(const abi::Loop& loop, bool json) : reports_(NumberReports(loop)), json_(json) {}

StepHandler Reporter::steps() {
  return [this](int64_t epoch, int64_t step, const uint8_t* record) {
    JsonWriter json;
    json.BeginObject().Key("event").String("step").Key("epoch").Int(epoch).Key("step").Int(step);
    for (const NumberReport& report : reports_) {
      json.Key(report.name).Double(ReadNumber(report.element, record + report.offset));
    }
    json.EndObject();
    std::fwrite(json.text().data(), 1, json.text().size(), stdout);
    std::fputc('\n', stdout);
  };
}

void Reporter::PrintAsJson(absl::string_view text) {
  JsonWriter json;
  PrintLine(json.BeginObject().Key("event").String("print").Key("text").String(text).EndObject().text());
}

absl::Status Reporter::OnEpochBegin(const TrainingState& state) {
  begin_ = std::chrono::steady_clock::now();
  steps_before_ = state.cur_step_num;
  return absl::OkStatus();
}

absl::Status Reporter::OnEpochEnd(const TrainingState& state) {
  if (!json_) return absl::OkStatus();
  JsonWriter json;
  json.BeginObject().Key("event").String("epoch").Key("epoch").Int(state.epoch);
  json.Key("steps").Int(state.cur_step_num - steps_before_);
  json.Key("seconds").Double(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count());
  if (state.has_loss) json.Key("loss").Double(state.loss);
  PrintLine(json.EndObject().text());
  return absl::OkStatus();
}

namespace {

double Seconds(std::chrono::nanoseconds duration) { return std::chrono::duration<double>(duration).count(); }

/// `queue train: 1875 batches, 15.2 of 16 slots filled on average; device: 3 waits, 0.01 s, …`
void PrintQueueText(const std::string& name, const QueueStatistics& queue, const std::string& advice) {
  auto waits = [](const WaitStatistics& side) {
    return absl::StrFormat("%d waits, %.3f s in all, %.1f ms at most", side.count, Seconds(side.total),
                           Seconds(side.longest) * 1e3);
  };
  PrintLine(absl::StrFormat("queue %s: %d batches, %.1f of %d slots filled on average; device: %s; data: %s", name,
                            queue.published, queue.mean_filled, queue.depth, waits(queue.consumer),
                            waits(queue.producer)));
  if (!advice.empty()) PrintLine(absl::StrCat("advice: ", advice));
}

void PrintQueueJson(const std::string& name, const QueueStatistics& queue, const std::vector<DepthSample>& history,
                    const std::string& advice) {
  JsonWriter json;
  json.BeginObject().Key("event").String("queue").Key("name").String(name);
  json.Key("published").UInt(queue.published).Key("taken").UInt(queue.taken).Key("depth").UInt(queue.depth);
  json.Key("mean_filled").Double(queue.mean_filled).Key("preparing_seconds").Double(Seconds(queue.preparing));
  for (const auto& [side, waits] : {std::make_pair("device", queue.consumer), std::make_pair("data", queue.producer)}) {
    json.Key(absl::StrCat(side, "_waits")).UInt(waits.count);
    json.Key(absl::StrCat(side, "_waited_seconds")).Double(Seconds(waits.total));
    json.Key(absl::StrCat(side, "_longest_wait_seconds")).Double(Seconds(waits.longest));
  }
  json.Key("depth_over_time").BeginArray();
  for (const DepthSample& sample : history) {
    json.BeginArray().Double(sample.seconds).UInt(sample.filled).EndArray();
  }
  json.EndArray();
  if (!advice.empty()) json.Key("advice").String(advice);
  PrintLine(json.EndObject().text());
}

}  // namespace

void PrintWaits(Session& session, size_t loop, std::chrono::steady_clock::duration elapsed, bool json) {
  const double seconds = Seconds(elapsed);
  const double waited = Seconds(session.data_wait());
  JsonWriter object;
  object.BeginObject().Key("event").String("data_wait").Key("seconds").Double(seconds);
  object.Key("waited_seconds").Double(waited).EndObject();
  PrintLine(json ? object.text()
                 : absl::StrFormat("device waited for data: %.2f %% of %.3f s",
                                   seconds > 0 ? 100 * waited / seconds : 0, seconds));
  const std::string name = QueueName(session.executable(), LoopAt(session.executable(), loop));
  auto feed = session.FindFeed(name);
  if (name.empty() || !feed.ok()) return;
  const QueueStatistics queue = (*feed)->queue().statistics();
  const std::string advice = queue.Advice(elapsed);
  if (json) {
    PrintQueueJson(name, queue, (*feed)->queue().history(), advice);
  } else {
    PrintQueueText(name, queue, advice);
  }
}

void Means::Add(const uint8_t* record) {
  ++steps_;
  for (size_t i = 0; i < reports_.size(); ++i) sums_[i] += ReadNumber(reports_[i].element, record + reports_[i].offset);
}

void Means::Print(bool json) const {
  JsonWriter object;
  std::string text;
  object.BeginObject().Key("event").String("evaluation").Key("steps").Int(steps_);
  for (size_t i = 0; i < reports_.size(); ++i) {
    const double mean = steps_ == 0 ? 0 : sums_[i] / static_cast<double>(steps_);
    object.Key(reports_[i].name).Double(mean);
    absl::StrAppend(&text, i ? ", " : "", reports_[i].name, ": ", NumpyText(mean));
  }
  object.EndObject();
  PrintLine(json ? object.text() : absl::StrCat(text, text.empty() ? "(" : " (", steps_, " steps)"));
}

}  // namespace plumb
