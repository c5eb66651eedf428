// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/tools/empty_loop.h"

#include <cstring>

#include "runtime/abi/versions.h"
#include "runtime/base/atomics.h"

namespace plumb {
namespace {

/// Leaves the loop for the reason that a wait answered.
void Leave(plumb_launch_t* launch, uint64_t steps, int32_t answer) {
  launch->steps = steps;
  launch->reason = static_cast<uint32_t>(answer);  // the answers are numbered as the reasons
}

void RunEmptyLoop(plumb_launch_t* launch) {
  plumb_queue_t* queue = launch->queues[0];
  plumb_report_ring_t* ring = launch->reports;
  for (uint64_t step = 0; step < launch->sink_size; ++step) {
    if (LoadAcquire(launch->stop) != 0) return Leave(launch, step, PLUMB_END_STOPPED);
    const uint64_t batch = queue->consumed;
    if (LoadAcquire(&queue->produced) == batch) {
      int32_t answer = launch->wait_batch(launch, 0);
      if (answer != PLUMB_WAIT_READY) return Leave(launch, step, answer);
    }
    const uint64_t record = ring->written;
    if (record - LoadAcquire(&ring->drained) >= ring->depth) {
      int32_t answer = launch->wait_report(launch);
      if (answer != PLUMB_WAIT_READY) return Leave(launch, step, answer);
    }
    uint8_t* place = ring->records + record % ring->depth * ring->record_bytes;
    std::memcpy(place, &step, sizeof(step));
    std::memcpy(place + sizeof(step), queue->slots + batch % queue->depth * queue->slot_bytes, sizeof(float));
    StoreRelease(&ring->written, record + 1);
    StoreRelease(&queue->consumed, batch + 1);
  }
  Leave(launch, launch->sink_size, PLUMB_END_SINK_SIZE);
}

const plumb_executable_table_t* Query(uint32_t abi_version) {
  static const plumb_loop_entry_t loops[] = {{"empty", &RunEmptyLoop}};
  static const plumb_executable_table_t table = {PLUMB_ABI_VERSION, 1, loops};
  return abi_version == PLUMB_ABI_VERSION ? &table : nullptr;
}

std::unique_ptr<abi::TensorTypeT> Scalar() { return std::make_unique<abi::TensorTypeT>(); }

abi::ManifestT MakeManifest() {
  abi::ManifestT manifest;
  manifest.schema_version = abi::kManifestSchemaVersion;
  manifest.abi_version = PLUMB_ABI_VERSION;
  manifest.name = "empty";
  auto column = std::make_unique<abi::ColumnT>();
  column->name = "value";
  column->type = Scalar();
  auto queue = std::make_unique<abi::QueueT>();
  queue->name = "data";
  queue->columns.push_back(std::move(column));
  queue->slot_bytes = PLUMB_BUFFER_ALIGNMENT;
  queue->depth = 16;
  manifest.queues.push_back(std::move(queue));
  auto report = std::make_unique<abi::ReportT>();
  report->name = "value";
  report->type = Scalar();
  report->offset = 8;
  auto loop = std::make_unique<abi::LoopT>();
  loop->name = "empty";
  loop->mode = "train";
  loop->queue = 0;
  loop->record_bytes = 16;
  loop->reports.push_back(std::move(report));
  manifest.loops.push_back(std::move(loop));
  return manifest;
}

}  // namespace

absl::StatusOr<std::shared_ptr<const Executable>> MakeEmptyExecutable() {
  flatbuffers::FlatBufferBuilder builder;
  abi::ManifestT manifest = MakeManifest();
  abi::FinishManifestBuffer(builder, abi::Manifest::Pack(builder, &manifest));
  return Executable::FromLinked(&Query, absl::MakeConstSpan(builder.GetBufferPointer(), builder.GetSize()));
}

}  // namespace plumb
