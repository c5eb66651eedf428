// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Row programs: the bits are MindSpore's (golden file), tables change no bit, types are inferred, misuse is refused by
// name.

#include "runtime/data/row_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <limits>
#include <sstream>

namespace plumb {
namespace {

using testing::HasSubstr;
using Bytes = std::vector<uint8_t>;

template <typename T>
abi::RowOperationUnion Make(T operation) {
  abi::RowOperationUnion result;
  result.Set(std::move(operation));
  return result;
}

abi::RowOperationUnion MakeResize(uint32_t height, uint32_t width, const std::string& interpolation = "bilinear") {
  abi::ResizeT resize;
  resize.height = height, resize.width = width, resize.interpolation = interpolation;
  return Make(resize);
}
abi::RowOperationUnion MakeRescale(double scale, double shift) {
  abi::RescaleT rescale;
  rescale.scale = scale, rescale.shift = shift;
  return Make(rescale);
}
abi::RowOperationUnion MakeNormalize(std::vector<double> mean, std::vector<double> std) {
  abi::NormalizeT normalize;
  normalize.mean = std::move(mean), normalize.std = std::move(std);
  return Make(normalize);
}
abi::RowOperationUnion MakeTypeCast(const std::string& element) {
  abi::TypeCastT cast;
  cast.element = element;
  return Make(cast);
}
abi::RowOperationUnion MakeOneHot(uint32_t classes) {
  abi::OneHotT one_hot;
  one_hot.classes = classes;
  return Make(one_hot);
}
abi::RowOperationUnion MakeHwcToChw() { return Make(abi::HwcToChwT()); }

// What `operations` make of `input`; the type goes to `type`.
absl::StatusOr<Bytes> Apply(ColumnSpec column, const std::vector<abi::RowOperationUnion>& operations,
                            const Bytes& input, ColumnSpec* type = nullptr) {
  EXPECT_EQ(input.size(), column.bytes());
  RowProgram program(std::move(column));
  for (const auto& operation : operations) {
    absl::Status status = program.Append(operation);
    if (!status.ok()) return status;
  }
  program.Finish();
  Bytes out(program.type().bytes()), scratch(program.scratch_bytes());
  if (type != nullptr) *type = program.type();
  absl::Status status = program.Run(input.data(), out.data(), scratch.data());
  if (!status.ok()) return status;
  return out;
}

template <typename T>
Bytes Pack(const std::vector<T>& values) {
  Bytes bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

template <typename T>
std::vector<T> Unpack(const Bytes& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

Bytes Ramp(size_t size) {
  Bytes bytes(size);
  for (size_t i = 0; i < size; ++i) bytes[i] = static_cast<uint8_t>(i * 2654435761u >> 21);
  return bytes;
}

Bytes FromHex(const std::string& text) {
  Bytes bytes;
  for (size_t i = 0; i + 1 < text.size(); i += 2) {
    bytes.push_back(static_cast<uint8_t>(std::stoi(text.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

std::vector<abi::RowOperationUnion> GoldenOperations(const std::string& name, uint32_t height, uint32_t width) {
  std::vector<abi::RowOperationUnion> operations;
  if (name == "normalize") {
    operations.push_back(MakeNormalize({121.5, 110.25, 100.1}, {70.3, 68.1, 71.9}));
    return operations;
  }
  operations.push_back(MakeResize(height, width, name == "nearest" ? "nearest" : "bilinear"));
  if (name != "chain") return operations;
  operations.push_back(MakeRescale(1.0 / 255.0, 0.0));
  operations.push_back(MakeRescale(1 / 0.3081, -1 * 0.1307 / 0.3081));
  operations.push_back(MakeHwcToChw());
  return operations;
}

TEST(RowProgramTest, EqualsMindSporeBitForBit) {
  std::ifstream file("test/data/transforms/golden.txt");
  int cases = 0;
  std::string name, input, output;
  int64_t from_height, from_width, channels;
  uint32_t height, width;
  while (file >> name >> from_height >> from_width >> channels >> height >> width >> input >> output) {
    ++cases;
    auto result = Apply({"image", ElementType::u8, {from_height, from_width, channels}},
                        GoldenOperations(name, height, width), FromHex(input));
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_EQ(*result, FromHex(output)) << name << " " << from_height << "x" << from_width << "x" << channels << " to "
                                        << height << "x" << width;
  }
  EXPECT_EQ(cases, 50);
}

// The same numbers as i32 take the way without tables.
TEST(RowProgramTest, TablesEqualOperationsInSequence) {
  Bytes small = Ramp(5 * 7 * 3);
  std::vector<int32_t> large(small.begin(), small.end());
  auto operations = [] {
    std::vector<abi::RowOperationUnion> list;
    list.push_back(MakeRescale(1.0 / 255.0, 0.1));
    list.push_back(MakeHwcToChw());
    list.push_back(MakeRescale(-3.7, 0.42));
    list.push_back(MakeNormalize({0.31}, {0.77}));
    list.push_back(MakeTypeCast("f16"));
    return list;
  }();
  ColumnSpec type;
  auto by_table = Apply({"x", ElementType::u8, {5, 7, 3}}, operations, small, &type);
  auto in_sequence = Apply({"x", ElementType::i32, {5, 7, 3}}, operations, Pack(large));
  ASSERT_TRUE(by_table.ok() && in_sequence.ok());
  EXPECT_EQ(*by_table, *in_sequence);
  EXPECT_EQ(type.ToString(), "'x' tensor<3x5x7xf16>");
}

TEST(RowProgramTest, TablesPerChannelEqualOperationsInSequence) {
  Bytes small = Ramp(4 * 3 * 3);
  std::vector<float> large(small.begin(), small.end());
  std::vector<abi::RowOperationUnion> operations;
  operations.push_back(MakeRescale(0.5, 1.0));
  operations.push_back(MakeNormalize({1, 2, 3}, {4, 5, 6}));
  operations.push_back(MakeHwcToChw());
  operations.push_back(MakeNormalize({7, 8, 9}, {1, 2, 3}));  // now along the width
  auto by_table = Apply({"x", ElementType::u8, {4, 3, 3}}, operations, small);
  auto in_sequence = Apply({"x", ElementType::f32, {4, 3, 3}}, operations, Pack(large));
  ASSERT_TRUE(by_table.ok() && in_sequence.ok());
  EXPECT_EQ(*by_table, *in_sequence);
}

TEST(RowProgramTest, MovesChannelsToTheFront) {
  std::vector<abi::RowOperationUnion> operations;
  operations.push_back(MakeHwcToChw());
  auto result = Apply({"x", ElementType::u8, {1, 2, 3}}, operations, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(*result, (Bytes{1, 4, 2, 5, 3, 6}));
}

TEST(RowProgramTest, KeepsTheRatioWhenOneSideIsGiven) {
  std::vector<abi::RowOperationUnion> operations;
  operations.push_back(MakeResize(20, 0));
  ColumnSpec type;
  ASSERT_TRUE(Apply({"x", ElementType::u8, {28, 37, 1}}, operations, Ramp(28 * 37), &type).ok());
  EXPECT_EQ(type.shape, (std::vector<int64_t>{20, 26, 1}));
  ASSERT_TRUE(Apply({"x", ElementType::u8, {37, 28, 1}}, operations, Ramp(28 * 37), &type).ok());
  EXPECT_EQ(type.shape, (std::vector<int64_t>{26, 20, 1}));
}

TEST(RowProgramTest, ResizesFloats) {
  std::vector<abi::RowOperationUnion> operations;
  operations.push_back(MakeResize(1, 3));
  auto result = Apply({"x", ElementType::f32, {1, 2}}, operations, Pack<float>({0, 1}));
  ASSERT_TRUE(result.ok());
  EXPECT_THAT(Unpack<float>(*result), testing::ElementsAre(0.0f, testing::FloatNear(0.5f, 1e-6f), 1.0f));
}

TEST(RowProgramTest, CastsByTruncationAndWrapsAround) {
  Bytes input = Pack<float>({-1.5f, 2.7f, 300.2f, -300.0f, std::numeric_limits<float>::quiet_NaN(), 1e30f});
  auto cast = [&](const std::string& element) {
    std::vector<abi::RowOperationUnion> operations;
    operations.push_back(MakeTypeCast(element));
    return *Apply({"x", ElementType::f32, {6}}, operations, input);
  };
  EXPECT_THAT(Unpack<int32_t>(cast("i32")), testing::ElementsAre(-1, 2, 300, -300, 0, -1));
  EXPECT_EQ(cast("u8"), (Bytes{255, 2, 44, 212, 0, 255}));
  EXPECT_EQ(cast("i1"), (Bytes{1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(Unpack<double>(cast("f64"))[1], static_cast<double>(2.7f));
}

TEST(RowProgramTest, MakesOneHotRows) {
  std::vector<abi::RowOperationUnion> operations;
  operations.push_back(MakeTypeCast("i32"));
  operations.push_back(MakeOneHot(4));
  ColumnSpec type;
  auto result = Apply({"label", ElementType::u32, {}}, operations, Pack<uint32_t>({2}), &type);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(Unpack<int32_t>(*result), (std::vector<int32_t>{0, 0, 1, 0}));
  EXPECT_EQ(type.shape, (std::vector<int64_t>{4}));
  result = Apply({"label", ElementType::u32, {}}, operations, Pack<uint32_t>({4}));
  EXPECT_EQ(result.status().message(), "label 4 is outside the 4 classes");
  EXPECT_FALSE(Apply({"label", ElementType::i32, {}}, operations, Pack<int32_t>({-1})).ok());
}

TEST(RowProgramTest, MakesOneHotRowsOfLabelsAlongOneAxis) {
  auto shape = [](std::vector<int64_t> extents) {
    std::vector<abi::RowOperationUnion> operations;
    operations.push_back(MakeOneHot(4));
    ColumnSpec column{"label", ElementType::i64, std::move(extents)}, type;
    EXPECT_TRUE(Apply(column, operations, Bytes(column.bytes(), 0), &type).ok());
    return type.shape;
  };
  EXPECT_EQ(shape({1}), (std::vector<int64_t>{4}));
  EXPECT_EQ(shape({1, 1}), (std::vector<int64_t>{4}));
  EXPECT_EQ(shape({3}), (std::vector<int64_t>{3, 4}));
  EXPECT_EQ(shape({3, 1}), (std::vector<int64_t>{3, 4}));
  EXPECT_EQ(shape({1, 3}), (std::vector<int64_t>{3, 4}));
}

TEST(RowProgramTest, RefusesMisuse) {
  auto refuse = [](ColumnSpec column, abi::RowOperationUnion operation, const std::string& message) {
    RowProgram program(std::move(column));
    EXPECT_THAT(std::string(program.Append(operation).message()), HasSubstr(message));
  };
  ColumnSpec image{"image", ElementType::u8, {4, 4, 3}}, label{"label", ElementType::u32, {}};
  refuse(label, MakeResize(2, 2), "wants an image [height, width, channels] of u8 or f32, but gets tensor<u32>");
  refuse(image, MakeResize(0, 2), "cannot make 0x2 of 4x4");
  refuse(image, MakeResize(100000, 2), "cannot make 100000x2 of 4x4");
  refuse(image, MakeResize(2, 2, "bicubic"), "interpolates 'bilinear' or 'nearest', not 'bicubic'");
  refuse(label, MakeHwcToChw(), "wants an image");
  refuse(image, MakeTypeCast("q8"), "'q8'");
  refuse(image, MakeRescale(std::numeric_limits<double>::infinity(), 0), "finite");
  refuse(image, MakeNormalize({1, 2}, {1, 2}), "wants a last dimension of 2, one for each mean");
  refuse(image, MakeNormalize({1, 2, 3}, {1, 2}), "as many means");
  refuse(image, MakeNormalize({1}, {0}), "positive");
  refuse(image, MakeOneHot(10), "wants an integer label");
  refuse(label, MakeOneHot(0), "classes, but gets 0");
  refuse(image, abi::RowOperationUnion(), "missing");
}

}  // namespace
}  // namespace plumb
