// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures the core that it runs on, and prints the numbers as a function for compiler/target/MachineModel.cpp, each
// with the way it was found. Of `--runs=N` runs (default 400) of each loop the fastest counts: others may run on the
// machine. Cycles are those of a chain of dependent integer additions, one each. Numbers that are not printed keep
// their defaults; MachineModel.h says how to measure them.

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "runtime/tools/fma_peak.h"

namespace {

constexpr long kLineBytes = 64, kChains = 12, kRounds = 4000;
// No cache holds two blocks of that size; with few runs, blocks behind most second caches do.
constexpr long kMemoryBytes = 128l << 20, kQuickBytes = 16l << 20;
// Of the vectors that loads go through, which the first cache holds.
constexpr long kNearBytes = 8192;

#if defined(__x86_64__)
#define PLUMB_512 __attribute__((target("avx512f")))
#define PLUMB_256 __attribute__((target("avx2,fma")))
#define PLUMB_VECTOR(value) "+x"(value)
#else
#define PLUMB_512
#define PLUMB_256
#define PLUMB_VECTOR(value) "+w"(value)
#endif

template <int kLanes>
using Vector __attribute__((vector_size(4 * kLanes))) = float;

// Keeps the compiler from dropping results that nothing reads.
volatile float sink;

// ---- Loops. Each runs `rounds` rounds of kChains steps.

void AddChain(long rounds, const char*) {
  long sum = rounds, step = 3;
  for (long round = 0; round < rounds; ++round) {
#pragma unroll 12
    for (long i = 0; i < kChains; ++i) {
      sum += step;
      asm volatile("" : "+r"(sum));
    }
  }
}

// Six independent instructions a step, for units of their own on all processors: two loads, two additions of integers
// and two of vectors.
constexpr long kMixed = 6;

void Mix(long rounds, const char* from) {
  using Words __attribute__((vector_size(16))) = int;
  Words left = {}, right = {}, one = Words{} + 1;
  long first = 0, second = 0, step = rounds;
  for (long round = 0; round < rounds; ++round) {
#pragma unroll 12
    for (long i = 0; i < kChains; ++i) {
      const long load = *reinterpret_cast<const volatile long*>(from);
      const long other = *reinterpret_cast<const volatile long*>(from + kLineBytes);
      left += one;
      right += one;
      first += step;
      second += step;
      asm volatile("" : "+r"(first), "+r"(second), PLUMB_VECTOR(left), PLUMB_VECTOR(right) : "r"(load), "r"(other));
    }
  }
  sink = static_cast<float>(left[0] + right[0] + first + second);
}

template <int kLanes>
__attribute__((always_inline)) inline void MultiplyChain(long rounds) {
  Vector<kLanes> sum = {}, factor = Vector<kLanes>{} + 0.5f;
  for (long round = 0; round < rounds; ++round) {
#pragma unroll 12
    for (long i = 0; i < kChains; ++i) sum = sum * factor + factor;
  }
  sink = sum[0];
}

template <int kLanes>
__attribute__((always_inline)) inline void MultiplyAlone(long rounds) {
  Vector<kLanes> sums[kChains] = {}, factor = Vector<kLanes>{} + 0.5f;
  for (long round = 0; round < rounds; ++round) {
#pragma unroll 12
    for (long i = 0; i < kChains; ++i) sums[i] = sums[i] * factor + factor;
  }
  for (const auto& sum : sums) sink = sum[0];
}

template <int kLanes>
__attribute__((always_inline)) inline void MultiplyLoaded(long rounds, const char* from) {
  Vector<kLanes> sums[kChains] = {}, factor = Vector<kLanes>{} + 0.5f;
  for (long round = 0; round < rounds; ++round) {
    const char* here = from + round * kChains * kLineBytes % kNearBytes;
#pragma unroll 12
    for (long i = 0; i < kChains; ++i) {
      Vector<kLanes> loaded;
      std::memcpy(&loaded, here + i * kLineBytes, sizeof(loaded));
      sums[i] = loaded * factor + sums[i];
    }
  }
  for (const auto& sum : sums) sink = sum[0];
}

using Loop = void (*)(long rounds, const char* from);

struct Loops {
  int bits;
  Loop chain, alone, loaded;
};

PLUMB_512 void Chain512(long rounds, const char*) { MultiplyChain<16>(rounds); }
PLUMB_512 void Alone512(long rounds, const char*) { MultiplyAlone<16>(rounds); }
PLUMB_512 void Loaded512(long rounds, const char* from) { MultiplyLoaded<16>(rounds, from); }
PLUMB_256 void Chain256(long rounds, const char*) { MultiplyChain<8>(rounds); }
PLUMB_256 void Alone256(long rounds, const char*) { MultiplyAlone<8>(rounds); }
PLUMB_256 void Loaded256(long rounds, const char* from) { MultiplyLoaded<8>(rounds, from); }
void Chain128(long rounds, const char*) { MultiplyChain<4>(rounds); }
void Alone128(long rounds, const char*) { MultiplyAlone<4>(rounds); }
void Loaded128(long rounds, const char* from) { MultiplyLoaded<4>(rounds, from); }

Loops GetLoops(int bits) {
  if (bits == 512) return {bits, Chain512, Alone512, Loaded512};
  if (bits == 256) return {bits, Chain256, Alone256, Loaded256};
  return {128, Chain128, Alone128, Loaded128};
}

// ---- Times

double Time(const std::function<void()>& run) {
  const auto start = std::chrono::steady_clock::now();
  run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// The fastest of several runs in cycles. The clock is measured in between, as it moves.
class Meter {
 public:
  explicit Meter(int runs) : runs_(runs) {}

  double Cycles(const std::function<void()>& run) const {
    double least = 1e9, tick = 1e9;
    run();
    for (int i = 0; i < runs_; ++i) {
      tick = std::min(tick, Time([] { AddChain(kRounds, nullptr); }) / (kRounds * kChains));
      least = std::min(least, Time(run));
    }
    return least / tick;
  }

  double CyclesPerStep(Loop loop, const char* from = nullptr) const {
    return Cycles([&] { loop(kRounds, from); }) / (kRounds * kChains);
  }

  Meter WithRuns(int runs) const { return Meter(std::min(runs, runs_)); }

 private:
  int runs_;
};

// ---- Memory

// Reads `bytes` bytes in order, one line after the other.
void ReadLines(const char* from, long bytes) {
  long sum = 0;
  for (long at = 0; at < bytes; at += kLineBytes) {
    for (long part = 0; part < kLineBytes; part += 16) {
      long value;
      std::memcpy(&value, from + at + part, sizeof(value));
      sum += value;
    }
    asm volatile("" : "+r"(sum));
  }
}

double CyclesPerLine(const Meter& meter, const std::vector<char>& block, long bytes) {
  const long times = std::max(1l, 65536 / bytes);
  const auto read = [&] {
    for (long i = 0; i < times; ++i) ReadLines(block.data(), bytes);
  };
  return meter.Cycles(read) / static_cast<double>(times * bytes / kLineBytes);
}

// Bytes read and written per cycle by copies of blocks of that size.
double CopiedPerCycle(const Meter& meter, std::vector<char>& block, long bytes) {
  char* to = block.data() + block.size() / 2;
  return 2.0 * bytes / meter.Cycles([&] {
    std::memcpy(to, block.data(), bytes);
    asm volatile("" : : "r"(to) : "memory");
  });
}

struct Cache {
  long sets = 0, ways = 0;
  long bytes() const { return sets * ways * kLineBytes; }
};

// What Linux knows of a data cache; zeros where it does not say.
Cache FindCache(int level) {
  for (int index = 0; index < 8; ++index) {
    const std::string folder = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/";
    std::string type;
    int found = 0;
    Cache cache;
    std::ifstream(folder + "type") >> type;
    std::ifstream(folder + "level") >> found;
    std::ifstream(folder + "number_of_sets") >> cache.sets;
    std::ifstream(folder + "ways_of_associativity") >> cache.ways;
    if (found == level && type != "Instruction" && cache.bytes() > 0) return cache;
  }
  return {};
}

// ---- The model

std::string ProcessorName() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.rfind("model name", 0) == 0 && line.find(": ") != std::string::npos)
      return line.substr(line.find(": ") + 2);
  return "a processor of unknown name";
}

void Print(const char* name, double value, const char* how) {
  const int digits = value == static_cast<long>(value) ? 0 : 2;
  std::printf("  machine.%s = %.*f; // %s\n", name, digits, value, how);
}

void PrintVectors(const Meter& meter, const Loops& loops, const char* near) {
  Print("vectorBits", loops.bits, "the processor's longest vectors, from its features");
#if defined(__x86_64__)
  Print("registers", loops.bits == 512 ? 32 : 16, "from the instruction set");
#else
  Print("registers", 32, "from the instruction set");
#endif
  Print("fmaLatency", meter.CyclesPerStep(loops.chain), "cycles of a chain of dependent multiply-adds, each");
  Print("fmasPerCycle", 1 / meter.CyclesPerStep(loops.alone), "twelve independent chains of multiply-adds");
  Print("loadCycles", meter.CyclesPerStep(loops.loaded, near), "twelve chains that load a vector from L1 each");
  Print("issueWidth", kMixed / meter.CyclesPerStep(Mix, near),
        "instructions per cycle of independent loads and additions of integers and vectors");
}

void PrintCaches(const Meter& meter, const std::vector<char>& block) {
  const Cache first = FindCache(1), second = FindCache(2);
  if (first.bytes() == 0 || second.bytes() == 0) {
    std::printf("  // The system does not say what caches there are.\n");
    return;
  }
  const double near = CyclesPerLine(meter, block, first.bytes() / 2);
  const double middle = CyclesPerLine(meter, block, (first.bytes() + second.bytes()) / 2);
  const double far = CyclesPerLine(meter.WithRuns(50), block, static_cast<long>(block.size()));
  std::printf(
      "  // Sets and ways from Linux; cycles of lines read in order, less those of lines from the cache before.\n"
      "  machine.caches = {{{%ld, %ld, %.2f}, {%ld, %ld, %.2f}}};\n",
      first.sets, first.ways, std::max(0.0, middle - near), second.sets, second.ways, std::max(0.0, far - middle));
}

void PrintBandwidths(const Meter& meter, std::vector<char>& block) {
  if (const Cache second = FindCache(2); second.bytes() > 0)
    Print("l2BytesPerCycle", CopiedPerCycle(meter, block, second.bytes() / 4),
          "copies within a half of L2, read and written");
  Print("memoryBytesPerCycle", CopiedPerCycle(meter.WithRuns(50), block, static_cast<long>(block.size()) / 2),
        "copies of a block beyond the caches, read and written");
  Print("pageBytes", static_cast<double>(sysconf(_SC_PAGESIZE)), "from the system");
}

}  // namespace

int main(int argc, char** argv) {
  int runs = 400;
  for (int i = 1; i < argc; ++i) {
    if (std::strncmp(argv[i], "--runs=", 7) == 0) runs = std::max(1, std::atoi(argv[i] + 7));
  }
  const Meter meter(runs);
  std::vector<char> block(runs < 50 ? kQuickBytes : kMemoryBytes, 1);
  alignas(kLineBytes) static char near[2 * kNearBytes];
  std::printf("/// %s, measured by tools/dev/measure_machine: the fastest of %d runs each.\n", ProcessorName().c_str(),
              runs);
  std::printf("MachineModel MachineModel::getMeasured() {\n  MachineModel machine;\n");
  PrintVectors(meter, GetLoops(plumb::FmaVectorBits()), near);
  PrintCaches(meter, block);
  PrintBandwidths(meter, block);
  std::printf("  return machine;\n}\n");
}
