// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/tools/arguments.h"

#include "gtest/gtest.h"

namespace plumb {
namespace {

absl::StatusOr<Arguments> Parse(std::vector<const char*> words) {
  words.insert(words.begin(), "tool");
  return Arguments::Parse(static_cast<int>(words.size()), words.data(), {{"--number", true}, {"--switch", false}});
}

TEST(ArgumentsTest, BothSpellingsAndOperands) {
  auto arguments = Parse({"a", "--number=-3", "b", "--switch", "--", "--number"});
  ASSERT_TRUE(arguments.ok()) << arguments.status();
  EXPECT_EQ(arguments->operands(), std::vector<std::string>({"a", "b", "--number"}));
  EXPECT_EQ(arguments->GetInt("--number", 0).value(), -3);
  EXPECT_FALSE(arguments->GetUInt("--number", 0).ok());
  EXPECT_TRUE(arguments->Has("--switch"));
  EXPECT_EQ(Parse({"--number", "1", "--number", "2"})->All("--number"), std::vector<std::string>({"1", "2"}));
  EXPECT_EQ(Parse({"--number", "-1"})->GetInt("--number", 0).value(), -1);
  EXPECT_EQ(Parse({})->GetInt("--number", 9).value(), 9);
}

TEST(ArgumentsTest, Mistakes) {
  EXPECT_EQ(Parse({"--colour"}).status().message(), "unknown flag '--colour'");
  EXPECT_EQ(Parse({"--number"}).status().message(), "flag '--number' needs a value");
  EXPECT_EQ(Parse({"--switch=1"}).status().message(), "flag '--switch' takes no value");
  EXPECT_EQ(Parse({"--number=x"})->GetInt("--number", 0).status().message(), "flag '--number' wants a number, not 'x'");
}

}  // namespace
}  // namespace plumb
