// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why no grain is lost or run twice. Stages are numbered: the region's epoch, then the place in the region. `next` and
// `done` of a member carry the number of the stage that they speak of, so that nothing has to be reset in between: a `next`
// of an older stage means that nobody has taken a grain of the range yet. Grains are taken by compare-and-swap. When a
// stage is over, all its ranges stand at their ends or at a later stage, and who still looks at it finds nothing to take.
//
// A stage is over when the grains that its members say they ran are all there are, or when one member speaks of a later
// stage, which it does only after it saw the same.

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

/// Low bits of `next` and `done`, and of a stage's number.
constexpr int kGrainBits = 10, kStageBits = 10;
constexpr uint64_t kMostGrains = (1 << kGrainBits) - 1, kMostStages = 1 << kStageBits;
/// How long a worker spins for the next job: longer than what a step does on one thread, shorter than a wait for data.
constexpr std::chrono::microseconds kSpinTime(200);
/// Pauses between two looks at the clock; before a thread looks for grains of others, who mostly are about to be done, and
/// would only be disturbed; and for the last grains of a stage before the system may run something else.
constexpr int kPausesPerLook = 64;
constexpr int kPausesBeforeHelp = 24;
constexpr int kPausesForGrains = 20000;

void Pause() {
#if defined(__x86_64__)
  _mm_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Numbers below the normal range are zero in a step; compiled loops switch to that for the device's thread.
void FlushDenormals() {
#if defined(__x86_64__)
  _mm_setcsr(_mm_getcsr() | 0x8040);
#elif defined(__aarch64__)
  uint64_t mode;
  asm volatile("mrs %0, fpcr" : "=r"(mode));
  asm volatile("msr fpcr, %0" : : "r"(mode | uint64_t{1} << 24));
#endif
}

void RunAlone(const plumb_stage_t* stages, uint64_t count, const void* arguments) {
  for (const plumb_stage_t* stage = stages; stage != stages + count; ++stage) {
    for (uint64_t grain = 0; grain < stage->grains; ++grain) stage->run(arguments, grain);
  }
}

}  // namespace

ThreadPool::ThreadPool() {
  members_.reserve(kMostThreads);
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
  if (threads > kMostThreads) {
    return absl::InvalidArgumentError(absl::StrCat("at most ", kMostThreads, " threads can run a step, not ", threads));
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

void ThreadPool::Run(uint32_t threads, const plumb_stage_t* stages, uint64_t count, const void* arguments) {
  if (threads < 2 || busy_.exchange(true, std::memory_order_acquire)) return RunAlone(stages, count, arguments);
  for (uint64_t first = 0; first < count; first += kMostStages) {
    const uint64_t epoch = shared_.epoch.load(std::memory_order_relaxed) + 1;
    const Region region = {epoch, stages + first, arguments, std::min(count - first, kMostStages), threads};
    Publish(region);
    RunRegion(region, 0);
  }
  busy_.store(false, std::memory_order_release);
}

void ThreadPool::Publish(const Region& region) {
  Board& board = shared_.boards[region.epoch % 2];
  board.stages.store(region.stages, std::memory_order_release);
  board.arguments.store(region.arguments, std::memory_order_release);
  board.shape.store(region.threads << 32 | region.count, std::memory_order_release);
  // Either this thread sees that a worker is asleep, or the worker sees the new epoch before it falls asleep.
  shared_.epoch.store(region.epoch, std::memory_order_seq_cst);
  for (uint64_t thread = 1; thread < region.threads; ++thread) {
    Member& member = *members_[thread];
    if (!member.asleep.load(std::memory_order_seq_cst)) continue;
    std::lock_guard<std::mutex> lock(member.mutex);
    member.changed.notify_one();
  }
}

/// The region of `epoch`; false if it is over already.
bool ThreadPool::Enter(uint64_t epoch, Member& member, Region* region) const {
  const Board& board = shared_.boards[epoch % 2];
  region->epoch = epoch;
  region->stages = board.stages.load(std::memory_order_acquire);
  region->arguments = board.arguments.load(std::memory_order_acquire);
  const uint64_t shape = board.shape.load(std::memory_order_acquire);
  region->count = shape & UINT32_MAX;
  region->threads = shape >> 32;
  // The board is written again only after another epoch was published, which whoever sees such a write sees too. And
  // either Forget sees that the worker is inside, or the worker sees the epoch that Forget published.
  member.inside.store(epoch, std::memory_order_seq_cst);
  return shared_.epoch.load(std::memory_order_seq_cst) == epoch;
}

void ThreadPool::Forget() {
  while (busy_.exchange(true, std::memory_order_acquire)) sched_yield();
  const uint64_t epoch = shared_.epoch.load(std::memory_order_relaxed) + 1;
  Publish({epoch, nullptr, nullptr, /*count=*/0, /*threads=*/0});
  for (auto& member : members_) {
    for (uint64_t inside; (inside = member->inside.load(std::memory_order_seq_cst)) != 0 && inside < epoch;) sched_yield();
  }
  busy_.store(false, std::memory_order_release);
}

void ThreadPool::RunRegion(const Region& region, uint64_t self) {
  for (uint64_t i = 0; i < region.count; ++i) {
    const plumb_stage_t* code = region.stages + i;
    const Stage stage = {region.epoch << kStageBits | i, code, region.arguments, std::min(region.threads, code->grains)};
    RunStage(stage, region.threads, self);
  }
}

/// Returns when the stage is over. A stage of one grain is the caller's: it has the data of most of them.
void ThreadPool::RunStage(const Stage& stage, uint64_t threads, uint64_t self) {
  uint64_t count = 0;
  const bool is_shared = stage.code->grains > 1 && stage.code->grains <= kMostGrains;
  if (is_shared) {
    if (self < stage.threads) Say(stage, self, count = RunRange(stage, self));
  } else if (self == 0) {
    RunAlone(stage.code, 1, stage.arguments);
    Say(stage, self, stage.code->grains);
  }
  for (int pauses = 0; !IsDone(stage, threads); ++pauses) {
    if (pauses == kPausesBeforeHelp && is_shared) {
      for (uint64_t i = 1; i < stage.threads; ++i) {
        Say(stage, self, count += RunRange(stage, (self + i) % stage.threads));
      }
    } else if (pauses < kPausesForGrains) {
      Pause();
    } else {
      sched_yield();  // a thread was interrupted in the middle of a grain
    }
  }
}

/// Runs what nobody has taken yet of a thread's range; the number of grains.
uint64_t ThreadPool::RunRange(const Stage& stage, uint64_t thread) {
  uint64_t count = 0;
  for (uint64_t grain; Take(stage, thread, &grain); ++count) stage.code->run(stage.arguments, grain);
  return count;
}

/// Takes the next grain of a thread's range.
bool ThreadPool::Take(const Stage& stage, uint64_t thread, uint64_t* grain) {
  std::atomic<uint64_t>& next = members_[thread]->next;
  const uint64_t end = stage.begin(thread + 1);
  uint64_t value = next.load(std::memory_order_relaxed);
  for (;;) {
    const uint64_t number = value >> kGrainBits;
    if (number > stage.number) return false;
    *grain = number == stage.number ? value & kMostGrains : stage.begin(thread);
    if (*grain >= end) return false;
    const uint64_t taken = stage.number << kGrainBits | (*grain + 1);
    if (next.compare_exchange_weak(value, taken, std::memory_order_relaxed)) return true;
  }
}

/// Tells the others how many grains of the stage this thread has run. One that has run none says nothing, so that it never
/// speaks of a stage that is over.
void ThreadPool::Say(const Stage& stage, uint64_t self, uint64_t count) {
  if (count == 0) return;
  const uint64_t said = std::min(count, kMostGrains);
  members_[self]->done.store(stage.number << kGrainBits | said, std::memory_order_release);
}

bool ThreadPool::IsDone(const Stage& stage, uint64_t threads) const {
  uint64_t left = std::min(stage.code->grains, kMostGrains);
  for (uint64_t thread = 0; thread < threads; ++thread) {
    const uint64_t done = members_[thread]->done.load(std::memory_order_acquire);
    const uint64_t number = done >> kGrainBits;
    if (number > stage.number) return true;
    if (number == stage.number) left -= done & kMostGrains;
  }
  return left == 0;
}

/// Waits for an epoch after `seen`, or for the end; without `spin`, asleep from the beginning.
uint64_t ThreadPool::WaitForEpoch(Member& member, uint64_t seen, bool spin) {
  std::chrono::steady_clock::time_point end;
  for (int pauses = 1; spin; ++pauses) {
    const uint64_t epoch = shared_.epoch.load(std::memory_order_acquire);
    if (epoch != seen || leaving_.load(std::memory_order_relaxed)) return epoch;
    Pause();
    if (pauses % kPausesPerLook != 0) continue;
    const auto now = std::chrono::steady_clock::now();
    if (pauses == kPausesPerLook) end = now + kSpinTime;
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
      // Regions of sessions with fewer threads are no reason to stay awake.
      spin = self < region.threads;
      if (spin) RunRegion(region, self);
    }
    member.inside.store(0, std::memory_order_release);
  }
}

}  // namespace plumb
