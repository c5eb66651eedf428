// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/queue/report_ring.h"

#include <cstring>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "runtime/base/atomics.h"

namespace plumb {
namespace {

/// Writes one record as a device loop does, waiting for room where there is none.
void Write(ReportRing& ring, uint64_t number) {
  plumb_report_ring_t* abi = ring.abi();
  if (abi->written - LoadAcquire(&abi->drained) >= abi->depth) {
    ASSERT_EQ(ring.WaitForRoom(), PLUMB_WAIT_READY);
  }
  std::memcpy(abi->records + abi->written % abi->depth * abi->record_bytes, &number, sizeof(number));
  StoreRelease(&abi->written, abi->written + 1);
}

TEST(ReportRingTest, AFullRingWaitsForTheHostAndDropsNothing) {
  Doorbell doorbell;
  auto ring = ReportRing::Create(8, 4, &doorbell).value();
  constexpr uint64_t kRecords = 1000;
  std::thread device([&] {
    for (uint64_t n = 0; n < kRecords; ++n) Write(*ring, n);
  });
  std::vector<uint64_t> seen;
  while (seen.size() < kRecords) {
    doorbell.Wait(std::chrono::milliseconds(1));
    ring->Drain([&](const uint8_t* record) {
      uint64_t number = 0;
      std::memcpy(&number, record, sizeof(number));
      seen.push_back(number);
    });
  }
  device.join();
  for (uint64_t n = 0; n < kRecords; ++n) ASSERT_EQ(seen[n], n);
}

TEST(ReportRingTest, DepthFollowsTheRecordsSize) {
  Doorbell doorbell;
  EXPECT_EQ(ReportRing::Create(16, 0, &doorbell).value()->abi()->depth, 4096u);
  EXPECT_EQ(ReportRing::Create(1 << 20, 0, &doorbell).value()->abi()->depth, 4u);
  EXPECT_EQ(ReportRing::Create(0, 0, &doorbell).value()->abi()->depth, 4096u);
}

TEST(ReportRingTest, DrainWithoutHandlerGivesRecordsBack) {
  Doorbell doorbell;
  auto ring = ReportRing::Create(8, 2, &doorbell).value();
  Write(*ring, 1);
  ring->Drain(nullptr);
  EXPECT_EQ(ring->abi()->drained, 1u);
}

uint64_t Number(const uint8_t* record) {
  uint64_t number = 0;
  std::memcpy(&number, record, sizeof(number));
  return number;
}

TEST(ReportRingTest, AnInspectorSeesEachStepBeforeTheNext) {
  Doorbell doorbell;
  auto ring = ReportRing::Create(8, 4, &doorbell).value();
  uint64_t written = 0;
  std::vector<uint64_t> inspected, seen;
  ring->Reset([&](const uint8_t* record) {
    EXPECT_EQ(Number(record) + 1, written);
    inspected.push_back(Number(record));
    return Number(record) != 700;
  });
  EXPECT_EQ(ring->abi()->depth, 1u);
  std::thread device([&] {
    for (plumb_report_ring_t* abi = ring->abi();; ++written) {
      if (abi->written != LoadAcquire(&abi->drained) && ring->WaitForRoom() != PLUMB_WAIT_READY) return;
      std::memcpy(abi->records, &written, sizeof(written));
      StoreRelease(&abi->written, abi->written + 1);
    }
  });
  while (seen.size() < 701) {
    doorbell.Wait(std::chrono::milliseconds(1));
    ring->Drain([&](const uint8_t* record) { seen.push_back(Number(record)); });
  }
  device.join();
  EXPECT_EQ(written, 701u) << "no step follows the one that does not pass";
  EXPECT_TRUE(ring->InspectLast()) << "nothing is left";
  ASSERT_EQ(seen, inspected);
  for (uint64_t n = 0; n < seen.size(); ++n) ASSERT_EQ(seen[n], n);
}

TEST(ReportRingTest, TheLastStepIsInspectedWhenTheLoopHasLeft) {
  Doorbell doorbell;
  auto ring = ReportRing::Create(8, 4, &doorbell).value();
  ring->Reset([](const uint8_t* record) { return Number(record) != 5; });
  Write(*ring, 5);
  std::vector<uint64_t> seen;
  auto note = [&](const uint8_t* record) { seen.push_back(Number(record)); };
  ring->Drain(note);
  EXPECT_TRUE(seen.empty());
  EXPECT_FALSE(ring->InspectLast());
  ring->Drain(note);
  EXPECT_EQ(seen, std::vector<uint64_t>({5}));
}

TEST(ReportRingTest, DropsWithACount) {
  Doorbell doorbell;
  auto ring = ReportRing::Create(8, 4, &doorbell, ReportRing::WhenFull::kDrop).value();
  for (uint64_t n = 0; n < 10; ++n) Write(*ring, n);
  EXPECT_TRUE(ring->InspectLast());
  std::vector<uint64_t> seen;
  ring->Drain([&](const uint8_t* record) { seen.push_back(Number(record)); });
  EXPECT_EQ(seen, std::vector<uint64_t>({0, 1, 2, 3}));
  EXPECT_EQ(ring->dropped(), 6u);
  ring->Reset();
  EXPECT_EQ(ring->dropped(), 0u);
}

TEST(ReportRingTest, ARecordWhoseHandlerThrowsIsHandled) {
  Doorbell doorbell;
  auto ring = ReportRing::Create(8, 4, &doorbell).value();
  Write(*ring, 1);
  Write(*ring, 2);
  EXPECT_THROW(ring->Drain([](const uint8_t*) { throw 1; }), int);
  std::vector<uint64_t> seen;
  ring->Drain([&](const uint8_t* record) { seen.push_back(Number(record)); });
  EXPECT_EQ(seen, std::vector<uint64_t>({2}));
}

}  // namespace
}  // namespace plumb
