// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fuses reductions that read the same tensor into one with several results.
//
//   %s = generic ["reduction", "parallel"] ins(%x, %m) outs(%zero) { x - m; add }
//   %q = generic ["reduction", "parallel"] ins(%x, %m) outs(%zero) { x - m; mul; add }
//   becomes
//   %s, %q = generic ["reduction", "parallel"] ins(%x, %m) outs(%zero, %zero) { x - m; add; mul; add }
//
// The two need the same loops and a tensor that both read by the same map, with an element for every iteration: products
// of matrices have none, so contractions stay alone. What stands between the two and the second one needs moves before
// the first, if it may; else the first moves down to the second, if no user of it is in between.
// Test: test/compiler/lower/fuse_reductions.mlir

#include "compiler/lower/Passes.h"
#include "dialects/device/ir/Device.h"
#include "mlir/Analysis/SliceAnalysis.h"
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

/// More results need more accumulators than there are registers.
static constexpr unsigned maxResults = 4;

//===----------------------------------------------------------------------===//
// The choice
//===----------------------------------------------------------------------===//

static bool isReduction(GenericOp op) { return op.getNumReductionLoops() > 0 && !op.hasIndexSemantics(); }

/// Whether both read one tensor by the same permutation of their loops.
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
         first->getNumResults() + second->getNumResults() <= maxResults && shareTensor(first, second) &&
         first.getIteratorTypesArray() == second.getIteratorTypesArray() &&
         first.getStaticLoopRanges() == second.getStaticLoopRanges();
}

/// What `second` needs of the operations between the two, in order; nothing if `first` is part of it or it may not move.
static std::optional<SmallVector<Operation *>> findNeeded(GenericOp first, GenericOp second) {
  SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.omitBlockArguments = true;
  options.omitUsesFromAbove = false;
  options.filter = [&](Operation *op) {
    return op->getBlock() == first->getBlock() && (op == first || first->isBeforeInBlock(op));
  };
  if (failed(getBackwardSlice(second.getOperation(), &slice, options)) || slice.contains(first))
    return std::nullopt;
  SmallVector<Operation *> needed(slice.begin(), slice.end());
  if (!llvm::all_of(needed, isMemoryEffectFree))
    return std::nullopt;
  llvm::sort(needed, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return needed;
}

static bool hasUserBefore(GenericOp first, Operation *place) {
  return llvm::any_of(first->getUsers(), [&](Operation *user) {
    return place->getBlock()->findAncestorOpInBlock(*user)->isBeforeInBlock(place);
  });
}

//===----------------------------------------------------------------------===//
// The surgery
//===----------------------------------------------------------------------===//

/// Copies the body of `op` to the end of `body`; `inputs` and `outputs` say where its arguments are.
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

/// One operation for the two, at the builder's place.
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

/// Fuses the two where one of their places allows it. Returns the new operation, or null.
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

  /// Lets each reduction take in those behind it that it can. Returns whether anything was fused.
  bool run();

private:
  std::set<unsigned> findOthers(unsigned number);

  RewriterBase &rewriter;
  /// In the order of the block; null where one has been taken in.
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

/// The reductions behind reduction `number` that read a tensor which that walks as a whole.
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
      // What the other one read may lead to more.
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
        (void)applyPatternsGreedily(loop, eraseUnused);
    });
  }
};

} // namespace
