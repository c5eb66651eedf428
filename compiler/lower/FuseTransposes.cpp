// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fuses transposes into the products that read or write them.
//
//   %t = generic ins(%x) outs(…) { yield }              (b, s, h, d) -> (b, h, s, d)
//   %p = generic ins(%t, %k) outs(…) { mul, add }
//   becomes
//   %p = generic ins(%x, %k) outs(…) { mul, add }       reads %x[b, s, h, d]
//
// A product walks its operands by strides and does not care in which order the outer axes lie, so the copy goes. The last
// axis must stay the last: neighbours in memory remain neighbours. A transpose stays where somebody else needs it.
// Test: test/compiler/lower/fuse_transposes.mlir

#include "compiler/lower/Passes.h"
#include "dialects/device/ir/Device.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#define DEBUG_TYPE "plumb-fuse-transposes"

namespace plumb {
#define GEN_PASS_DEF_FUSETRANSPOSESPASS
#include "compiler/lower/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;
using linalg::GenericOp;

/// Whether the body is acc + a * b.
static bool isProduct(GenericOp op) {
  Block *body = op.getBody();
  if (op.getNumReductionLoops() == 0 || op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 ||
      body->getOperations().size() != 3)
    return false;
  auto sum = body->getTerminator()->getOperand(0).getDefiningOp<arith::AddFOp>();
  return sum && isa<arith::MulFOp>(body->front()) && llvm::is_contained(sum->getOperands(), body->front().getResult(0)) &&
         llvm::is_contained(sum->getOperands(), body->getArgument(2));
}

/// By axis of the result, the input's axis, if `op` only turns the outer axes of a tensor.
static std::optional<SmallVector<unsigned>> getTurn(GenericOp op) {
  if (op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 || op.getBody()->getOperations().size() != 1 ||
      op.getBody()->getTerminator()->getOperand(0) != op.getBody()->getArgument(0))
    return std::nullopt;
  AffineMap in = op.getMatchingIndexingMap(op.getDpsInputOperand(0));
  AffineMap out = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (!in.isPermutation() || !out.isPermutation())
    return std::nullopt;
  SmallVector<unsigned> turn;
  for (AffineExpr loop : out.getResults())
    turn.push_back(*in.getResultPosition(loop));
  if (turn.empty() || turn.back() != turn.size() - 1)
    return std::nullopt;
  return turn;
}

/// Lets the product read what the transpose reads.
static void readThrough(OpOperand &use, Value source, ArrayRef<unsigned> turn) {
  auto product = cast<GenericOp>(use.getOwner());
  AffineMap map = product.getMatchingIndexingMap(&use);
  SmallVector<AffineExpr> results(map.getNumResults());
  for (auto [axis, sourceAxis] : llvm::enumerate(turn))
    results[sourceAxis] = map.getResult(axis);
  SmallVector<AffineMap> maps = product.getIndexingMapsArray();
  maps[use.getOperandNumber()] = AffineMap::get(map.getNumDims(), 0, results, map.getContext());
  product.setIndexingMapsAttr(Builder(map.getContext()).getAffineMapArrayAttr(maps));
  use.set(source);
}

static bool fuseIntoReaders(GenericOp transpose, ArrayRef<unsigned> turn) {
  bool onlyProducts = llvm::all_of(transpose->getUses(), [](OpOperand &use) {
    auto product = dyn_cast<GenericOp>(use.getOwner());
    return product && isProduct(product) && product.isDpsInput(&use);
  });
  if (!onlyProducts)
    return false;
  for (OpOperand &use : llvm::make_early_inc_range(transpose->getUses()))
    readThrough(use, transpose.getInputs()[0], turn);
  return true;
}

/// Lets the product that makes the transpose's input, and starts from a fill, write what the transpose writes.
static bool fuseIntoWriter(RewriterBase &rewriter, GenericOp transpose, ArrayRef<unsigned> turn) {
  auto product = transpose.getInputs()[0].getDefiningOp<GenericOp>();
  if (!product || !isProduct(product) || !product->hasOneUse())
    return false;
  auto fill = product.getOutputs()[0].getDefiningOp<linalg::FillOp>();
  if (!fill)
    return false;
  rewriter.setInsertionPoint(product);
  auto type = cast<RankedTensorType>(transpose->getResult(0).getType());
  Value empty = tensor::EmptyOp::create(rewriter, fill.getLoc(), type.getShape(), type.getElementType());
  Value start = linalg::FillOp::create(rewriter, fill.getLoc(), fill.getInputs(), ValueRange{empty}).getResult(0);
  SmallVector<AffineMap> maps = product.getIndexingMapsArray();
  SmallVector<AffineExpr> results;
  for (unsigned axis : turn)
    results.push_back(maps.back().getResult(axis));
  maps.back() = AffineMap::get(maps.back().getNumDims(), 0, results, rewriter.getContext());
  auto turned = GenericOp::create(rewriter, product.getLoc(), TypeRange{type}, product.getInputs(), ValueRange{start}, maps,
                                  product.getIteratorTypesArray());
  rewriter.inlineRegionBefore(product.getRegion(), turned.getRegion(), turned.getRegion().begin());
  rewriter.replaceOp(transpose, turned->getResults());
  rewriter.eraseOp(product);
  return true;
}

namespace {

struct FuseTransposesPass : public plumb::impl::FuseTransposesPassBase<FuseTransposesPass> {
  void runOnOperation() override {
    SmallVector<GenericOp> transposes;
    getOperation()->walk([&](device::LoopOp loop) {
      loop.walk([&](GenericOp op) {
        if (getTurn(op))
          transposes.push_back(op);
      });
    });
    IRRewriter rewriter(&getContext());
    for (GenericOp op : transposes) {
      SmallVector<unsigned> turn = *getTurn(op);
      if (fuseIntoReaders(op, turn))
        rewriter.eraseOp(op);
      else
        (void)fuseIntoWriter(rewriter, op, turn);
    }
  }
};

} // namespace
