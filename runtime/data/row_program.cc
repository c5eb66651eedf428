// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/data/row_program.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/data/convert.h"
#include "runtime/data/row_steps.h"

namespace plumb {
namespace {

constexpr int64_t kMaxSide = 1 << 15;
constexpr size_t kAlignment = 64;

size_t Align(size_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

// The last dimension; 1 for a scalar.
size_t Channels(const ColumnSpec& type) { return type.shape.empty() ? 1 : static_cast<size_t>(type.shape.back()); }

absl::Status WrongType(const ColumnSpec& type, absl::string_view wanted) {
  return absl::InvalidArgumentError(
      absl::StrCat("wants ", wanted, ", but gets ", TensorTypeString(type.element, type.shape)));
}

}  // namespace

absl::string_view OperationName(abi::RowOperation operation) {
  switch (operation) {
    case abi::RowOperation::Resize: return "Resize";
    case abi::RowOperation::Rescale: return "Rescale";
    case abi::RowOperation::Normalize: return "Normalize";
    case abi::RowOperation::HwcToChw: return "HWC2CHW";
    case abi::RowOperation::TypeCast: return "TypeCast";
    case abi::RowOperation::OneHot: return "OneHot";
    default: return "no operation";
  }
}

absl::Status RowProgram::Append(const abi::RowOperationUnion& operation) {
  // A spoilt description may name an operation and not have it.
  switch (operation.value == nullptr ? abi::RowOperation::NONE : operation.type) {
    case abi::RowOperation::Resize: return AppendResize(*operation.AsResize());
    case abi::RowOperation::Rescale: return AppendRescale(*operation.AsRescale());
    case abi::RowOperation::Normalize: return AppendNormalize(*operation.AsNormalize());
    case abi::RowOperation::HwcToChw: return AppendHwcToChw();
    case abi::RowOperation::TypeCast: return AppendTypeCast(*operation.AsTypeCast());
    case abi::RowOperation::OneHot: return AppendOneHot(*operation.AsOneHot());
    default: return absl::InvalidArgumentError("is missing or unknown to this version");
  }
}

void RowProgram::AddStep(std::unique_ptr<RowStep> step, size_t out_bytes) {
  steps_.push_back(std::move(step));
  between_bytes_ = std::max(between_bytes_, Align(out_bytes));
}

// Turns the pending chain into a step. Only Flush and AppendPointwise know of it.
void RowProgram::Flush() {
  if (!pending_) return;
  size_t channels = Channels(pending_->input), count = pending_->input.elements();
  AddStep(MakeLookup(pending_->values, ElementBytes(type_.element), count / channels, channels, pending_->transposed),
          type_.bytes());
  pending_.reset();
}

absl::Status RowProgram::AppendPointwise(const PointwiseFactory& make, ElementType to, size_t channels) {
  bool per_channel = channels > 1;
  if (pending_ && per_channel && pending_->transposed) Flush();
  if (!pending_ && type_.element == ElementType::u8) {
    std::vector<uint8_t> identity(256);
    for (size_t i = 0; i < 256; ++i) identity[i] = static_cast<uint8_t>(i);
    pending_ = std::make_unique<PendingTable>(PendingTable{type_, {identity}});
  }
  ElementType from = type_.element;
  type_.element = to;
  if (!pending_) {
    AddStep(make(from, type_.elements(), -1), type_.bytes());
    return absl::OkStatus();
  }
  if (per_channel && pending_->values.size() == 1) pending_->values.resize(channels, pending_->values[0]);
  for (size_t channel = 0; channel < pending_->values.size(); ++channel) {
    std::vector<uint8_t> result(256 * ElementBytes(to));
    std::unique_ptr<RowStep> step = make(from, 256, per_channel ? static_cast<int>(channel) : -1);
    PLUMB_RETURN_IF_ERROR(step->Run(pending_->values[channel].data(), result.data(), nullptr));
    pending_->values[channel] = std::move(result);
  }
  return absl::OkStatus();
}

absl::Status RowProgram::AppendResize(const abi::ResizeT& resize) {
  size_t rank = type_.shape.size();
  bool is_image = (rank == 2 || rank == 3) && type_.elements() > 0;
  if (!is_image || (type_.element != ElementType::u8 && type_.element != ElementType::f32)) {
    return WrongType(type_, "an image [height, width, channels] of u8 or f32");
  }
  if (resize.interpolation != "" && resize.interpolation != "bilinear" && resize.interpolation != "nearest") {
    return absl::InvalidArgumentError(
        absl::StrCat("interpolates 'bilinear' or 'nearest', not '", resize.interpolation, "'"));
  }
  ImageSize from{type_.shape[0], type_.shape[1], rank == 3 ? type_.shape[2] : 1};
  ImageSize to{resize.height, resize.width, from.channels};
  if (resize.width == 0) {  // the shorter side is given, the longer one follows
    int64_t side = resize.height;
    to.height = from.height < from.width ? side : side * from.height / from.width;
    to.width = from.height < from.width ? side * from.width / from.height : side;
  }
  if (to.height < 1 || to.width < 1 || to.height > kMaxSide || to.width > kMaxSide || from.height > kMaxSide ||
      from.width > kMaxSide) {
    return absl::InvalidArgumentError(absl::StrCat("cannot make ", to.height, "x", to.width, " of ", from.height, "x",
                                                   from.width, ": sides are from 1 to ", kMaxSide));
  }
  Flush();
  type_.shape[0] = to.height;
  type_.shape[1] = to.width;
  if (from.height == to.height && from.width == to.width) return absl::OkStatus();
  AddStep(MakeResize(type_.element, from, to, resize.interpolation == "nearest"), type_.bytes());
  return absl::OkStatus();
}

absl::Status RowProgram::AppendRescale(const abi::RescaleT& rescale) {
  float scale = static_cast<float>(rescale.scale), shift = static_cast<float>(rescale.shift);
  if (!std::isfinite(scale) || !std::isfinite(shift)) {
    return absl::InvalidArgumentError(
        absl::StrCat("wants finite factors, but gets ", rescale.scale, ", ", rescale.shift));
  }
  auto make = [=](ElementType from, size_t count, int) { return MakeRescale(from, count, scale, shift); };
  return AppendPointwise(make, ElementType::f32, 1);
}

absl::Status RowProgram::AppendNormalize(const abi::NormalizeT& normalize) {
  size_t channels = normalize.mean.size();
  if (channels == 0 || normalize.std.size() != channels) {
    return absl::InvalidArgumentError(
        absl::StrCat("wants as many means as standard deviations, but gets ", channels, " and ", normalize.std.size()));
  }
  if (channels > 1 && channels != Channels(type_)) {
    return WrongType(type_, absl::StrCat("a last dimension of ", channels, ", one for each mean"));
  }
  std::vector<float> mean(normalize.mean.begin(), normalize.mean.end()),
      std(normalize.std.begin(), normalize.std.end());
  for (size_t i = 0; i < channels; ++i) {
    if (!std::isfinite(mean[i]) || !std::isfinite(std[i]) || std[i] <= 0) {
      return absl::InvalidArgumentError("wants finite means and positive standard deviations");
    }
  }
  auto make = [=](ElementType from, size_t count, int channel) {
    if (channel < 0) return MakeNormalize(from, count, mean, std);
    return MakeNormalize(from, count, {mean[static_cast<size_t>(channel)]}, {std[static_cast<size_t>(channel)]});
  };
  return AppendPointwise(make, ElementType::f32, channels);
}

absl::Status RowProgram::AppendHwcToChw() {
  if (type_.shape.size() != 3) return WrongType(type_, "an image [height, width, channels]");
  std::vector<int64_t> shape = {type_.shape[2], type_.shape[0], type_.shape[1]};
  size_t channels = Channels(type_), pixels = type_.elements() / std::max<size_t>(channels, 1);
  if (pending_ && pending_->transposed) Flush();
  if (pending_) {
    pending_->transposed = true;
  } else if (channels != 1) {  // the bytes of one channel lie as they should
    AddStep(MakeTranspose(ElementBytes(type_.element), pixels, channels), type_.bytes());
  }
  type_.shape = shape;
  return absl::OkStatus();
}

absl::Status RowProgram::AppendTypeCast(const abi::TypeCastT& cast) {
  PLUMB_ASSIGN_OR_RETURN(ElementType to, ElementFromName(cast.element));
  if (to == type_.element) return absl::OkStatus();
  return AppendPointwise([to](ElementType from, size_t count, int) { return MakeCast(from, to, count); }, to, 1);
}

absl::Status RowProgram::AppendOneHot(const abi::OneHotT& one_hot) {
  // Labels stand along one axis, whatever axes of one element are around it.
  auto several = std::count_if(type_.shape.begin(), type_.shape.end(), [](int64_t extent) { return extent != 1; });
  if (IsFloatElement(type_.element) || type_.element == ElementType::i1 || several > 1) {
    return WrongType(type_, "an integer label");
  }
  if (one_hot.classes == 0 || one_hot.classes > (1u << 24)) {
    return absl::InvalidArgumentError(absl::StrCat("wants from 1 to 2^24 classes, but gets ", one_hot.classes));
  }
  Flush();
  size_t count = type_.elements();
  type_.shape.clear();
  if (several) type_.shape.push_back(count);
  type_.shape.push_back(one_hot.classes);
  AddStep(MakeOneHot(type_.element, count, one_hot.classes), type_.bytes());
  return absl::OkStatus();
}

void RowProgram::Finish() {
  Flush();
  copies_ = steps_.empty();
  if (copies_) AddStep(MakeCopy(type_.bytes()), type_.bytes());
}

size_t RowProgram::scratch_bytes() const {
  size_t own = 0;
  for (const auto& step : steps_) own = std::max(own, step->scratch_bytes());
  return 2 * between_bytes_ + Align(own);
}

absl::Status RowProgram::Run(const uint8_t* in, uint8_t* out, uint8_t* scratch) const {
  uint8_t* own = scratch + 2 * between_bytes_;
  for (size_t i = 0; i < steps_.size(); ++i) {
    uint8_t* target = i + 1 == steps_.size() ? out : scratch + (i % 2) * between_bytes_;
    PLUMB_RETURN_IF_ERROR(steps_[i]->Run(in, target, own));
    in = target;
  }
  return absl::OkStatus();
}

}  // namespace plumb
