// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stages that fold a nest's results: each tile loads what there is so far, folds
// its registers into it and stores it. The order is that of the tiles, and within
// one that of its cells, which take turns among a few sums.

#include "compiler/codegen/cpu/Emitter.h"

#include "mlir/Dialect/Vector/Utils/VectorUtils.h"

using namespace mlir;
using namespace plumb;

/// Sums of one place that do not wait for each other.
constexpr size_t kMostChains = 4;

/// The tile's cells by the place in memory that they are folded into.
std::map<int64_t, SmallVector<unsigned>>
Emitter::groupByPlace(unsigned access, const Point &point) const {
  std::map<int64_t, SmallVector<unsigned>> groups;
  for (auto [number, cell] : llvm::enumerate(cells))
    groups[pointOf(point, cell).operands[access].constant].push_back(number);
  return groups;
}

void Emitter::emitFold(unsigned number, const Point &point) {
  const EpilogueStage &stage = epilogue->stages[number];
  linalg::LinalgOp stageOp = stage.op;
  CombiningKinds kinds = *getReductionKinds(stageOp);
  unsigned first = stage.firstAccess + stageOp.getNumDpsInputs();
  for (auto &[place, group] : groupByPlace(first, point)) {
    const Cell &start = cells[group.front()];
    Point at = pointOf(point, start);
    int64_t chains = std::min(kMostChains, group.size());
    SmallVector<SmallVector<Value>> sums(chains);
    for (unsigned result = 0; result < kinds.size(); ++result) {
      sums[0].push_back(loadResult(first + result, at, start));
      for (SmallVector<Value> &sum : MutableArrayRef(sums).drop_front())
        sum.push_back(makeNeutral(stageOp, result));
    }
    for (auto [turn, cell] : llvm::enumerate(group)) {
      SmallVector<Value> &sum = sums[turn % chains];
      sum = runBody(number, cell, cell, {}, pointOf(point, cells[cell]), sum);
    }
    forEachPair(chains, [&](int64_t one, int64_t other) {
      for (auto [result, kind] : llvm::enumerate(kinds))
        sums[one][result] = vector::makeArithReduction(
            builder, builder.getLoc(), kind, sums[one][result],
            sums[other][result]);
    });
    for (auto [result, value] : llvm::enumerate(sums[0]))
      storeResult(stage.firstValue + result, value, at, start);
  }
}
