// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/base/element_type.h"
#include "runtime/base/json.h"
#include "runtime/executable/manifest_check.h"
#include "runtime/tools/dump.h"
#include "runtime/tools/pipeline_text.h"

namespace plumb {
namespace {

std::string Text(const flatbuffers::String* text) { return text ? text->str() : std::string(); }

void WriteType(JsonWriter& json, const abi::TensorType& type) {
  json.Key("element").String(ElementName(type.element())).Key("shape").BeginArray();
  for (int64_t size : ShapeOf(type)) json.Int(size);
  json.EndArray().Key("bytes").UInt(TypeBytes(&type).value_or(0));
}

void WriteVariable(JsonWriter& json, const abi::Variable& variable) {
  json.BeginObject().Key("name").String(Text(variable.name()));
  WriteType(json, *variable.type());
  json.Key("offset").UInt(variable.offset()).Key("trainable").Bool(variable.trainable());
  if (const abi::Initializer* rule = variable.rule()) {
    json.Key("initializer").BeginObject().Key("kind").String(Text(rule->kind())).Key("parameters").BeginArray();
    for (size_t i = 0; rule->parameters() && i < rule->parameters()->size(); ++i) {
      json.Double(rule->parameters()->Get(static_cast<flatbuffers::uoffset_t>(i)));
    }
    json.EndArray().Key("stream").UInt(rule->stream()).EndObject();
  }
  json.EndObject();
}

void WriteQueue(JsonWriter& json, const abi::Queue& queue) {
  json.BeginObject().Key("name").String(Text(queue.name())).Key("depth").UInt(queue.depth());
  json.Key("slot_bytes").UInt(queue.slot_bytes()).Key("columns").BeginArray();
  for (const abi::Column* column : *queue.columns()) {
    json.BeginObject().Key("name").String(Text(column->name()));
    WriteType(json, *column->type());
    json.Key("offset").UInt(column->offset());
    if (column->classes()) json.Key("classes").UInt(column->classes());
    if (column->lowest()) json.Key("lowest").Int(column->lowest());
    if (column->use() && column->use()->size()) json.Key("use").String(Text(column->use()));
    json.EndObject();
  }
  json.EndArray();
  if (queue.pipeline()) json.Key("pipeline").Raw(PipelineJson(*queue.pipeline()));
  json.EndObject();
}

void WriteLoop(JsonWriter& json, const abi::Loop& loop, const abi::Manifest& manifest) {
  json.BeginObject().Key("name").String(Text(loop.name())).Key("mode").String(Text(loop.mode()));
  if (loop.queue() >= 0) {
    json.Key("queue").String(Text(manifest.queues()->Get(static_cast<flatbuffers::uoffset_t>(loop.queue()))->name()));
  }
  json.Key("sink_size").Int(loop.sink_size()).Key("epochs").Int(loop.epochs());
  json.Key("record_bytes").UInt(loop.record_bytes()).Key("reports").BeginArray();
  if (loop.reports()) {
    for (const abi::Report* report : *loop.reports()) {
      json.BeginObject().Key("name").String(Text(report->name()));
      WriteType(json, *report->type());
      json.Key("offset").UInt(report->offset()).EndObject();
    }
  }
  json.EndArray().Key("chunks").BeginArray();
  for (size_t i = 0; loop.chunks() && i < loop.chunks()->size(); ++i) {
    json.UInt(loop.chunks()->Get(static_cast<flatbuffers::uoffset_t>(i)));
  }
  json.EndArray().EndObject();
}

void WriteMemory(JsonWriter& json, const abi::Manifest& manifest) {
  json.Key("memory").BeginObject().Key("variables_bytes").UInt(manifest.variables_bytes());
  json.Key("arena_bytes").UInt(manifest.arena_bytes()).Key("arena_lower_bound").UInt(manifest.arena_lower_bound());
  json.Key("arena").BeginArray();
  if (manifest.arena()) {
    for (const abi::ArenaBuffer* buffer : *manifest.arena()) {
      json.BeginObject().Key("name").String(Text(buffer->name())).Key("offset").UInt(buffer->offset());
      json.Key("bytes").UInt(buffer->bytes()).Key("first").UInt(buffer->first()).Key("last").UInt(buffer->last());
      json.EndObject();
    }
  }
  json.EndArray().EndObject();
}

void WriteTarget(JsonWriter& json, const abi::Manifest& manifest) {
  json.Key("target").BeginObject().Key("triple").String(Text(manifest.target_triple()));
  json.Key("cpu").String(Text(manifest.target_cpu())).Key("features").BeginArray();
  if (manifest.cpu_features()) {
    for (const flatbuffers::String* name : *manifest.cpu_features()) json.String(name->str());
  }
  json.EndArray().EndObject();
}

}  // namespace

std::string DumpJson(const ExecutableImage& image) {
  const abi::Manifest& manifest = image.manifest();
  JsonWriter json;
  json.BeginObject().Key("name").String(Text(manifest.name()));
  json.Key("schema_version").UInt(manifest.schema_version()).Key("abi_version").UInt(manifest.abi_version());
  json.Key("compiler_version").String(Text(manifest.compiler_version()));
  json.Key("source").String(Text(manifest.source_name()));
  json.Key("source_hash").String(absl::StrFormat("%016x", manifest.source_hash()));
  json.Key("seed").UInt(manifest.seed());
  json.Key("file_bytes").UInt(image.file_bytes()).Key("text_bytes").UInt(image.text_bytes());
  WriteTarget(json, manifest);
  json.Key("loops").BeginArray();
  for (const abi::Loop* loop : *manifest.loops()) WriteLoop(json, *loop, manifest);
  json.EndArray().Key("queues").BeginArray();
  if (manifest.queues()) {
    for (const abi::Queue* queue : *manifest.queues()) WriteQueue(json, *queue);
  }
  json.EndArray().Key("variables").BeginArray();
  if (manifest.variables()) {
    for (const abi::Variable* variable : *manifest.variables()) WriteVariable(json, *variable);
  }
  json.EndArray();
  WriteMemory(json, manifest);
  return json.EndObject().text();
}

}  // namespace plumb
