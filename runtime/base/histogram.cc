// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/base/histogram.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "runtime/base/element_type.h"
#include "runtime/base/number.h"

namespace plumb {
namespace {

constexpr double kMinLimit = 1e-12, kMaxLimit = 1e20, kRatio = 1.1;

/// Upper limits of the buckets of positive numbers, and a table that finds the bucket of one without a branch: a
/// double's exponent and the first bits of its fraction name a range, by 1.0625 at most, in which at most one limit
/// lies.
class Limits {
 public:
  Limits() {
    for (double limit = kMinLimit; limit < kMaxLimit; limit *= kRatio) limits_.push_back(limit);
    limits_.push_back(std::numeric_limits<double>::infinity());
    first_ = Key(kMinLimit) - 1;
    last_ = Key(limits_[limits_.size() - 2]) + 1;
    for (uint64_t key = first_; key <= last_; ++key) starts_.push_back(Search(FirstOf(key)));
  }

  size_t count() const { return limits_.size(); }
  double operator[](size_t index) const { return std::min(limits_[index], std::numeric_limits<double>::max()); }

  /// Index of the bucket of a finite number that is not negative.
  size_t Find(double number) const {
    const size_t index = starts_[std::min(std::max(Key(number), first_), last_) - first_];
    return index + (number >= limits_[index]);
  }

 private:
  static constexpr int kShift = 48;  // leaves the exponent and four bits of the fraction

  static uint64_t Key(double number) {
    uint64_t bits;
    std::memcpy(&bits, &number, sizeof(bits));
    return bits >> kShift;
  }
  static double FirstOf(uint64_t key) {
    const uint64_t bits = key << kShift;
    double number;
    std::memcpy(&number, &bits, sizeof(number));
    return number;
  }
  size_t Search(double number) const {
    return static_cast<size_t>(std::upper_bound(limits_.begin(), limits_.end() - 1, number) - limits_.begin());
  }

  std::vector<double> limits_;
  std::vector<size_t> starts_;     // by key, from `first_` on: the bucket of the least number with it
  uint64_t first_ = 0, last_ = 0;  // keys below and above all limits
};

const Limits& TheLimits() {
  static const Limits* const limits = new Limits;
  return *limits;
}

/// Calls `see` with each element as a double.
template <typename See>
void ForEach(abi::ElementType element, absl::Span<const uint8_t> data, See&& see) {
  const auto all = [&](auto value) {
    for (size_t at = 0; at + sizeof(value) <= data.size(); at += sizeof(value)) {
      std::memcpy(&value, data.data() + at, sizeof(value));
      see(static_cast<double>(value));
    }
  };
  if (element == abi::ElementType::f32) return all(float{});
  if (element == abi::ElementType::f64) return all(double{});
  const size_t size = ElementBytes(element);
  for (size_t at = 0; size != 0 && at + size <= data.size(); at += size) see(ReadNumber(element, data.data() + at));
}

/// Counts by bucket, and what the histogram says of all.
struct Counter {
  explicit Counter(Histogram* result) : result(*result), counts(2 * limits.count()) {}

  void See(double number) {
    const double size = std::fabs(number);
    if (!(size <= std::numeric_limits<double>::max())) {
      ++(std::isnan(number) ? result.nans : result.infinite);
      return;
    }
    min = number < min ? number : min;
    max = number > max ? number : max;
    sum += number;
    sum_of_squares += number * number;
    ++counts[2 * limits.Find(size) + (number < 0)];
  }

  /// Puts the counts in order of their limits. What lies between -1e-12 and 0 is a bucket of its own.
  void Finish() {
    for (size_t i = limits.count(); i-- > 0;) Add(i == 0 ? 0.0 : -limits[i - 1], counts[2 * i + 1]);
    for (size_t i = 0; i < limits.count(); ++i) Add(limits[i], counts[2 * i]);
    result.min = min;
    result.max = max;
    result.sum = sum;
    result.sum_of_squares = sum_of_squares;
    if (!result.buckets.empty() && result.buckets.back().count == 0) result.buckets.pop_back();
  }

  void Add(double limit, uint64_t count) {
    const bool after_empty = !result.buckets.empty() && result.buckets.back().count == 0;
    if (count == 0 && after_empty) {
      result.buckets.back().limit = limit;
    } else {
      result.buckets.push_back({limit, count});
    }
  }

  Histogram& result;
  const Limits& limits = TheLimits();
  double min = std::numeric_limits<double>::infinity(), max = -min, sum = 0, sum_of_squares = 0;
  std::vector<uint64_t> counts;  // of a bucket's positive numbers and, behind them, of its negative ones
};

}  // namespace

Histogram MakeHistogram(abi::ElementType element, absl::Span<const uint8_t> data) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  Histogram result;
  const size_t each = ElementBytes(element);
  result.count = each == 0 ? 0 : data.size() / each;
  Counter counter(&result);
  ForEach(element, data, [&](double number) { counter.See(number); });
  counter.Finish();
  const double finite = static_cast<double>(result.count - result.nans - result.infinite);
  if (finite == 0) {
    result.min = result.max = result.mean = result.deviation = kNone;
    return result;
  }
  result.mean = result.sum / finite;
  double squares = 0;
  ForEach(element, data, [&](double number) {
    if (std::fabs(number) <= std::numeric_limits<double>::max())
      squares += (number - result.mean) * (number - result.mean);
  });
  result.deviation = std::sqrt(squares / finite);
  return result;
}

}  // namespace plumb
