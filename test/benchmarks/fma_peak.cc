// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures the limit of one core: single-precision multiply-adds per second on registers alone. Prints one JSON line with
// GFLOP/s (two per multiply-add) and the vector length in bits.

#include <immintrin.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace {

using Clock = std::chrono::steady_clock;

// Enough independent chains to cover four cycles of latency on two units, few enough to stay in registers.
constexpr int kChains = 12;
constexpr long kRounds = 20'000'000;

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

// The best of several runs, in GFLOP/s.
double Measure(void (*run)(long), int lanes) {
  double best = 0;
  run(kRounds / 20);
  for (int i = 0; i < 7; ++i) {
    const auto start = Clock::now();
    run(kRounds);
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    best = std::max(best, 2.0 * lanes * kChains * kRounds / seconds / 1e9);
  }
  return best;
}

}  // namespace

int main() {
  const bool avx512 = __builtin_cpu_supports("avx512f");
  if (!avx512 && !(__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))) {
    std::fprintf(stderr, "fma_peak: this CPU has no fused multiply-add\n");
    return 1;
  }
  const double gflops = avx512 ? Measure(Run512, 16) : Measure(Run256, 8);
  std::printf("{\"gflops\": %.1f, \"vector_bits\": %d}\n", gflops, avx512 ? 512 : 256);
}
