// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "test/runtime/queue/explorer.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <map>
#include <memory>

namespace plumb {
namespace testing {
namespace {

constexpr size_t kStackBytes = 256 << 10;
constexpr int64_t kSecond = 1000000000;
constexpr int kMaxPoints = 100000;    // in one order: then somebody spins
constexpr int kMaxIdleTimeouts = 64;  // in a row: then no side will ever go on

struct Fiber {
  enum class State { kReady, kLocking, kWaiting, kEnded };
  ucontext_t context;
  std::function<void()> body;
  State state = State::kReady;
  const void* object = nullptr;  // the mutex or condition that it waits for
  bool timed = false;
  bool timed_out = false;
  int64_t deadline = 0;  // of a timed wait, in nanoseconds of the explorer's clock
};

class Explorer {
 public:
  Exploration Run(const std::function<Scenario()>& make, int preemptions);

  bool active() const { return current_ != nullptr; }
  /// Stands still but for timed waits, which it lets end.
  int64_t now() const { return now_; }
  void Fail(const std::string& what) {
    if (failure_.empty()) failure_ = what;
  }

  /// The fiber could be interrupted here.
  void Point() { SwitchTo(Choose(/*current_may_go_on=*/true)); }
  void Lock(const void* mutex);
  void Unlock(const void* mutex);
  bool Wait(const void* condition, const void* mutex, const timespec* deadline);
  void Notify(const void* condition, bool all);

 private:
  void RunOrder(Scenario scenario);
  bool NextOrder();
  std::vector<size_t> Candidates(bool current_may_go_on);
  size_t Choose(bool current_may_go_on);
  void SwitchTo(size_t index);
  void Block();
  static void Enter();

  std::vector<Fiber> fibers_;
  std::vector<std::unique_ptr<char[]>> stacks_;  // of all orders
  Fiber* current_ = nullptr;
  ucontext_t home_;
  std::map<const void*, const Fiber*> owners_;
  struct Decision {
    size_t taken, count;
  };
  std::vector<Decision> decisions_;
  size_t depth_ = 0;  // decisions taken in this order
  int allowed_ = 0, preemptions_left_ = 0, idle_timeouts_ = 0;
  int64_t now_ = 0;
  int points_ = 0;
  std::string failure_;
};

Explorer explorer;

void Explorer::Enter() {
  Fiber* self = explorer.current_;
  self->body();
  self->state = Fiber::State::kEnded;
  explorer.Block();
  std::abort();  // an ended fiber never goes on
}

Exploration Explorer::Run(const std::function<Scenario()>& make, int preemptions) {
  Exploration result;
  allowed_ = preemptions;
  decisions_.clear();
  failure_.clear();
  do {
    RunOrder(make());
    ++result.orders;
  } while (failure_.empty() && NextOrder());
  if (!failure_.empty()) {
    result.failure = failure_ + "; decisions:";
    for (size_t i = 0; i < depth_; ++i) result.failure += " " + std::to_string(decisions_[i].taken);
  }
  return result;
}

void Explorer::RunOrder(Scenario scenario) {
  fibers_ = std::vector<Fiber>(scenario.fibers.size());
  owners_.clear();
  depth_ = 0;
  preemptions_left_ = allowed_;
  idle_timeouts_ = 0;
  now_ = kSecond;
  points_ = 0;
  for (size_t i = 0; i < fibers_.size(); ++i) {
    Fiber& fiber = fibers_[i];
    fiber.body = std::move(scenario.fibers[i]);
    if (i == stacks_.size()) stacks_.emplace_back(new char[kStackBytes]);
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = stacks_[i].get();
    fiber.context.uc_stack.ss_size = kStackBytes;
    fiber.context.uc_link = nullptr;
    makecontext(&fiber.context, &Explorer::Enter, 0);
  }
  const size_t first = Choose(/*current_may_go_on=*/false);
  current_ = &fibers_[first];
  swapcontext(&home_, &current_->context);
  current_ = nullptr;
  if (failure_.empty()) failure_ = scenario.check();
}

/// The last decision that has another alternative takes it; false when there is none.
bool Explorer::NextOrder() {
  decisions_.resize(depth_);
  while (!decisions_.empty() && decisions_.back().taken + 1 == decisions_.back().count) decisions_.pop_back();
  if (decisions_.empty()) return false;
  ++decisions_.back().taken;
  return true;
}

/// Fibers that may go on now, the current one first.
std::vector<size_t> Explorer::Candidates(bool current_may_go_on) {
  std::vector<size_t> candidates, waiting;
  const size_t current = current_ == nullptr ? fibers_.size() : static_cast<size_t>(current_ - fibers_.data());
  if (current_may_go_on) candidates.push_back(current);
  if (current_may_go_on && preemptions_left_ == 0) return candidates;
  for (size_t i = 0; i < fibers_.size(); ++i) {
    const Fiber& fiber = fibers_[i];
    if (i != current && fiber.state == Fiber::State::kReady) candidates.push_back(i);
    if (fiber.state == Fiber::State::kWaiting && fiber.timed) waiting.push_back(i);
  }
  std::sort(waiting.begin(), waiting.end(),
            [this](size_t a, size_t b) { return fibers_[a].deadline < fibers_[b].deadline; });
  if (candidates.empty() && !waiting.empty()) return {waiting[0]};
  if (preemptions_left_ > 0) candidates.insert(candidates.end(), waiting.begin(), waiting.end());
  return candidates;
}

/// The decision: the next of this order, or the first of those that nobody has taken yet. fibers_.size(): nobody can go
/// on.
size_t Explorer::Choose(bool current_may_go_on) {
  const std::vector<size_t> candidates = Candidates(current_may_go_on);
  if (candidates.empty()) return fibers_.size();
  if (depth_ == decisions_.size()) decisions_.push_back({0, candidates.size()});
  const size_t taken = decisions_[depth_++].taken;
  const size_t chosen = candidates[taken];
  Fiber& fiber = fibers_[chosen];
  const bool by_time = fiber.state == Fiber::State::kWaiting;
  if ((current_may_go_on && taken > 0) || (by_time && candidates.size() > 1)) --preemptions_left_;
  idle_timeouts_ = by_time ? idle_timeouts_ + 1 : 0;
  if (by_time) {
    fiber.timed_out = true;
    now_ = std::max(now_, fiber.deadline);
    fiber.state = Fiber::State::kReady;
  }
  return chosen;
}

void Explorer::SwitchTo(size_t index) {
  Fiber* from = current_;
  const bool stuck = index == fibers_.size() || idle_timeouts_ > kMaxIdleTimeouts || ++points_ > kMaxPoints;
  if (stuck || !failure_.empty()) {
    const bool over = std::all_of(fibers_.begin(), fibers_.end(),
                                  [](const Fiber& fiber) { return fiber.state == Fiber::State::kEnded; });
    if (!over) Fail("nobody can go on");
    setcontext(&home_);
  }
  if (&fibers_[index] == from) return;
  current_ = &fibers_[index];
  swapcontext(&from->context, &current_->context);
}

void Explorer::Block() { SwitchTo(Choose(/*current_may_go_on=*/false)); }

void Explorer::Lock(const void* mutex) {
  Point();
  while (owners_.count(mutex) != 0) {
    current_->state = Fiber::State::kLocking;
    current_->object = mutex;
    Block();
  }
  owners_[mutex] = current_;
}

void Explorer::Unlock(const void* mutex) {
  owners_.erase(mutex);
  for (Fiber& fiber : fibers_) {
    if (fiber.state == Fiber::State::kLocking && fiber.object == mutex) fiber.state = Fiber::State::kReady;
  }
}

/// False: the time was over.
bool Explorer::Wait(const void* condition, const void* mutex, const timespec* deadline) {
  Unlock(mutex);
  Fiber* self = current_;
  self->state = Fiber::State::kWaiting;
  self->object = condition;
  self->timed = deadline != nullptr;
  if (self->timed) self->deadline = deadline->tv_sec * kSecond + deadline->tv_nsec;
  self->timed_out = false;
  Block();
  const bool in_time = !self->timed_out;
  Lock(mutex);
  return in_time;
}

void Explorer::Notify(const void* condition, bool all) {
  for (Fiber& fiber : fibers_) {
    if (fiber.state != Fiber::State::kWaiting || fiber.object != condition) continue;
    fiber.state = Fiber::State::kReady;
    if (!all) return;
  }
}

template <typename Function>
Function* Real(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

Exploration Explore(const std::function<Scenario()>& make, int preemptions) { return explorer.Run(make, preemptions); }
void FailOrder(const std::string& what) { explorer.Fail(what); }

}  // namespace testing
}  // namespace plumb

using plumb::testing::explorer;

// These take the place of the C library's; outside of fibers they are the C library's.
extern "C" {

void plumb_schedule_point() {
  if (explorer.active()) explorer.Point();
}

int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  static auto* const real = plumb::testing::Real<int(pthread_mutex_t*)>("pthread_mutex_lock");
  if (!explorer.active()) return real(mutex);
  explorer.Lock(mutex);
  return 0;
}

int pthread_mutex_unlock(pthread_mutex_t* mutex) noexcept {
  static auto* const real = plumb::testing::Real<int(pthread_mutex_t*)>("pthread_mutex_unlock");
  if (!explorer.active()) return real(mutex);
  explorer.Unlock(mutex);
  return 0;
}

int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  explorer.Wait(condition, mutex, nullptr);
  return 0;
}

int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* deadline) {
  return explorer.Wait(condition, mutex, deadline) ? 0 : ETIMEDOUT;
}

int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t, const timespec* deadline) {
  return explorer.Wait(condition, mutex, deadline) ? 0 : ETIMEDOUT;
}

int clock_gettime(clockid_t clock, timespec* now) noexcept {
  if (!explorer.active()) return static_cast<int>(syscall(SYS_clock_gettime, clock, now));
  now->tv_sec = explorer.now() / plumb::testing::kSecond;
  now->tv_nsec = explorer.now() % plumb::testing::kSecond;
  return 0;
}

int pthread_cond_signal(pthread_cond_t* condition) noexcept {
  if (explorer.active()) explorer.Notify(condition, /*all=*/false);
  return 0;
}

int pthread_cond_broadcast(pthread_cond_t* condition) noexcept {
  if (explorer.active()) explorer.Notify(condition, /*all=*/true);
  return 0;
}
}
