// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The method of quiet_loop.h on hand-written loops: quiet ones pass, noisy ones are caught. With PLUMB_QUIET_EXECUTABLE
// set to a file, its first loop must be quiet as well.

#include "test/runtime/testing/quiet_loop.h"

#include <pthread.h>
#include <unistd.h>

#include <cstdlib>

#include "gtest/gtest.h"
#include "runtime/tools/empty_loop.h"
#include "test/runtime/testing/fake_loops.h"

namespace plumb {
namespace testing {
namespace {

/// An executable whose only loop is `run`.
std::shared_ptr<const Executable> With(plumb_loop_fn run) {
  static plumb_loop_entry_t loops[1];
  static const plumb_executable_table_t table = {PLUMB_ABI_VERSION, 1, loops};
  loops[0] = {"train", run};
  abi::ManifestT manifest = MakeManifest();
  manifest.loops.resize(1);
  return Executable::FromLinked([](uint32_t) { return &table; }, PackManifest(manifest)).value();
}

void Allocates(plumb_launch_t* launch) {
  void* volatile memory = std::malloc(16);
  std::free(memory);
  launch->steps = 1;
}

void Locks(plumb_launch_t* launch) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  launch->steps = 1;
}

void CallsTheSystem(plumb_launch_t* launch) {
  getppid();
  launch->steps = 1;
}

void ExpectQuiet(const Executable& executable, size_t loop) {
  const Noise noise = RunQuietly(executable, loop, 1000);
  EXPECT_FALSE(noise.system_call);
  EXPECT_EQ(noise.steps, 1000u);
  EXPECT_EQ(noise.allocations, 0u);
  EXPECT_EQ(noise.locks, 0u);
  EXPECT_EQ(noise.host_calls, 0u);
}

TEST(QuietLoopTest, LoopsByTheRulesAreQuiet) {
  auto fake = Executable::FromLinked(&plumb_executable_query, PackManifest(MakeManifest())).value();
  ExpectQuiet(*fake, 0);
  ExpectQuiet(*fake, 2);
  ExpectQuiet(*MakeEmptyExecutable().value(), 0);
}

TEST(QuietLoopTest, NoiseIsCaught) {
  EXPECT_GT(RunQuietly(*With(&Allocates), 0, 1).allocations, 0u);
  EXPECT_GT(RunQuietly(*With(&Locks), 0, 1).locks, 0u);
  EXPECT_TRUE(RunQuietly(*With(&CallsTheSystem), 0, 1).system_call);
}

TEST(QuietLoopTest, TheGivenExecutableIsQuiet) {
  const char* path = std::getenv("PLUMB_QUIET_EXECUTABLE");
  if (path == nullptr) GTEST_SKIP() << "PLUMB_QUIET_EXECUTABLE names no file";
  auto executable = Executable::Load(path);
  ASSERT_TRUE(executable.ok()) << executable.status();
  ExpectQuiet(**executable, 0);
}

}  // namespace
}  // namespace testing
}  // namespace plumb
