// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The numbers of a processor that cost models use: widths, latencies, caches, pages, and what it costs to share memory
// between cores. MachineModel.cpp has one model per kind of vectors. Passes and planners have no such numbers of their
// own: README.md says which these are.

#ifndef PLUMB_COMPILER_TARGET_MACHINEMODEL_H
#define PLUMB_COMPILER_TARGET_MACHINEMODEL_H

#include <array>
#include <cstdint>

namespace plumb {

/// Bytes of a cache line, on all processors that we generate code for.
constexpr int64_t kLineBytes = 64;

/// A cache, as the cost models see it.
struct CacheLevel {
  int64_t sets;
  int64_t ways;
  /// Cycles of a miss when lines stream in.
  double missCycles;

  int64_t lines() const { return sets * ways; }
  int64_t bytes() const { return lines() * kLineBytes; }
};

/// One processor core, and its communication with another one. Each number says how it is measured; cycles are those of
/// the core at its usual clock.
struct MachineModel {
  /// Bits of a vector register, and vector registers: from the instruction set.
  int64_t vectorBits = 128;
  int64_t registers = 16;

  /// Cycles of a multiply-add until its result can be used: a chain of dependent multiply-adds.
  double fmaLatency = 4;
  /// Cycles per link by which such a chain is delayed when there is as much other work: the same chain among
  /// independent ones.
  double chainSlack = 0.5;
  /// Cycles per vector load from L1: two ports, which are not always both free. A loop of loads and multiply-adds.
  double loadCycles = 0.6;
  /// The same where the lanes lie two elements apart, and for each lane where they lie further apart; cycles per vector
  /// of an operand whose squares are transposed in registers: such loads in L1 beside multiply-adds.
  double pairLoadCycles = 2, laneLoadCycles = 1.5, transposedVectorCycles = 4.5;
  /// Cycles to combine the lanes of one accumulator when several are combined together.
  double laneSumCycles = 2.5;
  /// Instructions that issue per cycle, and multiply-adds of vectors among them: from the vendor's optimization manual,
  /// the least among the tuned processors.
  double issueWidth = 6, fmasPerCycle = 2;

  /// Cycles of the innermost loop's counter and branch, and to compute addresses before such a loop and of the
  /// mispredicted branch at its end: products with growing inner loops.
  double iterationCycles = 0.25, loopEntryCycles = 4;
  /// The same of the innermost loop of a convolution, whose unrolled body carries more addresses, and to start and end
  /// a register tile there: convolutions in L1 with growing reductions, and with growing numbers of tiles.
  double windowIterationCycles = 0.5, windowTileCycles = 6;
  /// The part of the cycles of loads that adds to arithmetic that takes longer: convolutions in L1 with a growing share
  /// of loads.
  double addedLoadShare = 0.05;
  /// Cycles to store and reload one accumulator between blocks of a reduction, with a part of the loop around them:
  /// products in L1, in a growing number of blocks.
  double accumulatorTripCycles = 3;
  /// Cycles per vector of a separate pass that stores and loads results once more: products in L2 with a fused and a
  /// separate activation.
  double passCycles = 3;
  /// Cycles to copy one vector whose order stays the same, one element of a square that is transposed in registers, and
  /// one element at least: copies and transposes in L2.
  double vectorCopyCycles = 1.5, transposeCycles = 0.35, minCopyCycles = 0.25;
  /// Cycles of an operation without vector code, relative to what its arithmetic takes at the peak rate or its memory
  /// traffic: a map of a function that has no vector code. An estimate.
  double scalarFactor = 8;
  /// Cycles of one more kernel, and of one more chunk of a kernel: an empty one.
  double kernelCallCycles = 150, chunkCallCycles = 60;

  /// L1 and L2, which each core has for itself. Sizes from CPUID; misses from copies larger than the cache.
  std::array<CacheLevel, 2> caches{{{64, 8, 1.0}, {1024, 8, 8.0}}};
  /// The part of a miss that remains for prefetched lines: products with and without prefetches.
  double prefetchedShare = 0.3;
  /// Consecutive lines from which on the hardware prefetcher works: strided reads of growing runs.
  double minPrefetchedLines = 4;
  /// The part of a cache that a plan may count on: products of growing size.
  double usableShare = 0.85;
  /// Bytes per cycle that a core moves from L2, and from beyond: copies of growing size.
  double l2BytesPerCycle = 16, memoryBytesPerCycle = 5;
  /// Bytes of partly used lines, and of useless hardware prefetches, per contiguous range: copies of ranges that lie
  /// apart, of growing size.
  double rangeBytes = 192;
  /// Iterations of an innermost reduction between a prefetch and the load, and bytes between a prefetch and the store
  /// where memory is written in order: products and copies beyond L2, with growing distances. Cycles of a prefetch that
  /// hits L1: products in L1 with and without prefetches.
  int64_t prefetchIterations = 8, prefetchedWriteBytes = 2048;
  double prefetchCycles = 0.15;
  /// Pages that a register tile may access at the same offset, since those lines share a set of L1: sums of columns
  /// that are a page apart, for a growing number of columns.
  int64_t maxAliasedPages = 4;

  /// Operands that one pass over memory may access in order before it is slower than two passes, and operands of such a
  /// pass with those that stay in registers or L1. Estimates; to measure: sums of a growing number of arrays, which
  /// together exceed the last cache, in one pass and in two.
  unsigned maxPassStreams = 10, maxPassOperands = 28;
  /// Accumulators of a reduction that read separate streams; less than the number of streams that a core follows, about
  /// thirty, as a pooling window has several for each accumulator. An estimate; to measure: sums of the rows of a
  /// matrix beyond L2, in register tiles of growing numbers of rows.
  int64_t maxReductionStreams = 8;

  /// The cycles of a convolution with lanes along rows, where loads are unaligned and strides leave gaps, relative to
  /// those with lanes along the batch or channels; the share of L2 that images may fill beside results and kernels, and
  /// channels of a result in one register tile, with lanes along the batch: each convolution of a network in all
  /// layouts, images of growing size, and the plans that `--remarks=plan` names. LayoutPlan.h has the measurements.
  double rowLanesFactor = 2;
  double imageShare = 0.375;
  int64_t batchTileChannels = 4;

  /// Bytes of a page, pages whose translation the first-level TLB holds, and the cycles of a miss: reads of one line
  /// per page.
  int64_t pageBytes = 4096;
  int64_t tlbPages = 64;
  double tlbMissCycles = 0.5;

  /// Cycles until a core has a line that another core wrote: a dependent one, and one of at least `streamedBytes` in
  /// order, which the hardware prefetcher detects. Two threads that alternate in writing and reading a buffer.
  double sharedLineCycles = 20, streamedLineCycles = 5;
  int64_t streamedBytes = 512 << 10;
  /// Cycles of the barrier between two tasks: an empty table of tasks on two threads.
  double barrierCycles = 700;
  /// Cycles below which a kernel is faster on one thread, with the barrier and with lines that move between cores; and
  /// of a chunk from which on registers and L1 are reused as in the whole kernel. Kernels of growing size on one thread
  /// and two, in growing numbers of chunks.
  double minPartitionedCycles = 6000, goodChunkCycles = 50000;

  /// The models for kinds of vectors.
  static MachineModel getSse();
  static MachineModel getAvx2();
  static MachineModel getAvx512();
  static MachineModel getNeon();
};

} // namespace plumb

#endif // PLUMB_COMPILER_TARGET_MACHINEMODEL_H
