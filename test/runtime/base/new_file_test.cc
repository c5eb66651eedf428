// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A new file is there whole or not at all, never in the place of anything but a regular file, and leaves nothing
// behind.

#include "runtime/base/new_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

namespace plumb {
namespace {

using testing::HasSubstr;

std::string TestFolder() {
  std::string folder = testing::TempDir() + "/" + testing::UnitTest::GetInstance()->current_test_info()->name();
  mkdir(folder.c_str(), 0777);
  return folder;
}

std::set<std::string> FilesIn(const std::string& folder) {
  std::set<std::string> names;
  DIR* directory = opendir(folder.c_str());
  while (dirent* entry = readdir(directory)) {
    if (entry->d_name[0] != '.') names.insert(entry->d_name);
  }
  closedir(directory);
  return names;
}

std::string Content(const std::string& path) {
  std::ifstream stream(path);
  return std::string(std::istreambuf_iterator<char>(stream), {});
}

void Put(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

absl::Status WriteText(const std::string& path, const std::string& text) {
  NewFile file(path);
  absl::Status status = file.Create();
  if (status.ok()) status = file.Write(text.data(), text.size());
  return status.ok() ? file.Commit() : status;
}

std::string ProbeError(const std::string& path) { return std::string(NewFile::Probe(path).message()); }

TEST(NewFileTest, ReplacesTheOldFileAtTheEnd) {
  const std::string folder = TestFolder(), path = folder + "/state";
  Put(path, "old");
  {
    NewFile file(path);
    ASSERT_TRUE(file.Create().ok());
    ASSERT_TRUE(file.Write("half", 4).ok());
    EXPECT_EQ(Content(path), "old");
  }
  EXPECT_EQ(FilesIn(folder), std::set<std::string>({"state"}));
  ASSERT_TRUE(WriteText(path, "new").ok());
  EXPECT_EQ(Content(path), "new");
  EXPECT_EQ(FilesIn(folder), std::set<std::string>({"state"}));
}

TEST(NewFileTest, FollowsTheMaskOfTheProcess) {
  const std::string path = TestFolder() + "/state";
  const mode_t before = umask(027);
  ASSERT_TRUE(WriteText(path, "x").ok());
  umask(before);
  struct stat info;
  ASSERT_EQ(stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0640u);
}

TEST(NewFileTest, ProbesWithoutATrace) {
  const std::string folder = TestFolder();
  EXPECT_TRUE(NewFile::Probe(folder + "/state").ok());
  EXPECT_TRUE(FilesIn(folder).empty());
  EXPECT_THAT(ProbeError(""), HasSubstr("cannot write '': the path is empty"));
  EXPECT_THAT(ProbeError(folder + "/"), HasSubstr("it names a folder"));
  EXPECT_THAT(ProbeError(folder), HasSubstr("it is a folder"));
  EXPECT_THAT(ProbeError(folder + "/none/state"), HasSubstr("No such file or directory"));
  EXPECT_THAT(ProbeError("/proc/state"), HasSubstr("cannot write '/proc/state': "));
}

TEST(NewFileTest, ReplacesNothingButRegularFiles) {
  const std::string folder = TestFolder();
  EXPECT_THAT(ProbeError("/dev/null"), HasSubstr("it is a device, pipe or socket"));
  Put(folder + "/real", "kept");
  ASSERT_EQ(symlink("real", (folder + "/link").c_str()), 0);
  EXPECT_THAT(ProbeError(folder + "/link"), HasSubstr("it is a symbolic link"));
  ASSERT_EQ(mkfifo((folder + "/pipe").c_str(), 0666), 0);
  EXPECT_FALSE(WriteText(folder + "/pipe", "x").ok());

  // What takes the path after Create is not replaced either.
  NewFile late(folder + "/late");
  ASSERT_TRUE(late.Create().ok());
  ASSERT_EQ(symlink("real", (folder + "/late").c_str()), 0);
  EXPECT_FALSE(late.Commit().ok());
  EXPECT_EQ(Content(folder + "/real"), "kept");
}

TEST(NewFileTest, RemovesWhatDeadProcessesLeft) {
  const std::string folder = TestFolder(), path = folder + "/state";
  const std::string dead = path + ".tmp-0123456789abcdef", alive = path + ".tmp-fedcba9876543210";
  Put(dead, "x"), Put(alive, "x"), Put(folder + "/state.tmp-notes", "a file of the user's");
  const int writer = open(alive.c_str(), O_RDONLY);
  ASSERT_EQ(flock(writer, LOCK_EX), 0);
  ASSERT_TRUE(WriteText(path, "new").ok());
  EXPECT_EQ(FilesIn(folder), std::set<std::string>({"state", "state.tmp-fedcba9876543210", "state.tmp-notes"}));
  close(writer);
}

TEST(NewFileTest, AWriteThatFailsLeavesTheOldFile) {
  const std::string folder = TestFolder(), path = folder + "/state";
  Put(path, "old");
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const struct rlimit limit = {100, 100};
    setrlimit(RLIMIT_FSIZE, &limit);
    _exit(WriteText(path, std::string(1000, 'x')).ok() ? 1 : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(Content(path), "old");
  EXPECT_EQ(FilesIn(folder), std::set<std::string>({"state"}));
}

}  // namespace
}  // namespace plumb
