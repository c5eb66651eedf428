// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Thirteen types make 169 pairs. Each pair goes through one of two wide types instead, double for floats and 64 bits
// for integers, a block at a time: 13 loads and 26 stores. Double holds every float exactly, so nothing is rounded
// twice but a double that becomes a 16-bit float.

#include "runtime/data/convert.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "runtime/base/half.h"

namespace plumb {
namespace {

constexpr size_t kBlock = 256;

template <typename T, typename Wide>
void Load(const void* in, Wide* out, size_t count) {
  const T* values = static_cast<const T*>(in);
  for (size_t i = 0; i < count; ++i) out[i] = static_cast<Wide>(values[i]);
}

template <float (*kWiden)(uint16_t)>
void LoadHalf(const void* in, double* out, size_t count) {
  const uint16_t* values = static_cast<const uint16_t*>(in);
  for (size_t i = 0; i < count; ++i) out[i] = kWiden(values[i]);
}

template <typename T, typename Wide>
void Store(const Wide* in, void* out, size_t count) {
  T* values = static_cast<T*>(out);
  for (size_t i = 0; i < count; ++i) values[i] = static_cast<T>(in[i]);
}

template <uint16_t (*kNarrow)(float), typename Wide>
void StoreHalf(const Wide* in, void* out, size_t count) {
  uint16_t* values = static_cast<uint16_t*>(out);
  for (size_t i = 0; i < count; ++i) values[i] = kNarrow(static_cast<float>(in[i]));
}

template <typename Wide>
void StoreBool(const Wide* in, void* out, size_t count) {
  uint8_t* values = static_cast<uint8_t*>(out);
  for (size_t i = 0; i < count; ++i) values[i] = in[i] != 0;
}

int64_t Truncate(double value) {
  if (value != value) return 0;
  if (value >= 9223372036854775808.0) return INT64_MAX;
  if (value <= -9223372036854775808.0) return INT64_MIN;
  return static_cast<int64_t>(value);
}

void LoadFloats(ElementType from, const void* in, double* out, size_t count) {
  switch (from) {
    case ElementType::f32: return Load<float>(in, out, count);
    case ElementType::f64: return Load<double>(in, out, count);
    case ElementType::f16: return LoadHalf<F16ToFloat>(in, out, count);
    default: return LoadHalf<Bf16ToFloat>(in, out, count);
  }
}

void LoadIntegers(ElementType from, const void* in, int64_t* out, size_t count) {
  switch (from) {
    case ElementType::i8: return Load<int8_t>(in, out, count);
    case ElementType::i16: return Load<int16_t>(in, out, count);
    case ElementType::i32: return Load<int32_t>(in, out, count);
    case ElementType::i64: return Load<int64_t>(in, out, count);
    case ElementType::u16: return Load<uint16_t>(in, out, count);
    case ElementType::u32: return Load<uint32_t>(in, out, count);
    case ElementType::u64: return Load<uint64_t>(in, out, count);
    default: return Load<uint8_t>(in, out, count);
  }
}

template <typename Wide>
void StoreFloats(ElementType to, const Wide* in, void* out, size_t count) {
  switch (to) {
    case ElementType::f32: return Store<float>(in, out, count);
    case ElementType::f64: return Store<double>(in, out, count);
    case ElementType::f16: return StoreHalf<FloatToF16>(in, out, count);
    default: return StoreHalf<FloatToBf16>(in, out, count);
  }
}

void StoreIntegers(ElementType to, const int64_t* in, void* out, size_t count) {
  switch (ElementBytes(to)) {
    case 1: return Store<uint8_t>(in, out, count);
    case 2: return Store<uint16_t>(in, out, count);
    case 4: return Store<uint32_t>(in, out, count);
    default: return Store<uint64_t>(in, out, count);
  }
}

void FromFloats(ElementType from, const void* in, ElementType to, void* out, size_t count) {
  double wide[kBlock];
  LoadFloats(from, in, wide, count);
  if (to == ElementType::i1) return StoreBool(wide, out, count);
  if (IsFloatElement(to)) return StoreFloats(to, wide, out, count);
  int64_t integers[kBlock];
  for (size_t i = 0; i < count; ++i) integers[i] = Truncate(wide[i]);
  StoreIntegers(to, integers, out, count);
}

void FromIntegers(ElementType from, const void* in, ElementType to, void* out, size_t count) {
  int64_t wide[kBlock];
  LoadIntegers(from, in, wide, count);
  if (to == ElementType::i1) return StoreBool(wide, out, count);
  if (!IsFloatElement(to)) return StoreIntegers(to, wide, out, count);
  if (from == ElementType::u64) return StoreFloats(to, reinterpret_cast<const uint64_t*>(wide), out, count);
  StoreFloats(to, wide, out, count);
}

}  // namespace

bool IsFloatElement(ElementType element) {
  return element == ElementType::f32 || element == ElementType::f64 || element == ElementType::f16 ||
         element == ElementType::bf16;
}

void ConvertElements(ElementType from, const void* in, ElementType to, void* out, size_t count) {
  if (from == to) {
    std::memcpy(out, in, count * ElementBytes(from));
    return;
  }
  auto convert = IsFloatElement(from) ? FromFloats : FromIntegers;
  const uint8_t* source = static_cast<const uint8_t*>(in);
  uint8_t* target = static_cast<uint8_t*>(out);
  for (size_t done = 0; done < count; done += kBlock) {
    convert(from, source + done * ElementBytes(from), to, target + done * ElementBytes(to),
            std::min(kBlock, count - done));
  }
}

int64_t LoadInteger(ElementType element, const void* in) {
  int64_t value;
  LoadIntegers(element, in, &value, 1);
  return value;
}

}  // namespace plumb
