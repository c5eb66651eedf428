// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/api/handles.h"
#include "runtime/base/element_type.h"
#include "runtime/base/initializer.h"
#include "runtime/base/status.h"

namespace plumb {
namespace api {
namespace {

absl::Status CreatePipeline(const char* json, const char* folder, const plumb_array_t* arrays, size_t array_count,
                            uint64_t seed, plumb_pipeline_t** pipeline) {
  PipelineOptions options;
  if (folder != nullptr) options.folder = folder;
  for (size_t i = 0; i < array_count; ++i) {
    if (arrays[i].name == nullptr || (arrays[i].data == nullptr && arrays[i].bytes != 0))
      return NullArgument("an array");
    options.arrays[arrays[i].name] = absl::MakeConstSpan(static_cast<const uint8_t*>(arrays[i].data), arrays[i].bytes);
  }
  auto handle = std::make_unique<plumb_pipeline>();
  PLUMB_ASSIGN_OR_RETURN(handle->pipeline, Pipeline::FromJson(json, std::move(options)));
  handle->seed = seed;
  for (const ColumnSpec& column : handle->pipeline->columns()) {
    handle->columns.push_back({column.name.c_str(), static_cast<plumb_element_t>(column.element), column.shape.size(),
                               column.shape.data(), column.bytes()});
  }
  *pipeline = handle.release();
  return absl::OkStatus();
}

/// Reads the data once and stands before its first batch.
absl::Status EnsureLoaded(plumb_pipeline_t* handle) {
  PLUMB_RETURN_IF_ERROR(handle->pipeline->Load());
  if (handle->iterator == nullptr) {
    handle->iterator = std::make_unique<BatchIterator>(*handle->pipeline, handle->seed);
    handle->iterator->Reset(0);
  }
  return absl::OkStatus();
}

absl::Status NextBatch(plumb_pipeline_t* handle, void* const* columns, size_t column_count, int64_t* rows) {
  PLUMB_RETURN_IF_ERROR(EnsureLoaded(handle));
  if (column_count != handle->columns.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the pipeline has ", handle->columns.size(), " columns, not ", column_count));
  }
  std::vector<uint8_t*> buffers;
  for (size_t i = 0; i < column_count; ++i) {
    if (columns[i] == nullptr) return NullArgument("a column's buffer");
    buffers.push_back(static_cast<uint8_t*>(columns[i]));
  }
  if (handle->at_end) {
    handle->iterator->Reset(++handle->epoch);
    handle->at_end = false;
  }
  PLUMB_ASSIGN_OR_RETURN(size_t count, handle->iterator->Next(buffers.data()));
  handle->at_end = count == 0;
  *rows = static_cast<int64_t>(count);
  return absl::OkStatus();
}

absl::Status Initialize(const char* kind, absl::Span<const double> parameters, abi::ElementType type,
                        absl::Span<const int64_t> shape, uint64_t seed, uint64_t stream, void* data, size_t bytes) {
  PLUMB_ASSIGN_OR_RETURN(uint64_t expected, TensorBytes(type, shape));
  if (expected != bytes) {
    return absl::InvalidArgumentError(
        absl::StrCat(TensorTypeString(type, shape), " has ", expected, " bytes, the buffer ", bytes));
  }
  return InitializeTensor(kind, parameters, type, shape, seed, stream, data);
}

}  // namespace
}  // namespace api
}  // namespace plumb

using plumb::api::GiveUp;
using plumb::api::Guard;
using plumb::api::GuardExclusively;
using plumb::api::NullArgument;

extern "C" {

plumb_status_t* plumb_pipeline_create(const char* json, const char* folder, const plumb_array_t* arrays,
                                      size_t array_count, uint64_t seed, plumb_pipeline_t** pipeline) {
  return Guard([&]() -> absl::Status {
    if (json == nullptr || pipeline == nullptr) return NullArgument("a description or an out-parameter");
    if (arrays == nullptr && array_count != 0) return NullArgument("the arrays");
    return plumb::api::CreatePipeline(json, folder, arrays, array_count, seed, pipeline);
  });
}

void plumb_pipeline_destroy(plumb_pipeline_t* pipeline) { GiveUp(pipeline); }

plumb_status_t* plumb_pipeline_load(plumb_pipeline_t* pipeline) {
  return GuardExclusively(pipeline, "a pipeline", [&]() -> absl::Status { return plumb::api::EnsureLoaded(pipeline); });
}

size_t plumb_pipeline_column_count(const plumb_pipeline_t* pipeline) { return pipeline ? pipeline->columns.size() : 0; }

const plumb_tensor_info_t* plumb_pipeline_column(const plumb_pipeline_t* pipeline, size_t index) {
  return pipeline && index < pipeline->columns.size() ? &pipeline->columns[index] : nullptr;
}

int64_t plumb_pipeline_batch_rows(const plumb_pipeline_t* pipeline) {
  return pipeline ? pipeline->pipeline->batch_rows() : 0;
}

plumb_status_t* plumb_pipeline_size(plumb_pipeline_t* pipeline, int64_t* batches) {
  return GuardExclusively(pipeline, "a pipeline", [&]() -> absl::Status {
    if (batches == nullptr) return NullArgument("an out-parameter");
    PLUMB_RETURN_IF_ERROR(plumb::api::EnsureLoaded(pipeline));
    *batches = pipeline->pipeline->dataset_size();
    return absl::OkStatus();
  });
}

plumb_status_t* plumb_pipeline_next(plumb_pipeline_t* pipeline, void* const* columns, size_t column_count,
                                    int64_t* rows) {
  return GuardExclusively(pipeline, "a pipeline", [&]() -> absl::Status {
    if (columns == nullptr || rows == nullptr) return NullArgument("the columns or an out-parameter");
    return plumb::api::NextBatch(pipeline, columns, column_count, rows);
  });
}

plumb_status_t* plumb_pipeline_reset(plumb_pipeline_t* pipeline) {
  return GuardExclusively(pipeline, "a pipeline", [&]() -> absl::Status {
    PLUMB_RETURN_IF_ERROR(plumb::api::EnsureLoaded(pipeline));
    pipeline->epoch = 0;
    pipeline->at_end = false;
    pipeline->iterator->Reset(0);
    return absl::OkStatus();
  });
}

plumb_status_t* plumb_initialize(const char* kind, const double* parameters, size_t parameter_count,
                                 plumb_element_t element, const int64_t* shape, size_t rank, uint64_t seed,
                                 uint64_t stream, void* data, size_t bytes) {
  return Guard([&]() -> absl::Status {
    if (kind == nullptr || (parameters == nullptr && parameter_count) || (shape == nullptr && rank) ||
        (data == nullptr && bytes)) {
      return NullArgument("a rule, a shape or a buffer");
    }
    return plumb::api::Initialize(kind, absl::MakeConstSpan(parameters, parameter_count),
                                  plumb::api::ReadElement(element), absl::MakeConstSpan(shape, rank), seed, stream,
                                  data, bytes);
  });
}

}  // extern "C"
