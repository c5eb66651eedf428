// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/guard.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "runtime/base/element_type.h"
#include "runtime/base/number.h"

namespace plumb {
namespace {

/// Index of the first float whose exponent has all bits set: NaN or infinity; `count` if there is none. Walks in
/// blocks, so that the compiler sees a loop without branches.
template <typename Bits>
uint64_t FindNotFinite(const uint8_t* data, uint64_t count, Bits exponent) {
  constexpr uint64_t kBlock = 256;
  for (uint64_t begin = 0; begin < count; begin += kBlock) {
    const uint64_t end = std::min(count, begin + kBlock);
    bool found = false;
    for (uint64_t i = begin; i < end; ++i) {
      Bits bits;
      std::memcpy(&bits, data + i * sizeof(bits), sizeof(bits));
      found |= (bits & exponent) == exponent;
    }
    for (uint64_t i = begin; found && i < end; ++i) {
      Bits bits;
      std::memcpy(&bits, data + i * sizeof(bits), sizeof(bits));
      if ((bits & exponent) == exponent) return i;
    }
  }
  return count;
}

bool IsFloat(abi::ElementType element) {
  return element == abi::ElementType::f32 || element == abi::ElementType::f64 || element == abi::ElementType::f16 ||
         element == abi::ElementType::bf16;
}

uint64_t FirstNotFinite(abi::ElementType element, const uint8_t* data, uint64_t count) {
  switch (element) {
    case abi::ElementType::f32: return FindNotFinite<uint32_t>(data, count, 0x7f800000u);
    case abi::ElementType::f64: return FindNotFinite<uint64_t>(data, count, uint64_t{0x7ff} << 52);
    case abi::ElementType::f16: return FindNotFinite<uint16_t>(data, count, uint16_t{0x7c00});
    default: return FindNotFinite<uint16_t>(data, count, uint16_t{0x7f80});
  }
}

uint64_t Count(const abi::TensorType& type) {
  uint64_t count = 1;
  for (int64_t extent : ShapeOf(type)) count *= static_cast<uint64_t>(extent);
  return count;
}

absl::Status BadRule(absl::string_view text) {
  return absl::InvalidArgumentError(absl::StrCat(
      "a guard is finite:NAME, NAME<LIMIT or NAME>LIMIT, perhaps with ,every=STEPS behind it, and not '", text, "'"));
}

}  // namespace

const abi::Report* FindReport(const abi::Loop& loop, const std::string& name) {
  if (loop.reports() == nullptr) return nullptr;
  for (const abi::Report* report : *loop.reports()) {
    if (report->name()->str() == name) return report;
  }
  return nullptr;
}

std::string GuardRule::Text() const {
  const std::string rule = kind == Kind::kFinite
                               ? absl::StrCat("finite:", name)
                               : absl::StrCat(name, kind == Kind::kBelow ? "<" : ">", NumpyText(limit));
  return every == 1 ? rule : absl::StrCat(rule, ",every=", every);
}

absl::StatusOr<GuardRule> ParseGuardRule(absl::string_view text) {
  GuardRule rule;
  absl::string_view rest = text;
  const size_t comma = rest.rfind(",every=");
  if (comma != absl::string_view::npos) {
    if (!absl::SimpleAtoi(rest.substr(comma + 7), &rule.every) || rule.every == 0) return BadRule(text);
    rest = rest.substr(0, comma);
  }
  if (absl::ConsumePrefix(&rest, "finite:")) {
    rule.name = std::string(rest);
  } else {
    const size_t sign = rest.find_last_of("<>");
    if (sign == absl::string_view::npos) return BadRule(text);
    rule.kind = rest[sign] == '<' ? GuardRule::Kind::kBelow : GuardRule::Kind::kAbove;
    rule.name = std::string(rest.substr(0, sign));
    if (!absl::SimpleAtod(rest.substr(sign + 1), &rule.limit) || std::isnan(rule.limit)) return BadRule(text);
  }
  if (rule.name.empty()) return BadRule(text);
  return rule;
}

std::string GuardStrike::Text() const {
  return absl::StrCat("'", rule.name, "' is ", value, " at step ", step, " (guard ", rule.Text(), ")");
}

absl::Status Guards::Add(const GuardRule& rule, const abi::Loop& loop, const abi::TensorType* variable_type,
                         absl::Span<const uint8_t> variable) {
  const abi::Report* report = FindReport(loop, rule.name);
  if (report == nullptr && variable_type == nullptr) {
    return absl::NotFoundError(absl::StrCat("guard ", rule.Text(), ": loop '", loop.name()->str(), "' has no report '",
                                            rule.name, "', and the program no variable of that name"));
  }
  const abi::TensorType& type = report != nullptr ? *report->type() : *variable_type;
  Entry entry = {rule, type.element(), Count(type), report != nullptr ? report->offset() : 0,
                 report != nullptr ? nullptr : variable.data()};
  if (rule.kind == GuardRule::Kind::kFinite && !IsFloat(entry.element)) {
    return absl::InvalidArgumentError(absl::StrCat("guard ", rule.Text(), ": '", rule.name, "' is ",
                                                   TensorTypeString(type.element(), ShapeOf(type)),
                                                   ", whose elements are always finite"));
  }
  if (rule.kind != GuardRule::Kind::kFinite && entry.count != 1) {
    return absl::InvalidArgumentError(absl::StrCat("guard ", rule.Text(), ": a limit is for one number, and '",
                                                   rule.name, "' is ",
                                                   TensorTypeString(type.element(), ShapeOf(type))));
  }
  entries_.push_back(std::move(entry));
  return absl::OkStatus();
}

bool Guards::Holds(const Entry& entry, const uint8_t* data, uint64_t* element) {
  *element = 0;
  switch (entry.rule.kind) {
    case GuardRule::Kind::kFinite:
      *element = FirstNotFinite(entry.element, data, entry.count);
      return *element == entry.count;
    case GuardRule::Kind::kBelow: return !(ReadNumber(entry.element, data) < entry.rule.limit);
    default: return !(ReadNumber(entry.element, data) > entry.rule.limit);
  }
}

bool Guards::Check(uint64_t step, const uint8_t* record) {
  for (size_t i = 0; !struck_ && i < entries_.size(); ++i) {
    const Entry& entry = entries_[i];
    if (step % entry.rule.every != 0) continue;
    const uint8_t* data = entry.variable != nullptr ? entry.variable : record + entry.offset;
    if (Holds(entry, data, &element_)) continue;
    struck_ = true;
    broken_ = i;
    step_ = step;
    std::memcpy(value_, data + element_ * ElementBytes(entry.element), ElementBytes(entry.element));
  }
  return !struck_;
}

GuardStrike Guards::strike() const {
  const Entry& entry = entries_[broken_];
  GuardStrike strike = {entry.rule, step_, ReadNumberText(entry.element, value_)};
  if (entry.count != 1) absl::StrAppend(&strike.value, " in element ", element_);
  return strike;
}

}  // namespace plumb
