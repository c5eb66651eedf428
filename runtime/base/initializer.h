// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Initial values of variables by rule. The formulas are those of MindSpore's common.initializer:
//
//   rule             parameters (default)                       values
//   zero, one
//   constant         value
//   normal           sigma (0.01), mean (0)                     N(mean, sigma)
//   truncated_normal sigma (0.01), mean (0), a (-2), b (2)      N(mean, sigma) cut to mean + sigma * [a, b]
//   uniform          scale (0.07)  or  low, high                U(-scale, scale), U(low, high)
//   xavier_uniform   gain (1)                                   U(-r, r), r = gain * sqrt(6 / (fan_in + fan_out))
//   xavier_normal    gain (1)                                   N(0, gain * sqrt(2 / (fan_in + fan_out)))
//   he_uniform       slope (0), fan_out? (0), gain (see below)  U(-r, r), r = gain * sqrt(3 / fan)
//   he_normal        slope (0), fan_out? (0), gain              N(0, gain / sqrt(fan))
//
// A He rule's gain is sqrt(2 / (1 + slope * slope)) unless given; its fan is fan_in unless the second parameter is 1.
// For a shape [O, I, k…], fan_in = I * k… and fan_out = O * k…. Random rules compute in double and round once.

#ifndef PLUMB_RUNTIME_BASE_INITIALIZER_H_
#define PLUMB_RUNTIME_BASE_INITIALIZER_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "runtime/base/element_type.h"

namespace plumb {

/// Fills the tensor at `data` (ElementBytes * elements of `shape`) by rule `kind`. Random rules draw from stream
/// `stream` of `seed` and want a float element type; zero, one and constant take any.
absl::Status InitializeTensor(absl::string_view kind, absl::Span<const double> parameters, ElementType element,
                              absl::Span<const int64_t> shape, uint64_t seed, uint64_t stream, void* data);

}  // namespace plumb

#endif  // PLUMB_RUNTIME_BASE_INITIALIZER_H_
