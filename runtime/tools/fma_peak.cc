// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/tools/fma_peak.h"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace plumb {

#if defined(__x86_64__)
namespace {

using Clock = std::chrono::steady_clock;

// Enough independent chains to cover four cycles of latency on two units, few enough to stay in registers.
constexpr int kChains = 12;
// Rounds of all chains: milliseconds alone; about one fed, which settles the clock; microseconds behind that.
constexpr long kRounds = 2'000'000, kFedRounds = 300'000, kBurstRounds = 4'000;
// Numbers that stay in the nearest cache, and how many of them a round reads.
constexpr long kNumbers = 4096, kReads = 128;

volatile float sink;

// Of both signs, so that sums stay small.
const float* GetNumbers() {
  static float numbers[kNumbers + kReads];
  for (long i = 0; i < kNumbers + kReads; ++i) numbers[i] = static_cast<float>((i * 7919) % 2001 - 1000) / 2000;
  return numbers;
}

// FMAs on registers alone.
__attribute__((target("avx512f"))) void Run512(long rounds) {
  __m512 chain[kChains];
  for (int i = 0; i < kChains; ++i) chain[i] = _mm512_set1_ps(i);
  const __m512 factor = _mm512_set1_ps(0.9999f), term = _mm512_set1_ps(1e-4f);
  for (long round = 0; round < rounds; ++round) {
#pragma GCC unroll 12
    for (int i = 0; i < kChains; ++i) chain[i] = _mm512_fmadd_ps(chain[i], factor, term);
  }
  for (const __m512& value : chain) sink = sink + _mm512_reduce_add_ps(value);
}

// The register tile of a product: three rows of four vectors, fed from the nearest cache.
__attribute__((target("avx512f"))) void Feed512(long rounds, const float* numbers) {
  __m512 chain[kChains];
  for (int i = 0; i < kChains; ++i) chain[i] = _mm512_setzero_ps();
  for (long round = 0; round < rounds; ++round) {
    const float* from = numbers + round * kReads % kNumbers;
#pragma GCC unroll 12
    for (int i = 0; i < kChains; ++i)
      chain[i] = _mm512_fmadd_ps(_mm512_loadu_ps(from + 16 * (i % 4)), _mm512_set1_ps(from[64 + i / 4]), chain[i]);
  }
  for (const __m512& value : chain) sink = sink + _mm512_reduce_add_ps(value);
}

__attribute__((target("avx2,fma"))) void Run256(long rounds) {
  __m256 chain[kChains];
  for (int i = 0; i < kChains; ++i) chain[i] = _mm256_set1_ps(i);
  const __m256 factor = _mm256_set1_ps(0.9999f), term = _mm256_set1_ps(1e-4f);
  for (long round = 0; round < rounds; ++round) {
#pragma GCC unroll 12
    for (int i = 0; i < kChains; ++i) chain[i] = _mm256_fmadd_ps(chain[i], factor, term);
  }
  for (const __m256& value : chain) sink = sink + value[0];
}

__attribute__((target("avx2,fma"))) void Feed256(long rounds, const float* numbers) {
  __m256 chain[kChains];
  for (int i = 0; i < kChains; ++i) chain[i] = _mm256_setzero_ps();
  for (long round = 0; round < rounds; ++round) {
    const float* from = numbers + round * kReads % kNumbers;
#pragma GCC unroll 12
    for (int i = 0; i < kChains; ++i)
      chain[i] = _mm256_fmadd_ps(_mm256_loadu_ps(from + 8 * (i % 4)), _mm256_set1_ps(from[64 + i / 4]), chain[i]);
  }
  for (const __m256& value : chain) sink = sink + value[0];
}

// Without fused multiply-adds: a product and a sum each.
void Run128(long rounds) {
  __m128 chain[kChains];
  for (int i = 0; i < kChains; ++i) chain[i] = _mm_set1_ps(i);
  const __m128 factor = _mm_set1_ps(0.9999f), term = _mm_set1_ps(1e-4f);
  for (long round = 0; round < rounds; ++round) {
#pragma GCC unroll 12
    for (int i = 0; i < kChains; ++i) chain[i] = _mm_add_ps(_mm_mul_ps(chain[i], factor), term);
  }
  for (const __m128& value : chain) sink = sink + value[0];
}

void Feed128(long rounds, const float* numbers) {
  __m128 chain[kChains];
  for (int i = 0; i < kChains; ++i) chain[i] = _mm_setzero_ps();
  for (long round = 0; round < rounds; ++round) {
    const float* from = numbers + round * kReads % kNumbers;
#pragma GCC unroll 12
    for (int i = 0; i < kChains; ++i)
      chain[i] = _mm_add_ps(chain[i], _mm_mul_ps(_mm_loadu_ps(from + 4 * (i % 4)), _mm_set1_ps(from[64 + i / 4])));
  }
  for (const __m128& value : chain) sink = sink + value[0];
}

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
