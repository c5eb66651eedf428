// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Histograms against the definition of their buckets, number by number.

#include "runtime/base/histogram.h"

#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace plumb {
namespace {

template <typename Number>
Histogram Of(abi::ElementType element, const std::vector<Number>& numbers) {
  return MakeHistogram(element, {reinterpret_cast<const uint8_t*>(numbers.data()), numbers.size() * sizeof(Number)});
}

/// Upper limit of the bucket of a number, found by walking from the definition.
double LimitOf(double number) {
  double below = 0, limit = 1e-12;
  while (std::fabs(number) >= limit) {
    below = limit;
    limit = limit * 1.1 < 1e20 ? limit * 1.1 : std::numeric_limits<double>::max();
  }
  return number < 0 ? -below : limit;
}

void CheckBuckets(const std::vector<double>& numbers) {
  std::map<double, uint64_t> expected;
  for (const double number : numbers) ++expected[LimitOf(number)];
  std::map<double, uint64_t> found;
  double before = -std::numeric_limits<double>::infinity();
  bool was_empty = false;
  for (const Histogram::Bucket& bucket : Of(abi::ElementType::f64, numbers).buckets) {
    EXPECT_GT(bucket.limit, before);
    EXPECT_FALSE(bucket.count == 0 && was_empty) << "two empty ones in a row";
    before = bucket.limit;
    was_empty = bucket.count == 0;
    if (bucket.count > 0) found[bucket.limit] = bucket.count;
  }
  EXPECT_FALSE(was_empty) << "an empty one at the end";
  EXPECT_EQ(found, expected);
}

TEST(HistogramTest, BucketsOfEachMagnitude) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> exponents(-320, 308), small(-14, 22);
  std::vector<double> numbers = {0, -0.0, 1e-12, -1e-12, 1e20, -1e20, 1.7e308, -1.7e308, 5e-324};
  for (int i = 0; i < 20000; ++i) {
    numbers.push_back((i % 2 ? 1 : -1) * std::pow(10, i % 4 ? small(random) : exponents(random)));
  }
  for (double limit = 1e-12; limit < 1e20; limit *= 1.1) {
    for (const double each : {limit, std::nextafter(limit, 0), std::nextafter(limit, 1e300)}) {
      numbers.push_back(each);
      numbers.push_back(-each);
    }
  }
  CheckBuckets(numbers);
  CheckBuckets({3});
  CheckBuckets({-3});
  CheckBuckets({});
}

TEST(HistogramTest, Moments) {
  const Histogram histogram = Of<float>(abi::ElementType::f32, {1, 2, 3, 6});
  EXPECT_EQ(histogram.count, 4u);
  EXPECT_EQ(histogram.min, 1);
  EXPECT_EQ(histogram.max, 6);
  EXPECT_EQ(histogram.mean, 3);
  EXPECT_EQ(histogram.sum, 12);
  EXPECT_EQ(histogram.sum_of_squares, 50);
  EXPECT_DOUBLE_EQ(histogram.deviation, std::sqrt(3.5));
}

TEST(HistogramTest, DeviationOfNumbersFarFromZero) {
  const Histogram histogram = Of<double>(abi::ElementType::f64, {1e9 - 1, 1e9 + 1});
  EXPECT_EQ(histogram.deviation, 1);
}

TEST(HistogramTest, WhatIsNotFiniteIsCountedApart) {
  const float nan = std::nanf(""), far = std::numeric_limits<float>::infinity();
  const Histogram histogram = Of<float>(abi::ElementType::f32, {nan, 2, far, -far, nan, nan});
  EXPECT_EQ(histogram.count, 6u);
  EXPECT_EQ(histogram.nans, 3u);
  EXPECT_EQ(histogram.infinite, 2u);
  EXPECT_EQ(histogram.min, 2);
  EXPECT_EQ(histogram.max, 2);
  EXPECT_EQ(histogram.mean, 2);
  EXPECT_EQ(histogram.deviation, 0);
  const Histogram none = Of<float>(abi::ElementType::f32, {nan});
  EXPECT_TRUE(std::isnan(none.mean) && std::isnan(none.min) && std::isnan(none.max) && std::isnan(none.deviation));
  EXPECT_EQ(none.sum, 0);
  EXPECT_TRUE(none.buckets.empty());
}

TEST(HistogramTest, EveryElementType) {
  EXPECT_EQ(Of<int8_t>(abi::ElementType::i8, {-128, 127}).min, -128);
  EXPECT_EQ(Of<uint8_t>(abi::ElementType::u8, {200}).max, 200);
  EXPECT_EQ(Of<uint8_t>(abi::ElementType::i1, {0, 1, 1}).sum, 2);
  EXPECT_EQ(Of<int64_t>(abi::ElementType::i64, {-5, 7}).sum, 2);
  EXPECT_EQ(Of<uint64_t>(abi::ElementType::u64, {uint64_t{1} << 63}).max, std::ldexp(1.0, 63));
  EXPECT_EQ(Of<uint16_t>(abi::ElementType::bf16, {0x3fc0}).max, 1.5);
  EXPECT_EQ(Of<uint16_t>(abi::ElementType::f16, {0x7e00, 0x3e00}).nans, 1u);
  EXPECT_EQ(Of<uint16_t>(abi::ElementType::f16, {0x7e00, 0x3e00}).max, 1.5);
}

}  // namespace
}  // namespace plumb
