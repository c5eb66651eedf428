// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The IDX reader against whole and spoilt files: every error names the file and says what is wrong.

#include "runtime/data/idx.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "test/runtime/data/test_files.h"

namespace plumb {
namespace {

using testing::HasSubstr;

class IdxTest : public testing::Test {
 protected:
  absl::Status Read(const Bytes& file, bool gzip = false, size_t dimensions = 1) {
    (gzip ? WriteGzip : WriteFile)(path_, file);
    data_.clear();
    return ReadIdx(path_, dimensions, &shape_, &data_);
  }
  void ExpectError(const Bytes& file, const std::string& message, bool gzip = false) {
    absl::Status status = Read(file, gzip);
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
    EXPECT_THAT(std::string(status.message()), HasSubstr(message));
    EXPECT_THAT(std::string(status.message()), HasSubstr(path_));
  }

  std::string path_ = TestFolder() + "/file";
  std::vector<int64_t> shape_;
  Bytes data_;
};

TEST_F(IdxTest, ReadsPlainAndGzip) {
  for (bool gzip : {false, true}) {
    ASSERT_TRUE(Read(Idx({2, 1, 3}, {1, 2, 3, 4, 5, 6}), gzip, 3).ok());
    EXPECT_EQ(shape_, (std::vector<int64_t>{2, 1, 3}));
    EXPECT_EQ(data_, (Bytes{1, 2, 3, 4, 5, 6}));
  }
}

TEST_F(IdxTest, AppendsToWhatIsThere) {
  WriteFile(path_, Idx({2}, {8, 9}));
  data_ = {7};
  ASSERT_TRUE(ReadIdx(path_, 1, &shape_, &data_).ok());
  EXPECT_EQ(data_, (Bytes{7, 8, 9}));
}

TEST_F(IdxTest, ReadsTheFirstRows) {
  WriteGzip(path_, Idx({3, 2}, {1, 2, 3, 4, 5, 6}));
  ASSERT_TRUE(ReadIdx(path_, 2, &shape_, &data_, 2).ok());
  EXPECT_EQ(shape_, (std::vector<int64_t>{2, 2}));
  EXPECT_EQ(data_, (Bytes{1, 2, 3, 4}));
  data_.clear();
  ASSERT_TRUE(ReadIdx(path_, 2, &shape_, &data_, 9).ok());
  EXPECT_EQ(shape_, (std::vector<int64_t>{3, 2}));
}

TEST_F(IdxTest, RefusesWrongMagic) {
  ExpectError(Idx({1, 1, 1}, {0}), "magic number 0x00000803 where an IDX file of 1 dimensions has 0x00000801");
  ExpectError({'P', 'K', 3, 4, 0, 0, 0, 0, 0}, "magic number 0x504b0304");
}

TEST_F(IdxTest, RefusesTruncatedHeader) {
  ExpectError({}, "truncated: 0 bytes, its header alone has 8");
  ExpectError({0, 0, 8, 1, 0}, "truncated: 5 bytes");
}

TEST_F(IdxTest, RefusesTruncatedData) {
  ExpectError(Idx({20}, {1, 2, 3}), "truncated: its header announces 20 bytes");
  ExpectError(Idx({20}, {1, 2, 3}), "truncated: its header announces 20 bytes, there are only 3", true);
}

TEST_F(IdxTest, RefusesTruncatedGzip) {
  Bytes contents(5000);
  for (size_t i = 0; i < contents.size(); ++i) contents[i] = static_cast<uint8_t>(i * i * 2654435761u >> 13);
  WriteGzip(path_, Idx({5000}, contents));
  Bytes file = ReadFile(path_);
  file.resize(file.size() / 2);
  ExpectError(file, "truncated: the compressed data stop in their middle");
}

TEST_F(IdxTest, RefusesDamagedGzip) {
  WriteGzip(path_, Idx({5000}, Bytes(5000, 3)));
  Bytes file = ReadFile(path_);
  file[file.size() - 6] ^= 0x55;  // the checksum
  ExpectError(file, "cannot be read");
}

TEST_F(IdxTest, RefusesTrailingBytes) {
  ExpectError(Idx({2}, {1, 2, 3}), "its header announces 2 bytes, but more follow");
  ExpectError(Idx({2}, {1, 2, 3}), "but more follow", true);
}

TEST_F(IdxTest, RefusesAbsurdSizesWithoutAllocatingThem) {
  ExpectError(Idx({0xffffffff}, {1}), "truncated: its header announces 4294967295 bytes, more than the file can hold");
  absl::Status status = Read(Idx({0xffffffff, 0xffffffff, 0xffffffff}, {1}), false, 3);
  EXPECT_THAT(std::string(status.message()), HasSubstr("absurd"));
}

TEST_F(IdxTest, RefusesWhatIsNoFile) {
  EXPECT_EQ(ReadIdx(path_ + "none", 1, &shape_, &data_).code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(ReadIdx(TestFolder(), 1, &shape_, &data_).code(), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace plumb
