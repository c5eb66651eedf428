// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/base/initializer.h"

#include <cmath>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "runtime/base/half.h"
#include "runtime/base/random.h"
#include "runtime/base/status.h"

namespace plumb {
namespace {

constexpr uint32_t kMaxAttempts = 4096;

// How element `index` gets its value: distribution first, then scale and shift.
struct Rule {
  enum Kind { kConstant, kNormal, kCutNormal, kUniform } kind = kConstant;
  double low = 0;                    // constant's value; mean; lower bound of a uniform
  double high = 0;                   // sigma; upper bound of a uniform
  double cut_low = 0, cut_high = 0;  // bounds of a cut normal, in sigmas
};

struct Fans {
  double in, out;
};

absl::StatusOr<Fans> FansOf(absl::Span<const int64_t> shape) {
  if (shape.size() < 2) {
    return absl::InvalidArgumentError(
        absl::StrCat("fan-in and fan-out want a shape of at least 2 dimensions, but it has ", shape.size()));
  }
  double field = 1;
  for (int64_t size : shape.subspan(2)) field *= static_cast<double>(size);
  return Fans{static_cast<double>(shape[1]) * field, static_cast<double>(shape[0]) * field};
}

double At(absl::Span<const double> parameters, size_t index, double otherwise) {
  return index < parameters.size() ? parameters[index] : otherwise;
}

// Standard deviation of a Xavier or He rule.
absl::StatusOr<double> FanSigma(bool xavier, absl::Span<const double> parameters, absl::Span<const int64_t> shape) {
  PLUMB_ASSIGN_OR_RETURN(Fans fans, FansOf(shape));
  if (xavier) return At(parameters, 0, 1.0) * std::sqrt(2.0 / (fans.in + fans.out));
  double slope = At(parameters, 0, 0.0);
  double gain = At(parameters, 2, std::sqrt(2.0 / (1.0 + slope * slope)));
  return gain / std::sqrt(At(parameters, 1, 0.0) != 0 ? fans.out : fans.in);
}

absl::StatusOr<Rule> FanRule(absl::string_view kind, absl::Span<const double> parameters,
                             absl::Span<const int64_t> shape) {
  bool xavier = kind[0] == 'x';
  PLUMB_ASSIGN_OR_RETURN(double sigma, FanSigma(xavier, parameters, shape));
  if (kind == "xavier_normal" || kind == "he_normal") return Rule{Rule::kNormal, 0, sigma};
  double bound = std::sqrt(3.0) * sigma;
  return Rule{Rule::kUniform, -bound, bound};
}

absl::StatusOr<Rule> ParseRule(absl::string_view kind, absl::Span<const double> parameters,
                               absl::Span<const int64_t> shape) {
  if (kind == "zero") return Rule{};
  if (kind == "one") return Rule{Rule::kConstant, 1};
  if (kind == "constant") {
    if (parameters.size() != 1) return absl::InvalidArgumentError("rule 'constant' wants one parameter, its value");
    return Rule{Rule::kConstant, parameters[0]};
  }
  if (kind == "normal") return Rule{Rule::kNormal, At(parameters, 1, 0), At(parameters, 0, 0.01)};
  if (kind == "truncated_normal") {
    Rule rule{Rule::kCutNormal, At(parameters, 1, 0), At(parameters, 0, 0.01), At(parameters, 2, -2),
              At(parameters, 3, 2)};
    if (!(rule.cut_low < rule.cut_high) || rule.cut_low > 3 || rule.cut_high < -3) {
      return absl::InvalidArgumentError("rule 'truncated_normal' wants bounds a < b that leave part of [-3, 3]");
    }
    return rule;
  }
  if (kind == "uniform") {
    if (parameters.size() >= 2) return Rule{Rule::kUniform, parameters[0], parameters[1]};
    double scale = At(parameters, 0, 0.07);
    return Rule{Rule::kUniform, -scale, scale};
  }
  if (kind == "xavier_uniform" || kind == "xavier_normal" || kind == "he_uniform" || kind == "he_normal") {
    return FanRule(kind, parameters, shape);
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "no initialiser '", kind, "'; there are zero, one, constant, normal, truncated_normal, uniform, xavier_uniform, ",
      "xavier_normal, he_uniform, he_normal"));
}

// Rejection: at most a few attempts for usual bounds; the middle of the bounds if all of many miss.
double CutNormal(const Rule& rule, const RandomStream& random, uint64_t index) {
  for (uint32_t attempt = 0; attempt < kMaxAttempts; ++attempt) {
    double value = random.Normal(index, attempt);
    if (value >= rule.cut_low && value <= rule.cut_high) return value;
  }
  return (rule.cut_low + rule.cut_high) / 2;
}

double Draw(const Rule& rule, const RandomStream& random, uint64_t index) {
  switch (rule.kind) {
    case Rule::kConstant: return rule.low;
    case Rule::kNormal: return rule.low + rule.high * random.Normal(index);
    case Rule::kCutNormal: return rule.low + rule.high * CutNormal(rule, random, index);
    case Rule::kUniform: return rule.low + (rule.high - rule.low) * random.Uniform(index);
  }
  return 0;
}

template <typename T>
void Fill(const Rule& rule, const RandomStream& random, size_t count, T (*convert)(double), void* data) {
  T* out = static_cast<T*>(data);
  if (rule.kind == Rule::kConstant) {
    T value = convert(rule.low);
    for (size_t i = 0; i < count; ++i) out[i] = value;
    return;
  }
  for (size_t i = 0; i < count; ++i) out[i] = convert(Draw(rule, random, i));
}

template <typename T>
T Narrow(double value) {
  return static_cast<T>(value);
}

// Whether a constant is a value of the integer type; converting any other would be undefined.
bool FitsInteger(ElementType element, double value) {
  if (value != std::floor(value)) return false;
  bool is_unsigned = element == ElementType::u8 || element == ElementType::u16 || element == ElementType::u32 ||
                     element == ElementType::u64;
  if (element == ElementType::i1) return value == 0 || value == 1;
  int bits = static_cast<int>(8 * ElementBytes(element));
  double limit = std::ldexp(1.0, is_unsigned ? bits : bits - 1);
  return value >= (is_unsigned ? 0 : -limit) && value < limit;
}

bool IsFloat(ElementType element) {
  return element == ElementType::f32 || element == ElementType::f64 || element == ElementType::f16 ||
         element == ElementType::bf16;
}

absl::Status FillAny(const Rule& rule, const RandomStream& random, ElementType element, size_t count, void* data) {
  switch (element) {
    case ElementType::f32: Fill<float>(rule, random, count, Narrow<float>, data); break;
    case ElementType::f64: Fill<double>(rule, random, count, Narrow<double>, data); break;
    case ElementType::f16:
      Fill<uint16_t>(rule, random, count, [](double v) { return FloatToF16(static_cast<float>(v)); }, data);
      break;
    case ElementType::bf16:
      Fill<uint16_t>(rule, random, count, [](double v) { return FloatToBf16(static_cast<float>(v)); }, data);
      break;
    case ElementType::i8: Fill<int8_t>(rule, random, count, Narrow<int8_t>, data); break;
    case ElementType::i16: Fill<int16_t>(rule, random, count, Narrow<int16_t>, data); break;
    case ElementType::i32: Fill<int32_t>(rule, random, count, Narrow<int32_t>, data); break;
    case ElementType::i64: Fill<int64_t>(rule, random, count, Narrow<int64_t>, data); break;
    case ElementType::i1:
    case ElementType::u8: Fill<uint8_t>(rule, random, count, Narrow<uint8_t>, data); break;
    case ElementType::u16: Fill<uint16_t>(rule, random, count, Narrow<uint16_t>, data); break;
    case ElementType::u32: Fill<uint32_t>(rule, random, count, Narrow<uint32_t>, data); break;
    case ElementType::u64: Fill<uint64_t>(rule, random, count, Narrow<uint64_t>, data); break;
    default: return absl::InvalidArgumentError("unknown element type");
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status InitializeTensor(absl::string_view kind, absl::Span<const double> parameters, ElementType element,
                              absl::Span<const int64_t> shape, uint64_t seed, uint64_t stream, void* data) {
  PLUMB_ASSIGN_OR_RETURN(uint64_t bytes, TensorBytes(element, shape));
  PLUMB_ASSIGN_OR_RETURN(Rule rule, ParseRule(kind, parameters, shape));
  if (!IsFloat(element)) {
    if (rule.kind != Rule::kConstant) {
      return absl::InvalidArgumentError(
          absl::StrCat("random initialiser '", kind, "' wants a float tensor, not ", TensorTypeString(element, shape)));
    }
    if (!FitsInteger(element, rule.low)) {
      return absl::InvalidArgumentError(absl::StrCat(rule.low, " is no value of type ", ElementName(element)));
    }
  }
  return FillAny(rule, RandomStream(seed, stream), element, bytes / ElementBytes(element), data);
}

}  // namespace plumb
