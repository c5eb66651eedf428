// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/tools/reporter.h"

#include <algorithm>
#include <cstdio>

#include "runtime/base/element_type.h"

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

LineSink Reporter::lines() const { return PrintLine; }

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
