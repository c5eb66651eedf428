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
#include "test/runtime/testing/fake_session.h"

namespace plumb {
namespace {

using ::testing::HasSubstr;

std::string TemporaryPath(const std::string& name) {
  const char* folder = std::getenv("TEST_TMPDIR");
  return std::string(folder ? folder : "/tmp") + "/" + name;
}

std::unique_ptr<Session> MakeSession(uint64_t seed, const abi::ManifestT& manifest = testing::MakeManifest()) {
  SessionOptions options;
  options.seed = seed;
  return testing::CreateSession(options, manifest).value();
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

  // A variable that got another name is seen beside the old one.
  const std::vector<uint8_t> four(4);
  CheckpointTensor renamed;
  renamed.name = "net.weight";
  renamed.data = four;
  ASSERT_TRUE(WriteCheckpoint(path, {renamed}).ok());
  EXPECT_THAT(std::string(session->Load(path).message()),
              HasSubstr("there is no tensor for variable 'weight'; no variable takes 'net.weight'"));

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
  float loaded_value = 0;
  ASSERT_TRUE(
      session->GetVariable("weight", absl::MakeSpan(reinterpret_cast<uint8_t*>(&loaded_value), sizeof(float))).ok());
  EXPECT_EQ(loaded_value, value);
  EXPECT_EQ(session->total_steps(), 0u);
}

/// A file of format 1, which had no checksum, as it was written by hand.
std::string WriteOld(const std::string& name, const std::string& metadata) {
  const std::string header =
      "{\"__metadata__\":{" + metadata + "},\"weight\":{\"dtype\":\"F32\",\"shape\":[],\"data_offsets\":[0,4]}}";
  const uint64_t length = header.size();
  std::ofstream stream(TemporaryPath(name), std::ios::binary);
  stream.write(reinterpret_cast<const char*>(&length), 8);
  stream << header << std::string(4, '\0');
  return TemporaryPath(name);
}

constexpr char kOld[] = R"("plumb.format":"1","plumb.queue.train.batches":"20","plumb.seed":"1","plumb.steps":"20")";

TEST(SessionCheckpointTest, OldFilesGoOnAndDamagedOnesDoNotStartOver) {
  auto session = MakeSession(0);
  const absl::Status old = session->Load(WriteOld("old", kOld));
  ASSERT_TRUE(old.ok()) << old;
  EXPECT_EQ(session->total_steps(), 20u);
  EXPECT_EQ(session->FindFeed("train").value()->position(), 20u);
  for (const char* key : {"queue.train", "seed", "steps"}) {
    std::string damaged = kOld;
    damaged[damaged.find(key)] ^= 1;
    EXPECT_EQ(session->Load(WriteOld("damaged", damaged)).code(), absl::StatusCode::kDataLoss) << damaged;
  }
  std::string damaged = kOld;
  damaged[damaged.rfind("20")] = 'x';
  EXPECT_THAT(std::string(session->Load(WriteOld("damaged", damaged)).message()), HasSubstr("should hold a number"));
  EXPECT_EQ(session->total_steps(), 20u);
}

TEST(SessionCheckpointTest, AQueueThatTheFileDoesNotKnowIsSaid) {
  const std::string path = TemporaryPath("renamed_queue.safetensors");
  abi::ManifestT manifest = testing::MakeManifest();
  manifest.queues[0]->name = "other";
  ASSERT_TRUE(MakeSession(0, manifest)->Save(path).ok());
  std::vector<std::string> notes;
  ASSERT_TRUE(MakeSession(0)->Load(path, {}, &notes).ok());
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_THAT(notes[0], HasSubstr(path + ": it knows no queue 'train', whose data begin with the first batch"));
}

TEST(SessionCheckpointTest, ASeedOfOnesOwnIsKeptIfAsked) {
  const std::string path = TemporaryPath("seed.safetensors");
  ASSERT_TRUE(MakeSession(3)->Save(path).ok());
  auto shuffled = [&](uint64_t seed, bool keep) {
    auto session = MakeSession(seed);
    LoadOptions options;
    options.keep_seed = keep;
    EXPECT_TRUE(session->Load(path, options).ok());
    EXPECT_TRUE(session->BindManifestPipeline("train", {}, -1).ok());
    return Train(*session, 8);
  };
  EXPECT_EQ(shuffled(4, false), shuffled(3, true));
  EXPECT_NE(shuffled(4, true), shuffled(3, true));
}

TEST(SessionCheckpointTest, ASnapshotStaysWhileTheRunGoesOn) {
  const std::string path = TemporaryPath("snapshot.safetensors");
  auto session = MakeSession(3);
  ASSERT_TRUE(session->BindManifestPipeline("train", {}, -1).ok());
  Train(*session, 10);
  Snapshot snapshot;
  ASSERT_TRUE(session->TakeSnapshot(&snapshot).ok());
  EXPECT_EQ(snapshot.steps, 10u);
  const std::vector<float> expected = Train(*session, 10);
  ASSERT_TRUE(WriteCheckpoint(path, snapshot.tensors, snapshot.metadata).ok());
  ASSERT_TRUE(session->Load(path).ok());
  EXPECT_EQ(Train(*session, 10), expected);
}

TEST(SessionCheckpointTest, APathThatCannotBeWritten) {
  EXPECT_FALSE(MakeSession(0)->Save("/nowhere/state.safetensors").ok());
}

}  // namespace
}  // namespace plumb
