// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/device/cpu/thread_pool.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "runtime/device/cpu/cores.h"

namespace plumb {
namespace {

/// Two rows of numbers: every other task reads the one and writes the other.
struct Table {
  explicit Table(uint64_t chunks)
      : chunks(chunks), rows{std::vector<uint64_t>(chunks), std::vector<uint64_t>(chunks)} {}
  uint64_t chunks;
  std::vector<uint64_t> rows[2];
};

/// Plain counters, one per chunk, so that a second run of one, or one at the same time, is seen.
struct Counts {
  std::vector<uint64_t> values;
};

void Count(const void* arguments, uint64_t chunk) {
  ++static_cast<Counts*>(const_cast<void*>(arguments))->values[chunk];
}

/// Each chunk adds its neighbour's value, which another thread may have written in the task before.
template <int kFrom>
void AddNeighbour(const void* arguments, uint64_t chunk) {
  Table& table = *static_cast<Table*>(const_cast<void*>(arguments));
  const std::vector<uint64_t>& from = table.rows[kFrom];
  table.rows[1 - kFrom][chunk] = from[chunk] * 3 + from[(chunk + 1) % table.chunks] + chunk;
}

void Sleep(const void*, uint64_t) { std::this_thread::sleep_for(std::chrono::microseconds(50)); }

std::vector<uint64_t> RunTable(ThreadPool& pool, uint32_t threads, uint64_t chunks, uint64_t tasks) {
  Table table(chunks);
  std::vector<plumb_task_t> code;
  for (uint64_t i = 0; i < tasks; ++i) code.push_back({i % 2 ? &AddNeighbour<1> : &AddNeighbour<0>, chunks});
  pool.Run(threads, code.data(), code.size(), &table);
  pool.Quiesce();
  return table.rows[tasks % 2];
}

TEST(ThreadPoolTest, RunsEveryChunkOnce) {
  auto pool = ThreadPool::Share(4).value();
  for (uint64_t chunks : {1, 2, 3, 4, 7, 64, 1000, 1023, 1024, 5000}) {
    Counts counts{std::vector<uint64_t>(chunks)};
    const plumb_task_t task = {&Count, chunks};
    for (uint64_t round = 1; round <= 20; ++round) {
      for (uint32_t threads : {1u, 2u, 3u, 4u}) pool->Run(threads, &task, 1, &counts);
      ASSERT_EQ(counts.values, std::vector<uint64_t>(chunks, 4 * round)) << chunks;
    }
    pool->Quiesce();
  }
}

TEST(ThreadPoolTest, ATaskSeesWhatTheOneBeforeWrote) {
  auto pool = ThreadPool::Share(7).value();
  for (uint64_t chunks : {2, 5, 16}) {
    for (uint64_t tasks : {1, 2, 50, 3000}) {
      const std::vector<uint64_t> alone = RunTable(*pool, 1, chunks, tasks);
      for (uint32_t threads : {2u, 3u, 4u, 7u}) ASSERT_EQ(RunTable(*pool, threads, chunks, tasks), alone) << threads;
    }
  }
}

TEST(ThreadPoolTest, WorkersFallAsleepAndWakeUp) {
  auto pool = ThreadPool::Share(3).value();
  Counts counts{std::vector<uint64_t>(8)};
  static const plumb_task_t task = {&Count, 8};
  for (uint64_t round = 1; round <= 50; ++round) {
    pool->Run(3, &task, 1, &counts);
    ASSERT_EQ(counts.values, std::vector<uint64_t>(8, round));
    if (round % 10 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(3));
  }
}

TEST(ThreadPoolTest, ThreadsShareChunksThatSleep) {
  auto pool = ThreadPool::Share(4).value();
  static const plumb_task_t task = {&Sleep, 40};
  const auto start = std::chrono::steady_clock::now();
  pool->Run(4, &task, 1, nullptr);
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::microseconds(10 * 50));
}

TEST(ThreadPoolTest, SeveralCallersAtOnce) {
  auto pool = ThreadPool::Share(3).value();
  const std::vector<uint64_t> expected = RunTable(*pool, 1, 6, 40);
  std::vector<std::thread> callers;
  std::vector<int> wrong(4);
  for (int caller = 0; caller < 4; ++caller) {
    callers.emplace_back([&, caller] {
      for (int round = 0; round < 200; ++round) wrong[caller] += RunTable(*pool, 1 + caller % 3, 6, 40) != expected;
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(wrong, std::vector<int>(4));
}

TEST(ThreadPoolTest, NothingIsReadAfterQuiesce) {
  auto pool = ThreadPool::Share(4).value();
  for (int round = 0; round < 300; ++round) {
    // Freed memory that a late worker still reads is what address sanitizers look for.
    auto counts = std::make_unique<Counts>(Counts{std::vector<uint64_t>(3)});
    auto tasks = std::make_unique<std::vector<plumb_task_t>>(5, plumb_task_t{&Count, 3});
    pool->Run(4, tasks->data(), tasks->size(), counts.get());
    pool->Quiesce();
    ASSERT_EQ(counts->values, std::vector<uint64_t>(3, 5));
    std::fill(tasks->begin(), tasks->end(), plumb_task_t{nullptr, 0});
  }
}

TEST(ThreadPoolTest, OnePoolThatGrowsAndEnds) {
  auto small = ThreadPool::Share(2).value();
  auto large = ThreadPool::Share(5).value();
  EXPECT_EQ(small, large);
  small.reset();
  Counts counts{std::vector<uint64_t>(9)};
  static const plumb_task_t task = {&Count, 9};
  large->Run(5, &task, 1, &counts);
  large.reset();
  auto fresh = ThreadPool::Share(3).value();
  fresh->Run(3, &task, 1, &counts);
  EXPECT_EQ(counts.values, std::vector<uint64_t>(9, 2));
}

TEST(ThreadPoolTest, TooManyThreadsAreRefused) {
  auto pool = ThreadPool::Share(ThreadPool::kMaxThreads + 1);
  EXPECT_EQ(pool.status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(CoresTest, TheEnvironmentMayChoose) {
  EXPECT_GE(CountCores(), 1u);
  EXPECT_LE(CountCores(), std::max(1u, std::thread::hardware_concurrency()));
  unsetenv("PLUMB_THREADS");
  EXPECT_EQ(DefaultThreads(), CountCores());
  setenv("PLUMB_THREADS", "0", 1);
  EXPECT_EQ(DefaultThreads(), CountCores());
  setenv("PLUMB_THREADS", "3", 1);
  EXPECT_EQ(DefaultThreads(), 3u);
  for (const char* text : {"-1", "many", ""}) {
    setenv("PLUMB_THREADS", text, 1);
    EXPECT_EQ(DefaultThreads(), CountCores()) << text;
  }
  unsetenv("PLUMB_THREADS");
}

}  // namespace
}  // namespace plumb
