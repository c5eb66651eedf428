// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/callback/callback.h"

#include <cmath>
#include <regex>
#include <string>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace plumb {
namespace {

TrainingState StateAt(int64_t epoch, int64_t cur_step_num, double loss, const char* text) {
  TrainingState state;
  state.epoch = epoch;
  state.batch_num = 1000;
  state.cur_step_num = cur_step_num;
  state.has_loss = true;
  state.loss = loss;
  state.loss_text = text;
  return state;
}

TEST(LossMonitorTest, SaysTheKnownLine) {
  std::vector<std::string> lines;
  LossMonitor monitor([&](absl::string_view line) { lines.emplace_back(line); });
  EXPECT_TRUE(monitor.OnStepEnd(StateAt(1, 1000, 0.110185064, "0.110185064")).ok());
  EXPECT_TRUE(monitor.OnStepEnd(StateAt(2, 1512, 0.5, "0.5")).ok());
  EXPECT_EQ(lines,
            std::vector<std::string>({"epoch: 1 step: 1000, loss is 0.110185064", "epoch: 2 step: 512, loss is 0.5"}));
}

TEST(LossMonitorTest, PrintsEverySoManySteps) {
  std::vector<std::string> lines;
  LossMonitor monitor([&](absl::string_view line) { lines.emplace_back(line); }, 3);
  for (int64_t step = 1; step <= 7; ++step) EXPECT_TRUE(monitor.OnStepEnd(StateAt(1, step, 1, "1.0")).ok());
  EXPECT_EQ(lines, std::vector<std::string>({"epoch: 1 step: 3, loss is 1.0", "epoch: 1 step: 6, loss is 1.0"}));
}

TEST(LossMonitorTest, EndsWhenTheLossIsNoNumber) {
  LossMonitor monitor([](absl::string_view) { FAIL(); });
  EXPECT_EQ(monitor.OnStepEnd(StateAt(3, 2005, NAN, "nan")).message(),
            "epoch: 3 step: 5. Invalid loss, terminating training.");
  EXPECT_FALSE(monitor.OnStepEnd(StateAt(3, 2005, INFINITY, "inf")).ok());
}

TEST(TimeMonitorTest, SaysTheKnownLine) {
  std::string said;
  TimeMonitor monitor([&](absl::string_view line) { said = std::string(line); });
  EXPECT_TRUE(monitor.OnEpochBegin(StateAt(1, 0, 0, "")).ok());
  EXPECT_TRUE(monitor.OnEpochEnd(StateAt(1, 1000, 0, "")).ok());
  EXPECT_TRUE(std::regex_match(said, std::regex(R"(epoch time: \d+\.\d{3} ms, per step time: \d+\.\d{3} ms)"))) << said;
}

TEST(TimeMonitorTest, DividesByTheStepsThatWereMade) {
  std::string said;
  TimeMonitor monitor([&](absl::string_view line) { said = std::string(line); });
  double epoch = 0, step = 0;
  EXPECT_TRUE(monitor.OnEpochBegin(StateAt(2, 1000, 0, "")).ok());
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_TRUE(monitor.OnEpochEnd(StateAt(2, 1004, 0, "")).ok());  // stopped: 4 of 1000 steps
  ASSERT_EQ(std::sscanf(said.c_str(), "epoch time: %lf ms, per step time: %lf ms", &epoch, &step), 2) << said;
  EXPECT_NEAR(step, epoch / 4, 0.001);

  said.clear();
  EXPECT_TRUE(monitor.OnEpochBegin(StateAt(3, 1004, 0, "")).ok());
  EXPECT_TRUE(monitor.OnEpochEnd(StateAt(3, 1004, 0, "")).ok());
  EXPECT_EQ(said, "");
}

// What str(numpy.float32(x)) and str(numpy.float64(x)) give.
TEST(NumpyTextTest, ShortestDigits) {
  EXPECT_EQ(NumpyText(2.3025851f), "2.3025851");
  EXPECT_EQ(NumpyText(0.110185064f), "0.110185064");
  EXPECT_EQ(NumpyText(2.0f), "2.0");
  EXPECT_EQ(NumpyText(-0.0f), "-0.0");
  EXPECT_EQ(NumpyText(0.0001f), "1e-04");
  EXPECT_EQ(NumpyText(0.001f), "0.001");
  EXPECT_EQ(NumpyText(1e-5f), "1e-05");
  EXPECT_EQ(NumpyText(1.5e-7), "1.5e-07");
  EXPECT_EQ(NumpyText(0.1), "0.1");
  EXPECT_EQ(NumpyText(NAN), "nan");
  EXPECT_EQ(NumpyText(-INFINITY), "-inf");
}

TEST(ReadNumberTest, EveryKindOfNumber) {
  const uint16_t half = 0x3c00, brain = 0x4000;
  const int8_t small = -5;
  const uint32_t wide = 4000000000u;
  const double d = 0.25;
  auto bytes = [](const void* p) { return static_cast<const uint8_t*>(p); };
  EXPECT_EQ(ReadNumber(abi::ElementType::f16, bytes(&half)), 1.0);
  EXPECT_EQ(ReadNumber(abi::ElementType::bf16, bytes(&brain)), 2.0);
  EXPECT_EQ(ReadNumber(abi::ElementType::i8, bytes(&small)), -5.0);
  EXPECT_EQ(ReadNumberText(abi::ElementType::u32, bytes(&wide)), "4000000000");
  EXPECT_EQ(ReadNumberText(abi::ElementType::f64, bytes(&d)), "0.25");
  EXPECT_EQ(ReadNumberText(abi::ElementType::f16, bytes(&half)), "1.0");
}

}  // namespace
}  // namespace plumb
