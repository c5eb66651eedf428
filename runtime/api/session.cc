// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <algorithm>
#include <cstring>
#include <vector>

#include "runtime/api/session_calls.h"
#include "runtime/base/element_type.h"
#include "runtime/base/status.h"
#include "runtime/executable/manifest_check.h"

namespace plumb {
namespace api {
namespace {

/// Calls a program's function with the parts of a print; returns whether it kept them.
bool HandOver(absl::Span<const Prints::Part> parts, plumb_print_parts_fn take, void* user) {
  std::vector<plumb_tensor_info_t> tensors(parts.size());
  std::vector<plumb_print_part_t> given;
  for (size_t i = 0; i < parts.size(); ++i) {
    const abi::TensorType* type = parts[i].type;
    if (type == nullptr) {
      given.push_back({nullptr, parts[i].text.data(), parts[i].text.size()});
      continue;
    }
    const absl::Span<const int64_t> shape = ShapeOf(*type);
    const size_t bytes = static_cast<size_t>(TypeBytes(type).value_or(0));
    tensors[i] = {"", static_cast<plumb_element_t>(type->element()), shape.size(), shape.data(), bytes};
    given.push_back({&tensors[i], parts[i].data, bytes});
  }
  return take(given.data(), given.size(), user) != 0;
}

absl::StatusOr<SessionOptions> ReadOptions(const plumb_session_options_t* given) {
  plumb_session_options_t options;
  plumb_session_options_init(&options);
  if (given != nullptr) {
    if (given->size < sizeof(size_t)) return absl::InvalidArgumentError("plumb_session_options_t.size is not set");
    std::memcpy(&options, given, std::min(given->size, sizeof(options)));
  }
  if (!(options.wait_seconds >= 0)) return absl::InvalidArgumentError("wait_seconds is negative");
  SessionOptions result;
  result.seed = options.seed;
  result.wait_limit = std::chrono::nanoseconds(static_cast<int64_t>(std::min(options.wait_seconds, 1e9) * 1e9));
  result.report_depth = options.report_depth;
  if (options.full_reports > PLUMB_REPORTS_DROP) {
    return absl::InvalidArgumentError(
        absl::StrCat("full_reports is ", options.full_reports, ", which is no such choice"));
  }
  if (options.full_reports == PLUMB_REPORTS_DROP) result.when_full = ReportRing::WhenFull::kDrop;
  result.threads = options.threads;
  if (options.print != nullptr) {
    result.print = [print = options.print, user = options.print_user](absl::string_view text) {
      print(text.data(), text.size(), user);
    };
  }
  if (options.print_parts != nullptr) {
    result.print_parts = [take = options.print_parts, user = options.print_user](absl::Span<const Prints::Part> parts) {
      return HandOver(parts, take, user);
    };
  }
  return result;
}

/// A copy into or out of a variable, of exactly its size.
absl::Status PushBatch(Session& session, const char* queue, const void* const* columns, const size_t* bytes,
                       size_t column_count, double timeout_seconds) {
  PLUMB_ASSIGN_OR_RETURN(Feed * feed, session.FindFeed(queue));
  std::vector<absl::Span<const uint8_t>> spans;
  for (size_t i = 0; i < column_count; ++i) {
    if (columns[i] == nullptr && bytes[i] != 0) return NullArgument("a column");
    spans.push_back(absl::MakeConstSpan(static_cast<const uint8_t*>(columns[i]), bytes[i]));
  }
  std::chrono::nanoseconds limit(-1);
  if (timeout_seconds >= 0)
    limit = std::chrono::nanoseconds(static_cast<int64_t>(std::min(timeout_seconds, 1e9) * 1e9));
  return feed->Push(spans, limit);
}

double Seconds(std::chrono::nanoseconds duration) { return std::chrono::duration<double>(duration).count(); }

plumb_queue_statistics_t ToC(const QueueStatistics& from) {
  plumb_queue_statistics_t to = {};
  to.published = from.published;
  to.taken = from.taken;
  to.depth = from.depth;
  to.filled = from.published - from.taken;
  to.mean_filled = from.mean_filled;
  to.producer_waits = from.producer.count;
  to.consumer_waits = from.consumer.count;
  to.producer_wait_seconds = Seconds(from.producer.total);
  to.consumer_wait_seconds = Seconds(from.consumer.total);
  to.longest_producer_wait_seconds = Seconds(from.producer.longest);
  to.longest_consumer_wait_seconds = Seconds(from.consumer.longest);
  to.preparing_seconds = Seconds(from.preparing);
  return to;
}

}  // namespace
}  // namespace api
}  // namespace plumb

using plumb::api::Beside;
using plumb::api::GiveUp;
using plumb::api::Guard;
using plumb::api::GuardExclusively;
using plumb::api::MissingArgument;
using plumb::api::NullArgument;
using plumb::api::With;

extern "C" {

void plumb_session_options_init(plumb_session_options_t* options) {
  if (options != nullptr)
    *options = {sizeof(*options), PLUMB_SEED_OF_PROGRAM, 600.0, 0, 0, nullptr, nullptr, PLUMB_REPORTS_WAIT, 0, nullptr};
}

plumb_status_t* plumb_session_create(plumb_executable_t* executable, const plumb_session_options_t* options,
                                     plumb_session_t** session) {
  return Guard([&]() -> absl::Status {
    if (executable == nullptr || session == nullptr) return NullArgument("an executable or an out-parameter");
    PLUMB_ASSIGN_OR_RETURN(plumb::SessionOptions read, plumb::api::ReadOptions(options));
    auto handle = std::make_unique<plumb_session>();
    PLUMB_ASSIGN_OR_RETURN(handle->session, plumb::Session::Create(executable->executable, read));
    *session = handle.release();
    return absl::OkStatus();
  });
}

void plumb_session_destroy(plumb_session_t* session) {
  if (session != nullptr) session->session->RequestStop();
  GiveUp(session);
}

plumb_status_t* plumb_session_get_variable(plumb_session_t* session, const char* name, void* data, size_t bytes) {
  return With(session, name && (data || !bytes), [&](plumb::Session& inner) {
    return inner.GetVariable(name, absl::MakeSpan(static_cast<uint8_t*>(data), bytes));
  });
}

plumb_status_t* plumb_session_set_variable(plumb_session_t* session, const char* name, const void* data, size_t bytes) {
  return With(session, name && (data || !bytes), [&](plumb::Session& inner) {
    return inner.SetVariable(name, absl::MakeConstSpan(static_cast<const uint8_t*>(data), bytes));
  });
}

plumb_status_t* plumb_session_bind_pipeline(plumb_session_t* session, const char* queue, const char* folder,
                                            int64_t passes) {
  return With(session, queue, [&](plumb::Session& inner) {
    plumb::PipelineOptions options;
    if (folder != nullptr) options.folder = folder;
    return inner.BindManifestPipeline(queue, std::move(options), passes);
  });
}

plumb_status_t* plumb_session_feed_pipeline(plumb_session_t* session, const char* queue, plumb_pipeline_t* pipeline,
                                            int64_t passes) {
  auto feed = [&]() -> absl::Status {
    if (queue == nullptr) return MissingArgument();
    PLUMB_ASSIGN_OR_RETURN(plumb::Feed * feed, session->session->FindFeed(queue));
    pipeline->iterator.reset();
    return feed->Bind(std::move(pipeline->pipeline), passes);
  };
  plumb_status_t* status =
      GuardExclusively(session, "a session", [&] { return plumb::api::Exclusively(pipeline, "a pipeline", feed); });
  GiveUp(pipeline);
  return status;
}

plumb_status_t* plumb_session_dataset_size(plumb_session_t* session, const char* queue, int64_t* batches) {
  return With(session, queue && batches, [&](plumb::Session& inner) -> absl::Status {
    PLUMB_ASSIGN_OR_RETURN(plumb::Feed * feed, inner.FindFeed(queue));
    PLUMB_ASSIGN_OR_RETURN(*batches, feed->DatasetSize());
    return absl::OkStatus();
  });
}

plumb_status_t* plumb_session_push_batch(plumb_session_t* session, const char* queue, const void* const* columns,
                                         const size_t* bytes, size_t column_count, double timeout_seconds) {
  return Beside(session, queue && columns && bytes, [&](plumb::Session& inner) {
    return plumb::api::PushBatch(inner, queue, columns, bytes, column_count, timeout_seconds);
  });
}

plumb_status_t* plumb_session_end_data(plumb_session_t* session, const char* queue) {
  return Beside(session, queue, [&](plumb::Session& inner) -> absl::Status {
    PLUMB_ASSIGN_OR_RETURN(plumb::Feed * feed, inner.FindFeed(queue));
    return feed->End();
  });
}

plumb_status_t* plumb_session_rewind(plumb_session_t* session, const char* queue) {
  return With(session, queue, [&](plumb::Session& inner) -> absl::Status {
    PLUMB_ASSIGN_OR_RETURN(plumb::Feed * feed, inner.FindFeed(queue));
    return feed->Rewind();
  });
}

plumb_status_t* plumb_session_seek(plumb_session_t* session, const char* queue, uint64_t batches) {
  return With(session, queue, [&](plumb::Session& inner) -> absl::Status {
    PLUMB_ASSIGN_OR_RETURN(plumb::Feed * feed, inner.FindFeed(queue));
    return feed->Seek(batches);
  });
}

void plumb_session_request_stop(plumb_session_t* session) {
  if (session != nullptr) session->session->RequestStop();
}

void plumb_session_request_pause(plumb_session_t* session) {
  if (session != nullptr) session->session->RequestPause();
}

plumb_status_t* plumb_session_save(plumb_session_t* session, const char* path) {
  return With(session, path, [&](plumb::Session& inner) { return inner.Save(path); });
}

plumb_status_t* plumb_session_load(plumb_session_t* session, const char* path) {
  return With(session, path, [&](plumb::Session& inner) { return inner.Load(path); });
}

plumb_status_t* plumb_session_load_with_names(plumb_session_t* session, const char* path, const char* map) {
  return With(session, path && map, [&](plumb::Session& inner) -> absl::Status {
    PLUMB_ASSIGN_OR_RETURN(const plumb::NameMap names, plumb::NameMap::Parse(map, "the map of names"));
    plumb::LoadOptions options;
    options.names = &names;
    return inner.Load(path, options);
  });
}

plumb_status_t* plumb_session_counters(plumb_session_t* session, uint64_t* launches, uint64_t* interactions) {
  return Beside(session, true, [&](plumb::Session& inner) {
    if (launches != nullptr) *launches = inner.launches();
    if (interactions != nullptr) *interactions = inner.interactions();
    return absl::OkStatus();
  });
}

plumb_status_t* plumb_session_data_wait(plumb_session_t* session, double* seconds) {
  return Beside(session, seconds, [&](plumb::Session& inner) {
    *seconds = std::chrono::duration<double>(inner.data_wait()).count();
    return absl::OkStatus();
  });
}

plumb_status_t* plumb_session_queue_statistics(plumb_session_t* session, const char* queue,
                                               plumb_queue_statistics_t* statistics) {
  return Beside(session, queue && statistics, [&](plumb::Session& inner) -> absl::Status {
    if (statistics->size < sizeof(size_t))
      return absl::InvalidArgumentError("plumb_queue_statistics_t.size is not set");
    PLUMB_ASSIGN_OR_RETURN(plumb::Feed * feed, inner.FindFeed(queue));
    const plumb_queue_statistics_t result = plumb::api::ToC(feed->queue().statistics());
    const size_t size = statistics->size;
    std::memcpy(statistics, &result, std::min(size, sizeof(result)));
    statistics->size = size;
    return absl::OkStatus();
  });
}

plumb_status_t* plumb_session_queue_history(plumb_session_t* session, const char* queue, plumb_queue_depth_t* points,
                                            size_t capacity, size_t* count) {
  return Beside(session, queue && count && (points || capacity == 0), [&](plumb::Session& inner) -> absl::Status {
    PLUMB_ASSIGN_OR_RETURN(plumb::Feed * feed, inner.FindFeed(queue));
    const std::vector<plumb::DepthSample> history = feed->queue().history();
    for (size_t i = 0; i < std::min(capacity, history.size()); ++i) points[i] = {history[i].seconds, history[i].filled};
    *count = history.size();
    return absl::OkStatus();
  });
}

}  // extern "C"
