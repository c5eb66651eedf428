// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Watched values and histograms by the C API.

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/api/plumb/runtime.h"
#include "test/runtime/api/api_session.h"

namespace {

using ::plumb::testing::Take;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// `weight@20=20` for each value.
void Note(const plumb_tensor_info_t* tensor, uint64_t step, const void* data, void* user) {
  float number = 0;
  EXPECT_EQ(tensor->element, PLUMB_F32);
  EXPECT_EQ(tensor->rank, 0u);
  ASSERT_EQ(tensor->bytes, sizeof(number));
  std::memcpy(&number, data, sizeof(number));
  static_cast<std::vector<std::string>*>(user)->push_back(std::string(tensor->name) + "@" + std::to_string(step) + "=" +
                                                          std::to_string(static_cast<int>(number)));
}

/// plumb_histogram as a C program may call it, whose enumerations hold any int.
__attribute__((no_sanitize("enum"))) plumb_status_t* SumUpAsFromC(int element, const float* numbers,
                                                                  plumb_histogram_t* histogram) {
  return plumb_histogram(static_cast<plumb_element_t>(element), numbers, 4, histogram, nullptr, nullptr, 0);
}

using WatchTest = plumb::testing::ApiSessionTest;

TEST_F(WatchTest, Values) {
  std::vector<std::string> seen;
  ASSERT_EQ(Take(plumb_session_add_watch(session_, "count", "w*,every=20", &Note, &seen)), "");
  ASSERT_EQ(Take(plumb_session_launch(session_, "count", 50, nullptr, nullptr, nullptr)), "");
  EXPECT_THAT(seen, ElementsAre("weight@20=20", "weight@40=40"));
  ASSERT_EQ(Take(plumb_session_clear_watches(session_)), "");
  ASSERT_EQ(Take(plumb_session_launch(session_, "count", 50, nullptr, nullptr, nullptr)), "");
  EXPECT_EQ(seen.size(), 2u);
  EXPECT_THAT(Take(plumb_session_add_watch(session_, "count", "bias", &Note, &seen)),
              HasSubstr("no variable of that name"));
  EXPECT_THAT(Take(plumb_session_add_watch(session_, "sum", "weight", &Note, &seen)), HasSubstr("no loop 'sum'"));
  EXPECT_NE(Take(plumb_session_add_watch(session_, "count", "weight", nullptr, &seen)), "");
  EXPECT_NE(Take(plumb_session_add_watch(session_, "count", "weight,every=0", &Note, &seen)), "");
}

TEST(HistogramTest, OfNumbers) {
  const float numbers[] = {-1, 0, 2, std::nanf("")};
  double limits[8] = {};
  uint64_t counts[8] = {};
  plumb_histogram_t histogram = {};
  histogram.size = sizeof(histogram);
  ASSERT_EQ(Take(plumb_histogram(PLUMB_F32, numbers, sizeof(numbers), &histogram, limits, counts, 8)), "");
  EXPECT_EQ(histogram.count, 4u);
  EXPECT_EQ(histogram.nans, 1u);
  EXPECT_EQ(histogram.min, -1);
  EXPECT_EQ(histogram.max, 2);
  EXPECT_EQ(histogram.sum, 1);
  EXPECT_DOUBLE_EQ(histogram.mean, 1.0 / 3);
  EXPECT_EQ(histogram.sum_of_squares, 5);
  EXPECT_DOUBLE_EQ(histogram.deviation, std::sqrt(14.0 / 9));
  ASSERT_EQ(histogram.buckets, 6u) << "below, -1, between, 0, between, 2";
  EXPECT_THAT(counts, ElementsAre(0, 1, 0, 1, 0, 1, 0, 0));
  EXPECT_LT(limits[4], 2);
  EXPECT_GT(limits[5], 2);
  ASSERT_EQ(Take(plumb_histogram(PLUMB_F32, numbers, sizeof(numbers), &histogram, nullptr, nullptr, 0)), "");
  EXPECT_NE(Take(plumb_histogram(PLUMB_F32, numbers, 3, &histogram, nullptr, nullptr, 0)), "");
  EXPECT_NE(Take(plumb_histogram(PLUMB_F32, nullptr, 4, &histogram, nullptr, nullptr, 0)), "");
  for (int number : {99, 256, -1}) EXPECT_NE(Take(SumUpAsFromC(number, numbers, &histogram)), "") << number;
  histogram.size = 0;
  EXPECT_NE(Take(plumb_histogram(PLUMB_F32, numbers, 4, &histogram, nullptr, nullptr, 0)), "");
}

}  // namespace
