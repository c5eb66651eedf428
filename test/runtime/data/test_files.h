// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files for the tests of data pipelines: IDX files, whole or spoilt, in a folder of the test's own.

#ifndef PLUMB_TEST_RUNTIME_DATA_TEST_FILES_H_
#define PLUMB_TEST_RUNTIME_DATA_TEST_FILES_H_

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <zlib.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "runtime/data/pipeline.h"

namespace plumb {

using Bytes = std::vector<uint8_t>;

inline constexpr char kMnistFolder[] = "test/data/mnist";

/// A fresh folder named after the running test.
inline std::string TestFolder() {
  const testing::TestInfo* info = testing::UnitTest::GetInstance()->current_test_info();
  std::string folder = testing::TempDir() + "/" + info->test_suite_name() + "_" + info->name();
  for (char& c : folder) c = c == ' ' ? '_' : c;
  mkdir(folder.c_str(), 0777);
  return folder;
}

inline void WriteFile(const std::string& path, const Bytes& bytes) {
  FILE* file = fopen(path.c_str(), "wb");
  ASSERT_NE(file, nullptr) << path;
  if (!bytes.empty()) {
    EXPECT_EQ(fwrite(bytes.data(), 1, bytes.size(), file), bytes.size());
  }
  fclose(file);
}

inline Bytes ReadFile(const std::string& path) {
  Bytes bytes;
  FILE* file = fopen(path.c_str(), "rb");
  if (file == nullptr) return bytes;
  for (int c; (c = fgetc(file)) != EOF;) bytes.push_back(static_cast<uint8_t>(c));
  fclose(file);
  return bytes;
}

inline void WriteGzip(const std::string& path, const Bytes& bytes) {
  gzFile file = gzopen(path.c_str(), "wb");
  if (!bytes.empty()) gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size()));
  gzclose(file);
}

/// An IDX file of these sizes and contents; the sizes need not be true.
inline Bytes Idx(const std::vector<uint32_t>& sizes, const Bytes& contents) {
  Bytes bytes = {0, 0, 8, static_cast<uint8_t>(sizes.size())};
  for (uint32_t size : sizes) {
    for (int shift = 24; shift >= 0; shift -= 8) bytes.push_back(static_cast<uint8_t>(size >> shift));
  }
  bytes.insert(bytes.end(), contents.begin(), contents.end());
  return bytes;
}

/// A pipeline over MNIST in `folder` with these nodes.
inline std::string MnistJson(const std::string& folder, const std::string& nodes, const std::string& more = "",
                             const std::string& sets = R"("train","t10k")") {
  return R"({"source_type":"IdxSource","source":{"dataset":"MnistDataset","folder":")" + folder + R"(","sets":[)" +
         sets + R"(],"where_found":true,"height":28,"width":28,"classes":10},"nodes":[)" + nodes + "]" + more + "}";
}

/// One node on a column.
inline std::string Map(const std::string& column, const std::string& operation, const std::string& fields) {
  return R"({"node_type":"Map","node":{"column":")" + column + R"(","operation_type":")" + operation +
         R"(","operation":{)" + fields + "}}}";
}

inline std::string Node(const std::string& node, const std::string& fields) {
  return R"({"node_type":")" + node + R"(","node":{)" + fields + "}}";
}

/// What the LeNet programs do to MNIST, without the shuffle of the source.
inline std::string LeNetNodes(int batch = 32) {
  return Map("label", "TypeCast", R"("element":"i32")") + "," + Map("image", "Resize", R"("height":32,"width":32)") +
         "," + Map("image", "Rescale", R"("scale":0.00392156862745098,"shift":0.0)") + "," +
         Map("image", "Rescale", R"("scale":3.2456994482310937,"shift":-0.42421291788380)") + "," +
         Map("image", "HwcToChw", "") + "," + Node("Shuffle", R"("buffer_size":10000)") + "," +
         Node("Batch", R"("drop_remainder":true,"size":)" + std::to_string(batch));
}

/// All batches of one epoch, one after another, columns one after another.
inline std::vector<Bytes> Drain(const Pipeline& pipeline, uint64_t seed, uint64_t epoch = 0) {
  BatchIterator iterator(pipeline, seed);
  iterator.Reset(epoch);
  std::vector<Bytes> batches;
  std::vector<Bytes> buffers;
  std::vector<uint8_t*> columns;
  for (const ColumnSpec& column : pipeline.columns()) buffers.emplace_back(column.bytes());
  for (Bytes& buffer : buffers) columns.push_back(buffer.data());
  for (;;) {
    auto rows = iterator.Next(columns.data());
    EXPECT_TRUE(rows.ok()) << rows.status();
    if (!rows.ok() || *rows == 0) return batches;
    batches.emplace_back();
    for (const Bytes& buffer : buffers) batches.back().insert(batches.back().end(), buffer.begin(), buffer.end());
  }
}

}  // namespace plumb

#endif  // PLUMB_TEST_RUNTIME_DATA_TEST_FILES_H_
