// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Worker threads that run the tasks of a step together with the device's own thread. Tasks run in order, with a barrier
// after each; the chunks of one task run in any order. Every thread owns a contiguous range of a task's chunks, the
// same range whenever an equal task runs, so that its data stay in its caches. A thread that has finished its own range
// steals chunks from the others'. The thread that runs a chunk has no influence on its result.
//
//   caller:  publishes a table of tasks and increments the epoch
//   worker:  spins on the epoch, and sleeps after a while without work
//   both:    for each task: run the own range and publish how many chunks that were; until all chunks are done, steal
//
// The barrier waits for chunks, not for threads: a worker that starts late, or never, only helps less. It costs one
// transfer of a cache line between cores. No system call, lock or allocation happens between two tasks of a table.

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
  /// An upper limit of the threads of a pool, its caller's included.
  static constexpr uint32_t kMaxThreads = 256;

  /// The pool of the process, with at least `threads` - 1 workers. It ends when the last owner releases it.
  static absl::StatusOr<std::shared_ptr<ThreadPool>> Share(uint32_t threads);

  /// Stops and joins the workers.
  ~ThreadPool();

  /// Runs tasks 0 … count-1 on the calling thread and up to `threads` - 1 workers; returns when all are done. Late
  /// workers may read `tasks` after that, so the table must stay unchanged until Quiesce. While another caller uses the
  /// workers, the calling thread runs everything alone.
  void Run(uint32_t threads, const plumb_task_t* tasks, uint64_t count, const void* arguments);

  /// Returns when no worker can read the tables and arguments of earlier calls of Run any more, so that they may be
  /// freed.
  void Quiesce();

 private:
  /// A published table. There are two, in alternation, so that one can be written while a late worker reads the other.
  struct Published {
    std::atomic<const plumb_task_t*> tasks{nullptr};
    std::atomic<const void*> arguments{nullptr};
    std::atomic<uint64_t> counts{0};  // of tasks in the low half, of threads in the high half
  };

  /// One call of Run as a thread sees it: a consistent copy of what was published.
  struct Region {
    uint64_t epoch;
    const plumb_task_t* tasks;
    const void* arguments;
    uint64_t count, threads;
  };

  /// One task of a region. Numbers increase over all tasks that the pool ever runs.
  struct Task {
    uint64_t number;
    const plumb_task_t* code;
    const void* arguments;
    uint64_t threads;  // that own a range of its chunks
    uint64_t begin(uint64_t thread) const { return thread * code->chunks / threads; }
  };

  /// The state of one thread, the caller's first. Counters that other threads read are on cache lines of their own; 128
  /// bytes apart, since processors fetch lines in pairs.
  struct Member {
    alignas(128) std::atomic<uint64_t> next{0};  // a task's number, and in the low bits the next chunk of the range
    std::atomic<uint64_t> reading{0};            // the epoch whose table the thread may read; 0: none
    alignas(128) std::atomic<uint64_t> done{0};  // a task's number, and in the low bits the chunks that the thread ran
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
  void RunTask(const Task& task, uint64_t threads, uint64_t self);
  uint64_t RunRange(const Task& task, uint64_t thread);
  bool Claim(const Task& task, uint64_t thread, uint64_t* chunk);
  void PublishDone(const Task& task, uint64_t self, uint64_t count);
  bool IsDone(const Task& task, uint64_t threads) const;
  void Work(uint64_t self, uint64_t seen);
  uint64_t WaitForEpoch(Member& member, uint64_t seen, bool spin);

  struct alignas(128) {
    std::atomic<uint64_t> epoch{0};
    Published published[2];
  } shared_;
  alignas(128) std::atomic<bool> busy_{false};
  std::atomic<bool> leaving_{false};
  std::mutex growing_;
  std::vector<std::unique_ptr<Member>> members_;  // kMaxThreads are reserved, so it never moves while workers read it
};

}  // namespace plumb

#endif  // PLUMB_RUNTIME_DEVICE_CPU_THREAD_POOL_H_
