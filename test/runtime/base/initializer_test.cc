// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Initialisers: MindSpore's bounds and deviations, reproducible values, errors for what cannot be.

#include "runtime/base/initializer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "runtime/base/half.h"

namespace plumb {
namespace {

using testing::HasSubstr;

std::vector<float> Make(const std::string& kind, std::vector<double> parameters, std::vector<int64_t> shape,
                        uint64_t seed = 0, uint64_t stream = 0) {
  size_t count = 1;
  for (int64_t size : shape) count *= static_cast<size_t>(size);
  std::vector<float> values(count);
  absl::Status status = InitializeTensor(kind, parameters, ElementType::f32, shape, seed, stream, values.data());
  EXPECT_TRUE(status.ok()) << status;
  return values;
}

std::string ErrorOf(const std::string& kind, std::vector<double> parameters, ElementType element,
                    std::vector<int64_t> shape) {
  std::vector<double> room(64);
  return std::string(InitializeTensor(kind, parameters, element, shape, 0, 0, room.data()).message());
}

double Deviation(const std::vector<float>& values) {
  double sum = 0, squares = 0;
  for (float value : values) sum += value, squares += static_cast<double>(value) * value;
  double count = static_cast<double>(values.size());
  return std::sqrt(squares / count - sum / count * sum / count);
}

double Largest(const std::vector<float>& values) {
  double largest = 0;
  for (float value : values) largest = std::max(largest, std::fabs(static_cast<double>(value)));
  return largest;
}

TEST(InitializerTest, Constants) {
  EXPECT_EQ(Make("zero", {}, {3}), (std::vector<float>{0, 0, 0}));
  EXPECT_EQ(Make("one", {}, {2}), (std::vector<float>{1, 1}));
  EXPECT_EQ(Make("constant", {0.1}, {}), (std::vector<float>{0.1f}));
  int64_t integer = 0;
  ASSERT_TRUE(InitializeTensor("constant", {-7}, ElementType::i64, {}, 0, 0, &integer).ok());
  EXPECT_EQ(integer, -7);
  uint16_t half = 0;
  ASSERT_TRUE(InitializeTensor("constant", {0.5}, ElementType::f16, {}, 0, 0, &half).ok());
  EXPECT_EQ(F16ToFloat(half), 0.5f);
}

TEST(InitializerTest, TruncatedNormalIsCutAtTwoSigma) {
  std::vector<float> values = Make("truncated_normal", {0.02}, {120, 400}, 1, 3);
  EXPECT_LE(Largest(values), 0.04);
  EXPECT_GT(Largest(values), 0.0399);
  EXPECT_NEAR(Deviation(values), 0.02 * 0.87962566, 1e-4);  // of a normal cut at two sigma
}

TEST(InitializerTest, NormalAndUniform) {
  EXPECT_NEAR(Deviation(Make("normal", {}, {50000})), 0.01, 2e-4);
  EXPECT_NEAR(Largest(Make("uniform", {}, {50000})), 0.07, 1e-4);
  std::vector<float> values = Make("uniform", {2, 3}, {50000});
  EXPECT_NEAR(*std::min_element(values.begin(), values.end()), 2, 1e-3);
  EXPECT_NEAR(*std::max_element(values.begin(), values.end()), 3, 1e-3);
}

// Bounds by hand for a convolution [6, 3, 5, 5] and a dense layer [300, 100].
TEST(InitializerTest, FansOfConvolutionsAndDenseLayers) {
  EXPECT_NEAR(Largest(Make("xavier_uniform", {}, {300, 100})), std::sqrt(6.0 / 400), 1e-4);
  EXPECT_NEAR(Largest(Make("xavier_uniform", {2}, {300, 100})), 2 * std::sqrt(6.0 / 400), 1e-4);
  EXPECT_NEAR(Deviation(Make("xavier_normal", {}, {300, 100})), std::sqrt(2.0 / 400), 1e-3);
  EXPECT_NEAR(Largest(Make("he_uniform", {}, {600, 3, 5, 5})), std::sqrt(6.0 / 75), 1e-4);
  EXPECT_NEAR(Largest(Make("he_uniform", {0, 1}, {6, 300, 5, 5})), std::sqrt(6.0 / 150), 1e-4);
  EXPECT_NEAR(Largest(Make("he_uniform", {2.23606797749979}, {300, 100})), std::sqrt(1.0 / 100), 1e-4);
  EXPECT_NEAR(Largest(Make("he_uniform", {0, 0, 1}, {300, 100})), std::sqrt(3.0 / 100), 1e-4);
  EXPECT_NEAR(Deviation(Make("he_normal", {}, {300, 100})), std::sqrt(2.0 / 100), 2e-3);
}

TEST(InitializerTest, SeedAndStreamDecide) {
  std::vector<float> values = Make("normal", {1}, {100}, 1, 2);
  EXPECT_EQ(values, Make("normal", {1}, {100}, 1, 2));
  EXPECT_NE(values, Make("normal", {1}, {100}, 2, 2));
  EXPECT_NE(values, Make("normal", {1}, {100}, 1, 3));
  std::vector<float> longer = Make("normal", {1}, {200}, 1, 2);
  EXPECT_TRUE(std::equal(values.begin(), values.end(), longer.begin()));
}

TEST(InitializerTest, RefusesWhatCannotBe) {
  EXPECT_THAT(ErrorOf("orthogonal", {}, ElementType::f32, {2, 2}),
              HasSubstr("no initialiser 'orthogonal'; there are zero"));
  EXPECT_THAT(ErrorOf("constant", {}, ElementType::f32, {2}), HasSubstr("wants one parameter"));
  EXPECT_THAT(ErrorOf("he_uniform", {}, ElementType::f32, {4}), HasSubstr("at least 2 dimensions, but it has 1"));
  EXPECT_THAT(ErrorOf("normal", {}, ElementType::i32, {4}), HasSubstr("wants a float tensor, not tensor<4xi32>"));
  EXPECT_THAT(ErrorOf("constant", {0.5}, ElementType::i32, {4}), HasSubstr("0.5 is no value of type i32"));
  EXPECT_THAT(ErrorOf("constant", {300}, ElementType::u8, {4}), HasSubstr("300 is no value of type u8"));
  EXPECT_THAT(ErrorOf("constant", {-1}, ElementType::u64, {4}), HasSubstr("no value"));
  EXPECT_THAT(ErrorOf("truncated_normal", {1, 0, 2, 1}, ElementType::f32, {4}), HasSubstr("a < b"));
  EXPECT_THAT(ErrorOf("zero", {}, ElementType::f32, {-4}), HasSubstr("negative dimension"));
}

}  // namespace
}  // namespace plumb
