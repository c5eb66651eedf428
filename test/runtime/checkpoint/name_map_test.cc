// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/checkpoint/name_map.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace plumb {
namespace {

using Names = std::vector<std::string>;

/// The program's names, "-" for what is dropped; or the error.
Names Map(const std::string& text, const Names& theirs) {
  auto map = NameMap::Parse(text, "it.map");
  if (!map.ok()) return {std::string(map.status().message())};
  auto ours = map->Apply(theirs);
  if (!ours.ok()) return {std::string(ours.status().message())};
  Names names;
  for (const auto& name : *ours) names.push_back(name.value_or("-"));
  return names;
}

TEST(NameMapTest, NamesAndPatterns) {
  const std::string map = R"(
    # a network of PyTorch's
    features.*.weight   backbone.*.weight
    bn*.running_mean    bn*.moving_mean      # statistics
    *.num_batches_tracked -
    classifier.*.*      head.*.fc_*
    )";
  EXPECT_EQ(
      Map(map, {"features.0.conv.weight", "bn1.running_mean", "bn1.num_batches_tracked", "classifier.6.bias", "other"}),
      Names({"backbone.0.conv.weight", "bn1.moving_mean", "-", "head.6.fc_bias", "other"}));
}

TEST(NameMapTest, TheFirstLineThatFitsCounts) {
  EXPECT_EQ(Map("a.b x\na.* y.*\n", {"a.c", "a.b"}), Names({"y.c", "x"}));
  EXPECT_EQ(Map("*.weight *.w\n", {"weight", ".weight", "a.weight.weight"}), Names({"weight", ".w", "a.weight.w"}));
  EXPECT_EQ(Map("", {"a"}), Names({"a"}));
}

TEST(NameMapTest, WhatMayLack) {
  auto map = NameMap::Parse("- moments.*\n- step\n", "it.map");
  ASSERT_TRUE(map.ok());
  EXPECT_TRUE(map->MayLack("moments.a.b"));
  EXPECT_TRUE(map->MayLack("step"));
  EXPECT_FALSE(map->MayLack("steps"));
}

TEST(NameMapTest, Errors) {
  EXPECT_EQ(Map("a b\nc\n", {}), Names({"it.map:2: a line has two names, the file's and the program's, and not 1"}));
  EXPECT_EQ(Map("a b c\n", {}), Names({"it.map:1: a line has two names, the file's and the program's, and not 3"}));
  EXPECT_EQ(Map("a.*.* b.*\n", {}), Names({"it.map:1: both names have as many '*'"}));
  EXPECT_EQ(Map("***** *****\n", {}), Names({"it.map:1: more than 4 '*'"}));
  EXPECT_EQ(Map("- -\n", {}), Names({"it.map:1: nothing is mapped to nothing"}));
  EXPECT_EQ(Map("a x\nb x\n", {"a", "b"}), Names({"it.map: 'a' and 'b' of the file both become 'x'"}));
  EXPECT_EQ(Map("a b\n", {"a", "b"}), Names({"it.map: 'a' and 'b' of the file both become 'b'"}));
  EXPECT_EQ(Map("x y\n\nz w\n", {"x"}), Names({"it.map:3: 'z' fits no name of the file"}));
  EXPECT_EQ(NameMap::Read("/nowhere/it.map").status().message(),
            "/nowhere/it.map: cannot be opened: No such file or directory");
}

}  // namespace
}  // namespace plumb
