// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/tools/sampler.h"

#include <dirent.h>
#include <signal.h>
#include <ucontext.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <memory>

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

namespace plumb {
namespace {

constexpr size_t kMaxSamples = size_t{1} << 20;

// What the signal handler may access: memory that lies ready, and a counter.
std::unique_ptr<uintptr_t[]> samples;
std::atomic<size_t> sample_count{0};

uintptr_t InstructionPointer(const void* context) {
  const mcontext_t& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return static_cast<uintptr_t>(machine.gregs[REG_RIP]);
#else
  return machine.pc;
#endif
}

void TakeSample(int, siginfo_t*, void* context) {
  const size_t place = sample_count.fetch_add(1, std::memory_order_relaxed);
  if (place < kMaxSamples) samples[place] = InstructionPointer(context);
}

std::vector<int> ThreadIds() {
  std::vector<int> ids;
  DIR* folder = opendir("/proc/self/task");
  if (folder == nullptr) return ids;
  while (const dirent* entry = readdir(folder)) {
    if (entry->d_name[0] != '.') ids.push_back(std::atoi(entry->d_name));
  }
  closedir(folder);
  return ids;
}

}  // namespace

Sampler::Sampler(std::chrono::nanoseconds period) {
  samples = std::make_unique<uintptr_t[]>(kMaxSamples);
  sample_count = 0;
  struct sigaction action = {};
  action.sa_sigaction = &TakeSample;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  sigaction(SIGPROF, &action, nullptr);
  for (int id : ThreadIds()) {
    sigevent event = {};
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = SIGPROF;
    event.sigev_notify_thread_id = id;
    timer_t timer;
    if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0) continue;
    timers_.push_back(timer);
    const timespec pace = {0, static_cast<long>(period.count())};
    const itimerspec times = {pace, pace};
    timer_settime(timer, 0, &times, nullptr);
  }
}

Sampler::~Sampler() { Stop(); }

std::vector<uintptr_t> Sampler::Stop() {
  for (timer_t timer : timers_) timer_delete(timer);
  timers_.clear();
  signal(SIGPROF, SIG_IGN);
  if (samples == nullptr) return {};
  const size_t count = std::min<size_t>(sample_count, kMaxSamples);
  std::vector<uintptr_t> result(samples.get(), samples.get() + count);
  return result;
}

}  // namespace plumb
