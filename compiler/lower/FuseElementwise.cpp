// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fuses operations that work element by element into their users.
//
// MLIR's `fuseElementwiseOps` does the surgery; the choice is here. A producer goes into a consumer
//
// * when nobody else uses it and the consumer reads each element once, or recomputing it per read is cheap;
// * when others use it too, but the consumer iterates over the same space and comes first: then the fused operation
//   yields the producer's result as well (`%v, %w = …`, a momentum update in one pass over memory);
// * when others use it too, all of them can take it in, and it is cheap: then each gets a copy and the value vanishes.
//
// Contractions take nothing in: they read elements many times, and code generation wants their bodies bare. Writes of
// variables first move down as far as they may, so that they stand behind what could be fused; what computes the written
// values follows them last, behind all readers of the old ones.
// Test: test/compiler/lower/fuse_elementwise.mlir

#include "compiler/lower/Passes.h"
#include "dialects/device/ir/Device.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#define DEBUG_TYPE "plumb-fuse-elementwise"

namespace plumb {
#define GEN_PASS_DEF_FUSEELEMENTWISEPASS
#include "compiler/lower/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;
using linalg::GenericOp;

/// More streams than this in one operation cost more than they save.
static constexpr unsigned maxOperands = 16;

/// More operations than this are not computed twice.
static constexpr size_t maxCheapOps = 4;

//===----------------------------------------------------------------------===//
// The choice
//===----------------------------------------------------------------------===//

static bool isParallel(GenericOp op) { return op.getNumParallelLoops() == op.getNumLoops(); }

/// Whether the consumer reads each element of the operand exactly once.
static bool readsOnce(GenericOp consumer, OpOperand *operand) {
  return consumer.getMatchingIndexingMap(operand).isPermutation();
}

/// A few operations of ordinary arithmetic, no division, nothing from `math`.
static bool isCheap(GenericOp producer) {
  auto body = producer.getBody()->without_terminator();
  return std::distance(body.begin(), body.end()) <= static_cast<int64_t>(maxCheapOps) &&
         llvm::all_of(body, [](Operation &op) {
           StringRef name = op.getName().getStringRef();
           return name.starts_with("arith.") && !name.contains("div") && !name.contains("rem");
         });
}

/// Inputs as large as the result: reading more than one of them again costs more than reading the result.
static unsigned countLargeInputs(GenericOp producer) {
  return llvm::count_if(producer.getDpsInputOperands(), [&](OpOperand *input) {
    return producer.getMatchingIndexingMap(input).getNumResults() == producer.getNumLoops();
  });
}

/// Whether `operand` may go into its user at all.
static bool isFusable(OpOperand *operand) {
  auto producer = operand->get().getDefiningOp<GenericOp>();
  auto consumer = dyn_cast<GenericOp>(operand->getOwner());
  if (!producer || !consumer || producer->getBlock() != consumer->getBlock() || !consumer.isDpsInput(operand) ||
      producer->getNumOperands() + consumer->getNumOperands() > maxOperands || !linalg::areElementwiseOpsFusable(operand))
    return false;
  return readsOnce(consumer, operand) || (isParallel(consumer) && isCheap(producer));
}

/// Whether every use of the producer is fusable, so that copies of it make it vanish.
static bool canVanish(GenericOp producer) {
  return isCheap(producer) && countLargeInputs(producer) <= 1 && llvm::all_of(producer->getUses(), [](OpOperand &use) {
           return isFusable(&use);
         });
}

/// Whether the consumer can yield the producer's results to all its other users: it comes before them and walks the same
/// space.
static bool canPreserve(GenericOp producer, GenericOp consumer, OpOperand *operand) {
  if (!isParallel(consumer) || !readsOnce(consumer, operand))
    return false;
  return llvm::all_of(producer->getUsers(), [&](Operation *user) {
    Operation *ancestor = consumer->getBlock()->findAncestorOpInBlock(*user);
    return user == consumer || consumer->isBeforeInBlock(ancestor);
  });
}

//===----------------------------------------------------------------------===//
// The surgery
//===----------------------------------------------------------------------===//

static void fuse(RewriterBase &rewriter, OpOperand *operand, bool preserve) {
  auto producer = operand->get().getDefiningOp<GenericOp>();
  Operation *consumer = operand->getOwner();
  rewriter.setInsertionPoint(consumer);
  FailureOr<linalg::ElementwiseOpFusionResult> fused = linalg::fuseElementwiseOps(rewriter, operand);
  if (failed(fused))
    return;
  for (Value result : consumer->getResults())
    rewriter.replaceAllUsesWith(result, fused->replacements.lookup(result));
  rewriter.eraseOp(consumer);
  for (Value result : producer->getResults())
    if (Value kept = preserve ? fused->replacements.lookup(result) : Value())
      rewriter.replaceAllUsesExcept(result, kept, fused->fusedOp);
  if (producer->use_empty())
    rewriter.eraseOp(producer);
}

/// Fuses one producer into `consumer`. Returns whether it did, and then `consumer` is gone.
static bool fuseOne(RewriterBase &rewriter, GenericOp consumer) {
  for (OpOperand &operand : consumer->getOpOperands()) {
    if (!isFusable(&operand))
      continue;
    auto producer = operand.get().getDefiningOp<GenericOp>();
    bool onlyUser = llvm::all_of(producer->getUsers(), [&](Operation *user) { return user == consumer; });
    bool preserve = !onlyUser && !canVanish(producer) && canPreserve(producer, consumer, &operand);
    if (!onlyUser && !preserve && !canVanish(producer))
      continue;
    fuse(rewriter, &operand, preserve);
    return true;
  }
  return false;
}

/// Fuses until nothing more can be. Every fusion removes a use of a producer, so this ends.
static void fuseBlock(RewriterBase &rewriter, Block &block) {
  for (bool changed = true; changed;) {
    changed = false;
    for (auto consumer : llvm::make_early_inc_range(block.getOps<GenericOp>()))
      if ((changed = fuseOne(rewriter, consumer)))
        break;
  }
}

/// Moves writes behind everything that does not touch their variable.
static void delayWrites(device::LoopOp loop) {
  for (device::WriteOp write : llvm::to_vector(loop.getBody().front().getOps<device::WriteOp>())) {
    auto touches = [&](Operation *op) {
      WalkResult found = op->walk([&](Operation *nested) {
        auto name = nested->getAttrOfType<FlatSymbolRefAttr>("variable");
        return name && name == write.getVariableAttr() ? WalkResult::interrupt() : WalkResult::advance();
      });
      return found.wasInterrupted() || op->hasTrait<OpTrait::IsTerminator>();
    };
    Operation *next = write->getNextNode();
    while (!touches(next))
      next = next->getNextNode();
    write->moveBefore(next);
  }
}

/// Moves operations that only compute new values of variables down to the writes, behind all readers of the old values,
/// so that they can work in the variables' memory.
static void delayUpdates(device::LoopOp loop) {
  for (GenericOp update : llvm::to_vector(llvm::reverse(llvm::to_vector(loop.getBody().front().getOps<GenericOp>())))) {
    Operation *first = nullptr;
    for (Operation *user : update->getUsers()) {
      if (!isa<device::WriteOp>(user) || user->getBlock() != update->getBlock()) {
        first = nullptr;
        break;
      }
      first = !first || user->isBeforeInBlock(first) ? user : first;
    }
    if (first)
      update->moveBefore(first);
  }
}

namespace {

struct FuseElementwisePass : public plumb::impl::FuseElementwisePassBase<FuseElementwisePass> {
  void runOnOperation() override {
    RewritePatternSet constants(&getContext()), unused(&getContext());
    // Of MLIR's patterns only those that fold scalars, splats and fills into bodies.
    linalg::populateElementwiseOpsFusionPatterns(constants, [](OpOperand *) { return false; });
    linalg::populateEraseUnusedOperandsAndResultsPatterns(unused);
    FrozenRewritePatternSet foldConstants(std::move(constants)), eraseUnused(std::move(unused));
    IRRewriter rewriter(&getContext());
    getOperation()->walk([&](device::LoopOp loop) {
      (void)applyPatternsGreedily(loop, foldConstants);
      delayWrites(loop);
      loop.walk([&](Block *block) { fuseBlock(rewriter, *block); });
      (void)applyPatternsGreedily(loop, eraseUnused);
      delayUpdates(loop);
    });
  }
};

} // namespace
