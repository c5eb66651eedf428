// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cstring>

#include "runtime/abi/versions.h"
#include "test/runtime/testing/fake_loops.h"

namespace plumb {
namespace testing {
namespace {

std::unique_ptr<abi::TensorTypeT> Type(abi::ElementType element, std::vector<int64_t> shape) {
  auto type = std::make_unique<abi::TensorTypeT>();
  type->element = element;
  type->shape = std::move(shape);
  return type;
}

std::unique_ptr<abi::ColumnT> Column(const char* name, abi::ElementType element, uint64_t offset) {
  auto column = std::make_unique<abi::ColumnT>();
  column->name = name;
  column->type = Type(element, {4});
  column->offset = offset;
  return column;
}

template <typename T>
std::unique_ptr<abi::ArrayColumnT> Rows(const char* name, const char* element, const std::vector<T>& rows) {
  auto column = std::make_unique<abi::ArrayColumnT>();
  column->name = name;
  column->element = element;
  column->bytes.resize(rows.size() * sizeof(T));
  std::memcpy(column->bytes.data(), rows.data(), column->bytes.size());
  return column;
}

std::unique_ptr<abi::PipelineT> MakePipeline() {
  std::vector<float> x;
  std::vector<int32_t> label;
  for (int i = 0; i < 16; ++i) {
    x.push_back(0.125f * static_cast<float>(i));
    label.push_back(i % 3);
  }
  abi::ArraySourceT source;
  source.columns.push_back(Rows("x", "f32", x));
  source.columns.push_back(Rows("label", "i32", label));
  auto pipeline = std::make_unique<abi::PipelineT>();
  pipeline->source.Set(std::move(source));
  pipeline->sampler_shuffle = true;
  abi::BatchT batch;
  batch.size = 4;
  batch.drop_remainder = true;
  auto entry = std::make_unique<abi::NodeEntryT>();
  entry->node.Set(std::move(batch));
  pipeline->nodes.push_back(std::move(entry));
  return pipeline;
}

std::unique_ptr<abi::QueueT> MakeQueue() {
  auto queue = std::make_unique<abi::QueueT>();
  queue->name = "train";
  queue->columns.push_back(Column("x", abi::ElementType::f32, 0));
  queue->columns.push_back(Column("label", abi::ElementType::i32, 64));
  queue->slot_bytes = 128;
  queue->depth = 4;
  queue->pipeline = MakePipeline();
  return queue;
}

std::unique_ptr<abi::LoopT> MakeLoop(const char* name, int32_t queue) {
  auto loss = std::make_unique<abi::ReportT>();
  loss->name = "loss";
  loss->type = Type(abi::ElementType::f32, {});
  loss->offset = 8;
  auto loop = std::make_unique<abi::LoopT>();
  loop->name = name;
  loop->mode = "train";
  loop->queue = queue;
  loop->record_bytes = 16;
  loop->sink_size = 10;
  loop->epochs = 2;
  loop->reports.push_back(std::move(loss));
  return loop;
}

}  // namespace

abi::ManifestT MakeManifest() {
  abi::ManifestT manifest;
  manifest.schema_version = abi::kManifestSchemaVersion;
  manifest.abi_version = PLUMB_ABI_VERSION;
  manifest.name = "fake";
  manifest.compiler_version = "0.0";
  manifest.source_name = "fake_loops.cc";
  manifest.target_cpu = "x86-64";
  manifest.variables_bytes = 64;
  manifest.arena_bytes = 64;
  auto variable = std::make_unique<abi::VariableT>();
  variable->name = "weight";
  variable->type = Type(abi::ElementType::f32, {});
  variable->trainable = true;
  variable->rule = std::make_unique<abi::InitializerT>();
  variable->rule->kind = "zero";
  manifest.variables.push_back(std::move(variable));
  manifest.queues.push_back(MakeQueue());
  manifest.loops.push_back(MakeLoop("train", 0));
  manifest.loops.push_back(MakeLoop("guarded", 0));
  manifest.loops.push_back(MakeLoop("count", -1));
  return manifest;
}

abi::ManifestT MakeMnistManifest() {
  auto pipeline = std::make_unique<abi::PipelineT>();
  abi::MnistSourceT source;
  source.folder = "mnist";
  pipeline->source.Set(std::move(source));
  auto add = [&](auto node) {
    auto entry = std::make_unique<abi::NodeEntryT>();
    entry->node.Set(std::move(node));
    pipeline->nodes.push_back(std::move(entry));
  };
  abi::MapT map;
  map.column = "image";
  abi::RescaleT rescale;
  rescale.scale = 1.0 / 256;
  map.operation.Set(std::move(rescale));
  add(std::move(map));
  abi::BatchT batch;
  batch.size = 1;
  batch.drop_remainder = true;
  add(std::move(batch));

  abi::ManifestT manifest = MakeManifest();
  abi::QueueT& queue = *manifest.queues[0];
  queue.columns.clear();
  queue.columns.push_back(Column("image", abi::ElementType::f32, 0));
  queue.columns[0]->type->shape = {1, 28, 28, 1};
  queue.columns.push_back(Column("label", abi::ElementType::u32, 3136));
  queue.columns[1]->type->shape = {1};
  queue.columns[1]->classes = 10;
  queue.slot_bytes = 3200;
  queue.pipeline = std::move(pipeline);
  return manifest;
}

std::vector<uint8_t> PackManifest(const abi::ManifestT& manifest) {
  flatbuffers::FlatBufferBuilder builder;
  abi::FinishManifestBuffer(builder, abi::Manifest::Pack(builder, &manifest));
  return std::vector<uint8_t>(builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize());
}

}  // namespace testing
}  // namespace plumb
