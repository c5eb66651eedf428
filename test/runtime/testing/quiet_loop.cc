// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "test/runtime/testing/quiet_loop.h"

#include <dlfcn.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <vector>

#include "runtime/queue/queue.h"
#include "runtime/queue/report_ring.h"

namespace {
// Counted by all threads of a test, read by the child's only one.
std::atomic<uint64_t> allocations{0};
std::atomic<uint64_t> locks{0};
std::atomic<uint64_t> host_calls{0};
}  // namespace

// These take the place of the C library's for the whole program.
extern "C" {
void* __libc_malloc(size_t size);

void* malloc(size_t size) {
  ++allocations;
  return __libc_malloc(size);
}

int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  static int (*const real)(pthread_mutex_t*) =
      reinterpret_cast<int (*)(pthread_mutex_t*)>(dlsym(RTLD_NEXT, "pthread_mutex_lock"));
  ++locks;
  return real(mutex);
}
}

namespace plumb {
namespace testing {
namespace {

int32_t NoBatch(plumb_launch_t*, uint32_t) {
  ++host_calls;
  return PLUMB_WAIT_ERROR;
}

int32_t NoRoom(plumb_launch_t*) {
  ++host_calls;
  return PLUMB_WAIT_ERROR;
}

/// Everything a launch needs, made before the silence begins.
struct LaunchSetup {
  std::vector<std::unique_ptr<Queue>> queues;
  std::vector<plumb_queue_t*> table;
  AlignedBuffer arena, variables;
  Doorbell doorbell;
  std::unique_ptr<ReportRing> ring;
  uint32_t stop = 0;
  plumb_launch_t launch = {};
};

void SetUp(const Executable& executable, size_t loop, uint64_t steps, LaunchSetup* setup) {
  const abi::Manifest& manifest = executable.manifest();
  for (size_t i = 0; manifest.queues() && i < manifest.queues()->size(); ++i) {
    const abi::Queue& queue = *manifest.queues()->Get(static_cast<flatbuffers::uoffset_t>(i));
    setup->queues.push_back(Queue::Create(queue.name()->str(), queue.slot_bytes(), queue.depth()).value());
    for (uint64_t n = 0; n < queue.depth(); ++n) {
      setup->queues.back()->Acquire(n).IgnoreError();
      setup->queues.back()->Publish(n);
    }
    setup->queues.back()->MakeResident().IgnoreError();
    setup->table.push_back(setup->queues.back()->abi());
  }
  setup->arena = AlignedBuffer::Create(manifest.arena_bytes(), "arena").value();
  setup->variables = AlignedBuffer::Create(manifest.variables_bytes(), "variables").value();
  const abi::Loop& description = *manifest.loops()->Get(static_cast<flatbuffers::uoffset_t>(loop));
  setup->ring = ReportRing::Create(description.record_bytes(), steps, &setup->doorbell).value();
  setup->launch.sink_size = steps;
  setup->launch.arena = setup->arena.data();
  setup->launch.variables = setup->variables.data();
  setup->launch.queues = setup->table.data();
  setup->launch.reports = setup->ring->abi();
  setup->launch.stop = &setup->stop;
  setup->launch.wait_batch = &NoBatch;
  setup->launch.wait_report = &NoRoom;
}

/// In the child: never returns.
[[noreturn]] void RunInSilence(plumb_loop_fn loop, plumb_launch_t* launch, int answer) {
  const uint64_t allocations_before = allocations;
  const uint64_t locks_before = locks;
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
  loop(launch);
  const uint64_t said[4] = {launch->steps, allocations - allocations_before, locks - locks_before, host_calls};
  syscall(SYS_write, answer, said, sizeof(said));
  syscall(SYS_exit, 0);
  __builtin_unreachable();
}

}  // namespace

Noise RunQuietly(const Executable& executable, size_t loop, uint64_t steps) {
  LaunchSetup setup;
  SetUp(executable, loop, steps, &setup);
  int channel[2];
  Noise noise;
  noise.system_call = true;
  if (pipe(channel) != 0) return noise;
  const pid_t child = fork();
  if (child == 0) RunInSilence(executable.loop(loop), &setup.launch, channel[1]);
  close(channel[1]);
  uint64_t said[4] = {};
  const bool answered = read(channel[0], said, sizeof(said)) == static_cast<ssize_t>(sizeof(said));
  close(channel[0]);
  int status = 0;
  waitpid(child, &status, 0);
  noise.system_call = !answered || !WIFEXITED(status);
  noise.steps = said[0];
  noise.allocations = said[1];
  noise.locks = said[2];
  noise.host_calls = said[3];
  return noise;
}

}  // namespace testing
}  // namespace plumb
