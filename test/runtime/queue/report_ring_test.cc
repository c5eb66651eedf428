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

}  // namespace
}  // namespace plumb
