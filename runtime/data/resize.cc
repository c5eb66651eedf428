// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/data/resize.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace plumb {
namespace {

constexpr float kOne = 2048;

// Where output position `to_position` falls in the input: neighbour and fraction, as OpenCV rounds them.
struct Tap {
  int64_t position;
  float fraction;
};

double Scale(int64_t from, int64_t to) { return 1.0 / (static_cast<double>(to) / static_cast<double>(from)); }

Tap LinearTap(int64_t to_position, double scale) {
  float real = static_cast<float>((static_cast<double>(to_position) + 0.5) * scale - 0.5);
  float floor = std::floor(real);
  return {static_cast<int64_t>(floor), real - floor};
}

Tap NearestTap(int64_t to_position, double scale, int64_t from) {
  int64_t position = static_cast<int64_t>(std::floor(static_cast<double>(to_position) * scale));
  return {std::min(position, from - 1), 0.0f};
}

int16_t Fixed(float weight) { return static_cast<int16_t>(std::lrint(weight * kOne)); }

// 15 bits of one row's weighted neighbours.
void WeighColumns(const uint8_t* in, size_t count, const int32_t* first, const int32_t* second, const int16_t* weight0,
                  const int16_t* weight1, int16_t* out) {
  for (size_t i = 0; i < count; ++i) {
    out[i] = static_cast<int16_t>((in[first[i]] * weight0[i] + in[second[i]] * weight1[i]) >> 4);
  }
}

// One output row of two such rows. Each product keeps its upper half, which is what vector multiplications give.
void WeighRows(const int16_t* __restrict row0, const int16_t* __restrict row1, size_t count, int16_t weight0,
               int16_t weight1, uint8_t* __restrict out) {
  for (size_t i = 0; i < count; ++i) {
    int16_t high0 = static_cast<int16_t>((int32_t{row0[i]} * weight0) >> 16);
    int16_t high1 = static_cast<int16_t>((int32_t{row1[i]} * weight1) >> 16);
    out[i] = static_cast<uint8_t>(static_cast<int16_t>(high0 + high1 + 2) >> 2);
  }
}

}  // namespace

Resizer::Axis Resizer::MakeColumns(int64_t from, int64_t to, int64_t channels, bool nearest) {
  Axis axis;
  for (int64_t i = 0; i < to; ++i) {
    Tap tap = nearest ? NearestTap(i, Scale(from, to), from) : LinearTap(i, Scale(from, to));
    if (tap.position < 0) tap = {0, 0.0f};
    if (tap.position >= from - 1) tap = {from - 1, 0.0f};
    int64_t next = std::min(tap.position + 1, from - 1);
    for (int64_t channel = 0; channel < channels; ++channel) {
      axis.first.push_back(static_cast<int32_t>(tap.position * channels + channel));
      axis.second.push_back(static_cast<int32_t>(next * channels + channel));
      axis.real0.push_back(1.0f - tap.fraction);
      axis.real1.push_back(tap.fraction);
      axis.weight0.push_back(Fixed(1.0f - tap.fraction));
      axis.weight1.push_back(Fixed(tap.fraction));
    }
  }
  return axis;
}

// Unlike columns, rows beyond the border keep their weights and only their positions are clamped.
Resizer::Axis Resizer::MakeRows(int64_t from, int64_t to, bool nearest) {
  Axis axis;
  for (int64_t i = 0; i < to; ++i) {
    Tap tap = nearest ? NearestTap(i, Scale(from, to), from) : LinearTap(i, Scale(from, to));
    axis.first.push_back(static_cast<int32_t>(std::clamp<int64_t>(tap.position, 0, from - 1)));
    axis.second.push_back(static_cast<int32_t>(std::clamp<int64_t>(tap.position + 1, 0, from - 1)));
    axis.real0.push_back(1.0f - tap.fraction);
    axis.real1.push_back(tap.fraction);
    axis.weight0.push_back(Fixed(1.0f - tap.fraction));
    axis.weight1.push_back(Fixed(tap.fraction));
  }
  return axis;
}

Resizer::Resizer(ImageSize from, ImageSize to, bool nearest)
    : from_(from),
      to_(to),
      nearest_(nearest),
      half_(!nearest && from.height == 2 * to.height && from.width == 2 * to.width),
      columns_(MakeColumns(from.width, to.width, from.channels, nearest)),
      rows_(MakeRows(from.height, to.height, nearest)) {}

size_t Resizer::scratch_bytes() const {
  return static_cast<size_t>(from_.height * to_.width * to_.channels) * sizeof(float);
}

template <typename T>
void Resizer::RunNearest(const T* in, T* out) const {
  size_t from_row = static_cast<size_t>(from_.width * from_.channels);
  for (int32_t row : rows_.first) {
    for (int32_t position : columns_.first)
      *out++ = in[static_cast<size_t>(row) * from_row + static_cast<size_t>(position)];
  }
}

void Resizer::RunHalf(const uint8_t* in, uint8_t* out) const {
  int64_t channels = from_.channels, from_row = from_.width * channels;
  // OpenCV has a vector form for 1, 3 and 4 channels, which rounds halves up; its plain form rounds them to even.
  bool rounds_up = channels == 1 || channels == 3 || channels == 4;
  for (int64_t y = 0; y < to_.height; ++y) {
    for (int64_t x = 0; x < to_.width * channels; ++x) {
      const uint8_t* corner = in + 2 * y * from_row + x / channels * 2 * channels + x % channels;
      int sum = corner[0] + corner[channels] + corner[from_row] + corner[from_row + channels];
      *out++ = static_cast<uint8_t>(rounds_up ? (sum + 2) >> 2 : std::lrint(static_cast<float>(sum) * 0.25f));
    }
  }
}

void Resizer::Run(const uint8_t* in, uint8_t* out, uint8_t* scratch) const {
  if (nearest_) return RunNearest(in, out);
  if (half_) return RunHalf(in, out);
  size_t from_row = static_cast<size_t>(from_.width * from_.channels), to_row = columns_.first.size();
  int16_t* weighed = reinterpret_cast<int16_t*>(scratch);
  for (size_t y = 0; y < static_cast<size_t>(from_.height); ++y) {
    WeighColumns(in + y * from_row, to_row, columns_.first.data(), columns_.second.data(), columns_.weight0.data(),
                 columns_.weight1.data(), weighed + y * to_row);
  }
  for (size_t y = 0; y < static_cast<size_t>(to_.height); ++y) {
    WeighRows(weighed + static_cast<size_t>(rows_.first[y]) * to_row,
              weighed + static_cast<size_t>(rows_.second[y]) * to_row, to_row, rows_.weight0[y], rows_.weight1[y],
              out + y * to_row);
  }
}

void Resizer::Run(const float* in, float* out, uint8_t* scratch) const {
  if (nearest_) return RunNearest(in, out);
  size_t from_row = static_cast<size_t>(from_.width * from_.channels), to_row = columns_.first.size();
  float* weighed = reinterpret_cast<float*>(scratch);
  for (size_t y = 0; y < static_cast<size_t>(from_.height); ++y) {
    for (size_t i = 0; i < to_row; ++i) {
      const float* row = in + y * from_row;
      weighed[y * to_row + i] =
          row[columns_.first[i]] * columns_.real0[i] + row[columns_.second[i]] * columns_.real1[i];
    }
  }
  for (size_t y = 0; y < static_cast<size_t>(to_.height); ++y) {
    const float* row0 = weighed + static_cast<size_t>(rows_.first[y]) * to_row;
    const float* row1 = weighed + static_cast<size_t>(rows_.second[y]) * to_row;
    for (size_t i = 0; i < to_row; ++i) out[y * to_row + i] = row0[i] * rows_.real0[y] + row1[i] * rows_.real1[y];
  }
}

}  // namespace plumb
