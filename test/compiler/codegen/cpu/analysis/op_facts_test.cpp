// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What bodies compute, one row of the table per body.

#include "compiler/codegen/cpu/analysis/OpFacts.h"

#include "test/compiler/codegen/cpu/parsed_op.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace plumb;
using vector::CombiningKind;

namespace {

/// An operation over (i, k) that reduces k; the body has %a, %b and the accumulator %c of `type`, and yields %r.
ParsedOp makeReduction(const std::string &body, const std::string &type) {
  std::string matrix = "memref<4x6x" + type + ">", row = "memref<4x" + type + ">";
  return ParsedOp("%x: " + matrix + ", %y: " + matrix + ", %z: " + row,
                  "  linalg.generic {indexing_maps = [affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (i, k)>, "
                  "affine_map<(i, k) -> (i)>], iterator_types = [\"parallel\", \"reduction\"]} ins(%x, %y : " +
                      matrix + ", " + matrix + ") outs(%z : " + row + ") {\n  ^bb0(%a: " + type + ", %b: " + type +
                      ", %c: " + type + "):\n" + body + "\n    linalg.yield %r : " + type + "\n  }");
}

struct BodyCase {
  const char *name, *type, *body;
  bool isContraction;
  /// Whether products of anything are added to the accumulator.
  bool addsProducts;
  /// Nothing: lanes must not be combined.
  std::optional<CombiningKind> kind;
  /// A multiplication that an addition can include is free, a function is twelve.
  int64_t operations;
};

const BodyCase kBodies[] = {
    {"product", "f32", "%m = arith.mulf %a, %b : f32\n%r = arith.addf %c, %m : f32", true, true, CombiningKind::ADD, 1},
    {"product_first", "f32", "%m = arith.mulf %a, %b : f32\n%r = arith.addf %m, %c : f32", true, true,
     CombiningKind::ADD, 1},
    {"scaled", "f32", "%m = arith.mulf %a, %b : f32\n%n = arith.mulf %m, %b : f32\n%r = arith.addf %c, %n : f32", false,
     true, CombiningKind::ADD, 2},
    {"sum", "f32", "%r = arith.addf %c, %a : f32", false, false, CombiningKind::ADD, 1},
    {"squares_of_differences", "f32",
     "%d = arith.subf %a, %b : f32\n%m = arith.mulf %d, %d : f32\n%r = arith.addf %c, %m : f32", false, true,
     CombiningKind::ADD, 2},
    {"maximum", "f32", "%r = arith.maximumf %c, %a : f32", false, false, CombiningKind::MAXIMUMF, 1},
    {"exponentials", "f32", "%e = math.exp %a : f32\n%r = arith.addf %c, %e : f32", false, false, CombiningKind::ADD,
     13},
    {"accumulator_twice", "f32", "%m = arith.mulf %c, %a : f32\n%r = arith.addf %c, %m : f32", false, true,
     std::nullopt, 1},
    {"difference", "f32", "%r = arith.subf %c, %a : f32", false, false, std::nullopt, 1},
    {"integers", "i32", "%m = arith.muli %a, %b : i32\n%r = arith.addi %c, %m : i32", false, true, CombiningKind::ADD,
     2},
    {"halves_are_not_fused", "f16", "%m = arith.mulf %a, %b : f16\n%r = arith.addf %c, %m : f16", true, true,
     CombiningKind::ADD, 2},
};

class OpFactsTest : public testing::TestWithParam<BodyCase> {};

TEST_P(OpFactsTest, Body) {
  const BodyCase &given = GetParam();
  ParsedOp parsed = makeReduction(given.body, given.type);
  EXPECT_EQ(isContraction(parsed.op), given.isContraction);
  EXPECT_EQ(findMultiplyAdd(parsed.op) != nullptr, given.addsProducts);
  EXPECT_EQ(findCombiner(parsed.op, 0) != nullptr, given.kind.has_value());
  EXPECT_EQ(countOperations(parsed.op), given.operations);
  std::optional<CombiningKinds> kinds = getReductionKinds(parsed.op);
  ASSERT_EQ(kinds.has_value(), given.kind.has_value());
  if (kinds) {
    ASSERT_EQ(kinds->size(), 1u);
    EXPECT_EQ(kinds->front(), *given.kind);
  }
}

INSTANTIATE_TEST_SUITE_P(Table, OpFactsTest, testing::ValuesIn(kBodies),
                         [](const auto &info) { return std::string(info.param.name); });

} // namespace
