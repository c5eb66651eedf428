// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits epilogue operations that reduce a nest's results in memory: each tile loads the current values, combines its
// registers with them and stores them. The order is that of the tiles and, within a tile, that of its slots, which
// alternate between a few sums.

#include "compiler/codegen/cpu/emit/EpilogueEmitter.h"

#include "mlir/Dialect/Vector/Utils/VectorUtils.h"

using namespace mlir;
using namespace plumb;

/// Independent sums per address.
constexpr size_t kMaxChains = 4;

/// The tile's slots by the address that they are reduced into.
static std::map<int64_t, SmallVector<unsigned>> groupByAddress(const KernelState &state, unsigned access,
                                                               const Point &point) {
  std::map<int64_t, SmallVector<unsigned>> groups;
  for (auto [number, slot] : llvm::enumerate(state.slots))
    groups[state.pointOf(point, slot).operands[access].constant].push_back(number);
  return groups;
}

void EpilogueEmitter::emitFold(unsigned number, const Point &point) {
  const EpilogueOp &fused = epilogue.ops[number];
  linalg::LinalgOp follower = fused.op;
  CombiningKinds kinds = *getReductionKinds(follower);
  unsigned first = fused.firstAccess + follower.getNumDpsInputs();
  for (auto &[address, group] : groupByAddress(state, first, point)) {
    const AccumulatorSlot &start = state.slots[group.front()];
    Point at = state.pointOf(point, start);
    int64_t chains = std::min(kMaxChains, group.size());
    SmallVector<SmallVector<Value>> sums(chains);
    for (unsigned result = 0; result < kinds.size(); ++result) {
      sums[0].push_back(loadResult(first + result, at, start));
      for (SmallVector<Value> &sum : MutableArrayRef(sums).drop_front())
        sum.push_back(state.makeNeutral(follower, result));
    }
    for (auto [index, slot] : llvm::enumerate(group)) {
      SmallVector<Value> &sum = sums[index % chains];
      sum = runBody(number, slot, slot, {}, state.pointOf(point, state.slots[slot]), sum);
    }
    forEachPair(chains, [&](int64_t one, int64_t other) {
      for (auto [result, kind] : llvm::enumerate(kinds))
        sums[one][result] =
            vector::makeArithReduction(builder, builder.getLoc(), kind, sums[one][result], sums[other][result]);
    });
    for (auto [result, value] : llvm::enumerate(sums[0]))
      storeResult(fused.firstValue + result, value, at, start);
  }
}
