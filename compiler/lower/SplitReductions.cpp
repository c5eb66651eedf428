// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splits reductions over a tensor into reductions of its outermost rows and a reduction of their results.
//
//   %s = generic ["reduction", "reduction", "parallel"] ins(%x : 128x1024x16) outs(%z : 16)
//   becomes
//   %p = generic ["parallel", "reduction", "parallel"] ins(%x : 128x1024x16) outs(%0 : 128x16)
//   %s = generic ["reduction", "parallel"] ins(%p : 128x16) outs(%z : 16)
//
// The reduction of a row can be part of the epilogue of the contraction that computes the row, on the same thread. Many
// short sums also have smaller rounding errors than one long sum.
// Test: test/compiler/lower/split_reductions.mlir

#include "compiler/lower/Passes.h"
#include "compiler/support/ReductionBodies.h"
#include "compiler/target/FindTarget.h"
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

/// The divisor of L2's size: smaller tensors stay in L2 and are not partitioned.
static constexpr int64_t kMinShare = 8;
/// Shorter rows leave too many partial results.
static constexpr int64_t kMinRowElements = 64;

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

/// Whether each result is indexed by all parallel loops.
static bool hasDenseResults(GenericOp op) {
  return llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
    AffineMap map = op.getMatchingIndexingMap(&init);
    return map.isProjectedPermutation() && map.getNumResults() == op.getNumParallelLoops();
  });
}

/// The loop over the outermost rows of the tensor that `op` reduces, if partial results per row pay.
static std::optional<unsigned> findRows(GenericOp op, const MachineModel &machine) {
  auto inputs = op.getDpsInputOperands();
  auto *reduced =
      llvm::find_if(inputs, [&](OpOperand *input) { return op.getMatchingIndexingMap(input).isPermutation(); });
  if (reduced == inputs.end())
    return std::nullopt;
  unsigned rows = op.getMatchingIndexingMap(*reduced).getDimPosition(0);
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  int64_t elements = 1, rowElements = 1;
  for (auto [loop, size] : llvm::enumerate(op.getStaticLoopRanges())) {
    elements *= size;
    rowElements *= loop != rows && kinds[loop] == utils::IteratorType::reduction ? size : 1;
  }
  int64_t bytes =
      elements * llvm::divideCeil(getElementTypeOrSelf((*reduced)->get().getType()).getIntOrFloatBitWidth(), 8);
  bool pays = kinds[rows] == utils::IteratorType::reduction && rowElements >= kMinRowElements &&
              bytes >= machine.caches.back().bytes() / kMinShare;
  return pays ? std::optional(rows) : std::nullopt;
}

static bool canSplit(GenericOp op) {
  return op.hasPureTensorSemantics() && op.getNumReductionLoops() > 1 && !op.hasDynamicShape() &&
         !op.hasIndexSemantics() && hasDenseResults(op) &&
         llvm::all_of(llvm::seq<unsigned>(0, op->getNumResults()),
                      [&](unsigned number) { return findCombiner(op, number) != nullptr; });
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// The neutral element of `combiner`, at the beginning of the block.
static Value makeNeutral(OpBuilder &builder, Operation *combiner) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(builder.getInsertionBlock());
  return arith::ConstantOp::create(builder, combiner->getLoc(), *arith::getNeutralElement(combiner));
}

/// A tensor of `rows` tensors of `type`, filled with the neutral element.
static Value makeRows(OpBuilder &builder, Location location, int64_t rows, RankedTensorType type, Operation *combiner) {
  SmallVector<int64_t> shape{rows};
  llvm::append_range(shape, type.getShape());
  Value empty = tensor::EmptyOp::create(builder, location, shape, type.getElementType());
  return linalg::FillOp::create(builder, location, makeNeutral(builder, combiner), empty).getResult(0);
}

/// Builds the reduction of each row.
static GenericOp sumRows(OpBuilder &builder, GenericOp op, unsigned rows) {
  SmallVector<Value> starts;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (auto [number, init] : llvm::enumerate(op.getDpsInitsMutable())) {
    auto type = cast<RankedTensorType>(init.get().getType());
    starts.push_back(makeRows(builder, op.getLoc(), op.getStaticLoopRanges()[rows], type, findCombiner(op, number)));
    AffineMap &map = maps[init.getOperandNumber()];
    map = map.insertResult(builder.getAffineDimExpr(rows), 0);
  }
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  kinds[rows] = utils::IteratorType::parallel;
  auto partial =
      GenericOp::create(builder, op.getLoc(), TypeRange(ValueRange(starts)), op.getInputs(), starts, maps, kinds);
  IRMapping mapping;
  op.getRegion().cloneInto(&partial.getRegion(), mapping);
  return partial;
}

/// Builds the reduction of the rows' results, whose loops are the rows and the parallel loops of `op`.
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
  return GenericOp::create(builder, op.getLoc(), op->getResultTypes(), partial->getResults(), op.getOutputs(), maps,
                           kinds, combine);
}

namespace {

struct SplitReductionsPass : public plumb::impl::SplitReductionsPassBase<SplitReductionsPass> {
  using SplitReductionsPassBase::SplitReductionsPassBase;

  void runOnOperation() override {
    FailureOr<CpuTarget> target = findTarget(getOperation(), targetCpu);
    if (failed(target))
      return signalPassFailure();
    IRRewriter rewriter(&getContext());
    SmallVector<GenericOp> reductions;
    getOperation()->walk([&](device::LoopOp loop) {
      loop.walk([&](GenericOp op) {
        if (canSplit(op))
          reductions.push_back(op);
      });
    });
    for (GenericOp op : reductions)
      if (std::optional<unsigned> rows = findRows(op, target->machine)) {
        rewriter.setInsertionPoint(op);
        rewriter.replaceOp(op, sumResults(rewriter, op, sumRows(rewriter, op, *rows)));
      }
  }
};

} // namespace
