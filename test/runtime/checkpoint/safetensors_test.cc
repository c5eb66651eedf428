// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Safetensors: what is written is read back; nothing half-written stays; hostile headers are refused, each by its
// reason.

#include "runtime/checkpoint/safetensors.h"

#include <dirent.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>

namespace plumb {
namespace {

using testing::HasSubstr;
using Bytes = std::vector<uint8_t>;

std::string TestFolder() {
  std::string folder = testing::TempDir() + "/" + testing::UnitTest::GetInstance()->current_test_info()->name();
  mkdir(folder.c_str(), 0777);
  return folder;
}

size_t FilesIn(const std::string& folder) {
  size_t count = 0;
  DIR* directory = opendir(folder.c_str());
  while (dirent* entry = readdir(directory)) count += entry->d_name[0] != '.';
  closedir(directory);
  return count;
}

// A file of this header and so many bytes of data.
Bytes File(const std::string& header, size_t data_bytes) {
  Bytes bytes(8 + header.size() + data_bytes);
  uint64_t length = header.size();
  std::memcpy(bytes.data(), &length, 8);
  std::memcpy(bytes.data() + 8, header.data(), header.size());
  return bytes;
}

std::string ErrorOf(const Bytes& file) {
  auto checkpoint = Checkpoint::Parse(file, "w.safetensors");
  EXPECT_FALSE(checkpoint.ok());
  EXPECT_THAT(std::string(checkpoint.status().message()), testing::StartsWith("w.safetensors: "));
  return std::string(checkpoint.status().message());
}

std::string ErrorOf(const std::string& header, size_t data_bytes) { return ErrorOf(File(header, data_bytes)); }

TEST(SafetensorsTest, ReadsBackWhatWasWritten) {
  std::string path = TestFolder() + "/w.safetensors";
  Bytes weights = {1, 2, 3, 4, 5, 6, 7, 8}, flag = {1};
  std::vector<CheckpointTensor> tensors = {{"conv1.weight", ElementType::f32, {1, 2}, weights},
                                           {"ein \"Name\"\n\xc3\xa4", ElementType::i1, {}, flag},
                                           {"empty", ElementType::i64, {0, 3}, {}}};
  ASSERT_TRUE(WriteCheckpoint(path, tensors, {{"step", "17"}, {"note", "tab\t\\"}}).ok());
  auto checkpoint = Checkpoint::Read(path);
  ASSERT_TRUE(checkpoint.ok()) << checkpoint.status();
  ASSERT_EQ(checkpoint->tensors().size(), 3u);
  for (const CheckpointTensor& tensor : tensors) {
    const CheckpointTensor* found = checkpoint->Find(tensor.name);
    ASSERT_NE(found, nullptr) << tensor.name;
    EXPECT_EQ(found->element, tensor.element);
    EXPECT_EQ(found->shape, tensor.shape);
    EXPECT_EQ(found->data, tensor.data);
  }
  EXPECT_EQ(checkpoint->metadata().at("step"), "17");
  EXPECT_EQ(checkpoint->metadata().at("note"), "tab\t\\");
  EXPECT_EQ(checkpoint->Find("other"), nullptr);
}

TEST(SafetensorsTest, MovesKeepTheData) {
  std::string path = TestFolder() + "/w";
  Bytes data(64, 5);
  ASSERT_TRUE(WriteCheckpoint(path, {{"w", ElementType::u8, {64}, data}}).ok());
  Checkpoint moved = *Checkpoint::Read(path);
  EXPECT_EQ(moved.Find("w")->data, absl::MakeConstSpan(data));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(moved.Find("w")->data.data()) % 8, 0u);
}

TEST(SafetensorsTest, ReadsWhatOthersWrite) {
  auto checkpoint = Checkpoint::Parse(
      File(R"( {"b":{"shape":[1],"data_offsets":[2,4],"dtype":"BF16"},"\u00e4\ud83d\ude00":{"dtype":"U8","shape":[2],)"
           R"("data_offsets":[0,2]}}    )",
           4),
      "w");
  ASSERT_TRUE(checkpoint.ok()) << checkpoint.status();
  EXPECT_EQ(checkpoint->tensors()[0].name, "\xc3\xa4\xf0\x9f\x98\x80");
  EXPECT_EQ(checkpoint->tensors()[1].element, ElementType::bf16);
}

TEST(SafetensorsTest, LeavesNothingHalfWritten) {
  std::string folder = TestFolder(), path = folder + "/w";
  Bytes data = {1, 2};
  ASSERT_TRUE(WriteCheckpoint(path, {{"w", ElementType::u8, {2}, data}}).ok());
  ASSERT_TRUE(WriteCheckpoint(path, {{"w", ElementType::u8, {2}, data}}).ok());
  EXPECT_EQ(FilesIn(folder), 1u);
  absl::Status status = WriteCheckpoint(path, {{"w", ElementType::f32, {2}, data}});
  EXPECT_THAT(std::string(status.message()), HasSubstr("tensor 'w' tensor<2xf32> of 2 bytes"));
  EXPECT_FALSE(WriteCheckpoint(path, {{"w", ElementType::u8, {2}, data}, {"w", ElementType::u8, {2}, data}}).ok());
  EXPECT_TRUE(Checkpoint::Read(path).ok());
  // A folder of that name is in the way.
  mkdir((folder + "/d").c_str(), 0777);
  EXPECT_THAT(std::string(WriteCheckpoint(folder + "/d", {{"w", ElementType::u8, {2}, data}}).message()),
              HasSubstr("cannot write '" + folder + "/d'"));
  EXPECT_EQ(FilesIn(folder), 2u);
  EXPECT_THAT(std::string(WriteCheckpoint(folder + "/none/w", {}).message()), HasSubstr("No such file"));
}

TEST(SafetensorsTest, RefusesForeignAndTruncatedFiles) {
  EXPECT_THAT(ErrorOf(Bytes{1, 2}), HasSubstr("shorter than 8 bytes"));
  EXPECT_THAT(ErrorOf(Bytes(64, 0xff)), HasSubstr("announces a header of 18446744073709551615 bytes"));
  Bytes file = File("{}", 0);
  file[0] = 200;
  EXPECT_THAT(ErrorOf(file), HasSubstr("truncated: a header of 200 bytes in a file of 10 bytes"));
  Bytes whole = File(R"({"w":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}})", 16);
  whole.resize(whole.size() - 1);
  EXPECT_THAT(ErrorOf(whole), HasSubstr("tensor 'w' lies at [0, 16) of 15 bytes"));
  EXPECT_EQ(Checkpoint::Read("/nowhere/w").status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(Checkpoint::Read(TestFolder()).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(SafetensorsTest, RefusesLiesAboutTheLayout) {
  auto one = [](const std::string& shape, const std::string& offsets) {
    return R"({"w":{"dtype":"F32","shape":[)" + shape + R"(],"data_offsets":[)" + offsets + "]}}";
  };
  EXPECT_THAT(ErrorOf(one("2", "0,4"), 4), HasSubstr("tensor 'w' has 4 bytes, but tensor<2xf32> has 8"));
  EXPECT_THAT(ErrorOf(one("1", "4,8"), 8), HasSubstr("where 0 was due"));
  EXPECT_THAT(ErrorOf(one("1", "4,0"), 8), HasSubstr("lies at [4, 0)"));
  EXPECT_THAT(ErrorOf(one("1", "0,4"), 8), HasSubstr("4 bytes after the last tensor"));
  EXPECT_THAT(ErrorOf(one("4294967296,4294967296,4294967296", "0,4"), 4), HasSubstr("too large"));
  EXPECT_THAT(ErrorOf(one("1", "0,99999999999999999999"), 4), HasSubstr("below 2^63"));
  EXPECT_THAT(ErrorOf(R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},)"
                      R"("b":{"dtype":"U8","shape":[4],"data_offsets":[2,6]}})",
                      6),
              HasSubstr("tensor 'b' lies at [2, 6) of 6 bytes, where 4 was due"));
}

TEST(SafetensorsTest, RefusesWrongHeaders) {
  EXPECT_THAT(ErrorOf("", 0), HasSubstr("wanted '{'"));
  EXPECT_THAT(ErrorOf("{", 0), HasSubstr("wanted"));
  EXPECT_THAT(ErrorOf("{} x", 0), HasSubstr("nothing but spaces"));
  EXPECT_THAT(ErrorOf(R"({"w":{}})", 0), HasSubstr("tensor 'w'"));
  EXPECT_THAT(ErrorOf(R"({"w":{"dtype":"F8","shape":[],"data_offsets":[0,1]}})", 1), HasSubstr("unknown dtype 'F8'"));
  EXPECT_THAT(ErrorOf(R"({"w":{"dtype":"U8","shape":[-1],"data_offsets":[0,1]}})", 1), HasSubstr("wanted a number"));
  EXPECT_THAT(ErrorOf(R"({"w":{"dtype":"U8","shape":[1],"data_offsets":[0]}})", 1), HasSubstr("two data_offsets"));
  EXPECT_THAT(ErrorOf(R"({"w":{"dtype":"U8","shape":[1],"data_offsets":[0,1],"x":1}})", 1), HasSubstr("no field but"));
  std::string entry = R"("w":{"dtype":"U8","shape":[0],"data_offsets":[0,0]})";
  EXPECT_THAT(ErrorOf("{" + entry + "," + entry + "}", 0), HasSubstr("'w' appears twice"));
  EXPECT_THAT(ErrorOf("{\"a\nb\":1}", 0), HasSubstr("no control character"));
  EXPECT_THAT(ErrorOf(R"({"\x":1})", 0), HasSubstr("wanted an escape"));
  EXPECT_THAT(ErrorOf(R"({"\ud800":1})", 0), HasSubstr("second half"));
  EXPECT_THAT(ErrorOf(R"({"__metadata__":{"a":1}})", 0), HasSubstr("wanted '\"'"));
  std::string numbers = "1";
  for (int i = 0; i < 100; ++i) numbers += ",1";
  EXPECT_THAT(ErrorOf(R"({"w":{"dtype":"U8","shape":[)" + numbers + R"(],"data_offsets":[0,1]}})", 1),
              HasSubstr("no more numbers"));
}

Bytes WriteAndRead(const std::string& path, const std::vector<CheckpointTensor>& tensors,
                   const std::map<std::string, std::string>& metadata) {
  EXPECT_TRUE(WriteCheckpoint(path, tensors, metadata).ok());
  std::ifstream stream(path, std::ios::binary);
  return Bytes(std::istreambuf_iterator<char>(stream), {});
}

Bytes Replace(const Bytes& file, const std::string& from, const std::string& to) {
  EXPECT_EQ(from.size(), to.size());
  Bytes result = file;
  auto found = std::search(result.begin(), result.end(), from.begin(), from.end());
  EXPECT_NE(found, result.end()) << from;
  std::copy(to.begin(), to.end(), found);
  return result;
}

TEST(SafetensorsTest, KnowsItsFormat) {
  Bytes data = {1, 2};
  const Bytes file = WriteAndRead(TestFolder() + "/w", {{"w", ElementType::u8, {2}, data}}, {{"plumb.steps", "3"}});
  auto checkpoint = Checkpoint::Parse(file, "w");
  ASSERT_TRUE(checkpoint.ok()) << checkpoint.status();
  EXPECT_EQ(checkpoint->format(), 2u);
  EXPECT_EQ(checkpoint->metadata().size(), 1u);
  EXPECT_THAT(ErrorOf(Replace(file, R"("plumb.format":"2")", R"("plumb.format":"7")")),
              HasSubstr("its checkpoint format is '7', understood are 1 to 2"));
  EXPECT_THAT(ErrorOf(Replace(file, "plumb.format", "plumb.farmot")), HasSubstr("but no 'plumb.format'"));
  EXPECT_THAT(ErrorOf(Replace(file, "plumb.crc32", "plumb.crc33")), HasSubstr("damaged: it has no checksum"));
  EXPECT_THAT(ErrorOf(Replace(file, R"("plumb.steps":"3")", R"("plumb.steps":"4")")),
              HasSubstr("checksum does not fit"));
  // Others may write the header in their own way; files of theirs have no format.
  EXPECT_TRUE(Checkpoint::Parse(Replace(file, "    ", " \n \n"), "w").ok());
  EXPECT_EQ(Checkpoint::Parse(File(R"({"__metadata__":{"format":"pt"}})", 0), "w")->format(), 0u);
}

TEST(SafetensorsTest, FindsEveryFlippedBit) {
  Bytes data = {0, 1, 2, 3, 4, 5, 6, 7};
  const Bytes file = WriteAndRead(TestFolder() + "/w",
                                  {{"a", ElementType::f32, {1}, absl::MakeSpan(data).subspan(0, 4)},
                                   {"b", ElementType::i32, {1, 1}, absl::MakeSpan(data).subspan(4, 4)}},
                                  {{"plumb.queue.train.batches", "20"}, {"plumb.seed", "1"}});
  const size_t padding = static_cast<size_t>(std::find(file.begin() + 8, file.end(), ' ') - file.begin());
  for (size_t bit = 0; bit < file.size() * 8; ++bit) {
    if (bit / 8 >= padding && bit / 8 < file.size() - data.size()) continue;  // spaces: other spaces are as good
    Bytes damaged = file;
    damaged[bit / 8] = static_cast<uint8_t>(damaged[bit / 8] ^ 1 << bit % 8);
    EXPECT_FALSE(Checkpoint::Parse(damaged, "w").ok()) << "bit " << bit % 8 << " of byte " << bit / 8;
  }
}

TEST(SafetensorsTest, KeepsNamesThatTheFormatReserves) {
  const std::string path = TestFolder() + "/w";
  Bytes one = {1}, two = {2}, three = {3};
  ASSERT_TRUE(WriteCheckpoint(path, {{"__metadata__", ElementType::u8, {1}, one},
                                     {"plumb.tensor.__metadata__", ElementType::u8, {1}, two},
                                     {"plumb.tensor.x", ElementType::u8, {1}, three}})
                  .ok());
  auto checkpoint = Checkpoint::Read(path);
  ASSERT_TRUE(checkpoint.ok()) << checkpoint.status();
  EXPECT_EQ(checkpoint->Find("__metadata__")->data[0], 1);
  EXPECT_EQ(checkpoint->Find("plumb.tensor.__metadata__")->data[0], 2);
  EXPECT_EQ(checkpoint->Find("plumb.tensor.x")->data[0], 3);
}

// Every header cut short or with one byte changed is refused or read, and never anything worse.
TEST(SafetensorsTest, SurvivesEveryDamageOfOneByte) {
  Bytes file = File(R"({"__metadata__":{"k":"v"},"w":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]}})", 8);
  for (size_t i = 0; i < file.size(); ++i) {
    EXPECT_FALSE(Checkpoint::Parse(Bytes(file.begin(), file.begin() + static_cast<int64_t>(i)), "w").ok());
    for (int value = 0; value < 256; value += 3) {
      Bytes damaged = file;
      damaged[i] = static_cast<uint8_t>(value);
      auto checkpoint = Checkpoint::Parse(damaged, "w");
      if (checkpoint.ok()) {
        EXPECT_LE(checkpoint->tensors().size(), 1u);
      }
    }
  }
}

}  // namespace
}  // namespace plumb
