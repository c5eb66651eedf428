// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/data/pipeline.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "flatbuffers/idl.h"
#include "runtime/abi/pipeline_schema.h"
#include "runtime/base/status.h"
#include "runtime/data/row_cache.h"
#include "runtime/data/row_program.h"
#include "runtime/data/source.h"

namespace plumb {
namespace {

constexpr uint64_t kMaxBatchRows = uint64_t{1} << 31;
constexpr uint64_t kMaxShuffled = uint64_t{1} << 28;

// What the nodes up to some point make of a row.
struct Inference {
  struct Column {
    size_t source;
    std::unique_ptr<RowProgram> program;
  };
  std::vector<Column> columns;
  std::vector<int64_t> batch_shape;  // outermost batch first
  uint64_t batch_rows = 1;

  std::string Names() const {
    return absl::StrJoin(columns, ", ", [](std::string* out, const Column& column) {
      absl::StrAppend(out, "'", column.program->type().name, "'");
    });
  }
  Column* Find(absl::string_view name) {
    for (Column& column : columns) {
      if (column.program->type().name == name) return &column;
    }
    return nullptr;
  }
};

absl::Status NoColumn(const Inference& so_far, absl::string_view name) {
  return absl::InvalidArgumentError(absl::StrCat("there is no column '", name, "'; there are ", so_far.Names()));
}

absl::Status InferMap(const abi::MapT& map, Inference* so_far) {
  Inference::Column* column = so_far->Find(map.column);
  if (column == nullptr) return Annotate(NoColumn(*so_far, map.column), "map");
  abi::RowOperation type = map.operation.type;
  std::string context = absl::StrCat(OperationName(type), " on column '", map.column, "'");
  bool looks_at_elements_only =
      type == abi::RowOperation::Rescale || type == abi::RowOperation::TypeCast || type == abi::RowOperation::OneHot;
  if (!so_far->batch_shape.empty() && !looks_at_elements_only) {
    return absl::InvalidArgumentError(absl::StrCat(context, " acts on a row and must come before batch"));
  }
  return Annotate(column->program->Append(map.operation), context);
}

absl::Status InferBatch(const abi::BatchT& batch, Inference* so_far) {
  if (batch.size == 0 || batch.size > kMaxBatchRows / so_far->batch_rows) {
    return absl::InvalidArgumentError(absl::StrCat("batch: a size of ", batch.size, " is not possible"));
  }
  so_far->batch_rows *= batch.size;
  so_far->batch_shape.insert(so_far->batch_shape.begin(), static_cast<int64_t>(batch.size));
  return absl::OkStatus();
}

absl::Status InferProject(const abi::ProjectT& project, Inference* so_far) {
  std::vector<Inference::Column> chosen;
  for (const std::string& name : project.columns) {
    Inference::Column* column = so_far->Find(name);
    if (column == nullptr) return Annotate(NoColumn(*so_far, name), "project");
    chosen.push_back(std::move(*column));
    so_far->columns.erase(so_far->columns.begin() + (column - so_far->columns.data()));
  }
  if (chosen.empty()) return absl::InvalidArgumentError("project: no column is left");
  so_far->columns = std::move(chosen);
  return absl::OkStatus();
}

absl::Status InferNode(const abi::NodeUnion& node, Inference* so_far) {
  // A spoilt description may name a node and not have it.
  switch (node.value == nullptr ? abi::Node::NONE : node.type) {
    case abi::Node::Map: return InferMap(*node.AsMap(), so_far);
    case abi::Node::Batch: return InferBatch(*node.AsBatch(), so_far);
    case abi::Node::Project: return InferProject(*node.AsProject(), so_far);
    case abi::Node::Shuffle:
      if (node.AsShuffle()->buffer_size > 0) return absl::OkStatus();
      return absl::InvalidArgumentError("shuffle: the buffer's size is 0");
    case abi::Node::Repeat:
      if (node.AsRepeat()->count > 0 || node.AsRepeat()->count == -1) return absl::OkStatus();
      return absl::InvalidArgumentError(
          absl::StrCat("repeat: the count is positive, or -1 for no end, not ", node.AsRepeat()->count));
    case abi::Node::Take:
      if (node.AsTake()->count > 0) return absl::OkStatus();
      return absl::InvalidArgumentError("take: the count is 0");
    default: return absl::InvalidArgumentError("a node of the pipeline is missing or unknown to this version");
  }
}

// How many items leave the nodes up to some point.
struct Count {
  int64_t items;               // per epoch; -1: without end
  uint64_t rows_per_item = 1;  // of a full item
  uint64_t last_rows = 1;      // of the last one
};

void CountBatch(const abi::BatchT& batch, Count* count) {
  int64_t size = static_cast<int64_t>(batch.size);
  int64_t left = count->items < 0 ? 0 : count->items % size;
  bool ragged_input = count->last_rows != count->rows_per_item;
  uint64_t last = left > 0 && !batch.drop_remainder ? static_cast<uint64_t>(left) * count->rows_per_item
                                                    : batch.size * count->rows_per_item;
  if (ragged_input && (left == 0 || !batch.drop_remainder)) last -= count->rows_per_item - count->last_rows;
  if (count->items >= 0) count->items = count->items / size + (left > 0 && !batch.drop_remainder);
  count->rows_per_item *= batch.size;
  count->last_rows = last;
}

absl::Status CountNode(const abi::NodeUnion& node, Count* count) {
  if (const abi::BatchT* batch = node.AsBatch()) CountBatch(*batch, count);
  if (const abi::ShuffleT* shuffle = node.AsShuffle()) {
    uint64_t held =
        count->items < 0 ? shuffle->buffer_size : std::min(shuffle->buffer_size, static_cast<uint64_t>(count->items));
    if (held > kMaxShuffled / count->rows_per_item) {
      return absl::InvalidArgumentError(
          absl::StrCat("shuffle: a buffer of ", shuffle->buffer_size, " is too large here"));
    }
  }
  if (const abi::TakeT* take = node.AsTake()) {
    int64_t most = static_cast<int64_t>(std::min<uint64_t>(take->count, std::numeric_limits<int64_t>::max()));
    count->items = count->items < 0 ? most : std::min(count->items, most);
  }
  if (const abi::RepeatT* repeat = node.AsRepeat()) {
    if (repeat->count < 0 || count->items < 0) {
      count->items = count->items == 0 ? 0 : -1;
    } else if (__builtin_mul_overflow(count->items, repeat->count, &count->items)) {
      return absl::InvalidArgumentError(absl::StrCat("repeat: a count of ", repeat->count, " is too large"));
    }
  }
  return absl::OkStatus();
}

std::unique_ptr<ItemStream> AddNode(std::unique_ptr<ItemStream> stream, const abi::NodeUnion& node, uint64_t seed,
                                    uint64_t index) {
  switch (node.type) {
    case abi::Node::Shuffle: return MakeShuffle(std::move(stream), node.AsShuffle()->buffer_size, seed, index);
    case abi::Node::Take: return MakeTake(std::move(stream), node.AsTake()->count);
    case abi::Node::Repeat: return MakeRepeat(std::move(stream), node.AsRepeat()->count);
    case abi::Node::Batch: return MakeBatch(std::move(stream), node.AsBatch()->size, node.AsBatch()->drop_remainder);
    default: return stream;
  }
}

}  // namespace

Pipeline::Pipeline() = default;
Pipeline::~Pipeline() = default;

absl::StatusOr<std::unique_ptr<Pipeline>> Pipeline::Create(const abi::PipelineT& description, PipelineOptions options) {
  // A copy by way of the flat form: the object form has no copy constructor in every version of FlatBuffers.
  flatbuffers::FlatBufferBuilder builder;
  builder.Finish(abi::Pipeline::Pack(builder, &description));
  return FromManifest(*flatbuffers::GetRoot<abi::Pipeline>(builder.GetBufferPointer()), std::move(options));
}

absl::StatusOr<std::unique_ptr<Pipeline>> Pipeline::FromManifest(const abi::Pipeline& description,
                                                                 PipelineOptions options) {
  std::unique_ptr<Pipeline> pipeline(new Pipeline);
  pipeline->description_.reset(description.UnPack());
  pipeline->options_ = std::move(options);
  PLUMB_RETURN_IF_ERROR(pipeline->Infer());
  return pipeline;
}

absl::StatusOr<std::unique_ptr<Pipeline>> Pipeline::FromJson(absl::string_view json, PipelineOptions options) {
  flatbuffers::Parser parser;
  if (!parser.Parse(abi::kPipelineSchema)) return absl::InternalError(absl::StrCat("pipeline schema: ", parser.error_));
  if (!parser.Parse(std::string(json).c_str())) {
    return absl::InvalidArgumentError(
        absl::StrCat("the pipeline's description is no valid JSON of it: ", parser.error_));
  }
  flatbuffers::Verifier verifier(parser.builder_.GetBufferPointer(), parser.builder_.GetSize());
  if (parser.builder_.GetSize() == 0 || !verifier.VerifyBuffer<abi::Pipeline>(nullptr)) {
    return absl::InvalidArgumentError("the pipeline's description is incomplete");
  }
  return FromManifest(*flatbuffers::GetRoot<abi::Pipeline>(parser.builder_.GetBufferPointer()), std::move(options));
}

absl::Status Pipeline::Infer() {
  PLUMB_ASSIGN_OR_RETURN(source_columns_, SourceColumns(description_->source));
  Inference result;
  for (size_t i = 0; i < source_columns_.size(); ++i) {
    result.columns.push_back({i, std::make_unique<RowProgram>(source_columns_[i])});
  }
  for (const auto& entry : description_->nodes) {
    PLUMB_RETURN_IF_ERROR(InferNode(entry->node, &result));
  }
  batch_rows_ = static_cast<int64_t>(result.batch_rows);
  workers_ = std::clamp<uint32_t>(description_->workers, 1, 64);
  for (Inference::Column& column : result.columns) {
    column.program->Finish();
    ColumnSpec type = column.program->type();
    type.shape.insert(type.shape.begin(), result.batch_shape.begin(), result.batch_shape.end());
    PLUMB_RETURN_IF_ERROR(
        Annotate(TensorBytes(type.element, type.shape).status(), absl::StrCat("column '", type.name, "'")));
    columns_.push_back(std::move(type));
    source_of_.push_back(column.source);
    programs_.push_back(std::move(column.program));
  }
  return absl::OkStatus();
}

// Rows that no operation changes lie in memory as it is.
absl::Status Pipeline::CreateCaches(uint64_t rows) {
  caches_.resize(columns_.size());
  if (!options_.cache && !description_->cache) return absl::OkStatus();
  for (size_t i = 0; i < columns_.size(); ++i) {
    if (programs_[i]->copies()) continue;
    PLUMB_ASSIGN_OR_RETURN(caches_[i], RowCache::Create(rows, programs_[i]->type().bytes()));
  }
  return absl::OkStatus();
}

absl::Status Pipeline::Load() {
  if (loaded()) return absl::OkStatus();
  PLUMB_ASSIGN_OR_RETURN(std::shared_ptr<const RowStore> rows,
                         LoadSource(description_->source, source_columns_, options_));
  Count count{static_cast<int64_t>(rows->count)};
  for (const auto& entry : description_->nodes) PLUMB_RETURN_IF_ERROR(CountNode(entry->node, &count));
  if (count.items == 0) {
    return absl::FailedPreconditionError(absl::StrCat("the data set is too small: its source has ", rows->count,
                                                      " rows, of which not one batch of ", batch_rows_,
                                                      " can be made"));
  }
  PLUMB_RETURN_IF_ERROR(CreateCaches(rows->count));
  dataset_size_ = count.items;
  last_batch_rows_ = static_cast<int64_t>(count.last_rows);
  rows_ = std::move(rows);
  return absl::OkStatus();
}

absl::Status Pipeline::CheckSignature(absl::Span<const ColumnSpec> expected) const {
  if (expected.size() != columns_.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the pipeline makes ", columns_.size(), " columns, but the queue takes ", expected.size()));
  }
  for (size_t i = 0; i < expected.size(); ++i) {
    if (columns_[i].element != expected[i].element || columns_[i].shape != expected[i].shape) {
      return absl::InvalidArgumentError(absl::StrCat("column ", i, ": the pipeline makes ", columns_[i].ToString(),
                                                     ", but the queue takes ", expected[i].ToString()));
    }
  }
  if (loaded() && last_batch_rows_ != batch_rows_) {
    return absl::InvalidArgumentError(absl::StrCat("the last batch of an epoch has ", last_batch_rows_,
                                                   " rows, but the queue takes batches of ", batch_rows_,
                                                   "; batch with drop_remainder=True"));
  }
  return absl::OkStatus();
}

std::unique_ptr<RowOrder> Pipeline::MakeOrder(uint64_t seed) const {
  if (description_->seed >= 0) seed = static_cast<uint64_t>(description_->seed);
  std::unique_ptr<ItemStream> stream = MakeSource(rows_->count, description_->sampler_shuffle, seed);
  uint64_t index = 0;
  for (const auto& entry : description_->nodes) stream = AddNode(std::move(stream), entry->node, seed, ++index);
  auto order = std::make_unique<RowOrder>(std::move(stream), dataset_size_);
  order->Reset(0);
  return order;
}

size_t Pipeline::scratch_bytes() const {
  size_t bytes = 0;
  for (const auto& program : programs_) bytes = std::max(bytes, program->scratch_bytes());
  return bytes;
}

absl::Status Pipeline::FillBatch(absl::Span<const uint64_t> rows, uint8_t* const* columns, uint8_t* scratch) const {
  for (size_t i = 0; i < columns_.size(); ++i) {
    const std::vector<uint8_t>& source = rows_->columns[source_of_[i]];
    size_t in_bytes = source_columns_[source_of_[i]].bytes(), out_bytes = programs_[i]->type().bytes();
    uint8_t* out = columns[i];
    for (uint64_t row : rows) {
      auto compute = [&] { return programs_[i]->Run(source.data() + row * in_bytes, out, scratch); };
      absl::Status status = caches_[i] == nullptr ? compute() : caches_[i]->Get(row, out, compute);
      if (!status.ok()) return Annotate(status, absl::StrCat("row ", row, ", column '", columns_[i].name, "'"));
      out += out_bytes;
    }
  }
  return absl::OkStatus();
}

BatchIterator::BatchIterator(const Pipeline& pipeline, uint64_t seed)
    : pipeline_(pipeline), order_(pipeline.MakeOrder(seed)), scratch_(pipeline.scratch_bytes()) {}
BatchIterator::~BatchIterator() = default;

void BatchIterator::Reset(uint64_t epoch) { order_->Reset(epoch); }

absl::StatusOr<size_t> BatchIterator::Next(uint8_t* const* columns) {
  if (!order_->Next(&indices_)) return 0;
  PLUMB_RETURN_IF_ERROR(pipeline_.FillBatch(indices_, columns, scratch_.data()));
  return indices_.size();
}

}  // namespace plumb
