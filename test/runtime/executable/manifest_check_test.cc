// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/executable/manifest_check.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "test/runtime/testing/fake_loops.h"

namespace plumb {
namespace {

using ::plumb::testing::MakeManifest;
using ::plumb::testing::PackManifest;
using ::testing::HasSubstr;

struct BadManifest {
  const char* text;  // expected in the message
  std::function<void(abi::ManifestT&)> damage;
};

/// Gives the first loop a print of a number, and returns it.
abi::PrintFormatT& Prints(abi::ManifestT& manifest) {
  auto format = std::make_unique<abi::PrintFormatT>();
  format->texts = {"x ", "\n"};
  format->values.push_back(std::make_unique<abi::PrintValueT>());
  format->values[0]->type = std::make_unique<abi::TensorTypeT>();
  format->values[0]->offset = 16;
  manifest.loops[0]->print_bytes = 24;
  manifest.loops[0]->print_formats.push_back(std::move(format));
  return *manifest.loops[0]->print_formats[0];
}

class ManifestCheckTest : public ::testing::TestWithParam<BadManifest> {};

TEST(ManifestCheckTest, TheFakeManifestIsSound) {
  const std::vector<uint8_t> bytes = PackManifest(MakeManifest());
  auto manifest = ReadManifest(bytes);
  ASSERT_TRUE(manifest.ok()) << manifest.status();
  EXPECT_EQ((*manifest)->loops()->size(), 3u);
  abi::ManifestT printing = MakeManifest();
  Prints(printing);
  EXPECT_TRUE(ReadManifest(PackManifest(printing)).ok());
}

TEST(ManifestCheckTest, ColumnsWithoutElementsTakeNoPlace) {
  abi::ManifestT manifest = MakeManifest();
  auto& columns = manifest.queues[0]->columns;
  for (const char* name : {"none", "nothing"}) {
    auto column = std::make_unique<abi::ColumnT>(*columns[1]);
    column->name = name;
    column->type->shape = {0, 3};
    columns.push_back(std::move(column));
  }
  auto read = ReadManifest(PackManifest(manifest));
  EXPECT_TRUE(read.ok()) << read.status();
}

TEST(ManifestCheckTest, BytesOfSomethingElse) {
  EXPECT_FALSE(ReadManifest(std::vector<uint8_t>(3)).ok());
  EXPECT_FALSE(ReadManifest(std::vector<uint8_t>(64)).ok());
  std::vector<uint8_t> bytes = PackManifest(MakeManifest());
  bytes.resize(bytes.size() / 2);
  EXPECT_FALSE(ReadManifest(bytes).ok());
}

TEST_P(ManifestCheckTest, SaysWhatMakesNoSense) {
  abi::ManifestT manifest = MakeManifest();
  GetParam().damage(manifest);
  const std::vector<uint8_t> bytes = PackManifest(manifest);
  auto result = ReadManifest(bytes);
  ASSERT_FALSE(result.ok());
  EXPECT_THAT(std::string(result.status().message()), HasSubstr(GetParam().text));
}

INSTANTIATE_TEST_SUITE_P(
    Each, ManifestCheckTest,
    ::testing::Values(
        BadManifest{"no loop", [](abi::ManifestT& m) { m.loops.clear(); }},
        BadManifest{"a loop has no name", [](abi::ManifestT& m) { m.loops[0]->name.clear(); }},
        BadManifest{"two loops are called 'train'", [](abi::ManifestT& m) { m.loops[1]->name = "train"; }},
        BadManifest{"pulls from queue 7 of 1", [](abi::ManifestT& m) { m.loops[0]->queue = 7; }},
        BadManifest{"sink size 0", [](abi::ManifestT& m) { m.loops[0]->sink_size = 0; }},
        BadManifest{"'loss' lies outside", [](abi::ManifestT& m) { m.loops[0]->reports[0]->offset = 16; }},
        BadManifest{"records of 0 bytes", [](abi::ManifestT& m) { m.loops[2]->record_bytes = 0; }},
        BadManifest{"has 1 texts for 1 values", [](abi::ManifestT& m) { Prints(m).texts.pop_back(); }},
        BadManifest{"records of prints of 20 bytes",
                    [](abi::ManifestT& m) { Prints(m), m.loops[0]->print_bytes = 20; }},
        BadManifest{"value 0 of a print overlaps", [](abi::ManifestT& m) { Prints(m).values[0]->offset = 8; }},
        BadManifest{"value 0 of a print lies outside", [](abi::ManifestT& m) { Prints(m).values[0]->offset = 24; }},
        BadManifest{"a type is missing", [](abi::ManifestT& m) { Prints(m).values[0]->type.reset(); }},
        BadManifest{"overlaps", [](abi::ManifestT& m) { m.loops[0]->reports[0]->offset = 4; }},
        BadManifest{"a type is missing", [](abi::ManifestT& m) { m.loops[0]->reports[0]->type.reset(); }},
        BadManifest{"either a rule or data", [](abi::ManifestT& m) { m.variables[0]->rule.reset(); }},
        BadManifest{"'weight' lies outside", [](abi::ManifestT& m) { m.variables_bytes = 2; }},
        BadManifest{"misaligned", [](abi::ManifestT& m) { m.variables[0]->offset = 4; }},
        BadManifest{"3 bytes of data",
                    [](abi::ManifestT& m) {
                      m.variables[0]->rule.reset();
                      m.variables[0]->data = {1, 2, 3};
                    }},
        BadManifest{"negative dimension", [](abi::ManifestT& m) { m.variables[0]->type->shape = {-1}; }},
        BadManifest{"too large", [](abi::ManifestT& m) { m.variables[0]->type->shape = {1 << 30, 1 << 30, 1 << 30}; }},
        BadManifest{"unknown element type",
                    [](abi::ManifestT& m) { m.variables[0]->type->element = static_cast<abi::ElementType>(99); }},
        BadManifest{"a memory block", [](abi::ManifestT& m) { m.arena_bytes = ~uint64_t{0}; }},
        BadManifest{"a depth of 0", [](abi::ManifestT& m) { m.queues[0]->depth = 0; }},
        BadManifest{"no columns", [](abi::ManifestT& m) { m.queues[0]->columns.clear(); }},
        BadManifest{"column 'label' lies outside", [](abi::ManifestT& m) { m.queues[0]->slot_bytes = 64; }},
        BadManifest{"slots of 100 bytes", [](abi::ManifestT& m) { m.queues[0]->slot_bytes = 100; }}));

}  // namespace
}  // namespace plumb
