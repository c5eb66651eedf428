// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the runtime costs beside the step: `bazel run -c opt //test/benchmarks:runtime_benchmark`.
//
//   GetNext      an iteration of a loop whose batch is ready, reports drained and dropped: under 50 ns
//   Reports/N    the same with N scalars that a handler reads, per scalar: under 30 ns
//   Guarded      the same as GetNext with a guard on the reported number
//   Publish      what a producer pays for a batch: slot, publication, statistics
//   Load         loading the executable that PLUMB_FILE names: LeNet's under 5 ms

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include "runtime/base/atomics.h"
#include "runtime/executable/executable.h"
#include "runtime/queue/queue.h"
#include "runtime/session/session.h"
#include "runtime/tools/empty_loop.h"

namespace plumb {
namespace {

constexpr int64_t kSteps = 1 << 20;

/// A session of the empty loop whose batches never end.
std::unique_ptr<Session> MakeSession() {
  auto session = Session::Create(MakeEmptyExecutable().value(), {}).value();
  Queue& queue = session->FindFeed("data").value()->queue();
  for (uint64_t n = 0; n < queue.abi()->depth; ++n) {
    std::memset(queue.Acquire(n).value(), 0, queue.abi()->slot_bytes);
    queue.Publish(n);
  }
  queue.MakeResident().IgnoreError();
  return session;
}

/// Seconds of a step, or of each of what it does, as a counter that Google Benchmark prints: 17.8n are 17.8 ns.
void Count(benchmark::State& state, int64_t per_step) {
  state.counters["each"] = benchmark::Counter(static_cast<double>(state.iterations() * kSteps * per_step),
                                              benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void GetNext(benchmark::State& state) {
  auto session = MakeSession();
  for (auto _ : state) benchmark::DoNotOptimize(session->Launch(0, kSteps, nullptr));
  Count(state, 1);
}
BENCHMARK(GetNext)->UseRealTime();

/// The record's one number read `scalars` times stands for as many reports.
void Reports(benchmark::State& state) {
  auto session = MakeSession();
  const int64_t scalars = state.range(0);
  double sum = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(session->Launch(0, kSteps, [&](uint64_t, const uint8_t* record) {
      for (int64_t i = 0; i < scalars; ++i) {
        float value;
        std::memcpy(&value, record + 8, sizeof(value));
        benchmark::DoNotOptimize(sum += value);
      }
    }));
  }
  Count(state, scalars);
}
BENCHMARK(Reports)->Arg(1)->Arg(16)->UseRealTime();

void Guarded(benchmark::State& state) {
  auto session = MakeSession();
  session->AddGuard(0, ParseGuardRule("finite:value").value()).IgnoreError();
  for (auto _ : state) benchmark::DoNotOptimize(session->Launch(0, kSteps, nullptr));
  Count(state, 1);
}
BENCHMARK(Guarded)->UseRealTime();

void Publish(benchmark::State& state) {
  auto queue = Queue::Create("data", 64, 16).value();
  uint64_t n = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(queue->Acquire(n).value());
    queue->Publish(n++);
    StoreRelease(&queue->abi()->consumed, n);
  }
}
BENCHMARK(Publish);

void Load(benchmark::State& state) {
  const char* path = std::getenv("PLUMB_FILE");
  if (path == nullptr) return state.SkipWithError("PLUMB_FILE names no executable");
  for (auto _ : state) {
    auto executable = Executable::Load(path);
    if (!executable.ok()) return state.SkipWithError(std::string(executable.status().message()).c_str());
  }
}
BENCHMARK(Load)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace plumb
