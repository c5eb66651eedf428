// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps of names, pauses and the end of guards by the C API.

#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/api/plumb/runtime.h"
#include "test/runtime/api/api_session.h"
#include "test/runtime/testing/fake_file.h"

namespace {

using ::plumb::testing::Take;
using ::testing::HasSubstr;

class NamesTest : public plumb::testing::ApiSessionTest {
 protected:
  float Weight() {
    float weight = 0;
    EXPECT_EQ(Take(plumb_session_get_variable(session_, "weight", &weight, sizeof(weight))), "");
    return weight;
  }

  const std::string path_ = plumb::testing::WriteTemporary("names.safetensors", {});
};

TEST_F(NamesTest, LoadWithNames) {
  const float value = 41;
  const plumb_checkpoint_tensor_t tensor = {{"layer.w", PLUMB_F32, 0, nullptr, sizeof(value)}, &value};
  ASSERT_EQ(Take(plumb_checkpoint_write(path_.c_str(), &tensor, 1, nullptr, 0)), "");
  EXPECT_THAT(Take(plumb_session_load(session_, path_.c_str())), HasSubstr("there is no tensor for variable 'weight'"));
  EXPECT_EQ(Take(plumb_session_load_with_names(session_, path_.c_str(), "layer.* *eight\n")), "");
  EXPECT_EQ(Weight(), 41);
  EXPECT_THAT(Take(plumb_session_load_with_names(session_, path_.c_str(), "x weight")),
              HasSubstr("1: 'x' fits no name"));
  EXPECT_NE(Take(plumb_session_load_with_names(session_, path_.c_str(), nullptr)), "");
}

TEST_F(NamesTest, MapNames) {
  std::vector<std::string> ours;
  auto append = [](size_t index, const char* name, void* user) {
    auto* names = static_cast<std::vector<std::string>*>(user);
    EXPECT_EQ(index, names->size());
    names->push_back(name == nullptr ? "nothing" : name);
  };
  const char* theirs[] = {"a.x", "b", "c"};
  ASSERT_EQ(Take(plumb_map_names("a.* *\nb -\n", theirs, 3, append, &ours)), "");
  EXPECT_THAT(ours, ::testing::ElementsAre("x", "nothing", "c"));
  EXPECT_THAT(Take(plumb_map_names("a", theirs, 3, append, &ours)),
              HasSubstr("the map of names:1: a line has two names"));
  EXPECT_NE(Take(plumb_map_names("", theirs, 3, nullptr, &ours)), "");
  const char* none[] = {nullptr};
  EXPECT_NE(Take(plumb_map_names("", none, 1, append, &ours)), "");
}

TEST_F(NamesTest, APauseEndsALaunchAndNoMore) {
  plumb_launch_result_t result = {};
  auto pause = [](uint64_t step, const void* const*, size_t, void* user) {
    if (step == 100) plumb_session_request_pause(static_cast<plumb_session_t*>(user));
  };
  ASSERT_EQ(Take(plumb_session_launch(session_, "count", 1000000000000, pause, session_, &result)), "");
  EXPECT_EQ(result.reason, PLUMB_REASON_STOPPED);
  EXPECT_GE(result.steps, 100u);
  EXPECT_EQ(Weight(), static_cast<float>(result.total_steps));
  ASSERT_EQ(Take(plumb_session_launch(session_, "count", 7, nullptr, nullptr, &result)), "");
  EXPECT_EQ(result.reason, PLUMB_REASON_SINK_SIZE);
  EXPECT_EQ(result.steps, 7u);
  plumb_session_request_pause(nullptr);
}

TEST_F(NamesTest, GuardsGo) {
  plumb_launch_result_t result = {};
  ASSERT_EQ(Take(plumb_session_add_guard(session_, "count", "loss>6.5")), "");
  ASSERT_EQ(Take(plumb_session_launch(session_, "count", 100, nullptr, nullptr, &result)), "");
  EXPECT_EQ(result.reason, PLUMB_REASON_GUARD);
  EXPECT_EQ(result.steps, 7u);
  ASSERT_EQ(Take(plumb_session_clear_guards(session_)), "");
  ASSERT_EQ(Take(plumb_session_launch(session_, "count", 100, nullptr, nullptr, &result)), "");
  EXPECT_EQ(result.steps, 100u);
}

}  // namespace
