// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sessions over the fake loops: launches, ends, feeds, state.

#include "runtime/session/session.h"

#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "test/runtime/testing/fake_session.h"

namespace plumb {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;

constexpr size_t kTrain = 0;
constexpr size_t kGuarded = 1;
constexpr size_t kCount = 2;

std::unique_ptr<Session> MakeSession(const SessionOptions& options = {},
                                     abi::ManifestT manifest = testing::MakeManifest()) {
  auto session = testing::CreateSession(options, manifest);
  EXPECT_TRUE(session.ok()) << session.status();
  return std::move(session).value();
}

std::unique_ptr<Session> MakeBoundSession(const SessionOptions& options = {}, int64_t passes = -1) {
  auto session = MakeSession(options);
  absl::Status bound = session->BindManifestPipeline("train", {}, passes);
  EXPECT_TRUE(bound.ok()) << bound;
  return session;
}

absl::Status PushOnes(Session& session, milliseconds limit = milliseconds(1000)) {
  const float x[4] = {1, 1, 1, 1};
  const int32_t label[4] = {};
  return session.FindFeed("train").value()->Push(
      {absl::MakeConstSpan(reinterpret_cast<const uint8_t*>(x), sizeof(x)),
       absl::MakeConstSpan(reinterpret_cast<const uint8_t*>(label), sizeof(label))},
      limit);
}

float Weight(Session& session) {
  float weight = 0;
  EXPECT_TRUE(session.GetVariable("weight", absl::MakeSpan(reinterpret_cast<uint8_t*>(&weight), sizeof(weight))).ok());
  return weight;
}

/// Collects (step, loss) of a launch.
struct Losses {
  std::vector<uint64_t> steps;
  std::vector<float> values;
  RecordHandler handler() {
    return [this](uint64_t step, const uint8_t* record) {
      float value = 0;
      std::memcpy(&value, record + 8, sizeof(value));
      steps.push_back(step);
      values.push_back(value);
    };
  }
};

/// A session whose loop `count` has an integer checked. The loop leaves those bytes of its record alone: it is zero.
std::unique_ptr<Session> MakeCheckedSession(int64_t lowest, int64_t highest) {
  auto check = std::make_unique<abi::CheckT>();
  check->value = std::make_unique<abi::ReportT>();
  check->value->name = "check";
  check->value->type = std::make_unique<abi::TensorTypeT>();
  check->value->type->element = abi::ElementType::i32;
  check->value->offset = 12;
  check->lowest = lowest;
  check->highest = highest;
  check->use = "indices along axis 0 at net.py:7:3";
  abi::ManifestT manifest = testing::MakeManifest();
  manifest.loops[kCount]->checks.push_back(std::move(check));
  return MakeSession({}, std::move(manifest));
}

TEST(SessionTest, StepOutOfRange) {
  Losses losses;
  EXPECT_TRUE(MakeCheckedSession(-1, 0)->Launch(kCount, 3, losses.handler()).ok());
  EXPECT_EQ(losses.values.size(), 3u);
  auto result = MakeCheckedSession(1, 7)->Launch(kCount, 3, losses.handler());
  EXPECT_EQ(losses.values.size(), 3u) << "nobody hears of a step that is an error";
  EXPECT_EQ(result.status().code(), absl::StatusCode::kOutOfRange);
  EXPECT_THAT(
      std::string(result.status().message()),
      HasSubstr("loop 'count': step 1 computed 0, which is outside 1 to 7, the indices along axis 0 at net.py:7:3"));
}

TEST(SessionTest, EveryStepIsReported) {
  auto session = MakeSession();
  Losses losses;
  auto result = session->Launch(kCount, 20000, losses.handler());
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->steps, 20000u);
  EXPECT_EQ(result->reason, PLUMB_END_SINK_SIZE);
  ASSERT_EQ(losses.values.size(), 20000u);
  for (size_t i = 0; i < losses.values.size(); ++i) {
    ASSERT_EQ(losses.steps[i], i);
    ASSERT_EQ(losses.values[i], static_cast<float>(i + 1));
  }
  EXPECT_EQ(session->launches(), 1u);
  EXPECT_EQ(session->total_steps(), 20000u);
}

TEST(SessionTest, ASmallReportRingLosesNothing) {
  SessionOptions options;
  options.report_depth = 2;
  auto session = MakeSession(options);
  Losses losses;
  ASSERT_TRUE(session->Launch(kCount, 500, losses.handler()).ok());
  EXPECT_EQ(losses.values.size(), 500u);
  EXPECT_GT(session->interactions(), session->launches());
}

TEST(SessionTest, PrintsComeBeforeTheirStepIsHeardOf) {
  abi::ManifestT manifest = testing::MakeManifest();
  abi::LoopT& loop = *manifest.loops[kCount];
  auto value = std::make_unique<abi::PrintT>();
  value->before = "loss: ";
  value->after = "\n";
  value->value = std::move(loop.reports[0]);
  loop.reports.clear();
  auto later = std::make_unique<abi::PrintT>();
  later->before = "later\n";
  later->when = 0;  // the lowest byte of the step's number
  loop.prints.push_back(std::move(value));
  loop.prints.push_back(std::move(later));
  std::string heard;
  SessionOptions options;
  options.print = [&](absl::string_view text) { absl::StrAppend(&heard, text); };
  auto session = MakeSession(options, std::move(manifest));
  ASSERT_TRUE(
      session->Launch(kCount, 2, [&](uint64_t step, const uint8_t*) { absl::StrAppend(&heard, "step ", step, "\n"); })
          .ok());
  EXPECT_EQ(heard,
            "loss: 1.0\nstep 0\n"
            "loss: 2.0\nlater\nstep 1\n");
}

/// A print of a loop's weight between two texts, in records of 24 bytes.
std::unique_ptr<abi::PrintFormatT> MakeFormat(const char* before) {
  auto format = std::make_unique<abi::PrintFormatT>();
  format->texts = {before, "\n"};
  format->values.push_back(std::make_unique<abi::PrintValueT>());
  format->values[0]->type = std::make_unique<abi::TensorTypeT>();
  format->values[0]->offset = 16;
  return format;
}

/// A session whose loop `count` prints a hundred times in every second of three steps and two hundred times in the
/// third.
std::unique_ptr<Session> MakePrintingSession(SessionOptions options) {
  abi::ManifestT manifest = testing::MakeManifest();
  abi::LoopT& loop = *manifest.loops[kCount];
  loop.print_bytes = 24;
  loop.print_formats.push_back(MakeFormat("even "));
  loop.print_formats.push_back(MakeFormat("odd "));
  return MakeSession(options, std::move(manifest));
}

/// What `steps` steps of that loop print and report, in order.
std::string ExpectedPrints(uint64_t steps) {
  std::string expected;
  for (uint64_t step = 0; step < steps; ++step) {
    for (uint64_t i = 0; i < step % 3 * 100; ++i) {
      absl::StrAppend(&expected, i % 2 ? "odd" : "even", " ", step + 1, ".0\n");
    }
    absl::StrAppend(&expected, "step ", step, "\n");
  }
  return expected;
}

/// Prints in the middle of steps come in order, all of them, each step's before its report and after the report before
/// it: however small the ring is, in launches of one step, with a guard that looks at each record.
TEST(SessionTest, PrintsInTheMiddleOfSteps) {
  for (uint32_t depth : {1u, 2u, 7u, 0u}) {
    for (bool guarded : {false, true}) {
      std::string heard;
      SessionOptions options;
      options.report_depth = depth;
      options.when_full = ReportRing::WhenFull::kDrop;  // not where a loop prints
      options.print = [&](absl::string_view text) { absl::StrAppend(&heard, text); };
      auto session = MakePrintingSession(options);
      if (guarded) {
        ASSERT_TRUE(session->AddGuard(kCount, ParseGuardRule("finite:loss").value()).ok());
      }
      auto result = session->Launch(
          kCount, 30, [&](uint64_t step, const uint8_t*) { absl::StrAppend(&heard, "step ", step, "\n"); });
      ASSERT_TRUE(result.ok()) << result.status();
      EXPECT_EQ(heard, ExpectedPrints(30)) << "depth " << depth;
    }
  }
}

TEST(SessionTest, PrintsOfOneStepInALaunch) {
  std::string heard;
  SessionOptions options;
  options.report_depth = 2;
  options.print = [&](absl::string_view text) { absl::StrAppend(&heard, text); };
  auto session = MakePrintingSession(options);
  for (int i = 0; i < 3; ++i) ASSERT_EQ(session->Launch(kCount, 1, nullptr)->steps, 1u);
  EXPECT_EQ(heard, "") << "the first step of a launch does not print";
}

/// A handler that throws ends the launch; the loop does not wait for room that nobody makes.
TEST(SessionTest, PrintsAfterAHandlerFailed) {
  SessionOptions options;
  options.report_depth = 2;
  options.print = [](absl::string_view) {};
  auto session = MakePrintingSession(options);
  auto result = session->Launch(kCount, 1000, [](uint64_t step, const uint8_t*) {
    if (step == 1) throw std::runtime_error("enough");
  });
  EXPECT_THAT(std::string(result.status().message()), HasSubstr("enough"));
  EXPECT_LT(session->total_steps(), 1000u);
}

std::vector<float> TrainInLaunches(const std::vector<int64_t>& sizes) {
  auto session = MakeBoundSession();
  Losses losses;
  for (int64_t size : sizes) EXPECT_TRUE(session->Launch(kTrain, size, losses.handler()).ok());
  losses.values.push_back(Weight(*session));
  return losses.values;
}

TEST(SessionTest, LaunchPatternsGiveTheSameBits) {
  const std::vector<float> once = TrainInLaunches({60});
  EXPECT_EQ(once.size(), 61u);
  EXPECT_EQ(TrainInLaunches(std::vector<int64_t>(60, 1)), once);
  EXPECT_EQ(TrainInLaunches({20, 30, 10}), once);
}

TEST(SessionTest, SeedsMoveTheShuffles) {
  SessionOptions options;
  options.seed = 7;
  auto session = MakeBoundSession(options);
  Losses losses;
  ASSERT_TRUE(session->Launch(kTrain, 60, losses.handler()).ok());
  losses.values.push_back(Weight(*session));
  EXPECT_NE(losses.values, TrainInLaunches({60}));
}

TEST(SessionTest, EndOfDataIsAnAnswerWithTheTrueCount) {
  auto session = MakeBoundSession({}, /*passes=*/2);
  auto result = session->Launch(kTrain, 100, nullptr);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->steps, 8u);  // 16 rows in batches of 4, twice
  EXPECT_EQ(result->reason, PLUMB_END_OF_DATA);
  EXPECT_EQ(session->Launch(kTrain, 1, nullptr)->steps, 0u);
  ASSERT_TRUE(session->FindFeed("train").value()->Rewind().ok());
  EXPECT_EQ(session->Launch(kTrain, 100, nullptr)->steps, 8u);
}

TEST(SessionTest, PushedBatchesAndTheirEnd) {
  auto session = MakeSession();
  std::thread producer([&] {
    for (int i = 0; i < 50; ++i) EXPECT_TRUE(PushOnes(*session).ok());
    EXPECT_TRUE(session->FindFeed("train").value()->End().ok());
  });
  auto result = session->Launch(kTrain, 1000, nullptr);
  producer.join();
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->steps, 50u);
  EXPECT_EQ(result->reason, PLUMB_END_OF_DATA);
  EXPECT_FALSE(PushOnes(*session).ok());
  ASSERT_TRUE(session->FindFeed("train").value()->Rewind().ok());
  EXPECT_TRUE(PushOnes(*session).ok());
  EXPECT_EQ(session->Launch(kTrain, 1, nullptr)->steps, 1u);
}

TEST(SessionTest, BadBatchesAreRefusedWithBothEnds) {
  auto session = MakeSession();
  Feed* feed = session->FindFeed("train").value();
  const std::vector<uint8_t> bytes(16);
  EXPECT_THAT(std::string(feed->Push({bytes}, milliseconds(0)).message()),
              HasSubstr("takes 2 columns, the batch has 1"));
  const std::vector<uint8_t> longer(20);
  EXPECT_EQ(feed->Push({bytes, longer}, milliseconds(0)).message(),
            "queue 'train', column 'label': the batch has 20 bytes, tensor<4xi32> takes 16");
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(PushOnes(*session).ok());
  EXPECT_EQ(PushOnes(*session, milliseconds(5)).code(), absl::StatusCode::kDeadlineExceeded);
}

TEST(SessionTest, LabelsOutsideTheClassesAreRefused) {
  for (uint64_t classes : {2, 3}) {  // the labels are 0, 1 and 2
    abi::ManifestT manifest = testing::MakeManifest();
    manifest.queues[0]->columns[1]->classes = classes;
    auto session = MakeSession({}, std::move(manifest));
    EXPECT_TRUE(PushOnes(*session).ok());
    ASSERT_TRUE(session->BindManifestPipeline("train", {}, 1).ok());
    auto result = session->Launch(kTrain, 100, nullptr);
    EXPECT_EQ(result.ok(), classes == 3) << result.status();
    if (result.ok()) continue;
    EXPECT_EQ(result.status().code(), absl::StatusCode::kOutOfRange);
    EXPECT_THAT(std::string(result.status().message()), HasSubstr("is 2, which is outside the classes 0 to 1"));
  }
}

TEST(SessionTest, APushedLabelOutsideTheClassesIsRefused) {
  abi::ManifestT manifest = testing::MakeManifest();
  manifest.queues[0]->columns[1]->classes = 10;
  auto session = MakeSession({}, std::move(manifest));
  const std::vector<uint8_t> x(16), labels = {9, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 0};
  EXPECT_EQ(session->FindFeed("train").value()->Push({x, labels}, milliseconds(0)).message(),
            "queue 'train': column 'label', batch 0: value 1 is -1, which is outside the classes 0 to 9 that the "
            "program has");
  EXPECT_TRUE(PushOnes(*session).ok());
  EXPECT_EQ(session->Launch(kTrain, 1, nullptr)->steps, 1u);
}

TEST(SessionTest, IndicesOutsideTheirAxisAreRefused) {
  abi::ManifestT manifest = testing::MakeManifest();
  manifest.queues[0]->columns[1]->classes = 10;
  manifest.queues[0]->columns[1]->lowest = -10;
  manifest.queues[0]->columns[1]->use = "indices along axis 0 of 'tensor<10x8xf32>' at net.py:7:3";
  auto session = MakeSession({}, std::move(manifest));
  const std::vector<uint8_t> x(16), last = {9, 0, 0, 0, 0xf6, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 0};
  std::vector<uint8_t> below = last;
  below[4] = 0xf5;
  Feed* feed = session->FindFeed("train").value();
  EXPECT_TRUE(feed->Push({x, last}, milliseconds(0)).ok());
  EXPECT_EQ(
      feed->Push({x, below}, milliseconds(0)).message(),
      "queue 'train': column 'label', batch 1: value 1 is -11, which is outside -10 to 9, the indices along axis 0 of "
      "'tensor<10x8xf32>' at net.py:7:3");
}

TEST(SessionTest, LabelsOfEveryIntegerTypeAreChecked) {
  using abi::ElementType;
  for (ElementType element : {ElementType::i8, ElementType::i16, ElementType::i32, ElementType::i64, ElementType::u8,
                              ElementType::u16, ElementType::u32, ElementType::u64}) {
    abi::ManifestT manifest = testing::MakeManifest();
    abi::ColumnT& column = *manifest.queues[0]->columns[1];
    column.type->element = element;
    column.type->shape = {static_cast<int64_t>(16 / ElementBytes(element))};
    column.classes = 100;
    manifest.queues[0]->pipeline = nullptr;
    auto session = MakeSession({}, std::move(manifest));
    const std::vector<uint8_t> x(16);
    std::vector<uint8_t> labels(16);
    labels[0] = 99;
    Feed* feed = session->FindFeed("train").value();
    EXPECT_TRUE(feed->Push({x, labels}, milliseconds(0)).ok());
    labels[0] = 100;
    EXPECT_THAT(std::string(feed->Push({x, labels}, milliseconds(0)).message()),
                HasSubstr("value 0 is 100, which is outside"));
  }
}

TEST(SessionTest, StopInMidSinkKeepsTheState) {
  auto session = MakeSession();
  uint64_t seen = 0;
  auto result = session->Launch(kCount, int64_t{1} << 40, [&](uint64_t, const uint8_t*) {
    if (++seen == 1000) session->RequestStop();
  });
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->reason, PLUMB_END_STOPPED);
  EXPECT_GE(result->steps, 1000u);
  EXPECT_EQ(seen, result->steps);
  EXPECT_EQ(Weight(*session), static_cast<float>(result->steps));
  EXPECT_EQ(session->Launch(kCount, 5, nullptr)->steps, 5u);
}

TEST(SessionTest, StopWhileWaitingForData) {
  auto session = MakeSession();
  std::thread stopper([&] {
    std::this_thread::sleep_for(milliseconds(20));
    session->RequestStop();
  });
  auto result = session->Launch(kTrain, 10, nullptr);
  stopper.join();
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->reason, PLUMB_END_STOPPED);
  EXPECT_EQ(result->steps, 0u);
}

TEST(SessionTest, WaitingForDataIsMeasured) {
  auto session = MakeSession();
  ASSERT_TRUE(PushOnes(*session).ok());
  ASSERT_TRUE(session->Launch(kTrain, 1, nullptr).ok());
  EXPECT_EQ(session->data_wait().count(), 0);
  std::thread producer([&] {
    std::this_thread::sleep_for(milliseconds(30));
    EXPECT_TRUE(PushOnes(*session).ok());
  });
  auto result = session->Launch(kTrain, 1, nullptr);
  producer.join();
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_GE(session->data_wait(), milliseconds(15));
}

TEST(SessionTest, StopBetweenLaunchesEndsTheNext) {
  auto session = MakeSession();
  session->RequestStop();
  EXPECT_EQ(session->Launch(kCount, 5, nullptr)->reason, PLUMB_END_STOPPED);
  EXPECT_EQ(session->Launch(kCount, 5, nullptr)->reason, PLUMB_END_SINK_SIZE);
}

TEST(SessionTest, GuardsEndALaunch) {
  auto session = MakeBoundSession();
  const float big = 1000;
  ASSERT_TRUE(
      session->SetVariable("weight", absl::MakeConstSpan(reinterpret_cast<const uint8_t*>(&big), sizeof(big))).ok());
  auto result = session->Launch(kGuarded, 100, nullptr);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->reason, PLUMB_END_GUARD);
  EXPECT_EQ(result->steps, 1u);
}

TEST(SessionTest, AWaitThatIsTooLongFailsWithOneMessage) {
  SessionOptions options;
  options.wait_limit = milliseconds(30);
  auto session = MakeSession(options);
  ASSERT_TRUE(PushOnes(*session).ok());
  auto result = session->Launch(kTrain, 10, nullptr);
  EXPECT_EQ(result.status().code(), absl::StatusCode::kDeadlineExceeded);
  EXPECT_THAT(std::string(result.status().message()), HasSubstr("loop 'train' failed after 1 steps: queue 'train'"));
  EXPECT_EQ(session->total_steps(), 1u);
  EXPECT_EQ(Weight(*session), 4.0f);
}

TEST(SessionTest, BindingAPipelineOfOtherTypesNamesBoth) {
  abi::ManifestT manifest = testing::MakeManifest();
  manifest.queues[0]->columns[1]->type->element = abi::ElementType::f32;
  auto session = MakeSession({}, std::move(manifest));
  absl::Status status = session->BindManifestPipeline("train", {}, -1);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("label"));
}

TEST(SessionTest, QuestionsThatMakeNoSense) {
  auto session = MakeSession();
  uint8_t bytes[8] = {};
  EXPECT_EQ(session->GetVariable("bias", absl::MakeSpan(bytes, 4)).code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(session->SetVariable("weight", bytes).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_FALSE(session->FindFeed("test").ok());
  EXPECT_FALSE(session->Launch(9, 1, nullptr).ok());
  EXPECT_FALSE(session->Launch(kCount, 0, nullptr).ok());
  EXPECT_FALSE(session->Launch(kCount, -1, nullptr).ok());
  EXPECT_FALSE(session->BindManifestPipeline("train", {}, 0).ok());
  EXPECT_FALSE(session->FindFeed("train").value()->DatasetSize().ok());
}

TEST(SessionTest, StateIsOutOfReachWhileALaunchRuns) {
  auto session = MakeSession();
  absl::Status inner;
  ASSERT_TRUE(
      session->Launch(kCount, 1, [&](uint64_t, const uint8_t*) { inner = session->GetVariable("weight", {}); }).ok());
  EXPECT_EQ(inner.code(), absl::StatusCode::kFailedPrecondition);
}

TEST(SessionTest, VariablesOfDataAndUnknownRules) {
  abi::ManifestT with_data = testing::MakeManifest();
  const float value = 2.5f;
  with_data.variables[0]->rule.reset();
  with_data.variables[0]->data.resize(4);
  std::memcpy(with_data.variables[0]->data.data(), &value, sizeof(value));
  auto session = MakeSession({}, std::move(with_data));
  EXPECT_EQ(Weight(*session), 2.5f);

  abi::ManifestT unknown = testing::MakeManifest();
  unknown.variables[0]->rule->kind = "magic";
  absl::Status status = testing::CreateSession({}, unknown).status();
  EXPECT_THAT(std::string(status.message()), HasSubstr("variable 'weight'"));
}

TEST(SessionTest, ResidentDataGoesRound) {
  auto session = MakeBoundSession();
  ASSERT_TRUE(session->FindFeed("train").value()->MakeResident().ok());
  auto result = session->Launch(kTrain, 10000, nullptr);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->steps, 10000u);
}

}  // namespace
}  // namespace plumb
