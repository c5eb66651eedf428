// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why every chunk runs exactly once. Tasks are numbered: the region's epoch, then the index in the region. Both
// counters of a member, `next` and `done`, contain the number of the task that they refer to, so that nothing is reset
// between tasks: a `next` of an older task means that no chunk of the range is claimed yet. Chunks are claimed by
// compare-and-swap. After the end of a task, the `next` of each range is at the range's end or at a later task, so a
// late thread finds nothing to claim.
//
// A task has ended when the `done` counts of its number add up to all its chunks, or when some member's `done` has a
// later number, since a member publishes that only after it has seen the end of the earlier task.

#include "runtime/device/cpu/thread_pool.h"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "runtime/device/cpu/signals.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace plumb {
namespace {

/// Low bits of `next` and `done`, and of a task's number.
constexpr int kChunkBits = 10, kTaskBits = 10;
constexpr uint64_t kMaxChunks = (1 << kChunkBits) - 1, kMaxTasks = 1 << kTaskBits;
/// How long a worker spins for the next table: longer than the parts of a step that run on one thread, shorter than a
/// wait for data.
constexpr std::chrono::microseconds kSpinTime(200);
constexpr int kPausesPerClockRead = 64;
/// The other threads have mostly almost finished by then, and stealing earlier would move their cache lines.
constexpr int kPausesBeforeStealing = 24;
/// From then on a thread that waits for the last chunks of a task yields its core to other threads.
constexpr int kPausesBeforeYield = 20000;

void Pause() {
#if defined(__x86_64__)
  _mm_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Steps treat denormal numbers as zero. Compiled loops set this mode on the device's thread; workers set it here.
void FlushDenormals() {
#if defined(__x86_64__)
  _mm_setcsr(_mm_getcsr() | 0x8040);
#elif defined(__aarch64__)
  uint64_t mode;
  asm volatile("mrs %0, fpcr" : "=r"(mode));
  asm volatile("msr fpcr, %0" : : "r"(mode | uint64_t{1} << 24));
#endif
}

void RunAlone(const plumb_task_t* tasks, uint64_t count, const void* arguments) {
  for (const plumb_task_t* task = tasks; task != tasks + count; ++task) {
    for (uint64_t chunk = 0; chunk < task->chunks; ++chunk) task->run(arguments, chunk);
  }
}

}  // namespace

ThreadPool::ThreadPool() {
  members_.reserve(kMaxThreads);
  members_.push_back(std::make_unique<Member>());
}

absl::StatusOr<std::shared_ptr<ThreadPool>> ThreadPool::Share(uint32_t threads) {
  static std::mutex mutex;
  static std::weak_ptr<ThreadPool>* const current = new std::weak_ptr<ThreadPool>;
  std::lock_guard<std::mutex> lock(mutex);
  std::shared_ptr<ThreadPool> pool = current->lock();
  if (pool == nullptr) {
    pool.reset(new ThreadPool);
    *current = pool;
  }
  absl::Status grown = pool->Grow(threads);
  if (!grown.ok()) return grown;
  return pool;
}

absl::Status ThreadPool::Grow(uint32_t threads) {
  if (threads > kMaxThreads) {
    return absl::InvalidArgumentError(absl::StrCat("at most ", kMaxThreads, " threads can run a step, not ", threads));
  }
  std::lock_guard<std::mutex> lock(growing_);
  for (uint64_t self = members_.size(); self < threads; ++self) {
    auto member = std::make_unique<Member>();
    Member* raw = member.get();
    members_.push_back(std::move(member));
    try {
      raw->thread = std::thread([this, self, seen = shared_.epoch.load()] { Work(self, seen); });
    } catch (const std::system_error& error) {
      members_.pop_back();
      return absl::ResourceExhaustedError(absl::StrCat("the system gives no thread ", self + 1, " for the CPU device"));
    }
  }
  return absl::OkStatus();
}

ThreadPool::~ThreadPool() {
  leaving_ = true;
  for (auto& member : members_) {
    std::lock_guard<std::mutex> lock(member->mutex);
    member->changed.notify_all();
  }
  for (auto& member : members_) {
    if (member->thread.joinable()) member->thread.join();
  }
}

void ThreadPool::Run(uint32_t threads, const plumb_task_t* tasks, uint64_t count, const void* arguments) {
  if (threads < 2 || busy_.exchange(true, std::memory_order_acquire)) return RunAlone(tasks, count, arguments);
  for (uint64_t first = 0; first < count; first += kMaxTasks) {
    const uint64_t epoch = shared_.epoch.load(std::memory_order_relaxed) + 1;
    const Region region = {epoch, tasks + first, arguments, std::min(count - first, kMaxTasks), threads};
    Publish(region);
    RunRegion(region, 0);
  }
  busy_.store(false, std::memory_order_release);
}

void ThreadPool::Publish(const Region& region) {
  Published& published = shared_.published[region.epoch % 2];
  published.tasks.store(region.tasks, std::memory_order_release);
  published.arguments.store(region.arguments, std::memory_order_release);
  published.counts.store(region.threads << 32 | region.count, std::memory_order_release);
  // Sequential consistency: either this thread sees that a worker is asleep, or the worker sees the new epoch before it
  // sleeps.
  shared_.epoch.store(region.epoch, std::memory_order_seq_cst);
  for (uint64_t thread = 1; thread < region.threads; ++thread) {
    Member& member = *members_[thread];
    if (!member.asleep.load(std::memory_order_seq_cst)) continue;
    std::lock_guard<std::mutex> lock(member.mutex);
    member.changed.notify_one();
  }
}

/// Copies the table of `epoch`; false if it has been replaced already.
bool ThreadPool::Enter(uint64_t epoch, Member& member, Region* region) const {
  const Published& published = shared_.published[epoch % 2];
  region->epoch = epoch;
  region->tasks = published.tasks.load(std::memory_order_acquire);
  region->arguments = published.arguments.load(std::memory_order_acquire);
  const uint64_t counts = published.counts.load(std::memory_order_acquire);
  region->count = counts & UINT32_MAX;
  region->threads = counts >> 32;
  // This copy is consistent if the epoch is still the same: it is overwritten only after the next epoch was published,
  // and a thread that read such a write sees that epoch, too. And either Quiesce sees that this thread is reading, or
  // this thread sees the epoch that Quiesce published.
  member.reading.store(epoch, std::memory_order_seq_cst);
  return shared_.epoch.load(std::memory_order_seq_cst) == epoch;
}

void ThreadPool::Quiesce() {
  while (busy_.exchange(true, std::memory_order_acquire)) sched_yield();
  const uint64_t epoch = shared_.epoch.load(std::memory_order_relaxed) + 1;
  Publish({epoch, nullptr, nullptr, /*count=*/0, /*threads=*/0});
  for (auto& member : members_) {
    for (uint64_t read; (read = member->reading.load(std::memory_order_seq_cst)) != 0 && read < epoch;) sched_yield();
  }
  busy_.store(false, std::memory_order_release);
}

void ThreadPool::RunRegion(const Region& region, uint64_t self) {
  for (uint64_t i = 0; i < region.count; ++i) {
    const plumb_task_t* code = region.tasks + i;
    const Task task = {region.epoch << kTaskBits | i, code, region.arguments, std::min(region.threads, code->chunks)};
    RunTask(task, region.threads, self);
  }
}

/// Returns when the task has ended. Only the caller runs a task of one chunk: the data of most of them are in its
/// caches.
void ThreadPool::RunTask(const Task& task, uint64_t threads, uint64_t self) {
  uint64_t count = 0;
  const bool is_shared = task.code->chunks > 1 && task.code->chunks <= kMaxChunks;
  if (is_shared) {
    if (self < task.threads) PublishDone(task, self, count = RunRange(task, self));
  } else if (self == 0) {
    RunAlone(task.code, 1, task.arguments);
    PublishDone(task, self, task.code->chunks);
  }
  for (int pauses = 0; !IsDone(task, threads); ++pauses) {
    if (pauses == kPausesBeforeStealing && is_shared) {
      for (uint64_t i = 1; i < task.threads; ++i) {
        PublishDone(task, self, count += RunRange(task, (self + i) % task.threads));
      }
    } else if (pauses < kPausesBeforeYield) {
      Pause();
    } else {
      sched_yield();  // the system has interrupted a thread in the middle of a chunk
    }
  }
}

/// Runs the chunks of a thread's range that are not claimed yet; returns how many.
uint64_t ThreadPool::RunRange(const Task& task, uint64_t thread) {
  uint64_t count = 0;
  for (uint64_t chunk; Claim(task, thread, &chunk); ++count) task.code->run(task.arguments, chunk);
  return count;
}

/// Claims the next chunk of a thread's range; false if all are claimed.
bool ThreadPool::Claim(const Task& task, uint64_t thread, uint64_t* chunk) {
  std::atomic<uint64_t>& next = members_[thread]->next;
  const uint64_t end = task.begin(thread + 1);
  uint64_t value = next.load(std::memory_order_relaxed);
  for (;;) {
    const uint64_t number = value >> kChunkBits;
    if (number > task.number) return false;
    *chunk = number == task.number ? value & kMaxChunks : task.begin(thread);
    if (*chunk >= end) return false;
    const uint64_t claimed = task.number << kChunkBits | (*chunk + 1);
    if (next.compare_exchange_weak(value, claimed, std::memory_order_relaxed)) return true;
  }
}

/// Publishes how many chunks of the task this thread has run. A thread that has run none publishes nothing, so that its
/// `done` never refers to a task that has already ended.
void ThreadPool::PublishDone(const Task& task, uint64_t self, uint64_t count) {
  if (count == 0) return;
  const uint64_t chunks = std::min(count, kMaxChunks);
  members_[self]->done.store(task.number << kChunkBits | chunks, std::memory_order_release);
}

bool ThreadPool::IsDone(const Task& task, uint64_t threads) const {
  uint64_t left = std::min(task.code->chunks, kMaxChunks);
  for (uint64_t thread = 0; thread < threads; ++thread) {
    const uint64_t done = members_[thread]->done.load(std::memory_order_acquire);
    const uint64_t number = done >> kChunkBits;
    if (number > task.number) return true;
    if (number == task.number) left -= done & kMaxChunks;
  }
  return left == 0;
}

/// Waits for an epoch after `seen`, or for the end of the pool; sleeps at once unless `spin`.
uint64_t ThreadPool::WaitForEpoch(Member& member, uint64_t seen, bool spin) {
  std::chrono::steady_clock::time_point end;
  for (int pauses = 1; spin; ++pauses) {
    const uint64_t epoch = shared_.epoch.load(std::memory_order_acquire);
    if (epoch != seen || leaving_.load(std::memory_order_relaxed)) return epoch;
    Pause();
    if (pauses % kPausesPerClockRead != 0) continue;
    const auto now = std::chrono::steady_clock::now();
    if (pauses == kPausesPerClockRead) end = now + kSpinTime;
    spin = now < end;
  }
  std::unique_lock<std::mutex> lock(member.mutex);
  member.asleep.store(true, std::memory_order_seq_cst);
  member.changed.wait(lock, [&] { return shared_.epoch.load(std::memory_order_seq_cst) != seen || leaving_; });
  member.asleep.store(false, std::memory_order_relaxed);
  return shared_.epoch.load(std::memory_order_acquire);
}

void ThreadPool::Work(uint64_t self, uint64_t seen) {
  BlockSignals();
  FlushDenormals();
  pthread_setname_np(pthread_self(), absl::StrCat("plumb-", self).c_str());
  Member& member = *members_[self];
  for (bool spin = true;;) {
    seen = WaitForEpoch(member, seen, spin);
    if (leaving_.load(std::memory_order_relaxed)) return;
    Region region;
    if (Enter(seen, member, &region)) {
      // A worker does not spin for sessions with fewer threads, in which it has no part.
      spin = self < region.threads;
      if (spin) RunRegion(region, self);
    }
    member.reading.store(0, std::memory_order_release);
  }
}

}  // namespace plumb
