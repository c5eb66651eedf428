// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The threads that help the device's own thread with a step. A step's stages follow each other; a stage's work comes in
// grains. Each thread has a range of a stage's grains, the same range of equal stages every time, so that its data stay in
// its caches. Who is done with its own range takes grains from the others'. Which thread runs a grain changes nothing that
// the grain computes.
//
//   caller:  write the region, raise the epoch ─┐
//   worker:  spin on the epoch, asleep after a while ─┤
//   both:    for each stage: own range, say how many; not all done yet? others' ranges, say how many; wait for the rest
//
// Nobody waits for a thread, only for grains: a worker that comes late, or not at all, costs nothing but its help. Between
// two stages lies one way of a cache line from core to core. While stages follow each other nobody makes a system call,
// takes a lock or allocates.

#ifndef PLUMB_RUNTIME_DEVICE_CPU_THREAD_POOL_H_
#define PLUMB_RUNTIME_DEVICE_CPU_THREAD_POOL_H_

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/abi/executable_abi.h"

namespace plumb {

class ThreadPool {
 public:
  /// Threads that a pool has at most, its caller's included.
  static constexpr uint32_t kMostThreads = 256;

  /// The pool of the process, with `threads` - 1 workers or more. It ends with the last of those who share it.
  static absl::StatusOr<std::shared_ptr<ThreadPool>> Share(uint32_t threads);

  /// Stops and joins the workers.
  ~ThreadPool();

  /// Runs stages 0 … count-1 on the calling thread and up to `threads` - 1 workers; returns when all are done. `stages` stay
  /// as they are until Forget, since late workers look at them. When another caller uses the workers just now, the calling
  /// thread runs everything.
  void Run(uint32_t threads, const plumb_stage_t* stages, uint64_t count, const void* arguments);

  /// Returns when no worker looks any more at what the caller's runs, which are over, were given.
  void Forget();

 private:
  /// What is to be done. Two of them take turns: while a late worker still looks at one, the other is written.
  struct Board {
    std::atomic<const plumb_stage_t*> stages{nullptr};
    std::atomic<const void*> arguments{nullptr};
    std::atomic<uint64_t> shape{0};  // the number of stages and, in the high half, of threads
  };

  /// The same as one thread sees it.
  struct Region {
    uint64_t epoch;
    const plumb_stage_t* stages;
    const void* arguments;
    uint64_t count, threads;
  };

  /// One stage of a region. Its number grows over all stages that the pool ever runs.
  struct Stage {
    uint64_t number;
    const plumb_stage_t* code;
    const void* arguments;
    uint64_t threads;  // that have a range of its grains
    uint64_t begin(uint64_t thread) const { return thread * code->grains / threads; }
  };

  /// One per thread, the caller's first. What others look at while it changes lies apart from what they do not; by 128
  /// bytes, as cache lines are fetched in pairs.
  struct Member {
    alignas(128) std::atomic<uint64_t> next{0};  // a stage's number, and in the low bits the next grain of the range
    std::atomic<uint64_t> inside{0};             // the epoch whose region it looks at; 0: none
    alignas(128) std::atomic<uint64_t> done{0};  // a stage's number, and in the low bits the grains that it ran
    alignas(128) std::atomic<bool> asleep{false};
    std::mutex mutex;
    std::condition_variable changed;
    std::thread thread;
  };

  ThreadPool();
  absl::Status Grow(uint32_t threads);
  void Publish(const Region& region);
  bool Enter(uint64_t epoch, Member& member, Region* region) const;
  void RunRegion(const Region& region, uint64_t self);
  void RunStage(const Stage& stage, uint64_t threads, uint64_t self);
  uint64_t RunRange(const Stage& stage, uint64_t thread);
  bool Take(const Stage& stage, uint64_t thread, uint64_t* grain);
  void Say(const Stage& stage, uint64_t self, uint64_t count);
  bool IsDone(const Stage& stage, uint64_t threads) const;
  void Work(uint64_t self, uint64_t seen);
  uint64_t WaitForEpoch(Member& member, uint64_t seen, bool spin);

  struct alignas(128) {
    std::atomic<uint64_t> epoch{0};
    Board boards[2];
  } shared_;
  alignas(128) std::atomic<bool> busy_{false};
  std::atomic<bool> leaving_{false};
  std::mutex growing_;
  std::vector<std::unique_ptr<Member>> members_;  // never moves: room for kMostThreads from the beginning
};

}  // namespace plumb

#endif  // PLUMB_RUNTIME_DEVICE_CPU_THREAD_POOL_H_
