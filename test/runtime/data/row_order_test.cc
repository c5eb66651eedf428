// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of rows: complete, seeded, different each epoch, and the same wherever one enters it.

#include "runtime/data/row_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace plumb {
namespace {

using Rows = std::vector<uint64_t>;

Rows Drain(ItemStream& stream, uint64_t epoch = 0) {
  Rows rows;
  stream.Reset(epoch);
  while (stream.Next(&rows)) {
  }
  return rows;
}

Rows Sorted(Rows rows) {
  std::sort(rows.begin(), rows.end());
  return rows;
}

Rows Count(uint64_t count) {
  Rows rows(count);
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

TEST(RowOrderTest, SourceGoesInOrder) { EXPECT_EQ(Drain(*MakeSource(5, false, 1)), Count(5)); }

TEST(RowOrderTest, SamplerPermutesAnewEachEpoch) {
  auto source = MakeSource(100, true, 7);
  Rows first = Drain(*source, 0), second = Drain(*source, 1);
  EXPECT_EQ(Sorted(first), Count(100));
  EXPECT_EQ(Sorted(second), Count(100));
  EXPECT_NE(first, Count(100));
  EXPECT_NE(first, second);
  EXPECT_EQ(first, Drain(*MakeSource(100, true, 7), 0));
  EXPECT_NE(first, Drain(*MakeSource(100, true, 8), 0));
}

TEST(RowOrderTest, ShuffleStaysWithinItsBuffer) {
  auto shuffle = MakeShuffle(MakeSource(200, false, 0), 10, 3, 1);
  Rows rows = Drain(*shuffle);
  EXPECT_EQ(Sorted(rows), Count(200));
  EXPECT_NE(rows, Count(200));
  for (size_t i = 0; i < rows.size(); ++i) EXPECT_LT(rows[i], i + 10);
}

TEST(RowOrderTest, ShuffleWithALargeBufferIsAPermutation) {
  auto shuffle = MakeShuffle(MakeSource(50, false, 0), 10000, 3, 1);
  Rows first = Drain(*shuffle, 4);
  EXPECT_EQ(Sorted(first), Count(50));
  EXPECT_EQ(Drain(*shuffle, 4), first);
  EXPECT_NE(Drain(*shuffle, 5), first);
}

TEST(RowOrderTest, NodesShuffleIndependently) {
  EXPECT_NE(Drain(*MakeShuffle(MakeSource(50, false, 0), 50, 3, 1)),
            Drain(*MakeShuffle(MakeSource(50, false, 0), 50, 3, 2)));
}

TEST(RowOrderTest, ShuffleKeepsBatchesWhole) {
  auto stream = MakeShuffle(MakeBatch(MakeSource(12, false, 0), 3, true), 4, 0, 2);
  Rows rows = Drain(*stream);
  ASSERT_EQ(rows.size(), 12u);
  for (size_t i = 0; i < 12; i += 3)
    EXPECT_TRUE(rows[i] % 3 == 0 && rows[i + 1] == rows[i] + 1 && rows[i + 2] == rows[i] + 2);
}

TEST(RowOrderTest, TakeRepeatAndBatch) {
  EXPECT_EQ(Drain(*MakeTake(MakeSource(10, false, 0), 3)), (Rows{0, 1, 2}));
  EXPECT_EQ(Drain(*MakeRepeat(MakeSource(2, false, 0), 3)), (Rows{0, 1, 0, 1, 0, 1}));
  EXPECT_EQ(Drain(*MakeBatch(MakeSource(5, false, 0), 2, true)), (Rows{0, 1, 2, 3}));
  EXPECT_EQ(Drain(*MakeBatch(MakeSource(5, false, 0), 2, false)), (Rows{0, 1, 2, 3, 4}));
}

TEST(RowOrderTest, RepeatsAreEpochsOfTheirInput) {
  auto repeat = MakeRepeat(MakeSource(20, true, 1), 2);
  Rows both = Drain(*repeat, 3);
  auto source = MakeSource(20, true, 1);
  Rows expected = Drain(*source, 6), second = Drain(*source, 7);
  expected.insert(expected.end(), second.begin(), second.end());
  EXPECT_EQ(both, expected);
}

RowOrder MakeOrder() { return RowOrder(MakeBatch(MakeShuffle(MakeSource(50, true, 5), 20, 5, 1), 8, true), 6); }

TEST(RowOrderTest, SeekEqualsWalking) {
  RowOrder walker = MakeOrder();
  walker.Reset(0);
  for (uint64_t n = 0; n < 20; ++n) {
    Rows walked, sought;
    walker.NextOfAll(&walked);
    RowOrder seeker = MakeOrder();
    seeker.Seek(n);
    seeker.NextOfAll(&sought);
    EXPECT_EQ(walked, sought) << n;
    EXPECT_EQ(walked.size(), 8u);
  }
}

TEST(RowOrderTest, EndlessRepeatNeverEnds) {
  RowOrder order(MakeBatch(MakeRepeat(MakeSource(3, false, 0), -1), 2, true), -1);
  order.Seek(1000);
  Rows rows;
  ASSERT_TRUE(order.Next(&rows));
  EXPECT_EQ(rows, (Rows{2, 0}));
}

}  // namespace
}  // namespace plumb
