// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C API from outside: a whole run, and every kind of bad call.

#include "runtime/api/plumb/runtime.h"

#include <atomic>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "test/runtime/api/api_session.h"
#include "test/runtime/testing/fake_file.h"

namespace {

using ::plumb::testing::Take;
using ::testing::HasSubstr;

using RuntimeApiTest = plumb::testing::ApiSessionTest;

constexpr char kPipeline[] = R"({
  "source_type": "ArraySource",
  "source": {"columns": [{"name": "x", "element": "f32", "shape": []}, {"name": "label", "element": "i32", "shape": []}]},
  "nodes": [{"node_type": "Batch", "node": {"size": 4, "drop_remainder": true}}]
})";

plumb_pipeline_t* MakePipeline() {
  static const std::vector<float> x(8, 1.0f);
  static const std::vector<int32_t> label(8, 2);
  const plumb_array_t arrays[] = {{"x", x.data(), 32}, {"label", label.data(), 32}};
  plumb_pipeline_t* pipeline = nullptr;
  EXPECT_EQ(Take(plumb_pipeline_create(kPipeline, nullptr, arrays, 2, 0, &pipeline)), "");
  return pipeline;
}

TEST_F(RuntimeApiTest, TablesOfTheExecutable) {
  EXPECT_STREQ(plumb_executable_name(executable_), "fake");
  ASSERT_EQ(plumb_executable_variable_count(executable_), 1u);
  const plumb_variable_info_t* variable = plumb_executable_variable(executable_, 0);
  EXPECT_STREQ(variable->tensor.name, "weight");
  EXPECT_EQ(variable->tensor.rank, 0u);
  EXPECT_EQ(variable->tensor.bytes, 4u);
  EXPECT_TRUE(variable->trainable);
  ASSERT_EQ(plumb_executable_queue_count(executable_), 1u);
  const plumb_queue_info_t* queue = plumb_executable_queue(executable_, 0);
  ASSERT_EQ(queue->column_count, 2u);
  EXPECT_STREQ(queue->columns[1].name, "label");
  EXPECT_EQ(queue->columns[1].shape[0], 4);
  EXPECT_TRUE(queue->has_pipeline);
  ASSERT_EQ(plumb_executable_loop_count(executable_), 3u);
  EXPECT_STREQ(plumb_executable_loop(executable_, 0)->queue, "train");
  EXPECT_EQ(plumb_executable_loop(executable_, 2)->queue, nullptr);
  EXPECT_STREQ(plumb_executable_loop(executable_, 2)->reports[0].name, "loss");
  EXPECT_EQ(plumb_executable_loop(executable_, 3), nullptr);
}

void Collect(uint64_t, const void* const* reports, size_t count, void* user) {
  ASSERT_EQ(count, 1u);
  static_cast<std::vector<float>*>(user)->push_back(*static_cast<const float*>(reports[0]));
}

TEST_F(RuntimeApiTest, TrainsSavesAndLoads) {
  int64_t batches = 0;
  ASSERT_EQ(Take(plumb_session_bind_pipeline(session_, "train", nullptr, -1)), "");
  ASSERT_EQ(Take(plumb_session_dataset_size(session_, "train", &batches)), "");
  EXPECT_EQ(batches, 4);
  std::vector<float> losses;
  plumb_launch_result_t result = {};
  ASSERT_EQ(Take(plumb_session_launch(session_, "train", 20, Collect, &losses, &result)), "");
  EXPECT_EQ(result.steps, 20u);
  EXPECT_EQ(result.reason, PLUMB_REASON_SINK_SIZE);
  EXPECT_EQ(losses.size(), 20u);
  float weight = 0;
  ASSERT_EQ(Take(plumb_session_get_variable(session_, "weight", &weight, 4)), "");
  EXPECT_EQ(weight, losses.back());

  const std::string path = plumb::testing::WriteTemporary("api.safetensors", {});
  ASSERT_EQ(Take(plumb_session_save(session_, path.c_str())), "");
  const float other = 5;
  ASSERT_EQ(Take(plumb_session_set_variable(session_, "weight", &other, 4)), "");
  ASSERT_EQ(Take(plumb_session_load(session_, path.c_str())), "");
  ASSERT_EQ(Take(plumb_session_get_variable(session_, "weight", &weight, 4)), "");
  EXPECT_EQ(weight, losses.back());
  uint64_t launches = 0, interactions = 0;
  ASSERT_EQ(Take(plumb_session_counters(session_, &launches, &interactions)), "");
  EXPECT_EQ(launches, 1u);
  EXPECT_GE(interactions, 1u);
  double waited = -1;
  ASSERT_EQ(Take(plumb_session_data_wait(session_, &waited)), "");
  EXPECT_GE(waited, 0);
}

TEST_F(RuntimeApiTest, FeedsAPipelineOfArrays) {
  ASSERT_EQ(Take(plumb_session_feed_pipeline(session_, "train", MakePipeline(), 1)), "");
  plumb_launch_result_t result = {};
  ASSERT_EQ(Take(plumb_session_launch(session_, "train", 10, nullptr, nullptr, &result)), "");
  EXPECT_EQ(result.steps, 2u);
  EXPECT_EQ(result.reason, PLUMB_REASON_END_OF_DATA);
}

TEST_F(RuntimeApiTest, SeeksInTheData) {
  std::vector<float> whole, rest;
  auto train = [&](uint64_t begin, std::vector<float>* losses) {
    const float zero = 0;
    EXPECT_EQ(Take(plumb_session_set_variable(session_, "weight", &zero, 4)), "");
    EXPECT_EQ(Take(plumb_session_bind_pipeline(session_, "train", nullptr, -1)), "");
    EXPECT_EQ(Take(plumb_session_seek(session_, "train", begin)), "");
    EXPECT_EQ(Take(plumb_session_launch(session_, "train", 20, Collect, losses, nullptr)), "");
  };
  train(0, &whole);
  train(13, &rest);
  // weight = weight / 2 + batch: what each batch adds does not depend on where the run began.
  auto batch = [](const std::vector<float>& losses, size_t i) { return losses[i] - losses[i - 1] / 2; };
  for (size_t i = 1; i < 7; ++i) EXPECT_EQ(batch(rest, i), batch(whole, 13 + i)) << i;
}

TEST_F(RuntimeApiTest, PushesFromAnotherThread) {
  std::thread producer([this] {
    const float x[4] = {1, 2, 3, 4};
    const int32_t label[4] = {};
    const void* columns[] = {x, label};
    const size_t bytes[] = {sizeof(x), sizeof(label)};
    for (int i = 0; i < 10; ++i)
      EXPECT_EQ(Take(plumb_session_push_batch(session_, "train", columns, bytes, 2, -1)), "");
    EXPECT_EQ(Take(plumb_session_end_data(session_, "train")), "");
  });
  plumb_launch_result_t result = {};
  EXPECT_EQ(Take(plumb_session_launch(session_, "train", 100, nullptr, nullptr, &result)), "");
  producer.join();
  EXPECT_EQ(result.steps, 10u);
}

TEST_F(RuntimeApiTest, BadCallsAreErrors) {
  plumb_status_t* status = plumb_session_launch(session_, "nothing", 1, nullptr, nullptr, nullptr);
  EXPECT_EQ(plumb_status_code(status), PLUMB_NOT_FOUND);
  EXPECT_THAT(Take(status), HasSubstr("no loop 'nothing'"));
  status = plumb_session_launch(session_, "count", 0, nullptr, nullptr, nullptr);
  EXPECT_EQ(plumb_status_code(status), PLUMB_INVALID_ARGUMENT);
  plumb_status_destroy(status);
  EXPECT_NE(Take(plumb_session_launch(nullptr, "count", 1, nullptr, nullptr, nullptr)), "");
  EXPECT_NE(Take(plumb_session_launch(session_, nullptr, 1, nullptr, nullptr, nullptr)), "");
  float weight = 0;
  EXPECT_THAT(Take(plumb_session_get_variable(session_, "weight", &weight, 8)), HasSubstr("has 4 bytes, not 8"));
  EXPECT_NE(Take(plumb_session_get_variable(session_, "weight", nullptr, 4)), "");
  EXPECT_NE(Take(plumb_executable_load_file("/nowhere", nullptr)), "");
  EXPECT_NE(Take(plumb_session_feed_pipeline(session_, "train", nullptr, 1)), "");
  EXPECT_NE(Take(plumb_session_feed_pipeline(session_, "other", MakePipeline(), 1)), "");
  plumb_session_request_stop(nullptr);
  plumb_executable_destroy(nullptr);
  plumb_session_destroy(nullptr);
  plumb_pipeline_destroy(nullptr);
  plumb_status_destroy(nullptr);
}

/// Makes a call within a report callback, and notes how it ended.
struct CallInside {
  std::function<plumb_status_t*()> call;
  plumb_status_code_t code = PLUMB_OK;
  static void Report(uint64_t step, const void* const*, size_t, void* user) {
    auto* self = static_cast<CallInside*>(user);
    if (step != 5) return;
    plumb_status_t* status = self->call();
    self->code = plumb_status_code(status);
    plumb_status_destroy(status);
  }
};

// While a launch runs, every call but those that the header excepts is refused, and changes nothing.
TEST_F(RuntimeApiTest, CallsDuringALaunchAreRefused) {
  const std::string path = plumb::testing::WriteTemporary("moment.safetensors", {});
  ASSERT_EQ(Take(plumb_session_save(session_, path.c_str())), "");
  float weight = 0;
  int64_t batches = 0;
  uint64_t launches = 0;
  double seconds = 0;
  size_t count = 0;
  plumb_pipeline_t* pipeline = nullptr;
  plumb_future_t* future = nullptr;
  plumb_guard_strike_t strike = {};
  plumb_queue_statistics_t statistics;
  statistics.size = sizeof(statistics);
  const std::vector<std::pair<std::function<plumb_status_t*()>, plumb_status_code_t>> calls = {
      {[&] { return plumb_session_get_variable(session_, "weight", &weight, 4); }, PLUMB_FAILED_PRECONDITION},
      {[&] { return plumb_session_set_variable(session_, "weight", &weight, 4); }, PLUMB_FAILED_PRECONDITION},
      {[&] { return plumb_session_bind_pipeline(session_, "train", nullptr, 1); }, PLUMB_FAILED_PRECONDITION},
      {[&] { return plumb_session_feed_pipeline(session_, "train", pipeline = MakePipeline(), 1); },
       PLUMB_FAILED_PRECONDITION},
      {[&] { return plumb_session_dataset_size(session_, "train", &batches); }, PLUMB_FAILED_PRECONDITION},
      {[&] { return plumb_session_rewind(session_, "train"); }, PLUMB_FAILED_PRECONDITION},
      {[&] { return plumb_session_seek(session_, "train", 3); }, PLUMB_FAILED_PRECONDITION},
      {[&] { return plumb_session_launch(session_, "count", 1, nullptr, nullptr, nullptr); },
       PLUMB_FAILED_PRECONDITION},
      {[&] { return plumb_session_save(session_, path.c_str()); }, PLUMB_FAILED_PRECONDITION},
      {[&] { return plumb_session_load(session_, path.c_str()); }, PLUMB_FAILED_PRECONDITION},
      {[&] { return plumb_session_end_data(session_, "train"); },
       PLUMB_FAILED_PRECONDITION},  // it is fed by a pipeline
      {[&] { return plumb_session_counters(session_, &launches, nullptr); }, PLUMB_OK},
      {[&] { return plumb_session_add_guard(session_, "count", "finite:loss"); }, PLUMB_FAILED_PRECONDITION},
      {[&] { return plumb_session_guard_strike(session_, &strike); }, PLUMB_FAILED_PRECONDITION},
      {[&] { return plumb_session_dropped_reports(session_, &launches); }, PLUMB_FAILED_PRECONDITION},
      {[&] { return plumb_session_launch_async(session_, "count", 1, nullptr, nullptr, &future); },
       PLUMB_FAILED_PRECONDITION},
      {[&] { return plumb_session_queue_statistics(session_, "train", &statistics); }, PLUMB_OK},
      {[&] { return plumb_session_queue_history(session_, "train", nullptr, 0, &count); }, PLUMB_OK},
      {[&] { return plumb_session_data_wait(session_, &seconds); }, PLUMB_OK}};
  auto train = [&](plumb_report_fn report, void* user) {
    plumb_launch_result_t result = {};
    float end = 0;
    EXPECT_EQ(Take(plumb_session_load(session_, path.c_str())), "");
    EXPECT_EQ(Take(plumb_session_bind_pipeline(session_, "train", nullptr, -1)), "");
    EXPECT_EQ(Take(plumb_session_launch(session_, "train", 400, report, user, &result)), "");
    EXPECT_EQ(result.steps, 400u);
    EXPECT_EQ(Take(plumb_session_get_variable(session_, "weight", &end, 4)), "");
    return end;
  };
  const float expected = train(nullptr, nullptr);
  for (size_t i = 0; i < calls.size(); ++i) {
    CallInside inside = {calls[i].first};
    EXPECT_EQ(train(CallInside::Report, &inside), expected) << "call " << i;
    EXPECT_EQ(inside.code, calls[i].second) << "call " << i;
  }
}

TEST_F(RuntimeApiTest, AFutureTellsHowItsLaunchEnds) {
  std::vector<float> losses;
  plumb_future_t* future = nullptr;
  ASSERT_EQ(Take(plumb_session_launch_async(session_, "count", 1000, Collect, &losses, &future)), "");
  int ended = 0;
  EXPECT_EQ(Take(plumb_future_wait(future, -1, &ended)), "");
  EXPECT_EQ(ended, 1);
  EXPECT_EQ(losses.size(), 1000u);
  plumb_launch_result_t result = {};
  for (int i = 0; i < 2; ++i) EXPECT_EQ(Take(plumb_future_result(future, &result)), "");
  EXPECT_EQ(result.steps, 1000u);
  EXPECT_EQ(result.reason, PLUMB_REASON_SINK_SIZE);
  // The session is free before its future is gone.
  EXPECT_EQ(Take(plumb_session_launch(session_, "count", 1, nullptr, nullptr, &result)), "");
  EXPECT_EQ(result.total_steps, 1001u);
  plumb_future_destroy(future);

  ASSERT_EQ(Take(plumb_session_launch_async(session_, "count", 0, nullptr, nullptr, &future)), "");
  EXPECT_EQ(Take(plumb_future_wait(future, -1, &ended)), "");
  EXPECT_THAT(Take(plumb_future_result(future, &result)), HasSubstr("at least one step"));
  plumb_future_destroy(future);
}

TEST_F(RuntimeApiTest, AFutureWhileItsLaunchRuns) {
  plumb_future_t* future = nullptr;
  ASSERT_EQ(Take(plumb_session_launch_async(session_, "count", 1000000000000, nullptr, nullptr, &future)), "");
  int ended = 1;
  EXPECT_EQ(Take(plumb_future_wait(future, 0, &ended)), "");
  EXPECT_EQ(ended, 0);
  EXPECT_EQ(Take(plumb_future_wait(future, 0.05, &ended)), "");
  EXPECT_EQ(ended, 0);
  plumb_status_t* status = plumb_future_result(future, nullptr);
  EXPECT_EQ(plumb_status_code(status), PLUMB_FAILED_PRECONDITION);
  plumb_status_destroy(status);
  float weight = 0;
  EXPECT_THAT(Take(plumb_session_get_variable(session_, "weight", &weight, 4)), HasSubstr("one call at a time"));
  plumb_session_request_stop(session_);
  EXPECT_EQ(Take(plumb_future_wait(future, -1, &ended)), "");
  plumb_launch_result_t result = {};
  EXPECT_EQ(Take(plumb_future_result(future, &result)), "");
  EXPECT_EQ(result.reason, PLUMB_REASON_STOPPED);
  plumb_future_destroy(future);
  plumb_future_destroy(nullptr);
  EXPECT_NE(Take(plumb_future_wait(nullptr, 0, &ended)), "");
  EXPECT_NE(Take(plumb_session_launch_async(session_, "count", 1, nullptr, nullptr, nullptr)), "");
}

// Destroyed by whoever comes first: the future, the session, the callback of the launch itself.
TEST_F(RuntimeApiTest, AFutureAndItsSessionGoInAnyOrder) {
  plumb_future_t* future = nullptr;
  ASSERT_EQ(Take(plumb_session_launch_async(session_, "count", 1000000000000, nullptr, nullptr, &future)), "");
  plumb_future_destroy(future);
  plumb_launch_result_t result = {};
  EXPECT_EQ(Take(plumb_session_launch(session_, "count", 1, nullptr, nullptr, &result)), "") << "the launch is over";

  ASSERT_EQ(Take(plumb_session_launch_async(session_, "count", 1000000000000, nullptr, nullptr, &future)), "");
  plumb_session_destroy(session_);
  int ended = 0;
  EXPECT_EQ(Take(plumb_future_wait(future, -1, &ended)), "");
  EXPECT_EQ(Take(plumb_future_result(future, &result)), "");
  EXPECT_EQ(result.reason, PLUMB_REASON_STOPPED);
  plumb_future_destroy(future);

  ASSERT_EQ(Take(plumb_session_create(executable_, nullptr, &session_)), "");
  static std::atomic<plumb_future_t*> own{nullptr};
  static std::atomic<bool> gone{false};
  auto destroy_own = [](uint64_t, const void* const*, size_t, void*) {
    if (plumb_future_t* mine = own.exchange(nullptr)) {
      plumb_future_destroy(mine);
      gone = true;
    }
  };
  ASSERT_EQ(Take(plumb_session_launch_async(session_, "count", 1000000000000, destroy_own, nullptr, &future)), "");
  own = future;
  while (!gone) std::this_thread::yield();
  std::string busy;
  while (!(busy = Take(plumb_session_launch(session_, "count", 1, nullptr, nullptr, nullptr))).empty()) {
    ASSERT_THAT(busy, HasSubstr("one call at a time"));
  }
}

TEST_F(RuntimeApiTest, GuardsEndLaunches) {
  EXPECT_THAT(Take(plumb_session_add_guard(session_, "count", "loss")), HasSubstr("a guard is finite:NAME"));
  EXPECT_THAT(Take(plumb_session_add_guard(session_, "other", "finite:loss")), HasSubstr("no loop 'other'"));
  ASSERT_EQ(Take(plumb_session_add_guard(session_, "count", "loss>4.5")), "");
  plumb_guard_strike_t strike = {};
  ASSERT_EQ(Take(plumb_session_guard_strike(session_, &strike)), "");
  EXPECT_EQ(strike.step, 0u);
  plumb_launch_result_t result = {};
  ASSERT_EQ(Take(plumb_session_launch(session_, "count", 100, nullptr, nullptr, &result)), "");
  EXPECT_EQ(result.reason, PLUMB_REASON_GUARD);
  EXPECT_EQ(result.steps, 5u);
  ASSERT_EQ(Take(plumb_session_guard_strike(session_, &strike)), "");
  EXPECT_EQ(strike.step, 5u);
  EXPECT_FALSE(strike.invalid);
  EXPECT_STREQ(strike.text, "'loss' is 5.0 at step 5 (guard loss>4.5)");
}

TEST_F(RuntimeApiTest, ManyThreadsPush) {
  constexpr int kThreads = 4, kBatches = 200;
  std::vector<std::thread> producers;
  for (int i = 0; i < kThreads; ++i) {
    producers.emplace_back([this] {
      const float x[4] = {1, 0, 0, 0};
      const int32_t label[4] = {};
      const void* columns[] = {x, label};
      const size_t bytes[] = {sizeof(x), sizeof(label)};
      for (int n = 0; n < kBatches; ++n)
        EXPECT_EQ(Take(plumb_session_push_batch(session_, "train", columns, bytes, 2, -1)), "");
    });
  }
  plumb_launch_result_t result = {};
  EXPECT_EQ(Take(plumb_session_launch(session_, "train", kThreads * kBatches, nullptr, nullptr, &result)), "");
  for (std::thread& producer : producers) producer.join();
  EXPECT_EQ(result.steps, static_cast<uint64_t>(kThreads * kBatches));
  plumb_queue_statistics_t statistics;
  statistics.size = sizeof(statistics);
  ASSERT_EQ(Take(plumb_session_queue_statistics(session_, "train", &statistics)), "");
  EXPECT_EQ(statistics.taken, result.steps);
  EXPECT_EQ(statistics.depth, 4u);
  EXPECT_GT(statistics.mean_filled, 0);
  EXPECT_LE(statistics.mean_filled, 4);
  plumb_queue_depth_t points[1000];
  size_t count = 0;
  ASSERT_EQ(Take(plumb_session_queue_history(session_, "train", points, 1000, &count)), "");
  ASSERT_GT(count, 100u);
  for (size_t i = 1; i < count; ++i) EXPECT_GE(points[i].seconds, points[i - 1].seconds);
}

TEST_F(RuntimeApiTest, DestroyingEndsALaunch) {
  CallInside inside = {[&]() -> plumb_status_t* {
    plumb_session_destroy(session_);
    return nullptr;
  }};
  plumb_launch_result_t result = {};
  EXPECT_EQ(Take(plumb_session_launch(session_, "count", 1000000000000, CallInside::Report, &inside, &result)), "");
  EXPECT_EQ(result.reason, PLUMB_REASON_STOPPED);

  ASSERT_EQ(Take(plumb_session_create(executable_, nullptr, &session_)), "");
  std::atomic<bool> started{false};
  auto note = [](uint64_t, const void* const*, size_t, void* user) { *static_cast<std::atomic<bool>*>(user) = true; };
  std::thread other(
      [&] { EXPECT_EQ(Take(plumb_session_launch(session_, "count", 1000000000000, note, &started, nullptr)), ""); });
  while (!started) std::this_thread::yield();
  plumb_session_destroy(session_);
  other.join();
  session_ = nullptr;
}

// Of threads that call at the same time, each call goes through or is refused, and no step is lost.
TEST_F(RuntimeApiTest, CallsOfManyThreads) {
  std::atomic<uint64_t> steps{0};
  auto call = [&] {
    for (int i = 0; i < 200; ++i) {
      plumb_launch_result_t result = {};
      plumb_status_t* status = plumb_session_launch(session_, "count", 3, nullptr, nullptr, &result);
      EXPECT_TRUE(status == nullptr || plumb_status_code(status) == PLUMB_FAILED_PRECONDITION);
      steps += result.steps;
      plumb_status_destroy(status);
    }
  };
  std::thread one(call), two(call);
  one.join();
  two.join();
  float weight = 0;
  ASSERT_EQ(Take(plumb_session_get_variable(session_, "weight", &weight, 4)), "");
  EXPECT_EQ(weight, static_cast<float>(steps.load()));
}

TEST(RuntimeApiCheckpointTest, WritesAndReads) {
  const std::string path = plumb::testing::WriteTemporary("tensors.safetensors", {});
  const float values[2] = {1.5f, 2.5f};
  const int32_t scalar = 7;
  const int64_t shape[] = {1, 2};
  const plumb_checkpoint_tensor_t tensors[] = {{{"w", PLUMB_F32, 2, shape, 8}, values},
                                               {{"step", PLUMB_I32, 0, nullptr, 4}, &scalar}};
  const plumb_checkpoint_entry_t entries[] = {{"author", "me"}};
  ASSERT_EQ(Take(plumb_checkpoint_write(path.c_str(), tensors, 2, entries, 1)), "");
  plumb_checkpoint_t* checkpoint = nullptr;
  ASSERT_EQ(Take(plumb_checkpoint_read(path.c_str(), &checkpoint)), "");
  ASSERT_EQ(plumb_checkpoint_tensor_count(checkpoint), 2u);
  const plumb_checkpoint_tensor_t* second = plumb_checkpoint_tensor(checkpoint, 1);
  EXPECT_STREQ(second->info.name, "step");
  EXPECT_EQ(second->info.rank, 0u);
  EXPECT_EQ(*static_cast<const int32_t*>(second->data), 7);
  EXPECT_EQ(plumb_checkpoint_tensor(checkpoint, 2), nullptr);
  ASSERT_EQ(plumb_checkpoint_entry_count(checkpoint), 1u);
  EXPECT_STREQ(plumb_checkpoint_entry(checkpoint, 0)->value, "me");
  plumb_checkpoint_destroy(checkpoint);

  const plumb_checkpoint_entry_t reserved[] = {{"plumb.steps", "5"}};
  EXPECT_THAT(Take(plumb_checkpoint_write(path.c_str(), tensors, 2, reserved, 1)), HasSubstr("the runtime's own"));
  plumb_status_t* status = plumb_checkpoint_write("/nowhere/w", tensors, 2, nullptr, 0);
  EXPECT_EQ(plumb_status_code(status), PLUMB_CANNOT_WRITE);
  plumb_status_destroy(status);
  EXPECT_NE(Take(plumb_checkpoint_probe("/dev/null")), "");
  EXPECT_EQ(Take(plumb_checkpoint_probe(path.c_str())), "");
  EXPECT_NE(Take(plumb_checkpoint_read("/nowhere/w", &checkpoint)), "");
}

TEST(RuntimeApiFileTest, CodesTellFilesApart) {
  plumb_executable_t* executable = nullptr;
  plumb_status_t* status = plumb_executable_load_file("/nowhere/it.plumb", &executable);
  EXPECT_EQ(plumb_status_code(status), PLUMB_NOT_FOUND);
  plumb_status_destroy(status);
  status = plumb_executable_load_memory("garbage", 7, "garbage", &executable);
  EXPECT_EQ(plumb_status_code(status), PLUMB_BAD_FILE);
  plumb_status_destroy(status);
  EXPECT_EQ(executable, nullptr);
}

TEST(RuntimeApiPipelineTest, WalksPassAfterPass) {
  plumb_pipeline_t* pipeline = MakePipeline();
  ASSERT_EQ(plumb_pipeline_column_count(pipeline), 2u);
  EXPECT_EQ(plumb_pipeline_column(pipeline, 0)->bytes, 16u);
  int64_t size = 0;
  EXPECT_EQ(Take(plumb_pipeline_size(pipeline, &size)), "");
  EXPECT_EQ(size, 2);
  float x[4];
  int32_t label[4];
  void* columns[] = {x, label};
  std::vector<int64_t> rows;
  for (int i = 0; i < 6; ++i) {
    rows.push_back(-1);
    ASSERT_EQ(Take(plumb_pipeline_next(pipeline, columns, 2, &rows.back())), "");
  }
  EXPECT_EQ(rows, std::vector<int64_t>({4, 4, 0, 4, 4, 0}));
  EXPECT_EQ(label[3], 2);
  EXPECT_EQ(Take(plumb_pipeline_reset(pipeline)), "");
  EXPECT_NE(Take(plumb_pipeline_next(pipeline, columns, 1, &rows.back())), "");
  plumb_pipeline_destroy(pipeline);
  EXPECT_NE(Take(plumb_pipeline_create("{", nullptr, nullptr, 0, 0, &pipeline)), "");
}

TEST(RuntimeApiInitializeTest, FillsByRule) {
  const int64_t shape[] = {2, 3};
  float values[6] = {};
  const double one = 1;
  EXPECT_EQ(Take(plumb_initialize("constant", &one, 1, PLUMB_F32, shape, 2, 0, 0, values, sizeof(values))), "");
  EXPECT_EQ(values[5], 1.0f);
  EXPECT_THAT(Take(plumb_initialize("zero", nullptr, 0, PLUMB_F32, shape, 2, 0, 0, values, 4)),
              HasSubstr("has 24 bytes"));
  EXPECT_NE(Take(plumb_initialize("magic", nullptr, 0, PLUMB_F32, shape, 2, 0, 0, values, 24)), "");
}

}  // namespace
