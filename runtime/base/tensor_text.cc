// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/base/tensor_text.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "runtime/base/element_type.h"
#include "runtime/base/number.h"

namespace plumb {
namespace {

/// A tensor of one axis is shown whole up to so many elements, an axis of several up to so many; else both its ends.
constexpr int64_t kMaxShownInFull = 1000, kMaxAxis = 6, kShownAtEnds = 3;

/// How many elements a line of one axis holds.
constexpr int64_t kOfLine = 12, kIntegersOfLine = 24;

/// MindSpore's name of an element type.
std::string TypeName(abi::ElementType element) {
  const std::string name = abi::EnumNameElementType(element);
  if (element == abi::ElementType::i1) return "Bool";
  if (element == abi::ElementType::bf16) return "BFloat16";
  const char* kind = name[0] == 'f' ? "Float" : name[0] == 'u' ? "UInt" : "Int";
  return absl::StrCat(kind, name.substr(1));
}

bool IsFloat(abi::ElementType element) {
  return element == abi::ElementType::f16 || element == abi::ElementType::bf16 || element == abi::ElementType::f32 ||
         element == abi::ElementType::f64;
}

std::string FloatText(const absl::FormatSpec<double>& format, double value) {
  if (!std::isfinite(value)) return std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf";
  return absl::StrFormat(format, value);
}

std::string ScalarText(abi::ElementType element, const uint8_t* data, TensorStyle style) {
  if (element == abi::ElementType::i1) {
    return style == TensorStyle::kLine ? (*data != 0 ? "1" : "0") : (*data != 0 ? "True" : "False");
  }
  if (!IsFloat(element)) return ReadNumberText(element, data);
  return FloatText(absl::FormatSpec<double>("%g"), ReadNumber(element, data));
}

/// An element among others, in its column's width where the type alone tells it.
std::string ElementText(abi::ElementType element, const uint8_t* data) {
  if (element == abi::ElementType::i1) return *data != 0 ? " True" : "False";
  if (!IsFloat(element)) return ReadNumberText(element, data);
  const bool is_half = element == abi::ElementType::f16 || element == abi::ElementType::bf16;
  const double value = ReadNumber(element, data);
  const std::string text =
      is_half ? FloatText(absl::FormatSpec<double>("%.4e"), value) : FloatText(absl::FormatSpec<double>("%.8e"), value);
  return absl::StrFormat("%*s", is_half ? 11 : 15, text);
}

/// Prints one tensor, axis by axis.
class TensorPrinter {
 public:
  TensorPrinter(abi::ElementType element, absl::Span<const int64_t> shape, const uint8_t* data, TensorStyle style)
      : element_(element),
        shape_(shape),
        data_(data),
        bytes_(static_cast<int64_t>(ElementBytes(element))),
        style_(style) {
    for (int64_t size : shape) count_ *= size;
    Visit(0, 0, [&](int64_t index) { width_ = std::max(width_, Text(index).size()); });
  }

  std::string Print(size_t axis = 0, int64_t index = 0) const {
    if (axis == shape_.size()) return absl::StrFormat("%*s", static_cast<int>(width_), Text(index));
    const bool is_last = axis + 1 == shape_.size();
    std::string text = "[";
    int64_t shown = 0, before = 0;
    ForShown(axis, [&](int64_t i) {
      if (shown > 0) absl::StrAppend(&text, Separator(axis, is_last, shown, before < 0, i < 0));
      absl::StrAppend(&text, i < 0 ? "..." : Print(axis + 1, index * shape_[axis] + i));
      ++shown;
      before = i;
    });
    return text + "]";
  }

 private:
  /// The text before the element or row that follows `shown` others, where some may be left out on either side of it.
  std::string Separator(size_t axis, bool is_last, int64_t shown, bool is_behind_gap, bool is_before_gap) const {
    const bool has_comma = style_ == TensorStyle::kRepr && !is_behind_gap && !(is_last && is_before_gap);
    const std::string comma = has_comma ? "," : "";
    if (!is_last) return absl::StrCat(comma, "\n", std::string(axis + 1, ' '));
    const int64_t of_line = IsFloat(element_) || element_ == abi::ElementType::i1 ? kOfLine : kIntegersOfLine;
    const bool is_full = style_ != TensorStyle::kNumbers && shown % of_line == 0;
    return comma + (is_full ? " \n " : " ");
  }

  std::string Text(int64_t index) const {
    const uint8_t* data = data_ + index * bytes_;
    if (style_ != TensorStyle::kNumbers) return ElementText(element_, data);
    if (element_ == abi::ElementType::i1) return *data != 0 ? "True" : "False";
    return ReadNumberText(element_, data);
  }

  /// Whether some of an axis are left out.
  bool IsCut(size_t axis) const {
    if (style_ == TensorStyle::kNumbers) return count_ > kMaxShownInFull && shape_[axis] > kMaxAxis;
    return shape_[axis] > (shape_.size() == 1 ? kMaxShownInFull : kMaxAxis);
  }

  /// Calls `visit` with the positions along an axis that are shown; with -1 where some are left out.
  void ForShown(size_t axis, const std::function<void(int64_t)>& visit) const {
    const int64_t size = shape_[axis];
    const bool is_cut = IsCut(axis);
    for (int64_t i = 0; i < size; ++i) {
      if (is_cut && i == kShownAtEnds) {
        visit(-1);
        i = size - kShownAtEnds;
      }
      visit(i);
    }
  }

  void Visit(size_t axis, int64_t index, const std::function<void(int64_t)>& visit) const {
    if (axis == shape_.size()) return visit(index);
    ForShown(axis, [&](int64_t i) {
      if (i >= 0) Visit(axis + 1, index * shape_[axis] + i, visit);
    });
  }

  abi::ElementType element_;
  absl::Span<const int64_t> shape_;
  const uint8_t* data_;
  int64_t bytes_;
  TensorStyle style_;
  int64_t count_ = 1;
  size_t width_ = 0;
};

}  // namespace

std::string TensorText(const abi::TensorType& type, const uint8_t* data, TensorStyle style) {
  absl::Span<const int64_t> shape = ShapeOf(type);
  const TensorPrinter printer(type.element(), shape, data, style);
  if (style == TensorStyle::kNumbers) return printer.Print();
  const std::string numbers = shape.empty() ? ScalarText(type.element(), data, style) : printer.Print();
  if (shape.empty() && style == TensorStyle::kLine) return numbers;
  const char* before = shape.size() > 1 ? "\n" : style == TensorStyle::kLine ? "" : " ";
  return absl::StrCat("Tensor(shape=[", absl::StrJoin(shape, ", "), "], dtype=", TypeName(type.element()),
                      ", value=", before, numbers, ")");
}

}  // namespace plumb
