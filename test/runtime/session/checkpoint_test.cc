// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Saving a run and going on with it in another session.

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/checkpoint/safetensors.h"
#include "runtime/session/session.h"
#include "test/runtime/testing/fake_loops.h"

namespace plumb {
namespace {

using ::testing::HasSubstr;

std::string TemporaryPath(const std::string& name) {
  const char* folder = std::getenv("TEST_TMPDIR");
  return std::string(folder ? folder : "/tmp") + "/" + name;
}

std::unique_ptr<Session> MakeSession(uint64_t seed) {
  const std::vector<uint8_t> bytes = testing::PackManifest(testing::MakeManifest());
  auto executable = Executable::FromLinked(&plumb_executable_query, bytes).value();
  SessionOptions options;
  options.seed = seed;
  return Session::Create(std::move(executable), options).value();
}

std::vector<float> Train(Session& session, int64_t steps) {
  std::vector<float> losses;
  auto result = session.Launch(0, steps, [&](uint64_t, const uint8_t* record) {
    losses.emplace_back();
    std::memcpy(&losses.back(), record + 8, sizeof(float));
  });
  EXPECT_TRUE(result.ok()) << result.status();
  return losses;
}

TEST(SessionCheckpointTest, AResumedRunGoesOnBitForBit) {
  auto whole = MakeSession(3);
  ASSERT_TRUE(whole->BindManifestPipeline("train", {}, -1).ok());
  const std::vector<float> expected = Train(*whole, 50);

  const std::string path = TemporaryPath("resume.safetensors");
  auto first = MakeSession(3);
  ASSERT_TRUE(first->BindManifestPipeline("train", {}, -1).ok());
  std::vector<float> losses = Train(*first, 22);
  absl::Status saved = first->Save(path);
  ASSERT_TRUE(saved.ok()) << saved;

  auto second = MakeSession(0);  // the file brings its seed
  absl::Status loaded = second->Load(path);
  ASSERT_TRUE(loaded.ok()) << loaded;
  EXPECT_EQ(second->total_steps(), 22u);
  ASSERT_TRUE(second->BindManifestPipeline("train", {}, -1).ok());
  const std::vector<float> rest = Train(*second, 28);
  losses.insert(losses.end(), rest.begin(), rest.end());
  EXPECT_EQ(losses, expected);
}

TEST(SessionCheckpointTest, LoadingAfterBindingSeeksToo) {
  const std::string path = TemporaryPath("seek.safetensors");
  auto first = MakeSession(3);
  ASSERT_TRUE(first->BindManifestPipeline("train", {}, -1).ok());
  Train(*first, 10);
  ASSERT_TRUE(first->Save(path).ok());
  const std::vector<float> expected = Train(*first, 10);
  auto second = MakeSession(3);
  ASSERT_TRUE(second->BindManifestPipeline("train", {}, -1).ok());
  Train(*second, 33);
  ASSERT_TRUE(second->Load(path).ok());
  EXPECT_EQ(Train(*second, 10), expected);
}

TEST(SessionCheckpointTest, FilesThatDoNotFitChangeNothing) {
  auto session = MakeSession(0);
  const std::string path = TemporaryPath("other.safetensors");
  EXPECT_EQ(session->Load(TemporaryPath("nothing")).code(), absl::StatusCode::kNotFound);

  ASSERT_TRUE(WriteCheckpoint(path, {}).ok());
  EXPECT_THAT(std::string(session->Load(path).message()), HasSubstr("no tensor for variable 'weight'"));

  const std::vector<uint8_t> bytes(8);
  CheckpointTensor tensor;
  tensor.name = "weight";
  tensor.shape = {2};
  tensor.data = bytes;
  ASSERT_TRUE(WriteCheckpoint(path, {tensor}).ok());
  EXPECT_THAT(std::string(session->Load(path).message()),
              HasSubstr("tensor 'weight' is tensor<2xf32>, the variable is tensor<f32>"));
}

TEST(SessionCheckpointTest, WeightsOfOtherToolsNeedNoMetadata) {
  const float value = 1.5f;
  CheckpointTensor tensor;
  tensor.name = "weight";
  tensor.data = absl::MakeConstSpan(reinterpret_cast<const uint8_t*>(&value), sizeof(value));
  const std::string path = TemporaryPath("plain.safetensors");
  ASSERT_TRUE(WriteCheckpoint(path, {tensor}).ok());
  auto session = MakeSession(0);
  absl::Status loaded = session->Load(path);
  ASSERT_TRUE(loaded.ok()) << loaded;
  EXPECT_EQ(std::memcmp(session->Variable("weight").value().data(), &value, sizeof(value)), 0);
  EXPECT_EQ(session->total_steps(), 0u);
}

TEST(SessionCheckpointTest, APathThatCannotBeWritten) {
  EXPECT_FALSE(MakeSession(0)->Save("/nowhere/state.safetensors").ok());
}

}  // namespace
}  // namespace plumb
