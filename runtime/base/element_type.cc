// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/base/element_type.h"

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"

namespace plumb {
namespace {

struct ElementInfo {
  abi::ElementType type;
  absl::string_view name;
  size_t bytes;
};

constexpr ElementInfo kElements[] = {
    {abi::ElementType::f32, "f32", 4},   {abi::ElementType::f64, "f64", 8}, {abi::ElementType::f16, "f16", 2},
    {abi::ElementType::bf16, "bf16", 2}, {abi::ElementType::i8, "i8", 1},   {abi::ElementType::i16, "i16", 2},
    {abi::ElementType::i32, "i32", 4},   {abi::ElementType::i64, "i64", 8}, {abi::ElementType::u8, "u8", 1},
    {abi::ElementType::i1, "i1", 1},     {abi::ElementType::u16, "u16", 2}, {abi::ElementType::u32, "u32", 4},
    {abi::ElementType::u64, "u64", 8},
};

}  // namespace

size_t ElementBytes(abi::ElementType element) {
  for (const ElementInfo& info : kElements) {
    if (info.type == element) return info.bytes;
  }
  return 0;
}

absl::string_view ElementName(abi::ElementType element) {
  for (const ElementInfo& info : kElements) {
    if (info.type == element) return info.name;
  }
  return "?";
}

absl::StatusOr<abi::ElementType> ElementFromName(absl::string_view name) {
  for (const ElementInfo& info : kElements) {
    if (info.name == name) return info.type;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "'", name, "' is no element type; they are f32, f64, f16, bf16, i8, i16, i32, i64, u8, i1, u16, u32, u64"));
}

absl::StatusOr<uint64_t> TensorBytes(abi::ElementType element, absl::Span<const int64_t> shape) {
  uint64_t bytes = ElementBytes(element);
  if (bytes == 0) return absl::InvalidArgumentError(absl::StrCat("unknown element type ", static_cast<int>(element)));
  for (int64_t size : shape) {
    if (size < 0) return absl::InvalidArgumentError(absl::StrCat("negative dimension ", size));
    if (__builtin_mul_overflow(bytes, static_cast<uint64_t>(size), &bytes) || bytes >> 62) {
      return absl::InvalidArgumentError(absl::StrCat(TensorTypeString(element, shape), " is too large"));
    }
  }
  return bytes;
}

std::string TensorTypeString(abi::ElementType element, absl::Span<const int64_t> shape) {
  std::string text = "tensor<";
  for (int64_t size : shape) absl::StrAppend(&text, size, "x");
  absl::StrAppend(&text, ElementName(element), ">");
  return text;
}

absl::Span<const int64_t> ShapeOf(const abi::TensorType& type) {
  if (type.shape() == nullptr) return {};
  return absl::MakeConstSpan(type.shape()->data(), type.shape()->size());
}

}  // namespace plumb
