// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/queue/queue.h"

#include <cstring>
#include <thread>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/atomics.h"

namespace plumb {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;

std::unique_ptr<Queue> MakeQueue(uint64_t depth) { return Queue::Create("train", 64, depth).value(); }

void PublishNumber(Queue& queue, uint64_t n) {
  uint8_t* slot = queue.Acquire(n).value();
  std::memcpy(slot, &n, sizeof(n));
  queue.Publish(n);
}

/// Takes the next batch as a device loop does; its number.
uint64_t Take(Queue& queue) {
  plumb_queue_t* ring = queue.abi();
  uint64_t number = 0;
  std::memcpy(&number, ring->slots + ring->consumed % ring->depth * ring->slot_bytes, sizeof(number));
  StoreRelease(&ring->consumed, ring->consumed + 1);
  return number;
}

TEST(QueueTest, SlotsAreAlignedAndApart) {
  auto queue = MakeQueue(2);
  uint8_t* first = queue->Acquire(0).value();
  uint8_t* second = queue->Acquire(1).value();
  EXPECT_EQ(reinterpret_cast<uintptr_t>(first) % PLUMB_BUFFER_ALIGNMENT, 0u);
  EXPECT_EQ(second - first, 64);
}

TEST(QueueTest, BatchesOfEmptyTensorsHaveSlots) {
  auto queue = Queue::Create("train", 0, 2).value();
  for (uint64_t n = 0; n < 2; ++n) {
    EXPECT_NE(queue->Acquire(n).value(), nullptr);
    queue->Publish(n);
  }
  EXPECT_EQ(queue->produced(), 2u);
}

TEST(QueueTest, BatchesComeInOrderThroughASmallRing) {
  auto queue = MakeQueue(2);
  constexpr uint64_t kBatches = 1000;
  std::thread producer([&] {
    for (uint64_t n = 0; n < kBatches; ++n) PublishNumber(*queue, n);
    queue->Close();
  });
  uint32_t stop = 0;
  uint64_t taken = 0;
  for (;; ++taken) {
    if (queue->produced() == queue->consumed()) {
      int32_t answer = queue->Wait(&stop, std::chrono::seconds(60));
      if (answer != PLUMB_WAIT_READY) {
        EXPECT_EQ(answer, PLUMB_WAIT_END_OF_DATA);
        break;
      }
    }
    ASSERT_EQ(Take(*queue), taken);
  }
  producer.join();
  EXPECT_EQ(taken, kBatches);
}

TEST(QueueTest, EndOfDataComesBehindTheLastBatch) {
  auto queue = MakeQueue(2);
  PublishNumber(*queue, 0);
  queue->Close();
  EXPECT_EQ(queue->Wait(nullptr, milliseconds(0)), PLUMB_WAIT_READY);
  Take(*queue);
  EXPECT_EQ(queue->Wait(nullptr, milliseconds(0)), PLUMB_WAIT_END_OF_DATA);
}

TEST(QueueTest, AnErrorOfTheProducerComesBehindTheLastBatch) {
  auto queue = MakeQueue(2);
  PublishNumber(*queue, 0);
  queue->Close(absl::DataLossError("label 12 is outside"));
  Take(*queue);
  EXPECT_EQ(queue->Wait(nullptr, milliseconds(0)), PLUMB_WAIT_ERROR);
  EXPECT_EQ(queue->error().message(), "queue 'train' after 1 batches: label 12 is outside");
}

TEST(QueueTest, StopEndsAWait) {
  auto queue = MakeQueue(1);
  uint32_t stop = 0;
  std::thread stopper([&] {
    std::this_thread::sleep_for(milliseconds(20));
    StoreRelease(&stop, 1u);
  });
  EXPECT_EQ(queue->Wait(&stop, std::chrono::seconds(60)), PLUMB_WAIT_STOPPED);
  stopper.join();
}

TEST(QueueTest, TimeoutNamesBothSidesAndTheLastBatches) {
  auto queue = MakeQueue(4);
  PublishNumber(*queue, 0);
  PublishNumber(*queue, 1);
  Take(*queue);
  Take(*queue);
  ASSERT_TRUE(queue->Acquire(2).ok());
  EXPECT_EQ(queue->Wait(nullptr, milliseconds(30)), PLUMB_WAIT_ERROR);
  const absl::Status error = queue->error();
  EXPECT_EQ(error.code(), absl::StatusCode::kDeadlineExceeded);
  const std::string message(error.message());
  EXPECT_THAT(message, HasSubstr("queue 'train'"));
  EXPECT_THAT(message, HasSubstr("producer: preparing a batch since"));
  EXPECT_THAT(message, HasSubstr("2 batches published"));
  EXPECT_THAT(message, HasSubstr("consumer: waiting for batch 2 since"));
  EXPECT_THAT(message, HasSubstr("last batches: 0 in "));
  EXPECT_THAT(message, HasSubstr("; the pipeline does not finish this batch"));
  EXPECT_EQ(message.find('\n'), std::string::npos);
}

TEST(QueueTest, TimeoutWithoutProducerSaysSo) {
  auto queue = MakeQueue(4);
  EXPECT_EQ(queue->Wait(nullptr, milliseconds(5)), PLUMB_WAIT_ERROR);
  EXPECT_THAT(std::string(queue->error().message()), HasSubstr("nobody feeds it"));
  EXPECT_THAT(std::string(queue->error().message()), HasSubstr("; bind a pipeline to the queue, or push batches"));
}

TEST(QueueTest, TimeoutOfPushedBatchesBlamesWhoPushes) {
  auto queue = MakeQueue(4);
  PublishNumber(*queue, 0);
  queue->SetPushed();
  Take(*queue);
  EXPECT_EQ(queue->Wait(nullptr, milliseconds(5)), PLUMB_WAIT_ERROR);
  EXPECT_THAT(std::string(queue->error().message()), HasSubstr("producer: pushed its last batch 0.0 s ago"));
  EXPECT_THAT(std::string(queue->error().message()), HasSubstr("; whoever pushes batches pushed none for so long"));
}

TEST(QueueTest, SlowBatchesAskForMoreOfTheDataSide) {
  auto queue = MakeQueue(4);
  for (uint64_t n = 0; n < 2; ++n) {
    ASSERT_TRUE(queue->Acquire(n).ok());
    std::this_thread::sleep_for(milliseconds(200));
    queue->Publish(n);
    Take(*queue);
  }
  ASSERT_TRUE(queue->Acquire(2).ok());
  EXPECT_EQ(queue->Wait(nullptr, milliseconds(1)), PLUMB_WAIT_ERROR);
  EXPECT_THAT(std::string(queue->error().message()), HasSubstr("; batches come, but slower than the limit allows"));
  const QueueStatistics statistics = queue->statistics();
  EXPECT_EQ(statistics.consumer.count, 1u);
  EXPECT_GE(statistics.preparing, milliseconds(400));
  EXPECT_THAT(statistics.Advice(milliseconds(2)), HasSubstr("the data are the slower side: a batch takes 2"));
  EXPECT_EQ(statistics.Advice(std::chrono::seconds(10)), "");
}

TEST(QueueTest, DepthOverTimeKeepsItsShape) {
  auto queue = MakeQueue(3);
  constexpr uint64_t kBatches = 10000;
  for (uint64_t n = 0; n < kBatches; ++n) {
    PublishNumber(*queue, n);
    if (n % 3 == 2) {
      for (int i = 0; i < 3; ++i) Take(*queue);
    }
  }
  const std::vector<DepthSample> history = queue->history();
  EXPECT_GT(history.size(), 100u);
  EXPECT_LE(history.size(), 256u);
  for (size_t i = 1; i < history.size(); ++i) {
    EXPECT_GE(history[i].seconds, history[i - 1].seconds);
    EXPECT_GE(history[i].filled, 1u);
    EXPECT_LE(history[i].filled, 3u);
  }
  const QueueStatistics statistics = queue->statistics();
  EXPECT_EQ(statistics.published, kBatches);
  EXPECT_NEAR(statistics.mean_filled, 2, 0.01);
  EXPECT_EQ(statistics.producer.count, 0u);
  queue->Reset();
  EXPECT_EQ(queue->history().size(), 0u);
}

TEST(QueueTest, AcquireOfAFullRingTimesOut) {
  auto queue = MakeQueue(1);
  PublishNumber(*queue, 0);
  auto slot = queue->Acquire(1, milliseconds(5));
  EXPECT_EQ(slot.status().code(), absl::StatusCode::kDeadlineExceeded);
  EXPECT_THAT(std::string(slot.status().message()), HasSubstr("waiting for a free slot"));
}

TEST(QueueTest, CancelWakesAnAcquire) {
  auto queue = MakeQueue(1);
  PublishNumber(*queue, 0);
  std::thread canceller([&] {
    std::this_thread::sleep_for(milliseconds(10));
    queue->Cancel();
  });
  EXPECT_EQ(queue->Acquire(1).value(), nullptr);
  canceller.join();
  queue->Reset();
  EXPECT_NE(queue->Acquire(0).value(), nullptr);
}

TEST(QueueTest, CloseWakesAnAcquire) {
  auto queue = MakeQueue(1);
  PublishNumber(*queue, 0);
  std::thread closer([&] {
    std::this_thread::sleep_for(milliseconds(10));
    queue->Close();
  });
  EXPECT_EQ(queue->Acquire(1).value(), nullptr);
  closer.join();
}

TEST(QueueTest, ResidentBatchesNeverEnd) {
  auto queue = MakeQueue(2);
  PublishNumber(*queue, 0);
  EXPECT_FALSE(queue->MakeResident().ok());
  PublishNumber(*queue, 1);
  ASSERT_TRUE(queue->MakeResident().ok());
  for (uint64_t n = 0; n < 100; ++n) {
    ASSERT_NE(queue->produced(), queue->consumed());
    EXPECT_EQ(Take(*queue), n % 2);
  }
}

TEST(QueueTest, ImpossibleSizesAreErrors) {
  EXPECT_FALSE(Queue::Create("q", 64, 0).ok());
  EXPECT_FALSE(Queue::Create("q", uint64_t{1} << 62, 16).ok());
  auto huge = Queue::Create("q", uint64_t{1} << 60, 2);
  EXPECT_EQ(huge.status().code(), absl::StatusCode::kResourceExhausted);
}

}  // namespace
}  // namespace plumb
