// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C API from outside: a whole run, and every kind of bad call.

#include <atomic>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/api/plumb/runtime.h"
#include "test/runtime/testing/fake_file.h"

namespace {

using ::testing::HasSubstr;

/// Takes a status over: its message, empty for ok.
std::string Take(plumb_status_t* status) {
  std::string message = plumb_status_message(status);
  plumb_status_destroy(status);
  return message;
}

class RuntimeApiTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::vector<uint8_t> file = plumb::testing::MakeExecutableFile(plumb::testing::MakeManifest());
    ASSERT_EQ(Take(plumb_executable_load_memory(file.data(), file.size(), "fake", &executable_)), "");
    ASSERT_EQ(Take(plumb_session_create(executable_, nullptr, &session_)), "");
  }
  void TearDown() override {
    plumb_executable_destroy(executable_);  // the session keeps what it needs
    plumb_session_destroy(session_);
  }

  plumb_executable_t* executable_ = nullptr;
  plumb_session_t* session_ = nullptr;
};

constexpr char kPipeline[] = R"({
  "source_type": "ArraySource",
  "source": {"columns": [{"name": "x", "element": "f32", "shape": []}, {"name": "label", "element": "i32", "shape": []}]},
  "stages": [{"stage_type": "Batch", "stage": {"size": 4, "drop_remainder": true}}]
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
    for (int i = 0; i < 10; ++i) EXPECT_EQ(Take(plumb_session_push_batch(session_, "train", columns, bytes, 2, -1)), "");
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
  plumb_pipeline_t* pipeline = nullptr;
  const std::vector<std::pair<std::function<plumb_status_t*()>, plumb_status_code_t>> calls = {
      {[&] { return plumb_session_get_variable(session_, "weight", &weight, 4); }, PLUMB_FAILED_PRECONDITION},
      {[&] { return plumb_session_set_variable(session_, "weight", &weight, 4); }, PLUMB_FAILED_PRECONDITION},
      {[&] { return plumb_session_bind_pipeline(session_, "train", nullptr, 1); }, PLUMB_FAILED_PRECONDITION},
      {[&] { return plumb_session_feed_pipeline(session_, "train", pipeline = MakePipeline(), 1); },
       PLUMB_FAILED_PRECONDITION},
      {[&] { return plumb_session_dataset_size(session_, "train", &batches); }, PLUMB_FAILED_PRECONDITION},
      {[&] { return plumb_session_rewind(session_, "train"); }, PLUMB_FAILED_PRECONDITION},
      {[&] { return plumb_session_seek(session_, "train", 3); }, PLUMB_FAILED_PRECONDITION},
      {[&] { return plumb_session_launch(session_, "count", 1, nullptr, nullptr, nullptr); }, PLUMB_FAILED_PRECONDITION},
      {[&] { return plumb_session_save(session_, path.c_str()); }, PLUMB_FAILED_PRECONDITION},
      {[&] { return plumb_session_load(session_, path.c_str()); }, PLUMB_FAILED_PRECONDITION},
      {[&] { return plumb_session_end_data(session_, "train"); }, PLUMB_FAILED_PRECONDITION},  // it is fed by a pipeline
      {[&] { return plumb_session_counters(session_, &launches, nullptr); }, PLUMB_OK},
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
  std::thread other([&] {
    EXPECT_EQ(Take(plumb_session_launch(session_, "count", 1000000000000, note, &started, nullptr)), "");
  });
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
  EXPECT_THAT(Take(plumb_initialize("zero", nullptr, 0, PLUMB_F32, shape, 2, 0, 0, values, 4)), HasSubstr("has 24 bytes"));
  EXPECT_NE(Take(plumb_initialize("magic", nullptr, 0, PLUMB_F32, shape, 2, 0, 0, values, 24)), "");
}

}  // namespace
