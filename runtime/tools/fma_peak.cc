// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/tools/fma_peak.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>
#include <vector>

namespace plumb {

#if defined(__x86_64__)
namespace {

using Clock = std::chrono::steady_clock;

// Enough independent chains to cover four cycles of latency on two units, few enough to stay in registers.
constexpr int kChains = 12;
// Rounds of all chains: milliseconds alone; about one fed, which settles the clock; microseconds behind that.
constexpr long kRounds = 2'000'000, kFedRounds = 300'000, kBurstRounds = 4'000;
// Numbers that stay in L1, and how many of them a round reads.
constexpr long kNumbers = 4096, kReads = 128;

volatile float sink;

// Of both signs, so that sums stay small.
const float* GetNumbers() {
  static float numbers[kNumbers + kReads];
  for (long i = 0; i < kNumbers + kReads; ++i) numbers[i] = static_cast<float>((i * 7919) % 2001 - 1000) / 2000;
  return numbers;
}

template <int kLanes>
using Vector __attribute__((vector_size(4 * kLanes))) = float;

// Multiply-adds on registers alone. Where the caller's processor has one instruction for both, that is what is emitted.
template <int kLanes>
__attribute__((always_inline)) inline void RunChains(long rounds) {
  Vector<kLanes> chain[kChains];
  for (int i = 0; i < kChains; ++i) chain[i] = Vector<kLanes>{} + static_cast<float>(i);
  for (long round = 0; round < rounds; ++round) {
#pragma unroll 12
    for (int i = 0; i < kChains; ++i) chain[i] = chain[i] * 0.9999f + 1e-4f;
  }
  for (const auto& value : chain) sink = sink + value[0];
}

// The register tile of a product: three rows of four vectors, fed from L1.
template <int kLanes>
__attribute__((always_inline)) inline void FeedChains(long rounds, const float* numbers) {
  Vector<kLanes> chain[kChains] = {};
  for (long round = 0; round < rounds; ++round) {
    const float* from = numbers + round * kReads % kNumbers;
#pragma unroll 12
    for (int i = 0; i < kChains; ++i) {
      Vector<kLanes> column;
      std::memcpy(&column, from + kLanes * (i % 4), sizeof(column));
      chain[i] = column * from[64 + i / 4] + chain[i];
    }
  }
  for (const auto& value : chain) sink = sink + value[0];
}

__attribute__((target("avx512f"))) void Run512(long rounds) { RunChains<16>(rounds); }
__attribute__((target("avx512f"))) void Feed512(long rounds, const float* numbers) { FeedChains<16>(rounds, numbers); }
__attribute__((target("avx2,fma"))) void Run256(long rounds) { RunChains<8>(rounds); }
__attribute__((target("avx2,fma"))) void Feed256(long rounds, const float* numbers) { FeedChains<8>(rounds, numbers); }
// Without fused multiply-adds: a product and a sum each.
void Run128(long rounds) { RunChains<4>(rounds); }
void Feed128(long rounds, const float* numbers) { FeedChains<4>(rounds, numbers); }

double TimeRun(void (*run)(long), long rounds, int lanes) {
  const auto start = Clock::now();
  run(rounds);
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return 2.0 * lanes * kChains * rounds / seconds / 1e9;
}

double Median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

FmaPeak Measure(void (*run)(long), void (*feed)(long, const float*), int lanes, int runs) {
  std::vector<double> alone, fed;
  run(kRounds);
  for (int i = 0; i < runs; ++i) alone.push_back(TimeRun(run, kRounds, lanes));
  const float* numbers = GetNumbers();
  // The clock takes longer to rise again than a burst lasts.
  for (int i = 0; i < 10 * runs; ++i) {
    feed(kFedRounds, numbers);
    fed.push_back(TimeRun(run, kBurstRounds, lanes));
  }
  return {Median(std::move(alone)), Median(std::move(fed))};
}

}  // namespace

int FmaVectorBits() {
  if (__builtin_cpu_supports("avx512f")) return 512;
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? 256 : 128;
}

FmaPeak MeasureFmaPeak(int vector_bits, int runs) {
  if (vector_bits > FmaVectorBits()) return {};
  if (vector_bits == 512) return Measure(&Run512, &Feed512, 16, runs);
  return vector_bits == 256 ? Measure(&Run256, &Feed256, 8, runs) : Measure(&Run128, &Feed128, 4, runs);
}
#else
int FmaVectorBits() { return 0; }

FmaPeak MeasureFmaPeak(int, int) { return {}; }
#endif

}  // namespace plumb
