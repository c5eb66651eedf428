// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two 16-bit float formats as plain bits, for code that prints or initialises them. Compiled steps never come here.
#ifndef PLUMB_RUNTIME_BASE_HALF_H_
#define PLUMB_RUNTIME_BASE_HALF_H_

#include <cstdint>
#include <cstring>

namespace plumb {

// The bits of `value` and back, without touching strict aliasing.
inline uint32_t FloatBits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}
inline float FloatFromBits(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

// bfloat16 is the upper half of a float; narrowing rounds to nearest even and keeps NaN a NaN.
inline float Bf16ToFloat(uint16_t bits) { return FloatFromBits(static_cast<uint32_t>(bits) << 16); }
inline uint16_t FloatToBf16(float value) {
  uint32_t bits = FloatBits(value);
  if (value != value) return static_cast<uint16_t>((bits >> 16) | 0x40);
  return static_cast<uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

// IEEE half. Widening is exact, subnormals and infinities included.
inline float F16ToFloat(uint16_t half) {
  uint32_t sign = static_cast<uint32_t>(half & 0x8000) << 16;
  uint32_t exponent = (half >> 10) & 31;
  uint32_t mantissa = half & 0x3ff;
  if (exponent == 31) return FloatFromBits(sign | 0x7f800000 | mantissa << 13);
  if (exponent != 0) return FloatFromBits(sign | (exponent + 112) << 23 | mantissa << 13);
  float magnitude = static_cast<float>(mantissa) * 5.9604644775390625e-8f;  // 2^-24
  return sign ? -magnitude : magnitude;
}

// Narrowing rounds to nearest even; what is too large becomes infinity.
inline uint16_t FloatToF16(float value) {
  uint32_t bits = FloatBits(value);
  uint16_t sign = static_cast<uint16_t>(bits >> 16 & 0x8000);
  uint32_t magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000) return static_cast<uint16_t>(sign | 0x7e00);
  if (magnitude >= 0x477ff000) return static_cast<uint16_t>(sign | 0x7c00);
  if (magnitude < 0x38800000) {  // subnormal: adding 0.5 puts the rounded mantissa into the low bits
    uint32_t rounded = FloatBits(FloatFromBits(magnitude) + 0.5f) - FloatBits(0.5f);
    return static_cast<uint16_t>(sign | rounded);
  }
  uint32_t rounded = magnitude + 0xfff + (magnitude >> 13 & 1);
  return static_cast<uint16_t>(sign | ((rounded - 0x38000000) >> 13));
}

}  // namespace plumb

#endif  // PLUMB_RUNTIME_BASE_HALF_H_
