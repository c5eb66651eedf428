// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures the limit of one core: single-precision multiply-adds per second. Prints one JSON line with GFLOP/s (two per
// multiply-add) at the clock of work that is fed from the cache, those of registers alone, and the vector length in
// bits: the processor's longest, or the one of the argument.

#include "runtime/tools/fma_peak.h"

#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
  const int bits = argc > 1 ? std::atoi(argv[1]) : plumb::FmaVectorBits();
  const plumb::FmaPeak peak = plumb::MeasureFmaPeak(bits, 40);
  if (peak.alone == 0) {
    std::fprintf(stderr, "fma_peak: this CPU has no such multiply-add\n");
    return 1;
  }
  std::printf("{\"gflops\": %.1f, \"alone_gflops\": %.1f, \"vector_bits\": %d}\n", peak.fed, peak.alone, bits);
}
