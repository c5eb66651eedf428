// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <algorithm>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "runtime/base/element_type.h"
#include "runtime/executable/manifest_check.h"
#include "runtime/tools/dump.h"
#include "runtime/tools/pipeline_text.h"

namespace plumb {
namespace {

std::string Text(const flatbuffers::String* text) { return text ? text->str() : std::string("?"); }

/// "1234567 bytes (1.2 MiB)".
std::string Bytes(uint64_t bytes) {
  if (bytes < 10240) return absl::StrFormat("%d bytes", bytes);
  if (bytes < 10u << 20) return absl::StrFormat("%d bytes (%.1f KiB)", bytes, static_cast<double>(bytes) / 1024);
  return absl::StrFormat("%d bytes (%.1f MiB)", bytes, static_cast<double>(bytes) / (1 << 20));
}

std::string InitialValue(const abi::Variable& variable) {
  const abi::Initializer* rule = variable.rule();
  if (rule == nullptr) return "data";
  std::vector<std::string> parameters;
  for (size_t i = 0; rule->parameters() && i < rule->parameters()->size(); ++i) {
    parameters.push_back(absl::StrFormat("%g", rule->parameters()->Get(static_cast<flatbuffers::uoffset_t>(i))));
  }
  return absl::StrCat(Text(rule->kind()), "(", absl::StrJoin(parameters, ", "), ")");
}

/// The texts of a print with the types of the values between them.
std::string FormatText(const abi::PrintFormat& format) {
  std::string text;
  for (flatbuffers::uoffset_t i = 0; i < format.texts()->size(); ++i) {
    absl::StrAppend(&text, format.texts()->Get(i)->str());
    if (format.values() != nullptr && i < format.values()->size())
      absl::StrAppend(&text, "{", TypeText(*format.values()->Get(i)->type()), "}");
  }
  return text;
}

void AddLoops(std::string* out, const abi::Manifest& manifest) {
  for (const abi::Loop* loop : *manifest.loops()) {
    absl::StrAppendFormat(
        out, "\nloop %s: mode %s, %s, sink size %s, %d epochs\n", Text(loop->name()), Text(loop->mode()),
        loop->queue() < 0
            ? std::string("no data")
            : "queue " + Text(manifest.queues()->Get(static_cast<flatbuffers::uoffset_t>(loop->queue()))->name()),
        loop->sink_size() < 0 ? std::string("all data") : absl::StrCat(loop->sink_size()), loop->epochs());
    if (loop->chunks() != nullptr && loop->chunks()->size() > 0) {
      absl::StrAppendFormat(out, "  partitioned kernels: %d, chunks of each: %s\n", loop->chunks()->size(),
                            absl::StrJoin(*loop->chunks(), " "));
    }
    for (size_t i = 0; loop->reports() != nullptr && i < loop->reports()->size(); ++i) {
      const abi::Report& report = *loop->reports()->Get(static_cast<flatbuffers::uoffset_t>(i));
      absl::StrAppendFormat(out, "  reports %s: %s\n", Text(report.name()), TypeText(*report.type()));
    }
    for (size_t i = 0; loop->prints() != nullptr && i < loop->prints()->size(); ++i) {
      const abi::Print& print = *loop->prints()->Get(static_cast<flatbuffers::uoffset_t>(i));
      absl::StrAppendFormat(out, "  prints \"%s\"%s%s\n", absl::CEscape(Text(print.before())),
                            print.value() == nullptr ? "" : absl::StrCat(" and ", TypeText(*print.value()->type())),
                            print.when() < 0 ? "" : " in some steps");
    }
    for (size_t i = 0; loop->print_formats() != nullptr && i < loop->print_formats()->size(); ++i) {
      const abi::PrintFormat& format = *loop->print_formats()->Get(static_cast<flatbuffers::uoffset_t>(i));
      absl::StrAppendFormat(out, "  prints \"%s\"\n", absl::CEscape(FormatText(format)));
    }
    for (size_t i = 0; loop->checks() != nullptr && i < loop->checks()->size(); ++i) {
      const abi::Check& check = *loop->checks()->Get(static_cast<flatbuffers::uoffset_t>(i));
      absl::StrAppendFormat(out, "  checks %d to %d: %s\n", check.lowest(), check.highest(),
                            Text(check.error() != nullptr ? check.error() : check.use()));
    }
  }
}

/// What the values of a column may be, if the host checks them.
std::string RangeText(const abi::Column& column) {
  if (column.classes() == 0) return "";
  if (column.use() == nullptr || column.use()->str().empty()) return absl::StrFormat(", %d classes", column.classes());
  return absl::StrFormat(", %d to %d: %s", column.lowest(), column.classes() - 1, column.use()->str());
}

void AddQueues(std::string* out, const abi::Manifest& manifest) {
  if (manifest.queues() == nullptr) return;
  for (const abi::Queue* queue : *manifest.queues()) {
    absl::StrAppendFormat(out, "\nqueue %s: %d slots of %s\n", Text(queue->name()), queue->depth(),
                          Bytes(queue->slot_bytes()));
    for (const abi::Column* column : *queue->columns()) {
      absl::StrAppendFormat(out, "  column %s: %s at %d%s\n", Text(column->name()), TypeText(*column->type()),
                            column->offset(), RangeText(*column));
    }
    absl::StrAppendFormat(out, "  fed by %s\n", queue->pipeline() ? PipelineJson(*queue->pipeline()) : "the embedder");
  }
}

void AddVariables(std::string* out, const abi::Manifest& manifest) {
  if (manifest.variables() == nullptr) return;
  size_t width = 0;
  for (const abi::Variable* variable : *manifest.variables()) width = std::max(width, Text(variable->name()).size());
  absl::StrAppendFormat(out, "\n%d variables in %s\n", manifest.variables()->size(), Bytes(manifest.variables_bytes()));
  for (const abi::Variable* variable : *manifest.variables()) {
    absl::StrAppendFormat(out, "  %-*s  %8d  %s = %s%s\n", static_cast<int>(width), Text(variable->name()),
                          variable->offset(), TypeText(*variable->type()), InitialValue(*variable),
                          variable->trainable() ? ", trainable" : "");
  }
}

void AddMemoryPlan(std::string* out, const abi::Manifest& manifest) {
  absl::StrAppendFormat(out, "\narena: %s; most alive at one time: %s\n", Bytes(manifest.arena_bytes()),
                        Bytes(manifest.arena_lower_bound()));
  if (manifest.arena() == nullptr) return;
  for (const abi::ArenaBuffer* buffer : *manifest.arena()) {
    absl::StrAppendFormat(out, "  %10d +%-10d steps %d-%d  %s\n", buffer->offset(), buffer->bytes(), buffer->first(),
                          buffer->last(), Text(buffer->name()));
  }
}

}  // namespace

std::string DumpText(const ExecutableImage& image) {
  const abi::Manifest& manifest = image.manifest();
  std::vector<std::string> features;
  if (manifest.cpu_features()) {
    for (const flatbuffers::String* name : *manifest.cpu_features()) features.push_back(name->str());
  }
  std::string out = absl::StrFormat(
      "executable %s: made by Plumb %s from %s (hash %016x), manifest schema %d, ABI %d\n"
      "file %s, of them code %s; seed %d\n"
      "target %s, cpu %s, needs %s\n",
      Text(manifest.name()), Text(manifest.compiler_version()), Text(manifest.source_name()), manifest.source_hash(),
      manifest.schema_version(), manifest.abi_version(), Bytes(image.file_bytes()), Bytes(image.text_bytes()),
      manifest.seed(), Text(manifest.target_triple()), Text(manifest.target_cpu()),
      features.empty() ? "no special features" : absl::StrJoin(features, " "));
  AddLoops(&out, manifest);
  AddQueues(&out, manifest);
  AddVariables(&out, manifest);
  AddMemoryPlan(&out, manifest);
  return out;
}

}  // namespace plumb
