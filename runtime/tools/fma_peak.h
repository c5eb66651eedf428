// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arithmetic limit of one core: single-precision multiply-adds. A processor that feeds them from its L1 cache,
// as all real work must, may run at a lower clock than one that multiplies registers alone (measured: 2.9 instead of
// 3.4 GHz).

#ifndef PLUMB_RUNTIME_TOOLS_FMA_PEAK_H_
#define PLUMB_RUNTIME_TOOLS_FMA_PEAK_H_

namespace plumb {

/// The longest vectors that this processor multiplies and adds in one instruction, in bits; 0 where that is not known.
int FmaVectorBits();

/// What one core can do, in GFLOP/s, two for each multiply-add; 0 where a processor has no such instruction.
struct FmaPeak {
  /// Multiply-adds on registers, run after run.
  double alone = 0;
  /// The same in short bursts, at the clock that multiply-adds with operands in L1 leave.
  double fed = 0;
};

/// Measures both with vectors of 128, 256 or 512 bits: medians of `runs` runs (1 or more) and ten times as many bursts,
/// as what is compared with them is a median, too. For moments the clock stands up to a tenth higher.
FmaPeak MeasureFmaPeak(int vector_bits, int runs);

}  // namespace plumb

#endif  // PLUMB_RUNTIME_TOOLS_FMA_PEAK_H_
