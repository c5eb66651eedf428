// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers of reports: reading any element type and printing as NumPy does.

#include "runtime/base/number.h"

#include <charconv>
#include <cmath>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "runtime/base/half.h"

namespace plumb {
namespace {

template <typename T>
T Read(const uint8_t* data) {
  T value;
  std::memcpy(&value, data, sizeof(value));
  return value;
}

template <typename Float>
std::string Shortest(Float value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  const double magnitude = std::fabs(static_cast<double>(value));
  const bool scientific = magnitude != 0 && (magnitude < 1e-4 || magnitude >= 1e16);
  char buffer[64];
  auto end = std::to_chars(buffer, buffer + sizeof(buffer), value,
                           scientific ? std::chars_format::scientific : std::chars_format::fixed);
  std::string text(buffer, end.ptr);
  if (!scientific && text.find('.') == std::string::npos) text += ".0";
  return text;
}

}  // namespace

std::string NumpyText(float value) { return Shortest(value); }
std::string NumpyText(double value) { return Shortest(value); }

double ReadNumber(abi::ElementType element, const uint8_t* data) {
  switch (element) {
    case abi::ElementType::f32: return Read<float>(data);
    case abi::ElementType::f64: return Read<double>(data);
    case abi::ElementType::f16: return F16ToFloat(Read<uint16_t>(data));
    case abi::ElementType::bf16: return Bf16ToFloat(Read<uint16_t>(data));
    case abi::ElementType::i8: return Read<int8_t>(data);
    case abi::ElementType::i16: return Read<int16_t>(data);
    case abi::ElementType::i32: return Read<int32_t>(data);
    case abi::ElementType::i64: return static_cast<double>(Read<int64_t>(data));
    case abi::ElementType::u8:
    case abi::ElementType::i1: return Read<uint8_t>(data);
    case abi::ElementType::u16: return Read<uint16_t>(data);
    case abi::ElementType::u32: return Read<uint32_t>(data);
    case abi::ElementType::u64: return static_cast<double>(Read<uint64_t>(data));
  }
  return 0;
}

std::string ReadNumberText(abi::ElementType element, const uint8_t* data) {
  switch (element) {
    case abi::ElementType::f64: return NumpyText(Read<double>(data));
    case abi::ElementType::f32:
    case abi::ElementType::f16:
    case abi::ElementType::bf16: return NumpyText(static_cast<float>(ReadNumber(element, data)));
    case abi::ElementType::u64: return absl::StrCat(Read<uint64_t>(data));
    default: return absl::StrCat(static_cast<int64_t>(ReadNumber(element, data)));
  }
}

}  // namespace plumb
