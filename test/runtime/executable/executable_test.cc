// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loader against sound files and against every kind of bad one.

#include "runtime/executable/executable.h"

#include <elf.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "test/runtime/testing/fake_file.h"

namespace plumb {
namespace {

using ::plumb::testing::MakeExecutableFile;
using ::plumb::testing::MakeManifest;
using ::plumb::testing::ReadSharedObject;
using ::plumb::testing::WriteTemporary;
using ::testing::AllOf;
using ::testing::HasSubstr;

absl::Status LoadError(const std::vector<uint8_t>& file) {
  return Executable::LoadFromMemory(file, "it.plumb").status();
}

/// A launch of three steps of a loop that needs no session.
struct SessionlessLaunch {
  SessionlessLaunch() {
    ring.records = records;
    ring.record_bytes = 16;
    ring.depth = 4;
    launch.sink_size = 3;
    launch.variables = variables;
    launch.reports = &ring;
    launch.stop = &stop;
  }
  alignas(64) uint8_t variables[64] = {};
  alignas(8) uint8_t records[64] = {};
  uint32_t stop = 0;
  plumb_report_ring_t ring = {};
  plumb_launch_t launch = {};
};

/// Expects the code and every text in the message.
void ExpectError(const absl::Status& status, absl::StatusCode code, const char* text) {
  EXPECT_EQ(status.code(), code) << status;
  EXPECT_THAT(std::string(status.message()), AllOf(HasSubstr("it.plumb"), HasSubstr(text)));
}

TEST(ExecutableTest, LoadsFromMemoryAndRuns) {
  auto executable = Executable::LoadFromMemory(MakeExecutableFile(MakeManifest()), "it.plumb");
  ASSERT_TRUE(executable.ok()) << executable.status();
  EXPECT_EQ((*executable)->manifest().name()->str(), "fake");
  EXPECT_EQ((*executable)->FindLoop("count").value(), 2u);
  EXPECT_EQ((*executable)->FindQueue("train").value(), 0u);
  EXPECT_EQ((*executable)->FindVariable("weight").value(), 0u);
  EXPECT_EQ((*executable)->FindLoop("nothing").status().message(),
            "the executable has no loop 'nothing'; it has train, guarded, count");
}

TEST(ExecutableTest, TwoExecutablesFromMemoryAreTwo) {
  abi::ManifestT other = MakeManifest();
  other.name = "other";
  auto first = Executable::LoadFromMemory(MakeExecutableFile(MakeManifest()), "first");
  auto second = Executable::LoadFromMemory(MakeExecutableFile(std::move(other)), "second");
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_EQ((*second)->manifest().name()->str(), "other");
  EXPECT_NE((*first)->loop(0), (*second)->loop(0));
}

TEST(ExecutableTest, LoadsFromAFile) {
  const std::string path = WriteTemporary("good.plumb", MakeExecutableFile(MakeManifest()));
  auto executable = Executable::Load(path);
  ASSERT_TRUE(executable.ok()) << executable.status();
  EXPECT_GT((*executable)->file_bytes(), 1000u);
}

TEST(ExecutableTest, OnlyTheFirstSchemaMayLackTheImageSum) {
  abi::ManifestT old = MakeManifest();
  old.schema_version = 1;
  EXPECT_TRUE(LoadError(MakeExecutableFile(std::move(old), /*with_image_sum=*/false)).ok());
  ExpectError(LoadError(MakeExecutableFile(MakeManifest(), /*with_image_sum=*/false)), absl::StatusCode::kDataLoss,
              "the manifest has no checksum of the file");
}

// What happens to the file afterwards does not reach code that is mapped.
TEST(ExecutableTest, AFileMayBeOverwrittenWhileItRuns) {
  const std::string path = WriteTemporary("overwritten.plumb", MakeExecutableFile(MakeManifest()));
  auto executable = Executable::Load(path);
  ASSERT_TRUE(executable.ok()) << executable.status();
  ASSERT_EQ(truncate(path.c_str(), 0), 0);
  SessionlessLaunch launch;
  (*executable)->loop(2)(&launch.launch);
  EXPECT_EQ(launch.launch.steps, 3u);
}

// Neither a hole of 3 GiB nor a pipe costs anything but a look at the beginning.
TEST(ExecutableTest, LooksAtTheBeginningFirst) {
  const std::string path = WriteTemporary("sparse.plumb", {'n', 'o'});
  ASSERT_EQ(truncate(path.c_str(), int64_t{3} << 30), 0);
  EXPECT_THAT(std::string(Executable::Load(path).status().message()), HasSubstr("does not begin as an ELF file does"));
  const std::string tail = WriteTemporary("tail.plumb", MakeExecutableFile(MakeManifest()));
  ASSERT_EQ(truncate(tail.c_str(), int64_t{3} << 30), 0);
  EXPECT_THAT(std::string(Executable::Load(tail).status().message()), HasSubstr("bytes follow its end"));
  struct rusage used;
  ASSERT_EQ(getrusage(RUSAGE_SELF, &used), 0);
  EXPECT_LT(used.ru_maxrss, 1 << 20);  // KiB
  const std::string pipe = path + ".pipe";
  mkfifo(pipe.c_str(), 0600);
  EXPECT_THAT(std::string(Executable::Load(pipe).status().message()), HasSubstr("not a regular file"));
}

/// The rights of every mapping of this process whose line has `name`.
std::vector<std::string> MappedRights(const std::string& name) {
  std::vector<std::string> rights;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    if (line.find(name) != std::string::npos) rights.push_back(line.substr(line.find(' ') + 1, 4));
  }
  return rights;
}

TEST(ExecutableTest, NoPageIsWritableAndExecutable) {
  auto executable = Executable::LoadFromMemory(MakeExecutableFile(MakeManifest()), "it.plumb");
  ASSERT_TRUE(executable.ok()) << executable.status();
  const std::vector<std::string> rights = MappedRights("memfd:plumb:fake");
  EXPECT_THAT(rights, ::testing::Contains("r-xp"));
  for (const std::string& each : rights) EXPECT_FALSE(each[1] == 'w' && each[2] == 'x') << each;
  executable->reset();
  EXPECT_TRUE(MappedRights("memfd:plumb:fake").empty());
}

TEST(ExecutableTest, MissingFilesAndFolders) {
  EXPECT_EQ(Executable::Load("/nowhere/it.plumb").status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(Executable::Load("/tmp").status().message()), HasSubstr("not a regular file"));
  EXPECT_THAT(std::string(Executable::Load(WriteTemporary("empty.plumb", {})).status().message()), HasSubstr("empty"));
}

TEST(ExecutableTest, ForeignFiles) {
  ExpectError(LoadError({'#', '!', '/', 'b', 'i', 'n'}), absl::StatusCode::kDataLoss, "not a Plumb executable");
  ExpectError(LoadError(ReadSharedObject()), absl::StatusCode::kDataLoss, "without a .plumb.manifest section");
}

/// `file` with another machine in its ELF header.
std::vector<uint8_t> SetElfMachine(std::vector<uint8_t> file, uint16_t machine) {
  Elf64_Ehdr header;
  std::memcpy(&header, file.data(), sizeof(header));
  header.e_machine = machine;
  std::memcpy(file.data(), &header, sizeof(header));
  return file;
}

TEST(ExecutableTest, OtherMachines) {
  std::vector<uint8_t> strange = SetElfMachine(MakeExecutableFile(MakeManifest()), EM_S390);
  ExpectError(LoadError(strange), absl::StatusCode::kUnimplemented, "another machine");
  strange[EI_CLASS] = ELFCLASS32;
  ExpectError(LoadError(strange), absl::StatusCode::kDataLoss, "64-bit");

  // The manifest is for this machine, the header for another one.
#if defined(__x86_64__)
  constexpr uint16_t kOther = EM_AARCH64;
#else
  constexpr uint16_t kOther = EM_X86_64;
#endif
  std::vector<uint8_t> lying = SetElfMachine(MakeExecutableFile(MakeManifest()), kOther);
  testing::Seal(&lying);
  ExpectError(LoadError(lying), absl::StatusCode::kDataLoss, "relocations of type");

  abi::ManifestT manifest = MakeManifest();
  manifest.target_triple = "riscv64-unknown-linux-gnu";
  std::vector<uint8_t> file = MakeExecutableFile(std::move(manifest));
  EXPECT_TRUE(ExecutableImage::Parse(file, "foreign.plumb").ok());
  ExpectError(LoadError(file), absl::StatusCode::kUnimplemented, "riscv64");
}

TEST(ExecutableTest, MissingCpuFeaturesAreNamed) {
  abi::ManifestT manifest = MakeManifest();
  manifest.cpu_features = {"sse2", "avx1024"};
  ExpectError(LoadError(MakeExecutableFile(std::move(manifest))), absl::StatusCode::kUnimplemented, "offer: avx1024;");
}

TEST(ExecutableTest, NewerAndOlderVersions) {
  abi::ManifestT newer = MakeManifest();
  newer.schema_version = 1000;
  newer.compiler_version = "9.9";
  ExpectError(LoadError(MakeExecutableFile(std::move(newer))), absl::StatusCode::kUnimplemented,
              "newer than this runtime");
  abi::ManifestT older = MakeManifest();
  older.abi_version = 0;
  ExpectError(LoadError(MakeExecutableFile(std::move(older))), absl::StatusCode::kUnimplemented,
              "older than this runtime");
}

TEST(ExecutableTest, WrongCodeSum) {
  abi::ManifestT manifest = MakeManifest();
  manifest.text_crc32 = 12345;
  ExpectError(LoadError(MakeExecutableFile(std::move(manifest))), absl::StatusCode::kDataLoss, "checksum of its code");
}

TEST(ExecutableTest, EveryTruncationIsAnError) {
  const std::vector<uint8_t> file = MakeExecutableFile(MakeManifest());
  for (size_t size = 0; size < file.size(); size += size < 4096 ? 61 : 499) {
    std::vector<uint8_t> part(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size));
    ASSERT_FALSE(LoadError(part).ok()) << "after " << size << " bytes";
  }
}

TEST(ExecutableTest, EveryFlippedBitIsAnError) {
  const std::vector<uint8_t> file = MakeExecutableFile(MakeManifest());
  std::mt19937 random(1);
  for (int i = 0; i < 500; ++i) {
    std::vector<uint8_t> damaged = file;
    damaged[random() % damaged.size()] ^= static_cast<uint8_t>(1 << random() % 8);
    ASSERT_FALSE(LoadError(damaged).ok()) << "try " << i;
  }
}

// Without the image's sum, only the tables' own checks stand between a damaged header and the reader.
TEST(ExecutableTest, DamagedTablesNeverCrashTheReader) {
  const std::vector<uint8_t> file = MakeExecutableFile(MakeManifest(), /*with_image_sum=*/false);
  std::mt19937 random(2);
  for (int i = 0; i < 3000; ++i) {
    std::vector<uint8_t> damaged = file;
    const size_t where = i % 2 ? random() % 64 : damaged.size() - 1 - random() % 4000;
    damaged[where] = static_cast<uint8_t>(random());
    ExecutableImage::Parse(damaged, "it.plumb").status().IgnoreError();
  }
}

TEST(ExecutableTest, CodeAndManifestMustAgree) {
  abi::ManifestT fewer = MakeManifest();
  fewer.loops.pop_back();
  ExpectError(LoadError(MakeExecutableFile(std::move(fewer))), absl::StatusCode::kDataLoss, "number of loops");
  abi::ManifestT renamed = MakeManifest();
  renamed.loops[0]->name = "else";
  ExpectError(LoadError(MakeExecutableFile(std::move(renamed))), absl::StatusCode::kDataLoss, "names of loops");
}

}  // namespace
}  // namespace plumb
