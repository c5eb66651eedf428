// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/tools/watcher.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/strip.h"
#include "runtime/base/histogram.h"
#include "runtime/base/json.h"
#include "runtime/base/new_file.h"
#include "runtime/base/status.h"

namespace plumb {
namespace {

std::string JsonLine(const WatchedValue& value, const Histogram& histogram) {
  JsonWriter json;
  json.BeginObject().Key("event").String("watch").Key("step").UInt(value.step).Key("name").String(value.name);
  json.Key("shape").BeginArray();
  for (const int64_t extent : value.shape) json.Int(extent);
  json.EndArray()
      .Key("count")
      .UInt(histogram.count)
      .Key("nan")
      .UInt(histogram.nans)
      .Key("infinite")
      .UInt(histogram.infinite);
  json.Key("min").Double(histogram.min).Key("max").Double(histogram.max);
  json.Key("mean").Double(histogram.mean).Key("std").Double(histogram.deviation).Key("buckets").BeginArray();
  for (const Histogram::Bucket& bucket : histogram.buckets) {
    json.BeginArray().Double(bucket.limit).UInt(bucket.count).EndArray();
  }
  return json.EndArray().EndObject().text();
}

}  // namespace

absl::StatusOr<WatcherOptions::Rule> ReadWatch(absl::string_view text) {
  WatcherOptions::Rule rule;
  rule.takes_values = absl::ConsumePrefix(&text, "values:");
  PLUMB_ASSIGN_OR_RETURN(rule.rule, ParseWatchRule(text));
  return rule;
}

std::string HistogramLine(const WatchedValue& value, const Histogram& histogram, bool json) {
  if (json) return JsonLine(value, histogram);
  std::string line = absl::StrFormat("step %d: %s has mean %.6g, deviation %.6g, range %.6g to %.6g", value.step,
                                     value.name, histogram.mean, histogram.deviation, histogram.min, histogram.max);
  if (histogram.nans > 0) absl::StrAppend(&line, ", ", histogram.nans, " NaN");
  if (histogram.infinite > 0) absl::StrAppend(&line, ", ", histogram.infinite, " infinite");
  return absl::StrCat(line, " (", histogram.count, histogram.count == 1 ? " number)" : " numbers)");
}

Watcher::Watcher(const WatcherOptions& options, Console* console) : options_(options), console_(console) {}

absl::Status Watcher::Prepare() {
  if (options_.folder.empty()) return absl::OkStatus();
  if (mkdir(options_.folder.c_str(), 0777) != 0 && errno != EEXIST) {
    return absl::UnavailableError(
        absl::StrCat("--watch-to: cannot make the folder '", options_.folder, "': ", std::strerror(errno)));
  }
  events_ = std::make_unique<EventFile>(options_.folder);
  return Annotate(NewFile::Probe(events_->path()), "--watch-to");
}

absl::Status Watcher::Start(Session& session, size_t loop) {
  for (const WatcherOptions::Rule& rule : options_.rules) {
    const auto take = rule.takes_values ? &Watcher::TakeWhole : &Watcher::TakeHistogram;
    const absl::Status status =
        session.AddWatch(loop, rule.rule, [this, take](const WatchedValue& value) { (this->*take)(value); });
    PLUMB_RETURN_IF_ERROR(Annotate(status, "--watch"));
  }
  return absl::OkStatus();
}

void Watcher::TakeHistogram(const WatchedValue& value) {
  const Histogram histogram = MakeHistogram(value.element, value.data);
  if (events_ != nullptr) return Warn(events_->Add(value.name, value.step, histogram));
  console_->PrintLine(HistogramLine(value, histogram, options_.json));
}

void Watcher::TakeWhole(const WatchedValue& value) {
  if (value.step != step_) Finish();
  step_ = value.step;
  const auto is_it = [&](const CheckpointTensor& tensor) { return tensor.name == value.name; };
  if (std::any_of(tensors_.begin(), tensors_.end(), is_it)) return;  // two rules name it
  bytes_.emplace_back(value.data.begin(), value.data.end());
  tensors_.push_back({value.name, value.element, {value.shape.begin(), value.shape.end()}, bytes_.back()});
}

void Watcher::Finish() {
  if (tensors_.empty()) return;
  const std::string path = absl::StrFormat("%s/values-%012d.safetensors", options_.folder, step_);
  Warn(WriteCheckpoint(path, tensors_, {{"step", absl::StrCat(step_)}}));
  tensors_.clear();
  bytes_.clear();
}

void Watcher::Warn(const absl::Status& status) {
  if (!status.ok()) console_->Warning(absl::StrCat("what --watch saw is missing: ", status.message()));
}

}  // namespace plumb
