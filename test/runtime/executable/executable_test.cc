// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loader against sound files and against every kind of bad one.

#include "runtime/executable/executable.h"

#include <elf.h>
#include <unistd.h>

#include <cstring>
#include <random>

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

absl::Status LoadError(const std::vector<uint8_t>& file) { return Executable::LoadFromMemory(file, "it.plumb").status(); }

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

TEST(ExecutableTest, LoadsWithoutImageSum) {
  EXPECT_TRUE(LoadError(MakeExecutableFile(MakeManifest(), /*with_image_sum=*/false)).ok());
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
  std::vector<uint8_t> lying = SetElfMachine(MakeExecutableFile(MakeManifest(), /*with_image_sum=*/false), kOther);
  ExpectError(LoadError(lying), absl::StatusCode::kDataLoss, "");

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
  ExpectError(LoadError(MakeExecutableFile(std::move(newer))), absl::StatusCode::kUnimplemented, "newer than this runtime");
  abi::ManifestT older = MakeManifest();
  older.abi_version = 0;
  ExpectError(LoadError(MakeExecutableFile(std::move(older))), absl::StatusCode::kUnimplemented, "older than this runtime");
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
