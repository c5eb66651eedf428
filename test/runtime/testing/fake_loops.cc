// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loops alone: also linked by itself into a shared object that tests load as a file. No library is needed.

#include <stdint.h>

#include "runtime/abi/executable_abi.h"

namespace {

enum Kind { kTrain, kGuarded, kCount };

template <typename T>
T Load(const T* place) {
  return __atomic_load_n(place, __ATOMIC_ACQUIRE);
}

template <typename T>
void Store(T* place, T value) {
  __atomic_store_n(place, value, __ATOMIC_RELEASE);
}

void Leave(plumb_launch_t* launch, uint64_t steps, int32_t reason) {
  launch->steps = steps;
  launch->reason = static_cast<uint32_t>(reason);
}

/// 0: a record is free; otherwise why to leave.
int32_t WaitForRecord(plumb_launch_t* launch) {
  plumb_report_ring_t* ring = launch->reports;
  if (ring->written - Load(&ring->drained) < ring->depth) return 0;
  return launch->wait_report(launch);
}

void Report(plumb_report_ring_t* ring, uint64_t step, float loss) {
  uint8_t* record = ring->records + ring->written % ring->depth * ring->record_bytes;
  *reinterpret_cast<uint64_t*>(record) = step;
  *reinterpret_cast<float*>(record + 8) = loss;
  Store(&ring->written, ring->written + 1);
}

/// Prints the weight `times` times if the loop has prints.
void Print(plumb_launch_t* launch, uint64_t step, uint64_t times, float weight) {
  plumb_report_ring_t* ring = launch->prints;
  for (uint64_t i = 0; ring != nullptr && i < times; ++i) {
    while (ring->written - Load(&ring->drained) == ring->depth) launch->wait_print(launch);
    uint8_t* record = ring->records + ring->written % ring->depth * ring->record_bytes;
    reinterpret_cast<uint64_t*>(record)[0] = step;
    reinterpret_cast<uint64_t*>(record)[1] = i % 2;
    *reinterpret_cast<float*>(record + 16) = weight;
    Store(&ring->written, ring->written + 1);
  }
}

float Step(Kind kind, float weight, const uint8_t* slot) {
  if (kind == kCount) return weight + 1;
  const float* x = reinterpret_cast<const float*>(slot);
  return weight / 2 + (x[0] + x[1] + x[2] + x[3]) + static_cast<float>(*reinterpret_cast<const int32_t*>(slot + 64));
}

void Run(plumb_launch_t* launch, Kind kind) {
  plumb_queue_t* queue = kind == kCount ? nullptr : launch->queues[0];
  float* weight = reinterpret_cast<float*>(launch->variables);
  for (uint64_t step = 0; step < launch->sink_size; ++step) {
    if (Load(launch->stop)) return Leave(launch, step, PLUMB_END_STOPPED);
    const uint8_t* slot = nullptr;
    if (queue != nullptr) {
      if (Load(&queue->produced) == queue->consumed) {
        int32_t answer = launch->wait_batch(launch, 0);
        if (answer != PLUMB_WAIT_READY) return Leave(launch, step, answer);
      }
      slot = queue->slots + queue->consumed % queue->depth * queue->slot_bytes;
    }
    if (int32_t answer = WaitForRecord(launch)) return Leave(launch, step, answer);
    *weight = Step(kind, *weight, slot);
    Print(launch, step, step % 3 * 100, *weight);
    if (queue != nullptr) Store(&queue->consumed, queue->consumed + 1);
    Report(launch->reports, step, *weight);
    if (kind == kGuarded && *weight > 100) return Leave(launch, step + 1, PLUMB_END_GUARD);
  }
  Leave(launch, launch->sink_size, PLUMB_END_SINK_SIZE);
}

void RunTrain(plumb_launch_t* launch) { Run(launch, kTrain); }
void RunGuarded(plumb_launch_t* launch) { Run(launch, kGuarded); }
void RunCount(plumb_launch_t* launch) { Run(launch, kCount); }

const plumb_loop_entry_t kLoops[] = {{"train", &RunTrain}, {"guarded", &RunGuarded}, {"count", &RunCount}};
const plumb_executable_table_t kTable = {PLUMB_ABI_VERSION, 3, kLoops};

}  // namespace

extern "C" const plumb_executable_table_t* plumb_executable_query(uint32_t abi_version) {
  return abi_version == PLUMB_ABI_VERSION ? &kTable : nullptr;
}
