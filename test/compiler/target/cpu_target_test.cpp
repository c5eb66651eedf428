// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a name of a processor stands for.

#include "compiler/target/CpuTarget.h"

#include <gtest/gtest.h>

using namespace plumb;

namespace {

struct TargetCase {
  const char *label, *name;
  llvm::Triple::ArchType architecture;
  int64_t lanes, registers;
  bool hasFma, hasMaximum, convertsHalves, masksWide, masksNarrow;
};

const TargetCase kTargets[] = {
    {"sse", "x86-64-v2", llvm::Triple::x86_64, 4, 16, false, false, false, false, false},
    {"avx2", "x86-64-v3", llvm::Triple::x86_64, 8, 16, true, false, true, true, false},
    {"avx512", "x86-64-v4", llvm::Triple::x86_64, 16, 32, true, false, true, true, true},
    {"avx512_by_processor", "sapphirerapids", llvm::Triple::x86_64, 16, 32, true, false, true, true, true},
    {"avx2_by_processor", "haswell", llvm::Triple::x86_64, 8, 16, true, false, true, true, false},
    {"neon", "neoverse-n1", llvm::Triple::aarch64, 4, 32, true, true, true, false, false},
};

class CpuTargetTest : public testing::TestWithParam<TargetCase> {};

TEST_P(CpuTargetTest, NameGivesVectorsAndInstructions) {
  const TargetCase &expected = GetParam();
  std::optional<CpuTarget> target = CpuTarget::get(expected.name);
  ASSERT_TRUE(target);
  EXPECT_EQ(target->cpu, expected.name);
  EXPECT_EQ(target->triple.getArch(), expected.architecture);
  EXPECT_EQ(target->lanes(32), expected.lanes);
  EXPECT_EQ(target->lanes(64), expected.lanes / 2);
  EXPECT_EQ(target->machine.registers, expected.registers);
  EXPECT_EQ(target->hasFma, expected.hasFma);
  EXPECT_EQ(target->hasMaximum, expected.hasMaximum);
  EXPECT_EQ(target->convertsHalves, expected.convertsHalves);
  EXPECT_EQ(target->hasMasks(32), expected.masksWide);
  EXPECT_EQ(target->hasMasks(16), expected.masksNarrow);
}

/// Caches grow from level to level, and so does the cost of a miss: the cost models rely on it.
TEST_P(CpuTargetTest, CachesAreOrdered) {
  const auto caches = CpuTarget::get(GetParam().name)->machine.caches;
  for (size_t level = 1; level < caches.size(); ++level) {
    EXPECT_LT(caches[level - 1].bytes(), caches[level].bytes());
    EXPECT_LT(caches[level - 1].missCycles, caches[level].missCycles);
  }
}

INSTANTIATE_TEST_SUITE_P(Table, CpuTargetTest, testing::ValuesIn(kTargets),
                         [](const auto &info) { return std::string(info.param.label); });

TEST(CpuTargetTest, NativeNamesThisMachine) {
  std::optional<CpuTarget> target = CpuTarget::get("native");
  ASSERT_TRUE(target);
  EXPECT_NE(target->cpu, "native");
  EXPECT_FALSE(target->features.empty());
  EXPECT_EQ(CpuTarget::get("")->cpu, target->cpu);
}

TEST(CpuTargetTest, UnknownNamesHaveNoTarget) {
  for (const char *name : {"x86-64-v9", "pentium-of-my-uncle", "sm_90", "AVX2"})
    EXPECT_FALSE(CpuTarget::get(name)) << name;
}

} // namespace
