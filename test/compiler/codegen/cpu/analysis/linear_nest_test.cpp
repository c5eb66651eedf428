// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nests against a brute-force run of the operation: each iteration of its own loops, with its affine maps and layouts,
// must be an iteration of the nest that accesses the same elements, and the other way round.

#include "compiler/codegen/cpu/analysis/LinearNest.h"

#include "test/compiler/codegen/cpu/parsed_op.h"

#include <gtest/gtest.h>

#include <map>

using namespace mlir;
using namespace plumb;

namespace {

/// How often each combination of elements, one per operand, is accessed.
using Accesses = std::map<std::vector<int64_t>, int>;

/// Visits every index of a nest of loops.
template <typename Visit> void forEachIndex(ArrayRef<int64_t> sizes, Visit visit) {
  SmallVector<int64_t> index(sizes.size(), 0);
  int64_t count = 1;
  for (int64_t size : sizes)
    count *= size;
  for (int64_t number = 0; number < count; ++number) {
    visit(ArrayRef<int64_t>(index));
    for (unsigned loop = sizes.size(); loop-- > 0;) {
      if (++index[loop] < sizes[loop])
        break;
      index[loop] = 0;
    }
  }
}

/// The element that `operand` accesses at an index of the operation's own loops, relative to the buffer's first one;
/// nothing in the padding of a halo.
std::optional<int64_t> getElement(OpOperand &operand, AffineMap map, ArrayRef<int64_t> index) {
  auto type = cast<MemRefType>(operand.get().getType());
  SmallVector<int64_t> strides;
  int64_t element = 0, first;
  (void)type.getStridesAndOffset(strides, first);
  auto halo = operand.get().getDefiningOp<device::HaloOp>();
  for (auto [axis, position] : llvm::enumerate(map.compose(index))) {
    int64_t inside = position - (halo ? halo.getLow()[axis] : 0);
    if (halo && (inside < 0 || inside >= halo.getSource().getType().getDimSize(axis)))
      return std::nullopt;
    element += inside * strides[axis];
  }
  return element;
}

Accesses runOperation(linalg::LinalgOp op) {
  Accesses accesses;
  forEachIndex(op.getStaticLoopRanges(), [&](ArrayRef<int64_t> index) {
    std::vector<int64_t> elements;
    for (OpOperand &operand : op->getOpOperands()) {
      std::optional<int64_t> element = getElement(operand, op.getMatchingIndexingMap(&operand), index);
      if (!element)
        return;
      elements.push_back(*element);
    }
    ++accesses[elements];
  });
  return accesses;
}

Accesses runNest(const LinearNest &nest) {
  Accesses accesses;
  forEachIndex(nest.sizes, [&](ArrayRef<int64_t> index) {
    for (const LinearBound &bound : nest.bounds)
      if (!bound.contains(index[bound.parallel], index[bound.reduction]))
        return;
    std::vector<int64_t> elements;
    for (const LinearAccess &access : nest.accesses) {
      elements.push_back(access.offset);
      for (unsigned loop = 0; loop < nest.loops(); ++loop)
        elements.back() += access.strides[loop] * index[loop];
    }
    ++accesses[elements];
  });
  return accesses;
}

struct NestCase {
  const char *name;
  Contraction op;
  /// Worked out by hand: the sizes of the simplified nest and the strides of x, y and z.
  std::vector<int64_t> sizes;
  std::vector<std::vector<int64_t>> strides;
};

const NestCase kCases[] = {
    {"product",
     {"ppr", "(i, j, k) -> (i, k)", "(i, j, k) -> (k, j)", "(i, j, k) -> (i, j)", "memref<4x6xf32>", "memref<6x5xf32>",
      "memref<4x5xf32>"},
     {4, 5, 6},
     {{6, 0, 1}, {0, 1, 5}, {5, 1, 0}}},
    {"transposed and in a larger buffer",
     {"ppr", "(i, j, k) -> (k, i)", "(i, j, k) -> (j, k)", "(i, j, k) -> (i, j)",
      "memref<6x4xf32, strided<[10, 2], offset: 3>>", "memref<5x6xf32>", "memref<4x5xf32>"},
     {4, 5, 6},
     {{2, 0, 10}, {0, 6, 1}, {5, 1, 0}}},
    {"contiguous loops are fused",
     // n and i are rows of x and z alike: one loop of 6.
     {"pppr", "(n, i, j, k) -> (n, i, k)", "(n, i, j, k) -> (k, j)", "(n, i, j, k) -> (n, i, j)", "memref<2x3x6xf32>",
      "memref<6x5xf32>", "memref<2x3x5xf32>"},
     {6, 5, 6},
     {{6, 0, 1}, {0, 1, 5}, {5, 1, 0}}},
    {"rows with a gap are not",
     {"pppr", "(n, i, j, k) -> (n, i, k)", "(n, i, j, k) -> (k, j)", "(n, i, j, k) -> (n, i, j)",
      "memref<2x3x6xf32, strided<[20, 6, 1]>>", "memref<6x5xf32>", "memref<2x3x5xf32>"},
     {2, 3, 5, 6},
     {{20, 6, 0, 1}, {0, 0, 1, 5}, {15, 5, 1, 0}}},
    {"loops of one iteration are dropped",
     {"pppr", "(n, i, j, k) -> (n, i, k)", "(n, i, j, k) -> (k, j)", "(n, i, j, k) -> (n, i, j)", "memref<1x3x6xf32>",
      "memref<6x1xf32>", "memref<1x3x1xf32>"},
     {3, 6},
     {{6, 1}, {0, 1}, {1, 0}}},
    {"two reductions are one sum",
     {"prr", "(i, k, l) -> (i, k, l)", "(i, k, l) -> (k, l)", "(i, k, l) -> (i)", "memref<4x2x3xf32>",
      "memref<2x3xf32>", "memref<4xf32>"},
     {4, 6},
     {{6, 1}, {0, 1}, {1, 0}}},
    {"stride and dilation",
     // x[2 y + 3 i]: rows of 11 elements.
     {"pr", "(y, i) -> (y * 2 + i * 3)", "(y, i) -> (i)", "(y, i) -> (y)", "memref<11xf32>", "memref<3xf32>",
      "memref<3xf32>"},
     {3, 3},
     {{2, 3}, {0, 1}, {1, 0}}},
    {"reversed",
     {"pr", "(y, i) -> (y - i + 2)", "(y, i) -> (i)", "(y, i) -> (y)", "memref<6xf32>", "memref<3xf32>",
      "memref<4xf32>"},
     {4, 3},
     {{1, -1}, {0, 1}, {1, 0}}},
    {"halo",
     {"pr", "(y, i) -> (y + i)", "(y, i) -> (i)", "(y, i) -> (y)", "memref<6xf32>", "memref<3xf32>", "memref<6xf32>",
      "low [1] high [1]", "memref<8xf32, strided<[1]>>"},
     {6, 3},
     {{1, 1}, {0, 1}, {1, 0}}},
    {"halo that no iteration reads",
     // The window of three is one step wide on each side and reads only i = 1: the reduction has one iteration left.
     {"pr", "(y, i) -> (y + i * 2)", "(y, i) -> (i)", "(y, i) -> (y)", "memref<2xf32>", "memref<3xf32>",
      "memref<2xf32>", "low [2] high [2]", "memref<6xf32, strided<[1]>>"},
     {2},
     {{1}, {0}, {1}}},
    {"halo of an image",
     {"pppprrr", "(n, y, x, o, i, j, c) -> (n, y + i, x + j, c)", "(n, y, x, o, i, j, c) -> (i, j, c, o)",
      "(n, y, x, o, i, j, c) -> (n, y, x, o)", "memref<2x4x5x3xf32>", "memref<3x3x3x2xf32>", "memref<2x4x5x2xf32>",
      "low [0, 1, 1, 0] high [0, 1, 1, 0]", "memref<2x6x7x3xf32, strided<[60, 15, 3, 1]>>"},
     {2, 4, 5, 2, 3, 3, 3},
     {{60, 15, 3, 0, 15, 3, 1}, {0, 0, 0, 1, 18, 6, 2}, {40, 10, 2, 1, 0, 0, 0}}},
    {"halo with stride two",
     {"pr", "(y, i) -> (y * 2 + i)", "(y, i) -> (i)", "(y, i) -> (y)", "memref<8xf32>", "memref<3xf32>",
      "memref<4xf32>", "low [1] high [0]", "memref<9xf32, strided<[1]>>"},
     {4, 3},
     {{2, 1}, {0, 1}, {1, 0}}},
};

class LinearNestTest : public testing::TestWithParam<NestCase> {};

TEST_P(LinearNestTest, KeepsTheLoopsOfTheOperation) {
  ParsedOp parsed(GetParam().op);
  FailureOr<LinearNest> nest = LinearNest::read(parsed.op);
  ASSERT_TRUE(succeeded(nest));
  EXPECT_EQ(nest->loops(), parsed.op.getNumLoops());
  EXPECT_EQ(runNest(*nest), runOperation(parsed.op));
}

TEST_P(LinearNestTest, SimplifiesWithoutChangingAccesses) {
  ParsedOp parsed(GetParam().op);
  FailureOr<LinearNest> nest = LinearNest::get(parsed.op);
  ASSERT_TRUE(succeeded(nest));
  EXPECT_EQ(runNest(*nest), runOperation(parsed.op));
  EXPECT_EQ(std::vector<int64_t>(nest->sizes.begin(), nest->sizes.end()), GetParam().sizes);
  for (auto [operand, strides] : llvm::enumerate(GetParam().strides)) {
    ArrayRef<int64_t> found = nest->accesses[operand].strides;
    EXPECT_EQ(std::vector<int64_t>(found.begin(), found.end()), strides) << "operand " << operand;
  }
}

TEST_P(LinearNestTest, SkewsWithoutChangingAccesses) {
  ParsedOp parsed(GetParam().op);
  FailureOr<LinearNest> nest = LinearNest::get(parsed.op);
  ASSERT_TRUE(succeeded(nest));
  for (unsigned parallel = 0; parallel < nest->loops(); ++parallel)
    for (unsigned reduction = 0; reduction < nest->loops(); ++reduction) {
      int64_t tap = nest->stride(0, parallel), step = nest->stride(0, reduction);
      if (!nest->isParallel(parallel) || nest->isParallel(reduction) || step == 0 || tap % step != 0 || tap / step < 1)
        continue;
      FailureOr<LinearNest> skewed = nest->skew({parallel, reduction, tap / step});
      if (failed(skewed))
        continue;
      EXPECT_EQ(skewed->stride(0, parallel), 0);
      EXPECT_EQ(runNest(*skewed), runOperation(parsed.op)) << parallel << ", " << reduction;
    }
}

/// Whether each stride is a multiple of the next smaller one, so that elements repeat only where a loop reaches the
/// next stride.
bool areNested(ArrayRef<int64_t> strides) {
  std::vector<int64_t> sorted;
  for (int64_t stride : strides)
    if (stride != 0)
      sorted.push_back(stride);
  llvm::sort(sorted);
  for (size_t next = 1; next < sorted.size(); ++next)
    if (sorted[next - 1] < 0 || sorted[next] % sorted[next - 1] != 0)
      return false;
  return true;
}

/// Distinct elements of an operand, and its iterations in the loops that move it.
TEST_P(LinearNestTest, KnowsWhetherElementsRepeat) {
  ParsedOp parsed(GetParam().op);
  FailureOr<LinearNest> nest = LinearNest::get(parsed.op);
  ASSERT_TRUE(succeeded(nest));
  for (unsigned operand = 0; operand < nest->accesses.size(); ++operand) {
    const LinearAccess &access = nest->accesses[operand];
    SmallVector<int64_t> moving;
    for (int64_t stride : access.strides)
      moving.push_back(stride == 0 ? 1 : nest->sizes[moving.size()]);
    std::map<int64_t, int> elements;
    forEachIndex(moving, [&](ArrayRef<int64_t> index) {
      int64_t element = access.offset;
      for (unsigned loop = 0; loop < nest->loops(); ++loop)
        element += access.strides[loop] * index[loop];
      ++elements[element];
    });
    bool repeats = llvm::any_of(elements, [](const auto &each) { return each.second > 1; });
    // It may miss an operand without repetition, such as one with bounds or with strides 2 and 3.
    if (nest->isInjective(operand)) {
      EXPECT_FALSE(repeats) << "operand " << operand;
    } else if (nest->bounds.empty() && areNested(access.strides)) {
      EXPECT_TRUE(repeats) << "operand " << operand;
    }
  }
}

std::string getName(const testing::TestParamInfo<NestCase> &info) {
  std::string name = info.param.name;
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Table, LinearNestTest, testing::ValuesIn(kCases), getName);

struct RangeCase {
  int64_t parallelStep, reductionStep, start, extent;
};

class LinearBoundTest : public testing::TestWithParam<RangeCase> {};

/// Ranges by trying each iteration.
TEST_P(LinearBoundTest, RangesHoldTheIterationsThatExist) {
  RangeCase given = GetParam();
  LinearBound bound{0, 1, given.parallelStep, given.reductionStep, given.start, given.extent};
  for (int64_t size = 1; size <= 7; ++size)
    for (int64_t index = 0; index < 9; ++index) {
      IterationRange reductions = bound.reductionRange(index, size), parallels = bound.parallelRange(index, size);
      for (int64_t at = 0; at < size; ++at) {
        int64_t position = given.start + given.parallelStep * index + given.reductionStep * at;
        EXPECT_EQ(reductions.from <= at && at < reductions.to, 0 <= position && position < given.extent);
        position = given.start + given.parallelStep * at + given.reductionStep * index;
        EXPECT_EQ(parallels.from <= at && at < parallels.to, 0 <= position && position < given.extent);
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Table, LinearBoundTest,
                         testing::Values(RangeCase{1, 1, -1, 6}, RangeCase{2, 1, -1, 8}, RangeCase{1, 3, -4, 9},
                                         RangeCase{1, -1, 2, 4}, RangeCase{-2, 1, 7, 5}, RangeCase{0, 1, -2, 3},
                                         RangeCase{1, 0, 0, 4}, RangeCase{-1, -2, 9, 3}));

TEST(LinearNestTest, RefusesWhatHasNoLinearNest) {
  // A reduction that moves the output, and a quotient of indices.
  Contraction scatter{
      "pr", "(i, k) -> (i, k)", "(i, k) -> (k)", "(i, k) -> (k)", "memref<4x6xf32>", "memref<6xf32>", "memref<6xf32>"};
  EXPECT_TRUE(failed(LinearNest::get(ParsedOp(scatter).op)));
  ParsedOp dynamic("%x: memref<?xf32>, %z: memref<?xf32>",
                   "  linalg.copy ins(%x : memref<?xf32>) outs(%z : memref<?xf32>)");
  EXPECT_TRUE(failed(LinearNest::get(dynamic.op)));
}

} // namespace
