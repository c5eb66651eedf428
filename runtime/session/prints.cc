// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/prints.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "runtime/base/status.h"
#include "runtime/base/tensor_text.h"

namespace plumb {
namespace {

uint64_t ReadWord(const uint8_t* bytes) {
  uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof(word));
  return word;
}

/// The texts of `format` with the values of a record between them.
std::vector<Prints::Part> Parts(const abi::PrintFormat& format, const uint8_t* record) {
  std::vector<Prints::Part> parts;
  for (flatbuffers::uoffset_t i = 0; i < format.texts()->size(); ++i) {
    const flatbuffers::String& text = *format.texts()->Get(i);
    parts.push_back({absl::string_view(text.data(), text.size()), nullptr, nullptr});
    if (format.values() == nullptr || i >= format.values()->size()) continue;
    const abi::PrintValue& value = *format.values()->Get(i);
    parts.push_back({{}, value.type(), record + value.offset()});
  }
  return parts;
}

bool EndsLine(absl::string_view text) { return text.empty() || text.back() == '\n'; }

/// How a value is shown between two texts: on lines of its own, within brackets, or else as its numbers alone.
TensorStyle StyleBetween(absl::string_view before, absl::string_view after, absl::string_view line) {
  if (EndsLine(before) && absl::StartsWith(after, "\n")) return TensorStyle::kLine;
  const auto count = [line](char wanted) { return std::count(line.begin(), line.end(), wanted); };
  const bool is_inside = count('(') > count(')') || count('[') > count(']') || count('{') > count('}');
  return is_inside ? TensorStyle::kRepr : TensorStyle::kNumbers;
}

/// The same as one text; errors show values without their types.
std::string Text(const abi::PrintFormat& format, const uint8_t* record) {
  std::string text;
  const std::vector<Prints::Part> parts = Parts(format, record);
  for (size_t i = 0; i < parts.size(); ++i) {
    const Prints::Part& part = parts[i];
    if (part.type == nullptr) {
      text.append(part.text.data(), part.text.size());
    } else {  // between two texts
      const TensorStyle style =
          format.error() ? TensorStyle::kNumbers : StyleBetween(parts[i - 1].text, parts[i + 1].text, text);
      text += TensorText(*part.type, part.data, style);
    }
  }
  return text;
}

/// What the record of a step says, by schemas 3 and 4.
std::string StepText(const abi::Loop& loop, const uint8_t* record) {
  std::string text;
  for (const abi::Print* print : *loop.prints()) {
    if (print->when() >= 0 && record[print->when()] == 0) continue;
    const std::string before = print->before() != nullptr ? print->before()->str() : "";
    const std::string after = print->after() != nullptr ? print->after()->str() : "";
    text += before;
    if (print->value() != nullptr) {
      text +=
          TensorText(*print->value()->type(), record + print->value()->offset(), StyleBetween(before, after, before));
    }
    text += after;
  }
  return text;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Prints>> Prints::Create(const abi::Loop& loop, uint64_t depth, Doorbell* doorbell,
                                                       Sink sink, PartSink part_sink) {
  std::unique_ptr<Prints> prints(new Prints(loop, std::move(sink), std::move(part_sink)));
  if (loop.print_formats() != nullptr && loop.print_formats()->size() > 0) {
    PLUMB_ASSIGN_OR_RETURN(prints->ring_, ReportRing::Create(loop.print_bytes(), depth, doorbell));
  }
  return prints;
}

bool Prints::Exist(const abi::Loop& loop) { return loop.prints() != nullptr || loop.print_formats() != nullptr; }

void Prints::Reset() {
  error_.clear();
  if (ring_ != nullptr) ring_->Reset();
}

void Prints::ShowUpTo(uint64_t step) {
  if (ring_ == nullptr) return;
  std::string text;
  ring_->DrainWhile([step](const uint8_t* record) { return ReadWord(record) <= step; },
                    [&](const uint8_t* record) {
                      const uint64_t index = ReadWord(record + sizeof(uint64_t));
                      const auto& format = *loop_.print_formats()->Get(static_cast<flatbuffers::uoffset_t>(index));
                      if (!format.error() && part_sink_ && part_sink_(Parts(format, record))) return;
                      (format.error() ? error_ : text) += Text(format, record);
                    });
  Show(text);
}

void Prints::ShowStep(const uint8_t* record) {
  if (loop_.prints() != nullptr) Show(StepText(loop_, record));
}

void Prints::Drop() {
  if (ring_ != nullptr) ring_->Drain(nullptr);
}

void Prints::Show(const std::string& text) const {
  if (text.empty()) return;
  if (sink_) return sink_(text);
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

}  // namespace plumb
