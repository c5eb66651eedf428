// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splits sums over a whole tensor into sums of its outermost rows, and a sum of those.
//
//   %s = generic ["reduction", "reduction", "parallel"] ins(%x : 128x1024x16) outs(%z : 16)
//   becomes
//   %p = generic ["parallel", "reduction", "parallel"] ins(%x : 128x1024x16) outs(%0 : 128x16)
//   %s = generic ["reduction", "parallel"] ins(%p : 128x16) outs(%z : 16)
//
// A row's sum can be made where the row is: in the end of the product that computes it, and by the thread that does. Many
// short sums also lose fewer digits than one long sum.
// Test: test/compiler/lower/split_reductions.mlir

#include "compiler/lower/Passes.h"
#include "dialects/device/ir/Device.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

namespace plumb {
#define GEN_PASS_DEF_SPLITREDUCTIONSPASS
#include "compiler/lower/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;
using linalg::GenericOp;

/// Smaller tensors are in a near cache, and one thread's work; shorter rows are hardly summed.
static constexpr int64_t leastElements = 1 << 16, leastInRow = 64;

//===----------------------------------------------------------------------===//
// The choice
//===----------------------------------------------------------------------===//

/// What combines result `number` with what it was before; null if that is no operation of which parts can be made.
static Operation *findCombiner(GenericOp op, unsigned number) {
  Operation *combiner = op.getBody()->getTerminator()->getOperand(number).getDefiningOp();
  BlockArgument before = op.getRegionOutputArgs()[number];
  bool combines = combiner && combiner->getBlock() == op.getBody() && combiner->getNumOperands() == 2 &&
                  before.hasOneUse() && *before.user_begin() == combiner && arith::getNeutralElement(combiner);
  return combines ? combiner : nullptr;
}

/// Whether every result has an element for each iteration of the parallel loops.
static bool hasWholeResults(GenericOp op) {
  return llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
    AffineMap map = op.getMatchingIndexingMap(&init);
    return map.isProjectedPermutation() && map.getNumResults() == op.getNumParallelLoops();
  });
}

/// The loop over the outermost rows of the tensor that `op` walks, if it is worth a result of its own for each.
static std::optional<unsigned> findRows(GenericOp op) {
  auto inputs = op.getDpsInputOperands();
  auto *whole = llvm::find_if(inputs, [&](OpOperand *input) { return op.getMatchingIndexingMap(input).isPermutation(); });
  if (whole == inputs.end())
    return std::nullopt;
  unsigned rows = op.getMatchingIndexingMap(*whole).getDimPosition(0);
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  int64_t elements = 1, inRow = 1;
  for (auto [loop, size] : llvm::enumerate(op.getStaticLoopRanges())) {
    elements *= size;
    inRow *= loop != rows && kinds[loop] == utils::IteratorType::reduction ? size : 1;
  }
  bool pays = kinds[rows] == utils::IteratorType::reduction && inRow >= leastInRow && elements >= leastElements;
  return pays ? std::optional(rows) : std::nullopt;
}

static bool canSplit(GenericOp op) {
  return op.hasPureTensorSemantics() && op.getNumReductionLoops() > 1 && !op.hasDynamicShape() && !op.hasIndexSemantics() &&
         hasWholeResults(op) && llvm::all_of(llvm::seq<unsigned>(0, op->getNumResults()), [&](unsigned number) {
           return findCombiner(op, number) != nullptr;
         });
}

//===----------------------------------------------------------------------===//
// The surgery
//===----------------------------------------------------------------------===//

/// What changes nothing when it is combined: at the block's beginning, where constants stand.
static Value makeNeutral(OpBuilder &builder, Operation *combiner) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(builder.getInsertionBlock());
  return arith::ConstantOp::create(builder, combiner->getLoc(), *arith::getNeutralElement(combiner));
}

/// A tensor of `type` with one row for each of `rows`, filled with what changes nothing.
static Value makeRows(OpBuilder &builder, Location location, int64_t rows, RankedTensorType type, Operation *combiner) {
  SmallVector<int64_t> shape{rows};
  llvm::append_range(shape, type.getShape());
  Value empty = tensor::EmptyOp::create(builder, location, shape, type.getElementType());
  return linalg::FillOp::create(builder, location, makeNeutral(builder, combiner), empty).getResult(0);
}

/// The results of each row.
static GenericOp sumRows(OpBuilder &builder, GenericOp op, unsigned rows) {
  SmallVector<Value> starts;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (auto [number, init] : llvm::enumerate(op.getDpsInitsMutable())) {
    auto type = cast<RankedTensorType>(init.get().getType());
    starts.push_back(
        makeRows(builder, op.getLoc(), op.getStaticLoopRanges()[rows], type, findCombiner(op, number)));
    AffineMap &map = maps[init.getOperandNumber()];
    map = map.insertResult(builder.getAffineDimExpr(rows), 0);
  }
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  kinds[rows] = utils::IteratorType::parallel;
  auto partial = GenericOp::create(builder, op.getLoc(), TypeRange(ValueRange(starts)), op.getInputs(), starts, maps, kinds);
  IRMapping mapping;
  op.getRegion().cloneInto(&partial.getRegion(), mapping);
  return partial;
}

/// The sum of the rows' results; its loops are the rows and the parallel loops of `op`.
static GenericOp sumResults(OpBuilder &builder, GenericOp op, GenericOp partial) {
  SmallVector<AffineExpr> loops(op.getNumLoops(), builder.getAffineConstantExpr(0));
  SmallVector<utils::IteratorType> kinds{utils::IteratorType::reduction};
  for (auto [loop, kind] : llvm::enumerate(op.getIteratorTypesArray()))
    if (kind == utils::IteratorType::parallel) {
      loops[loop] = builder.getAffineDimExpr(kinds.size());
      kinds.push_back(kind);
    }
  SmallVector<AffineMap> maps, outputMaps;
  for (OpOperand &init : op.getDpsInitsMutable()) {
    outputMaps.push_back(op.getMatchingIndexingMap(&init).replaceDimsAndSymbols(loops, {}, kinds.size(), 0));
    maps.push_back(outputMaps.back().insertResult(builder.getAffineDimExpr(0), 0));
  }
  llvm::append_range(maps, outputMaps);
  auto combine = [&](OpBuilder &inner, Location location, ValueRange arguments) {
    SmallVector<Value> results;
    for (unsigned number = 0; number < op->getNumResults(); ++number) {
      Operation *combiner = inner.clone(*findCombiner(op, number));
      combiner->setOperands({arguments[op->getNumResults() + number], arguments[number]});
      results.push_back(combiner->getResult(0));
    }
    linalg::YieldOp::create(inner, location, results);
  };
  return GenericOp::create(builder, op.getLoc(), op->getResultTypes(), partial->getResults(), op.getOutputs(), maps, kinds,
                           combine);
}

namespace {

struct SplitReductionsPass : public plumb::impl::SplitReductionsPassBase<SplitReductionsPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<GenericOp> reductions;
    getOperation()->walk([&](device::LoopOp loop) {
      loop.walk([&](GenericOp op) {
        if (canSplit(op))
          reductions.push_back(op);
      });
    });
    for (GenericOp op : reductions)
      if (std::optional<unsigned> rows = findRows(op)) {
        rewriter.setInsertionPoint(op);
        rewriter.replaceOp(op, sumResults(rewriter, op, sumRows(rewriter, op, *rows)));
      }
  }
};

} // namespace
