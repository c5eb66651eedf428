// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values that are watched while a loop runs, and histograms.

#include <algorithm>
#include <cstring>

#include "runtime/api/session_calls.h"
#include "runtime/base/element_type.h"
#include "runtime/base/histogram.h"
#include "runtime/base/status.h"

using plumb::api::Guard;
using plumb::api::MissingArgument;
using plumb::api::With;

extern "C" {

plumb_status_t* plumb_session_add_watch(plumb_session_t* session, const char* loop, const char* rule,
                                        plumb_watch_fn on_value, void* user) {
  return With(session, loop && rule && on_value, [&](plumb::Session& inner) -> absl::Status {
    PLUMB_ASSIGN_OR_RETURN(size_t index, inner.executable().FindLoop(loop));
    PLUMB_ASSIGN_OR_RETURN(plumb::WatchRule parsed, plumb::ParseWatchRule(rule));
    return inner.AddWatch(index, parsed, [on_value, user](const plumb::WatchedValue& value) {
      const plumb_tensor_info_t tensor = {value.name.c_str(), static_cast<plumb_element_t>(value.element),
                                          value.shape.size(), value.shape.data(), value.data.size()};
      on_value(&tensor, value.step, value.data.data(), user);
    });
  });
}

plumb_status_t* plumb_session_clear_watches(plumb_session_t* session) {
  return With(session, true, [](plumb::Session& inner) { return inner.ClearWatches(); });
}

plumb_status_t* plumb_histogram(plumb_element_t element, const void* data, size_t bytes, plumb_histogram_t* histogram,
                                double* limits, uint64_t* counts, size_t capacity) {
  return Guard([&]() -> absl::Status {
    if (histogram == nullptr || (data == nullptr && bytes > 0)) return MissingArgument();
    if (capacity > 0 && (limits == nullptr || counts == nullptr)) return MissingArgument();
    if (histogram->size < sizeof(size_t)) return absl::InvalidArgumentError("plumb_histogram_t.size is not set");
    const plumb::abi::ElementType type = plumb::api::ReadElement(element);
    const size_t each = plumb::ElementBytes(type);
    if (each == 0 || bytes % each != 0) return absl::InvalidArgumentError("the bytes are no whole number of elements");
    const plumb::Histogram seen = plumb::MakeHistogram(type, {static_cast<const uint8_t*>(data), bytes});
    const size_t size = histogram->size;
    const plumb_histogram_t result = {
        size,     seen.count, seen.nans,           seen.infinite,  seen.min,           seen.max,
        seen.sum, seen.mean,  seen.sum_of_squares, seen.deviation, seen.buckets.size()};
    std::memcpy(histogram, &result, std::min(size, sizeof(result)));
    for (size_t i = 0; i < std::min(capacity, seen.buckets.size()); ++i) {
      limits[i] = seen.buckets[i].limit;
      counts[i] = seen.buckets[i].count;
    }
    return absl::OkStatus();
  });
}

}  // extern "C"
