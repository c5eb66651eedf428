// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A folder of checkpoints: the newest few stay, each is whole, and a full disk is an error that loses nothing.

#include "runtime/checkpoint/checkpoint_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <fstream>

namespace plumb {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string TestFolder() {
  std::string folder = testing::TempDir() + "/" + testing::UnitTest::GetInstance()->current_test_info()->name();
  mkdir(folder.c_str(), 0777);
  return folder;
}

void Submit(CheckpointFolder& folder, uint64_t steps, bool best = false) {
  Snapshot* snapshot = folder.Acquire();
  snapshot->block.assign(8, static_cast<uint8_t>(steps));
  snapshot->tensors = {{"w", ElementType::u8, {8}, snapshot->block}};
  snapshot->steps = steps;
  folder.Submit(best);
}

TEST(CheckpointFolderTest, KeepsTheNewest) {
  const std::string path = TestFolder() + "/run";
  CheckpointFolder folder(path, 2);
  ASSERT_TRUE(folder.Prepare().ok());
  EXPECT_TRUE(folder.NewestFirst().empty());
  for (uint64_t steps : {9, 10, 100, 99999}) Submit(folder, steps, steps == 10);
  ASSERT_TRUE(folder.Flush().ok());
  EXPECT_THAT(folder.NewestFirst(),
              ElementsAre(path + "/step-000000099999.safetensors", path + "/step-000000000100.safetensors"));
  EXPECT_EQ(Checkpoint::Read(folder.NewestFirst()[1])->Find("w")->data[7], 100);
  EXPECT_EQ(Checkpoint::Read(folder.best_path())->Find("w")->data[0], 10);
}

TEST(CheckpointFolderTest, LeavesOtherFilesAndLaterStepsAlone) {
  const std::string path = TestFolder();
  for (const char* name :
       {"step-1.safetensors", "step-00000000000x.safetensors", "notes", "step-000000000900.safetensors"}) {
    std::ofstream(path + "/" + name) << "mine";
  }
  CheckpointFolder folder(path, 1);
  Submit(folder, 5);
  Submit(folder, 6);
  ASSERT_TRUE(folder.Flush().ok());
  EXPECT_THAT(folder.NewestFirst(),
              ElementsAre(path + "/step-000000000900.safetensors", path + "/step-000000000006.safetensors"));
  EXPECT_EQ(access((path + "/step-1.safetensors").c_str(), F_OK), 0);
}

TEST(CheckpointFolderTest, RemovesWhatKilledRunsLeft) {
  const std::string path = TestFolder();
  const std::string stale = path + "/step-000000000900.safetensors.tmp-0123456789abcdef";
  const std::string other = path + "/notes.tmp-0123456789abcdef";
  std::ofstream(stale) << "half";
  std::ofstream(other) << "mine";
  ASSERT_TRUE(CheckpointFolder(path, 1).Prepare().ok());
  EXPECT_NE(access(stale.c_str(), F_OK), 0);
  EXPECT_EQ(access(other.c_str(), F_OK), 0);
}

TEST(CheckpointFolderTest, ErrorsAreTakenOnce) {
  EXPECT_THAT(std::string(CheckpointFolder("/proc/run", 1).Prepare().message()), HasSubstr("/proc/run"));
  const std::string path = TestFolder();
  CheckpointFolder folder(path, 1);
  mkdir((path + "/step-000000000007.safetensors").c_str(), 0777);
  Submit(folder, 7);
  EXPECT_THAT(std::string(folder.Flush().message()), HasSubstr("it is a folder"));
  EXPECT_TRUE(folder.TakeError().ok());
  Submit(folder, 8);
  EXPECT_TRUE(folder.Flush().ok());
}

}  // namespace
}  // namespace plumb
