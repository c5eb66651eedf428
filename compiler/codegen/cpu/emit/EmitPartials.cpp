// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several sets of accumulators for one register tile. Successive iterations of the innermost reduction alternate
// between them, so that additions do not depend on each other and a long sum becomes several short ones. They are
// combined pairwise, always in the same order.

#include "compiler/codegen/cpu/emit/Emitter.h"

#include "mlir/Dialect/Vector/Utils/VectorUtils.h"

using namespace mlir;
using namespace plumb;

/// Adds all sets but the first, which start from the neutral element.
void Emitter::addPartials(SmallVector<Value> &accumulators) {
  size_t set = accumulators.size();
  for (size_t number = set; number < set * plan.partials; ++number)
    accumulators.push_back(makeNeutral(op, number % outputs()));
}

/// Combines all sets into the first.
void Emitter::combinePartials(SmallVector<Value> &accumulators) {
  size_t set = accumulators.size() / plan.partials;
  if (plan.partials == 1)
    return;
  CombiningKinds kinds = *getReductionKinds(op);
  forEachPair(plan.partials, [&](int64_t one, int64_t other) {
    for (size_t number = 0; number < set; ++number) {
      Value &sum = accumulators[one * set + number];
      sum = vector::makeArithReduction(builder, builder.getLoc(), kinds[number % outputs()], sum,
                                       accumulators[other * set + number]);
    }
  });
  accumulators.truncate(set);
}
