// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Misses of the model against those of a simulated cache: fully associative, the least recently used line leaves. The
// machine has one such cache, whose misses take one cycle, and all that the model adds for prefetchers, conflicts and
// pages is off, so that cycles are lines.

#include "compiler/codegen/cpu/cost/CacheModel.h"

#include "test/compiler/codegen/cpu/parsed_op.h"

#include <gtest/gtest.h>

#include <list>
#include <unordered_map>

using namespace mlir;
using namespace plumb;

namespace {

CpuTarget makeTarget(int64_t lines) {
  CpuTarget target = *CpuTarget::get("x86-64-v4");
  target.machine.caches = {{{1, lines, 1.0}, {1, int64_t(1) << 40, 0.0}}};
  target.machine.usableShare = 1;
  target.machine.minPrefetchedLines = 0;
  target.machine.tlbPages = int64_t(1) << 40;
  return target;
}

/// Counts the misses of a sequence of accesses.
class SimulatedCache {
public:
  explicit SimulatedCache(size_t lines) : lines(lines) {}

  void access(int64_t line) {
    auto known = places.find(line);
    if (known != places.end()) {
      recent.erase(known->second);
    } else {
      ++misses;
      if (recent.size() == lines) {
        places.erase(recent.back());
        recent.pop_back();
      }
    }
    recent.push_front(line);
    places[line] = recent.begin();
  }

  int64_t misses = 0;

private:
  size_t lines;
  std::list<int64_t> recent;
  std::unordered_map<int64_t, std::list<int64_t>::iterator> places;
};

/// Runs the loops of a plan's order, and the complete nest inside, element by element.
class Simulation {
public:
  Simulation(const LinearNest &nest, const KernelPlan &plan, int64_t lines)
      : nest(nest), plan(plan), cache(lines), from(nest.loops(), 0), to(nest.sizes) {}

  int64_t run() {
    runOrder(0);
    return cache.misses;
  }

private:
  void runOrder(unsigned depth) {
    if (depth == plan.order.size())
      return runTile();
    auto [loop, step] = plan.order[depth];
    int64_t begin = from[loop], end = to[loop];
    for (int64_t at = begin; at < end; at += step) {
      from[loop] = at;
      to[loop] = std::min(at + step, end);
      runOrder(depth + 1);
    }
    from[loop] = begin;
    to[loop] = end;
  }

  /// Each operand once: what stays in registers or in the cache during a tile is read once.
  void runTile() {
    for (unsigned operand = 0; operand < nest.accesses.size(); ++operand)
      runOperand(operand, 0, (int64_t(operand + 1) << 32) + nest.accesses[operand].offset);
  }

  void runOperand(unsigned operand, unsigned loop, int64_t element) {
    if (loop == nest.loops())
      return cache.access(element / 16);
    int64_t stride = nest.stride(operand, loop);
    for (int64_t at = from[loop]; at < (stride ? to[loop] : from[loop] + 1); ++at)
      runOperand(operand, loop + 1, element + at * stride);
  }

  const LinearNest &nest;
  const KernelPlan &plan;
  SimulatedCache cache;
  SmallVector<int64_t> from, to;
};

/// 64 × 64 results of 64 products: each matrix has 256 lines.
const Contraction kProduct{"ppr",
                           "(i, j, k) -> (i, k)",
                           "(i, j, k) -> (k, j)",
                           "(i, j, k) -> (i, j)",
                           "memref<64x64xf32>",
                           "memref<64x64xf32>",
                           "memref<64x64xf32>"};

struct OrderCase {
  const char *name;
  std::vector<OuterLoop> order;
  int64_t lines;
  /// Worked out by hand, without the second pass over the result that the model counts for stores.
  int64_t misses;
};

const OrderCase kOrders[] = {
    // Eight rows of x, y and z: 32 + 256 + 32 lines. They fit, so every line is fetched once.
    {"rows_and_all_of_y_fit", {{0, 8}, {1, 16}}, 400, 256 + 256 + 256},
    // A tile: 32 lines of x, 64 of y, 8 of z. Rows of x stay for all columns; y is fetched for each of eight row
    // blocks.
    {"a_tile_fits", {{0, 8}, {1, 16}}, 140, 256 + 8 * 256 + 256},
    // The other order: 64 lines of y stay for all rows; x is fetched for each of four column blocks.
    {"columns_outside", {{1, 16}, {0, 8}}, 140, 4 * 256 + 256 + 256},
    // Blocks of 16 products: rows of x need 8 lines, y 16 rows of 4 lines, z 32. z is fetched for each of four blocks.
    {"blocks_of_the_reduction", {{2, 16}, {0, 8}, {1, 16}}, 140, 256 + 256 + 4 * 256},
};

class CacheModelTest : public testing::TestWithParam<OrderCase> {};

TEST_P(CacheModelTest, CountsTheMissesOfASimulatedCache) {
  const OrderCase &given = GetParam();
  ParsedOp parsed(kProduct);
  LinearNest nest = *LinearNest::get(parsed.op);
  CpuTarget target = makeTarget(given.lines);
  KernelCost cost(parsed.op, nest, target);
  KernelPlan plan = cost.startPlan(1);
  plan.tiles = {{0, 8}};
  plan.order.assign(given.order.begin(), given.order.end());
  plan.reductions = {2};
  EXPECT_EQ(Simulation(nest, plan, given.lines).run(), given.misses);
  // Results are fetched and written back.
  int64_t results = given.order.front().loop == 2 ? 4 * 256 : 256;
  EXPECT_EQ(CacheModel(cost).getCycles(plan), double(given.misses + results));
}

INSTANTIATE_TEST_SUITE_P(Table, CacheModelTest, testing::ValuesIn(kOrders),
                         [](const auto &info) { return std::string(info.param.name); });

TEST(CacheModelTest, OperandsThatFitTogetherCostNothing) {
  ParsedOp parsed(kProduct);
  LinearNest nest = *LinearNest::get(parsed.op);
  CpuTarget target = makeTarget(3 * 256);
  KernelCost cost(parsed.op, nest, target);
  KernelPlan plan = cost.startPlan(1);
  setDefaultOrder(plan, nest);
  EXPECT_EQ(CacheModel(cost).getCycles(plan), 0);
}

/// Rows 4096 bytes apart share a set: of 64 sets with 8 ways, 64 such rows hold 8 lines at once.
TEST(CacheModelTest, ConflictsNeedMoreRoom) {
  Contraction apart = kProduct;
  apart.y = "memref<64x64xf32, strided<[1024, 1]>>";
  for (auto [op, fits] : {std::pair(kProduct, true), std::pair(apart, false)}) {
    ParsedOp parsed(op);
    LinearNest nest = *LinearNest::get(parsed.op);
    CpuTarget target = makeTarget(1);
    target.machine.caches[0] = {64, 16, 1.0};
    KernelCost cost(parsed.op, nest, target);
    KernelPlan plan = cost.startPlan(1);
    plan.tiles = {{0, 8}};
    plan.order = {{0, 8}, {1, 16}};
    plan.reductions = {2};
    EXPECT_EQ(CacheModel(cost).getCycles(plan) == 0, fits);
  }
}

/// 64 rows on pages of their own, read by each of 32 tiles, with room for 32 translations.
TEST(CacheModelTest, TranslationsThatDoNotFitMiss) {
  Contraction apart = kProduct;
  apart.y = "memref<64x64xf32, strided<[2048, 1]>>";
  ParsedOp parsed(apart);
  LinearNest nest = *LinearNest::get(parsed.op);
  CpuTarget target = makeTarget(int64_t(1) << 40);
  target.machine.tlbPages = 32;
  target.machine.tlbMissCycles = 1;
  KernelCost cost(parsed.op, nest, target);
  KernelPlan plan = cost.startPlan(1);
  plan.tiles = {{0, 8}};
  plan.order = {{0, 8}, {1, 16}};
  plan.reductions = {2};
  // A tile of 8 rows and 16 columns: 64 pages of y, less than one each of x and z, which count as one. 32 tiles.
  EXPECT_EQ(CacheModel(cost).getCycles(plan), 32 * (64 + 1 + 1));
}

/// Blocks of 16 products as in `blocks_of_the_reduction`: where L2 holds all that a block's loops access, prefetched
/// lines of the next block of y cost a part of a miss; where it does not, they may be gone again.
TEST(CacheModelTest, NextBlocksArriveEarlyWhereTheyStay) {
  ParsedOp parsed(kProduct);
  LinearNest nest = *LinearNest::get(parsed.op);
  for (auto [lines, saved] : {std::pair(400, 0.75 * 256), std::pair(140, 0.0)}) {
    CpuTarget target = makeTarget(int64_t(1) << 40);
    target.machine.caches = {{{1, int64_t(1) << 40, 0.0}, {1, lines, 1.0}}};
    target.machine.prefetchedShare = 0.25;
    KernelCost cost(parsed.op, nest, target);
    KernelPlan plan = cost.startPlan(1);
    plan.tiles = {{0, 8}};
    plan.order = {{2, 16}, {0, 8}, {1, 16}};
    plan.reductions = {2};
    double without = CacheModel(cost).getCycles(plan);
    plan.blockPrefetches = {{1, 0}};
    EXPECT_EQ(CacheModel(cost).getCycles(plan), without - saved);
  }
}

} // namespace
