// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counter-based random numbers: Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011).
//
// A draw is a pure function of (seed, stream, index), so that any thread can compute any element, a run can resume
// anywhere, and adding one parameter does not change another's initial values.

#ifndef PLUMB_RUNTIME_BASE_RANDOM_H_
#define PLUMB_RUNTIME_BASE_RANDOM_H_

#include <array>
#include <cstdint>

namespace plumb {

/// The block cipher: 10 rounds over a 128-bit counter with a 64-bit key.
std::array<uint32_t, 4> Philox(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key);

/// The random numbers of one (seed, stream).
class RandomStream {
 public:
  RandomStream(uint64_t seed, uint64_t stream);

  /// Four independent 32-bit words for element `index`; `attempt` gives further ones to rejection sampling.
  std::array<uint32_t, 4> Words(uint64_t index, uint32_t attempt = 0) const;

  /// Uniform in [0, 1), 53 bits.
  double Uniform(uint64_t index, uint32_t attempt = 0) const;

  /// Standard normal, by Box and Muller's transform.
  double Normal(uint64_t index, uint32_t attempt = 0) const;

  /// Uniform in [0, bound), without bias; `bound` is at least 1.
  uint64_t Below(uint64_t bound, uint64_t index) const;

 private:
  std::array<uint32_t, 2> key_;
  uint64_t stream_;
};

}  // namespace plumb

#endif  // PLUMB_RUNTIME_BASE_RANDOM_H_
