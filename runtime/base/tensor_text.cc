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

/// Larger tensors are shortened to so many elements at both ends of an axis.
constexpr int64_t kShownInFull = 1000, kShownAtEnds = 3;

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

std::string ElementText(abi::ElementType element, const uint8_t* data, bool alone) {
  if (element == abi::ElementType::i1) return *data != 0 ? "True" : "False";
  if (!IsFloat(element)) return ReadNumberText(element, data);
  const double value = ReadNumber(element, data);
  if (!std::isfinite(value)) return std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf";
  return alone ? absl::StrFormat("%g", value) : absl::StrFormat("% .8e", value);
}

/// Prints one tensor, axis by axis.
class TensorPrinter {
 public:
  TensorPrinter(abi::ElementType element, absl::Span<const int64_t> shape, const uint8_t* data,
                bool numbers_alone = false)
      : element_(element),
        shape_(shape),
        data_(data),
        bytes_(static_cast<int64_t>(ElementBytes(element))),
        numbers_alone_(numbers_alone) {
    int64_t count = 1;
    for (int64_t size : shape) count *= size;
    shortened_ = count > kShownInFull;
    Visit(0, 0, [&](int64_t index) { width_ = std::max(width_, Text(index).size()); });
  }

  std::string Print(size_t axis = 0, int64_t index = 0) const {
    if (axis == shape_.size()) return absl::StrFormat("%*s", static_cast<int>(width_), Text(index));
    const std::string comma = numbers_alone_ ? "" : ",";
    const std::string separator =
        comma + (axis + 1 == shape_.size() ? " " : absl::StrCat("\n", std::string(axis + 1, ' ')));
    std::vector<std::string> parts;
    ForShown(axis, [&](int64_t i) { parts.push_back(i < 0 ? "..." : Print(axis + 1, index * shape_[axis] + i)); });
    return absl::StrCat("[", absl::StrJoin(parts, separator), "]");
  }

 private:
  std::string Text(int64_t index) const {
    const uint8_t* data = data_ + index * bytes_;
    const bool as_number = numbers_alone_ && element_ != abi::ElementType::i1;
    return as_number ? ReadNumberText(element_, data) : ElementText(element_, data, shape_.empty());
  }

  /// Calls `visit` with the places along an axis that are shown; with -1 where some are left out.
  void ForShown(size_t axis, const std::function<void(int64_t)>& visit) const {
    const int64_t size = shape_[axis];
    const bool leaves_out = shortened_ && size > 2 * kShownAtEnds;
    for (int64_t i = 0; i < size; ++i) {
      if (leaves_out && i == kShownAtEnds) {
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
  bool numbers_alone_;
  bool shortened_ = false;
  size_t width_ = 0;
};

}  // namespace

std::string TensorText(const abi::TensorType& type, const uint8_t* data) {
  absl::Span<const int64_t> shape = ShapeOf(type);
  return absl::StrCat("Tensor(shape=[", absl::StrJoin(shape, ", "), "], dtype=", TypeName(type.element()),
                      ", value=", shape.size() > 1 ? "\n" : " ", TensorPrinter(type.element(), shape, data).Print(),
                      ")");
}

std::string TensorNumbersText(const abi::TensorType& type, const uint8_t* data) {
  return TensorPrinter(type.element(), ShapeOf(type), data, /*numbers_alone=*/true).Print();
}

}  // namespace plumb
