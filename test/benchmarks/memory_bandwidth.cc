// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bandwidth of memcpy on blocks of so many bytes each (arguments): bytes read and written a second, median and best of
// several runs over warm blocks, by the processor's time: others may run on the machine. Prints a line of JSON for
// each.

#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

double ProcessorSeconds() {
  timespec used = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

/// Seconds of `times` copies.
double Copy(std::vector<char>& to, const std::vector<char>& from, long times) {
  const double start = ProcessorSeconds();
  for (long i = 0; i < times; ++i) {
    std::memcpy(to.data(), from.data(), from.size());
    asm volatile("" : : "r"(to.data()) : "memory");
  }
  return ProcessorSeconds() - start;
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const size_t size = std::strtoull(argv[i], nullptr, 10);
    std::vector<char> from(size, 1), to(size);
    const long times = std::max(1L, static_cast<long>(0.02 / std::max(Copy(to, from, 2) / 2, 1e-8)));
    std::vector<double> speeds;
    for (int run = 0; run < 9; ++run) {
      speeds.push_back(2.0 * static_cast<double>(size) * static_cast<double>(times) / Copy(to, from, times) / 1e9);
    }
    std::sort(speeds.begin(), speeds.end());
    std::printf("{\"bytes\": %zu, \"gb_per_s\": %.2f, \"best\": %.2f}\n", size, speeds[4], speeds.back());
  }
}
