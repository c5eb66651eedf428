// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fuses reductions that read the same tensor into one with several results.
//
//   %s = generic ["reduction", "parallel"] ins(%x, %m) outs(%zero) { x - m; add }
//   %q = generic ["reduction", "parallel"] ins(%x, %m) outs(%zero) { x - m; mul; add }
//   becomes
//   %s, %q = generic ["reduction", "parallel"] ins(%x, %m) outs(%zero, %zero) { x - m; add; mul; add }
//
// Both must have the same loops, and read some tensor with the same permutation of all loops. Matrix products read no
// such tensor, so contractions are not fused. The fused operation is at the second one's position if the first has no
// users in between; otherwise it is at the first one's, and the operations in between that the second depends on move
// before it. Test: test/compiler/lower/fuse_reductions.mlir

#include "compiler/lower/Passes.h"
#include "compiler/support/StructuredRewrites.h"
#include "dialects/device/ir/Device.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include <set>

namespace plumb {
#define GEN_PASS_DEF_FUSEREDUCTIONSPASS
#include "compiler/lower/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;
using linalg::GenericOp;

/// Each result needs accumulators of its own, which must be in registers.
static constexpr unsigned kMaxResults = 4;

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

static bool isReduction(GenericOp op) { return op.getNumReductionLoops() > 0 && !op.hasIndexSemantics(); }

/// Whether both read a common tensor with the same permutation of their loops.
static bool shareTensor(GenericOp first, GenericOp second) {
  for (OpOperand *input : first.getDpsInputOperands())
    for (OpOperand *other : second.getDpsInputOperands())
      if (input->get() == other->get() && first.getMatchingIndexingMap(input).isPermutation() &&
          first.getMatchingIndexingMap(input) == second.getMatchingIndexingMap(other))
        return true;
  return false;
}

static bool canFuse(GenericOp first, GenericOp second) {
  return first.getNumLoops() == second.getNumLoops() &&
         first->getNumResults() + second->getNumResults() <= kMaxResults && shareTensor(first, second) &&
         first.getIteratorTypesArray() == second.getIteratorTypesArray() &&
         first.getStaticLoopRanges() == second.getStaticLoopRanges();
}

/// The operations at or after `first` in its block whose results `user`, or an operation within it, takes as operands.
static SmallVector<Operation *> findOperandsFrom(GenericOp first, Operation *user) {
  SmallVector<Operation *> found;
  user->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (Operation *op = operand.getDefiningOp())
        if (op = first->getBlock()->findAncestorOpInBlock(*op); op && op != user && !op->isBeforeInBlock(first))
          found.push_back(op);
  });
  return found;
}

/// The operations between the two that `second` depends on, in order; none if they include `first` or cannot be moved.
/// Chains of them are as long as the step, too long for a recursion.
static std::optional<SmallVector<Operation *>> findNeeded(GenericOp first, GenericOp second) {
  SetVector<Operation *> needed;
  SmallVector<Operation *> pending{second};
  while (!pending.empty())
    for (Operation *op : findOperandsFrom(first, pending.pop_back_val())) {
      if (op == first || !isMemoryEffectFree(op))
        return std::nullopt;
      if (needed.insert(op))
        pending.push_back(op);
    }
  SmallVector<Operation *> ordered = needed.takeVector();
  llvm::sort(ordered, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return ordered;
}

static bool hasUserBefore(GenericOp first, Operation *position) {
  return llvm::any_of(first->getUsers(), [&](Operation *user) {
    return position->getBlock()->findAncestorOpInBlock(*user)->isBeforeInBlock(position);
  });
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// Copies the body of `op` to the end of `body`, where its arguments begin at `inputs` and `outputs`.
static void copyBody(OpBuilder &builder, GenericOp op, Block &body, unsigned inputs, unsigned outputs,
                     SmallVectorImpl<Value> &yielded) {
  IRMapping mapping;
  for (BlockArgument argument : op.getBody()->getArguments()) {
    unsigned number = argument.getArgNumber();
    bool isInput = number < op.getNumDpsInputs();
    mapping.map(argument, body.getArgument(isInput ? inputs + number : outputs + number - op.getNumDpsInputs()));
  }
  for (Operation &inner : op.getBody()->without_terminator())
    builder.clone(inner, mapping);
  for (Value value : op.getBody()->getTerminator()->getOperands())
    yielded.push_back(mapping.lookupOrDefault(value));
}

/// Builds the fused operation at the insertion point.
static GenericOp build(OpBuilder &builder, GenericOp first, GenericOp second) {
  SmallVector<Value> inputs(first.getInputs()), outputs(first.getOutputs());
  llvm::append_range(inputs, second.getInputs());
  llvm::append_range(outputs, second.getOutputs());
  SmallVector<AffineMap> maps, outputMaps;
  for (GenericOp op : {first, second}) {
    for (OpOperand *input : op.getDpsInputOperands())
      maps.push_back(op.getMatchingIndexingMap(input));
    for (OpOperand &output : op.getDpsInitsMutable())
      outputMaps.push_back(op.getMatchingIndexingMap(&output));
  }
  llvm::append_range(maps, outputMaps);
  auto fill = [&](OpBuilder &inner, Location location, ValueRange) {
    SmallVector<Value> yielded;
    Block &body = *inner.getInsertionBlock();
    copyBody(inner, first, body, 0, inputs.size(), yielded);
    copyBody(inner, second, body, first.getNumDpsInputs(), inputs.size() + first->getNumResults(), yielded);
    linalg::YieldOp::create(inner, location, yielded);
  };
  Location location = builder.getFusedLoc({first.getLoc(), second.getLoc()});
  return GenericOp::create(builder, location, TypeRange(ValueRange(outputs)), inputs, outputs, maps,
                           first.getIteratorTypesArray(), fill);
}

/// Fuses the two at the position of either one. Returns the new operation, or null if neither is legal.
static GenericOp fuse(RewriterBase &rewriter, GenericOp first, GenericOp second) {
  // An earlier fusion may have moved `second` before `first`, and made `first` depend on it.
  if (second->isBeforeInBlock(first))
    std::swap(first, second);
  std::optional<SmallVector<Operation *>> needed = findNeeded(first, second);
  if (!needed)
    return nullptr;
  bool atSecond = !hasUserBefore(first, second);
  rewriter.setInsertionPoint(atSecond ? second : first);
  if (!atSecond)
    for (Operation *op : *needed)
      op->moveBefore(first);
  GenericOp fused = build(rewriter, first, second);
  rewriter.replaceOp(first, fused->getResults().take_front(first->getNumResults()));
  rewriter.replaceOp(second, fused->getResults().take_back(second->getNumResults()));
  return fused;
}

namespace {

/// Fuses the reductions of one block.
class BlockFuser {
public:
  BlockFuser(RewriterBase &rewriter, Block &block);

  /// Fuses each reduction with later ones. Returns whether anything was fused.
  bool run();

private:
  std::set<unsigned> findOthers(unsigned number);

  RewriterBase &rewriter;
  /// In the order of the block; null for those that have been fused into an earlier one.
  SmallVector<GenericOp> reductions;
  DenseMap<Operation *, unsigned> numbers;
};

} // namespace

BlockFuser::BlockFuser(RewriterBase &rewriter, Block &block) : rewriter(rewriter) {
  for (auto op : block.getOps<GenericOp>())
    if (isReduction(op)) {
      numbers[op] = reductions.size();
      reductions.push_back(op);
    }
}

/// The reductions after `number` that read a common tensor, of which `number` reads a different element per iteration.
std::set<unsigned> BlockFuser::findOthers(unsigned number) {
  std::set<unsigned> others;
  GenericOp op = reductions[number];
  for (OpOperand *input : op.getDpsInputOperands())
    if (op.getMatchingIndexingMap(input).isPermutation())
      for (Operation *user : input->get().getUsers())
        if (auto found = numbers.find(user); found != numbers.end() && found->second > number)
          others.insert(found->second);
  return others;
}

bool BlockFuser::run() {
  bool changed = false;
  for (unsigned number = 0; number < reductions.size(); ++number) {
    if (!reductions[number])
      continue;
    std::set<unsigned> others = findOthers(number);
    for (auto next = others.begin(); next != others.end();) {
      unsigned other = *next++;
      GenericOp first = reductions[number], second = reductions[other];
      GenericOp fused = canFuse(first, second) ? fuse(rewriter, first, second) : nullptr;
      if (!fused)
        continue;
      numbers.erase(first);
      numbers.erase(second);
      numbers[fused] = number;
      reductions[number] = fused;
      reductions[other] = nullptr;
      changed = true;
      // The fused operation reads more tensors, which further reductions may read, too.
      others = findOthers(number);
      next = others.upper_bound(other);
    }
  }
  return changed;
}

namespace {

struct FuseReductionsPass : public plumb::impl::FuseReductionsPassBase<FuseReductionsPass> {
  void runOnOperation() override {
    RewritePatternSet unused(&getContext());
    linalg::populateEraseUnusedOperandsAndResultsPatterns(unused);
    FrozenRewritePatternSet eraseUnused(std::move(unused));
    IRRewriter rewriter(&getContext());
    getOperation()->walk([&](device::LoopOp loop) {
      bool changed = false;
      loop.walk([&](Block *block) { changed |= BlockFuser(rewriter, *block).run(); });
      if (changed)
        (void)applyPatternsGreedily(loop, eraseUnused, getStructuredConfig());
    });
  }
};

} // namespace
