// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Guards over the fake loops: the step at which they strike, and the state that is kept.

#include "runtime/session/guard.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/session/session.h"
#include "test/runtime/testing/fake_session.h"

namespace plumb {
namespace {

using ::testing::HasSubstr;

constexpr size_t kTrain = 0;
constexpr size_t kCount = 2;

std::unique_ptr<Session> MakeSession(const SessionOptions& options = {}) {
  return testing::CreateSession(options).value();
}

float Weight(Session& session) {
  float weight = 0;
  EXPECT_TRUE(session.GetVariable("weight", absl::MakeSpan(reinterpret_cast<uint8_t*>(&weight), sizeof(weight))).ok());
  return weight;
}

void SetWeight(Session& session, float weight) {
  EXPECT_TRUE(
      session.SetVariable("weight", absl::MakeConstSpan(reinterpret_cast<uint8_t*>(&weight), sizeof(weight))).ok());
}

GuardRule Rule(const char* text) {
  auto rule = ParseGuardRule(text);
  EXPECT_TRUE(rule.ok()) << rule.status();
  return rule.value_or(GuardRule());
}

TEST(GuardRuleTest, ReadsAndWrites) {
  for (const char* text : {"finite:loss", "loss<0.05", "accuracy>0.99", "finite:fc1.weight,every=100", "a:b<c>-2.5"}) {
    EXPECT_EQ(Rule(text).Text(), text);
  }
  EXPECT_EQ(Rule("loss<1e-7").limit, 1e-7);
  EXPECT_EQ(Rule("finite:w,every=12").every, 12u);
  for (const char* text :
       {"", "loss", "finite:", "<3", "loss<", "loss<x", "loss<nan", "finite:w,every=0", "finite:w,every=x"}) {
    EXPECT_EQ(ParseGuardRule(text).status().code(), absl::StatusCode::kInvalidArgument) << text;
  }
}

TEST(GuardTest, TargetEndsTheLaunchAtItsStep) {
  auto session = MakeSession();
  ASSERT_TRUE(session->AddGuard(kCount, Rule("loss>41.5")).ok());
  std::vector<uint64_t> steps;
  auto result = session->Launch(kCount, 1000000000, [&](uint64_t step, const uint8_t*) { steps.push_back(step); });
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->reason, PLUMB_END_GUARD);
  EXPECT_EQ(result->steps, 42u);
  EXPECT_EQ(steps.size(), 42u) << "the step that struck is reported, too";
  EXPECT_EQ(Weight(*session), 42) << "the state is that of the step";
  ASSERT_TRUE(session->strike().has_value());
  EXPECT_EQ(session->strike()->step, 42u);
  EXPECT_FALSE(session->strike()->invalid());
  EXPECT_EQ(session->strike()->Text(), "'loss' is 42.0 at step 42 (guard loss>41.5)");
  // The next launch strikes at its first step, which is the run's 43rd.
  ASSERT_TRUE(session->Launch(kCount, 1000, nullptr).ok());
  EXPECT_EQ(session->strike()->step, 43u);
}

TEST(GuardTest, TheLastStepOfALaunchCounts) {
  auto session = MakeSession();
  ASSERT_TRUE(session->AddGuard(kCount, Rule("loss>9.5")).ok());
  auto result = session->Launch(kCount, 10, nullptr);
  EXPECT_EQ(result->reason, PLUMB_END_GUARD);
  EXPECT_EQ(result->steps, 10u);
  SetWeight(*session, 0);
  EXPECT_EQ(session->Launch(kCount, 9, nullptr)->reason, PLUMB_END_SINK_SIZE);
  EXPECT_FALSE(session->strike().has_value());
}

TEST(GuardTest, NotANumber) {
  for (const float value :
       {std::nanf(""), std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity()}) {
    for (const char* text : {"finite:loss", "finite:weight"}) {
      auto session = MakeSession();
      ASSERT_TRUE(session->AddGuard(kCount, Rule(text)).ok());
      ASSERT_EQ(session->Launch(kCount, 7, nullptr)->reason, PLUMB_END_SINK_SIZE);
      SetWeight(*session, value);
      auto result = session->Launch(kCount, 1000000000, nullptr);
      EXPECT_EQ(result->reason, PLUMB_END_GUARD);
      EXPECT_EQ(result->steps, 1u);
      EXPECT_EQ(session->strike()->step, 8u);
      EXPECT_TRUE(session->strike()->invalid());
    }
  }
}

TEST(GuardTest, ChecksEveryNthStepOfTheRun) {
  auto session = MakeSession();
  ASSERT_TRUE(session->AddGuard(kCount, Rule("loss>0,every=32")).ok());
  ASSERT_EQ(session->Launch(kCount, 20, nullptr)->reason, PLUMB_END_SINK_SIZE);
  EXPECT_EQ(session->Launch(kCount, 20, nullptr)->steps, 12u);
  EXPECT_EQ(session->strike()->step, 32u);
}

TEST(GuardTest, ResultsDoNotDependOnGuards) {
  auto run = [](bool guarded) {
    auto session = MakeSession();
    EXPECT_TRUE(session->BindManifestPipeline("train", {}, -1).ok());
    if (guarded) {
      EXPECT_TRUE(session->AddGuard(kTrain, Rule("finite:loss")).ok());
    }
    std::vector<float> losses;
    auto result = session->Launch(kTrain, 5000, [&](uint64_t, const uint8_t* record) {
      losses.push_back(0);
      std::memcpy(&losses.back(), record + 8, 4);
    });
    EXPECT_EQ(result->reason, PLUMB_END_SINK_SIZE);
    return losses;
  };
  EXPECT_EQ(run(true), run(false));
}

TEST(GuardTest, RefusesWhatCannotBeWatched) {
  auto session = MakeSession();
  EXPECT_THAT(std::string(session->AddGuard(kCount, Rule("finite:bias")).message()),
              HasSubstr("loop 'count' has no report 'bias', and the program no variable of that name"));
  abi::ManifestT manifest = testing::MakeManifest();
  manifest.loops[kCount]->reports[0]->type->element = abi::ElementType::i32;
  session = testing::CreateSession({}, manifest).value();
  EXPECT_THAT(std::string(session->AddGuard(kCount, Rule("finite:loss")).message()), HasSubstr("are always finite"));
  EXPECT_TRUE(session->AddGuard(kCount, Rule("loss<3")).ok());
}

TEST(GuardTest, FindsTheElement) {
  const auto type = [](abi::ElementType element) {
    abi::TensorTypeT object;
    object.element = element;
    object.shape = {1000};
    return object;
  };
  const std::vector<uint8_t> bytes = testing::PackManifest(testing::MakeManifest());
  const abi::Loop& loop = *abi::GetManifest(bytes.data())->loops()->Get(kCount);
  const struct {
    abi::ElementType element;
    std::vector<uint8_t> nan;  // little-endian
  } cases[] = {{abi::ElementType::f32, {0, 0, 0xc0, 0x7f}},
               {abi::ElementType::f64, {0, 0, 0, 0, 0, 0, 0xf8, 0x7f}},
               {abi::ElementType::f16, {0, 0x7e}},
               {abi::ElementType::bf16, {0xc0, 0x7f}}};
  for (const auto& each : cases) {
    flatbuffers::FlatBufferBuilder builder;
    const auto object = type(each.element);
    builder.Finish(abi::TensorType::Pack(builder, &object));
    const auto& tensor_type = *flatbuffers::GetRoot<abi::TensorType>(builder.GetBufferPointer());
    std::vector<uint8_t> tensor(1000 * each.nan.size());
    Guards guards;
    ASSERT_TRUE(guards.Add(Rule("finite:w"), loop, &tensor_type, tensor).ok());
    EXPECT_TRUE(guards.Check(1, nullptr));
    std::copy(each.nan.begin(), each.nan.end(), tensor.begin() + static_cast<std::ptrdiff_t>(777 * each.nan.size()));
    EXPECT_FALSE(guards.Check(2, nullptr));
    EXPECT_EQ(guards.strike().value, "nan in element 777");
  }
}

TEST(GuardTest, ReportsMayBeDropped) {
  SessionOptions options;
  options.when_full = ReportRing::WhenFull::kDrop;
  options.report_depth = 2;
  auto session = MakeSession(options);
  uint64_t heard = 0;
  auto result = session->Launch(kCount, 100000, [&](uint64_t, const uint8_t*) { ++heard; });
  EXPECT_EQ(result->steps, 100000u);
  EXPECT_EQ(heard + session->dropped_reports(), 100000u);
  EXPECT_GT(session->dropped_reports(), 0u);
}

TEST(GuardTest, AHandlerThatThrowsEndsTheLaunch) {
  auto session = MakeSession();
  auto result = session->Launch(kCount, 1000000000000, [](uint64_t step, const uint8_t*) {
    if (step == 3) throw std::bad_alloc();
  });
  EXPECT_EQ(result.status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(static_cast<float>(session->total_steps()), Weight(*session)) << "the state is that of a whole step";
  EXPECT_EQ(session->Launch(kCount, 5, nullptr)->steps, 5u);
}

}  // namespace
}  // namespace plumb
