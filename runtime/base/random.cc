// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/base/random.h"

#include <cmath>

namespace plumb {
namespace {

constexpr double kTwoPi = 6.283185307179586476925286766559;
constexpr double kTwoToMinus53 = 1.0 / 9007199254740992.0;

// 53 random bits of two words.
uint64_t Bits53(uint32_t high, uint32_t low) { return (static_cast<uint64_t>(high) << 32 | low) >> 11; }

}  // namespace

std::array<uint32_t, 4> Philox(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    uint64_t first = uint64_t{0xD2511F53} * counter[0];
    uint64_t second = uint64_t{0xCD9E8D57} * counter[2];
    counter = {static_cast<uint32_t>(second >> 32) ^ counter[1] ^ key[0], static_cast<uint32_t>(second),
               static_cast<uint32_t>(first >> 32) ^ counter[3] ^ key[1], static_cast<uint32_t>(first)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return counter;
}

RandomStream::RandomStream(uint64_t seed, uint64_t stream)
    : key_{static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32)}, stream_(stream) {}

std::array<uint32_t, 4> RandomStream::Words(uint64_t index, uint32_t attempt) const {
  return Philox({static_cast<uint32_t>(index), static_cast<uint32_t>(index >> 32),
                 attempt ^ static_cast<uint32_t>(stream_ >> 32), static_cast<uint32_t>(stream_)},
                key_);
}

double RandomStream::Uniform(uint64_t index, uint32_t attempt) const {
  std::array<uint32_t, 4> words = Words(index, attempt);
  return static_cast<double>(Bits53(words[0], words[1])) * kTwoToMinus53;
}

double RandomStream::Normal(uint64_t index, uint32_t attempt) const {
  std::array<uint32_t, 4> words = Words(index, attempt);
  double radius =
      static_cast<double>(Bits53(words[0], words[1]) + 1) * kTwoToMinus53;  // in (0, 1]: the logarithm is finite
  double angle = static_cast<double>(Bits53(words[2], words[3])) * kTwoToMinus53;
  return std::sqrt(-2.0 * std::log(radius)) * std::cos(kTwoPi * angle);
}

uint64_t RandomStream::Below(uint64_t bound, uint64_t index) const {
  // Multiply and shift (Lemire, 2019); the few values that would make some results more likely than others are drawn
  // again.
  for (uint32_t attempt = 0;; ++attempt) {
    std::array<uint32_t, 4> words = Words(index, attempt);
    unsigned __int128 product =
        static_cast<unsigned __int128>(static_cast<uint64_t>(words[1]) << 32 | words[0]) * bound;
    uint64_t low = static_cast<uint64_t>(product);
    if (low >= bound || low >= (0 - bound) % bound) return static_cast<uint64_t>(product >> 64);
  }
}

}  // namespace plumb
