// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/tools/event_file.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"

namespace plumb {
namespace {

/// Castagnoli's CRC-32, which TensorFlow turns by 15 bits and shifts by a constant.
uint32_t MaskedCrc(absl::string_view bytes) {
  static const std::array<uint32_t, 256> table = [] {
    std::array<uint32_t, 256> entries = {};
    for (uint32_t i = 0; i < entries.size(); ++i) {
      entries[i] = i;
      for (int bit = 0; bit < 8; ++bit) entries[i] = entries[i] >> 1 ^ (entries[i] & 1 ? 0x82f63b78u : 0);
    }
    return entries;
  }();
  uint32_t crc = ~uint32_t{0};
  for (const char byte : bytes) crc = crc >> 8 ^ table[(crc ^ static_cast<uint8_t>(byte)) & 0xff];
  crc = ~crc;
  return (crc >> 15 | crc << 17) + 0xa282ead8u;
}

/// A number's bytes in memory, which are little endian where this runs.
template <typename Number>
std::string Bytes(Number number) {
  return std::string(reinterpret_cast<const char*>(&number), sizeof(number));
}

std::string Varint(uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes.push_back(static_cast<char>(value | 0x80));
  bytes.push_back(static_cast<char>(value));
  return bytes;
}

std::string Field(int number, double value) { return absl::StrCat(Varint(number << 3 | 1), Bytes(value)); }
std::string Field(int number, uint64_t value) { return absl::StrCat(Varint(number << 3), Varint(value)); }
std::string Field(int number, absl::string_view value) {
  return absl::StrCat(Varint(number << 3 | 2), Varint(value.size()), value);
}

double Now() { return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count(); }

/// Without a finite element there is no range; 0 stands for it.
std::string Encode(const Histogram& histogram) {
  const uint64_t finite = histogram.count - histogram.nans - histogram.infinite;
  std::string limits, counts;
  for (const Histogram::Bucket& bucket : histogram.buckets) {
    absl::StrAppend(&limits, Bytes(bucket.limit));
    absl::StrAppend(&counts, Bytes(static_cast<double>(bucket.count)));
  }
  return absl::StrCat(Field(1, finite ? histogram.min : 0.0), Field(2, finite ? histogram.max : 0.0),
                      Field(3, static_cast<double>(finite)), Field(4, histogram.sum),
                      Field(5, histogram.sum_of_squares), Field(6, limits), Field(7, counts));
}

}  // namespace

EventFile::EventFile(const std::string& folder)
    : path_(absl::StrCat(folder, "/events.out.tfevents.", static_cast<int64_t>(Now()), ".", getpid())) {}

EventFile::~EventFile() {
  if (file_ != nullptr) std::fclose(file_);
}

absl::Status EventFile::Write(const std::string& content) {
  const std::string length = Bytes(static_cast<uint64_t>(content.size()));
  const std::string record = absl::StrCat(length, Bytes(MaskedCrc(length)), content, Bytes(MaskedCrc(content)));
  if (std::fwrite(record.data(), 1, record.size(), file_) == record.size() && std::fflush(file_) == 0)
    return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat("cannot write '", path_, "': ", std::strerror(errno)));
}

absl::Status EventFile::Add(absl::string_view tag, uint64_t step, const Histogram& histogram) {
  if (file_ == nullptr) {
    file_ = std::fopen(path_.c_str(), "abe");
    if (file_ == nullptr)
      return absl::UnavailableError(absl::StrCat("cannot write '", path_, "': ", std::strerror(errno)));
    PLUMB_RETURN_IF_ERROR(Write(absl::StrCat(Field(1, Now()), Field(3, absl::string_view("brain.Event:2")))));
  }
  const std::string value = absl::StrCat(Field(1, tag), Field(5, absl::string_view(Encode(histogram))));
  return Write(
      absl::StrCat(Field(1, Now()), Field(2, step), Field(5, absl::string_view(Field(1, absl::string_view(value))))));
}

}  // namespace plumb
