// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/base/tensor_text.h"

#include <vector>

#include "gtest/gtest.h"

namespace plumb {
namespace {

template <typename T>
std::string Text(abi::ElementType element, std::vector<int64_t> shape, const std::vector<T>& values) {
  flatbuffers::FlatBufferBuilder builder;
  builder.Finish(abi::CreateTensorTypeDirect(builder, element, &shape));
  return TensorText(*flatbuffers::GetRoot<abi::TensorType>(builder.GetBufferPointer()),
                    reinterpret_cast<const uint8_t*>(values.data()));
}

TEST(TensorTextTest, Scalars) {
  EXPECT_EQ(Text<float>(abi::ElementType::f32, {}, {0.0833333f}), "Tensor(shape=[], dtype=Float32, value= 0.0833333)");
  EXPECT_EQ(Text<int32_t>(abi::ElementType::i32, {}, {-3}), "Tensor(shape=[], dtype=Int32, value= -3)");
  EXPECT_EQ(Text<uint8_t>(abi::ElementType::i1, {}, {1}), "Tensor(shape=[], dtype=Bool, value= True)");
  EXPECT_EQ(Text<uint64_t>(abi::ElementType::u64, {}, {~uint64_t{0}}),
            "Tensor(shape=[], dtype=UInt64, value= 18446744073709551615)");
}

TEST(TensorTextTest, AxesAreAligned) {
  EXPECT_EQ(Text<double>(abi::ElementType::f64, {2}, {1, -2.5}),
            "Tensor(shape=[2], dtype=Float64, value= [ 1.00000000e+00, -2.50000000e+00])");
  EXPECT_EQ(Text<int16_t>(abi::ElementType::i16, {2, 1, 2}, {1, -20, 300, 4}),
            "Tensor(shape=[2, 1, 2], dtype=Int16, value=\n[[[  1, -20]],\n [[300,   4]]])");
  EXPECT_EQ(Text<float>(abi::ElementType::f32, {0}, {}), "Tensor(shape=[0], dtype=Float32, value= [])");
}

TEST(TensorTextTest, LargeTensorsAreShortened) {
  std::vector<uint8_t> values(10 * 200, 7);
  const std::string row = "[7, 7, 7, ..., 7, 7, 7]";
  EXPECT_EQ(Text(abi::ElementType::u8, {10, 200}, values), "Tensor(shape=[10, 200], dtype=UInt8, value=\n[" + row +
                                                               ",\n " + row + ",\n " + row + ",\n ...,\n " + row +
                                                               ",\n " + row + ",\n " + row + "])");
}

}  // namespace
}  // namespace plumb
