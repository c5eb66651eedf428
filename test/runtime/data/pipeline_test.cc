// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole pipelines: inference of columns, sizes, determinism, and one clear error for each kind of wrong data or
// description.

#include "runtime/data/pipeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <map>

#include "test/runtime/data/test_files.h"

namespace plumb {
namespace {

using testing::HasSubstr;

std::unique_ptr<Pipeline> Make(const std::string& json, PipelineOptions options = {}) {
  auto pipeline = Pipeline::FromJson(json, std::move(options));
  EXPECT_TRUE(pipeline.ok()) << pipeline.status();
  return pipeline.ok() ? std::move(*pipeline) : nullptr;
}

std::string ErrorOf(const std::string& json) { return std::string(Pipeline::FromJson(json).status().message()); }

std::string LoadError(const std::string& json) {
  auto pipeline = Make(json);
  return pipeline ? std::string(pipeline->Load().message()) : "";
}

// A folder with `count` black digits, their labels, and room to spoil them.
std::string MakeFolder(uint32_t count, const Bytes& labels) {
  std::string folder = TestFolder();
  WriteFile(folder + "/train-images-idx3-ubyte", Idx({count, 28, 28}, Bytes(count * 784)));
  WriteFile(folder + "/train-labels-idx1-ubyte", Idx({static_cast<uint32_t>(labels.size())}, labels));
  return folder;
}

std::string Arrays(const std::string& nodes) {
  return R"({"source_type":"ArraySource","source":{"columns":[{"name":"x","element":"u8","shape":[2],"bytes":[1,2,3,4,5,6]},
             {"name":"y","element":"i32"}]},"nodes":[)" +
         nodes + "]}";
}

PipelineOptions Labels(const std::vector<int32_t>& labels) {
  PipelineOptions options;
  options.arrays["y"] = {reinterpret_cast<const uint8_t*>(labels.data()), labels.size() * sizeof(int32_t)};
  return options;
}

TEST(PipelineTest, InfersColumnsWithoutTouchingFiles) {
  auto pipeline = Make(MnistJson("/nowhere", LeNetNodes()));
  EXPECT_EQ(pipeline->columns()[0].ToString(), "'image' tensor<32x1x32x32xf32>");
  EXPECT_EQ(pipeline->columns()[1].ToString(), "'label' tensor<32xi32>");
  EXPECT_EQ(pipeline->batch_rows(), 32);
  EXPECT_FALSE(pipeline->loaded());
  EXPECT_THAT(std::string(pipeline->Load().message()), HasSubstr("there is no folder '/nowhere'"));
}

// Both descriptions make the same batches, whoever asks for the cache and however often the rows were wanted before.
TEST(PipelineTest, CachedRowsAreTheSame) {
  auto streaming = Make(MnistJson(kMnistFolder, LeNetNodes()));
  PipelineOptions wanted;
  wanted.cache = true;
  auto by_option = Make(MnistJson(kMnistFolder, LeNetNodes()), wanted);
  auto by_description = Make(MnistJson(kMnistFolder, LeNetNodes(), R"(,"cache":true)"));
  ASSERT_TRUE(streaming->Load().ok() && by_option->Load().ok() && by_description->Load().ok());
  for (uint64_t epoch : {0, 1, 5}) {
    std::vector<Bytes> expected = Drain(*streaming, 7, epoch);
    EXPECT_EQ(Drain(*by_option, 7, epoch), expected);
    EXPECT_EQ(Drain(*by_description, 7, epoch), expected);
  }
}

TEST(PipelineTest, RefusesACacheThatDoesNotFit) {
  std::vector<int32_t> labels(1 << 20);
  PipelineOptions options = Labels(labels);
  options.cache = true;
  auto pipeline = Make(R"({"source_type":"ArraySource","source":{"columns":[{"name":"y","element":"i32"}]},"nodes":[
      {"node_type":"Map","node":{"column":"y","operation_type":"OneHot","operation":{"classes":16777216}}},
      {"node_type":"Batch","node":{"size":2}}]})",
                       options);
  ASSERT_NE(pipeline, nullptr);
  EXPECT_THAT(std::string(pipeline->Load().message()), HasSubstr("do not fit in this machine's memory"));
}

TEST(PipelineTest, ReadsTheSmallMnist) {
  auto pipeline = Make(MnistJson(kMnistFolder, LeNetNodes()));
  ASSERT_TRUE(pipeline->Load().ok());
  EXPECT_EQ(pipeline->dataset_size(), 312);  // both sets: 10,000 digits
  pipeline = Make(MnistJson("/nowhere", "", R"(,"sampler_shuffle":true)"), {kMnistFolder, {}});
  ASSERT_TRUE(pipeline->Load().ok());
  EXPECT_EQ(pipeline->dataset_size(), 10000);
  std::map<uint32_t, int> classes;
  for (const Bytes& row : Drain(*pipeline, 0)) {
    uint32_t label;
    std::memcpy(&label, row.data() + 784, sizeof(label));
    ++classes[label];
  }
  EXPECT_EQ(classes.size(), 10u);
  for (const auto& [label, count] : classes) EXPECT_EQ(count, 1000) << label;
}

TEST(PipelineTest, ChoosesTheSet) {
  for (const auto& [usage, count] : std::map<std::string, int64_t>{{"train", 8000}, {"test", 2000}, {"all", 10000}}) {
    auto pipeline =
        Make(R"({"source_type":"MnistSource","source":{"folder":"test/data/mnist","usage":")" + usage + "\"}}");
    ASSERT_TRUE(pipeline->Load().ok());
    EXPECT_EQ(pipeline->dataset_size(), count);
  }
}

/// A pipeline over these sets of images of 3x2 with 62 classes.
std::string SmallIdxJson(const std::string& folder, const std::string& sets, const std::string& classes = "62") {
  return R"({"source_type":"IdxSource","source":{"dataset":"EMnistDataset","folder":")" + folder + R"(","sets":[)" +
         sets + R"(],"height":3,"width":2,"classes":)" + classes + "}}";
}

TEST(PipelineTest, ReadsSetsOfOtherNamesAndSizes) {
  std::string folder = TestFolder();
  for (uint8_t set : {0, 1}) {
    std::string path = folder + "/emnist-" + (set ? "test" : "train");
    WriteFile(path + "-images-idx3-ubyte", Idx({1, 3, 2}, Bytes(6, 7 + set)));
    WriteGzip(path + "-labels-idx1-ubyte.gz", Idx({1}, {static_cast<uint8_t>(60 + set)}));
  }
  auto pipeline = Make(SmallIdxJson(folder, R"("emnist-test","emnist-train")"));
  ASSERT_TRUE(pipeline->Load().ok());
  EXPECT_EQ(Drain(*pipeline, 0),
            (std::vector<Bytes>{{8, 8, 8, 8, 8, 8, 61, 0, 0, 0}, {7, 7, 7, 7, 7, 7, 60, 0, 0, 0}}));
  EXPECT_THAT(LoadError(SmallIdxJson(folder, R"("emnist-test","emnist-valid")")),
              HasSubstr("EMnistDataset: folder '" + folder + "' holds neither emnist-valid-images-idx3-ubyte nor"));
  EXPECT_THAT(LoadError(SmallIdxJson(folder, R"("emnist-test")", "61")),
              HasSubstr("label 61 of image 0 is outside the classes 0 to 60"));
}

TEST(PipelineTest, EpochsAndSeedsDifferAndRepeat) {
  auto pipeline = Make(MnistJson(kMnistFolder, LeNetNodes(500), R"(,"sampler_shuffle":true)"));
  ASSERT_TRUE(pipeline->Load().ok());
  auto first = Drain(*pipeline, 1);
  EXPECT_EQ(first, Drain(*pipeline, 1));
  EXPECT_NE(first, Drain(*pipeline, 1, 1));
  EXPECT_NE(first, Drain(*pipeline, 2));
  auto seeded = Make(MnistJson(kMnistFolder, LeNetNodes(500), R"(,"sampler_shuffle":true,"seed":1)"));
  ASSERT_TRUE(seeded->Load().ok());
  EXPECT_EQ(first, Drain(*seeded, 99));
}

TEST(PipelineTest, TakesArraysFromTheDescriptionAndFromMemory) {
  std::vector<int32_t> labels = {7, 8, 9};
  auto pipeline = Make(Arrays(Node("Batch", R"("size":2)")), Labels(labels));
  ASSERT_TRUE(pipeline->Load().ok());
  EXPECT_EQ(pipeline->dataset_size(), 2);
  EXPECT_EQ(pipeline->last_batch_rows(), 1);
  BatchIterator iterator(*pipeline, 0);
  Bytes x(4);
  int32_t y[2];
  uint8_t* columns[] = {x.data(), reinterpret_cast<uint8_t*>(y)};
  EXPECT_EQ(*iterator.Next(columns), 2u);
  EXPECT_EQ(x, (Bytes{1, 2, 3, 4}));
  EXPECT_EQ(y[1], 8);
  EXPECT_EQ(*iterator.Next(columns), 1u);
  EXPECT_EQ(y[0], 9);
  EXPECT_EQ(*iterator.Next(columns), 0u);
}

TEST(PipelineTest, ProjectsAndMapsAfterBatch) {
  std::vector<int32_t> labels = {7, 8, 9};
  auto pipeline = Make(
      Arrays(Node("Batch", R"("size":2,"drop_remainder":true)") + "," + Map("y", "TypeCast", R"("element":"f32")") +
             "," + Node("Project", R"("columns":["y"])") + "," + Node("Repeat", R"("count":3)")),
      Labels(labels));
  ASSERT_TRUE(pipeline->Load().ok());
  ASSERT_EQ(pipeline->columns().size(), 1u);
  EXPECT_EQ(pipeline->columns()[0].ToString(), "'y' tensor<2xf32>");
  EXPECT_EQ(pipeline->dataset_size(), 3);
}

TEST(PipelineTest, BatchesOfBatches) {
  auto pipeline = Make(MnistJson(kMnistFolder, Node("Batch", R"("size":4,"drop_remainder":true)") + "," +
                                                   Node("Batch", R"("size":5,"drop_remainder":true)")));
  ASSERT_TRUE(pipeline->Load().ok());
  EXPECT_EQ(pipeline->columns()[1].ToString(), "'label' tensor<5x4xu32>");
  EXPECT_EQ(pipeline->dataset_size(), 500);
  EXPECT_EQ(pipeline->last_batch_rows(), 20);
}

TEST(PipelineTest, EndlessRepeatHasNoSize) {
  auto pipeline = Make(MnistJson(kMnistFolder, Node("Repeat", "") + "," + Node("Batch", R"("size":3)")));
  ASSERT_TRUE(pipeline->Load().ok());
  EXPECT_EQ(pipeline->dataset_size(), -1);
}

TEST(PipelineTest, ChecksWhatTheQueueTakes) {
  auto pipeline = Make(MnistJson(kMnistFolder, LeNetNodes(16)));
  std::vector<ColumnSpec> expected = pipeline->columns();
  EXPECT_TRUE(pipeline->CheckSignature(expected).ok());
  expected[0].shape[0] = 32;
  EXPECT_EQ(pipeline->CheckSignature(expected).message(),
            "column 0: the pipeline makes 'image' tensor<16x1x32x32xf32>, but the queue takes 'image' "
            "tensor<32x1x32x32xf32>");
  expected.pop_back();
  EXPECT_THAT(std::string(pipeline->CheckSignature(expected).message()),
              HasSubstr("makes 2 columns, but the queue takes 1"));
}

TEST(PipelineTest, RefusesSmallerLastBatchForAQueue) {
  auto pipeline = Make(MnistJson(kMnistFolder, Node("Batch", R"("size":384)")));
  ASSERT_TRUE(pipeline->Load().ok());
  EXPECT_EQ(pipeline->last_batch_rows(), 16);
  EXPECT_THAT(std::string(pipeline->CheckSignature(pipeline->columns()).message()),
              HasSubstr("the last batch of an epoch has 16 rows, but the queue takes batches of 384; batch with "
                        "drop_remainder=True"));
}

TEST(PipelineTest, RefusesTooSmallADataSet) {
  std::string folder = MakeFolder(3, {1, 2, 3});
  EXPECT_EQ(LoadError(MnistJson(folder, LeNetNodes())),
            "the data set is too small: its source has 3 rows, of which not one batch of 32 can be made");
  MakeFolder(0, {});
  EXPECT_THAT(LoadError(MnistJson(folder, "")), HasSubstr("its source has 0 rows"));
}

TEST(PipelineTest, RefusesWrongFolders) {
  std::string folder = TestFolder();
  EXPECT_THAT(LoadError(MnistJson(folder, "")), HasSubstr("holds none of its files (train-images-idx3-ubyte, "));
  WriteFile(folder + "/t10k-images-idx3-ubyte", Idx({1, 28, 28}, Bytes(784)));
  EXPECT_THAT(LoadError(MnistJson(folder, "")),
              HasSubstr("holds neither t10k-labels-idx1-ubyte nor t10k-labels-idx1-ubyte.gz"));
}

TEST(PipelineTest, RefusesLabelsOutsideTheClasses) {
  std::string folder = MakeFolder(3, {1, 10, 3});
  EXPECT_EQ(LoadError(MnistJson(folder, "")),
            folder + "/train-labels-idx1-ubyte: label 10 of image 1 is outside the classes 0 to 9");
}

TEST(PipelineTest, RefusesDifferentCountsAndSizes) {
  std::string folder = MakeFolder(3, {1, 2});
  EXPECT_THAT(LoadError(MnistJson(folder, "")), HasSubstr("train-labels-idx1-ubyte: 2 labels, but"));
  WriteFile(folder + "/train-images-idx3-ubyte", Idx({2, 28, 30}, Bytes(2 * 28 * 30)));
  EXPECT_THAT(LoadError(MnistJson(folder, "")), HasSubstr("images of 28x30, but those of MnistDataset are 28x28"));
}

TEST(PipelineTest, RefusesOneHotOutOfRangeByRow) {
  std::vector<int32_t> labels = {1, 5, 2};
  auto pipeline = Make(Arrays(Map("y", "OneHot", R"("classes":3)")), Labels(labels));
  ASSERT_TRUE(pipeline->Load().ok());
  BatchIterator iterator(*pipeline, 0);
  Bytes x(2), y(12);
  uint8_t* columns[] = {x.data(), y.data()};
  EXPECT_TRUE(iterator.Next(columns).ok());
  EXPECT_EQ(iterator.Next(columns).status().message(), "row 1, column 'y': label 5 is outside the 3 classes");
}

TEST(PipelineTest, RefusesWrongArrays) {
  EXPECT_THAT(std::string(Make(Arrays(""))->Load().message()), HasSubstr("column 'y' of the array source has no rows"));
  std::vector<int32_t> two = {1, 2};
  EXPECT_THAT(std::string(Make(Arrays(""), Labels(two))->Load().message()),
              HasSubstr("column 'y' has 2 rows, but column 'x' has 3"));
  PipelineOptions broken = Labels(two);
  broken.arrays["y"].remove_suffix(1);
  EXPECT_THAT(std::string(Make(Arrays(""), broken)->Load().message()), HasSubstr("no whole number of rows"));
}

TEST(PipelineTest, RefusesWrongDescriptions) {
  EXPECT_THAT(ErrorOf("{"), HasSubstr("no valid JSON"));
  EXPECT_THAT(ErrorOf(""), testing::Not(""));
  EXPECT_THAT(ErrorOf("{}"), HasSubstr("no source"));
  EXPECT_THAT(ErrorOf(R"({"sauce":1})"), HasSubstr("sauce"));
  EXPECT_THAT(ErrorOf(MnistJson("x", "{}")), HasSubstr("missing or unknown"));
  EXPECT_NE(ErrorOf(MnistJson("x", R"({"node_type":"Batch"})")), "");
  EXPECT_NE(ErrorOf(MnistJson("x", Node("Map", R"("column":"image","operation_type":"Resize")"))), "");
  EXPECT_THAT(ErrorOf(MnistJson("x", Map("picture", "HwcToChw", ""))),
              HasSubstr("there is no column 'picture'; there are 'image', 'label'"));
  EXPECT_THAT(ErrorOf(MnistJson("x", Map("label", "HwcToChw", ""))),
              HasSubstr("HWC2CHW on column 'label': wants an image"));
  EXPECT_THAT(ErrorOf(MnistJson("x", Node("Batch", R"("size":2)") + "," + Map("image", "HwcToChw", ""))),
              HasSubstr("HWC2CHW on column 'image' acts on a row and must come before batch"));
  EXPECT_THAT(ErrorOf(MnistJson("x", Node("Batch", R"("size":0)"))), HasSubstr("a size of 0 is not possible"));
  EXPECT_THAT(ErrorOf(MnistJson("x", Node("Shuffle", ""))), HasSubstr("buffer's size is 0"));
  EXPECT_THAT(ErrorOf(MnistJson("x", Node("Repeat", R"("count":0)"))), HasSubstr("positive, or -1"));
  EXPECT_THAT(ErrorOf(MnistJson("x", Node("Take", ""))), HasSubstr("the count is 0"));
  EXPECT_THAT(ErrorOf(MnistJson("x", Node("Project", R"("columns":["q"])"))),
              HasSubstr("project: there is no column 'q'"));
  EXPECT_THAT(ErrorOf(R"({"source_type":"MnistSource","source":{"usage":"toast"}})"), HasSubstr("not 'toast'"));
  EXPECT_THAT(ErrorOf(SmallIdxJson("x", "")), HasSubstr("needs sets and classes"));
  EXPECT_THAT(ErrorOf(SmallIdxJson("x", R"("a")", "0")), HasSubstr("needs sets and classes"));
  EXPECT_THAT(ErrorOf(R"({"source_type":"IdxSource","source":{"sets":["a"],"classes":9,"height":4}})"),
              HasSubstr("no pixels"));
  EXPECT_THAT(ErrorOf(R"({"source_type":"ArraySource","source":{}})"), HasSubstr("no columns"));
  EXPECT_THAT(
      ErrorOf(R"({"source_type":"ArraySource","source":{"columns":[{"name":"a","element":"u8","shape":[-1]}]}})"),
      HasSubstr("negative dimension"));
}

TEST(PipelineTest, RefusesShufflesWithoutEnd) {
  EXPECT_THAT(
      LoadError(MnistJson(kMnistFolder, Node("Repeat", "") + "," + Node("Shuffle", R"("buffer_size":1000000000)"))),
      HasSubstr("shuffle: a buffer of 1000000000 is too large here"));
}

// A manifest comes from outside: what the verifier lets through must not crash either.
TEST(PipelineTest, SurvivesUnionsWithoutValues) {
  flatbuffers::FlatBufferBuilder builder;
  abi::NodeEntryBuilder entry(builder);
  entry.add_node_type(abi::Node::Map);
  auto nodes = builder.CreateVector({entry.Finish()});
  auto source = abi::CreateMnistSource(builder).Union();
  builder.Finish(abi::CreatePipeline(builder, abi::Source::MnistSource, source, false, nodes));
  const auto* description = flatbuffers::GetRoot<abi::Pipeline>(builder.GetBufferPointer());
  EXPECT_THAT(std::string(Pipeline::FromManifest(*description).status().message()), HasSubstr("missing or unknown"));
}

TEST(PipelineTest, SurvivesDamagedDescriptions) {
  std::string json = MnistJson("/nowhere", LeNetNodes());
  for (size_t i = 0; i < json.size(); i += 3) {
    for (char c : {'0', '"', '}', '-', 'x'}) {
      std::string damaged = json;
      damaged[i] = c;
      auto pipeline = Pipeline::FromJson(damaged);
      if (pipeline.ok()) {
        EXPECT_FALSE((*pipeline)->Load().ok());
      }
    }
  }
}

}  // namespace
}  // namespace plumb
