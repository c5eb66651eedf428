// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The real queue and report ring in every order of their two sides (explorer.h says of which): nothing is lost, taken
// twice or read while it is written, no side waits for ever, and a stop, an end, an error or a cancellation always
// arrives.

#include <cstdio>
#include <cstring>
#include <memory>

#include "gtest/gtest.h"
#include "runtime/base/atomics.h"
#include "runtime/queue/queue.h"
#include "runtime/queue/report_ring.h"
#include "test/runtime/queue/explorer.h"

namespace plumb {
namespace {

using testing::Exploration;
using testing::Explore;
using testing::FailOrder;
using testing::Scenario;

/// Two words of a slot or record: whoever sees them differ sees it being written.
void WriteWords(uint8_t* place, uint64_t value) {
  auto* words = reinterpret_cast<uint64_t*>(place);
  StoreRelease(words, value);
  StoreRelease(words + 1, value);
}

void CheckWords(const uint8_t* place, uint64_t value, const char* what) {
  const auto* words = reinterpret_cast<const uint64_t*>(place);
  if (LoadAcquire(words) != value || LoadAcquire(words + 1) != value)
    FailOrder(std::string(what) + " " + std::to_string(value));
}

struct QueueState {
  std::unique_ptr<Queue> queue;
  uint32_t stop = 0;
  uint64_t taken = 0;
  int32_t end = -1;
  bool cancelled = false;
};

/// A loop as the compiler builds it.
void Consume(QueueState* state, uint64_t steps) {
  plumb_queue_t* ring = state->queue->abi();
  for (uint64_t step = 0; step < steps; ++step) {
    if (LoadAcquire(&state->stop) != 0) {
      state->end = PLUMB_WAIT_STOPPED;
      return;
    }
    while (LoadAcquire(&ring->produced) == ring->consumed) {
      state->end = state->queue->Wait(&state->stop, std::chrono::nanoseconds(0));
      if (state->end != PLUMB_WAIT_READY) return;
    }
    CheckWords(ring->slots + ring->consumed % ring->depth * ring->slot_bytes, step, "batch");
    StoreRelease(&ring->consumed, ring->consumed + 1);
    ++state->taken;
  }
  state->end = PLUMB_END_SINK_SIZE;
}

/// Publishes `batches`; true unless somebody cancelled.
bool Produce(QueueState* state, uint64_t batches) {
  for (uint64_t n = 0; n < batches; ++n) {
    uint8_t* slot = state->queue->Acquire(n).value();
    if (slot == nullptr) return false;
    WriteWords(slot, n);
    state->queue->Publish(n);
  }
  return true;
}

std::shared_ptr<QueueState> MakeState(uint64_t depth) {
  auto state = std::make_shared<QueueState>();
  state->queue = Queue::Create("q", 64, depth).value();
  return state;
}

void Expect(const Exploration& found, uint64_t least) {
  EXPECT_EQ(found.failure, "") << "after " << found.orders << " orders";
  EXPECT_GE(found.orders, least);
  std::printf("%llu orders\n", static_cast<unsigned long long>(found.orders));
}

class InterleavingsTest : public ::testing::TestWithParam<uint64_t> {};

TEST_P(InterleavingsTest, EveryBatchIsTakenOnceAndThenTheEnd) {
  const uint64_t depth = GetParam(), batches = depth + 2;
  Expect(Explore(
             [=] {
               auto state = MakeState(depth);
               return Scenario{{[=] {
                                  Produce(state.get(), batches);
                                  state->queue->Close();
                                },
                                [=] { Consume(state.get(), batches + 1); }},
                               [=]() -> std::string {
                                 return state->taken == batches && state->end == PLUMB_WAIT_END_OF_DATA ? ""
                                                                                                        : "not the end";
                               }};
             },
             3),
         5000);
}

TEST_P(InterleavingsTest, AnErrorComesAfterTheBatchesBeforeIt) {
  const uint64_t depth = GetParam();
  Expect(Explore(
             [=] {
               auto state = MakeState(depth);
               return Scenario{{[=] {
                                  Produce(state.get(), 2);
                                  state->queue->Close(absl::DataLossError("bad"));
                                },
                                [=] { Consume(state.get(), 9); }},
                               [=]() -> std::string {
                                 const bool good = state->taken == 2 && state->end == PLUMB_WAIT_ERROR &&
                                                   state->queue->error().code() == absl::StatusCode::kDataLoss;
                                 return good ? "" : "not the error";
                               }};
             },
             3),
         5000);
}

TEST_P(InterleavingsTest, AStopAlwaysArrives) {
  const uint64_t depth = GetParam();
  Expect(Explore(
             [=] {
               auto state = MakeState(depth);
               return Scenario{{[=] {
                                  Produce(state.get(), 1);  // and then it is stuck
                                },
                                [=] { Consume(state.get(), 9); }, [=] { StoreRelease(&state->stop, 1u); }},
                               [=]() -> std::string { return state->end == PLUMB_WAIT_STOPPED ? "" : "not stopped"; }};
             },
             2),
         100);
}

TEST_P(InterleavingsTest, ACancellationWakesTheProducer) {
  const uint64_t depth = GetParam();
  Expect(Explore(
             [=] {
               auto state = MakeState(depth);
               return Scenario{
                   {[=] { state->cancelled = !Produce(state.get(), depth + 2); }, [=] { Consume(state.get(), 1); },
                    [=] {
                      state->queue->Cancel();
                      StoreRelease(&state->stop, 1u);  // for a loop that gets no batch any more
                    }},
                   [=]() -> std::string {
                     if (!state->cancelled) return "the producer went on without a slot";
                     return "";
                   }};
             },
             2),
         100);
}

INSTANTIATE_TEST_SUITE_P(Depths, InterleavingsTest, ::testing::Values(1, 2));

struct RingState {
  Doorbell doorbell;
  std::unique_ptr<ReportRing> ring;
  uint64_t seen = 0, inspected = 0;
  bool left = false;
};

/// A loop that reports `steps` times; the waits of its steps come first, as in compiled loops.
void Report(RingState* state, uint64_t steps) {
  plumb_report_ring_t* abi = state->ring->abi();
  for (uint64_t n = 0; n < steps; ++n) {
    while (abi->written - LoadAcquire(&abi->drained) >= abi->depth) {
      if (state->ring->WaitForRoom() != PLUMB_WAIT_READY) FailOrder("a record did not pass");
    }
    WriteWords(abi->records + abi->written % abi->depth * abi->record_bytes, n);
    StoreRelease(&abi->written, abi->written + 1);
  }
  state->left = true;
  state->doorbell.Ring();
}

void DrainAll(RingState* state) {
  const auto handle = [=](const uint8_t* record) { CheckWords(record, state->seen++, "record"); };
  for (bool left = false; !left;) {
    left = state->left;
    if (!left) state->doorbell.Wait(std::chrono::milliseconds(10));
    state->ring->Drain(handle);
  }
  if (!state->ring->InspectLast()) FailOrder("the last record did not pass");
  state->ring->Drain(handle);
}

Exploration ExploreRing(uint64_t depth, bool inspected, int preemptions) {
  return Explore(
      [=] {
        auto state = std::make_shared<RingState>();
        state->ring = ReportRing::Create(16, depth, &state->doorbell).value();
        RingState* raw = state.get();
        if (inspected) {
          state->ring->Reset([raw](const uint8_t* record) {
            CheckWords(record, raw->inspected++, "inspected record");
            return true;
          });
        }
        const uint64_t steps = depth + 2;
        return Scenario{{[=] { Report(state.get(), steps); }, [=] { DrainAll(state.get()); }}, [=]() -> std::string {
                          if (state->seen != steps) return "records are lost: " + std::to_string(state->seen);
                          return !inspected || state->inspected == steps ? "" : "a record was not inspected once";
                        }};
      },
      preemptions);
}

TEST(InterleavingsOfReportsTest, EveryRecordIsHeardOfOnce) {
  for (uint64_t depth : {1, 2}) Expect(ExploreRing(depth, /*inspected=*/false, 3), 5000);
}

TEST(InterleavingsOfReportsTest, EveryRecordIsInspectedAndHeardOfOnce) {
  for (uint64_t depth : {1, 2}) Expect(ExploreRing(depth, /*inspected=*/true, 3), 5000);
}

// The explorer itself finds what is wrong: a consumer that gives the slot back before it has read it.
TEST(ExplorerTest, FindsASlotThatIsGivenBackTooEarly) {
  const Exploration found = Explore(
      [] {
        auto state = MakeState(1);
        return Scenario{{[=] { Produce(state.get(), 3); },
                         [=] {
                           plumb_queue_t* ring = state->queue->abi();
                           for (uint64_t step = 0; step < 3; ++step) {
                             while (LoadAcquire(&ring->produced) == ring->consumed) {
                               state->queue->Wait(nullptr, std::chrono::nanoseconds(0));
                             }
                             StoreRelease(&ring->consumed, ring->consumed + 1);
                             CheckWords(ring->slots, step, "batch");
                           }
                         }},
                        [] { return std::string(); }};
      },
      2);
  EXPECT_NE(found.failure.find("batch"), std::string::npos) << found.failure;
}

TEST(ExplorerTest, FindsWhoWaitsForEver) {
  const Exploration found = Explore(
      [] {
        auto state = MakeState(1);
        return Scenario{{[=] { Produce(state.get(), 1); }, [=] { Consume(state.get(), 2); }},
                        [] { return std::string(); }};
      },
      1);
  EXPECT_NE(found.failure.find("nobody can go on"), std::string::npos) << found.failure;
}

}  // namespace
}  // namespace plumb
