// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every device must do: memory, launches, and sessions that run on it. A new device is one more line at the end.

#include <atomic>
#include <chrono>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/device/cpu/cpu_device.h"
#include "runtime/session/session.h"
#include "test/runtime/device/mock_device.h"
#include "test/runtime/testing/fake_session.h"

namespace plumb {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;

constexpr size_t kTrain = 0;
constexpr size_t kCount = 2;

struct NamedFactory {
  const char* name;
  DeviceFactory make;
};

class DeviceTest : public ::testing::TestWithParam<NamedFactory> {
 protected:
  std::unique_ptr<Device> MakeDevice() { return GetParam().make(&doorbell_, 2).value(); }
  std::unique_ptr<Session> MakeSession(SessionOptions options = {}) {
    options.device = GetParam().make;
    return testing::CreateSession(options).value();
  }
  void WaitFor(Device& device) {
    while (!device.Idle()) doorbell_.Wait(milliseconds(100));
  }
  Doorbell doorbell_;
};

float Weight(Session& session) {
  float weight = 0;
  const absl::Status status =
      session.GetVariable("weight", absl::MakeSpan(reinterpret_cast<uint8_t*>(&weight), sizeof(weight)));
  EXPECT_TRUE(status.ok()) << status;
  return weight;
}

std::vector<uint8_t> Contents(Device& device, const DeviceMemory& memory) {
  std::vector<uint8_t> bytes(memory.size(), 1);
  EXPECT_TRUE(device.CopyOut(memory, 0, absl::MakeSpan(bytes)).ok());
  return bytes;
}

TEST_P(DeviceTest, MemoryIsZeroAndAlignedAndKeepsWhatIsCopied) {
  auto device = MakeDevice();
  for (uint64_t size : {0, 1, 96, 4097, 1 << 20}) {
    auto memory = device->Allocate(size, "a test").value();
    ASSERT_EQ(memory->size(), size);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(memory->address()) % PLUMB_BUFFER_ALIGNMENT, 0u);
    EXPECT_EQ(Contents(*device, *memory), std::vector<uint8_t>(size, 0));
    if (size < 96) continue;
    std::vector<uint8_t> expected(size, 0);
    const std::vector<uint8_t> part(31, 7);
    std::copy(part.begin(), part.end(), expected.begin() + 33);
    ASSERT_TRUE(device->CopyIn(*memory, 33, part).ok());
    EXPECT_EQ(Contents(*device, *memory), expected);
    std::vector<uint8_t> read(3);
    ASSERT_TRUE(device->CopyOut(*memory, 62, absl::MakeSpan(read)).ok());
    EXPECT_EQ(read, std::vector<uint8_t>(expected.begin() + 62, expected.begin() + 65));
  }
}

TEST_P(DeviceTest, BlocksThatCannotBeAreRefusedByName) {
  const absl::Status status = MakeDevice()->Allocate(uint64_t{1} << 60, "the embedding").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(status.message()), HasSubstr("the embedding"));
}

struct CountContext : DeviceContext {
  std::atomic<uint64_t>* shared;
};

void CountUp(plumb_launch_t* launch) {
  auto* context = static_cast<CountContext*>(static_cast<DeviceContext*>(launch->host));
  for (uint64_t i = 0; i < launch->sink_size; ++i) launch->variables[i] += 1;
  *context->shared += launch->sink_size;
  launch->steps = launch->sink_size;
}

TEST_P(DeviceTest, LaunchesFollowEachOtherInEitherWay) {
  auto device = MakeDevice();
  auto memory = device->Allocate(64, "a test").value();
  std::atomic<uint64_t> shared{0};
  ASSERT_TRUE(device->Share(absl::MakeSpan(reinterpret_cast<uint8_t*>(&shared), sizeof(shared))).ok());
  CountContext context = {{device.get()}, &shared};
  for (int i = 0; i < 40; ++i) {
    ASSERT_TRUE(device->Idle());
    plumb_launch_t launch = {};
    launch.sink_size = 64;
    launch.variables = memory->address();
    launch.host = static_cast<DeviceContext*>(&context);
    const DeviceLoop loop = {&CountUp, /*has_tasks=*/false};
    ASSERT_TRUE((i % 2 == 0 ? device->Start(loop, &launch) : device->Run(loop, &launch)).ok());
    WaitFor(*device);
    ASSERT_EQ(launch.steps, 64u);
  }
  EXPECT_EQ(shared, 40u * 64);
  EXPECT_EQ(Contents(*device, *memory), std::vector<uint8_t>(64, 40));
}

TEST_P(DeviceTest, TheEndOfADeviceWaitsForItsLaunch) {
  auto device = MakeDevice();
  auto memory = device->Allocate(64, "a test").value();
  std::atomic<uint64_t> shared{0};
  CountContext context = {{device.get()}, &shared};
  plumb_launch_t launch = {};
  launch.sink_size = 64;
  launch.variables = memory->address();
  launch.host = static_cast<DeviceContext*>(&context);
  ASSERT_TRUE(device->Start({&CountUp, false}, &launch).ok());
  device->Wait();
  EXPECT_EQ(shared, 64u);
  memory.reset();
  device.reset();
}

/// Outlives the device, as an executable's tasks do: workers that start late read them.
struct TasksContext : DeviceContext {
  std::vector<int> counts;
  std::vector<int>* arguments = &counts;
  plumb_task_t task = {};
};

void CountOne(const void* arguments, uint64_t chunk) {
  ++(*static_cast<std::vector<int>* const*>(arguments))->at(chunk);
}

void RunTasks(plumb_launch_t* launch) {
  auto* context = static_cast<TasksContext*>(static_cast<DeviceContext*>(launch->host));
  if (launch->parallel != nullptr) return launch->parallel(launch, &context->task, 1, &context->arguments);
  for (uint64_t i = 0; i < context->task.chunks; ++i) context->task.run(&context->arguments, i);
}

TEST_P(DeviceTest, EachChunkOfATaskRunsOnce) {
  TasksContext context;
  context.counts.resize(500);
  context.task.chunks = context.counts.size();
  context.task.run = &CountOne;
  auto device = MakeDevice();
  context.device = device.get();
  for (int i = 1; i < 20; ++i) {
    plumb_launch_t launch = {};
    launch.host = static_cast<DeviceContext*>(&context);
    ASSERT_TRUE(device->Start({&RunTasks, /*has_tasks=*/true}, &launch).ok());
    WaitFor(*device);
    ASSERT_EQ(context.counts, std::vector<int>(500, i));
  }
}

TEST_P(DeviceTest, EveryStepIsHeardOfInOrder) {
  SessionOptions options;
  options.report_depth = 2;
  auto session = MakeSession(options);
  uint64_t next = 0;
  auto result = session->Launch(kCount, 2000, [&](uint64_t step, const uint8_t* record) {
    float loss = 0;
    std::memcpy(&loss, record + 8, sizeof(loss));
    EXPECT_EQ(step, next++);
    EXPECT_EQ(loss, static_cast<float>(step + 1));
  });
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(next, 2000u);
  EXPECT_EQ(Weight(*session), 2000.0f);
}

TEST_P(DeviceTest, DataEndAndBeginAgain) {
  auto session = MakeSession();
  ASSERT_TRUE(session->BindManifestPipeline("train", {}, 3).ok());
  auto result = session->Launch(kTrain, 1000, nullptr);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->reason, PLUMB_END_OF_DATA);
  EXPECT_EQ(result->steps, 12u);
  auto again = session->Launch(kTrain, 5, nullptr);
  ASSERT_TRUE(again.ok()) << again.status();
}

TEST_P(DeviceTest, StopsAndPauses) {
  auto session = MakeSession();
  for (int i = 0; i < 5; ++i) {
    auto result = session->Launch(kCount, 1000000000, [&](uint64_t step, const uint8_t*) {
      if (step == 100) i % 2 == 0 ? session->RequestStop() : session->RequestPause();
    });
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_EQ(result->reason, PLUMB_END_STOPPED);
    EXPECT_EQ(result->paused, i % 2 == 1);
    EXPECT_EQ(Weight(*session), static_cast<float>(session->total_steps()));
  }
}

TEST_P(DeviceTest, AGuardOfAReportEndsTheLaunchAtItsStep) {
  auto session = MakeSession();
  ASSERT_TRUE(session->AddGuard(kCount, ParseGuardRule("loss>41.5").value()).ok());
  auto result = session->Launch(kCount, 1000000000, nullptr);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->reason, PLUMB_END_GUARD);
  EXPECT_EQ(Weight(*session), 42.0f);
}

TEST_P(DeviceTest, AGuardOfAVariableHoldsOrIsRefused) {
  auto session = MakeSession();
  const absl::Status added = session->AddGuard(kCount, ParseGuardRule("weight>41.5").value());
  if (!added.ok()) {
    EXPECT_EQ(added.code(), absl::StatusCode::kUnimplemented) << added;
    EXPECT_THAT(std::string(added.message()), HasSubstr("take a report instead"));
    WatchRule rule = {"weight", 1};
    EXPECT_EQ(session->AddWatch(kCount, rule, [](const WatchedValue&) {}).code(), absl::StatusCode::kUnimplemented);
    return;
  }
  EXPECT_EQ(session->Launch(kCount, 1000000000, nullptr)->steps, 42u);
}

TEST_P(DeviceTest, PushedBatchesArriveWhileTheLoopWaits) {
  auto session = MakeSession();
  std::thread producer([&] {
    const float x[4] = {1, 1, 1, 1};
    const int32_t label[4] = {};
    for (int i = 0; i < 50; ++i) {
      EXPECT_TRUE(session->FindFeed("train")
                      .value()
                      ->Push({absl::MakeConstSpan(reinterpret_cast<const uint8_t*>(x), sizeof(x)),
                              absl::MakeConstSpan(reinterpret_cast<const uint8_t*>(label), sizeof(label))},
                             milliseconds(5000))
                      .ok());
    }
  });
  auto result = session->Launch(kTrain, 50, nullptr);
  producer.join();
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->steps, 50u);
}

TEST_P(DeviceTest, AWaitForDataHasALimit) {
  SessionOptions options;
  options.wait_limit = milliseconds(20);
  auto session = MakeSession(options);
  EXPECT_EQ(session->Launch(kTrain, 1, nullptr).status().code(), absl::StatusCode::kDeadlineExceeded);
  EXPECT_TRUE(session->Launch(kCount, 1, nullptr).ok());
}

/// Steps in launches of several sizes equal those of the CPU, through a checkpoint that goes from one device to the
/// other.
TEST_P(DeviceTest, ResultsAreThoseOfTheCpu) {
  const std::string path = ::testing::TempDir() + "/conformance_" + GetParam().name + ".safetensors";
  auto straight = MakeSession();
  ASSERT_TRUE(straight->BindManifestPipeline("train", {}, -1).ok());
  ASSERT_TRUE(straight->Launch(kTrain, 31, nullptr).ok());
  ASSERT_TRUE(straight->Save(path).ok());
  ASSERT_TRUE(straight->Launch(kTrain, 9, nullptr).ok());

  auto cpu = testing::CreateSession().value();
  auto resumed = MakeSession();
  for (Session* session : {cpu.get(), resumed.get()}) {
    ASSERT_TRUE(session->Load(path).ok());
    ASSERT_TRUE(session->BindManifestPipeline("train", {}, -1).ok());
    for (int steps : {1, 3, 5}) ASSERT_TRUE(session->Launch(kTrain, steps, nullptr).ok());
    EXPECT_EQ(Weight(*session), Weight(*straight));
    EXPECT_EQ(session->total_steps(), 40u);
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, DeviceTest,
                         ::testing::Values(NamedFactory{"cpu", &CpuDevice::Create},
                                           NamedFactory{"mock", testing::MockDevice::Factory({})},
                                           NamedFactory{"slow", testing::MockDevice::Factory({/*delay=*/3000})}),
                         [](const ::testing::TestParamInfo<NamedFactory>& info) {
                           return std::string(info.param.name);
                         });

//===--------------------------------------------------------------------------------------===//
// Failures
//===--------------------------------------------------------------------------------------===//

absl::StatusOr<std::unique_ptr<Session>> CreateOn(const testing::MockPlan& plan) {
  SessionOptions options;
  options.device = testing::MockDevice::Factory(plan);
  return testing::CreateSession(options);
}

TEST(DeviceFaultTest, MemoryThatIsNotThere) {
  for (unsigned allocation : {1, 2}) {
    testing::MockPlan plan;
    plan.bad_allocation = allocation;
    const absl::Status status = CreateOn(plan).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
    EXPECT_THAT(std::string(status.message()), HasSubstr(allocation == 1 ? "the variables" : "the arena"));
  }
}

TEST(DeviceFaultTest, ALaunchThatDoesNotStartLosesNothing) {
  testing::MockPlan plan;
  plan.bad_start = 2;
  auto session = CreateOn(plan).value();
  ASSERT_TRUE(session->Launch(kCount, 10, nullptr).ok());
  EXPECT_EQ(session->Launch(kCount, 10, nullptr).status().code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(Weight(*session), 10.0f);
  ASSERT_TRUE(session->Launch(kCount, 10, nullptr).ok());
  EXPECT_EQ(Weight(*session), 20.0f);
  EXPECT_EQ(session->total_steps(), 20u);
}

TEST(DeviceFaultTest, ACopyThatFailsIsAnErrorOfItsCall) {
  testing::MockPlan plan;
  const std::string path = ::testing::TempDir() + "/copies.safetensors";
  ASSERT_TRUE(CreateOn(plan).value()->Save(path).ok());
  plan.bad_copy = 1;
  EXPECT_THAT(std::string(CreateOn(plan).status().message()), HasSubstr("variable 'weight': the mock's bus is busy"));
  for (unsigned copy : {2, 3}) {
    plan.bad_copy = copy;
    auto session = CreateOn(plan).value();
    EXPECT_EQ(session->Load(path).ok(), copy != 2);
    EXPECT_EQ(session->Save(path).ok(), copy != 3);
    EXPECT_TRUE(session->Load(path).ok()) << "what stood there before has stayed";
  }
}

TEST(DeviceFaultTest, AFaultEndsTheLaunchAndEverythingBehindIt) {
  testing::MockPlan plan;
  plan.fault_after = 25;
  auto session = CreateOn(plan).value();
  ASSERT_TRUE(session->Launch(kCount, 20, nullptr).ok());
  uint64_t heard = 0;
  const absl::Status failed = session->Launch(kCount, 20, [&](uint64_t, const uint8_t*) { ++heard; }).status();
  EXPECT_EQ(failed.code(), absl::StatusCode::kAborted);
  EXPECT_THAT(std::string(failed.message()),
              HasSubstr("loop 'count': device 'mock' has failed: illegal address in kernel 3"));
  EXPECT_EQ(heard, 5u);
  const std::string path = ::testing::TempDir() + "/spoilt.safetensors";
  uint8_t weight[4];
  EXPECT_EQ(session->Launch(kCount, 1, nullptr).status().code(), absl::StatusCode::kAborted);
  EXPECT_EQ(session->GetVariable("weight", absl::MakeSpan(weight)).code(), absl::StatusCode::kAborted);
  EXPECT_EQ(session->Save(path).code(), absl::StatusCode::kAborted) << "a spoilt state is not saved";
  Snapshot snapshot;
  EXPECT_EQ(session->TakeSnapshot(&snapshot).code(), absl::StatusCode::kAborted);
}

}  // namespace
}  // namespace plumb
