// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lines that move between two cores during a step, worked out by hand. Each row is a step of a few sections on one
// buffer of 64 KiB: a half of its 1024 lines moves in 512 · 20 cycles.

#include "compiler/codegen/cpu/cost/SharingModel.h"

#include "test/compiler/codegen/cpu/parsed_op.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace plumb;

namespace {

struct Use {
  bool reads, writes;
  BufferShare share;
};

const BufferShare kFirst{}, kBoth = BufferShare::getBoth(), kHalves = BufferShare::getHalves(64, false),
                            kRows = BufferShare::getHalves(64, true);

struct StepCase {
  const char *name;
  std::vector<Use> uses;
  /// How often half of the lines move in a step that follows another one.
  int moves;
};

const StepCase kSteps[] = {
    {"one_thread", {{false, true, kFirst}, {true, false, kFirst}}, 0},
    {"the_same_halves", {{false, true, kHalves}, {true, false, kHalves}}, 0},
    {"other_halves", {{false, true, kHalves}, {true, false, kRows}}, 2},
    {"read_by_both_after_one_wrote", {{false, true, kFirst}, {true, false, kBoth}}, 2},
    // The second reader finds the lines where the first one brought them.
    {"read_twice", {{false, true, kFirst}, {true, false, kBoth}, {true, false, kBoth}}, 2},
    // Reading moves them to both, writing by one takes them back: in each step, once there and once back.
    {"only_read", {{true, false, kBoth}, {true, false, kHalves}}, 0},
    {"updated_in_place", {{true, true, kHalves}}, 0},
};

class SharingModelTest : public testing::TestWithParam<StepCase> {};

TEST_P(SharingModelTest, CountsMovesPerStep) {
  ParsedOp parsed("%x: memref<16384xf32>, %z: memref<16384xf32>",
                  "  linalg.copy ins(%x : memref<16384xf32>) outs(%z : memref<16384xf32>)");
  CpuTarget target = *CpuTarget::get("x86-64-v4");
  target.machine.sharedLineCycles = 20;
  SharingModel model(target);
  std::vector<BufferShares> shares;
  for (const Use &use : GetParam().uses)
    shares.push_back({use.share});
  for (auto [section, use] : llvm::enumerate(GetParam().uses)) {
    model.addAccess(section, 0, parsed.op->getOperand(0), use.reads, use.writes);
    model.setShares(section, &shares[section]);
  }
  EXPECT_EQ(model.getCycles(), GetParam().moves * 512.0 * 20);
}

INSTANTIATE_TEST_SUITE_P(Table, SharingModelTest, testing::ValuesIn(kSteps),
                         [](const auto &info) { return std::string(info.param.name); });

TEST(SharingModelTest, LargeBuffersStream) {
  MachineModel machine = MachineModel::getAvx512();
  machine.sharedLineCycles = 20;
  machine.streamedLineCycles = 5;
  machine.streamedBytes = 1 << 20;
  EXPECT_EQ(SharingModel::getMoveCycles(64, machine), 10);
  EXPECT_EQ(SharingModel::getMoveCycles((1 << 20) - 64, machine), (16384 - 1) * 10.0);
  EXPECT_EQ(SharingModel::getMoveCycles(1 << 20, machine), 16384 * 2.5);
}

} // namespace
