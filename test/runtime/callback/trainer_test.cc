// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/callback/trainer.h"

#include <cstring>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "test/runtime/testing/fake_session.h"

namespace plumb {
namespace {

using ::testing::HasSubstr;

std::unique_ptr<Session> MakeBoundSession() {
  auto session = testing::CreateSession().value();
  EXPECT_TRUE(session->BindManifestPipeline("train", {}, -1).ok());
  return session;
}

/// Trains the counting loop, whose loss is the number of steps made.
std::vector<std::string> LinesOf(const TrainerOptions& options) {
  auto session = MakeBoundSession();
  std::vector<std::string> lines;
  LossMonitor monitor([&](absl::string_view line) { lines.emplace_back(line); });
  auto result = Train(*session, options, {&monitor}, nullptr);
  EXPECT_TRUE(result.ok()) << result.status();
  return lines;
}

TEST(TrainerTest, SinkingSaysOneLineAnEpoch) {
  TrainerOptions options;
  options.loop = 2;
  options.epochs = 3;
  options.sink_size = 1000;
  EXPECT_EQ(LinesOf(options),
            std::vector<std::string>({"epoch: 1 step: 1000, loss is 1000.0", "epoch: 2 step: 1000, loss is 2000.0",
                                      "epoch: 3 step: 1000, loss is 3000.0"}));
}

TEST(TrainerTest, NonSinkSaysOneLineAStep) {
  TrainerOptions options;
  options.loop = 2;
  options.epochs = 2;
  options.sink_size = 2;
  options.sink = false;
  EXPECT_EQ(LinesOf(options),
            std::vector<std::string>({"epoch: 1 step: 1, loss is 1.0", "epoch: 1 step: 2, loss is 2.0",
                                      "epoch: 2 step: 1, loss is 3.0", "epoch: 2 step: 2, loss is 4.0"}));
}

/// Wants a boundary after every third step and, by the records, after some others; notes where it got them.
class Boundaries : public StepBoundary {
 public:
  int64_t StepsToNext(int64_t done) override { return 3 - done % 3; }
  bool OnRecord(const uint8_t* record) override {
    float loss = 0;
    std::memcpy(&loss, record + 8, sizeof(loss));
    return loss == 4;
  }
  absl::Status AtBoundary(Session& session, const TrainingState& state) override {
    steps.push_back(state.cur_step_num);
    EXPECT_EQ(session.total_steps(), static_cast<uint64_t>(state.cur_step_num));
    EXPECT_EQ(state.loss, static_cast<double>(state.cur_step_num));
    uint8_t weight[4];
    return session.GetVariable("weight", absl::MakeSpan(weight));  // the session is idle
  }
  std::vector<int64_t> steps;
};

// Epochs, lines and results are those without boundaries.
TEST(TrainerTest, BoundariesLieBetweenSteps) {
  TrainerOptions options;
  options.loop = 2;
  options.epochs = 2;
  options.sink_size = 10;
  const std::vector<std::string> expected = LinesOf(options);
  Boundaries boundaries;
  options.boundary = &boundaries;
  EXPECT_EQ(LinesOf(options), expected);
  for (int64_t step : {3, 6, 9, 10, 12, 15, 18, 20}) EXPECT_THAT(boundaries.steps, ::testing::Contains(step));
}

TEST(TrainerTest, ARunGoesOnWithinItsEpoch) {
  auto session = MakeBoundSession();
  TrainerOptions options;
  options.loop = 2;
  options.epochs = 3;
  options.sink_size = 10;
  options.steps_done = 14;
  std::vector<std::string> lines;
  LossMonitor monitor([&](absl::string_view line) { lines.emplace_back(line); });
  auto result = Train(*session, options, {&monitor}, nullptr);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->steps, 16);
  EXPECT_EQ(lines, std::vector<std::string>({"epoch: 2 step: 10, loss is 6.0", "epoch: 3 step: 10, loss is 16.0"}));
  options.steps_done = 30;
  EXPECT_EQ(Train(*session, options, {&monitor}, nullptr)->steps, 0);
}

TEST(TrainerTest, AStopWinsOverAPause) {
  auto session = MakeBoundSession();
  session->RequestPause();
  session->RequestStop();
  session->RequestPause();
  auto launch = session->Launch(2, 10, nullptr);
  EXPECT_EQ(launch->reason, PLUMB_END_STOPPED);
  EXPECT_FALSE(launch->paused);
  session->RequestPause();
  EXPECT_TRUE(session->Launch(2, 10, nullptr)->paused);
  EXPECT_EQ(session->Launch(2, 10, nullptr)->steps, 10u);
}

TEST(TrainerTest, TheWholeDataIsAnEpoch) {
  auto session = MakeBoundSession();
  TrainerOptions options;
  options.epochs = 3;
  auto result = Train(*session, options, {}, nullptr);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->steps, 12);
  EXPECT_EQ(session->launches(), 3u);
}

TEST(TrainerTest, StepsAreNumberedWithinTheirEpoch) {
  auto session = MakeBoundSession();
  TrainerOptions options;
  options.epochs = 2;
  options.sink_size = 3;
  std::vector<std::pair<int64_t, int64_t>> seen;
  ASSERT_TRUE(Train(*session, options, {}, [&](int64_t epoch, int64_t step, const uint8_t*) {
                seen.emplace_back(epoch, step);
              }).ok());
  const std::vector<std::pair<int64_t, int64_t>> expected = {{1, 1}, {1, 2}, {1, 3}, {2, 1}, {2, 2}, {2, 3}};
  EXPECT_EQ(seen, expected);
}

TEST(TrainerTest, WrongSinkSizes) {
  auto session = MakeBoundSession();
  for (int64_t size : {0, -2}) {
    TrainerOptions options;
    options.sink_size = size;
    EXPECT_THAT(std::string(Train(*session, options, {}, nullptr).status().message()),
                HasSubstr("The 'sink_size' must be -1 or positive, but got sink_size "));
  }
  TrainerOptions no_data;
  no_data.loop = 2;
  EXPECT_FALSE(Train(*session, no_data, {}, nullptr).ok());
}

TEST(TrainerTest, StopEndsAllEpochs) {
  auto session = MakeBoundSession();
  TrainerOptions options;
  options.loop = 2;
  options.epochs = 100;
  options.sink_size = 100;
  auto result = Train(*session, options, {}, [&](int64_t epoch, int64_t, const uint8_t*) {
    if (epoch == 2) session->RequestStop();
  });
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->reason, PLUMB_END_STOPPED);
  EXPECT_LE(result->epochs, 3);
}

}  // namespace
}  // namespace plumb
