// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the elements of a tensor are like: their range, mean and spread, and how many lie where. The limits between
// buckets are those that TensorBoard knows from TensorFlow, the same for all tensors and steps: powers of 1.1 from
// 1e-12 to 1e20, of both signs.

#ifndef PLUMB_RUNTIME_BASE_HISTOGRAM_H_
#define PLUMB_RUNTIME_BASE_HISTOGRAM_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "runtime/abi/manifest_generated.h"

namespace plumb {

struct Histogram {
  uint64_t count = 0;     // elements, of which
  uint64_t nans = 0;      // these
  uint64_t infinite = 0;  // and these count for nothing below
  double min = 0, max = 0, sum = 0, sum_of_squares = 0;
  double mean = 0, deviation = 0;  // divided by the number of elements; all of these are NaN where there is none

  /// Elements between the limit of the bucket before and this one; those at a limit count as farther from 0. Of buckets
  /// without any that follow each other only the last is here, and none behind the last one that holds something.
  struct Bucket {
    double limit;
    uint64_t count;
  };
  std::vector<Bucket> buckets;
};

/// Looks at all elements of a tensor.
Histogram MakeHistogram(abi::ElementType element, absl::Span<const uint8_t> data);

}  // namespace plumb

#endif  // PLUMB_RUNTIME_BASE_HISTOGRAM_H_
