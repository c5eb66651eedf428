// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matches on the operations that compute a yielded value.

#include "compiler/support/ReductionBodies.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace plumb;

static Operation *findYielded(linalg::LinalgOp op, unsigned result) {
  return op.getBlock()->getTerminator()->getOperand(result).getDefiningOp();
}

Operation *plumb::findCombiner(linalg::LinalgOp op, unsigned result) {
  Operation *combiner = findYielded(op, result);
  BlockArgument accumulator = op.getRegionOutputArgs()[result];
  bool combines = combiner && accumulator.hasOneUse() && *accumulator.user_begin() == combiner &&
                  arith::getNeutralElement(combiner);
  return combines ? combiner : nullptr;
}

Operation *plumb::findMultiplyAdd(linalg::LinalgOp op, unsigned result) {
  Operation *add = findYielded(op, result);
  if (!isa_and_nonnull<arith::AddFOp, arith::AddIOp>(add))
    return nullptr;
  BlockArgument accumulator = op.getRegionOutputArgs()[result];
  Value product = add->getOperand(0) == accumulator ? add->getOperand(1) : add->getOperand(0);
  bool matches = llvm::is_contained(add->getOperands(), accumulator) &&
                 isa_and_nonnull<arith::MulFOp, arith::MulIOp>(product.getDefiningOp());
  return matches ? add : nullptr;
}

bool plumb::isContraction(linalg::LinalgOp op) {
  if (op.getNumReductionLoops() == 0 || op.getNumDpsInits() != 1)
    return false;
  auto add = dyn_cast_or_null<arith::AddFOp>(findMultiplyAdd(op));
  BlockArgument accumulator = op.getRegionOutputArgs()[0];
  if (!add || !accumulator.hasOneUse())
    return false;
  Value product = add.getLhs() == accumulator ? add.getRhs() : add.getLhs();
  return llvm::all_of(product.getDefiningOp()->getOperands(), llvm::IsaPred<BlockArgument>);
}
