// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/tools/kernel_profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "runtime/tools/fma_peak.h"
#include "runtime/tools/sampler.h"

namespace plumb {
namespace {

using testing::HasSubstr;

KernelProfile Kernel(const std::string& name, uint64_t begin, uint64_t end) {
  KernelProfile kernel;
  kernel.name = name;
  kernel.calls = 1;
  kernel.begin = begin;
  kernel.end = end;
  return kernel;
}

TEST(KernelProfileTest, SamplesGoToTheKernelAroundThem) {
  std::vector<KernelProfile> kernels = {Kernel("a", 100, 200), Kernel("b", 300, 400), Kernel("c", 400, 500)};
  SetTimes({99, 100, 199, 200, 250, 399, 400, 450, 499, 500, 9999}, /*microseconds=*/2, kernels);
  ASSERT_EQ(kernels.size(), 3u);
  EXPECT_EQ(kernels[0].name, "c");  // the slowest first
  EXPECT_EQ(kernels[0].samples, 3u);
  EXPECT_EQ(kernels[0].microseconds, 6);
  EXPECT_EQ(kernels[1].name, "a");
  EXPECT_EQ(kernels[1].samples, 2u);
  EXPECT_EQ(kernels[2].samples, 1u);
}

TEST(KernelProfileTest, TextHasRatesAndTheirSum) {
  StepProfile profile;
  profile.step_microseconds = 10;
  profile.peak_gflops = 100;
  profile.kernels = {Kernel("product_2x3x4", 0, 1)};
  profile.kernels[0].flops = 500e3;
  profile.kernels[0].bytes_read = 40e3;
  profile.kernels[0].microseconds = 10;
  const std::string text = ProfileToText(profile);
  EXPECT_THAT(text, HasSubstr("100.0 %     50.0   50.0 %"));  // share of the step, GFLOP/s, share of the peak
  EXPECT_THAT(text, HasSubstr("4.0  product_2x3x4"));         // GB/s
  EXPECT_THAT(text, HasSubstr("all kernels"));
  EXPECT_THAT(ProfileToJson(profile), HasSubstr("\"kernels\": [{\"name\": \"product_2x3x4\""));
}

TEST(KernelProfileTest, NoSuchFile) { EXPECT_FALSE(ReadKernels("/nowhere/x.plumb", "train").ok()); }

TEST(SamplerTest, MeetsABusyThread) {
  Sampler sampler(std::chrono::microseconds(200));
  EXPECT_GE(sampler.threads(), 1u);
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
  while (std::chrono::steady_clock::now() < end) {
  }
  EXPECT_FALSE(sampler.Stop().empty());
}

TEST(FmaPeakTest, LongerVectorsThanThereAreHaveNone) { EXPECT_EQ(MeasureFmaPeak(1024, 1).alone, 0); }

}  // namespace
}  // namespace plumb
