// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/base/tensor_text.h"

#include <cmath>
#include <vector>

#include "gtest/gtest.h"

namespace plumb {
namespace {

template <typename T>
std::string Text(abi::ElementType element, std::vector<int64_t> shape, const std::vector<T>& values,
                 TensorStyle style = TensorStyle::kLine) {
  flatbuffers::FlatBufferBuilder builder;
  builder.Finish(abi::CreateTensorTypeDirect(builder, element, &shape));
  return TensorText(*flatbuffers::GetRoot<abi::TensorType>(builder.GetBufferPointer()),
                    reinterpret_cast<const uint8_t*>(values.data()), style);
}

TEST(TensorTextTest, Scalars) {
  EXPECT_EQ(Text<float>(abi::ElementType::f32, {}, {0.0833333f}), "0.0833333");
  EXPECT_EQ(Text<int32_t>(abi::ElementType::i32, {}, {-3}), "-3");
  EXPECT_EQ(Text<uint8_t>(abi::ElementType::i1, {}, {1}), "1");
  EXPECT_EQ(Text<uint64_t>(abi::ElementType::u64, {}, {~uint64_t{0}}), "18446744073709551615");
}

TEST(TensorTextTest, AxesAreAligned) {
  EXPECT_EQ(Text<double>(abi::ElementType::f64, {3}, {1, -2.5, INFINITY}),
            "Tensor(shape=[3], dtype=Float64, value=[ 1.00000000e+00 -2.50000000e+00             inf])");
  EXPECT_EQ(Text<int16_t>(abi::ElementType::i16, {2, 1, 2}, {1, -20, 300, 4}),
            "Tensor(shape=[2, 1, 2], dtype=Int16, value=\n[[[  1 -20]]\n [[300   4]]])");
  EXPECT_EQ(Text<uint8_t>(abi::ElementType::i1, {2}, {1, 0}), "Tensor(shape=[2], dtype=Bool, value=[ True False])");
  EXPECT_EQ(Text<float>(abi::ElementType::f32, {0}, {}), "Tensor(shape=[0], dtype=Float32, value=[])");
}

TEST(TensorTextTest, OneAxisIsShownInLines) {
  EXPECT_EQ(Text<uint8_t>(abi::ElementType::u8, {26}, std::vector<uint8_t>(26, 7)),
            "Tensor(shape=[26], dtype=UInt8, value=[7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 \n 7 7])");
  EXPECT_EQ(Text<uint8_t>(abi::ElementType::u8, {2000}, std::vector<uint8_t>(2000, 7)),
            "Tensor(shape=[2000], dtype=UInt8, value=[7 7 7 ... 7 7 7])");
}

TEST(TensorTextTest, LongAxesAreShortened) {
  std::vector<uint8_t> values(10 * 7, 7);
  const std::string row = "[7 7 7 ... 7 7 7]";
  EXPECT_EQ(Text(abi::ElementType::u8, {10, 7}, values), "Tensor(shape=[10, 7], dtype=UInt8, value=\n[" + row + "\n " +
                                                             row + "\n " + row + "\n ...\n " + row + "\n " + row +
                                                             "\n " + row + "])");
}

TEST(TensorTextTest, AmongOtherTextThereAreCommas) {
  constexpr TensorStyle kRepr = TensorStyle::kRepr;
  EXPECT_EQ(Text<float>(abi::ElementType::f32, {}, {2}, kRepr), "Tensor(shape=[], dtype=Float32, value= 2)");
  EXPECT_EQ(Text<uint8_t>(abi::ElementType::i1, {}, {1}, kRepr), "Tensor(shape=[], dtype=Bool, value= True)");
  EXPECT_EQ(Text<int32_t>(abi::ElementType::i32, {2}, {-3, 40}, kRepr),
            "Tensor(shape=[2], dtype=Int32, value= [-3, 40])");
  const std::string row = "[7, 7, 7 ... 7, 7, 7]";
  EXPECT_EQ(Text(abi::ElementType::u8, {7, 7}, std::vector<uint8_t>(49, 7), kRepr),
            "Tensor(shape=[7, 7], dtype=UInt8, value=\n[" + row + ",\n " + row + ",\n " + row + ",\n ...\n " + row +
                ",\n " + row + ",\n " + row + "])");
}

}  // namespace
}  // namespace plumb
