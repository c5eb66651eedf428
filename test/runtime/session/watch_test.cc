// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Watched values over the fake loops: which steps', in which order, and what happens where the host is slow or throws.

#include "runtime/session/watch.h"

#include <chrono>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/session/session.h"
#include "test/runtime/testing/fake_session.h"

namespace plumb {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr size_t kTrain = 0;
constexpr size_t kCount = 2;

std::unique_ptr<Session> MakeSession(const SessionOptions& options = {}) {
  return testing::CreateSession(options).value();
}

WatchRule Rule(const char* text) {
  auto rule = ParseWatchRule(text);
  EXPECT_TRUE(rule.ok()) << rule.status();
  return rule.value_or(WatchRule());
}

float Number(const uint8_t* data) {
  float number;
  std::memcpy(&number, data, sizeof(number));
  return number;
}

/// `weight@20=20` for each value.
WatchHandler Into(std::vector<std::string>* seen) {
  return [seen](const WatchedValue& value) {
    EXPECT_EQ(value.element, abi::ElementType::f32);
    EXPECT_TRUE(value.shape.empty());
    seen->push_back(absl::StrCat(value.name, "@", value.step, "=", Number(value.data.data())));
  };
}

TEST(WatchRuleTest, Reads) {
  EXPECT_EQ(Rule("conv1.weight").name, "conv1.weight");
  EXPECT_EQ(Rule("conv1.weight").every, 100u);
  EXPECT_EQ(Rule("moments.*,every=7").every, 7u);
  for (const char* text : {"", ",every=3", "w,every=0", "w,every=", "w,every=x", "w,often", "w,every=3,every=4"}) {
    EXPECT_EQ(ParseWatchRule(text).status().code(), absl::StatusCode::kInvalidArgument) << text;
  }
}

TEST(WatchTest, EveryNthStepOfTheRunOfAnyLaunches) {
  for (const std::vector<int64_t>& launches : {std::vector<int64_t>{1000}, {1, 399, 600}, {17, 83, 900}}) {
    auto session = MakeSession();
    std::vector<std::string> seen;
    ASSERT_TRUE(session->AddWatch(kCount, Rule("weight,every=200"), Into(&seen)).ok());
    for (const int64_t steps : launches) {
      ASSERT_EQ(session->Launch(kCount, steps, nullptr)->reason, PLUMB_END_SINK_SIZE);
    }
    EXPECT_THAT(
        seen, ElementsAre("weight@200=200", "weight@400=400", "weight@600=600", "weight@800=800", "weight@1000=1000"));
  }
}

TEST(WatchTest, OneStepLaunches) {
  auto session = MakeSession();
  std::vector<std::string> seen;
  ASSERT_TRUE(session->AddWatch(kCount, Rule("weight,every=2"), Into(&seen)).ok());
  for (int step = 0; step < 5; ++step) ASSERT_TRUE(session->Launch(kCount, 1, nullptr).ok());
  EXPECT_THAT(seen, ElementsAre("weight@2=2", "weight@4=4"));
}

TEST(WatchTest, ComesRightAfterTheRecordOfItsStep) {
  auto session = MakeSession();
  std::vector<std::string> seen;
  ASSERT_TRUE(session->AddWatch(kCount, Rule("wei*,every=3"), Into(&seen)).ok());
  ASSERT_TRUE(session->AddWatch(kCount, Rule("loss,every=2"), Into(&seen)).ok());
  auto note = [&](uint64_t step, const uint8_t*) { seen.push_back(absl::StrCat(step + 1)); };
  ASSERT_TRUE(session->Launch(kCount, 6, note).ok());
  EXPECT_THAT(
      seen, ElementsAre("1", "2", "loss@2=2", "3", "weight@3=3", "4", "loss@4=4", "5", "6", "weight@6=6", "loss@6=6"));
}

TEST(WatchTest, TheLoopWaitsForASlowHost) {
  auto session = MakeSession();
  std::vector<std::string> seen;
  const WatchHandler into = Into(&seen);
  ASSERT_TRUE(session
                  ->AddWatch(kCount, Rule("weight,every=1"),
                             [&](const WatchedValue& value) {
                               std::this_thread::sleep_for(std::chrono::milliseconds(2));
                               into(value);
                             })
                  .ok());
  ASSERT_TRUE(session->Launch(kCount, 100, nullptr).ok());
  ASSERT_EQ(seen.size(), 100u);
  for (size_t i = 0; i < seen.size(); ++i) EXPECT_EQ(seen[i], absl::StrCat("weight@", i + 1, "=", i + 1));
  EXPECT_EQ(session->dropped_reports(), 0u);
}

TEST(WatchTest, OrLeavesValuesOut) {
  SessionOptions options;
  options.when_full = ReportRing::WhenFull::kDrop;
  options.report_depth = 4;
  auto session = MakeSession(options);
  std::vector<std::string> seen;
  const WatchHandler into = Into(&seen);
  ASSERT_TRUE(session
                  ->AddWatch(kCount, Rule("weight,every=1"),
                             [&](const WatchedValue& value) {
                               if (value.step == 1) std::this_thread::sleep_for(std::chrono::milliseconds(200));
                               EXPECT_EQ(Number(value.data.data()), value.step);
                               into(value);
                             })
                  .ok());
  uint64_t records = 0;
  ASSERT_TRUE(session->Launch(kCount, 100000, [&](uint64_t, const uint8_t*) { ++records; }).ok());
  EXPECT_LT(seen.size(), 100000u);
  EXPECT_EQ(seen.size() + records + session->dropped_reports(), 200000u);
}

TEST(WatchTest, AHandlerThatThrowsEndsTheLaunch) {
  auto session = MakeSession();
  int calls = 0;
  ASSERT_TRUE(session
                  ->AddWatch(kCount, Rule("weight,every=5"),
                             [&](const WatchedValue&) {
                               ++calls;
                               throw std::runtime_error("no more");
                             })
                  .ok());
  auto result = session->Launch(kCount, 1000000000, nullptr);
  EXPECT_THAT(std::string(result.status().message()), HasSubstr("no more"));
  EXPECT_EQ(calls, 1);
  ASSERT_TRUE(session->ClearWatches().ok());
  EXPECT_TRUE(session->Launch(kCount, 100, nullptr).ok());
}

TEST(WatchTest, TheStepOfAStrikeIsSeen) {
  auto session = MakeSession();
  std::vector<std::string> seen;
  ASSERT_TRUE(session->AddGuard(kCount, ParseGuardRule("loss>41.5").value()).ok());
  ASSERT_TRUE(session->AddWatch(kCount, Rule("weight,every=42"), Into(&seen)).ok());
  EXPECT_EQ(session->Launch(kCount, 1000000, nullptr)->reason, PLUMB_END_GUARD);
  EXPECT_THAT(seen, ElementsAre("weight@42=42"));
}

TEST(WatchTest, ResultsDoNotDependOnIt) {
  auto run = [](bool watched) {
    auto session = MakeSession();
    EXPECT_TRUE(session->BindManifestPipeline("train", {}, -1).ok());
    if (watched) {
      EXPECT_TRUE(session->AddWatch(kTrain, Rule("weight,every=3"), [](const WatchedValue&) {}).ok());
    }
    std::vector<float> losses;
    auto note = [&](uint64_t, const uint8_t* record) { losses.push_back(Number(record + 8)); };
    EXPECT_EQ(session->Launch(kTrain, 5000, note)->reason, PLUMB_END_SINK_SIZE);
    return losses;
  };
  EXPECT_EQ(run(true), run(false));
}

TEST(WatchTest, RefusesNamesThatAreNot) {
  auto session = MakeSession();
  for (const char* name : {"bias", "b*s", "loss*"}) {
    EXPECT_THAT(
        std::string(session->AddWatch(kCount, Rule(name), nullptr).message()),
        HasSubstr(absl::StrCat("loop 'count' has no report '", name, "', and the program no variable of that name")));
  }
}

}  // namespace
}  // namespace plumb
