// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/executable/cpu_features.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace plumb {
namespace {

using ::testing::HasSubstr;

TEST(CpuFeaturesTest, EveryMissingFeatureIsNamed) {
  absl::Status status = CheckCpuFeatures({"avx2", "avx512f", "sse2"}, {"sse2"});
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(status.message()), HasSubstr("avx2, avx512f;"));
  EXPECT_TRUE(CheckCpuFeatures({"sse2"}, {"sse2", "avx"}).ok());
  EXPECT_TRUE(CheckCpuFeatures({}, {}).ok());
}

#if defined(__x86_64__)
TEST(CpuFeaturesTest, TheHostHasWhatTheCompilerSees) {
  const std::set<std::string>& host = HostCpuFeatures();
  EXPECT_TRUE(host.count("sse2"));
  EXPECT_TRUE(host.count("64bit"));
  __builtin_cpu_init();
  EXPECT_EQ(host.count("avx2") != 0, __builtin_cpu_supports("avx2") != 0);
  EXPECT_EQ(host.count("fma") != 0, __builtin_cpu_supports("fma") != 0);
  EXPECT_EQ(host.count("avx512f") != 0, __builtin_cpu_supports("avx512f") != 0);
  EXPECT_EQ(host.count("avx512bw") != 0, __builtin_cpu_supports("avx512bw") != 0);
}

TEST(CpuFeaturesTest, Triples) {
  EXPECT_TRUE(CheckTargetTriple("x86_64-unknown-linux-gnu").ok());
  EXPECT_TRUE(CheckTargetTriple("x86_64-pc-linux-gnu").ok());
  EXPECT_FALSE(CheckTargetTriple("aarch64-unknown-linux-gnu").ok());
  EXPECT_FALSE(CheckTargetTriple("x86_64-pc-windows-msvc").ok());
}
#endif

}  // namespace
}  // namespace plumb
