// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arithmetic limit of one core: single-precision multiply-adds on registers alone.

#ifndef PLUMB_RUNTIME_TOOLS_FMA_PEAK_H_
#define PLUMB_RUNTIME_TOOLS_FMA_PEAK_H_

namespace plumb {

/// The longest vectors that this processor multiplies and adds in one instruction, in bits; 0 where that is not known.
int FmaVectorBits();

/// Measures, as the best of `runs` runs of some milliseconds, how many GFLOP/s (two for each multiply-add) vectors of 128,
/// 256 or 512 bits can do. 0 where this processor has no such instruction.
double MeasureFmaPeak(int vector_bits, int runs);

}  // namespace plumb

#endif  // PLUMB_RUNTIME_TOOLS_FMA_PEAK_H_
