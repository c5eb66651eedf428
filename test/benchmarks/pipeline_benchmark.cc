// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Images per second of the LeNet pipeline on one core, and what its parts cost.

#include <benchmark/benchmark.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "runtime/data/pipeline.h"

namespace plumb {
namespace {

constexpr char kColumns[] =
    R"("source_type":"ArraySource","source":{"columns":[
         {"name":"image","element":"u8","shape":[28,28,1]},{"name":"label","element":"u32"}]},"sampler_shuffle":true,"nodes":[)";
constexpr char kCastLabel[] =
    R"({"node_type":"Map","node":{"column":"label","operation_type":"TypeCast","operation":{"element":"i32"}}},)";
constexpr char kResize[] =
    R"({"node_type":"Map","node":{"column":"image","operation_type":"Resize","operation":{"height":32,"width":32}}},)";
constexpr char kRest[] =
    R"({"node_type":"Map","node":{"column":"image","operation_type":"Rescale","operation":{"scale":0.00392156862745098}}},
       {"node_type":"Map","node":{"column":"image","operation_type":"Rescale",
          "operation":{"scale":3.2456994482310937,"shift":-0.4242129178837983}}},
       {"node_type":"Map","node":{"column":"image","operation_type":"HwcToChw","operation":{}}},)";
constexpr char kEnd[] =
    R"({"node_type":"Shuffle","node":{"buffer_size":10000}},
       {"node_type":"Batch","node":{"size":32,"drop_remainder":true}}])";

// Rows that look like digits: mostly black, some grey.
struct Rows {
  explicit Rows(size_t count) : images(count * 784), labels(count * 4) {
    uint32_t state = 1;
    for (uint8_t& pixel : images) {
      state = state * 1664525 + 1013904223;
      pixel = state >> 30 == 0 ? static_cast<uint8_t>(state >> 16) : 0;
    }
  }
  std::vector<uint8_t> images, labels;
};

std::unique_ptr<Pipeline> Make(const std::string& nodes, const Rows& rows) {
  PipelineOptions options;
  options.arrays = {{"image", rows.images}, {"label", rows.labels}};
  auto pipeline = Pipeline::FromJson("{" + std::string(kColumns) + nodes + kEnd + "}", options);
  if (!pipeline.ok() || !(*pipeline)->Load().ok()) return nullptr;
  return std::move(*pipeline);
}

void RunPipeline(benchmark::State& state, const std::string& nodes) {
  Rows rows(60000);
  std::unique_ptr<Pipeline> pipeline = Make(nodes, rows);
  if (!pipeline) return state.SkipWithError("the pipeline was refused");
  std::vector<std::vector<uint8_t>> buffers;
  std::vector<uint8_t*> columns;
  for (const ColumnSpec& column : pipeline->columns()) buffers.emplace_back(column.bytes());
  for (auto& buffer : buffers) columns.push_back(buffer.data());
  BatchIterator iterator(*pipeline, 0);
  uint64_t epoch = 0;
  int64_t images = 0;
  for (auto _ : state) {
    auto count = iterator.Next(columns.data());
    if (*count == 0) {
      iterator.Reset(++epoch);
      count = iterator.Next(columns.data());
    }
    images += static_cast<int64_t>(*count);
    benchmark::DoNotOptimize(columns.data());
  }
  state.SetItemsProcessed(images);
}

void LeNet(benchmark::State& state) { RunPipeline(state, std::string(kCastLabel) + kResize + kRest); }
BENCHMARK(LeNet);

void OrderAndCopy(benchmark::State& state) { RunPipeline(state, ""); }
BENCHMARK(OrderAndCopy);

void ResizeOnly(benchmark::State& state) { RunPipeline(state, kResize); }
BENCHMARK(ResizeOnly);

void TableOnly(benchmark::State& state) { RunPipeline(state, kRest); }
BENCHMARK(TableOnly);

}  // namespace
}  // namespace plumb
