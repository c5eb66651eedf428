// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/device/cpu/cpu_device.h"

#include <csignal>
#include <thread>

#include "gtest/gtest.h"

namespace plumb {
namespace {

void CountUp(plumb_launch_t* launch) { launch->steps = launch->sink_size + 1; }

void NoteThread(plumb_launch_t* launch) { *static_cast<std::thread::id*>(launch->host) = std::this_thread::get_id(); }

void NoteSignals(plumb_launch_t* launch) {
  sigset_t blocked;
  pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
  launch->steps = sigismember(&blocked, SIGINT) ? 1 : 0;
}

void RunAndWait(CpuDevice& device, Doorbell& doorbell, plumb_loop_fn loop, plumb_launch_t* launch) {
  device.Start(loop, launch);
  while (!device.Idle()) doorbell.Wait(std::chrono::milliseconds(100));
}

TEST(CpuDeviceTest, RunsOneLaunchAfterTheOther) {
  Doorbell doorbell;
  auto device = CpuDevice::Create(&doorbell).value();
  EXPECT_TRUE(device->Idle());
  for (uint64_t i = 0; i < 100; ++i) {
    plumb_launch_t launch = {};
    launch.sink_size = i;
    RunAndWait(*device, doorbell, &CountUp, &launch);
    ASSERT_EQ(launch.steps, i + 1);
  }
}

TEST(CpuDeviceTest, RunsOnAThreadOfItsOwn) {
  Doorbell doorbell;
  auto device = CpuDevice::Create(&doorbell).value();
  std::thread::id id;
  plumb_launch_t launch = {};
  launch.host = &id;
  RunAndWait(*device, doorbell, &NoteThread, &launch);
  EXPECT_NE(id, std::this_thread::get_id());
  EXPECT_NE(id, std::thread::id());
}

TEST(CpuDeviceTest, SignalsGoToOtherThreads) {
  Doorbell doorbell;
  auto device = CpuDevice::Create(&doorbell).value();
  plumb_launch_t launch = {};
  RunAndWait(*device, doorbell, &NoteSignals, &launch);
  EXPECT_EQ(launch.steps, 1u);
}

}  // namespace
}  // namespace plumb
