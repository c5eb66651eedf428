// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cycles worked out by hand, and loads by listing the vectors that a tile reads. The machine has simple numbers, so
// that a sum can be read: a cycle per load, four per link of a chain, no slack.

#include "compiler/codegen/cpu/cost/KernelCost.h"

#include "compiler/codegen/cpu/cost/ConvolutionCost.h"
#include "test/compiler/codegen/cpu/parsed_op.h"

#include <gtest/gtest.h>

#include <set>

using namespace mlir;
using namespace plumb;

namespace {

CpuTarget makeTarget() {
  CpuTarget target = *CpuTarget::get("x86-64-v4");
  target.machine.loadCycles = 1;
  target.machine.fmaLatency = 4;
  target.machine.chainSlack = 0;
  target.machine.laneSumCycles = 3;
  return target;
}

/// 32 × 48 results over 64 products each.
const Contraction kProduct{"ppr",
                           "(i, j, k) -> (i, k)",
                           "(i, j, k) -> (k, j)",
                           "(i, j, k) -> (i, j)",
                           "memref<32x64xf32>",
                           "memref<64x48xf32>",
                           "memref<32x48xf32>"};
/// Dot products of rows: lanes along the reduction.
const Contraction kDots{"ppr",
                        "(i, j, k) -> (i, k)",
                        "(i, j, k) -> (j, k)",
                        "(i, j, k) -> (i, j)",
                        "memref<32x64xf32>",
                        "memref<48x64xf32>",
                        "memref<32x48xf32>"};

struct CycleCase {
  const char *name;
  const Contraction &op;
  unsigned laneLoop;
  int64_t vectors;
  std::vector<RegisterTile> tiles;
  int64_t unroll;
  bool hasFma;
  double cycles;
};

// The loop around an iteration costs 0.25 and, where the reduction of 64 is not unrolled completely, 4 / 64 = 0.0625.
// Each tile ends with its stores and 4 cycles; the code costs a cycle per copy of the body and 10.
const CycleCase kCycles[] = {
    // 24 accumulators: 12 cycles of arithmetic, 8 + 3 loads; 64 · 12.3125 + 24 + 4 = 816, four tiles, and 34 of code.
    {"arithmetic_limits", kProduct, 1, 3, {{0, 8}}, 1, true, 4 * 816 + 34},
    // Multiply and add are two instructions: 24 cycles; 64 · 24.3125 + 28 = 1584.
    {"without_fma", kProduct, 1, 3, {{0, 8}}, 1, false, 4 * 1584 + 34},
    // 2 accumulators, 1 cycle of arithmetic, 2 + 1 loads, but a chain of 4: 64 · 4.3125 + 2 + 4 = 282, 3 · 16 tiles.
    {"latency_limits", kProduct, 1, 1, {{0, 2}}, 1, true, 48 * 282 + 12},
    // One row of three vectors: 1.5, 1 + 3 loads, chain 4: 64 · 4.3125 + 3 + 4 = 283, 32 tiles.
    {"loads_and_latency_alike", kProduct, 1, 3, {}, 1, true, 32 * 283 + 13},
    // Five rows: 15 accumulators, 7.5 against 8 loads: 64 · 8.3125 + 15 + 4 = 551, six tiles; a remainder of two rows:
    // 6 accumulators, 5 loads: 64 · 5.3125 + 6 + 4 = 350. Code of both: 25 + 16.
    {"remainder", kProduct, 1, 3, {{0, 5}}, 1, true, 6 * 551 + 350 + 25 + 16},
    // Two of three vectors at a time: 16 accumulators, 8 against 10 loads: 64 · 10.3125 + 20 = 680, four tiles, code
    // 26; then one vector: 8, 4 against 9 loads: 64 · 9.3125 + 12 = 608, four tiles, no code of its own.
    {"remainder_along_the_lanes", kProduct, 1, 2, {{0, 8}}, 1, true, 4 * 680 + 26 + 4 * 608},
    // Lanes along the sum: 64 / 16 = 4 iterations for 4 accumulators, 2 cycles, 1 + 4 loads: 4 · (5 + 0.25) and, at the
    // end, 3 cycles per accumulator and 4: 37 cycles, 32 · 12 tiles, and 14 of code.
    {"lanes_along_the_reduction", kDots, 2, 1, {{1, 4}}, 1, true, 32 * 12 * 37 + 14},
};

class KernelCyclesTest : public testing::TestWithParam<CycleCase> {};

TEST_P(KernelCyclesTest, AreThoseOfTheSum) {
  const CycleCase &given = GetParam();
  ParsedOp parsed(given.op);
  LinearNest nest = *LinearNest::get(parsed.op);
  CpuTarget target = makeTarget();
  target.hasFma = given.hasFma;
  KernelCost cost(parsed.op, nest, target);
  ASSERT_TRUE(cost.canBeLanes(given.laneLoop));
  KernelPlan plan = cost.startPlan(given.laneLoop);
  EXPECT_EQ(plan.lanes, 16);
  plan.vectors = given.vectors;
  plan.tiles.assign(given.tiles.begin(), given.tiles.end());
  EXPECT_NEAR(cost.getCycles(plan), given.cycles, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Table, KernelCyclesTest, testing::ValuesIn(kCycles),
                         [](const auto &info) { return std::string(info.param.name); });

struct FitCase {
  int64_t vectors, rows;
  bool fits512, fits256;
};

/// Accumulators, the vectors that all rows reuse, one of a row and one more: rows · vectors + vectors + 2 ≤ 32, or 16.
class FitTest : public testing::TestWithParam<FitCase> {};

TEST_P(FitTest, CountsRegisters) {
  ParsedOp parsed(kProduct);
  LinearNest nest = *LinearNest::get(parsed.op);
  for (auto [name, expected] :
       {std::pair("x86-64-v4", GetParam().fits512), std::pair("x86-64-v3", GetParam().fits256)}) {
    CpuTarget target = *CpuTarget::get(name);
    KernelCost cost(parsed.op, nest, target);
    KernelPlan plan = cost.startPlan(1);
    plan.vectors = GetParam().vectors;
    plan.tiles = {{0, GetParam().rows}};
    EXPECT_EQ(cost.fits(plan), expected) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Table, FitTest,
                         testing::Values(FitCase{1, 13, true, true}, FitCase{1, 14, true, false},
                                         FitCase{2, 6, true, true}, FitCase{2, 7, true, false},
                                         FitCase{2, 14, true, false}, FitCase{3, 3, true, true},
                                         FitCase{3, 4, true, false}, FitCase{3, 9, true, false},
                                         FitCase{3, 10, false, false}, FitCase{4, 6, true, false},
                                         FitCase{4, 7, false, false}));

//===----------------------------------------------------------------------===//
// Sliding windows
//===----------------------------------------------------------------------===//

/// 16 pixels of 32 channels under a window of three: y[p, o] += x[p + i, c] · w[i, c, o].
const Contraction kConvolution{"pprr",
                               "(p, o, i, c) -> (p + i, c)",
                               "(p, o, i, c) -> (i, c, o)",
                               "(p, o, i, c) -> (p, o)",
                               "memref<18x8xf32>",
                               "memref<3x8x32xf32>",
                               "memref<16x32xf32>"};

struct WindowCase {
  int64_t pixels, vectors, taps;
};

class WindowTest : public testing::TestWithParam<WindowCase> {};

/// Where a load takes a thousand cycles, loads are all that counts: those that the model does not share differ from
/// the distinct vectors that the tile reads.
TEST_P(WindowTest, LoadsEachVectorOnce) {
  auto [pixels, vectors, taps] = GetParam();
  std::set<int64_t> x, w;
  for (int64_t pixel = 0; pixel < pixels; ++pixel)
    for (int64_t tap = 0; tap < taps; ++tap)
      x.insert((pixel + tap) * 8);
  for (int64_t tap = 0; tap < taps; ++tap)
    for (int64_t vector = 0; vector < vectors; ++vector)
      w.insert(tap * 8 * 32 + vector * 16);
  ParsedOp parsed(kConvolution);
  LinearNest nest = *LinearNest::get(parsed.op);
  ASSERT_EQ(nest.loops(), 4u);
  CpuTarget target = makeTarget();
  target.machine.loadCycles = 1000;
  KernelCost cost(parsed.op, nest, target);
  KernelPlan plan = cost.startPlan(1);
  plan.vectors = vectors;
  plan.tiles = {{0, pixels}};
  plan.unroll[2] = taps;
  double loads = double(x.size() + w.size());
  // A twentieth of the loads, and half a cycle for the loop, are added; 3 · 8 iterations for all taps and channels.
  double cycles = 24.0 / taps * (loads * 1000 + loads * 50 + 0.5);
  EXPECT_NEAR(ConvolutionCost(cost).getReductionCycles(plan, getFullShape(plan)), cycles, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Table, WindowTest,
                         testing::Values(WindowCase{4, 2, 1}, WindowCase{4, 2, 3}, WindowCase{8, 2, 3},
                                         WindowCase{16, 1, 3}, WindowCase{2, 1, 3}));

TEST(ConvolutionCostTest, FindsTheLoopsThatMoveAnInputTogether) {
  ParsedOp parsed(kConvolution), product(kProduct);
  LinearNest nest = *LinearNest::get(parsed.op), plain = *LinearNest::get(product.op);
  CpuTarget target = makeTarget();
  ConvolutionCost windowed{KernelCost(parsed.op, nest, target)};
  ASSERT_EQ(windowed.windows.size(), 1u);
  EXPECT_EQ(windowed.windows[0].parallel, 0u);
  EXPECT_EQ(windowed.windows[0].reduction, 2u);
  EXPECT_TRUE(ConvolutionCost(KernelCost(product.op, plain, target)).windows.empty());
}

} // namespace
