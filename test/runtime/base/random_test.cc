// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Philox against its authors' known answers, and the distributions made of it.

#include "runtime/base/random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

namespace plumb {
namespace {

using Words = std::array<uint32_t, 4>;

TEST(RandomTest, PhiloxGivesTheKnownAnswers) {
  EXPECT_EQ(Philox({0, 0, 0, 0}, {0, 0}), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  uint32_t ones = 0xffffffff;
  EXPECT_EQ(Philox({ones, ones, ones, ones}, {ones, ones}), (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(Philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(RandomTest, SeedStreamIndexAndAttemptAllMatter) {
  Words words = RandomStream(1, 2).Words(3, 4);
  EXPECT_EQ(words, RandomStream(1, 2).Words(3, 4));
  EXPECT_NE(words, RandomStream(9, 2).Words(3, 4));
  EXPECT_NE(words, RandomStream(1, 9).Words(3, 4));
  EXPECT_NE(words, RandomStream(1, 2).Words(9, 4));
  EXPECT_NE(words, RandomStream(1, 2).Words(3, 9));
  EXPECT_NE(words, RandomStream(1ull << 32 | 1, 2).Words(3, 4));
  EXPECT_NE(words, RandomStream(1, 1ull << 32 | 2).Words(3, 4));
}

TEST(RandomTest, UniformFillsTheUnitInterval) {
  RandomStream random(5, 0);
  double sum = 0, squares = 0;
  constexpr int kCount = 100000;
  for (int i = 0; i < kCount; ++i) {
    double value = random.Uniform(static_cast<uint64_t>(i));
    ASSERT_GE(value, 0);
    ASSERT_LT(value, 1);
    sum += value, squares += value * value;
  }
  EXPECT_NEAR(sum / kCount, 0.5, 0.005);
  EXPECT_NEAR(squares / kCount, 1.0 / 3, 0.005);
}

TEST(RandomTest, NormalHasTheRightMoments) {
  RandomStream random(5, 0);
  double sum = 0, squares = 0, fourth = 0;
  constexpr int kCount = 200000;
  for (int i = 0; i < kCount; ++i) {
    double value = random.Normal(static_cast<uint64_t>(i));
    ASSERT_TRUE(std::isfinite(value));
    sum += value, squares += value * value, fourth += value * value * value * value;
  }
  EXPECT_NEAR(sum / kCount, 0, 0.01);
  EXPECT_NEAR(squares / kCount, 1, 0.02);
  EXPECT_NEAR(fourth / kCount, 3, 0.1);
}

TEST(RandomTest, BelowIsEvenAndStaysBelow) {
  RandomStream random(1, 1);
  std::vector<int> counts(7);
  for (uint64_t i = 0; i < 70000; ++i) ++counts.at(random.Below(7, i));
  for (int count : counts) EXPECT_NEAR(count, 10000, 500);
  EXPECT_EQ(random.Below(1, 3), 0u);
  std::set<uint64_t> seen;
  for (uint64_t i = 0; i < 1000; ++i) seen.insert(random.Below((uint64_t{1} << 63) + 1, i));
  EXPECT_EQ(seen.size(), 1000u);
}

}  // namespace
}  // namespace plumb
