// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/data/row_steps.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "runtime/data/convert.h"

namespace plumb {
namespace {

class Copy : public RowStep {
 public:
  explicit Copy(size_t bytes) : bytes_(bytes) {}
  absl::Status Run(const uint8_t* in, uint8_t* out, uint8_t*) const override {
    std::memcpy(out, in, bytes_);
    return absl::OkStatus();
  }

 private:
  size_t bytes_;
};

class Resize : public RowStep {
 public:
  Resize(ElementType element, ImageSize from, ImageSize to, bool nearest)
      : element_(element), resizer_(from, to, nearest) {}
  absl::Status Run(const uint8_t* in, uint8_t* out, uint8_t* scratch) const override {
    if (element_ == ElementType::u8) {
      resizer_.Run(in, out, scratch);
    } else {
      resizer_.Run(reinterpret_cast<const float*>(in), reinterpret_cast<float*>(out), scratch);
    }
    return absl::OkStatus();
  }
  size_t scratch_bytes() const override { return resizer_.scratch_bytes(); }

 private:
  ElementType element_;
  Resizer resizer_;
};

class Rescale : public RowStep {
 public:
  Rescale(ElementType from, size_t count, float scale, float shift)
      : from_(from), count_(count), scale_(scale), shift_(shift) {}
  absl::Status Run(const uint8_t* in, uint8_t* out, uint8_t*) const override {
    ConvertElements(from_, in, ElementType::f32, out, count_);
    float* values = reinterpret_cast<float*>(out);
    for (size_t i = 0; i < count_; ++i) values[i] = std::fma(values[i], scale_, shift_);
    return absl::OkStatus();
  }

 private:
  ElementType from_;
  size_t count_;
  float scale_, shift_;
};

class Normalize : public RowStep {
 public:
  Normalize(ElementType from, size_t count, std::vector<float> mean, std::vector<float> std)
      : from_(from), count_(count), mean_(std::move(mean)), std_(std::move(std)) {}
  absl::Status Run(const uint8_t* in, uint8_t* out, uint8_t*) const override {
    ConvertElements(from_, in, ElementType::f32, out, count_);
    float* values = reinterpret_cast<float*>(out);
    for (size_t i = 0, channel = 0; i < count_; ++i) {
      values[i] = (values[i] - mean_[channel]) / std_[channel];
      if (++channel == mean_.size()) channel = 0;
    }
    return absl::OkStatus();
  }

 private:
  ElementType from_;
  size_t count_;
  std::vector<float> mean_, std_;
};

class Cast : public RowStep {
 public:
  Cast(ElementType from, ElementType to, size_t count) : from_(from), to_(to), count_(count) {}
  absl::Status Run(const uint8_t* in, uint8_t* out, uint8_t*) const override {
    ConvertElements(from_, in, to_, out, count_);
    return absl::OkStatus();
  }

 private:
  ElementType from_, to_;
  size_t count_;
};

class Transpose : public RowStep {
 public:
  Transpose(size_t element_bytes, size_t pixels, size_t channels)
      : element_bytes_(element_bytes), pixels_(pixels), channels_(channels) {}
  absl::Status Run(const uint8_t* in, uint8_t* out, uint8_t*) const override {
    for (size_t channel = 0; channel < channels_; ++channel) {
      for (size_t pixel = 0; pixel < pixels_; ++pixel, out += element_bytes_) {
        std::memcpy(out, in + (pixel * channels_ + channel) * element_bytes_, element_bytes_);
      }
    }
    return absl::OkStatus();
  }

 private:
  size_t element_bytes_, pixels_, channels_;
};

class OneHot : public RowStep {
 public:
  OneHot(ElementType element, size_t count, uint32_t classes) : element_(element), count_(count), classes_(classes) {}
  absl::Status Run(const uint8_t* in, uint8_t* out, uint8_t*) const override {
    size_t bytes = ElementBytes(element_);
    std::memset(out, 0, count_ * classes_ * bytes);
    for (size_t i = 0; i < count_; ++i) {
      int64_t label = LoadInteger(element_, in + i * bytes);
      if (label < 0 || label >= classes_) {
        return absl::OutOfRangeError(absl::StrCat("label ", label, " is outside the ", classes_, " classes"));
      }
      // Little-endian: the lowest byte comes first.
      out[(i * classes_ + static_cast<size_t>(label)) * bytes] = 1;
    }
    return absl::OkStatus();
  }

 private:
  ElementType element_;
  size_t count_;
  uint32_t classes_;
};

template <typename T>
class Lookup : public RowStep {
 public:
  Lookup(const std::vector<std::vector<uint8_t>>& tables, size_t pixels, size_t channels, bool transposed)
      : pixels_(pixels), channels_(channels), transposed_(transposed), table_(256 * tables.size()) {
    for (size_t i = 0; i < tables.size(); ++i) std::memcpy(&table_[256 * i], tables[i].data(), 256 * sizeof(T));
  }

  absl::Status Run(const uint8_t* in, uint8_t* out, uint8_t*) const override {
    T* values = reinterpret_cast<T*>(out);
    bool shared = table_.size() == 256;
    if (channels_ == 1 || (shared && !transposed_)) {
      Plain(in, values);
      return absl::OkStatus();
    }
    for (size_t channel = 0; channel < channels_; ++channel) {
      const T* table = &table_[shared ? 0 : 256 * channel];
      size_t step = transposed_ ? 1 : channels_;
      T* target = values + (transposed_ ? channel * pixels_ : channel);
      for (size_t i = 0; i < pixels_; ++i) target[i * step] = table[in[i * channels_ + channel]];
    }
    return absl::OkStatus();
  }

 private:
  // The usual case, four at a time: the loads do not wait for each other.
  void Plain(const uint8_t* __restrict in, T* __restrict out) const {
    const T* table = table_.data();
    size_t count = pixels_ * channels_, i = 0;
    for (; i + 4 <= count; i += 4) {
      T a = table[in[i]], b = table[in[i + 1]], c = table[in[i + 2]], d = table[in[i + 3]];
      out[i] = a, out[i + 1] = b, out[i + 2] = c, out[i + 3] = d;
    }
    for (; i < count; ++i) out[i] = table[in[i]];
  }

  size_t pixels_, channels_;
  bool transposed_;
  std::vector<T> table_;
};

}  // namespace

std::unique_ptr<RowStep> MakeCopy(size_t bytes) { return std::make_unique<Copy>(bytes); }
std::unique_ptr<RowStep> MakeResize(ElementType element, ImageSize from, ImageSize to, bool nearest) {
  return std::make_unique<Resize>(element, from, to, nearest);
}
std::unique_ptr<RowStep> MakeRescale(ElementType from, size_t count, float scale, float shift) {
  return std::make_unique<Rescale>(from, count, scale, shift);
}
std::unique_ptr<RowStep> MakeNormalize(ElementType from, size_t count, std::vector<float> mean,
                                       std::vector<float> std) {
  return std::make_unique<Normalize>(from, count, std::move(mean), std::move(std));
}
std::unique_ptr<RowStep> MakeCast(ElementType from, ElementType to, size_t count) {
  return std::make_unique<Cast>(from, to, count);
}
std::unique_ptr<RowStep> MakeTranspose(size_t element_bytes, size_t pixels, size_t channels) {
  return std::make_unique<Transpose>(element_bytes, pixels, channels);
}
std::unique_ptr<RowStep> MakeOneHot(ElementType element, size_t count, uint32_t classes) {
  return std::make_unique<OneHot>(element, count, classes);
}
std::unique_ptr<RowStep> MakeLookup(const std::vector<std::vector<uint8_t>>& tables, size_t element_bytes,
                                    size_t pixels, size_t channels, bool transposed) {
  switch (element_bytes) {
    case 1: return std::make_unique<Lookup<uint8_t>>(tables, pixels, channels, transposed);
    case 2: return std::make_unique<Lookup<uint16_t>>(tables, pixels, channels, transposed);
    case 4: return std::make_unique<Lookup<uint32_t>>(tables, pixels, channels, transposed);
    default: return std::make_unique<Lookup<uint64_t>>(tables, pixels, channels, transposed);
  }
}

}  // namespace plumb
