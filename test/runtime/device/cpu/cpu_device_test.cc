// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/device/cpu/cpu_device.h"

#include <atomic>
#include <csignal>
#include <memory>
#include <set>
#include <thread>
#include <vector>

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

void RunAndWait(Device& device, Doorbell& doorbell, plumb_loop_fn loop, plumb_launch_t* launch) {
  ASSERT_TRUE(device.Start({loop, /*has_tasks=*/false}, launch).ok());
  while (!device.Idle()) doorbell.Wait(std::chrono::milliseconds(100));
}

TEST(CpuDeviceTest, RunsOneLaunchAfterTheOther) {
  Doorbell doorbell;
  auto device = CpuDevice::Create(&doorbell, 1).value();
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
  auto device = CpuDevice::Create(&doorbell, 1).value();
  std::thread::id id;
  plumb_launch_t launch = {};
  launch.host = &id;
  RunAndWait(*device, doorbell, &NoteThread, &launch);
  EXPECT_NE(id, std::this_thread::get_id());
  EXPECT_NE(id, std::thread::id());
}

TEST(CpuDeviceTest, SignalsGoToOtherThreads) {
  Doorbell doorbell;
  auto device = CpuDevice::Create(&doorbell, 1).value();
  plumb_launch_t launch = {};
  RunAndWait(*device, doorbell, &NoteSignals, &launch);
  EXPECT_EQ(launch.steps, 1u);
}

TEST(CpuDeviceTest, DevicesThatRunOneAfterAnotherShareAThread) {
  Doorbell doorbell;
  std::vector<std::unique_ptr<Device>> devices;
  std::set<std::thread::id> ids;
  for (int i = 0; i < 50; ++i) {
    devices.push_back(CpuDevice::Create(&doorbell, 1).value());
    std::thread::id id;
    plumb_launch_t launch = {};
    launch.host = &id;
    RunAndWait(*devices.back(), doorbell, &NoteThread, &launch);
    ids.insert(id);
  }
  EXPECT_EQ(ids.size(), 1u);
}

/// Waits until both launches run.
void Meet(plumb_launch_t* launch) {
  auto* running = static_cast<std::atomic<int>*>(launch->host);
  ++*running;
  while (*running < 2) std::this_thread::yield();
}

TEST(CpuDeviceTest, DevicesRunAtTheSameTime) {
  Doorbell doorbell;
  auto first = CpuDevice::Create(&doorbell, 1).value(), second = CpuDevice::Create(&doorbell, 1).value();
  std::atomic<int> running(0);
  plumb_launch_t launches[2] = {};
  for (plumb_launch_t& launch : launches) launch.host = &running;
  ASSERT_TRUE(first->Start({&Meet, false}, &launches[0]).ok());
  ASSERT_TRUE(second->Start({&Meet, false}, &launches[1]).ok());
  first.reset();  // waits
  second.reset();
  EXPECT_EQ(running, 2);
}

}  // namespace
}  // namespace plumb
