// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/tools/fma_peak.h"

#include <algorithm>
#include <chrono>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace plumb {

#if defined(__x86_64__)
namespace {

using Clock = std::chrono::steady_clock;

// Enough independent chains to cover four cycles of latency on two units, few enough to stay in registers.
constexpr int kChains = 12;
constexpr long kRounds = 2'000'000;

volatile float sink;

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

double Measure(void (*run)(long), int lanes, int runs) {
  double best = 0;
  run(kRounds);
  for (int i = 0; i < runs; ++i) {
    const auto start = Clock::now();
    run(kRounds);
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    best = std::max(best, 2.0 * lanes * kChains * kRounds / seconds / 1e9);
  }
  return best;
}

}  // namespace

int FmaVectorBits() {
  if (__builtin_cpu_supports("avx512f")) return 512;
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? 256 : 128;
}

double MeasureFmaPeak(int vector_bits, int runs) {
  if (vector_bits > FmaVectorBits()) return 0;
  if (vector_bits == 512) return Measure(&Run512, 16, runs);
  return vector_bits == 256 ? Measure(&Run256, 8, runs) : Measure(&Run128, 4, runs);
}
#else
int FmaVectorBits() { return 0; }

double MeasureFmaPeak(int, int) { return 0; }
#endif

}  // namespace plumb
